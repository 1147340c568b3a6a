// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/device/gate.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/device/control_script.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

bool names(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (text.find(word) == std::string::npos) {
      MESSAGE("\"" << text << "\" does not say \"" << std::string(word) << "\"");
      return false;
    }
  return true;
}

// Why a first sample is not believed; "" when it is.
std::string doubt(const ur::ControllerState& state) {
  const machines::Verdict verdict = Gate().judge(state);
  CHECK((verdict.quality == Quality::live) == verdict.why.empty());
  return std::string(verdict.why.view());
}

}  // namespace

TEST_CASE("R10 every safety state that stops the robot is a hindrance that says what to do") {
  ur::ControllerState state;
  state.robot_mode = ur::RobotMode::running;
  state.safety_mode = ur::SafetyMode::normal;
  CHECK(!hindrance(state));
  state.safety_mode = ur::SafetyMode::reduced;
  CHECK(!hindrance(state));
  for (int mode = 3; mode <= 13; ++mode) {
    state.safety_mode = static_cast<ur::SafetyMode>(mode);
    const auto why = hindrance(state);
    REQUIRE(why);
    CHECK(names(*why, {ur::name(state.safety_mode)}));
  }
  state.safety_mode = ur::SafetyMode::normal;
  state.safety_status_bits = ur::safety_status::protective_stopped;
  CHECK(hindrance(state));
}

TEST_CASE("R11 a robot that is not running and R12 a program that ended are told apart") {
  ur::ControllerState state;
  state.safety_mode = ur::SafetyMode::normal;
  state.robot_mode = ur::RobotMode::power_off;
  CHECK(names(hindrance(state).value_or(""), {"POWER_OFF", "RUNNING", "reset_error"}));
  state.runtime_state = ur::RuntimeState::paused;
  CHECK(!program_end(state));
  state.runtime_state = ur::RuntimeState::stopped;
  CHECK(names(program_end(state).value_or(""), {"pendant"}));
  state.output_int_register[script::outputs::ending] = static_cast<int>(script::Ending::watchdog);
  CHECK(names(program_end(state).value_or(""), {"heartbeat", "by itself"}));
}

TEST_CASE("G18 a sample with NaN or a number that cannot be is not believed") {
  ur::ControllerState state;
  CHECK(doubt(state).empty());
  state.actual_q[3] = nan_value;
  CHECK(names(doubt(state), {"actual_q"}));
  state = {};
  state.actual_tcp_pose[0] = std::numeric_limits<double>::infinity();
  CHECK(names(doubt(state), {"actual_TCP_pose"}));
  for (const double bad : {nan_value, 1e308, -1e308, 1e30, 100.0}) {
    state = {};
    state.speed_scaling = bad;
    CHECK(names(doubt(state), {"speed_scaling"}));
  }
  for (const double odd : {-0.0, std::numeric_limits<double>::denorm_min()}) {
    state = {};
    state.actual_q.fill(odd);
    CHECK(doubt(state).empty());
  }
}

TEST_CASE("G14 joints that turn faster than they can are not believed") {
  ur::ControllerState before, state;
  before.timestamp = 10;
  state.timestamp = 10.008;
  const auto doubt_after = [&] {
    Gate gate;
    CHECK(gate.judge(before).quality == Quality::live);
    return std::string(gate.judge(state).why.view());
  };
  state.actual_q[0] = 0.03;  // 3.75 rad/s; the base can do 3.14
  CHECK(doubt_after().empty());
  state.actual_q[0] = 0.5;
  CHECK(names(doubt_after(), {"shoulder_pan_joint", "0.500 rad", "8 ms"}));
  // The gate opens with the time that passes, and for a controller that was started anew.
  state.timestamp = 10.2;
  CHECK(doubt_after().empty());
  state.timestamp = 1;
  CHECK(doubt_after().empty());
}

TEST_CASE("G14 a sample that is not believed is not what the next is held against") {
  ur::ControllerState state;
  Gate gate;
  CHECK(gate.judge(state).quality == Quality::live);
  state.timestamp = 0.008;
  state.actual_q[0] = 0.5;
  CHECK(gate.judge(state).quality == Quality::invalid);
  state.timestamp = 0.016;
  CHECK(gate.judge(state).quality == Quality::invalid);
  state.actual_q[0] = 0.01;
  CHECK(gate.judge(state).quality == Quality::live);
}

TEST_CASE("The tool centre point is found from pose and joints when the controller does not tell it") {
  ur::ControllerState state;
  state.actual_q = {0.3, -1.2, 1.1, -1.4, -1.5, 0.2};
  const TCP6D offset = TCP6D::from_metres_radians({0.01, -0.02, 0.145, 0.1, 0.2, 0.3});
  const Pose flange = kinematics::ur::forward(kinematics::ur::ur3e, Joint6D::from_radians(state.actual_q).vector());
  state.actual_tcp_pose = TCP6D::from(flange * offset.pose()).list();
  const ArmState out = arm_state_from(state, false, Instant{});
  for (std::size_t i = 0; i < 6; ++i) CHECK(out.tcp_offset[i] == doctest::Approx(offset[i]).epsilon(1e-9));
}
