// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/scan.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace tandem;
using namespace tandem::generic;
using modbus::ExceptionCode;

namespace {

// A device that is asked without a socket: which registers it has, and how it refuses.
struct PaperDevice {
  std::set<std::uint32_t> registers{};
  std::uint32_t most = 125;
  std::vector<ScanRequest> asked{};
  std::uint32_t reads = 0;

  ScanAnswer answer(const ScanRequest& request) {
    asked.push_back(request);
    ++reads;
    ScanAnswer out;
    out.kind = ScanAnswer::Kind::exception;
    out.code = ExceptionCode::illegal_value;
    if (request.count > most) return out;
    out.code = ExceptionCode::illegal_address;
    for (std::uint32_t i = 0; i < request.count; ++i) {
      if (!registers.contains(request.address + i)) return out;
    }
    out.kind = ScanAnswer::Kind::words;
    for (std::uint32_t i = 0; i < request.count; ++i)
      out.words.push_back(static_cast<Word>(request.address + i + reads));
    return out;
  }
};

ScanOptions holding(std::uint32_t from, std::uint32_t to) {
  ScanOptions options;
  options.tables = {ModbusTable::holding};
  options.from = from;
  options.to = to;
  return options;
}

ScanAnswer exception(ExceptionCode code) {
  ScanAnswer answer;
  answer.kind = ScanAnswer::Kind::exception;
  answer.code = code;
  return answer;
}

std::set<std::uint32_t> found_by(ModbusScan& scan, PaperDevice& device, std::size_t most_requests = 100'000) {
  while (const auto request = scan.next()) {
    REQUIRE(device.asked.size() < most_requests);
    scan.take(device.answer(*request));
  }
  const auto found = scan.observations().addresses(ModbusTable::holding);
  return {found.begin(), found.end()};
}

}  // namespace

TEST_CASE("a scan finds exactly the registers that are there, whatever the holes") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 200; ++round) {
    PaperDevice device;
    device.most = round % 3 == 0 ? static_cast<std::uint32_t>(1 + random() % 20) : 125;
    for (std::uint32_t address = 0; address < 200;) {
      const auto length = static_cast<std::uint32_t>(1 + random() % 30);
      if (random() % 2 == 0) {
        for (std::uint32_t i = 0; i < length; ++i) device.registers.insert(address + i);
      }
      address += length;
    }
    std::set<std::uint32_t> expected;
    for (const std::uint32_t address : device.registers) {
      if (address >= 5 && address <= 150) expected.insert(address);
    }
    ModbusScan scan(holding(5, 150));
    CHECK(found_by(scan, device) == expected);
    CHECK(scan.finished());
    CHECK(scan.given_up().empty());
    CHECK(scan.progress() == 1);
    for (const ScanRequest& request : device.asked) {
      CHECK(request.address >= 5);
      CHECK(request.address + request.count - 1 <= 150);
      CHECK(request.count <= 16);
    }
    for (const std::uint32_t address : expected) {
      CHECK(scan.observations().series(ModbusTable::holding, address).size() >= 3);
      // Neighbours together, unless the device gives one at a time.
      if (device.most > 1 && expected.contains(address + 1))
        CHECK(scan.observations().pairs(ModbusTable::holding, address).size() >= 3);
    }
  }
}

TEST_CASE("only functions that read are ever asked for") {
  for (const auto table : {ModbusTable::holding, ModbusTable::input, ModbusTable::coil, ModbusTable::discrete}) {
    const auto function = static_cast<int>(modbus::function_of(request_of({table, 3, 4, {}})));
    CHECK(function >= 1);
    CHECK(function <= 4);
  }
  CHECK(modbus::function_of(request_of({ModbusTable::holding, 3, 4, {}})) == modbus::Function::read_holding_registers);
  CHECK(modbus::function_of(request_of({ModbusTable::input, 3, 4, {}})) == modbus::Function::read_input_registers);
  CHECK(modbus::function_of(request_of({ModbusTable::coil, 3, 4, {}})) == modbus::Function::read_coils);
  CHECK(modbus::function_of(request_of({ModbusTable::discrete, 3, 4, {}})) == modbus::Function::read_discrete_inputs);
}

TEST_CASE("a dense device costs a request for 16 registers, a hole one for each address") {
  PaperDevice dense;
  for (std::uint32_t i = 0; i < 160; ++i) dense.registers.insert(i);
  ModbusScan scan(holding(0, 159));
  found_by(scan, dense);
  CHECK(dense.asked.size() == 10 + 3 * 11);  // blocks of the passes overlap by one register
  PaperDevice empty;
  ModbusScan nothing(holding(0, 999));
  CHECK(found_by(nothing, empty).empty());
  CHECK(empty.asked.size() == 1000 + 4);  // 16, 8, 4, 2, then one by one
}

TEST_CASE("passes are two seconds apart") {
  PaperDevice device;
  device.registers = {0, 1};
  ModbusScan scan(holding(0, 1));
  std::vector<Duration> waits;
  while (const auto request = scan.next()) {
    waits.push_back(request->wait);
    scan.take(device.answer(*request));
  }
  CHECK(waits == std::vector<Duration>{0s, 2s, 2s, 2s});
}

TEST_CASE("a device that refuses what the search found in two parts is read in two parts") {
  PaperDevice device;
  device.registers = {0, 1, 2, 3, 4, 5};
  ModbusScan scan(holding(0, 5));
  int whole = 0;
  while (const auto request = scan.next()) {
    if (request->count > 2) ++whole;
    scan.take(request->count > 2 ? exception(ExceptionCode::illegal_address) : device.answer(*request));
  }
  CHECK(whole <= 4);
  CHECK(scan.observations().series(ModbusTable::holding, 0).size() >= 3);
  CHECK(scan.observations().series(ModbusTable::holding, 5).size() >= 3);
}

TEST_CASE("exception 1 leaves the table, 3 halves the count for good, 4 steps over") {
  ScanOptions options;
  options.tables = {ModbusTable::input, ModbusTable::holding};
  options.from = 0;
  options.to = 31;
  ModbusScan scan(options);
  CHECK(scan.next()->table == ModbusTable::input);
  scan.take(exception(ExceptionCode::illegal_function));
  CHECK(scan.next()->table == ModbusTable::holding);
  CHECK(scan.next()->count == 16);
  scan.take(exception(ExceptionCode::illegal_value));
  CHECK(scan.next()->count == 8);
  scan.take({ScanAnswer::Kind::words, std::vector<Word>(8), {}});
  CHECK(scan.next()->address == 8);
  CHECK(scan.next()->count == 8);  // never 16 again
  scan.take(exception(ExceptionCode::device_failure));
  CHECK(scan.next()->address == 16);
  scan.take({ScanAnswer::Kind::words, std::vector<Word>(8), {}});
  scan.take({ScanAnswer::Kind::words, std::vector<Word>(8), {}});
  const auto remarks = scan.remarks();
  REQUIRE(remarks.size() == 3);
  CHECK(remarks[0] == "input 0..31: 0 found; the device does not know this function (exception 1).");
  CHECK(remarks[1] == "holding 0..31: 24 found; the device reads at most 8 at once.");
  CHECK(remarks[2] == "Stepped over holding 8..15: exception 4 (device failure).");
}

TEST_CASE("a busy device is asked three times with a second between, then stepped over") {
  ModbusScan scan(holding(0, 15));
  for (int i = 0; i < 3; ++i) {
    scan.take(exception(ExceptionCode::busy));
    CHECK(scan.next()->wait == 1s);
    CHECK(scan.next()->address == 0);
  }
  scan.take(exception(ExceptionCode::busy));
  CHECK(scan.finished());
  CHECK(scan.remarks()[1] == "Stepped over holding 0..15: exception 6 (device busy).");
}

TEST_CASE("three timeouts running end the scan, and what was read stays") {
  ModbusScan scan(holding(0, 31));
  scan.take({ScanAnswer::Kind::words, std::vector<Word>(16, 7), {}});
  scan.take({});
  scan.take({});
  CHECK(scan.next()->address == 16);
  scan.take(exception(ExceptionCode::illegal_address));  // an answer: counting begins again
  for (int i = 0; i < 3; ++i) scan.take({});
  CHECK(!scan.next());
  CHECK(scan.given_up() == "no answer to 3 requests running, the last for holding 16 (40017)");
  CHECK(scan.observations().addresses(ModbusTable::holding).size() == 16);
}

TEST_CASE("a gateway without the unit ends the scan and says so") {
  ModbusScan scan(holding(0, 31));
  scan.take(exception(ExceptionCode::gateway_target));
  CHECK(!scan.next());
  CHECK(scan.given_up().starts_with("the gateway has no such unit (exception 11"));
}

TEST_CASE("nonsense in the place of answers is stepped over and ends") {
  ModbusScan scan(holding(0, 65535));
  int requests = 0;
  while (scan.next() && requests < 100'000) {
    ScanAnswer answer;
    answer.kind = requests % 2 == 0 ? ScanAnswer::Kind::nonsense : ScanAnswer::Kind::words;
    answer.words.assign(3, 1);
    scan.take(answer);
    ++requests;
  }
  CHECK(scan.finished());
  CHECK(requests < 100'000);
}
