// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/description.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::ur3e {
namespace {

// As Universal Robots publishes them: in the Denavit-Hartenberg frame at the far end of each link.
struct PublishedLink {
  double mass;                   // kg
  std::array<double, 3> centre;  // m
  std::array<double, 6> tensor;  // xx, xy, xz, yy, yz, zz; kg m^2
};
constexpr std::array<PublishedLink, 6> published = {
    {{1.98, {0, -0.02, 0}, {0.0027657, 0.0000096, -0.0000149, 0.0021501, 0.0001873, 0.0025626}},
     {3.4445, {0.13, 0, 0.1157}, {0.0042623, -0.0000409, -0.0014960, 0.0460284, -0.0000129, 0.0448947}},
     {1.437, {0.05, 0, 0.0238}, {0.0010511, 0, -0.0000331, 0.0113396, 0.0000022, 0.0110895}},
     {0.871, {0, 0, 0.01}, {0.0008174, -0.0000005, 0.0000021, 0.0006844, 0.0000617, 0.0005497}},
     {0.805, {0, 0, 0.01}, {0.0006059, -0.0000006, -0.0000006, 0.0005837, -0.0000271, 0.0003831}},
     {0.261, {0, 0, -0.02}, {0.0001080, -0.0000001, -0.0000001, 0.0001086, -0.0000002, 0.0001371}}}};

// X_link_far: a link's frame lies on its own joint, the published one at the next joint.
Pose far_frame(std::size_t link) {
  return pose_from({arm_model.a[link], 0, 0}, rotation_from_rpy(arm_model.alpha[link], 0, 0));
}

Eigen::Matrix3d symmetric(const std::array<double, 6>& t) {
  Eigen::Matrix3d tensor;
  tensor << t[0], t[1], t[2], t[1], t[3], t[4], t[2], t[4], t[5];
  return tensor;
}

}  // namespace

Joints home() {
  constexpr double quarter = std::numbers::pi / 2;
  return {0.0, -quarter, 0.0, -quarter, 0.0, 0.0};
}

Inertia link_inertia(std::size_t link) {
  const PublishedLink& row = published[link];
  const Pose X_link_far = far_frame(link);
  const Eigen::Matrix3d R = X_link_far.linear();
  return {row.mass, X_link_far * Eigen::Vector3d(row.centre[0], row.centre[1], row.centre[2]),
          R * symmetric(row.tensor) * R.transpose()};
}

Inertia base_inertia() {
  // A cylinder; its mass is what remains of the arm's 11.2 kg, about.
  constexpr double mass = 2.0, radius = 0.075, length = 0.038;
  const double across = mass * (3 * radius * radius + length * length) / 12;
  return {mass, Eigen::Vector3d::Zero(), Eigen::Vector3d(across, across, mass * radius * radius / 2).asDiagonal()};
}

Pose link_frame(std::size_t link) {
  const Pose up = pose_from({0, 0, arm_model.d[link]}, Eigen::Matrix3d::Identity());
  return link == 0 ? up : far_frame(link - 1) * up;
}

std::span<const Tube> tubes() {
  static const std::array<Tube, 13> all = {{
      {frames::base_link_inertia, {0, 0, 0.03}, {0, 0, 0.06}, 0.064},
      {link_names[0], {0, 0, -0.03}, {0, 0, 0}, 0.055},
      {link_names[0], {0, 0, 0}, {0, -0.06, 0}, 0.055},
      {link_names[1], {0, 0, 0.12}, {arm_model.a[1], 0, 0.12}, 0.050},
      {link_names[1], {arm_model.a[1], 0, 0.07}, {arm_model.a[1], 0, 0.12}, 0.045},
      {link_names[2], {0, 0, 0.027}, {arm_model.a[2], 0, 0.027}, 0.038},
      {link_names[3], {0, 0, -0.07}, {0, 0, 0}, 0.035},
      {link_names[3], {0, 0, 0}, {0, -0.04, 0}, 0.035},
      {link_names[4], {0, 0, -0.02}, {0, 0, 0}, 0.035},
      {link_names[4], {0, 0, 0}, {0, 0.04, 0}, 0.035},
      {link_names[5], {0, 0, -0.040}, {0, 0, -0.032}, 0.032},
      {hand::link, {0, 0, 0.037}, {0, 0, 0.075}, 0.037},
      {hand::link, {-0.02, 0, 0.085}, {0.02, 0, 0.085}, 0.020},
  }};
  return all;
}

namespace hand {

Inertia inertia() { return {0.994, {0, 0, 0.053}, Eigen::Vector3d(1.2e-3, 1.2e-3, 5.5e-4).asDiagonal()}; }

double mass() { return inertia().mass + 2 * finger_mass; }

Eigen::Vector3d centre() {
  const Inertia casing = inertia();
  const Eigen::Vector3d fingers(0, 0, (finger_root + reach) / 2);
  return (casing.mass * casing.centre + 2 * finger_mass * fingers) / mass();
}

namespace {
constexpr double open_reading = 3;
constexpr double closed_reading = 250;
}  // namespace

double finger_from_position(double position) {
  const double part = (closed_reading - position) / (closed_reading - open_reading);
  return finger_stroke * std::clamp(part, 0.0, 1.0);
}

std::uint8_t position_from_finger(double finger) {
  const double part = std::clamp(finger / finger_stroke, 0.0, 1.0);
  return static_cast<std::uint8_t>(std::lround(closed_reading - part * (closed_reading - open_reading)));
}

double speed_from(std::uint8_t speed) { return least_speed + (most_speed - least_speed) * speed / 255.0; }

double force_from(std::uint8_t force) { return least_force + (most_force - least_force) * force / 255.0; }

}  // namespace hand
}  // namespace tandem::ur3e
