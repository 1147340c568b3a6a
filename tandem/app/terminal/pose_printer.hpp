// SPDX-License-Identifier: Apache-2.0
// `--print pose`: where the machines are, as blocks of text on standard output, for pipes and files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "tandem/runtime/system.hpp"

namespace tandem::app {

// Remembers what was printed, so that a machine without a new sample prints nothing.
class PrintedPoses {
 public:
  // The pose of a machine in words of its own; empty: it has none.
  using Own = std::function<std::string(const std::string& machine)>;

  explicit PrintedPoses(Own own) : own_(std::move(own)) {}
  // The blocks of all machines that are live and have moved on.
  std::string next(const runtime::SystemStatus& status);

 private:
  const Own own_;
  std::map<std::string, std::uint64_t> printed_;  // samples, by machine
};

// Prints every 50 ms, as the EM1500's original program does, until it is destroyed. While standard output is full,
// blocks are left out. The system must outlive it.
std::jthread print_poses(const runtime::System& system);

}  // namespace tandem::app
