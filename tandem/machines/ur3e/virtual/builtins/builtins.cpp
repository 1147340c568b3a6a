// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/machines/ur3e/virtual/controller.hpp"
#include "tandem/urscript/run/sockets.hpp"

namespace tandem::ur3e {

using urscript::Value;

void add_robot_library(urscript::Builtins& builtins, Controller& controller) {
  urscript::LanguageHost host;
  host.textmsg = [&controller](std::string_view text) { controller.say(ur::primary::Text{std::string(text)}); };
  urscript::add_language_library(builtins, std::move(host));
  urscript::add_socket_library(builtins, controller.sockets);
  add_moves(builtins, controller);
  add_servo(builtins, controller);
  add_kinematics(builtins, controller);
  add_io(builtins, controller);
  add_setup(builtins, controller);
  add_settings(builtins, controller);
  add_path_offset(builtins, controller);
  add_modbus(builtins, controller);
  add_accepted(builtins, controller);
  controller.statements.add_builtins(builtins);
}

bool is_pose(const Value& value) { return value.pose() != nullptr; }

Result<Pose> pose_from(const Controller& controller, const Value& value) {
  if (is_pose(value)) return transform_of(value);
  const auto joints = joints_of(value);
  if (!joints) return joints.error();
  return controller.tool(*joints);
}

bool is_left_out(const Value& value) { return value.is_none() || (value.text() != nullptr && *value.text() == "a"); }

Result<double> finite_of(const Value& value) {
  auto number = urscript::number_of(value);
  if (number && !std::isfinite(*number))
    return Error{Fault::invalid, fmt::format("expected a number, got {}", *number)};
  return number;
}

Result<std::int32_t> integer_in(const Value& value, std::int32_t least, std::int32_t most) {
  const auto number = urscript::integer_of(value);
  if (!number) return number.error();
  if (*number >= least && *number <= most) return *number;
  return Error{Fault::invalid, fmt::format("expected {} to {}, got {}", least, most, *number)};
}

Result<double> number_in(const Value& value, double least, double most) {
  const auto number = finite_of(value);
  if (!number) return number.error();
  if (*number >= least && *number <= most) return *number;
  return Error{Fault::invalid, fmt::format("expected {} to {}, got {}", least, most, *number)};
}

Result<Eigen::Vector3d> vector_of(const Value& value) {
  const auto numbers = urscript::numbers_of(value);
  if (!numbers) return numbers.error();
  if (numbers->size() != 3)
    return Error{Fault::invalid, fmt::format("expected three numbers, got {}", numbers->size())};
  const Eigen::Vector3d vector = Eigen::Map<const Eigen::Vector3d>(numbers->data());
  if (!vector.allFinite()) return Error{Fault::invalid, "expected three numbers, got one that is not finite"};
  return vector;
}

Result<Joints> joints_of(const Value& value) {
  auto numbers = urscript::numbers_of(value);
  if (!numbers) return std::move(numbers).error();
  if (numbers->size() != 6) return Error{Fault::invalid, fmt::format("expected six numbers, got {}", numbers->size())};
  const Joints joints = Eigen::Map<const Joints>(numbers->data());
  if (!joints.allFinite()) return Error{Fault::invalid, "expected six numbers, got one that is not finite"};
  return joints;
}

Result<Pose> transform_of(const Value& value) {
  auto joints = joints_of(value);
  if (!joints) return std::move(joints).error();
  return kinematics::ur::pose_from_vector(*joints);
}

Value value_from(const Joints& joints) {
  std::vector<Value> items;
  items.reserve(6);
  for (const double number : joints) items.emplace_back(number);
  return *Value::make_list(std::move(items));
}

Value value_from(const Pose& pose) {
  const auto vector = kinematics::ur::vector_from_pose(pose);
  urscript::PoseValue out;
  std::copy(vector.begin(), vector.end(), out.begin());
  return out;
}

}  // namespace tandem::ur3e
