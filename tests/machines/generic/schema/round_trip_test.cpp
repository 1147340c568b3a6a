// SPDX-License-Identifier: Apache-2.0
// Random descriptions written as files and read again: what was meant is what is read.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "tests/machines/generic/schema/reading.hpp"

using namespace tandem::generic;
using tandem::generic::testing::must_read;

namespace {

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  // The text of a file; `meant` is what it says.
  std::string file(std::vector<Declaration>& meant) {
    base_ = std::array{0, 1, 40001}[below(3)];
    std::string text = fmt::format("base: {}\nsignals:\n", base_);
    const std::size_t count = 1 + below(20);
    for (std::size_t i = 0; i < count; ++i) {
      meant.emplace_back();
      meant.back().name = fmt::format("s{}", i);
      text += fmt::format("  {}: {{{}}}\n", meant.back().name, keys(meant.back(), i));
    }
    return text;
  }
  int base() const { return base_; }

 private:
  std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
  bool now_and_then() { return below(3) == 0; }
  // A number with few digits, so that its text is exact.
  double number() { return static_cast<double>(static_cast<int>(below(4001)) - 2000) / 8; }

  // Each signal has 20 addresses of its own.
  std::string place(Declaration& signal, std::size_t index) {
    ModbusPlace at{static_cast<ModbusTable>(below(4)), static_cast<std::uint16_t>(20 * index + below(4)), -1};
    const bool bits = at.table == ModbusTable::coil || at.table == ModbusTable::discrete;
    if (!bits && now_and_then()) at.bit = static_cast<int>(below(16));
    signal.at = at;
    const std::string end = at.bit < 0 ? "" : fmt::format(".{}", at.bit);
    constexpr std::array<const char*, 4> words = {"coil", "discrete", "holding", "input"};
    constexpr std::array<int, 4> digits = {0, 1, 4, 3};
    const auto table = static_cast<std::size_t>(at.table);
    if (base_ != 40001) return fmt::format("{} {}{}", words[table], at.address + base_, end);
    const bool six = now_and_then();
    return fmt::format("{}{:0{}}{}", digits[table], at.address + 1, six ? 5 : 4, end);
  }

  std::string keys(Declaration& signal, std::size_t index) {
    std::string text = fmt::format("at: {}", place(signal, index));
    const auto& at = std::get<ModbusPlace>(signal.at);
    const bool bit = at.bit >= 0 || at.table == ModbusTable::coil || at.table == ModbusTable::discrete;
    signal.type = bit ? Type::bit : std::array{Type::int16, Type::uint16, Type::int32,   Type::uint32,
                                               Type::int64, Type::uint64, Type::float32, Type::float64}[below(8)];
    if (signal.type != Type::int16 || now_and_then()) text += fmt::format(", type: {}", name(signal.type));
    if (!bit) text += numbers(signal);
    if (now_and_then())
      text += fmt::format(", every: {} ms", 1000 * (*(signal.every = 1.0 + static_cast<double>(below(5)))));
    if (now_and_then()) signal.optional = true, text += ", optional: true";
    if (now_and_then()) signal.critical = below(2) == 0, text += fmt::format(", critical: {}", *signal.critical);
    if (now_and_then()) signal.group = "g1", text += ", group: g1";
    const bool writable = at.table == ModbusTable::coil || at.table == ModbusTable::holding;
    if (writable && now_and_then()) text += output(signal, bit);
    return text;
  }
  std::string numbers(Declaration& signal) {
    std::string text;
    if (bytes_of(signal.type) > 2 && now_and_then()) {
      signal.order = static_cast<tandem::modbus::WordOrder>(below(4));
      text += fmt::format(", order: {}", tandem::modbus::name(signal.order));
    }
    if (now_and_then()) signal.unit = "mm", text += ", unit: mm";
    if (now_and_then()) {
      signal.scale = number() + 1000;
      signal.offset = number();
      text += fmt::format(", scale: {}, offset: {}", signal.scale, signal.offset);
    }
    if (now_and_then()) {
      signal.expect = Range{number() - 1000, number() + 1000};
      text += fmt::format(", expect: [{}, {}]", signal.expect->lowest, signal.expect->highest);
    }
    if (now_and_then()) signal.deadband = number() + 300, text += fmt::format(", deadband: {}", signal.deadband);
    return text;
  }
  std::string output(Declaration& signal, bool bit) {
    Output output;
    std::string text;
    if (bit) {
      output.level = below(2) == 0 ? Output::Level::level : Output::Level::pulse;
      if (output.level == Output::Level::pulse) output.pulse = 0.25;
      text = output.level == Output::Level::level ? "level: true" : "pulse: 250 ms";
    } else {
      // Within what any of the types holds with its scale.
      output.limits = {signal.offset, signal.offset + signal.scale};
      text = fmt::format("limits: [{}, {}]", output.limits.lowest, output.limits.highest);
      if (now_and_then()) output.rate = 12.5;
      text += output.rate ? ", rate: 12.5 /s" : ", rate: none";
    }
    if (now_and_then()) output.watchdog = 0.5, text += ", watchdog: 500 ms";
    const bool ages = output.watchdog && output.level != Output::Level::pulse;
    output.idle = !ages || below(2) == 0 ? Output::Idle::hold : Output::Idle::leave;
    text += output.idle == Output::Idle::hold ? ", idle: hold" : ", idle: leave";
    signal.write = output;
    return ", write: {" + text + "}";
  }

  std::mt19937 random_;
  int base_ = 0;
};

void check_same(const Declaration& read, const Declaration& meant) {
  CHECK(read.at == meant.at);
  CHECK(read.type == meant.type);
  CHECK(read.order == meant.order);
  CHECK(read.scale == meant.scale);
  CHECK(read.offset == meant.offset);
  CHECK(read.unit == meant.unit);
  CHECK(read.expect.has_value() == meant.expect.has_value());
  if (read.expect && meant.expect) CHECK(read.expect->lowest == meant.expect->lowest);
  CHECK(read.every == meant.every);
  CHECK(read.deadband == meant.deadband);
  CHECK(read.optional == meant.optional);
  CHECK(read.critical == meant.critical);
  CHECK(read.group == meant.group);
  REQUIRE(read.write.has_value() == meant.write.has_value());
  if (!read.write) return;
  CHECK(read.write->level == meant.write->level);
  CHECK(read.write->limits.lowest == meant.write->limits.lowest);
  CHECK(read.write->limits.highest == meant.write->limits.highest);
  CHECK(read.write->rate == meant.write->rate);
  CHECK(read.write->pulse == meant.write->pulse);
  CHECK(read.write->idle == meant.write->idle);
  CHECK(read.write->watchdog == meant.write->watchdog);
}

}  // namespace

TEST_CASE("random descriptions are read as they were meant") {
  std::size_t outputs = 0, signals = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Writer writer(seed);
    std::vector<Declaration> meant;
    const std::string text = writer.file(meant);
    CAPTURE(text);
    const auto read = must_read(text);
    REQUIRE(read->signals.size() == meant.size());
    CHECK(read->base == writer.base());
    for (std::size_t i = 0; i < meant.size(); ++i) {
      CHECK(read->signals[i].name == meant[i].name);
      check_same(read->signals[i], meant[i]);
      outputs += meant[i].write ? 1 : 0;
    }
    signals += meant.size();
  }
  CHECK(signals > 2000);
  CHECK(outputs > 200);
}

TEST_CASE("a place shown to people is read as the same place") {
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const int base = std::array{0, 1, 40001}[static_cast<std::size_t>(i % 3)];
    ModbusPlace at{static_cast<ModbusTable>(random() % 4), static_cast<std::uint16_t>(random() % 65536), -1};
    if (at.table >= ModbusTable::holding && random() % 2 == 0) at.bit = static_cast<int>(random() % 16);
    const std::string shown = place_text(at, 1, base);
    const auto read = must_read(fmt::format("base: {}\nsignals: {{a: {{at: \"{}\"}}}}", base, shown));
    CHECK_MESSAGE(std::get<ModbusPlace>(read->signals[0].at) == at, shown);
  }
}
