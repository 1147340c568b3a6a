// SPDX-License-Identifier: Apache-2.0
// A cable robot to be controlled, of our own: a rigid body in elastic cables that only pull, drums of first order. Its
// equations are written here once more, so that what it tells is no echo of the code under test.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>

#include "tandem/kinematics/cable/robot.hpp"
#include "tandem/machines/cable_robot/winches.hpp"

namespace tandem::cable_robot::test {

class CablePlant {
 public:
  // At rest, with these tensions.
  CablePlant(const cables::Robot& robot, const Pose& pose, const cables::PerCable& tensions);

  double damping = 20;                             // N s/m of each cable
  double lag = 0.005;                              // s of the drums
  double fastest = 1;                              // m/s of the drums
  double added_mass = 0;                           // kg, at the platform's origin, that nobody knows of
  Eigen::Vector3d push = Eigen::Vector3d::Zero();  // N, world
  std::uint16_t cut = 0, stuck = 0;                // one bit for each cable

  Pose pose() const { return pose_from(body_.place, body_.attitude.toRotationMatrix()); }
  double tension(int i) const { return pull(body_, i); }
  double& unwound(int i) { return unwound_[i]; }
  // As the registers tell it: 0.1 um, 1 mN.
  WinchFeedback feedback() const;
  // The command's lengths go on with its speeds, as drives interpolate.
  void run(const WinchCommand& command, double dt);

 private:
  struct Body {
    Eigen::Vector3d place = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
    Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
    Eigen::Vector3d spin = Eigen::Vector3d::Zero();  // world axes
  };
  struct Change {
    Eigen::Vector3d velocity, acceleration, spin, spin_up;
  };
  Eigen::Vector3d span(const Body& body, int i) const;
  double pull(const Body& body, int i) const;
  void turn_drums(const WinchCommand& command, double age, double dt);
  Change change(const Body& body) const;
  static Body after(const Body& body, const Change& change, double dt);
  void move_body(double dt);

  cables::Design design_;
  Body body_;
  cables::PerCable unwound_, speeds_;
};

}  // namespace tandem::cable_robot::test
