// SPDX-License-Identifier: Apache-2.0
// A virtual controller with a hand at its pendant, for tests of those who use the robot.
#include "tandem/machines/ur3e/virtual/device.hpp"

#include <thread>

#include "tandem/python/binding.hpp"

namespace tandem::python {
namespace {

class VirtualController {
 public:
  VirtualController()
      : device_(ur3e::make_virtual_device(setup())), thread_([this](std::stop_token stop) { device_->run(stop); }) {}

  std::string url() const { return device_->url(); }
  void close() {
    const pybind11::gil_scoped_release released;
    thread_ = {};  // asks it to stop, and waits
    device_.reset();
  }
  ~VirtualController() { close(); }
  VirtualController(const VirtualController&) = delete;
  VirtualController& operator=(const VirtualController&) = delete;

  ur3e::PendantScript pendant;

 private:
  ur3e::VirtualDeviceSetup setup() {
    ur3e::VirtualDeviceSetup made;
    made.clock = &clock_;
    made.script = &pendant;
    return made;
  }

  SystemClock clock_;
  std::unique_ptr<machines::VirtualDevice> device_;
  std::jthread thread_;
};

}  // namespace

void bind_virtual(pybind11::module_& module) {
  pybind11::class_<VirtualController>(module, "VirtualController")
      .def(pybind11::init<>())
      .def_property_readonly("url", &VirtualController::url)
      .def("protective_stop", [](VirtualController& self) { self.pendant.protective_stop = true; })
      .def("emergency_stop", [](VirtualController& self, bool pressed) { self.pendant.emergency_stop = pressed; })
      .def("stop_program", [](VirtualController& self) { self.pendant.program_stop = true; })
      .def("power_cycle", [](VirtualController& self) { self.pendant.power_cycle = true; })
      .def("local_control", [](VirtualController& self, bool local) { self.pendant.local_control = local; })
      .def("close", &VirtualController::close);
}

}  // namespace tandem::python
