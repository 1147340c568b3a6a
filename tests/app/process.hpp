// SPDX-License-Identifier: Apache-2.0
// Runs a program as a person would: arguments, standard input, exit code, output, signals.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"

namespace tandem::app {

class Process {
 public:
  // Standard error goes where standard output goes.
  Process(const std::string& program, const std::vector<std::string>& arguments, const std::string& input = "");
  Process(const Process&) = delete;
  ~Process();

  void signal(int number) const { ::kill(pid_, number); }
  // Reads until this is in the output; false when the time is over or the output ended first.
  bool says(const std::string& text, Duration limit);
  // Reads to the end and gives the exit code; -1 when it had to be killed, 128 + number when a signal ended it.
  int finish(Duration limit);
  const std::string& output() const { return output_; }

 private:
  bool read_some(Instant until);

  pid_t pid_ = -1;
  int out_ = -1;
  bool ended_ = false;
  std::string output_;
};

}  // namespace tandem::app
