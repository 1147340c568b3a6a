// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tandem/base/linear.hpp"
#include "tandem/machines/orca/virtual/water.hpp"

namespace tandem::orca {
namespace {

constexpr double least_pulse = 800, most_pulse = 2200;  // us; beyond is no pulse of a servo
constexpr double least_timestep = 1e-4, most_timestep = 0.01;

void check_timestep(double seconds) {
  if (!(seconds >= least_timestep && seconds <= most_timestep))
    throw std::invalid_argument(fmt::format("time step of the Orca's physics: expected {} to {} s, got {}",
                                            least_timestep, most_timestep, seconds));
}

void check_place(const Pose& X_map_base, double seafloor) {
  if (!X_map_base.matrix().allFinite() || !X_map_base.linear().isUnitary(1e-6))
    throw std::invalid_argument(
        "position of the Orca: expected a finite pose with a rotation matrix, got something else");
  if (X_map_base.translation().z() < seafloor)
    throw std::invalid_argument(fmt::format("position of the Orca: expected above the sea floor at {} m, got z = {} m",
                                            seafloor, X_map_base.translation().z()));
}

BodyOptions checked(BodyOptions options) {
  check_timestep(options.model.timestep);
  check_place(options.X_map_start, options.hull.seafloor);
  if (!options.current.allFinite()) options.current.setZero();
  return options;
}

// What the sea floor did to the hull in the last step, about base_link, body axes.
Vector6 contact_wrench(const sim::World& world, sim::Body body, const Pose& X_map_base) {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  for (const sim::Contact& contact : world.contacts()) {
    const Eigen::Vector3d push = contact.b.index == body.index ? contact.force : Eigen::Vector3d(-contact.force);
    force += push;
    torque += (contact.position - X_map_base.translation()).cross(push);
  }
  Vector6 wrench;
  wrench << X_map_base.linear().transpose() * force, X_map_base.linear().transpose() * torque;
  return wrench;
}

}  // namespace

double thrust_from_pulse(double microseconds, double dead_band) {
  if (!(microseconds >= least_pulse && microseconds <= most_pulse)) return 0;
  const double off = microseconds - pwm_stop;
  if (std::abs(off) <= dead_band) return 0;
  const double u = std::clamp(off / pwm_swing, -1.0, 1.0);
  return most_thrust * u * std::abs(u);
}

Body::Body(const BodyOptions& options)
    : options_(checked(options)),
      thrusters_(thrusters()),
      rigid_(rigid_inertia(options_.hull)),
      world_(mjcf(options_.hull, options_.model)),
      body_(world_.body("orca")) {
  reset();
}

void Body::pulses(const Pulses& microseconds) {
  for (std::size_t i = 0; i < thruster_count; ++i) asked_[i] = thrust_from_pulse(microseconds[i], options_.dead_band);
}

void Body::current(const Eigen::Vector3d& velocity) {
  options_.current = velocity.allFinite() ? velocity : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

void Body::reset() {
  world_.reset();
  place(options_.X_map_start);
}

void Body::place(const Pose& X_map_base) {
  check_place(X_map_base, options_.hull.seafloor);
  world_.push(body_, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  world_.place(body_, X_map_base);
  world_.update();
  asked_.fill(0);
  truth_ = Truth{};
  observe();
  truth_.specific_force = X_map_base.linear().transpose() * Eigen::Vector3d(0, 0, gravity);
}

void Body::timestep(double seconds) {
  check_timestep(seconds);
  options_.model.timestep = seconds;
  const sim::Snapshot now = world_.save();
  world_ = sim::World(mjcf(options_.hull, options_.model));
  world_.restore(now);
}

bool Body::step() {
  const double dt = timestep();
  const double share = options_.thruster_lag > 0 ? -std::expm1(-dt / options_.thruster_lag) : 1;
  for (std::size_t i = 0; i < thruster_count; ++i) truth_.thrusts[i] += share * (asked_[i] - truth_.thrusts[i]);
  const Eigen::Vector3d before = truth_.velocity;
  drive();
  if (!world_.step()) return false;
  observe();
  const Eigen::Vector3d felt = (truth_.velocity - before) / dt + Eigen::Vector3d(0, 0, gravity);
  const Eigen::Quaterniond half_back = quaternion_from_rotation_vector(truth_.angular * dt / 2);
  truth_.specific_force = half_back * (truth_.X_map_base.linear().transpose() * felt);
  return true;
}

// The water's inertia cannot be given to MuJoCo (it differs between axes, and turns with the hull), and must not be fed
// back from the acceleration of the last step (it is larger than the mass: that grows without bound). So the
// acceleration is solved here for all inertia together, with the drag linearised so that it is stable at any speed,
// and MuJoCo is given the force that leads its own inertia to the same acceleration. Only what the sea floor does is
// taken from the last step: the error of that shrinks from step to step, whatever the inertias are, because
// added / (rigid + added) is less than one in the metric in which contacts are solved.
void Body::drive() {
  const Eigen::Matrix3d& R_map_base = truth_.X_map_base.linear();
  const Motion motion{R_map_base.transpose() * truth_.velocity, truth_.angular,
                      R_map_base.transpose() * options_.current};
  const Water water = water_on(options_.hull, motion, truth_.submerged);
  const Vector6 outer = water.wrench + thruster_wrench(thrusters_, truth_.thrusts, truth_.X_map_base) +
                        buoyancy_wrench(options_.hull, truth_.X_map_base, truth_.submerged);
  const Vector6 extra = water.added + timestep() * water.damping;
  const Vector6 all = outer + contact_wrench(world_, body_, truth_.X_map_base) +
                      rigid_wrench(options_.hull, rigid_, motion, R_map_base.transpose());
  Eigen::Matrix<double, 6, 6> inertia = rigid_;
  inertia.diagonal() += extra;
  const Vector6 acceleration = solve_positive(inertia, all);
  const Vector6 given = outer - extra.cwiseProduct(acceleration);
  const Eigen::Vector3d force = given.head<3>();
  const Eigen::Vector3d torque = given.tail<3>() - options_.hull.centre_of_mass.cross(force);
  world_.push(body_, R_map_base * force, R_map_base * torque);
}

void Body::observe() {
  truth_.time = world_.time();
  truth_.X_map_base = world_.pose(body_);
  const sim::Twist twist = world_.twist(body_);
  truth_.velocity = twist.linear;
  truth_.angular = truth_.X_map_base.linear().transpose() * twist.angular;
  truth_.submerged = submerged_part(options_.hull, truth_.X_map_base);
  truth_.grounded = std::ranges::any_of(world_.contacts(), [](const sim::Contact& c) { return c.normal > 0; });
}

}  // namespace tandem::orca
