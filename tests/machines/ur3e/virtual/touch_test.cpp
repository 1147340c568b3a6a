// SPDX-License-Identifier: Apache-2.0
// Contact and gripper as clients see them at once: a touch at speed, OBJ after SET.
#include <algorithm>
#include <string>

#include "tandem/protocols/ur/gripper/gripper.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

// The script manual's example: down at this speed until something is touched, then back to where it was touched.
std::string until_contact(double speed) {
  return "def contact():\n  while True:\n    step_back = tool_contact(direction=get_actual_tcp_speed())\n"
         "    if step_back <= 0:\n      speedl([0, 0, -" +
         std::to_string(speed) +
         ", 0, 0, 0], 0.5, t=get_steptime())\n    else:\n      q = get_actual_joint_positions_history(step_back)\n"
         "      stopl(3)\n      movel(q)\n      textmsg(\"touched\")\n      break\n    end\n  end\nend\n";
}

// A line of the gripper's port, and OBJ in the first answer after it.
int object_after(Hand& hand, const std::string& line) {
  const auto request = ur::gripper::parse_request(line);
  REQUIRE(request.ok());
  for (const auto& [variable, value] : std::get<ur::gripper::Write>(*request).pairs) hand.write(variable, value);
  return hand.read(ur::gripper::Variable::object);
}

}  // namespace

TEST_CASE("a contact at 100 mm/s is found by tool_contact and is no protective stop") {
  for (const double speed : {0.01, 0.05, 0.1}) {
    CAPTURE(speed);
    Bench bench;
    double lowest = 1;
    bench.each_cycle = [&] { lowest = std::min(lowest, bench.tool().z()); };
    bench.run(until_contact(speed), 30);
    CAPTURE(bench.said());
    CHECK(bench.state().safety_mode == ur::SafetyMode::normal);
    CHECK(bench.says("touched"));
    // Back where it was touched, and never deep in the table.
    CHECK(bench.tool().z() - lowest < 1e-3);
    CHECK(bench.controller.body.measured().tool_force.force.norm() < 60);
  }
}

TEST_CASE("an arm that goes on pressing at 100 mm/s is stopped at once") {
  Bench bench;
  bench.controller.program("speedl([0, 0, -0.1, 0, 0, 0], 0.5, 20)\n");
  REQUIRE(bench.until([&] { return bench.controller.touched() > 0; }, 10) > 0);
  const int cycles = bench.until([&] { return bench.state().safety_mode == ur::SafetyMode::protective_stop; }, 1);
  CHECK(cycles >= 0);
  CHECK(cycles <= 6);
}

TEST_CASE("OBJ is 0 in the first answer after the fingers were asked to go, in any order of the pairs") {
  for (const char* line : {"SET POS 200 GTO 1", "SET GTO 1 POS 200", "SET SPE 255 POS 200 FOR 10 GTO 1"}) {
    CAPTURE(line);
    Bench bench;
    Hand& hand = bench.controller.hand;
    object_after(hand, "SET ACT 1");
    REQUIRE(bench.until([&] { return hand.read(ur::gripper::Variable::status) == 3; }, 3) > 0);
    CHECK(hand.read(ur::gripper::Variable::object) == 3);
    CHECK(object_after(hand, line) == 0);
    bench.cycles(1);
    CHECK(hand.read(ur::gripper::Variable::object) == 0);
    CHECK(bench.until([&] { return hand.read(ur::gripper::Variable::object) == 3; }, 5) > 0);
    CHECK(std::abs(hand.read(ur::gripper::Variable::position) - 200) <= 2);
    // The same position again moves nothing; another one, or the way back, does.
    CHECK(object_after(hand, "SET GTO 1 POS 200") == 3);
    CHECK(object_after(hand, "SET GTO 0 POS 0") == 3);
    CHECK(object_after(hand, "SET GTO 1") == 0);
    CHECK(bench.until([&] { return hand.read(ur::gripper::Variable::object) == 3; }, 5) > 0);
  }
}
