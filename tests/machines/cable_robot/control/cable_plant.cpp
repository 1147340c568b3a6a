// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/cable_robot/control/cable_plant.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tandem::cable_robot::test {
namespace {

bool has_bit(std::uint16_t bits, int i) { return ((bits >> i) & 1) != 0; }

}  // namespace

CablePlant::CablePlant(const cables::Robot& robot, const Pose& pose, const cables::PerCable& tensions)
    : design_(robot.design()), unwound_(robot.cables()), speeds_(cables::PerCable::Zero(robot.cables())) {
  body_.place = pose.translation();
  body_.attitude = Eigen::Quaterniond(pose.linear());
  for (int i = 0; i < unwound_.size(); ++i) unwound_[i] = span(body_, i).norm() / (1 + tensions[i] / design_.stiffness);
}

WinchFeedback CablePlant::feedback() const {
  WinchFeedback all;
  const auto count = unwound_.size();
  all.lengths.resize(count);
  all.tensions.resize(count);
  all.speeds = speeds_;
  for (int i = 0; i < count; ++i) {
    all.lengths[i] = std::round(unwound_[i] * 1e7) / 1e7;
    all.tensions[i] = std::round(tension(i) * 1e3) / 1e3;
  }
  all.ready = all.enabled = true;
  return all;
}

void CablePlant::run(const WinchCommand& command, double dt) {
  const int pieces = std::max(1, static_cast<int>(std::ceil(dt / 0.00034)));
  const double piece = dt / pieces;
  for (int k = 0; k < pieces; ++k) {
    turn_drums(command, k * piece, piece);
    move_body(piece);
  }
}

Eigen::Vector3d CablePlant::span(const Body& body, int i) const {
  const cables::Cable& cable = design_.cables[static_cast<std::size_t>(i)];
  return cable.frame - body.place - body.attitude * cable.platform;
}

double CablePlant::pull(const Body& body, int i) const {
  if (has_bit(cut, i)) return 0;
  const Eigen::Vector3d to_frame = span(body, i);
  const double length = to_frame.norm();
  if (length <= unwound_[i]) return 0;
  const Eigen::Vector3d arm = body.attitude * design_.cables[static_cast<std::size_t>(i)].platform;
  const double growth = -to_frame.dot(body.velocity + body.spin.cross(arm)) / length;
  const double elastic = design_.stiffness * (length - unwound_[i]) / unwound_[i];
  return std::max(0.0, elastic + damping * (growth - speeds_[i]));
}

void CablePlant::turn_drums(const WinchCommand& command, double age, double dt) {
  for (int i = 0; i < unwound_.size(); ++i) {
    double speed = 0;
    if (command.mode == WinchMode::length) {
      const double target = command.lengths[i] + command.speeds[i] * age;
      speed = command.speeds[i] + (target - unwound_[i]) / lag;
    }
    if (command.mode == WinchMode::tension) {
      const double excess = pull(body_, i) - command.tensions[i];
      speed = command.speeds[i] + 0.5 / lag * excess * unwound_[i] / design_.stiffness;
    }
    if (has_bit(stuck, i)) speed = 0;
    speeds_[i] = std::clamp(speed, -fastest, fastest);
    unwound_[i] += speeds_[i] * dt;
  }
}

CablePlant::Change CablePlant::change(const Body& body) const {
  const double mass = design_.mass + added_mass;
  Eigen::Vector3d force = push + Eigen::Vector3d(0, 0, -9.81 * mass), moment = Eigen::Vector3d::Zero();
  for (int i = 0; i < unwound_.size(); ++i) {
    const double tension = pull(body, i);
    if (tension <= 0) continue;
    const Eigen::Vector3d along = span(body, i).normalized() * tension;
    force += along;
    moment += (body.attitude * design_.cables[static_cast<std::size_t>(i)].platform).cross(along);
  }
  const Eigen::Matrix3d turned = body.attitude.toRotationMatrix();
  const Eigen::Matrix3d inertia = turned * design_.inertia * turned.transpose();
  const Eigen::Vector3d momentum = inertia * body.spin;
  const Eigen::Vector3d spin_up = inertia.inverse() * (moment - body.spin.cross(momentum));
  return {body.velocity, force / mass, body.spin, spin_up};
}

CablePlant::Body CablePlant::after(const Body& body, const Change& change, double dt) {
  Body next;
  next.place = body.place + change.velocity * dt;
  next.velocity = body.velocity + change.acceleration * dt;
  const Eigen::Vector3d turn = change.spin * dt;
  const double angle = turn.norm();
  const Eigen::Quaterniond by =
      angle > 0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle)) : Eigen::Quaterniond::Identity();
  next.attitude = (by * body.attitude).normalized();
  next.spin = body.spin + change.spin_up * dt;
  return next;
}

void CablePlant::move_body(double dt) {
  const Change a = change(body_), b = change(after(body_, a, dt / 2)), c = change(after(body_, b, dt / 2)),
               d = change(after(body_, c, dt));
  const Change mean{(a.velocity + 2 * b.velocity + 2 * c.velocity + d.velocity) / 6,
                    (a.acceleration + 2 * b.acceleration + 2 * c.acceleration + d.acceleration) / 6,
                    (a.spin + 2 * b.spin + 2 * c.spin + d.spin) / 6,
                    (a.spin_up + 2 * b.spin_up + 2 * c.spin_up + d.spin_up) / 6};
  body_ = after(body_, mean, dt);
}

}  // namespace tandem::cable_robot::test
