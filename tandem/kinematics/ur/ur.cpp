// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/ur.hpp"

#include <cmath>
#include <numbers>

namespace tandem::kinematics::ur {
namespace {

using std::numbers::pi;

constexpr std::array<double, 6> degrees(double base, double shoulder, double elbow, double w1, double w2, double w3) {
  constexpr double k = pi / 180;
  return {base * k, shoulder * k, elbow * k, w1 * k, w2 * k, w3 * k};
}

// What an arm of the family has of its own.
struct Own {
  const char* name;
  double a2, a3, d1, d4, d5, d6;
  std::array<double, 6> speed, torque;
};

constexpr Model family(const Own& own) {
  Model m{};
  m.name = own.name;
  m.a = {0, own.a2, own.a3, 0, 0, 0};
  m.d = {own.d1, 0, 0, own.d4, own.d5, own.d6};
  m.alpha = {pi / 2, 0, 0, pi / 2, -pi / 2, 0};
  m.lowest = degrees(-360, -360, -360, -360, -360, -360);
  m.highest = degrees(360, 360, 360, 360, 360, 360);
  m.speed = own.speed;
  m.acceleration = {40, 40, 40, 40, 40, 40};
  m.torque = own.torque;
  return m;
}

}  // namespace

// Universal Robots, "DH parameters for calculations of kinematics and dynamics", and the data sheets' joint speeds.
constinit const Model ur3e = family({"ur3e",
                                     -0.24355,
                                     -0.2132,
                                     0.15185,
                                     0.13105,
                                     0.08535,
                                     0.0921,
                                     degrees(180, 180, 180, 360, 360, 360),
                                     {54, 54, 28, 9, 9, 9}});
constinit const Model ur5e = family({"ur5e",
                                     -0.425,
                                     -0.3922,
                                     0.1625,
                                     0.1333,
                                     0.0997,
                                     0.0996,
                                     degrees(180, 180, 180, 180, 180, 180),
                                     {150, 150, 150, 28, 28, 28}});
constinit const Model ur10e = family({"ur10e",
                                      -0.6127,
                                      -0.57155,
                                      0.1807,
                                      0.17415,
                                      0.11985,
                                      0.11655,
                                      degrees(120, 120, 180, 180, 180, 180),
                                      {330, 330, 150, 56, 56, 56}});
constinit const Model ur16e = family({"ur16e",
                                      -0.4784,
                                      -0.36,
                                      0.1807,
                                      0.17415,
                                      0.11985,
                                      0.11655,
                                      degrees(120, 120, 180, 180, 180, 180),
                                      {330, 330, 150, 56, 56, 56}});
constinit const Model ur20 = family({"ur20",
                                     -0.862,
                                     -0.7287,
                                     0.2363,
                                     0.201,
                                     0.1593,
                                     0.1543,
                                     degrees(120, 120, 150, 210, 210, 210),
                                     {738, 738, 433, 107, 107, 107}});
constinit const Model ur30 = family({"ur30",
                                     -0.637,
                                     -0.5037,
                                     0.2363,
                                     0.201,
                                     0.1593,
                                     0.1543,
                                     degrees(120, 120, 150, 210, 210, 210),
                                     {738, 738, 433, 107, 107, 107}});

const Model* model_named(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (const Model* model : {&ur3e, &ur5e, &ur10e, &ur16e, &ur20, &ur30}) {
    const std::string_view own = model->name;
    bool same = own.size() == name.size();
    for (std::size_t i = 0; same && i < own.size(); ++i) same = own[i] == lower(name[i]);
    if (same) return model;
  }
  return nullptr;
}

Pose forward(const Model& m, const Joints& q, const kernel::Kernels& kernels) {
  if (!(q.cwiseAbs().maxCoeff() <= 1e4)) return link_poses(m, q).back();
  const kernel::Numbers numbers = {m.a[1], m.a[2], m.d[0], m.d[3], m.d[4], m.d[5], 0, 0, 0, 0};
  Pose X;
  kernels.flange(numbers, q.data(), X.matrix().data());
  return X;
}

std::array<Pose, 6> link_poses(const Model& m, const Joints& q) {
  std::array<Pose, 6> links;
  Pose X = Pose::Identity();
  for (std::size_t i = 0; i < 6; ++i) {
    const double s = std::sin(q[static_cast<int>(i)]), c = std::cos(q[static_cast<int>(i)]);
    // The angles alpha are quarter turns: rounded, so that no 6e-17 creeps in.
    const double sa = m.alpha[i] > 1 ? 1 : m.alpha[i] < -1 ? -1 : 0, ca = sa == 0 ? 1 : 0;
    Pose step;
    step.matrix() << c, -s * ca, s * sa, m.a[i] * c, s, c * ca, -c * sa, m.a[i] * s, 0, sa, ca, m.d[i], 0, 0, 0, 1;
    X = X * step;
    links[i] = X;
  }
  return links;
}

Jacobian jacobian(const Model& model, const Joints& q, const Eigen::Vector3d& point) {
  const auto links = link_poses(model, q);
  const Eigen::Vector3d tip = links[5] * point;
  Jacobian j;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ(), origin = Eigen::Vector3d::Zero();
  for (int i = 0; i < 6; ++i) {
    j.col(i) << axis.cross(tip - origin), axis;
    axis = links[static_cast<std::size_t>(i)].linear().col(2);
    origin = links[static_cast<std::size_t>(i)].translation();
  }
  return j;
}

Pose base_link_from_base() {
  Pose X = Pose::Identity();
  X.linear().diagonal() << -1, -1, 1;
  return X;
}

Pose pose_from_vector(const PoseVector& v) {
  return pose_from(v.head<3>(), quaternion_from_rotation_vector(v.tail<3>()).toRotationMatrix());
}

PoseVector vector_from_pose(const Pose& pose) {
  PoseVector v;
  v << pose.translation(), rotation_vector_from_quaternion(Eigen::Quaterniond(pose.linear()).normalized());
  return v;
}

bool finite(const Pose& pose) { return pose.matrix().topRows<3>().allFinite(); }

std::optional<int> outside_limits(const Model& model, const Joints& q) {
  for (int i = 0; i < 6; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!(q[i] >= model.lowest[k] && q[i] <= model.highest[k])) return i;
  }
  return std::nullopt;
}

}  // namespace tandem::kinematics::ur
