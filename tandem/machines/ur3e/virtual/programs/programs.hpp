// SPDX-License-Identifier: Apache-2.0
// The programs of the virtual controller: one main program, secondary ones beside it, and the file that is loaded.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/protocols/ur/variables.hpp"
#include "tandem/urscript/library/builtins.hpp"
#include "tandem/urscript/link/program.hpp"
#include "tandem/urscript/run/interpreter.hpp"

namespace tandem::ur3e {

class Programs {
 public:
  // Told about a program that cannot run or has failed: where and why.
  using Complaint = std::function<void(const std::string& program, const urscript::RuntimeError& error)>;
  // Called when the main program changes its state, with its name.
  enum class Event : std::uint8_t { started, paused, stopped };
  using Report = std::function<void(Event event, const std::string& program)>;

  Programs(const urscript::Builtins& builtins, Complaint complain, Report report)
      : builtins_(builtins), complain_(std::move(complain)), report_(std::move(report)) {}

  // A main program takes the place of the one that runs, a `sec` runs beside it. One that cannot be read changes
  // nothing (false), nor does a line without a `def` that calls what does not exist; a `def` that does so runs until it
  // comes there, and `warn` gets a line about it.
  bool start(std::string_view text, std::uint32_t client = 0);
  void stop();   // the main program and all secondary ones
  void pause();  // the main program
  void resume();
  // One cycle of all of them; the main program only when it may move the arm.
  void step(urscript::Cycle cycle, bool main_may_run);

  bool running() const { return main_ != nullptr; }
  urscript::Interpreter* main() { return main_.get(); }  // null: none runs
  bool paused() const { return main_ != nullptr && paused_; }
  ur::RuntimeState state() const;
  std::string name() const { return main_ ? main_->name() : std::string(); }
  std::uint32_t line() const { return main_ ? main_->line() : 0; }
  std::function<void(const std::string& text)> warn;  // may be empty
  // The address of the client whose program is being stepped (host byte order); 0 between steps.
  std::uint32_t client() const { return acting_; }
  std::uint32_t main_client() const { return client_; }  // the address that the main program came from
  std::uint64_t started() const { return started_; }     // main programs so far

  // The files of the pendant, by name ("box.urp"): their text is run by play().
  std::map<std::string, std::string, std::less<>> files;
  std::map<std::string, std::string, std::less<>> broken_files;  // and why they cannot be loaded
  // Nothing, or why not, in the dashboard's words.
  std::optional<std::string> load(std::string_view name);
  bool play(std::uint32_t client = 0);
  const std::string& loaded() const { return loaded_; }

 private:
  void finish(urscript::Interpreter& program);
  void end_main();

  struct Secondary {
    std::unique_ptr<urscript::Interpreter> program;
    std::uint32_t client = 0;
  };

  const urscript::Builtins& builtins_;
  Complaint complain_;
  Report report_;
  std::unique_ptr<urscript::Interpreter> main_;
  std::vector<Secondary> secondary_;
  std::uint32_t client_ = 0;  // of the main program
  std::uint32_t acting_ = 0;
  bool paused_ = false;
  std::uint64_t started_ = 0;
  std::string loaded_;
};

}  // namespace tandem::ur3e
