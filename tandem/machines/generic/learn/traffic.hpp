// SPDX-License-Identifier: Apache-2.0
// What a recorded conversation between a master and a Modbus device says about the device.
#pragma once

#include <cstdint>
#include <map>

#include "tandem/base/bytes.hpp"
#include "tandem/machines/generic/learn/observations.hpp"
#include "tandem/protocols/modbus/codec.hpp"
#include "tandem/protocols/modbus/framer.hpp"

namespace tandem::generic {

// One connection: the bytes of both directions in the order in which they passed, in any pieces. Total.
class ModbusTraffic {
 public:
  explicit ModbusTraffic(ModbusFindings& into) : findings_(into) { into.from_masters = true; }

  void from_master(Bytes bytes);
  void from_device(Bytes bytes);

  std::uint64_t answers() const { return answers_; }  // that were understood

 private:
  static constexpr std::size_t most_waiting = 64;   // requests without an answer
  static constexpr std::size_t most_writes = 1000;  // places
  static constexpr std::size_t most_values = 256;   // of one place

  void request(const modbus::Frame& frame);
  void answer(const modbus::Frame& frame);
  void wrote(ModbusTable table, std::uint16_t address, std::vector<Word> values);

  ModbusFindings& findings_;
  modbus::Framer requests_, answers_framer_;
  bool requests_broken_ = false, answers_broken_ = false;
  std::map<std::uint16_t, modbus::Request> waiting_;  // by transaction
  std::uint64_t answers_ = 0;
};

}  // namespace tandem::generic
