// SPDX-License-Identifier: Apache-2.0
// interpreter_mode(): statements come one line at a time while a program runs, and each line is answered.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/urscript/run/interpreter.hpp"

namespace tandem::urscript {

// A statement is acknowledged with "ack: ID: TEXT" when it has been linked into the running program, or refused with
// "discard: REASON: TEXT". It runs when the statements before it are done and the main function is in
// interpreter_mode(). The lines abort, skipbuffer and state... are carried out at once.
class InterpreterMode {
 public:
  // Where the answers to a client go, each with its line end. They may come later than the line.
  using Answers = std::shared_ptr<std::string>;

  // The table that statements are linked with; it must outlive this.
  explicit InterpreterMode(const Builtins& builtins) : builtins_(builtins) {}
  InterpreterMode(const InterpreterMode&) = delete;
  InterpreterMode& operator=(const InterpreterMode&) = delete;

  // interpreter_mode, end_interpreter and clear_interpreter; this must outlive the table.
  void add_builtins(Builtins& builtins);

  // One line without its end. `program` is the main program, or null when none runs. Not within its step().
  void receive(std::string_view line, Interpreter* program, const Answers& answers);
  // The answer to a line that is not taken.
  static void discard(const Answers& answers, std::string_view reason, std::string_view text);
  // Before each cycle of the program.
  void step(Interpreter& program);
  // The program has ended, or another one takes its place: ids begin at 1 again.
  void reset();

  bool active() const { return active_; }

  std::function<void()> abort;  // ends the move that is under way; may be empty

 private:
  struct Statement {
    std::uint32_t id = 0;
    std::uint32_t function = 0;
    std::string text;
    bool may_clear = false;  // calls clear_interpreter()
  };
  struct Held {
    std::string text;
    Answers answers;
  };

  bool command(std::string_view line, const Answers& answers);
  std::size_t waiting_bytes() const;
  void skip();
  void admit(std::string_view text, Interpreter* program, const Answers& answers);
  void admit_held(Interpreter& program);
  void end(Interpreter& program);
  void clear(Interpreter& program);

  const Builtins& builtins_;
  bool active_ = false;
  bool clear_on_end_ = true;
  bool end_asked_ = false;
  bool end_asked_by_statement_ = false;
  bool clear_asked_ = false;
  bool clear_expected_ = false;   // a statement that clears has been acknowledged and is not done
  std::optional<CodeSize> base_;  // the program, and what earlier interpreter modes left in it
  std::deque<Statement> queue_;   // acknowledged and not begun
  std::deque<Held> held_;         // received after a statement that clears
  bool current_may_clear_ = false;
  std::uint32_t last_id_ = 0, last_executed_ = 0, last_cleared_ = 0;
};

}  // namespace tandem::urscript
