// SPDX-License-Identifier: Apache-2.0
// Any bytes as both sides of a recorded Modbus conversation: findings whose file the reader takes. The first byte of
// each piece says who speaks and how long it is.
#include <cstddef>
#include <cstdint>

#include "fuzz/learned.hpp"
#include "tandem/machines/generic/learn/traffic.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::generic;
  ModbusFindings findings;
  findings.device = "modbus://127.0.0.1";
  ModbusTraffic traffic(findings);
  tandem::Bytes rest(data, size);
  while (!rest.empty()) {
    const bool master = (rest[0] & 0x80) != 0;
    const std::size_t length = std::min<std::size_t>(rest[0] & 0x7F, rest.size() - 1);
    master ? traffic.from_master(rest.subspan(1, length)) : traffic.from_device(rest.subspan(1, length));
    rest = rest.subspan(1 + length);
  }
  if (const auto device = propose(findings)) check_learned(*device);
  return 0;
}
