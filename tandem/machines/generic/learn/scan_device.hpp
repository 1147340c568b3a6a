// SPDX-License-Identifier: Apache-2.0
// A scan of a real Modbus device: one request in flight, ten a second.
#pragma once

#include <functional>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/machines/generic/learn/scan.hpp"

namespace tandem::generic {

// What a person has to know before a scan may begin.
extern const char* const scan_warning;

struct ScanRun {
  ModbusFindings findings;
  std::string given_up;  // empty: it went through
};

struct ScanHooks {
  std::function<void(double)> progress = {};  // 0 to 1, after each request
  std::function<bool()> interrupted = {};     // asked before each request
  Clock* clock = &system_clock();             // for the pace
  Duration answer_time = 1s;                  // of one request
};

// `device`: modbus://HOST[:PORT][?unit=N]. An error when nothing at all could be read.
Result<ScanRun> scan_modbus(const std::string& device, const ScanOptions& options, const ScanHooks& hooks);

}  // namespace tandem::generic
