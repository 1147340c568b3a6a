// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/api/values.hpp"

#include <numbers>

namespace tandem::ur3e {
namespace {

template <typename Function>
Six each(const Six& a, const Six& b, Function function) {
  Six out{};
  for (std::size_t i = 0; i < 6; ++i) out[i] = function(a[i], b[i]);
  return out;
}

template <typename Function>
Six each(const Six& a, Function function) {
  Six out{};
  for (std::size_t i = 0; i < 6; ++i) out[i] = function(a[i]);
  return out;
}

constexpr auto sum = [](double a, double b) { return a + b; };
constexpr auto difference = [](double a, double b) { return a - b; };

}  // namespace

Joint6D Joint6D::from_degrees(const Six& q) {
  return from_radians(each(q, [](double angle) { return angle * std::numbers::pi / 180; }));
}

kinematics::ur::Joints Joint6D::vector() const { return kinematics::ur::Joints(list().data()); }

Joint6D operator+(const Joint6D& a, const Joint6D& b) { return Joint6D::from_radians(each(a.list(), b.list(), sum)); }
Joint6D operator-(const Joint6D& a, const Joint6D& b) {
  return Joint6D::from_radians(each(a.list(), b.list(), difference));
}
Joint6D operator*(const Joint6D& a, double factor) {
  return Joint6D::from_radians(each(a.list(), [&](double value) { return value * factor; }));
}
Joint6D operator/(const Joint6D& a, double divisor) {
  return Joint6D::from_radians(each(a.list(), [&](double value) { return value / divisor; }));
}

TCP6D TCP6D::from_millimetres_radians(const Six& pose) {
  return {pose[0] / 1000, pose[1] / 1000, pose[2] / 1000, pose[3], pose[4], pose[5]};
}

TCP6D TCP6D::from(const Pose& pose) {
  const kinematics::ur::PoseVector vector = kinematics::ur::vector_from_pose(pose);
  return {vector[0], vector[1], vector[2], vector[3], vector[4], vector[5]};
}

Pose TCP6D::pose() const { return kinematics::ur::pose_from_vector(kinematics::ur::PoseVector(list().data())); }

TCP6D operator+(const TCP6D& a, const TCP6D& b) { return TCP6D::from_metres_radians(each(a.list(), b.list(), sum)); }
TCP6D operator-(const TCP6D& a, const TCP6D& b) {
  return TCP6D::from_metres_radians(each(a.list(), b.list(), difference));
}
TCP6D operator*(const TCP6D& a, double factor) {
  return TCP6D::from_metres_radians(each(a.list(), [&](double value) { return value * factor; }));
}
TCP6D operator/(const TCP6D& a, double divisor) {
  return TCP6D::from_metres_radians(each(a.list(), [&](double value) { return value / divisor; }));
}

TCP6D compose(const TCP6D& a, const TCP6D& b) { return TCP6D::from(a.pose() * b.pose()); }

std::vector<Joint6DDescriptor> Joint6DDescriptor::list_of(std::span<const Joint6D> joints, double a, double v, double t,
                                                          double r) {
  std::vector<Joint6DDescriptor> out;
  for (const Joint6D& q : joints) out.push_back({q, a, v, t, r});
  return out;
}

std::vector<TCP6DDescriptor> TCP6DDescriptor::list_of(std::span<const TCP6D> poses, double a, double v, double t,
                                                      double r) {
  std::vector<TCP6DDescriptor> out;
  for (const TCP6D& pose : poses) out.push_back({pose, a, v, t, r});
  return out;
}

TCP6D displaced(const TCP6D& from, DirectionFeature feature, DirectionAxis axis, double distance) {
  const int index = static_cast<int>(axis);
  Eigen::Vector3d step = Eigen::Vector3d::Zero();
  step[index / 2] = index % 2 == 0 ? distance : -distance;
  Pose pose = from.pose();
  pose.translation() += feature == DirectionFeature::tool ? Eigen::Vector3d(pose.linear() * step) : step;
  TCP6D out = TCP6D::from_metres_radians(from.list());
  out.x = pose.translation().x();
  out.y = pose.translation().y();
  out.z = pose.translation().z();
  return out;
}

}  // namespace tandem::ur3e
