// SPDX-License-Identifier: Apache-2.0
// The computer itself: what a cycle of a millisecond needs of it, its clock, its limits and its folders.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/app/doctor/finding.hpp"

namespace tandem::app::doctor {

struct ComputerFacts {
  unsigned cores = 1;
  double load = 0;            // of the last minute
  bool real_time = false;     // a thread of this user may run as SCHED_FIFO
  long long descriptors = 0;  // RLIMIT_NOFILE
  bool preempt_rt = false;    // the kernel says so
  std::string governor;       // of the first core; empty: not reported
  std::string clock_source;   // "tsc"; empty: not reported
  bool clock_synchronised = false;
  long long receive_buffer = 0;  // net.core.rmem_max, bytes
  std::uint64_t free_disk = 0;   // bytes, where recordings would go
  int dead_shared_memory = 0;    // files that killed DDS processes left in /dev/shm
  std::string control_folder;    // of the control socket
  std::string control_trouble;   // why it cannot be used; empty: it can
};

ComputerFacts look_at_computer(const std::string& control_socket);
Findings judge(const ComputerFacts& facts);

}  // namespace tandem::app::doctor
