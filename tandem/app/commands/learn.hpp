// SPDX-License-Identifier: Apache-2.0
// learn: what a device has, as a file that `tandem run` takes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace tandem::app {

struct LearnArguments {
  std::string source;              // URL or file
  std::vector<std::string> match;  // globs over PLC paths
  int from = 0, to = 999;          // Modbus addresses as on the wire
  std::string tables = "holding,input";
  std::string out;          // file; empty: standard output
  bool yes = false;         // a scan may read everything
  std::string machine;      // in the file; of a recording: which
  std::string device;       // URL, for files that do not know it
  std::optional<int> base;  // of a register list
  std::string control;      // control socket; empty: the usual one
};
int learn(const LearnArguments& arguments);

// Adds the command to the program. The answer is the command and what runs it.
std::pair<CLI::App*, std::function<int()>> add_learn(CLI::App& program);

}  // namespace tandem::app
