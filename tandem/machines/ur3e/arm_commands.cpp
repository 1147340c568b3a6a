// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/arm_commands.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e::command {
namespace {

constexpr double reach_limit = 10;  // m, beyond which a number cannot be a position of this arm
constexpr std::array<const char*, 19> names = {
    "movej",          "movel",          "movep",         "movec",         "path",        "servoj",         "speedj",
    "speedl",         "stopj",          "stopl",         "set_tcp",       "set_payload", "freedrive_mode", "force_mode",
    "end_force_mode", "digital output", "analog output", "zero_ftsensor", "sync"};
static_assert(names.size() == std::variant_size_v<Any>);

Error wrong(std::string_view what, std::string_view expected, double seen) {
  return {Fault::invalid, fmt::format("{}: expected {}, got {}", what, expected, seen)};
}

Result<void> finite(std::string_view what, double value) {
  if (std::isfinite(value)) return {};
  return wrong(what, "a finite number", value);
}

Result<void> positive(std::string_view what, double value) {
  if (std::isfinite(value) && value > 0) return {};
  return wrong(what, "a number above 0", value);
}

Result<void> not_negative(std::string_view what, double value) {
  if (std::isfinite(value) && value >= 0) return {};
  return wrong(what, "0 or more", value);
}

Result<void> between(std::string_view what, double value, double lowest, double highest) {
  if (std::isfinite(value) && value >= lowest && value <= highest) return {};
  return wrong(what, fmt::format("{} to {}", lowest, highest), value);
}

template <typename... Checks>
Result<void> all(Checks&&... checks) {
  Result<void> out;
  ((out.ok() && !checks.ok() ? void(out = std::forward<Checks>(checks)) : void()), ...);
  return out;
}

Result<void> joints(const Six& q) {
  const auto& model = arm_model;
  for (std::size_t i = 0; i < 6; ++i) {
    if (!std::isfinite(q[i])) return wrong(fmt::format("joint {} ({})", i + 1, joint_names[i]), "a finite angle", q[i]);
    if (q[i] < model.lowest[i] || q[i] > model.highest[i])
      return wrong(fmt::format("joint {} ({})", i + 1, joint_names[i]),
                   fmt::format("{:.4f} to {:.4f} rad", model.lowest[i], model.highest[i]), q[i]);
  }
  return {};
}

Result<void> pose(std::string_view what, const Six& numbers) {
  constexpr std::array<const char*, 6> parts = {"x", "y", "z", "rx", "ry", "rz"};
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string part = fmt::format("{} {}", what, parts[i]);
    if (!std::isfinite(numbers[i])) return wrong(part, "a finite number", numbers[i]);
    if (std::abs(numbers[i]) > reach_limit)
      return wrong(part, fmt::format("-{} to {} {}", reach_limit, reach_limit, i < 3 ? "m" : "rad"), numbers[i]);
  }
  return {};
}

// Moves share their limits; those that have no time give 0.
Result<void> limits(double a, double v, double t, double r) {
  return all(positive("acceleration a", a), positive("speed v", v), not_negative("time t", t),
             not_negative("blend radius r", r));
}

Result<void> numbers(const MoveJoints& m) { return all(joints(m.q), limits(m.a, m.v, m.t, m.r)); }
Result<void> numbers(const MoveLine& m) { return all(pose("pose", m.pose), limits(m.a, m.v, m.t, m.r)); }
Result<void> numbers(const MoveProcess& m) { return all(pose("pose", m.pose), limits(m.a, m.v, 0, m.r)); }
Result<void> numbers(const MoveCircle& m) {
  return all(pose("via pose", m.via), pose("end pose", m.to), limits(m.a, m.v, 0, m.r));
}

Result<void> numbers(const MovePath& path) {
  if (path.points.empty()) return Error{Fault::invalid, "way-points: expected at least one, got none"};
  if (path.points.size() > most_path_points)
    return wrong("way-points", fmt::format("at most {}", most_path_points), static_cast<double>(path.points.size()));
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    auto checked = std::visit([](const auto& point) { return numbers(point); }, path.points[i]);
    if (!checked) return within(fmt::format("way-point {}", i + 1), std::move(checked).error());
  }
  return {};
}

Result<void> numbers(const Servo& s) {
  return all(joints(s.q), positive("time t", s.t), between("lookahead_time", s.lookahead, 0.03, 0.2),
             between("gain", s.gain, 100, 2000));
}

Result<void> numbers(const SpeedJoints& s) {
  for (std::size_t i = 0; i < 6; ++i) {
    auto checked = between(fmt::format("speed of joint {} ({})", i + 1, joint_names[i]), s.qd[i], -arm_model.speed[i],
                           arm_model.speed[i]);
    if (!checked) return checked;
  }
  return all(positive("acceleration a", s.a), not_negative("time t", s.t));
}

Result<void> numbers(const SpeedLine& s) {
  return all(pose("speed", s.twist), positive("acceleration a", s.a), not_negative("time t", s.t));
}
Result<void> numbers(const StopJoints& s) { return positive("acceleration a", s.a); }
Result<void> numbers(const StopLine& s) { return positive("acceleration a", s.a); }
Result<void> numbers(const ToolCentre& t) { return pose("tool centre point", t.offset); }

Result<void> numbers(const Payload& p) {
  return all(between("payload mass", p.mass, 0, payload_limit), between("payload centre x", p.centre[0], -1, 1),
             between("payload centre y", p.centre[1], -1, 1), between("payload centre z", p.centre[2], -1, 1));
}

Result<void> numbers(const ForceMode& f) {
  for (std::size_t i = 0; i < 6; ++i) {
    auto checked = all(finite("wrench", f.wrench[i]), positive("limit of force mode", f.limits[i]));
    if (!checked) return checked;
  }
  return all(pose("task frame", f.frame), between("type of force mode", f.type, 1, 3));
}

Result<void> numbers(const DigitalOut& d) {
  return between("number of the digital output", d.pin, 0, d.bank == Bank::tool ? 1 : 7);
}
Result<void> numbers(const AnalogOut& a) {
  return all(between("number of the analog output", a.pin, 0, 1), between("analog output", a.ratio, 0, 1));
}
Result<void> numbers(const Freedrive&) { return {}; }
Result<void> numbers(const EndForceMode&) { return {}; }
Result<void> numbers(const ZeroForceSensor&) { return {}; }
Result<void> numbers(const Nothing&) { return {}; }

}  // namespace

const char* name(const Any& command) { return names[command.index()]; }
bool is_motion(const Any& command) { return command.index() <= Any(StopLine{}).index(); }
bool is_stop(const Any& command) {
  return std::holds_alternative<StopJoints>(command) || std::holds_alternative<StopLine>(command);
}

bool is_open_ended(const Any& command) {
  if (const auto* speed = std::get_if<SpeedJoints>(&command)) return speed->t == 0;
  if (const auto* speed = std::get_if<SpeedLine>(&command)) return speed->t == 0;
  return std::holds_alternative<Servo>(command);
}

Result<void> check(const Any& command) {
  auto checked = std::visit([](const auto& value) { return numbers(value); }, command);
  if (!checked) return within(name(command), std::move(checked).error());
  return {};
}

}  // namespace tandem::ur3e::command
