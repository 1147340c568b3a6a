// SPDX-License-Identifier: Apache-2.0
// A script on a bench: run it cycle by cycle and look at what it said and which values it left.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/urscript/link/program.hpp"
#include "tandem/urscript/run/interpreter.hpp"

namespace tandem::urscript {

class ScriptRig {
 public:
  ScriptRig();

  // Links the text; a script that does not link leaves its error in `refused`.
  bool load(std::string_view text, Limits limits = {});
  void step(std::uint64_t cycles = 1);
  // Steps until the program has ended, at most this many cycles.
  bool finish(std::uint64_t most = 10'000);
  // Loads, finishes, and gives a global as text; "error: ..." when it did not come to that.
  std::string run(std::string_view text, std::string_view global = "x");

  Interpreter& program() { return *program_; }
  std::string global(std::string_view name) const;
  std::string all_said() const;  // joined by "|"

  Builtins builtins;
  std::vector<std::string> said;  // by textmsg
  std::string refused;
  Cycle cycle;

 private:
  std::unique_ptr<Interpreter> program_;
};

}  // namespace tandem::urscript
