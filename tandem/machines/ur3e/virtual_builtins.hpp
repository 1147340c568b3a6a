// The functions of URScript that need a robot, registered with the interpreter.
#pragma once

#include "tandem/base/transforms.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/urscript/builtins.hpp"

namespace tandem::ur3e {

class Controller;

// Everything a program may call: the language, sockets, and the parts below. The controller must outlive the table.
void add_robot_library(urscript::Builtins& builtins, Controller& controller);

void add_moves(urscript::Builtins& builtins, Controller& controller);       // movej, movel, movep, movec, stopj ...
void add_servo(urscript::Builtins& builtins, Controller& controller);       // servoj, speedj, speedl, direct_torque ...
void add_kinematics(urscript::Builtins& builtins, Controller& controller);  // get_inverse_kin, get_actual_tcp_pose ...
void add_io(urscript::Builtins& builtins, Controller& controller);          // digital, analogue, registers
void add_setup(urscript::Builtins& builtins, Controller& controller);       // set_tcp, force_mode, popup, watchdog ...

// Arguments as the arm's types; errors say what was expected and seen. Numbers must be finite.
Result<Joints> joints_of(const urscript::Value& value);
Result<Pose> transform_of(const urscript::Value& value);
Result<double> finite_of(const urscript::Value& value);
bool is_pose(const urscript::Value& value);
urscript::Value value_from(const Joints& joints);  // a list of six
urscript::Value value_from(const Pose& pose);      // p[...]

}  // namespace tandem::ur3e
