// SPDX-License-Identifier: Apache-2.0
// What was read of a Modbus device, by a scan or by other masters, and what its registers may mean.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tandem/machines/generic/learn/proposal.hpp"
#include "tandem/machines/generic/modbus_layout.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::generic {

using Word = std::uint16_t;
using WordPair = std::array<Word, 2>;

std::string register_text(ModbusTable table, std::uint32_t address);  // "holding 10 (40011)"

// Reads of the same stretch, one after the other. Memory is bounded: of long histories every second, fourth, ... stays.
class Observations {
 public:
  static constexpr std::size_t most_samples = 256;  // of one stretch
  static constexpr std::size_t most_stretches = 4096;

  // Bits count as words that are 0 or 1.
  void add(ModbusTable table, Word first, std::span<const Word> words);

  std::vector<std::uint32_t> addresses(ModbusTable table) const;  // all that were read, in order
  // Of the stretch with the most samples.
  std::vector<Word> series(ModbusTable table, std::uint32_t address) const;
  // Two neighbours that were read together, if they ever were.
  std::vector<WordPair> pairs(ModbusTable table, std::uint32_t address) const;
  // Whether a request began or ended between this address and the one before it.
  bool is_border(ModbusTable table, std::uint32_t address) const { return borders_.contains({table, address}); }
  // Whether a request was for exactly these two.
  bool is_asked_pair(ModbusTable table, std::uint32_t address) const;
  bool empty() const { return stretches_.empty(); }

 private:
  using Key = std::tuple<ModbusTable, std::uint32_t, std::uint32_t>;  // table, first, count
  struct Stretch {
    std::vector<std::vector<Word>> samples;
    std::uint64_t seen = 0, stride = 1;
  };
  const Stretch* longest(ModbusTable table, std::uint32_t address, std::uint32_t count, std::uint32_t& first) const;

  std::map<Key, Stretch> stretches_;
  std::set<std::pair<ModbusTable, std::uint32_t>> borders_;
};

// The four orders of two registers.
std::uint32_t bits_of(const WordPair& words, modbus::WordOrder order);

// What two registers are, when one reading of them leads clearly: twice the score of every other order.
struct PairVerdict {
  Type type = Type::float32;
  modbus::WordOrder order = modbus::WordOrder::abcd;
  double score = 0, lead = 0;
  std::string reason;  // "as float32 cdab: 12.41, 12.44, 12.47 (abcd: 3.1e-29)"
};
std::optional<PairVerdict> judge_pair(std::span<const WordPair> samples);

struct RegisterPair {
  ModbusTable table{};
  std::uint32_t address = 0;  // of the first
  PairVerdict verdict;
};
// All that do not overlap, by table and address. `from_masters`: their requests never cut a value.
std::vector<RegisterPair> find_pairs(const Observations& seen, bool from_masters);

enum class Motion : std::uint8_t { constant, counter, changing, bit_like };
struct Behaviour {
  Motion motion = Motion::constant;
  bool is_signed = false;  // values near 65535 beside values near 0
  std::string text;        // "constant 1234"
};
Behaviour behaviour_of(std::span<const Word> samples);

// What masters were seen to write.
struct WriteSeen {
  ModbusTable table = ModbusTable::holding;
  std::uint32_t address = 0;
  std::vector<std::vector<Word>> values;  // of each write, all of the same length; bounded
  std::uint64_t count = 0;
};

struct ModbusFindings {
  Observations observations;
  std::vector<WriteSeen> writes;
  bool from_masters = false;  // their requests show how values are cut
  std::string machine = "device";
  std::string device;                // URL
  std::vector<std::string> remarks;  // at the top of the file
};

// Signals for everything that was read. Fault::unsupported when they are more than one file holds.
Result<ProposedDevice> propose(const ModbusFindings& findings);

}  // namespace tandem::generic
