// SPDX-License-Identifier: Apache-2.0
// What the link learns from a device's exceptions, and what it suggests for implausible values.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <set>

#include "tandem/machines/generic/device/modbus_plan.hpp"
#include "tests/machines/generic/device/modbus_rig.hpp"

namespace tandem::generic {
namespace {

[[maybe_unused]] const bool seeded_plan = setenv("RC_PARAMS", "seed=12 max_success=300", 0) == 0;

using modbus::ExceptionCode;
using modbus::Refusal;
using modbus::Table;
using test::described;
using test::Scanned;
using test::ServedDevice;
using test::signal;
using Texts = std::vector<std::string>;

std::vector<Declaration> row_of_signals(int count, int step = 1) {
  std::vector<Declaration> signals;
  for (int i = 0; i < count; ++i)
    signals.push_back(signal(fmt::format("s{}", i), ModbusTable::holding, static_cast<std::uint16_t>(step * i)));
  return signals;
}

Texts sorted(Texts texts) {
  std::ranges::sort(texts);
  return texts;
}

TEST_CASE("exception 2 is searched down to the signal that causes it, once") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 10);
  plc.device.add(Table::holding_registers, 12, 90);
  plc.start();
  auto signals = row_of_signals(60);
  signals.erase(signals.begin() + 11);
  signals[10] = signal("ram", ModbusTable::holding, 10, Type::int32);
  const auto description = described(signals);
  Scanned link(description, plc.url());
  link.scan(2);
  CHECK(link.notes == Texts{"ram: device has no holding 10..11"});
  CHECK(link.reading("ram").quality == SignalQuality::bad);
  CHECK(link.why("ram") == "device has no holding 10..11");
  for (const char* const other : {"s0", "s9", "s12", "s59"}) CHECK(link.good(other));
  plc.take_asked();
  link.scan(3);
  CHECK(sorted(plc.take_asked()) ==
        Texts{"read 2 0 x10", "read 2 0 x10", "read 2 0 x10", "read 2 12 x48", "read 2 12 x48", "read 2 12 x48"});
  CHECK(link.notes.size() == 1);
}

TEST_CASE("places that the device refuses are named as the file counts them") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 5);
  plc.start();
  for (const auto& [base, text] :
       {std::pair(1, "ram: device has no holding 11..12"), std::pair(40001, "ram: device has no 40011-40012")}) {
    auto description = described({signal("ram", ModbusTable::holding, 10, Type::int32)});
    description->base = base;
    Scanned link(description, plc.url());
    link.scan(2);
    CHECK(link.notes == Texts{text});
  }
}

TEST_CASE("an optional signal that is missing is no warning, and appears when the device has it") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 5);
  plc.device.add(Table::holding_registers, 6, 5);
  plc.start();
  auto signals = row_of_signals(11);
  signals[5].optional = true;
  Scanned link(described(signals), plc.url());
  link.scan(2);
  CHECK(link.notes == Texts{"s5: device has no holding 5, which is optional"});
  CHECK(link.reading("s5").quality == SignalQuality::stale);
  CHECK(link.why("s5") == "optional: device has no holding 5");
  CHECK(link.good("s10"));
  plc.with([](auto& device) { device.add(Table::holding_registers, 5, 1); });
  link.scan(3);
  CHECK_FALSE(link.good("s5"));  // not yet: it is asked for again seldom
  REQUIRE(link.link->connect(soon()));
  link.scan(3);
  CHECK(link.good("s5"));
  plc.take_asked();
  link.scan();
  CHECK(sorted(plc.take_asked()) == Texts{"read 2 0 x11"});
}

TEST_CASE("signals that were absent come back by themselves, as after a download to the PLC") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 20);
  std::atomic<bool> loading{false};
  plc.device.before_read = [&](Table, std::uint16_t address, std::size_t count) {
    return loading && address + count > 5 ? Refusal(ExceptionCode::illegal_address) : Refusal{};
  };
  plc.start();
  Scanned link(described(row_of_signals(20)), plc.url());
  link.scan();
  loading = true;
  link.scan(3);
  for (const char* const name : {"s5", "s12", "s19"}) CHECK(link.reading(name).quality == SignalQuality::bad);
  CHECK(link.good("s4"));
  plc.take_asked();
  link.scan(50);
  CHECK(plc.take_asked().size() < 55);  // what is absent is hardly asked for
  loading = false;
  link.now += 6s;
  link.scan(3);
  for (const char* const name : {"s4", "s5", "s12", "s19"}) CHECK(link.good(name));
  plc.take_asked();
  link.scan();
  CHECK(plc.take_asked() == Texts{"read 2 0 x20"});
}

TEST_CASE("a hole that the device refuses is read around from then on, and noted once") {
  ServedDevice plc;
  for (std::uint16_t i = 0; i < 6; ++i) plc.device.add(Table::holding_registers, static_cast<std::uint16_t>(5 * i), 3);
  plc.start();
  std::vector<Declaration> signals;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 3; ++j)
      signals.push_back(
          signal(fmt::format("s{}_{}", i, j), ModbusTable::holding, static_cast<std::uint16_t>(5 * i + j)));
  Scanned link(described(signals), plc.url());
  link.scan(4);
  for (const Declaration& each : signals) CHECK_MESSAGE(link.good(each.name), each.name, ": ", link.why(each.name));
  REQUIRE(link.notes.size() == 1);
  CHECK(link.notes[0] ==
        "device refuses holding 8..9 between s1_2 and s2_0 in one request: they are read apart; `limits: {holes: 0}` "
        "avoids the attempt");
  plc.take_asked();
  link.scan();
  CHECK(sorted(plc.take_asked()) ==
        Texts{"read 2 0 x3", "read 2 10 x3", "read 2 15 x3", "read 2 20 x3", "read 2 25 x3", "read 2 5 x3"});
  REQUIRE(link.link->connect(soon()));
  plc.take_asked();
  link.scan();
  CHECK(plc.take_asked().size() == 6);  // remembered
}

TEST_CASE("exception 3 on a long read halves the count, which is remembered and told once") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 200);
  plc.device.before_read = [](Table, std::uint16_t, std::size_t count) {
    return count > 40 ? Refusal(ExceptionCode::illegal_value) : Refusal{};
  };
  plc.start();
  Scanned link(described(row_of_signals(125)), plc.url());
  link.scan(2);
  CHECK(link.notes == Texts{"device reads at most 31 holding words in one request, not 125: `limits: {words: 31}` "
                            "avoids the attempt"});
  for (const char* const name : {"s0", "s31", "s124"}) CHECK(link.good(name));
  plc.take_asked();
  link.scan();
  CHECK(sorted(plc.take_asked()) ==
        Texts{"read 2 0 x31", "read 2 124 x1", "read 2 31 x31", "read 2 62 x31", "read 2 93 x31"});
}

TEST_CASE("a table that the device does not know is bad, and the others go on") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 10);
  plc.device.add(Table::input_registers, 0, 10);
  plc.device.before_read = [](Table table, std::uint16_t, std::size_t) {
    return table == Table::input_registers ? Refusal(ExceptionCode::illegal_function) : Refusal{};
  };
  plc.start();
  Scanned link(described({signal("a", ModbusTable::holding, 0), signal("b", ModbusTable::input, 0)}), plc.url());
  link.scan(10);
  CHECK(link.good("a"));
  CHECK(link.why("b") == "device cannot read input (exception 1, illegal function)");
  CHECK(link.notes == Texts{"device cannot read input (exception 1, illegal function)"});
  int asked = 0;
  for (const std::string& each : plc.take_asked()) asked += each == "read 3 0 x1";
  CHECK(asked == 1);  // and again after 5 s
  CHECK(link.link->counters().exceptions[1] == 1);
}

TEST_CASE("a busy device makes signals stale in time, a gateway makes them bad, and both come back") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 10);
  std::atomic<int> code{0};
  plc.device.before_read = [&](Table, std::uint16_t, std::size_t) {
    return code == 0 ? Refusal{} : Refusal(static_cast<ExceptionCode>(code.load()));
  };
  plc.start();
  Scanned link(described({signal("a", ModbusTable::holding, 0)}), plc.url());
  link.scan();
  code = 6;
  link.scan();
  CHECK(link.good("a"));  // one busy answer costs nothing
  link.now += 1s;
  link.scan();
  CHECK(link.reading("a").quality == SignalQuality::stale);
  CHECK(link.why("a") == "exception 6, device busy");
  code = 11;
  link.scan();
  CHECK(link.reading("a").quality == SignalQuality::bad);
  CHECK(link.why("a") == "unit 1: exception 11, device behind the gateway does not answer");
  CHECK(link.link->counters().exceptions[6] == 2);
  CHECK(link.link->counters().exceptions[11] == 1);
  code = 0;
  link.now += 2s;
  link.scan();
  CHECK(link.good("a"));
}

// Without a socket: a device by rules, whose answers the plan is told of. Whatever addresses and holes it refuses, in
// the end all that exists is read, all that does not is absent, and nothing is refused any more.
TEST_CASE("the plan ends with requests that the device accepts, whatever it refuses") {
  const bool held = rc::check([] {
    const int count = *rc::gen::inRange(1, 50);
    std::vector<Declaration> signals;
    int address = 0;
    for (int i = 0; i < count; ++i) {
      const bool wide = *rc::gen::inRange(0, 3) == 0;
      address += *rc::gen::weightedElement<int>({{4, 0}, {1, 3}, {1, 25}});
      signals.push_back(signal(fmt::format("s{}", i), ModbusTable::holding, static_cast<std::uint16_t>(address),
                               wide ? Type::int32 : Type::int16));
      address += wide ? 2 : 1;
    }
    std::set<int> missing;  // addresses
    const int gone = *rc::gen::inRange(0, 4);
    for (int i = 0; i < gone; ++i) missing.insert(*rc::gen::inRange(0, address));
    const bool has_holes = *rc::gen::arbitrary<bool>();
    const int most = *rc::gen::element(125, 60, 10);
    std::set<int> wanted;
    const auto description = described(signals);
    const ModbusLayout layout = modbus_layout(*description);
    for (const ModbusSpan& span : layout.spans)
      for (int i = 0; i < span.words; ++i) wanted.insert(span.address + i);
    const auto answer = [&](const ReadBlock& block) -> unsigned {
      if (block.words > most) return 3;
      for (int at = block.address; at < block.address + block.words; ++at) {
        if (missing.contains(at)) return 2;
        if (!has_holes && !wanted.contains(at)) return 2;
      }
      return 0;
    };

    ModbusPlan plan(*description, layout);
    int refusals = 1, rounds = 0;
    for (; refusals > 0 && rounds < 100; ++rounds) {
      refusals = 0;
      for (std::size_t i = 0; i < plan.requests().size(); ++i) {
        const unsigned code = answer(plan.requests()[i].block);
        refusals += code != 0;
        if (code == 0) plan.answered(i);
        if (code != 0) static_cast<void>(plan.refused(i, code));
      }
      while (plan.settle(Instant{})) refusals += 1;
    }
    RC_ASSERT(rounds < 100);
    std::set<std::size_t> read;
    for (const auto& request : plan.requests()) {
      RC_ASSERT(answer(request.block) == 0u);
      for (const ReadPiece& piece : plan.pieces_of(request.block)) RC_ASSERT(read.insert(piece.signal).second);
    }
    for (std::size_t i = 0; i < layout.spans.size(); ++i) {
      bool there = true;
      for (int at = 0; at < layout.spans[i].words; ++at) there &= !missing.contains(layout.spans[i].address + at);
      RC_ASSERT(read.contains(i) == there);
    }
  });
  CHECK(held);
}

struct Hint {
  Declaration declaration;
  std::vector<std::uint16_t> words;  // from address 9 on; the signal is at 10
  std::string text;
};

TEST_CASE("values that are implausible from the first sample on bring a hint of what may be wrong") {
  const auto expecting = [](Type type, double lowest, double highest, double scale = 1) {
    Declaration each = signal("x", ModbusTable::holding, 10, type);
    each.expect = Range{lowest, highest};
    each.scale = scale;
    return each;
  };
  const std::uint32_t warm = std::bit_cast<std::uint32_t>(21.5f);
  const auto high = static_cast<std::uint16_t>(warm >> 16), low = static_cast<std::uint16_t>(warm);
  const std::vector<Hint> rows{
      {expecting(Type::int16, 100, 200),
       {150, 3, 3, 3},
       "x: expected 100 to 200, got 3 from the first sample on; holding 9 holds 150: is the address off by one "
       "(`base:`)?"},
      {expecting(Type::float32, 10, 40),
       {0, low, high, 0},
       "x: expected 10 to 40, got 2.35586e-41 from the first sample on; holding 11 holds 21.5: is the address off by "
       "one (`base:`)?; or as cdab it is 21.5: `order: cdab`"},
      {expecting(Type::uint16, -20, 20),
       {0, 65530, 0, 0},
       "x: expected -20 to 20, got 65530 from the first sample on; as int16 it is -6: `type: int16`"},
      {expecting(Type::int16, 0, 100),
       {0, 2150, 0, 0},
       "x: expected 0 to 100, got 2150 from the first sample on; with a scale of 0.01 it is 21.5: `scale: 0.01`"},
  };
  for (const Hint& row : rows) {
    CAPTURE(row.text);
    ServedDevice plc;
    plc.device.add(Table::holding_registers, 0, 20);
    plc.start();
    plc.put(Table::holding_registers, 9, row.words);
    Scanned link(described({signal("before", ModbusTable::holding, 9), row.declaration,
                            signal("after", ModbusTable::holding, 13)}),
                 plc.url());
    link.scan(10);
    REQUIRE(link.notes.size() == 1);
    CHECK(link.notes[0] == row.text);
    CHECK(link.reading("x").quality == SignalQuality::bad);
  }
}

TEST_CASE("a strange float without a range brings the hint of its order, a plausible one none") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 20);
  plc.start();
  const std::uint32_t warm = std::bit_cast<std::uint32_t>(21.5f);
  plc.put(Table::holding_registers, 0, {static_cast<std::uint16_t>(warm), static_cast<std::uint16_t>(warm >> 16)});
  plc.put(Table::holding_registers, 2, {static_cast<std::uint16_t>(warm >> 16), static_cast<std::uint16_t>(warm)});
  Scanned link(described({signal("turned", ModbusTable::holding, 0, Type::float32),
                          signal("right", ModbusTable::holding, 2, Type::float32),
                          signal("zero", ModbusTable::holding, 4, Type::float32)}),
               plc.url());
  link.scan(10);
  REQUIRE(link.notes.size() == 1);
  CHECK(link.notes[0].find("turned: expected a float32, got ") == 0);
  CHECK(link.notes[0].find("as cdab it is 21.5: `order: cdab`") != std::string::npos);
}

}  // namespace
}  // namespace tandem::generic
