// SPDX-License-Identifier: Apache-2.0
// The functions of URScript that need a robot, registered with the interpreter.
#pragma once

#include <optional>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/urscript/library/builtins.hpp"

namespace tandem::ur3e {

class Controller;

// Everything a program may call: the language, sockets, and the parts below. The controller must outlive the table.
void add_robot_library(urscript::Builtins& builtins, Controller& controller);

void add_moves(urscript::Builtins& builtins, Controller& controller);       // movej, movel, movep, movec, stopj ...
void add_servo(urscript::Builtins& builtins, Controller& controller);       // servoj, speedj, speedl, direct_torque ...
void add_kinematics(urscript::Builtins& builtins, Controller& controller);  // get_inverse_kin, get_actual_tcp_pose ...
void add_io(urscript::Builtins& builtins, Controller& controller);          // digital, analogue, registers
void add_setup(urscript::Builtins& builtins, Controller& controller);       // set_tcp, force_mode, popup, watchdog ...
void add_settings(urscript::Builtins& builtins, Controller& controller);    // flags, encoders, actions of inputs ...
void add_path_offset(urscript::Builtins& builtins, Controller& controller);
void add_modbus(urscript::Builtins& builtins, Controller& controller);    // signals are stored, nothing is sent
void add_accepted(urscript::Builtins& builtins, Controller& controller);  // what has no meaning for a virtual arm

// Arguments as the arm's types; errors say what was expected and seen. Numbers must be finite.
Result<Joints> joints_of(const urscript::Value& value);
Result<Pose> transform_of(const urscript::Value& value);
Result<double> finite_of(const urscript::Value& value);
bool is_pose(const urscript::Value& value);
// A pose as it is, joints as the pose they give.
Result<Pose> pose_from(const Controller& controller, const urscript::Value& value);
// An angular acceleration that is that of the tool: left out, or 'a' as the script manual writes the default.
bool is_left_out(const urscript::Value& value);
Result<std::int32_t> integer_in(const urscript::Value& value, std::int32_t least, std::int32_t most);
Result<double> number_in(const urscript::Value& value, double least, double most);
Result<Eigen::Vector3d> vector_of(const urscript::Value& value);
// The first error among these arguments; none when all are good.
template <typename... Results>
std::optional<Error> first_error(const Results&... results) {
  std::optional<Error> error;
  ((error || results.ok() ? void() : void(error = results.error())), ...);
  return error;
}
urscript::Value value_from(const Joints& joints);  // a list of six
urscript::Value value_from(const Pose& pose);      // p[...]

}  // namespace tandem::ur3e
