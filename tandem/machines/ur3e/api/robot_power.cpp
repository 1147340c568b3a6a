// SPDX-License-Identifier: Apache-2.0
// From wherever the robot stands to ready, by the dashboard: what a person would press on the pendant.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/ur3e/api/robot.hpp"
#include "tandem/protocols/ur/dashboard/client.hpp"

namespace tandem::ur3e {
namespace {

using ur::RobotMode;
using ur::SafetyMode;
using ur::dashboard::Client;
using ur::dashboard::Verb;

constexpr Duration dashboard_answers_within = 2s;
constexpr Duration look_at_mode = 100ms;

Instant soon(Instant deadline) { return std::min(deadline, now() + dashboard_answers_within); }

// A protective stop may be released five seconds after it came; until then the controller says no.
Result<void> unlock(Client& dashboard, Instant deadline) {
  while (true) {
    // There may be no message to close.
    [[maybe_unused]] const auto closed = dashboard.perform(Verb::close_safety_popup, soon(deadline));
    auto unlocked = dashboard.perform(Verb::unlock_protective_stop, soon(deadline));
    if (unlocked || unlocked.error().fault != Fault::device || now() >= deadline) return unlocked;
    system_clock().sleep_until(std::min(deadline, now() + look_at_mode));
  }
}

Result<void> clear_safety(Client& dashboard, Instant deadline) {
  bool unlocked = false;
  while (true) {
    auto safety = dashboard.safety_status(soon(deadline));
    if (!safety) return std::move(safety).error();
    if (*safety == SafetyMode::normal || *safety == SafetyMode::reduced) return {};
    if (*safety != SafetyMode::protective_stop)
      return Error{Fault::refused,
                   fmt::format("safety status {}: must be cleared at the robot; it cannot be released remotely",
                               ur::name(*safety))};
    if (!unlocked)
      if (auto done = unlock(dashboard, deadline); !done) return done;
    unlocked = true;
    if (now() >= deadline) return Error{Fault::timeout, "the protective stop was not released before the deadline"};
    system_clock().sleep_until(now() + look_at_mode);
  }
}

Result<void> power_up(Client& dashboard, Instant deadline) {
  RobotMode asked = RobotMode::running;
  while (true) {
    auto mode = dashboard.robot_mode(soon(deadline));
    if (!mode) return std::move(mode).error();
    if (*mode == RobotMode::running) return {};
    if (now() >= deadline)
      return Error{Fault::timeout, fmt::format("robot mode {}: expected RUNNING before the deadline", ur::name(*mode))};
    if (*mode != asked && (*mode == RobotMode::power_off || *mode == RobotMode::idle)) {
      asked = *mode;
      auto done = dashboard.perform(*mode == RobotMode::idle ? Verb::brake_release : Verb::power_on, soon(deadline));
      if (!done) return done;
    }
    system_clock().sleep_until(now() + look_at_mode);
  }
}

}  // namespace

Result<void> recover(const ControllerAddress& address, Instant deadline) {
  auto dashboard = Client::connect(address.host, address.dashboard, soon(deadline));
  if (!dashboard) return std::move(dashboard).error();
  if (auto clear = clear_safety(*dashboard, deadline); !clear) return clear;
  return power_up(*dashboard, deadline);
}

Result<void> require_remote_control(const ControllerAddress& address, Instant deadline) {
  auto dashboard = Client::connect(address.host, address.dashboard, soon(deadline));
  if (!dashboard) return {};
  const auto remote = dashboard->is_in_remote_control(soon(deadline));
  if (remote && !*remote)
    return Error{Fault::refused, "the robot is in local control: switch the pendant to remote control"};
  return {};
}

Result<void> Robot::reset_error(Duration within) {
  if (arm_ == nullptr) return Error{Fault::closed, "the robot is closed"};
  const Instant deadline = now() + within;
  if (controller_)
    if (auto ready = recover(*controller_, deadline); !ready)
      return tandem::within("reset_error", std::move(ready).error());
  // The dashboard knows before the samples show it.
  const Instant shown = std::min(deadline, now() + 3s);
  while (true) {
    auto done = arm_->reset(deadline);
    if (done) return {};
    if (now() >= shown) return tandem::within("reset_error", std::move(done).error());
    system_clock().sleep_until(now() + look_at_mode);
  }
}

Result<void> Robot::arm(Duration within) {
  if (arm_ == nullptr) return Error{Fault::closed, "the robot is closed"};
  const Instant deadline = now() + within;
  if (controller_)
    if (auto remote = require_remote_control(*controller_, deadline); !remote)
      return tandem::within("arm", std::move(remote).error());
  auto armed = arm_->arm(deadline);
  if (!armed) return tandem::within("arm", std::move(armed).error());
  return {};
}

Result<void> Robot::disarm(Duration within) {
  if (arm_ == nullptr) return Error{Fault::closed, "the robot is closed"};
  return arm_->disarm(now() + within);
}

}  // namespace tandem::ur3e
