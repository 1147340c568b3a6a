// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/machines/cable_robot/virtual/winches.hpp"
#include "tandem/protocols/modbus/server_session.hpp"
#include "tests/allocations.hpp"
#include "tests/machines/cable_robot/device/winch_words.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::test;

namespace {

using modbus::ExceptionCode;
using modbus::WordKind;

// The winches as a session asks them; time stands until it is moved.
struct WinchesRig {
  std::optional<ExceptionCode> write(std::uint16_t address, const Words& values) {
    return exception_of(modbus::answer_of(winches, modbus::WriteRegisters{address, modbus::Registers(values)}));
  }
  std::optional<ExceptionCode> coil(std::uint16_t address, bool value) {
    return exception_of(modbus::answer_of(winches, modbus::WriteCoil{address, value}));
  }
  Words read(std::uint16_t address, std::uint16_t count, WordKind kind = WordKind::holding) {
    const auto answer = modbus::answer_of(winches, modbus::ReadRegisters{kind, address, count});
    const auto* values = std::get_if<modbus::RegistersRead>(&answer);
    if (values == nullptr) return {};
    return Words(values->values.span().begin(), values->values.span().end());
  }
  std::optional<bool> bit(modbus::BitKind kind, std::uint16_t address) {
    const auto answer = modbus::answer_of(winches, modbus::ReadBits{kind, address, 1});
    const auto* values = std::get_if<modbus::BitsRead>(&answer);
    return values == nullptr ? std::nullopt : std::optional(values->values[0]);
  }
  static std::optional<ExceptionCode> exception_of(const modbus::Answer& answer) {
    const auto* exception = std::get_if<modbus::Exception>(&answer);
    return exception == nullptr ? std::nullopt : std::optional(exception->code);
  }
  Words feedback() { return read(200, 64); }
  void enable() {
    REQUIRE_FALSE(write(0, stay_words(feedback(), ++counter, 0)));
    REQUIRE_FALSE(write(0, stay_words(feedback(), ++counter, 0xff)));
    REQUIRE(feedback()[2] == 0xff);
  }
  void wait(Duration duration) {
    for (Duration waited{0}; waited < duration; waited += 10ms) {
      clock.advance(10ms);
      winches.advance();
    }
  }

  ManualClock clock;
  WinchFaults faults;
  VirtualWinches winches{cables::Robot::standard(), {}, clock, &faults};
  std::uint16_t counter = 0;
};

}  // namespace

TEST_CASE("The head of the feedback tells of eight winches that are ready") {
  WinchesRig rig;
  const Words head = rig.read(200, 8);
  REQUIRE(head.size() == 8);
  CHECK(head[1] == 1);  // ready
  CHECK(head[2] == 0);
  CHECK(head[3] == 0);
  CHECK(head[4] == 0);  // hold
  CHECK(head[5] == 8);
  CHECK(head[7] == 1);
  rig.wait(50ms);
  CHECK(rig.read(206, 1).at(0) == head[6] + 50);
}

TEST_CASE("Lengths and tensions are raw numbers of the published units") {
  WinchesRig rig;
  const Words all = rig.feedback();
  const cables::Design design = cables::default_design();
  double lift = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    const double length = value_at(all, 8 + 7 * i) / 1e7, tension = value_at(all, 12 + 7 * i) / 1e3;
    const Eigen::Vector3d way = design.cables[i].frame - design.home - design.cables[i].platform;
    CHECK(length * (1 + tension / 5e4) == doctest::Approx(way.norm()).epsilon(1e-6));
    CHECK(value_at(all, 10 + 7 * i) == 0);
    CHECK(all[14 + 7 * i] == 2);  // brake closed
    lift += tension * way.normalized().z();
  }
  CHECK(lift == doctest::Approx(9.81).epsilon(1e-3));
}

TEST_CASE("Input registers are the feedback once more") {
  WinchesRig rig;
  rig.wait(20ms);
  CHECK(rig.read(0, 64, WordKind::input) == rig.feedback());
  CHECK(rig.read(60, 4, WordKind::input) == rig.read(260, 4));
  CHECK(rig.read(60, 5, WordKind::input).empty());
}

TEST_CASE("A command is taken whole and read back") {
  WinchesRig rig;
  Words words = stay_words(rig.feedback(), 7, 0);
  put_value(words, 4 + 6 * 3 + 2, -25000);
  put_value(words, 4 + 6 * 3 + 4, 31500);
  REQUIRE_FALSE(rig.write(0, words));
  CHECK(rig.read(0, 52) == words);
  CHECK(rig.read(200, 1).at(0) == 7);
}

TEST_CASE("Less or more than the whole command is refused") {
  WinchesRig rig;
  const Words words = stay_words(rig.feedback(), 9, 0);
  for (std::size_t start = 0; start < words.size(); ++start) {
    for (std::size_t count = 1; start + count <= words.size(); count += 3) {
      if (count == words.size()) continue;
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(start);
      const Words part(first, first + static_cast<std::ptrdiff_t>(count));
      CHECK(rig.write(static_cast<std::uint16_t>(start), part) == ExceptionCode::illegal_address);
    }
  }
  Words longer = words;
  longer.push_back(0);
  CHECK(rig.write(0, longer) == ExceptionCode::illegal_address);
  const auto single = modbus::answer_of(rig.winches, modbus::WriteRegister{0, 9});
  CHECK(WinchesRig::exception_of(single) == ExceptionCode::illegal_address);
  const auto masked = modbus::answer_of(rig.winches, modbus::MaskWriteRegister{2, 0, 0xff});
  CHECK(WinchesRig::exception_of(masked) == ExceptionCode::illegal_address);
  CHECK(rig.read(200, 1).at(0) == 0);
}

TEST_CASE("A command with a value that cannot be changes nothing") {
  WinchesRig rig;
  rig.enable();
  const Words good = stay_words(rig.feedback(), 100, 0xff);
  const auto refused = [&](std::size_t at, std::uint16_t word) {
    Words bad = good;
    bad[at] = word;
    return rig.write(0, bad) == ExceptionCode::illegal_value && rig.read(200, 1).at(0) == rig.counter;
  };
  CHECK(refused(1, 3));       // no such mode
  CHECK(refused(2, 0x1ff));   // no such winch
  CHECK(refused(3, 1));       // spare
  CHECK(refused(4, 0));       // below 0.02 m: high word of the length
  CHECK(refused(4, 0x0200));  // 3.4 m
  CHECK(refused(4, 0x8000));
  CHECK(refused(6, 0x0010));  // 1.05 m/s
  CHECK(refused(6, 0xffe0));  // -2.1 m/s
  Words pull = good;
  pull[1] = 2;
  put_value(pull, 8, 150001);
  CHECK(rig.write(0, pull) == ExceptionCode::illegal_value);
  put_value(pull, 8, -1000);
  CHECK(rig.write(0, pull) == ExceptionCode::illegal_value);
  CHECK_FALSE(rig.write(0, good));
}

TEST_CASE("What no winch acts on is not looked at") {
  WinchesRig rig;
  Words nothing(52);
  nothing[0] = 5;
  CHECK_FALSE(rig.write(0, nothing));  // hold with zeros
  nothing[1] = 1;
  CHECK_FALSE(rig.write(0, nothing));  // lengths of winches that are not enabled
}

TEST_CASE("Function 23 writes the command and reads the feedback that it made") {
  WinchesRig rig;
  const Words words = stay_words(rig.feedback(), 42, 0);
  const auto answer = modbus::answer_of(rig.winches, modbus::ReadWriteRegisters{200, 8, 0, modbus::Registers(words)});
  const auto* exchanged = std::get_if<modbus::RegistersExchanged>(&answer);
  REQUIRE(exchanged != nullptr);
  CHECK(exchanged->values[0] == 42);
}

TEST_CASE("Feedback cannot be written and what is between the blocks is not there") {
  WinchesRig rig;
  CHECK(rig.write(200, {1}) == ExceptionCode::illegal_address);
  CHECK(rig.write(263, {1}) == ExceptionCode::illegal_address);
  for (const std::uint16_t address : std::initializer_list<std::uint16_t>{52, 199, 264, 399, 416, 599, 700, 65535}) {
    CAPTURE(address);
    CHECK(rig.read(address, 1).empty());
    CHECK(rig.write(address, {1}) == ExceptionCode::illegal_address);
  }
  CHECK(rig.read(199, 2).empty());
  CHECK(rig.read(0, 53).empty());
}

TEST_CASE("Limits are told and changed by whole values while nothing is enabled") {
  WinchesRig rig;
  Words limits = rig.read(400, 16);
  REQUIRE(limits.size() == 16);
  CHECK(value_at(limits, 0) == 200000);    // 0.02 m
  CHECK(value_at(limits, 2) == 20000000);  // 2 m
  CHECK(value_at(limits, 4) == 1000000);   // 1 m/s
  CHECK(value_at(limits, 6) == 20000000);  // 20 m/s^2
  CHECK(value_at(limits, 8) == 1000);      // 1 N
  CHECK(value_at(limits, 10) == 150000);   // 150 N
  CHECK(value_at(limits, 12) == 200000);   // 0.02 m
  CHECK(value_at(limits, 14) == 100);      // ms
  put_value(limits, 14, 250);
  CHECK_FALSE(rig.write(400, limits));
  CHECK(rig.winches.station().limits().watchdog == doctest::Approx(0.25));
  CHECK_FALSE(rig.write(410, {0x0001, 0x0000}));  // 65.536 N
  CHECK(rig.winches.station().limits().most_tension == doctest::Approx(65.536));
  CHECK(rig.write(410, {0x0001}) == ExceptionCode::illegal_address);
  CHECK(rig.write(411, {0, 0}) == ExceptionCode::illegal_address);
  CHECK(rig.write(400, {0x7fff, 0xffff}) == ExceptionCode::illegal_value);  // shortest above longest
  CHECK(rig.write(414, {0, 0}) == ExceptionCode::illegal_value);            // no watchdog
  CHECK(rig.write(404, {0xffff, 0}) == ExceptionCode::illegal_value);
  rig.enable();
  CHECK(rig.write(410, {0x0002, 0x0000}) == ExceptionCode::busy);
  CHECK(rig.winches.station().limits().most_tension == doctest::Approx(65.536));
}

TEST_CASE("Coils stop and reset and discrete inputs tell of them") {
  WinchesRig rig;
  rig.enable();
  CHECK_FALSE(rig.coil(1, true));
  CHECK(rig.feedback()[2] == 0);
  CHECK(rig.bit(modbus::BitKind::coil, 1) == true);
  CHECK(rig.bit(modbus::BitKind::discrete_input, 1) == true);
  CHECK(rig.bit(modbus::BitKind::discrete_input, 0) == false);
  CHECK(rig.bit(modbus::BitKind::coil, 2) == std::nullopt);
  CHECK(rig.coil(2, true) == ExceptionCode::illegal_address);
  CHECK_FALSE(rig.coil(1, false));
  rig.enable();
  rig.wait(200ms);
  CHECK((rig.feedback()[1] & 8) != 0);  // watchdog
  CHECK_FALSE(rig.coil(0, true));
  CHECK((rig.feedback()[1] & 8) == 0);
  CHECK_FALSE(rig.coil(0, false));
}

TEST_CASE("The watchdog holds a platform that was moving") {
  WinchesRig rig;
  REQUIRE_FALSE(rig.write(414, {0, 30}));  // ms
  rig.enable();
  Words words = stay_words(rig.feedback(), ++rig.counter, 0xff);
  for (std::size_t i = 0; i < 8; ++i)  // all along: cables at the floor pull, the others give
    put_value(words, 4 + 6 * i, value_at(words, 4 + 6 * i) + (i < 4 ? 1000000 : -1000000));
  REQUIRE_FALSE(rig.write(0, words));
  rig.wait(20ms);
  CHECK(rig.winches.truth().velocity[2] < -0.05);
  rig.wait(500ms);
  const Words after = rig.feedback();
  CHECK(after[1] == 8);  // watchdog, not ready
  CHECK(after[2] == 0);
  CHECK(after[4] == 0);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(value_at(after, 10 + 7 * i) == 0);
    CHECK((after[14 + 7 * i] & 2) != 0);
  }
  CHECK(std::abs(rig.winches.truth().velocity[2]) < 1e-3);
  CHECK(rig.winches.truth().position[2] > 0.25);  // of 0.3 on the way to 0.17
}

TEST_CASE("Where the platform really is stands in input registers from 1000 on") {
  WinchesRig rig;
  rig.wait(20ms);
  const Words words = rig.read(1000, 30, WordKind::input);
  REQUIRE(words.size() == 30);
  CHECK(value_at(words, 4) == doctest::Approx(3000000).epsilon(1e-5));  // 0.3 m
  CHECK(value_at(words, 12) == doctest::Approx(1000000000).epsilon(1e-6));
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(value_at(words, 14 + 2 * i) == doctest::Approx(rig.winches.truth().tensions[i] * 1000).epsilon(1e-4));
  CHECK(rig.read(1000, 31, WordKind::input).empty());
  CHECK(rig.read(1000, 1).empty());  // not among the holding registers
}

TEST_CASE("Scratch memory keeps what is written") {
  WinchesRig rig;
  CHECK_FALSE(rig.write(600, {1, 2, 3}));
  const auto masked = modbus::answer_of(rig.winches, modbus::MaskWriteRegister{601, 0, 0xabcd});
  CHECK_FALSE(WinchesRig::exception_of(masked));
  CHECK(rig.read(600, 3) == Words{1, 0xabcd, 3});
  CHECK(rig.write(699, {1, 2}) == ExceptionCode::illegal_address);
}

TEST_CASE("The device says who it is and how it is") {
  WinchesRig rig;
  std::uint8_t status = 0xff;
  CHECK_FALSE(rig.winches.exception_status(status));
  CHECK(status == 0);
  rig.enable();
  CHECK_FALSE(rig.winches.exception_status(status));
  CHECK(status == 0b1100);
  CHECK_FALSE(rig.coil(1, true));
  rig.faults.cut = 0xff;
  rig.wait(1s);
  CHECK_FALSE(rig.winches.exception_status(status));
  CHECK(status == 0b1110000);  // stopped, slack, on the floor
  CHECK(rig.winches.identification(0) == "Tandem");
  CHECK(rig.winches.identification(1) == "cable_robot");
  CHECK(rig.winches.unit(77) == modbus::Device::UnitAnswer::serve);
  modbus::Octets id;
  CHECK_FALSE(rig.winches.server_id(id));
  CHECK(id[1] == 0xff);
}

TEST_CASE("Time that the host held up is lost and not made up") {
  WinchesRig rig;
  rig.enable();
  const std::uint16_t beat = rig.feedback()[6];
  rig.clock.advance(10s);
  const Words after = rig.feedback();
  CHECK(after[6] == static_cast<std::uint16_t>(beat + 50));
  CHECK((after[1] & 8) == 0);  // which may wait longer
}

TEST_CASE("Frozen feedback and a frozen beat are what they are called") {
  WinchesRig rig;
  rig.faults.beat_frozen = true;
  rig.faults.feedback_frozen = true;
  const Words before = rig.feedback();
  rig.faults.cut = 1;
  rig.wait(50ms);
  CHECK(rig.feedback() == before);
}

TEST_CASE("Warm cycles and requests allocate nothing") {
  WinchesRig rig;
  rig.enable();
  const Words words = stay_words(rig.feedback(), 500, 0xff);
  const modbus::Request write = modbus::WriteRegisters{0, modbus::Registers(words)};
  const modbus::Request read = modbus::ReadRegisters{WordKind::holding, 200, 64};
  const auto exchange = [&] {
    rig.clock.advance(2ms);
    static_cast<void>(modbus::answer_of(rig.winches, write));
    static_cast<void>(modbus::answer_of(rig.winches, read));
  };
  for (int i = 0; i < 5; ++i) exchange();
  const std::size_t before = allocations;
  for (int i = 0; i < 50; ++i) exchange();
  CHECK(allocations == before);
}
