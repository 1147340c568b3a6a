// SPDX-License-Identifier: Apache-2.0
// The parts of the extension; each adds its own functions.
#pragma once

#include <pybind11/pybind11.h>

namespace tandem::python {

class Device;

void bind_arm(pybind11::class_<Device>& robot);
void bind_readings(pybind11::class_<Device>& robot);
void bind_gripper(pybind11::module_& module, pybind11::class_<Device>& robot);
void bind_virtual(pybind11::module_& module);
void bind_legs(pybind11::module_& module);
void bind_cables(pybind11::module_& module);
void bind_arm_kinematics(pybind11::module_& module);
void bind_batches(pybind11::module_& module);
void bind_messages(pybind11::module_& module);
void bind_ros(pybind11::module_& module);
void bind_recording(pybind11::module_& module);

}  // namespace tandem::python
