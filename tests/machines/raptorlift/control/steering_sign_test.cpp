// SPDX-License-Identifier: Apache-2.0
// The worked example of docs/raptorlift.md, "The sign of steering on the wire": computed by the code that drives the
// truck, and by the geometry of a rigid body that turns.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <string>

#include "tandem/kinematics/ackermann/ackermann.hpp"
#include "tandem/machines/raptorlift/control/drive.hpp"
#include "tandem/machines/raptorlift/device/registers.hpp"
#include "tandem/machines/raptorlift/ros/urdf.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

constexpr double v = 0.5, w = 0.25;  // m/s, rad/s: a left turn about a point 2 m to the left

std::string documented_row(const std::string& start) {
  std::ifstream page(TANDEM_RAPTORLIFT_PAGE);
  for (std::string line; std::getline(page, line);)
    if (line.rfind("| " + start, 0) == 0) return line;
  FAIL("docs/raptorlift.md: expected a row that begins with '| ", start, "', got none");
  return "";
}

Wheels commanded() {
  const auto command = kinematics::ackermann::wheels_from_twist(Description{}.geometry, {v, w});
  REQUIRE(command.ok());
  return command->wheels;
}

// D8 and D12 as signed 32-bit numbers, low word first.
std::pair<std::int32_t, std::int32_t> raw_targets(bool flip_steering) {
  Description description;
  description.plc.flip_steering = flip_steering;
  PlcRegisters::CommandWords words{};
  const Wheels wheels = commanded();
  REQUIRE(PlcRegisters(description).encode({.positions = {wheels.rear_right, wheels.rear_left}}, words));
  const auto at = [&](std::size_t d) {
    return static_cast<std::int32_t>(words[d] | static_cast<std::uint32_t>(words[d + 1]) << 16);
  };
  return {at(8), at(12)};
}

// Of the rear joints' axis in the URDF, its upward part: 1 or -1.
double upward_axis(const std::string& joint) {
  const std::string text = urdf({}, {}, "");
  const std::string tag = "<axis xyz=\"";
  const std::size_t axis = text.find(tag, text.find("<joint name=\"" + joint + "\""));
  double x = 0, y = 0, z = 0;
  REQUIRE(std::sscanf(text.c_str() + axis + tag.size(), "%lf %lf %lf", &x, &y, &z) == 3);
  return z;
}

// Where a wheel behind points, about the upward axis, when every point of the truck turns about the same centre.
double heading_of_rear_wheel(double y) { return std::atan2(-w * 1.0, v - w * y); }

}  // namespace

TEST_CASE("a left turn has positive joint angles and wheels that point to the right") {
  const Wheels wheels = commanded();
  CHECK(wheels.rear_right > 0);
  CHECK(wheels.rear_left > wheels.rear_right);  // the inner one
  CHECK(upward_axis("rear_right_steering_joint") * wheels.rear_right ==
        doctest::Approx(heading_of_rear_wheel(-0.355)).epsilon(1e-9));
  CHECK(upward_axis("rear_left_steering_joint") * wheels.rear_left ==
        doctest::Approx(heading_of_rear_wheel(0.355)).epsilon(1e-9));
}

TEST_CASE("the worked example of the documentation is what the code writes") {
  const Wheels wheels = commanded();
  CHECK(documented_row("controller command") ==
        fmt::format("| controller command, joint angle (rad) | {:+.4f} | {:+.4f} |", wheels.rear_right,
                    wheels.rear_left));
  CHECK(documented_row("wheel about") ==
        fmt::format("| wheel about the upward axis (rad), anticlockwise positive | {:+.4f} | {:+.4f} |",
                    heading_of_rear_wheel(-0.355), heading_of_rear_wheel(0.355)));
  const auto flipped = raw_targets(true), plain = raw_targets(false);
  CHECK(documented_row("raw, `flip_steering: true`") ==
        fmt::format("| raw, `flip_steering: true` (default) | D8 {:+d} | D12 {:+d} |", flipped.first, flipped.second));
  CHECK(documented_row("raw, `flip_steering: false`") ==
        fmt::format("| raw, `flip_steering: false` | D8 {:+d} | D12 {:+d} |", plain.first, plain.second));
  CHECK(Plc{}.flip_steering);  // the default that the page names
  // With the flip, raw is the wheel's own angle times the motor's direction, +1 on the right and -1 on the left.
  CHECK(flipped.first == std::lround(1e4 * heading_of_rear_wheel(-0.355)));
  CHECK(flipped.second == std::lround(-1e4 * heading_of_rear_wheel(0.355)));
}
