// SPDX-License-Identifier: Apache-2.0
// The motion of the Orca once more, by other means: Kirchhoff's momenta of hull and moving water, in the frame that
// drifts with the water, by Runge and Kutta. Shares only the description's numbers with the code under test.
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {

struct FossenOracle {
  struct State {
    Eigen::Vector3d position;     // m, map, of base_link, as seen from the drifting water
    Eigen::Quaterniond attitude;  // map from body
    Eigen::Vector3d linear;       // momentum, body axes
    Eigen::Vector3d angular;      // momentum about base_link, body axes
  };

  Hull hull;
  Eigen::Vector3d current = Eigen::Vector3d::Zero();
  std::array<double, thruster_count> asked{};  // N, from time zero on
  double lag = 0.05;                           // s
  double time = 0;
  State state{};

  explicit FossenOracle(const Eigen::Vector3d& start, const Eigen::Vector3d& flow = Eigen::Vector3d::Zero())
      : current(flow) {
    state.position = start;
    state.attitude.setIdentity();
    Eigen::Matrix<double, 6, 1> velocity;
    velocity << -current, Eigen::Vector3d::Zero();
    const Eigen::Matrix<double, 6, 1> momentum = inertia_of_all() * velocity;
    state.linear = momentum.head<3>();
    state.angular = momentum.tail<3>();
  }

  static Eigen::Matrix3d skew(const Eigen::Vector3d& v) {
    Eigen::Matrix3d m;
    for (int i = 0; i < 3; ++i) m.col(i) = v.cross(Eigen::Vector3d::Unit(i));
    return m;
  }

  Eigen::Matrix<double, 6, 6> inertia_of_all() const {
    const double x = hull.size.x(), y = hull.size.y(), z = hull.size.z(), m = hull.mass;
    const Eigen::Vector3d box(m * (y * y + z * z) / 12, m * (x * x + z * z) / 12, m * (x * x + y * y) / 12);
    const Eigen::Vector3d& c = hull.centre_of_mass;
    Eigen::Matrix<double, 6, 6> all;
    all.topLeftCorner<3, 3>() = Eigen::Vector3d(hull.added_mass.array() + m).asDiagonal();
    all.topRightCorner<3, 3>() = -m * skew(c);
    all.bottomLeftCorner<3, 3>() = m * skew(c);
    all.bottomRightCorner<3, 3>() = m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose()) +
                                    Eigen::Matrix3d(Eigen::Vector3d(box + hull.added_inertia).asDiagonal());
    return all;
  }

  Eigen::Matrix<double, 6, 1> velocity(const State& s) const {
    Eigen::Matrix<double, 6, 1> momentum;
    momentum << s.linear, s.angular;
    return inertia_of_all().fullPivLu().solve(momentum);
  }

  State rate(const State& s, double t) const {
    const Eigen::Matrix<double, 6, 1> both = velocity(s);
    const Eigen::Vector3d v = both.head<3>(), w = both.tail<3>();
    const Eigen::Vector3d down = s.attitude.conjugate() * Eigen::Vector3d(0, 0, -9.81);
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
    const auto push = [&](const Eigen::Vector3d& at, const Eigen::Vector3d& f) {
      force += f;
      torque += at.cross(f);
    };
    push(hull.centre_of_mass, hull.mass * down);
    push(hull.centre_of_buoyancy, -(hull.mass + hull.surplus) * down);
    const auto all = thrusters();
    for (std::size_t i = 0; i < all.size(); ++i)
      push(all[i].position, asked[i] * (1 - std::exp(-t / lag)) * all[i].direction);
    for (int i = 0; i < 3; ++i) {
      force[i] -= hull.drag[i] * std::abs(v[i]) * v[i] + hull.linear_damping[i] * v[i];
      torque[i] -= hull.angular_drag[i] * std::abs(w[i]) * w[i] + hull.angular_damping[i] * w[i];
    }
    State out;
    out.position = s.attitude * v;
    out.attitude.coeffs() = 0.5 * (s.attitude * Eigen::Quaterniond(0, w.x(), w.y(), w.z())).coeffs();
    out.linear = s.linear.cross(w) + force;
    out.angular = s.angular.cross(w) + s.linear.cross(v) + torque;
    return out;
  }

  static State plus(const State& s, const State& rate, double h) {
    State out{s.position + h * rate.position, s.attitude, s.linear + h * rate.linear, s.angular + h * rate.angular};
    out.attitude.coeffs() += h * rate.attitude.coeffs();
    return out;
  }

  void step(double h) {
    const State a = rate(state, time);
    const State b = rate(plus(state, a, h / 2), time + h / 2);
    const State c = rate(plus(state, b, h / 2), time + h / 2);
    const State d = rate(plus(state, c, h), time + h);
    for (const auto& [part, weight] : {std::pair{a, 1.0}, {b, 2.0}, {c, 2.0}, {d, 1.0}})
      state = plus(state, part, weight * h / 6);
    state.attitude.normalize();
    time += h;
  }

  Eigen::Vector3d map_position() const { return state.position + time * current; }
};

}  // namespace tandem::orca
