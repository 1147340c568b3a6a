// SPDX-License-Identifier: Apache-2.0
// The extension behind the Python package: thin, all names and checks of types are in tandem/*.py.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "tandem/python/device.hpp"

namespace {

void raise(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const tandem::python::Failure& failure) {
    const pybind11::object made =
        pybind11::module_::import("tandem.errors")
            .attr("failure")(tandem::name(failure.error.fault), failure.error.text, failure.opening);
    PyErr_SetObject(pybind11::type::handle_of(made).ptr(), made.ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_tandem, module) {
  namespace python = tandem::python;
  module.attr("__version__") = TANDEM_VERSION;
  pybind11::register_exception_translator(&raise);
  pybind11::class_<python::Device> robot(module, "Robot");
  robot.def(pybind11::init<const std::string&, double, bool, double, const std::string&>())
      .def("close", &python::Device::close)
      .def_property_readonly("joined", &python::Device::joined)
      .def_property_readonly("page", &python::Device::page)
      .def("cubes", &python::Device::cubes);
  python::bind_arm(robot);
  python::bind_readings(robot);
  python::bind_gripper(module, robot);
  python::bind_virtual(module);
  python::bind_legs(module);
  python::bind_cables(module);
  python::bind_arm_kinematics(module);
  python::bind_batches(module);
  python::bind_messages(module);
  python::bind_ros(module);
  python::bind_recording(module);
}
