// SPDX-License-Identifier: Apache-2.0
// The gripper.
#include "tandem/machines/ur3e/api/gripper.hpp"

#include "tandem/python/device.hpp"

namespace tandem::python {
namespace {

using ur3e::Gripper;
using ur3e::GripperStatus;

// Waits in slices, so that others get at the gripper in between.
void wait_until(Device& device, Result<bool> (Gripper::*slice)(Duration), const char* expected) {
  constexpr Duration patience = 10s;
  const Instant deadline = SystemClock().now() + patience;
  while (!device.quick_gripper([slice](Gripper& gripper) { return (gripper.*slice)(50ms); })) {
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    if (SystemClock().now() > deadline)
      throw Failure({Fault::timeout, std::string("gripper: not ") + expected + " after 10 s", 0});
  }
}

}  // namespace

void bind_gripper(pybind11::module_& module, pybind11::class_<Device>& robot) {
  pybind11::class_<GripperStatus>(module, "GripperStatus")
      .def_readonly("position", &GripperStatus::position)
      .def_readonly("requested", &GripperStatus::requested)
      .def_readonly("status", &GripperStatus::status)
      .def_readonly("object", &GripperStatus::object)
      .def_readonly("fault", &GripperStatus::fault)
      .def_readonly("current", &GripperStatus::current);
  robot.def("gripper_activate", [](Device& self) { self.gripper([](Gripper& hand) { return hand.activate(); }); })
      .def("gripper_deactivate", [](Device& self) { self.gripper([](Gripper& hand) { return hand.deactivate(); }); })
      .def("gripper_status",
           [](Device& self) { return self.quick_gripper([](Gripper& hand) { return hand.status(); }); })
      .def("gripper_estimated_position_mm",
           [](Device& self) { return self.quick_gripper([](Gripper& hand) { return hand.estimated_position_mm(); }); })
      .def("gripper_move",
           [](Device& self, int position, int speed, int force) {
             return self.quick_gripper([&](Gripper& hand) { return hand.move(position, speed, force); });
           })
      .def("gripper_wait_until_active", [](Device& self) { wait_until(self, &Gripper::wait_until_active, "active"); })
      .def("gripper_wait_until_stopped",
           [](Device& self) { wait_until(self, &Gripper::wait_until_stopped, "stopped"); })
      .def("gripper_close_and_check_size",
           [](Device& self, double expected, double plus, double minus, int speed, int force) {
             return self.gripper(
                 [&](Gripper& hand) { return hand.close_and_check_size(expected, plus, minus, speed, force); });
           })
      .def("gripper_open_and_check_size",
           [](Device& self, double expected, double plus, double minus, int speed, int force) {
             return self.gripper(
                 [&](Gripper& hand) { return hand.open_and_check_size(expected, plus, minus, speed, force); });
           });
}

}  // namespace tandem::python
