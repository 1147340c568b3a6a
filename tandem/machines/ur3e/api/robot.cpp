// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/api/robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

constexpr double steady_speed = 0.01;  // rad/s
constexpr Duration look_for_offset = 5ms;
constexpr Duration shows_within = 50ms;  // a speed in the samples, after it was commanded

}  // namespace

ArmStatus Robot::status() const {
  if (arm_ != nullptr) return arm_->status();
  ArmStatus closed;
  closed.why = "the robot is closed";
  return closed;
}

Result<ArmState> Robot::state() const {
  if (arm_ == nullptr) return Error{Fault::closed, "the robot is closed"};
  auto newest = arm_->state();
  if (!newest) return Error{Fault::timeout, fmt::format("no sample yet: {}", status().why.view())};
  const Duration age = now() - newest->received;
  if (age > stale_after_)
    return Error{Fault::timeout, fmt::format("the newest sample is {:.0f} ms old, expected at most {:.0f} ms: {}",
                                             1000 * seconds(age), 1000 * seconds(stale_after_), status().why.view())};
  return *newest;
}

Result<bool> Robot::is_steady() const {
  auto here = state();
  if (!here) return std::move(here).error();
  // A motion is accepted before it shows in the speeds. One of a stream is done when it was taken.
  const Ticket motion = last_motion_;
  if (motion != 0 && !is_over(arm_->outcome(motion))) return false;
  if (now() - Instant(Duration(streamed_at_)) < shows_within) return false;
  return std::ranges::all_of(here->qd, [](double speed) { return std::abs(speed) < steady_speed; });
}

Result<Joint6D> Robot::actual_joint_positions() const {
  auto here = state();
  if (!here) return std::move(here).error();
  return Joint6D::from_radians(here->q);
}

Result<Six> Robot::actual_joint_speeds() const {
  auto here = state();
  if (!here) return std::move(here).error();
  return here->qd;
}

Result<TCP6D> Robot::actual_tcp_pose() const {
  auto here = state();
  if (!here) return std::move(here).error();
  return TCP6D::from_metres_radians(here->tcp_pose);
}

Result<Six> Robot::actual_tcp_speed() const {
  auto here = state();
  if (!here) return std::move(here).error();
  return here->tcp_speed;
}

Result<Six> Robot::tcp_force() const {
  auto here = state();
  if (!here) return std::move(here).error();
  if (std::isnan(here->tcp_force[0])) return Error{Fault::unsupported, "tcp force: not available on this arm"};
  return here->tcp_force;
}

Result<double> Robot::force() const {
  auto wrench = tcp_force();
  if (!wrench) return std::move(wrench).error();
  return std::hypot((*wrench)[0], (*wrench)[1], (*wrench)[2]);
}

Result<Joint6D> Robot::inverse_kin(const TCP6D& pose, std::optional<Joint6D> qnear, double max_position_error,
                                   double max_orientation_error) const {
  for (std::size_t i = 0; i < 6; ++i)
    if (!std::isfinite(pose[i]))
      return Error{Fault::invalid, fmt::format("inverse_kin: pose: expected finite numbers, got {}", pose[i])};
  if (!(max_position_error > 0) || !(max_orientation_error > 0))
    return Error{Fault::invalid, fmt::format("inverse_kin: expected errors above 0, got {} m and {} rad",
                                             max_position_error, max_orientation_error)};
  const auto here = state();
  if (!here) return here.error();
  // The closed form is exact far below any error that is asked for; it is only ever made stricter.
  const kinematics::ur::Tolerance tolerance{std::min(1e-9, max_position_error), std::min(1e-9, max_orientation_error)};
  const auto near = qnear.value_or(Joint6D::from_radians(here->q));
  const auto found = kinematics::ur::nearest(arm_model, pose.pose(), near.vector(),
                                             TCP6D::from_metres_radians(here->tcp_offset).pose(), tolerance);
  if (!found) return within("inverse_kin", found.error());
  return Joint6D::from(found->q);
}

Result<TCP6D> Robot::forward_kin(const Joint6D& joints) const {
  for (std::size_t i = 0; i < 6; ++i)
    if (!std::isfinite(joints[i]))
      return Error{Fault::invalid,
                   fmt::format("forward_kin: joint {}: expected a finite angle, got {}", i + 1, joints[i])};
  const auto here = state();
  if (!here) return here.error();
  return TCP6D::from(kinematics::ur::forward(arm_model, joints.vector()) *
                     TCP6D::from_metres_radians(here->tcp_offset).pose());
}

Result<void> Robot::set_tcp(const TCP6D& offset) {
  if (auto done = perform(command::ToolCentre{offset.list()}); !done) return done;
  // Until samples show it, poses would be solved for the old one. A calibrated arm that does not report its offset
  // shows it to a millimetre or two only.
  double off = 0;
  for (const Instant deadline = now() + 300ms; now() < deadline; system_clock().sleep_until(now() + look_for_offset)) {
    const auto here = state();
    if (!here) return here.error();
    const Pose seen = TCP6D::from_metres_radians(here->tcp_offset).pose();
    off = (seen.matrix() - offset.pose().matrix()).cwiseAbs().maxCoeff();
    if (off < 1e-4) return {};
  }
  if (off < 5e-3) return {};
  return Error{Fault::timeout, "set_tcp: accepted by the controller, but its samples do not show it"};
}

Result<void> Robot::set_payload(double mass, const std::array<double, 3>& centre) {
  return perform(command::Payload{mass, centre});
}
Result<void> Robot::freedrive_mode() { return perform(command::Freedrive{true}); }
Result<void> Robot::end_freedrive_mode() { return perform(command::Freedrive{false}); }
Result<void> Robot::force_mode(const command::ForceMode& mode) { return perform(mode); }
Result<void> Robot::end_force_mode() { return perform(command::EndForceMode{}); }
Result<void> Robot::zero_ftsensor() { return perform(command::ZeroForceSensor{}); }
Result<void> Robot::sync() { return perform(command::Nothing{}); }

Result<std::size_t> Robot::bit(command::Bank bank, int pin) const {
  if (auto meant = command::check(command::DigitalOut{bank, pin, false}); !meant) return std::move(meant).error();
  return static_cast<std::size_t>(pin) + 8 * static_cast<std::size_t>(bank);
}

Result<bool> Robot::digital_in(command::Bank bank, int pin) const {
  auto place = bit(bank, pin);
  if (!place) return std::move(place).error();
  auto here = state();
  if (!here) return std::move(here).error();
  return (here->digital_in >> *place & 1) != 0;
}

Result<bool> Robot::digital_out(command::Bank bank, int pin) const {
  auto place = bit(bank, pin);
  if (!place) return std::move(place).error();
  auto here = state();
  if (!here) return std::move(here).error();
  return (here->digital_out >> *place & 1) != 0;
}

Result<double> Robot::analog_in(int pin) const {
  if (auto meant = command::check(command::AnalogOut{pin, 0}); !meant) return std::move(meant).error();
  auto here = state();
  if (!here) return std::move(here).error();
  return here->analog_in[static_cast<std::size_t>(pin)];
}

Result<double> Robot::analog_out(int pin) const {
  if (auto meant = command::check(command::AnalogOut{pin, 0}); !meant) return std::move(meant).error();
  auto here = state();
  if (!here) return std::move(here).error();
  return here->analog_out[static_cast<std::size_t>(pin)];
}

Result<void> Robot::write_digital_out(command::Bank bank, int pin, bool value) {
  return perform(command::DigitalOut{bank, pin, value});
}

Result<void> Robot::write_analog_out(int pin, double ratio) { return perform(command::AnalogOut{pin, ratio}); }

Result<void> Robot::sleep(double time) const {
  if (!std::isfinite(time) || time < 0)
    return Error{Fault::invalid, fmt::format("sleep: expected 0 s or more, got {}", time)};
  system_clock().sleep_until(now() + duration_of(std::min(time, 86400.0)));
  return {};
}

}  // namespace tandem::ur3e
