// The programs of the virtual controller: one main program, secondary ones beside it, and the file that is loaded.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/protocols/ur/variables.hpp"
#include "tandem/urscript/builtins.hpp"
#include "tandem/urscript/interpreter.hpp"
#include "tandem/urscript/program.hpp"

namespace tandem::ur3e {

class Programs {
 public:
  // Told about a program that cannot run or has failed: where and why.
  using Complaint = std::function<void(const std::string& program, const urscript::RuntimeError& error)>;

  Programs(const urscript::Builtins& builtins, Complaint complain)
      : builtins_(builtins), complain_(std::move(complain)) {}

  // A main program takes the place of the one that runs, a `sec` runs beside it. One that cannot be read or calls what
  // does not exist changes nothing.
  void start(std::string_view text);
  void stop();   // the main program and all secondary ones
  void pause();  // the main program
  void resume();
  // One cycle of all of them; the main program only when it may move the arm.
  void step(urscript::Cycle cycle, bool main_may_run);

  bool running() const { return main_ != nullptr; }
  bool paused() const { return main_ != nullptr && paused_; }
  ur::RuntimeState state() const;
  std::string name() const { return main_ ? main_->name() : std::string(); }
  std::uint32_t line() const { return main_ ? main_->line() : 0; }
  std::uint64_t started() const { return started_; }  // main programs so far

  // The files of the pendant, by name ("box.urp"): their text is run by play().
  std::map<std::string, std::string, std::less<>> files;
  bool load(std::string_view name);
  bool play();
  const std::string& loaded() const { return loaded_; }

 private:
  void finish(urscript::Interpreter& program);

  const urscript::Builtins& builtins_;
  Complaint complain_;
  std::unique_ptr<urscript::Interpreter> main_;
  std::vector<std::unique_ptr<urscript::Interpreter>> secondary_;
  bool paused_ = false;
  std::uint64_t started_ = 0;
  std::string loaded_;
};

}  // namespace tandem::ur3e
