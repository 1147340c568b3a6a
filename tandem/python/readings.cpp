// SPDX-License-Identifier: Apache-2.0
// What the arm reports of itself, and its signals.
#include <pybind11/stl.h>

#include <optional>

#include "tandem/python/device.hpp"

namespace tandem::python {
namespace {

using ur3e::Joint6D;
using ur3e::Robot;
using ur3e::Six;
using ur3e::TCP6D;
using ur3e::command::Bank;

Six inverse_kin(Device& self, const Six& pose, const std::optional<Six>& near, double position, double orientation) {
  std::optional<Joint6D> qnear;
  if (near) qnear = Joint6D::from_radians(*near);
  return self
      .quick([&](Robot& robot) {
        return robot.inverse_kin(TCP6D::from_metres_radians(pose), qnear, position, orientation);
      })
      .list();
}

pybind11::dict status(Device& self) {
  const ur3e::ArmStatus now = self.quick([](Robot& robot) { return Result<ur3e::ArmStatus>(robot.status()); });
  pybind11::dict told;
  told["live"] = now.live;
  told["armed"] = now.armed;
  told["faulted"] = now.faulted;
  told["nominal"] = now.nominal;
  told["why"] = std::string(now.why.view());
  return told;
}

void bind_signals(pybind11::class_<Device>& robot) {
  robot
      .def("digital_in",
           [](Device& self, int bank, int pin) {
             return self.quick([&](Robot& arm) { return arm.digital_in(static_cast<Bank>(bank), pin); });
           })
      .def("digital_out",
           [](Device& self, int bank, int pin) {
             return self.quick([&](Robot& arm) { return arm.digital_out(static_cast<Bank>(bank), pin); });
           })
      .def("analog_in",
           [](Device& self, int pin) { return self.quick([&](Robot& arm) { return arm.analog_in(pin); }); })
      .def("analog_out",
           [](Device& self, int pin) { return self.quick([&](Robot& arm) { return arm.analog_out(pin); }); })
      .def("write_digital_out",
           [](Device& self, int bank, int pin, bool value) {
             self.quick([&](Robot& arm) { return arm.write_digital_out(static_cast<Bank>(bank), pin, value); });
           })
      .def("write_analog_out", [](Device& self, int pin, double ratio) {
        self.quick([&](Robot& arm) { return arm.write_analog_out(pin, ratio); });
      });
}

}  // namespace

void bind_readings(pybind11::class_<Device>& robot) {
  bind_signals(robot);
  robot
      .def("actual_joint_positions",
           [](Device& self) { return self.quick([](Robot& arm) { return arm.actual_joint_positions(); }).list(); })
      .def("actual_joint_speeds",
           [](Device& self) { return self.quick([](Robot& arm) { return arm.actual_joint_speeds(); }); })
      .def("actual_tcp_pose",
           [](Device& self) { return self.quick([](Robot& arm) { return arm.actual_tcp_pose(); }).list(); })
      .def("actual_tcp_speed",
           [](Device& self) { return self.quick([](Robot& arm) { return arm.actual_tcp_speed(); }); })
      .def("tcp_force", [](Device& self) { return self.quick([](Robot& arm) { return arm.tcp_force(); }); })
      .def("force", [](Device& self) { return self.quick([](Robot& arm) { return arm.force(); }); })
      .def("is_steady", [](Device& self) { return self.quick([](Robot& arm) { return arm.is_steady(); }); })
      .def("inverse_kin", &inverse_kin)
      .def("forward_kin",
           [](Device& self, const Six& q) {
             return self.quick([&](Robot& arm) { return arm.forward_kin(Joint6D::from_radians(q)); }).list();
           })
      .def("status", &status);
}

}  // namespace tandem::python
