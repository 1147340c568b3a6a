// SPDX-License-Identifier: Apache-2.0
// Runs one program, a controller cycle at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/urscript/run/thread.hpp"

namespace tandem::urscript {

// Threads are served in the order they were started, in turns, each until it waits for the next cycle. Inside
// enter_critical ... exit_critical a thread keeps its turn, but what makes it wait lets the others run.
// The end of the main function is the end of the program and of its threads.
// Statements of the interpreter mode are appended between two cycles; they run one at a time in a thread of their own.
class Interpreter final : private Threads {
 public:
  enum class State : std::uint8_t { running, finished, halted, failed };

  explicit Interpreter(std::shared_ptr<const Code> code, Limits limits = {});
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter() override = default;

  void step(Cycle cycle);
  void stop();  // ends the program from outside, like halt

  State state() const { return state_; }
  bool running() const { return state_ == State::running; }
  const std::optional<RuntimeError>& error() const { return error_; }
  const std::string& name() const { return code_->name; }
  bool secondary() const { return code_->secondary; }
  std::uint32_t line() const { return line_; }  // where the main function is
  std::size_t thread_count() const;             // alive, the main function's included
  const Value* global(std::string_view name) const;

  // Appends these statements; the function to be started. Not within step().
  Result<std::uint32_t> add_statements(std::string_view text, const Builtins& builtins);
  void start_statements(std::uint32_t function);
  void stop_statements();
  bool runs_statements() const { return alive(statement_thread); }
  CodeSize code_size() const { return size_of(*code_); }
  // Forgets what was appended since, and ends the threads that run it. Not within step().
  void forget_statements(const CodeSize& size);

  static constexpr std::int32_t statement_thread = -1;  // its handle, which no `run` gives

 private:
  Result<std::int32_t> start(std::uint32_t function, std::vector<Value> arguments) override;
  void kill(std::int32_t handle) override;
  bool alive(std::int32_t handle) const override;
  void halt() override;

  bool pass(std::uint32_t& budget);
  void turn(Thread& thread, std::uint32_t& budget);
  void look_for_infinite_loops();
  void fail(RuntimeError error);
  void end(State state);

  std::unique_ptr<Code> code_;
  Limits limits_;
  Shared shared_;
  State state_ = State::running;
  std::optional<RuntimeError> error_;
  std::uint32_t line_ = 0;
  std::int32_t last_handle_ = 0;
  std::vector<std::unique_ptr<Thread>> threads_;  // the main function first
};

}  // namespace tandem::urscript
