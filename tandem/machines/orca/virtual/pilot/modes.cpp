// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/base/transforms.hpp"

namespace tandem::orca {
namespace {

constexpr double stick_dead_band = 0.03;
constexpr double most_guided_speed = 2;  // m/s
constexpr double lean_counts = 5;        // s, in ALT_HOLD

double live_stick(double stick) {
  if (!std::isfinite(stick) || std::abs(stick) < stick_dead_band) return 0;
  return std::clamp(stick, -1.0, 1.0);
}

double yaw_of(const Estimate& estimate) {
  const Eigen::Matrix3d R = estimate.q_ned_frd.toRotationMatrix();
  return std::atan2(R(1, 0), R(0, 0));
}

bool needs_position(Mode mode) { return mode == Mode::poshold || mode == Mode::guided || mode == Mode::automatic; }

}  // namespace

std::string_view mode_name(Mode mode) {
  switch (mode) {
    case Mode::stabilize:
      return "STABILIZE";
    case Mode::acro:
      return "ACRO";
    case Mode::alt_hold:
      return "ALT_HOLD";
    case Mode::automatic:
      return "AUTO";
    case Mode::guided:
      return "GUIDED";
    case Mode::circle:
      return "CIRCLE";
    case Mode::surface:
      return "SURFACE";
    case Mode::poshold:
      return "POSHOLD";
    case Mode::manual:
      return "MANUAL";
    case Mode::motor_detect:
      return "MOTOR_DETECT";
    case Mode::surftrak:
      return "SURFTRAK";
  }
  return {};
}

std::optional<Mode> mode_from(double number) {
  if (!(number >= 0 && number <= 255) || number != std::floor(number)) return std::nullopt;
  const auto mode = static_cast<Mode>(static_cast<std::uint8_t>(number));
  if (mode_name(mode).empty()) return std::nullopt;
  return mode;
}

Pilot::Pilot(const ModeSettings& settings, const Gains& gains)
    : settings_(settings), gains_(gains), attitude_(gains), velocity_(gains) {}

std::string_view Pilot::change(Mode mode, const Estimate& estimate) {
  if (mode == mode_) return {};
  if (mode == Mode::circle || mode == Mode::motor_detect || mode == Mode::surftrak) return "not available";
  if (mode != Mode::manual && !estimate.attitude_good) return "requires attitude";
  if (needs_position(mode) && !estimate.position_good) return "requires position";
  if (mode == Mode::automatic && mission_.empty()) return "missing mission";
  mode_ = mode;
  begin(estimate);
  return {};
}

std::string_view Pilot::arm(const Estimate& estimate, bool by_force) {
  if (armed_) return {};
  if (const std::string_view reason = unready(estimate); !by_force && !reason.empty()) return reason;
  armed_ = true;
  begin(estimate);
  return {};
}

std::string_view Pilot::unready(const Estimate& estimate) const {
  if (!estimate.attitude_good) return "AHRS: waiting for EKF";
  if (needs_position(mode_) && !estimate.position_good) return "Mode requires position";
  return {};
}

void Pilot::disarm() { armed_ = false; }

// Everything that is held begins where the vehicle is.
void Pilot::begin(const Estimate& estimate) {
  attitude_.reset();
  velocity_.reset();
  yaw_ = yaw_of(estimate);
  depth_ = estimate.position.z();
  place_.reset();
  carrot_.start(estimate.position);
  target_ = {.position = estimate.position};
  target_age_ = 0;
  last_destination_ = estimate.position;
  mission_speed_ = 0;
  lean_.reset();
  had_position_ = estimate.position_good;
  if (mode_ == Mode::automatic && mission_.done()) mission_.start(1);
}

bool Pilot::guide(const GuidedTarget& target, const Estimate& estimate) {
  if (mode_ != Mode::guided) return false;
  if (!target.position.allFinite() || !target.velocity.allFinite()) return false;
  if (!target.q_ned_frd.coeffs().allFinite() || !std::isfinite(target.climb)) return false;
  if ((target.yaw && !std::isfinite(*target.yaw)) || (target.yaw_rate && !std::isfinite(*target.yaw_rate)))
    return false;
  if (target.kind == GuidedTarget::Kind::position && target_.kind != GuidedTarget::Kind::position)
    carrot_.start(estimate.position);
  if (target.kind == GuidedTarget::Kind::attitude && target_.kind != GuidedTarget::Kind::attitude)
    depth_ = estimate.position.z();
  target_ = target;
  target_age_ = 0;
  if (target.yaw) yaw_ = *target.yaw;
  return true;
}

void Pilot::face(double yaw) {
  if (mode_ != Mode::guided && mode_ != Mode::automatic) return;
  yaw_ = yaw;
  target_.yaw_rate.reset();
}

void Pilot::hold(double depth) {
  if (mode_ == Mode::alt_hold && std::isfinite(depth)) depth_ = std::max(depth, settings_.surface_depth);
}

void Pilot::lean(const Eigen::Quaterniond& q_ned_frd) {
  if (mode_ != Mode::alt_hold || !q_ned_frd.coeffs().allFinite()) return;
  lean_ = q_ned_frd;
  lean_age_ = 0;
}

std::optional<Eigen::Vector3d> Pilot::destination() const {
  switch (mode_) {
    case Mode::guided:
      if (target_.kind == GuidedTarget::Kind::position) return target_.position;
      return std::nullopt;
    case Mode::automatic:
      return last_destination_;
    case Mode::poshold:
      if (place_) return Eigen::Vector3d(place_->x(), place_->y(), depth_);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Demand Pilot::step(const Estimate& estimate, const PilotInput& sticks, double dt) {
  if (!armed_) return {};
  const PilotInput live{live_stick(sticks.roll),     live_stick(sticks.pitch),   live_stick(sticks.yaw),
                        live_stick(sticks.throttle), live_stick(sticks.forward), live_stick(sticks.lateral)};
  switch (mode_) {
    case Mode::acro:
      return acro(estimate, live, dt);
    case Mode::stabilize:
      return attitude(estimate, live, dt) + Demand{0, 0, 0, live.throttle, live.forward, live.lateral};
    case Mode::alt_hold:
      return hold_depth(estimate, live, dt);
    case Mode::poshold:
      return hold_position(estimate, live, dt);
    case Mode::surface:
      return surface(estimate, live, dt);
    case Mode::guided:
      return guided(estimate, dt);
    case Mode::automatic:
      return automatic(estimate, dt);
    default:
      return live;
  }
}

// Level, or tilted as the sticks say; the heading is held unless it is being turned.
Demand Pilot::attitude(const Estimate& estimate, const PilotInput& sticks, double dt) {
  lean_age_ += dt;
  if (lean_ && lean_age_ <= lean_counts) {
    yaw_ = yaw_of(estimate);
    return demand_from(Eigen::Vector3d::Zero(), attitude_.hold(estimate, *lean_, 0, dt));
  }
  lean_.reset();
  const double rate = settings_.yaw_rate * sticks.yaw;
  const double now = yaw_of(estimate);
  if (rate != 0) {
    constexpr double lead = 0.5;  // rad; the heading that is wanted does not run away
    const double ahead = std::remainder(yaw_ + rate * dt - now, 2 * std::numbers::pi);
    yaw_ = now + std::clamp(ahead, -lead, lead);
  }
  const Eigen::Quaterniond wanted(
      rotation_from_rpy(settings_.most_angle * sticks.roll, settings_.most_angle * sticks.pitch, yaw_));
  return demand_from(Eigen::Vector3d::Zero(), attitude_.hold(estimate, wanted, rate, dt));
}

Demand Pilot::acro(const Estimate& estimate, const PilotInput& sticks, double dt) {
  const Eigen::Vector3d rates = settings_.acro_rate * Eigen::Vector3d(sticks.roll, sticks.pitch, sticks.yaw);
  return demand_from(Eigen::Vector3d::Zero(), attitude_.turn(estimate, rates, dt)) +
         Demand{0, 0, 0, sticks.throttle, sticks.forward, sticks.lateral};
}

// m/s downwards: what the stick wants, or what brings it back to the depth that is held.
double Pilot::climb_rate(const Estimate& estimate, double stick) {
  if (stick != 0) {
    depth_ = std::max(estimate.position.z(), settings_.surface_depth);
    const double wanted = stick > 0 ? -settings_.climb * stick : -settings_.dive * stick;
    const bool at_surface = wanted < 0 && estimate.position.z() <= settings_.surface_depth;
    return at_surface ? 0 : wanted;
  }
  return std::clamp(gains_.depth * (depth_ - estimate.position.z()), -settings_.climb, settings_.dive);
}

Demand Pilot::hold_depth(const Estimate& estimate, const PilotInput& sticks, double dt) {
  const Eigen::Vector3d wanted(0, 0, climb_rate(estimate, sticks.throttle));
  const Eigen::Vector3d force = velocity_.force(estimate, wanted, false, dt);
  return attitude(estimate, sticks, dt) + demand_from(force, Eigen::Vector3d::Zero()) +
         Demand{0, 0, 0, 0, sticks.forward, sticks.lateral};
}

// Where it came to rest after the sticks were let go.
Demand Pilot::hold_position(const Estimate& estimate, const PilotInput& sticks, double dt) {
  const bool steered = sticks.forward != 0 || sticks.lateral != 0;
  if (steered || !estimate.position_good) {
    place_.reset();
    velocity_.reset_level();
    return hold_depth(estimate, sticks, dt);
  }
  if (!place_) place_ = estimate.position.head<2>() + 0.5 * estimate.velocity.head<2>();
  Eigen::Vector2d level = gains_.position * (*place_ - estimate.position.head<2>());
  if (level.norm() > settings_.level_speed) level *= settings_.level_speed / level.norm();
  const Eigen::Vector3d wanted(level.x(), level.y(), climb_rate(estimate, sticks.throttle));
  const Eigen::Vector3d force = velocity_.force(estimate, wanted, true, dt);
  return attitude(estimate, sticks, dt) + demand_from(force, Eigen::Vector3d::Zero());
}

Demand Pilot::surface(const Estimate& estimate, const PilotInput& sticks, double dt) {
  const double above = estimate.position.z() - settings_.surface_depth;
  const Eigen::Vector3d wanted(0, 0, -std::clamp(gains_.depth * above, -settings_.down_speed, settings_.up_speed));
  const Eigen::Vector3d force = velocity_.force(estimate, wanted, false, dt);
  return attitude(estimate, sticks, dt) + demand_from(force, Eigen::Vector3d::Zero()) +
         Demand{0, 0, 0, 0, sticks.forward, sticks.lateral};
}

// Depth and heading are held until vision is back.
Demand Pilot::wait_for_position(const Estimate& estimate, double dt) {
  if (had_position_) depth_ = estimate.position.z();
  had_position_ = false;
  velocity_.reset_level();
  return hold_depth(estimate, {}, dt);
}

Demand Pilot::go(const Estimate& estimate, const Eigen::Vector3d& velocity, double dt) {
  const Eigen::Vector3d force = velocity_.force(estimate, velocity, true, dt);
  return attitude(estimate, {}, dt) + demand_from(force, Eigen::Vector3d::Zero());
}

Demand Pilot::go_to(const Estimate& estimate, const Eigen::Vector3d& destination, double dt) {
  last_destination_ = destination;
  const double level = mission_speed_ > 0 ? mission_speed_ : settings_.level_speed;
  const double vertical = destination.z() < carrot_.position().z() ? settings_.up_speed : settings_.down_speed;
  return go(estimate, carrot_.velocity(estimate, destination, level, vertical, gains_, dt), dt);
}

Demand Pilot::guided(const Estimate& estimate, double dt) {
  target_age_ += dt;
  if (target_.kind == GuidedTarget::Kind::attitude) return leaning(estimate, dt);
  if (!estimate.position_good) return wait_for_position(estimate, dt);
  if (!had_position_) carrot_.start(estimate.position);
  had_position_ = true;
  if (target_.yaw_rate && target_age_ <= settings_.guided_timeout)
    yaw_ = std::remainder(yaw_ + *target_.yaw_rate * dt, 2 * std::numbers::pi);
  if (target_.kind == GuidedTarget::Kind::position) return go_to(estimate, target_.position, dt);
  if (target_age_ > settings_.guided_timeout) {
    target_ = {.position = estimate.position};
    carrot_.start(estimate.position);
    return go_to(estimate, target_.position, dt);
  }
  Eigen::Vector3d wanted = target_.velocity;
  if (wanted.norm() > most_guided_speed) wanted *= most_guided_speed / wanted.norm();
  if (wanted.z() < 0 && estimate.position.z() < settings_.surface_depth) wanted.z() = 0;
  return go(estimate, wanted, dt);
}

// As it was commanded, and level at this depth when no commands arrive any more.
Demand Pilot::leaning(const Estimate& estimate, double dt) {
  const bool told = target_age_ <= settings_.lean_timeout;
  const double climb = told ? target_.climb : 0;
  if (climb != 0) depth_ = std::max(estimate.position.z(), settings_.surface_depth);
  const bool at_surface = climb > 0 && estimate.position.z() <= settings_.surface_depth;
  const double sink = climb != 0 && !at_surface ? -climb : gains_.depth * (depth_ - estimate.position.z());
  const Eigen::Vector3d wanted(0, 0, std::clamp(sink, -settings_.up_speed, settings_.down_speed));
  const Demand vertical = demand_from(velocity_.force(estimate, wanted, false, dt), Eigen::Vector3d::Zero());
  if (!told) return attitude(estimate, {}, dt) + vertical;
  yaw_ = yaw_of(estimate);
  return demand_from(Eigen::Vector3d::Zero(), attitude_.hold(estimate, target_.q_ned_frd, 0, dt)) + vertical;
}

Demand Pilot::automatic(const Estimate& estimate, double dt) {
  if (!estimate.position_good) return wait_for_position(estimate, dt);
  if (!had_position_) carrot_.start(estimate.position);
  had_position_ = true;
  const MissionFlight::Leg* leg = mission_.step(estimate, settings_.radius, dt);
  if (leg == nullptr) return go_to(estimate, last_destination_, dt);
  if (leg->yaw) yaw_ = *leg->yaw;
  if (leg->speed > 0) mission_speed_ = leg->speed;
  return go_to(estimate, leg->destination.value_or(last_destination_), dt);
}

}  // namespace tandem::orca
