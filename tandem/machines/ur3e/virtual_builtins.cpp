#include "tandem/machines/ur3e/virtual_builtins.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/machines/ur3e/virtual_controller.hpp"
#include "tandem/urscript/sockets.hpp"

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
}

bool is_pose(const Value& value) { return value.pose() != nullptr; }

Result<double> finite_of(const Value& value) {
  auto number = urscript::number_of(value);
  if (number && !std::isfinite(*number))
    return Error{Fault::invalid, fmt::format("expected a number, saw {}", *number)};
  return number;
}

Result<Joints> joints_of(const Value& value) {
  auto numbers = urscript::numbers_of(value);
  if (!numbers) return std::move(numbers).error();
  if (numbers->size() != 6) return Error{Fault::invalid, fmt::format("expected six numbers, saw {}", numbers->size())};
  const Joints joints = Eigen::Map<const Joints>(numbers->data());
  if (!joints.allFinite()) return Error{Fault::invalid, "expected six numbers, saw one that is not finite"};
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
