// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/description.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tandem/machines/raptorlift/control/machine_options.hpp"
#include "tandem/machines/raptorlift/options.hpp"

namespace lift = tandem::raptorlift;
using tandem::machines::Option;
using tandem::machines::OptionKind;
using tandem::machines::Options;

namespace {

std::vector<double> numbers_in(std::string_view text) {
  std::string plain(text);
  for (char& c : plain)
    if (c == '[' || c == ']' || c == ',') c = ' ';
  std::istringstream in(plain);
  std::vector<double> numbers;
  for (double number; in >> number;) numbers.push_back(number);
  return numbers;
}

// Every key at its default, as the runtime would hand it over.
Options defaults() {
  Options options;
  for (const Option& option : lift::bridge_options()) {
    const std::string text(option.default_value);
    if (option.kind == OptionKind::number) options.put(option.name, std::stod(text));
    if (option.kind == OptionKind::flag) options.put(option.name, text == "true");
    if (option.kind == OptionKind::numbers) options.put(option.name, numbers_in(text));
    if (option.kind == OptionKind::text || option.kind == OptionKind::choice) options.put(option.name, text);
  }
  return options;
}

std::string refusal(const Options& options) {
  try {
    lift::description_from(options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("the command registers are those of the document") {
  // Seed 002: D0 speed limit, D2 torque of FR; D4, D6 FL; D8 position, D10 torque of RR; D12, D14 RL.
  const auto rows = lift::command_registers({});
  const std::array<double, 4> signs = {1, -1, -1, 1};  // motor directions, and the rear axle turned round
  for (std::size_t axis = 0; axis < 4; ++axis) {
    CAPTURE(axis);
    CHECK(rows[axis].target.address == 4 * axis);
    CHECK(rows[axis].torque.address == 4 * axis + 2);
    CHECK(rows[axis].torque.scale == 10);
    CHECK(rows[axis].torque.sign == signs[axis]);
    CHECK(rows[axis].torque.is_signed);
    CHECK(rows[axis].target.scale == 10000);
    CHECK(rows[axis].torque.highest == (axis < 2 ? 150 : 100));
  }
  for (const std::size_t axis : {0U, 1U}) {
    CHECK_FALSE(rows[axis].target.is_signed);
    CHECK(rows[axis].target.sign == 1);
    CHECK(rows[axis].target.lowest == 0);
    CHECK(rows[axis].target.unit == "rad/s");
  }
  for (const std::size_t axis : {2U, 3U}) {
    CHECK(rows[axis].target.is_signed);
    CHECK(rows[axis].target.sign == signs[axis]);
    CHECK(rows[axis].target.lowest == -0.7);
    CHECK(rows[axis].target.unit == "rad");
  }
}

TEST_CASE("a stronger brake than the drive still fits its register") {
  lift::Description strong;
  strong.plc.brake_torque = 3000;  // raw, as the original program
  CHECK(lift::command_registers(strong)[0].torque.highest == 300);
  CHECK(lift::command_registers(strong)[1].torque.lowest == -300);
  CHECK(lift::command_registers(strong)[2].torque.highest == 100);
}

TEST_CASE("feedback comes back through the same signs") {
  for (const bool flip : {true, false}) {
    lift::Description description;
    description.plc.flip_steering = flip;
    const auto commands = lift::command_registers(description);
    const auto feedback = lift::feedback_registers(description);
    for (std::size_t axis = 0; axis < 4; ++axis) {
      CHECK(feedback[axis].address == 16 + 2 * axis);
      CHECK(feedback[axis].scale == 10000);
      CHECK(feedback[axis].sign == commands[axis].torque.sign);
      CHECK(feedback[axis].is_signed);
    }
    CHECK(feedback[2].sign == (flip ? -1 : 1));
  }
}

TEST_CASE("no two values share a register and all fit in 32 bits") {
  std::set<std::uint16_t> taken;
  const auto take = [&](const lift::Register& row) {
    CHECK(taken.insert(row.address).second);
    CHECK(taken.insert(static_cast<std::uint16_t>(row.address + 1)).second);
    CHECK(row.highest * row.scale < (row.is_signed ? 2147483647.0 : 4294967295.0));
    CHECK(row.lowest <= row.highest);
  };
  for (const auto& row : lift::command_registers({})) {
    take(row.target);
    take(row.torque);
  }
  CHECK(*taken.rbegin() == lift::registers::command_count - 1);
  for (const auto& row : lift::feedback_registers({})) take(row);
  CHECK(taken.size() == lift::registers::command_count + lift::registers::feedback_count);
  CHECK(*taken.rbegin() < lift::registers::bridge_heartbeat);
}

TEST_CASE("the wheelbase of the body is that of the kinematics") {
  CHECK(lift::body::front_axle - lift::body::rear_axle == doctest::Approx(lift::geometry().wheelbase));
  CHECK(lift::body::base_height == doctest::Approx(lift::geometry().wheel_radius + lift::body::wheel_drop));
  CHECK(check(lift::geometry()).ok());
}

TEST_CASE("gears go evenly from walking to the full speed") {
  CHECK(lift::gear_speed(1) == doctest::Approx(0.05));
  CHECK(lift::gear_speed(10) == doctest::Approx(0.05 + 0.95 * 9 / 19));
  CHECK(lift::gear_speed(20) == doctest::Approx(1.0));
  CHECK(lift::gear_speed(-3) == lift::gear_speed(1));
  CHECK(lift::gear_speed(99) == lift::gear_speed(20));
}

TEST_CASE("the keys at their defaults give the description as built") {
  const lift::Description built, read = lift::description_from(defaults());
  CHECK(read.geometry.wheel_radius == built.geometry.wheel_radius);
  CHECK(read.geometry.wheelbase == built.geometry.wheelbase);
  CHECK(read.geometry.traction_track == built.geometry.traction_track);
  CHECK(read.geometry.steering_track == built.geometry.steering_track);
  CHECK(read.geometry.steering_limit == built.geometry.steering_limit);
  CHECK(read.limits.speed == built.limits.speed);
  CHECK(read.limits.acceleration == built.limits.acceleration);
  CHECK(read.limits.turn == built.limits.turn);
  CHECK(read.limits.turn_acceleration == built.limits.turn_acceleration);
  for (const auto gains : {&lift::Description::traction, &lift::Description::steering}) {
    CHECK((read.*gains).proportional == (built.*gains).proportional);
    CHECK((read.*gains).integral == (built.*gains).integral);
    CHECK((read.*gains).derivative == (built.*gains).derivative);
    CHECK((read.*gains).integral_limit == (built.*gains).integral_limit);
    CHECK((read.*gains).output_limit == (built.*gains).output_limit);
  }
  CHECK(read.plc.scales.velocity == built.plc.scales.velocity);
  CHECK(read.plc.scales.position == built.plc.scales.position);
  CHECK(read.plc.scales.speed_limit == built.plc.scales.speed_limit);
  CHECK(read.plc.scales.torque == built.plc.scales.torque);
  CHECK(read.plc.motor_directions == built.plc.motor_directions);
  CHECK(read.plc.flip_steering == built.plc.flip_steering);
  CHECK(read.plc.word_order == built.plc.word_order);
  CHECK(read.plc.coil_base == built.plc.coil_base);
  CHECK(read.plc.brake_torque == built.plc.brake_torque);
  CHECK(read.plc.brake_fade == built.plc.brake_fade);
  CHECK(read.plc.heartbeat == built.plc.heartbeat);
  CHECK(read.base_height == built.base_height);
  const lift::Times times, told = lift::times_from(defaults());
  CHECK(told.cycle == doctest::Approx(times.cycle));
  CHECK(told.reference == times.reference);
  CHECK(told.command == times.command);
  CHECK(told.feedback == times.feedback);
  CHECK(told.link == times.link);
  CHECK(told.response == times.response);
  CHECK(told.reset_pulse == times.reset_pulse);
  CHECK(told.readback == doctest::Approx(times.readback));
  CHECK(told.log == times.log);
}

TEST_CASE("values that cannot be are refused by name") {
  Options options = defaults();
  options.put("motor_directions", std::vector<double>{1, -1, 0.5, -1});
  CHECK(refusal(options) == "motor_directions: expected 1 or -1, got 0.5");
  options.put("motor_directions", std::vector<double>{1, -1});
  CHECK(refusal(options).find("expected four numbers") != std::string::npos);
  options = defaults();
  options.put("steering_pid", std::vector<double>{1});
  CHECK(refusal(options).find("steering_pid: expected three numbers") == 0);
  options = defaults();
  options.put("coil_base", 0.5);
  CHECK(refusal(options) == "coil_base: expected a whole number, got 0.5");
  options = defaults();
  options.put("wheelbase", -1.0);
  CHECK(refusal(options) == "wheelbase: expected a length above 0 m, got -1");
  options = defaults();
  options.put("word_order", std::string("dcba"));
  CHECK(lift::description_from(options).plc.word_order == "dcba");
}

TEST_CASE("the address of the PLC is read strictly") {
  const auto plain = lift::plc_address_from("modbus://192.168.2.1");
  CHECK(plain.host == "192.168.2.1");
  CHECK(plain.port == 502);
  CHECK(plain.unit == 1);
  const auto full = lift::plc_address_from("modbus://plc.local:1502?unit=255");
  CHECK(full.port == 1502);
  CHECK(full.unit == 255);
  CHECK_THROWS_AS(lift::plc_address_from("ads://192.168.2.1"), std::invalid_argument);
  CHECK_THROWS_AS(lift::plc_address_from("modbus://192.168.2.1?unit=256"), std::invalid_argument);
  CHECK_THROWS_AS(lift::plc_address_from("modbus://192.168.2.1?slave=1"), std::invalid_argument);
  CHECK_THROWS_AS(lift::plc_address_from("192.168.2.1"), std::invalid_argument);
}
