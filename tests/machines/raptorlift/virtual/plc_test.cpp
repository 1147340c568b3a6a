// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "tandem/machines/raptorlift/virtual/body.hpp"
#include "tandem/machines/raptorlift/virtual/plant.hpp"
#include "tandem/machines/raptorlift/virtual/plc.hpp"
#include "tandem/protocols/modbus/server_session.hpp"
#include "tests/allocations.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

using Words = std::vector<std::uint16_t>;

// The PLC with the plain plant behind it, asked as a session asks it; time stands until it is moved.
struct PlcRig {
  explicit PlcRig(const Description& description = {}, const VirtualProgram::Setup& program = {})
      : PlcRig(std::make_unique<VirtualPlant>(description.geometry, 0.002), description, program) {}
  explicit PlcRig(std::unique_ptr<VirtualTruck> truck, const Description& description = {},
                  const VirtualProgram::Setup& program = {})
      : plc(description, program, std::move(truck), clock, &faults) {}

  std::optional<modbus::ExceptionCode> write(std::uint16_t address, const Words& values) {
    return exception_of(modbus::answer_of(plc, modbus::WriteRegisters{address, modbus::Registers(values)}));
  }
  std::optional<modbus::ExceptionCode> coil(std::uint16_t address, bool value) {
    return exception_of(modbus::answer_of(plc, modbus::WriteCoil{address, value}));
  }
  Words read(std::uint16_t address, std::uint16_t count, modbus::WordKind kind = modbus::WordKind::holding) {
    const auto answer = modbus::answer_of(plc, modbus::ReadRegisters{kind, address, count});
    const auto* values = std::get_if<modbus::RegistersRead>(&answer);
    if (values == nullptr) return {};
    return Words(values->values.span().begin(), values->values.span().end());
  }
  std::vector<bool> bits(std::uint16_t address, std::uint16_t count, modbus::BitKind kind = modbus::BitKind::coil) {
    const auto answer = modbus::answer_of(plc, modbus::ReadBits{kind, address, count});
    const auto* values = std::get_if<modbus::BitsRead>(&answer);
    std::vector<bool> all;
    for (std::size_t i = 0; values != nullptr && i < count; ++i) all.push_back(values->values[i]);
    return all;
  }
  static std::optional<modbus::ExceptionCode> exception_of(const modbus::Answer& answer) {
    const auto* exception = std::get_if<modbus::Exception>(&answer);
    return exception == nullptr ? std::nullopt : std::optional(exception->code);
  }
  // A 32-bit value whose low register stands first, as the document has it.
  static std::int32_t low_first(const Words& words, std::size_t at) {
    return static_cast<std::int32_t>(words[at] | (std::uint32_t{words[at + 1]} << 16));
  }
  void enable_all() {
    for (std::uint16_t m = 1; m <= 4; ++m) REQUIRE_FALSE(coil(static_cast<std::uint16_t>(8192 + m), true));
  }
  void wait(Duration duration) {
    for (Duration waited{0}; waited < duration; waited += 10ms) {
      clock.advance(10ms);
      plc.advance();
    }
  }

  ManualClock clock;
  PlcFaults faults;
  VirtualPlc plc;
};

// 10 N m on both driven wheels, forward: 100 raw, the left motor the other way round; limit 6 rad/s.
Words forward_words() {
  Words words(16);
  words[0] = words[4] = 60000;
  words[2] = 100;
  words[6] = static_cast<std::uint16_t>(-100);
  words[7] = 0xffff;
  return words;
}

}  // namespace

TEST_CASE("Raw commands drive the wheels and feedback tells of it in the motors directions") {
  PlcRig rig;
  REQUIRE_FALSE(rig.write(0, forward_words()));
  rig.enable_all();
  for (int i = 0; i < 50; ++i) {
    REQUIRE_FALSE(rig.write(0, forward_words()));
    rig.wait(20ms);
  }
  // 10 N m against a damping of 1 N m s/rad would be 10 rad/s; the limit of 6 holds it at 6 and a little.
  const Words feedback = rig.read(16, 8);
  REQUIRE(feedback.size() == 8);
  CHECK(PlcRig::low_first(feedback, 0) > 60000);
  CHECK(PlcRig::low_first(feedback, 0) < 63000);
  CHECK(PlcRig::low_first(feedback, 2) == -PlcRig::low_first(feedback, 0));
  CHECK(PlcRig::low_first(feedback, 4) == 0);
  CHECK(rig.plc.truth().axle.x > 0.5);
  CHECK(std::abs(rig.plc.truth().axle.yaw) < 1e-9);
}

TEST_CASE("A positive raw steering torque on the right turns the wheel to the left and the truck to the right") {
  PlcRig rig;
  Words words(16);
  words[10] = 20;  // 2 N m on the rear right motor, direction 1; the joint counts the other way round
  words[14] = static_cast<std::uint16_t>(-20);
  words[15] = 0xffff;
  REQUIRE_FALSE(rig.write(0, words));
  rig.enable_all();
  rig.wait(200ms);
  const Words feedback = rig.read(16, 8);
  CHECK(PlcRig::low_first(feedback, 4) > 100);
  CHECK(PlcRig::low_first(feedback, 6) == -PlcRig::low_first(feedback, 4));
  CHECK(rig.plc.truth().angles[2] < -0.01);
  CHECK(rig.plc.truth().angles[3] == doctest::Approx(rig.plc.truth().angles[2]));
}

TEST_CASE("A bridge that dies leaves a truck that brakes and stands") {
  PlcRig rig;
  rig.enable_all();
  for (int i = 0; i < 50; ++i) {
    REQUIRE_FALSE(rig.write(0, forward_words()));
    rig.wait(20ms);
  }
  REQUIRE(rig.plc.truth().twist.vx > 0.5);
  rig.wait(470ms);
  CHECK(rig.bits(8192, 5) == std::vector<bool>{false, true, true, true, true});
  rig.wait(40ms);
  CHECK(rig.bits(8192, 5) == std::vector<bool>(5, false));
  CHECK(rig.bits(0, 8, modbus::BitKind::discrete_input)[0]);
  CHECK(rig.bits(0, 8, modbus::BitKind::discrete_input)[5]);
  CHECK(rig.read(0, 16) == Words(16, 0));
  rig.wait(500ms);
  CHECK(std::abs(rig.plc.truth().twist.vx) < 1e-3);

  // It comes back: nothing moves until reset and enables have been given again.
  const double stood = rig.plc.truth().axle.x;
  for (int i = 0; i < 20; ++i) {
    REQUIRE_FALSE(rig.write(0, forward_words()));
    rig.enable_all();
    rig.wait(20ms);
  }
  CHECK(rig.plc.truth().axle.x == doctest::Approx(stood).epsilon(1e-4));
  REQUIRE_FALSE(rig.coil(8192, true));
  REQUIRE_FALSE(rig.coil(8192, false));
  rig.wait(100ms);
  CHECK(rig.plc.truth().axle.x == doctest::Approx(stood).epsilon(1e-4));
  REQUIRE_FALSE(rig.write(0, forward_words()));
  rig.enable_all();
  rig.wait(200ms);
  CHECK(rig.plc.truth().axle.x > stood + 0.05);
}

TEST_CASE("Coils answer at zero and at their base and nowhere else") {
  PlcRig rig;
  REQUIRE_FALSE(rig.coil(2, true));
  CHECK(rig.bits(0, 5) == std::vector<bool>{false, false, true, false, false});
  CHECK(rig.bits(8192, 5) == rig.bits(0, 5));
  CHECK(rig.bits(1, 4, modbus::BitKind::discrete_input) == std::vector<bool>{false, true, false, false});
  CHECK(rig.coil(5, true) == modbus::ExceptionCode::illegal_address);
  CHECK(rig.coil(8191, true) == modbus::ExceptionCode::illegal_address);
  CHECK(rig.coil(8197, true) == modbus::ExceptionCode::illegal_address);
  CHECK(rig.bits(3, 3).empty());
  CHECK(rig.bits(8190, 5).empty());
  CHECK(rig.bits(65535, 1).empty());
}

TEST_CASE("Feedback and the PLCs heartbeat cannot be written and memory has an end") {
  PlcRig rig;
  const auto refused = modbus::ExceptionCode::illegal_address;
  for (std::uint16_t address = 16; address <= 23; ++address) CHECK(rig.write(address, {1}) == refused);
  CHECK(rig.write(25, {1}) == refused);
  CHECK(rig.write(0, Words(17, 1)) == refused);
  CHECK(rig.read(0, 16) == Words(16, 0));
  CHECK(rig.write(24, {1, 1}) == refused);
  CHECK_FALSE(rig.write(24, {7}));
  CHECK_FALSE(rig.write(26, Words(102, 5)));
  CHECK(rig.write(27, Words(102, 5)) == refused);
  CHECK(rig.read(24, 4)[0] == 7);
  CHECK(rig.read(24, 4)[3] == 5);
  CHECK(rig.read(128, 1).empty());
  CHECK(rig.read(4, 125).empty());
  CHECK(rig.read(3, 125).size() == 125);
}

TEST_CASE("Input registers mirror the map and tell the truth") {
  PlcRig rig;
  REQUIRE_FALSE(rig.write(0, forward_words()));
  rig.enable_all();
  rig.wait(400ms);
  CHECK(rig.read(0, 26, modbus::WordKind::input) == rig.read(0, 26));
  CHECK(rig.read(0, 27, modbus::WordKind::input).empty());
  const Words truth = rig.read(1000, 20, modbus::WordKind::input);
  REQUIRE(truth.size() == 20);
  CHECK(PlcRig::low_first(truth, 0) / 1e5 == doctest::Approx(rig.plc.truth().axle.x).epsilon(1e-3));
  CHECK(PlcRig::low_first(truth, 6) / 1e5 == doctest::Approx(rig.plc.truth().twist.vx).epsilon(1e-3));
  CHECK(PlcRig::low_first(truth, 16) / 1e5 == doctest::Approx(rig.plc.truth().angles[0]).epsilon(1e-3));
  CHECK(rig.read(1000, 21, modbus::WordKind::input).empty());
  CHECK(rig.read(999, 2, modbus::WordKind::input).empty());
}

TEST_CASE("Word orders and scales of the description hold on the wire") {
  Description description;
  description.plc.word_order = "abcd";
  description.plc.scales.torque = 1;
  description.plc.scales.speed_limit = 100000;
  description.plc.motor_directions = {1, 1, 1, 1};
  PlcRig rig(description);
  Words words(16);
  words[0] = words[4] = 9;  // 589824 raw, 5.9 rad/s
  words[3] = words[7] = 10;
  REQUIRE_FALSE(rig.write(0, words));
  CHECK(rig.plc.program().commands().speed_limits[0] == doctest::Approx(5.89824));
  CHECK(rig.plc.program().commands().torques == Axes{10, 10, 0, 0});
  rig.enable_all();
  rig.wait(300ms);
  const Words feedback = rig.read(16, 8);
  const double speed = static_cast<std::int32_t>((std::uint32_t{feedback[0]} << 16) | feedback[1]) / 1e4;
  CHECK(speed == doctest::Approx(rig.plc.truth().speeds[0]).epsilon(1e-3));
  CHECK(speed > 5);
}

TEST_CASE("The PLCs heartbeat counts and the bridges heartbeat keeps it running") {
  PlcRig rig;
  const std::uint16_t before = rig.read(25, 1)[0];
  rig.wait(1s);
  CHECK(rig.read(25, 1)[0] == before + 100);
  rig.enable_all();
  for (std::uint16_t beat = 1; beat <= 10; ++beat) {
    REQUIRE_FALSE(rig.write(24, {beat}));
    rig.wait(200ms);
  }
  CHECK(rig.plc.program().any_enabled());
  // The same value again is no heartbeat.
  for (int i = 0; i < 5; ++i) {
    REQUIRE_FALSE(rig.write(24, {10}));
    rig.wait(100ms);
  }
  CHECK_FALSE(rig.plc.program().any_enabled());
  rig.faults.heartbeat_frozen = true;
  const std::uint16_t frozen = rig.read(25, 1)[0];
  rig.wait(100ms);
  CHECK(rig.read(25, 1)[0] == frozen);
}

TEST_CASE("A PLC that was held up does not blame its client") {
  PlcRig rig;
  rig.enable_all();
  REQUIRE_FALSE(rig.write(0, forward_words()));
  rig.clock.advance(5s);
  REQUIRE_FALSE(rig.write(0, forward_words()));
  CHECK(rig.plc.program().any_enabled());
}

TEST_CASE("The PLC says what it is and how it is") {
  PlcRig rig;
  const auto status = [&] {
    return std::get<modbus::ExceptionStatus>(modbus::answer_of(rig.plc, modbus::ReadExceptionStatus{})).status;
  };
  CHECK(status() == 0);
  rig.enable_all();
  CHECK(status() == 0b0001'1110);
  rig.wait(600ms);
  CHECK(status() == 0b0010'0001);
  const auto id = std::get<modbus::ServerId>(modbus::answer_of(rig.plc, modbus::ReportServerId{}));
  CHECK(id.running());
  const auto who = std::get<modbus::Identification>(modbus::answer_of(rig.plc, modbus::ReadIdentification{}));
  REQUIRE(who.list().size() == 3);
  CHECK(who.list()[1].text == "RaptorLift");
}

TEST_CASE("Torn values mix two samples") {
  PlcRig rig;
  rig.enable_all();
  rig.faults.next(PlcFaults::torn_values);
  static_cast<void>(rig.read(16, 8));
  REQUIRE_FALSE(rig.write(0, forward_words()));
  rig.wait(100ms);
  // The left motor counts backwards: its high word was 0 and is 0xffff now.
  const Words torn = rig.read(16, 8);
  CHECK(rig.faults.happened(PlcFaults::torn_values) == 1);
  CHECK(torn[3] == 0);
  CHECK(PlcRig::low_first(torn, 2) > 0);
  CHECK(PlcRig::low_first(rig.read(16, 8), 2) < 0);
}

TEST_CASE("The PLCs own faults do what they say") {
  PlcRig rig;
  rig.faults.refused_coil = 2;
  CHECK_FALSE(rig.coil(8193, true));
  CHECK(rig.coil(8194, true) == modbus::ExceptionCode::device_failure);
  CHECK(rig.bits(0, 5) == std::vector<bool>{false, true, false, false, false});
  rig.faults.refused_coil = -1;
  rig.enable_all();
  REQUIRE_FALSE(rig.write(0, forward_words()));
  rig.wait(100ms);
  rig.faults.feedback_frozen = true;
  const Words frozen = rig.read(16, 8);
  rig.wait(50ms);
  CHECK(rig.read(16, 8) == frozen);
  rig.faults.feedback_frozen = false;
  CHECK(rig.read(16, 8) != frozen);
  rig.faults.feedback_wild = true;
  CHECK(rig.read(16, 8) == Words(8, 0x7fff));
  rig.plc.restart();
  CHECK(rig.bits(0, 5) == std::vector<bool>(5, false));
  CHECK(rig.read(0, 16) == Words(16, 0));
}

TEST_CASE("A cycle of the PLC allocates nothing") {
  PlcRig rig;
  rig.enable_all();
  const Words words = forward_words();
  std::array<std::uint16_t, 8> feedback{};
  std::size_t before = 0;
  for (int i = 0; i < 200; ++i) {
    if (i == 20) before = allocations;
    rig.clock.advance(10ms);
    static_cast<void>(rig.plc.write(std::uint16_t{0}, std::span<const std::uint16_t>(words)));
    static_cast<void>(rig.plc.read(modbus::WordKind::holding, 16, feedback));
  }
  CHECK(allocations == before);
}

TEST_CASE("The physics of a truck at rest sleeps while the PLC answers and counts on") {
  PlcRig rig(std::make_unique<Body>());
  rig.wait(5s);
  REQUIRE(rig.plc.asleep());
  const TruckState before = rig.plc.truth();
  const Words feedback = rig.read(16, 8);
  const Words beat = rig.read(25, 1);
  rig.wait(10s);
  CHECK(rig.plc.asleep());
  const TruckState after = rig.plc.truth();
  CHECK(after.angles == before.angles);
  CHECK(after.speeds == before.speeds);
  CHECK(after.axle.x == before.axle.x);
  CHECK(after.axle.y == before.axle.y);
  CHECK(after.axle.yaw == before.axle.yaw);
  CHECK(after.distance == before.distance);
  CHECK(rig.read(16, 8) == feedback);
  CHECK(rig.read(25, 1)[0] - beat[0] == 1000);  // one every 10 ms
  CHECK(rig.bits(6, 1, modbus::BitKind::discrete_input) == std::vector{false});
}

TEST_CASE("A command wakes the physics before its next step and a restart wakes it too") {
  PlcRig rig(std::make_unique<Body>());
  rig.wait(5s);
  REQUIRE(rig.plc.asleep());
  rig.plc.restart();
  CHECK_FALSE(rig.plc.asleep());
  rig.wait(5s);
  REQUIRE(rig.plc.asleep());
  REQUIRE_FALSE(rig.write(0, forward_words()));
  CHECK_FALSE(rig.plc.asleep());
  rig.enable_all();
  const double before = rig.plc.truth().speeds[0];
  rig.clock.advance(2ms);
  rig.plc.advance();
  CHECK(rig.plc.truth().speeds[0] > before + 1e-3);  // 10 N m for 2 ms
}

TEST_CASE("A truck that has slept drives as one that was kept awake and its path has no jump") {
  PlcRig slept(std::make_unique<Body>()), awake(std::make_unique<Body>());
  slept.wait(20s);
  for (int i = 0; i < 40; ++i) {
    awake.wait(500ms);
    REQUIRE_FALSE(awake.coil(8192, false));  // M0 is low already: nothing but a wake-up
  }
  REQUIRE(slept.plc.asleep());
  REQUIRE_FALSE(awake.plc.asleep());
  const TruckState start = slept.plc.truth();
  double farthest = 0;
  for (PlcRig* rig : {&slept, &awake}) {
    REQUIRE_FALSE(rig->write(0, forward_words()));
    rig->enable_all();
    for (int i = 0; i < 100; ++i) {
      const double x = rig->plc.truth().axle.x;
      REQUIRE_FALSE(rig->write(0, forward_words()));
      rig->wait(10ms);
      farthest = std::max(farthest, std::abs(rig->plc.truth().axle.x - x));
    }
  }
  const TruckState a = slept.plc.truth(), b = awake.plc.truth();
  CHECK(a.axle.x - start.axle.x > 0.05);  // m: it has driven
  CHECK(std::abs(a.axle.x - b.axle.x) < 1e-4);
  CHECK(std::abs(a.axle.y - b.axle.y) < 1e-4);
  CHECK(std::abs(a.speeds[0] - b.speeds[0]) < 1e-3);
  CHECK(farthest < 0.02);  // m in 10 ms
}

TEST_CASE("A truck that rolls or is braked does not sleep") {
  PlcRig rig(std::make_unique<Body>());
  REQUIRE_FALSE(rig.write(0, forward_words()));
  rig.enable_all();
  for (int i = 0; i < 50; ++i) {
    REQUIRE_FALSE(rig.write(0, forward_words()));
    rig.wait(20ms);
  }
  for (std::uint16_t m = 1; m <= 4; ++m) REQUIRE_FALSE(rig.coil(static_cast<std::uint16_t>(8192 + m), false));
  double x = rig.plc.truth().axle.x;
  while (std::abs(rig.plc.truth().twist.vx) > 1e-3) {
    REQUIRE_FALSE(rig.plc.asleep());
    rig.wait(100ms);
    REQUIRE(rig.plc.truth().axle.x > x);
    x = rig.plc.truth().axle.x;
  }
}
