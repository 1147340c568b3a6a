// SPDX-License-Identifier: Apache-2.0
// What an arm can be commanded, as plain values. SI: m, rad, s, N, Nm, kg; poses are the tool centre point in the base
// frame.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/machines/ur3e/api/values.hpp"

namespace tandem::ur3e::command {

struct MoveJoints {
  Six q{};
  double a = 1.4, v = 1.05;  // rad/s^2, rad/s of the leading joint
  double t = 0;              // s; 0: as a and v have it
  double r = 0;              // blend radius, m
};
struct MoveLine {
  Six pose{};
  double a = 1.2, v = 0.25;  // m/s^2, m/s
  double t = 0;
  double r = 0;
};
struct MoveProcess {
  Six pose{};
  double a = 1.2, v = 0.25;
  double r = 0;
};
struct MoveCircle {
  Six via{}, to{};
  double a = 1.2, v = 0.25;
  double r = 0;
  bool fixed_orientation = false;  // relative to the circle, instead of turning from one to the other
};
using PathPoint = std::variant<MoveJoints, MoveLine, MoveProcess>;
struct MovePath {
  std::vector<PathPoint> points;
};

// One target of a stream of them; the next must come within 20 ms or the arm stops.
struct Servo {
  Six q{};
  double t = 0.008;        // until the next target, s
  double lookahead = 0.1;  // s, 0.03 to 0.2
  double gain = 100;       // 100 to 2000
};
// Holds the speed for a time t and then stops; t = 0: until another command.
struct SpeedJoints {
  Six qd{};
  double a = 1.4;
  double t = 0;
};
struct SpeedLine {
  Six twist{};     // m/s and rad/s, base frame
  double a = 1.2;  // m/s^2
  double t = 0;
};
struct StopJoints {
  double a = 2.0;  // rad/s^2
};
struct StopLine {
  double a = 1.2;  // m/s^2
};

struct ToolCentre {
  Six offset{};  // tcp in the flange frame
};
struct Payload {
  double mass = 0;
  std::array<double, 3> centre{};  // of mass, flange frame
};
struct Freedrive {
  bool on = true;
};
struct ForceMode {
  Six frame{};                      // of the force, in base
  std::array<bool, 6> compliant{};  // axes of that frame that give way
  Six wrench{};                     // to be kept along compliant axes
  int type = 2;                     // 1: frame's y towards the tool, 2: frame as given, 3: x along the tool's motion
  Six limits{};                     // speed along compliant axes, deviation along the others
};
struct EndForceMode {};
enum class Bank : std::uint8_t { standard, configurable, tool };
struct DigitalOut {
  Bank bank = Bank::standard;
  int pin = 0;
  bool value = false;
};
struct AnalogOut {
  int pin = 0;
  double ratio = 0;  // 0 to 1 of the range
};
struct ZeroForceSensor {};
struct Nothing {};  // is only acknowledged

using Any = std::variant<MoveJoints, MoveLine, MoveProcess, MoveCircle, MovePath, Servo, SpeedJoints, SpeedLine,
                         StopJoints, StopLine, ToolCentre, Payload, Freedrive, ForceMode, EndForceMode, DigitalOut,
                         AnalogOut, ZeroForceSensor, Nothing>;

constexpr std::size_t most_path_points = 100;

const char* name(const Any& command);  // "movej"
bool is_motion(const Any& command);    // takes time and ends what moved before
bool is_stop(const Any& command);
bool is_open_ended(const Any& command);  // done when it was taken: its motion goes on until the next command

// Whether the numbers can be meant: finite, within the arm's limits, times not negative. Where a pose can be reached
// is not looked at. The error names the value, what was expected and what was seen.
Result<void> check(const Any& command);

}  // namespace tandem::ur3e::command
