// SPDX-License-Identifier: Apache-2.0
// Finds the registers of a Modbus device by reading only: what to ask next, and what an answer means. No socket.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/machines/generic/learn/observations.hpp"
#include "tandem/protocols/modbus/codec.hpp"

namespace tandem::generic {

// A search for what is there, then so many passes over it.
struct ScanOptions {
  std::vector<ModbusTable> tables = {ModbusTable::holding, ModbusTable::input};
  std::uint32_t from = 0, to = 999;  // as on the wire
  int passes = 3;
};
inline constexpr Duration scan_pace = 100ms;     // from one request to the next: 10 a second
inline constexpr Duration scan_pass_gap = 2s;    // between two passes
inline constexpr std::uint32_t scan_block = 16;  // registers or coils of the first request
inline constexpr int most_timeouts = 3;          // running
inline constexpr int most_busy = 3;              // tries
inline constexpr Duration busy_wait = 1s;

struct ScanRequest {
  ModbusTable table = ModbusTable::holding;
  std::uint16_t address = 0, count = 1;
  Duration wait{};  // before it, beside the pace
};
// A function that only reads: 1, 2, 3 or 4.
modbus::Request request_of(const ScanRequest& request);

struct ScanAnswer {
  enum class Kind : std::uint8_t { words, exception, silence, nonsense };
  Kind kind = Kind::silence;
  std::vector<Word> words;  // bits as 0 and 1
  modbus::ExceptionCode code{};
};

class ModbusScan {
 public:
  explicit ModbusScan(const ScanOptions& options);

  // Nothing when it is over or given up. Asking again without take() gives the same request.
  std::optional<ScanRequest> next();
  // The answer to that request.
  void take(const ScanAnswer& answer);

  bool finished() const { return stage_ == Stage::done; }
  // Why it was given up; empty: it was not. What was read until then stays.
  const std::string& given_up() const { return given_up_; }
  double progress() const;  // 0 to 1
  const Observations& observations() const { return observations_; }
  // For the top of the file: what the device refused, and how it was read.
  std::vector<std::string> remarks() const;

 private:
  enum class Stage : std::uint8_t { searching, reading, done };
  struct Found {
    ModbusTable table{};
    std::uint16_t address = 0, count = 0;
  };
  struct TableState {
    std::uint32_t most = scan_block;  // of one request, as the device allows
    std::uint64_t absent = 0;         // addresses
    std::string left;                 // why the rest was not read
  };

  void found(const ScanAnswer& answer);
  void refused(modbus::ExceptionCode code);
  void halve();
  void skip(std::uint32_t count);
  void leave_table(const std::string& why);
  void next_table();
  void begin_reading();
  void begin_pass();
  void read_apart();
  void give_up(std::string why);

  ScanOptions options_;
  Stage stage_ = Stage::searching;
  std::string given_up_;
  std::size_t table_ = 0;  // of options
  std::uint32_t address_ = 0;
  std::uint32_t size_ = scan_block;
  std::map<ModbusTable, TableState> states_;
  std::vector<Found> found_;   // as the search asked for it
  std::vector<Found> blocks_;  // as passes ask for it
  int pass_ = 0;
  std::size_t reading_ = 0;  // of blocks_
  Duration wait_{};
  int timeouts_ = 0, busy_ = 0;
  std::vector<std::string> stepped_over_;
  Observations observations_;
};

}  // namespace tandem::generic
