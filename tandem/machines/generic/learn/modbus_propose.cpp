// SPDX-License-Identifier: Apache-2.0
// Signals out of what was read of registers and coils.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tandem/machines/generic/learn/observations.hpp"

namespace tandem::generic {
namespace {

using modbus::WordOrder;

constexpr std::array tables = {ModbusTable::holding, ModbusTable::input, ModbusTable::coil, ModbusTable::discrete};
constexpr std::size_t many_registers = 200;  // then those that were always 0 are left out
constexpr std::size_t shortest_text = 4;     // registers
constexpr std::size_t longest_text = 60;     // registers

bool is_printable(Word word) {
  const auto good = [](int c) { return c >= 0x20 && c < 0x7F; };
  return good(word >> 8) && good(word & 0xFF);
}

// "0..9, 14, 20..31"
std::string ranges_text(const std::vector<std::uint32_t>& addresses) {
  std::string out;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < addresses.size();) {
    std::size_t end = i + 1;
    while (end < addresses.size() && addresses[end] == addresses[end - 1] + 1) ++end;
    if (++shown > 12) return out + ", ...";
    out += out.empty() ? "" : ", ";
    out += end - i == 1 ? fmt::format("{}", addresses[i]) : fmt::format("{}..{}", addresses[i], addresses[end - 1]);
    i = end;
  }
  return out;
}

class ModbusProposal {
 public:
  explicit ModbusProposal(const ModbusFindings& findings) : findings_(findings), seen_(findings.observations) {}

  Result<ProposedDevice> run() {
    device_.machine = findings_.machine;
    device_.device = findings_.device;
    device_.remarks = findings_.remarks;
    pairs_ = find_pairs(seen_, findings_.from_masters);
    choose_order();
    for (const ModbusTable table : tables) add_table(table);
    for (const WriteSeen& write : findings_.writes) add_write(write);
    finish_remarks();
    if (auto good = check(device_); !good) {
      return within("the device's registers; read fewer with --from, --to and --tables", std::move(good).error());
    }
    return std::move(device_);
  }

 private:
  void choose_order() {
    std::array<std::size_t, 4> votes{};
    for (const RegisterPair& each : pairs_) ++votes[static_cast<std::size_t>(each.verdict.order)];
    const auto best = std::ranges::max_element(votes);
    if (pairs_.empty() || *best * 2 <= pairs_.size()) return;
    order_ = static_cast<WordOrder>(best - votes.begin());
    device_.order = modbus::name(order_);
    device_.remarks.push_back(
        fmt::format("order: {} in {} of {} pairs whose order is clear.", device_.order, *best, pairs_.size()));
  }

  const RegisterPair* pair_at(ModbusTable table, std::uint32_t address) const {
    const auto found = std::ranges::find_if(
        pairs_, [&](const RegisterPair& each) { return each.table == table && each.address == address; });
    return found == pairs_.end() ? nullptr : &*found;
  }

  void add_table(ModbusTable table) {
    const std::vector<std::uint32_t> addresses = seen_.addresses(table);
    std::vector<std::uint32_t> zeros;
    for (std::size_t i = 0; i < addresses.size();) {
      const std::uint32_t address = addresses[i];
      if (const RegisterPair* pair = pair_at(table, address)) {
        add_pair(*pair);
        i += 2;
        continue;
      }
      if (const std::size_t text = text_length(table, address); text > 0) {
        add_text(table, address, text);
        i += text;
        continue;
      }
      ++i;
      const std::vector<Word> series = seen_.series(table, address);
      const bool zero = std::ranges::all_of(series, [](Word word) { return word == 0; });
      if (zero && addresses.size() > many_registers)
        zeros.push_back(address);
      else
        add_single(table, address, series);
    }
    if (!zeros.empty()) {
      device_.remarks.push_back(
          fmt::format("Left out, since they were always 0: {} {}.", name(table), ranges_text(zeros)));
    }
  }

  ProposedSignal& add(ModbusTable table, std::uint32_t address) {
    ProposedSignal signal;
    signal.name = signal_name_from(fmt::format("{}_{}", name(table), address), device_.signals);
    signal.at = fmt::format("{} {}", name(table), address);
    return device_.signals.emplace_back(std::move(signal));
  }

  void add_pair(const RegisterPair& pair) {
    ProposedSignal& signal = add(pair.table, pair.address);
    signal.type = pair.verdict.type == Type::float32 ? "float32" : "int32";
    if (device_.order.empty() || pair.verdict.order != order_) signal.order = modbus::name(pair.verdict.order);
    if (device_.order.empty() && pair.verdict.order == WordOrder::abcd) signal.order.clear();  // the default
    signal.reasons.push_back(fmt::format("{} {}", register_text(pair.table, pair.address), pair.verdict.reason));
  }

  void add_single(ModbusTable table, std::uint32_t address, std::span<const Word> series) {
    ProposedSignal& signal = add(table, address);
    if (has_bits(table)) {
      const auto ones = std::ranges::count(series, Word{1});
      const bool steady = ones == 0 || static_cast<std::size_t>(ones) == series.size();
      signal.reasons.push_back(fmt::format("{} {}", register_text(table, address),
                                           steady ? fmt::format("always {}", ones > 0 ? 1 : 0) : "0 and 1"));
      return;
    }
    const Behaviour behaviour = behaviour_of(series);
    signal.type = behaviour.is_signed ? "int16" : "uint16";
    std::string reason = fmt::format("{} {}", register_text(table, address), behaviour.text);
    if (findings_.from_masters && seen_.is_asked_pair(table, address)) {
      reason += fmt::format("; masters read it with {}: perhaps a 32-bit value whose order is not clear", address + 1);
    }
    signal.reasons.push_back(std::move(reason));
  }

  // Registers from here on that hold printable pairs and never change; 0: fewer than four.
  std::size_t text_length(ModbusTable table, std::uint32_t address) const {
    if (has_bits(table)) return 0;
    std::size_t length = 0;
    while (length < longest_text && pair_at(table, address + static_cast<std::uint32_t>(length)) == nullptr) {
      const auto series = seen_.series(table, address + static_cast<std::uint32_t>(length));
      const bool steady = !series.empty() && std::ranges::all_of(series, [&](Word word) { return word == series[0]; });
      if (!steady || !is_printable(series[0])) break;
      ++length;
    }
    return length < shortest_text ? 0 : length;
  }
  void add_text(ModbusTable table, std::uint32_t address, std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) {
      const Word word = seen_.series(table, address + static_cast<std::uint32_t>(i))[0];
      text += static_cast<char>(word >> 8);
      text += static_cast<char>(word & 0xFF);
    }
    ProposedSignal& signal = add(table, address);
    signal.type = fmt::format("string {}", 2 * length);
    signal.reasons.push_back(fmt::format("{} text '{}'", register_text(table, address), text));
  }

  // Each value that was written, as the type that is read there.
  void add_write(const WriteSeen& write) {
    const std::size_t words = write.values.empty() ? 0 : write.values.front().size();
    for (std::size_t i = 0; i < words;) {
      const std::uint32_t address = write.address + static_cast<std::uint32_t>(i);
      const RegisterPair* pair = pair_at(write.table, address);
      std::vector<WordPair> written;
      for (const auto& each : write.values) {
        if (i + 1 < each.size()) written.push_back({each[i], each[i + 1]});
      }
      std::optional<PairVerdict> verdict;
      if (pair != nullptr) verdict = pair->verdict;
      if (pair == nullptr && write.table == ModbusTable::holding && !is_read(write.table, address))
        verdict = judge_pair(written);
      const bool both = verdict && !written.empty();
      both ? add_written_pair(write, address, *verdict, written) : add_written_word(write, address, i);
      i += both ? 2 : 1;
    }
  }
  bool is_read(ModbusTable table, std::uint32_t address) const { return !seen_.series(table, address).empty(); }

  ProposedSignal& signal_at(ModbusTable table, std::uint32_t address) {
    const std::string at = fmt::format("{} {}", name(table), address);
    const auto found = std::ranges::find(device_.signals, at, &ProposedSignal::at);
    if (found != device_.signals.end()) return *found;
    ProposedSignal& signal = add(table, address);
    signal.commented = true;
    return signal;
  }

  static std::string limits(double low, double high) {
    if (low == high) high = low + 1;
    return fmt::format("{{limits: [{}, {}], rate: none}}", shortest_number(low), shortest_number(high));
  }
  static void seen(ProposedSignal& signal, const WriteSeen& write, const std::string& range) {
    signal.reasons.push_back(fmt::format(
        "Written {} times by another master, {}: two masters must not write one place.", write.count, range));
  }

  void add_written_pair(const WriteSeen& write, std::uint32_t address, const PairVerdict& verdict,
                        std::span<const WordPair> written) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const WordPair& words : written) {
      const std::uint32_t bits = bits_of(words, verdict.order);
      const double value = verdict.type == Type::float32 ? double{std::bit_cast<float>(bits)}
                                                         : static_cast<double>(static_cast<std::int32_t>(bits));
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (!(low <= high)) return;
    ProposedSignal& signal = signal_at(write.table, address);
    if (!signal.write.empty()) return;
    if (signal.commented) {
      signal.type = verdict.type == Type::float32 ? "float32" : "int32";
      signal.order = modbus::name(verdict.order);
    }
    signal.write = limits(low, high);
    seen(signal, write, fmt::format("{:.6g} to {:.6g}", low, high));
  }

  void add_written_word(const WriteSeen& write, std::uint32_t address, std::size_t index) {
    std::vector<Word> values;
    values.reserve(write.values.size());
    for (const auto& each : write.values) values.push_back(each[index]);
    if (values.empty()) return;
    ProposedSignal& signal = signal_at(write.table, address);
    if (!signal.write.empty()) return;
    const auto [low, high] = std::ranges::minmax(values);
    if (has_bits(write.table)) {
      signal.write = "level";
      return seen(signal, write, low == high ? fmt::format("always {}", low) : "0 and 1");
    }
    if (signal.type.starts_with("string") || signal.type == "float32") return;
    bool is_signed = signal.type == "int16" || signal.type == "int32";
    if (signal.commented) {
      is_signed = behaviour_of(values).is_signed;
      signal.type = is_signed ? "int16" : "uint16";
    }
    const auto value = [&](Word word) {
      return is_signed ? static_cast<double>(static_cast<std::int16_t>(word)) : static_cast<double>(word);
    };
    double least = value(low), most = value(low);
    for (const Word word : values) {
      least = std::min(least, value(word));
      most = std::max(most, value(word));
    }
    signal.write = limits(least, most == least && most >= (is_signed ? 32767 : 65535) ? most - 1 : most);
    seen(signal, write, fmt::format("{} to {}", least, most));
  }

  void finish_remarks() {
    device_.remarks.emplace_back("Places count from 0, as they travel (base: 0); in brackets as manuals count them.");
    device_.remarks.emplace_back(
        "Names, scales and units are not on the wire: put in what the manual says. Everything is read only.");
  }

  const ModbusFindings& findings_;
  const Observations& seen_;
  ProposedDevice device_;
  std::vector<RegisterPair> pairs_;
  WordOrder order_ = WordOrder::abcd;
};

}  // namespace

Result<ProposedDevice> propose(const ModbusFindings& findings) { return ModbusProposal(findings).run(); }

}  // namespace tandem::generic
