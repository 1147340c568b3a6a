// SPDX-License-Identifier: Apache-2.0
// Moves, tool and modes of the arm.
#include <pybind11/stl.h>

#include <array>
#include <tuple>
#include <vector>

#include "tandem/python/device.hpp"

namespace tandem::python {
namespace {

using ur3e::Joint6D;
using ur3e::Robot;
using ur3e::Six;
using ur3e::TCP6D;
using Point = std::tuple<Six, double, double, double, double>;  // target, a, v, t, r

template <typename Call>
bool move(Device& device, bool wait, Call call) {
  return wait ? device.patient(call) : device.quick(call);
}

bool movej(Device& self, const Six& q, double a, double v, double t, double r, bool wait) {
  return move(self, wait, [&](Robot& robot) { return robot.movej(Joint6D::from_radians(q), a, v, t, r, wait); });
}

bool movel(Device& self, const Six& pose, double a, double v, double t, double r, bool wait) {
  return move(self, wait,
              [&](Robot& robot) { return robot.movel(TCP6D::from_metres_radians(pose), a, v, t, r, wait); });
}

bool movep(Device& self, const Six& pose, double a, double v, double r, bool wait) {
  return move(self, wait, [&](Robot& robot) { return robot.movep(TCP6D::from_metres_radians(pose), a, v, r, wait); });
}

bool movec(Device& self, const Six& via, const Six& to, double a, double v, double r, bool wait) {
  return move(self, wait, [&](Robot& robot) {
    return robot.movec(TCP6D::from_metres_radians(via), TCP6D::from_metres_radians(to), a, v, r, wait);
  });
}

bool movej_waypoints(Device& self, const std::vector<Point>& points, bool wait) {
  std::vector<ur3e::Joint6DDescriptor> path;
  for (const auto& [q, a, v, t, r] : points) path.push_back({Joint6D::from_radians(q), a, v, t, r});
  return move(self, wait, [&](Robot& robot) { return robot.movej_waypoints(path, wait); });
}

bool movel_waypoints(Device& self, const std::vector<Point>& points, bool wait) {
  std::vector<ur3e::TCP6DDescriptor> path;
  for (const auto& [pose, a, v, t, r] : points) path.push_back({TCP6D::from_metres_radians(pose), a, v, t, r});
  return move(self, wait, [&](Robot& robot) { return robot.movel_waypoints(path, wait); });
}

bool move_linear(Device& self, const Six& from, int feature, int axis, double distance_mm, double a, double v) {
  return self.patient([&](Robot& robot) {
    return robot.move_linear_direction_until(TCP6D::from_metres_radians(from),
                                             static_cast<ur3e::DirectionFeature>(feature),
                                             static_cast<ur3e::DirectionAxis>(axis), distance_mm, a, v);
  });
}

void force_mode(Device& self, const Six& frame, const std::array<bool, 6>& compliant, const Six& wrench, int type,
                const Six& limits) {
  self.quick([&](Robot& robot) { return robot.force_mode({frame, compliant, wrench, type, limits}); });
}

void bind_moves(pybind11::class_<Device>& robot) {
  robot.def("movej", &movej)
      .def("movel", &movel)
      .def("movep", &movep)
      .def("movec", &movec)
      .def("movej_waypoints", &movej_waypoints)
      .def("movel_waypoints", &movel_waypoints)
      .def("move_linear_direction_until", &move_linear)
      .def("stopj", [](Device& self, double a,
                       bool wait) { return move(self, wait, [&](Robot& arm) { return arm.stopj(a, wait); }); })
      .def("stopl", [](Device& self, double a,
                       bool wait) { return move(self, wait, [&](Robot& arm) { return arm.stopl(a, wait); }); })
      .def("servoj",
           [](Device& self, const Six& q, double t, double lookahead, double gain) {
             return self.quick([&](Robot& arm) { return arm.servoj(Joint6D::from_radians(q), t, lookahead, gain); });
           })
      .def("speedj",
           [](Device& self, const Six& speeds, double a, double t, bool wait) {
             return move(self, wait, [&](Robot& arm) { return arm.speedj(speeds, a, t, wait); });
           })
      .def("speedl", [](Device& self, const Six& twist, double a, double t, bool wait) {
        return move(self, wait, [&](Robot& arm) { return arm.speedl(twist, a, t, wait); });
      });
}

}  // namespace

void bind_arm(pybind11::class_<Device>& robot) {
  bind_moves(robot);
  robot
      .def("set_tcp",
           [](Device& self, const Six& offset) {
             self.quick([&](Robot& arm) { return arm.set_tcp(TCP6D::from_metres_radians(offset)); });
           })
      .def("set_payload",
           [](Device& self, double mass, const std::array<double, 3>& centre) {
             self.quick([&](Robot& arm) { return arm.set_payload(mass, centre); });
           })
      .def("freedrive_mode", [](Device& self) { self.quick([](Robot& arm) { return arm.freedrive_mode(); }); })
      .def("end_freedrive_mode", [](Device& self) { self.quick([](Robot& arm) { return arm.end_freedrive_mode(); }); })
      .def("force_mode", &force_mode)
      .def("end_force_mode", [](Device& self) { self.quick([](Robot& arm) { return arm.end_force_mode(); }); })
      .def("zero_ftsensor", [](Device& self) { self.quick([](Robot& arm) { return arm.zero_ftsensor(); }); })
      .def("sync", [](Device& self) { self.quick([](Robot& arm) { return arm.sync(); }); })
      .def("reset_error", [](Device& self) { self.patient([](Robot& arm) { return arm.reset_error(); }); })
      .def("arm", [](Device& self) { self.patient([](Robot& arm) { return arm.arm(); }); })
      .def("disarm", [](Device& self) { self.patient([](Robot& arm) { return arm.disarm(); }); });
}

}  // namespace tandem::python
