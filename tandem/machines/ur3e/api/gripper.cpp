// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/api/gripper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::ur3e {
namespace {

constexpr Duration gripper_within = 3s;
constexpr Duration look_again = 20ms;
constexpr Duration until_it_moves = 300ms;  // from a command to the first sign of motion

class SocketFingers final : public Fingers {
 public:
  SocketFingers(ControllerAddress address, net::Tap* tap) : address_(std::move(address)), tap_(tap) {}

  Result<void> activate(Instant deadline) override {
    return tried([&](auto& client) { return client.activate(deadline); }, deadline);
  }
  Result<void> deactivate(Instant deadline) override {
    return tried([&](auto& client) { return client.deactivate(deadline); }, deadline);
  }
  Result<void> move(int position, int speed, int force, Instant deadline) override {
    return tried([&](auto& client) { return client.move(position, speed, force, deadline); }, deadline);
  }
  Result<GripperStatus> status(Instant deadline) override {
    return tried([&](auto& client) { return client.status(deadline); }, deadline);
  }

 private:
  // All of these may be said twice: a connection that has died since the last call is recreated, once.
  template <typename Ask>
  auto tried(Ask ask, Instant deadline) -> decltype(ask(std::declval<ur::gripper::Client&>())) {
    const bool fresh = !client_.has_value();
    if (auto connected = connect(deadline); !connected) return std::move(connected).error();
    auto answer = ask(*client_);
    if (answer || client_->fd() >= 0 || answer.error().fault == Fault::timeout) return checked(std::move(answer));
    client_.reset();
    if (fresh) return answer;
    if (auto connected = connect(deadline); !connected) return std::move(connected).error();
    return checked(ask(*client_));
  }

  template <typename Answer>
  Answer checked(Answer answer) {
    if (!answer && client_->fd() < 0) client_.reset();
    return answer;
  }

  Result<void> connect(Instant deadline) {
    if (client_) return {};
    auto client = ur::gripper::Client::connect(address_.host, address_.gripper, deadline, tap_);
    if (!client) return std::move(client).error();
    client_.emplace(std::move(*client));
    return {};
  }

  ControllerAddress address_;
  net::Tap* tap_;
  std::optional<ur::gripper::Client> client_;
};

Result<void> in_range(const char* what, int value) {
  if (value >= 0 && value <= 255) return {};
  return Error{Fault::invalid, fmt::format("gripper: {}: expected 0 to 255, got {}", what, value)};
}

}  // namespace

std::unique_ptr<Fingers> make_socket_fingers(const ControllerAddress& address, net::Tap* tap) {
  return std::make_unique<SocketFingers>(address, tap);
}

double opening_mm(int position, double opened_mm) {
  return std::clamp((250 - position) * opened_mm / 247, 0.0, opened_mm);
}

Result<void> Gripper::activate(Duration within) { return fingers_->activate(now() + within); }
Result<void> Gripper::deactivate(Duration within) { return fingers_->deactivate(now() + within); }

Result<bool> Gripper::move(int position, int speed, int force) {
  const std::pair<const char*, int> values[] = {{"position", position}, {"speed", speed}, {"force", force}};
  for (const auto& [what, value] : values)
    if (auto good = in_range(what, value); !good) return std::move(good).error();
  auto moved = fingers_->move(position, speed, force, now() + gripper_within);
  if (moved) return true;
  if (moved.error().fault == Fault::device) return false;
  return std::move(moved).error();
}

Result<GripperStatus> Gripper::status() { return fingers_->status(now() + gripper_within); }

Result<bool> Gripper::is_active() {
  auto seen = status();
  if (!seen) return std::move(seen).error();
  return seen->is_active();
}

Result<int> Gripper::fault() {
  auto seen = status();
  if (!seen) return std::move(seen).error();
  return seen->fault;
}

Result<int> Gripper::position() {
  auto seen = status();
  if (!seen) return std::move(seen).error();
  return seen->position;
}

Result<double> Gripper::estimated_position_mm() {
  auto seen = position();
  if (!seen) return std::move(seen).error();
  return opening_mm(*seen, opened_mm_);
}

Result<int> Gripper::current() {
  auto seen = status();
  if (!seen) return std::move(seen).error();
  return seen->current;
}

Result<int> Gripper::estimated_current_ma() {
  auto seen = current();
  if (!seen) return std::move(seen).error();
  return *seen * 10;
}

Result<bool> Gripper::is_moving() {
  auto seen = status();
  if (!seen) return std::move(seen).error();
  return seen->object == 0;
}

Result<bool> Gripper::has_detected_object() {
  auto seen = status();
  if (!seen) return std::move(seen).error();
  return seen->object == 1 || seen->object == 2;
}

Result<bool> Gripper::wait_until_stopped(Duration within) {
  const Instant deadline = now() + within;
  while (true) {
    auto moving = is_moving();
    if (!moving) return moving;
    if (!*moving) return true;
    if (now() >= deadline) return false;
    system_clock().sleep_until(now() + look_again);
  }
}

Result<bool> Gripper::wait_until_active(Duration within) {
  const Instant deadline = now() + within;
  while (true) {
    auto seen = is_active();
    if (!seen || *seen) return seen;
    if (now() >= deadline) return false;
    system_clock().sleep_until(now() + look_again);
  }
}

Result<bool> Gripper::move_and_check(int position, double expected_mm, double plus_mm, double minus_mm, int speed,
                                     int force) {
  if (!std::isfinite(expected_mm) || !(plus_mm >= 0) || !(minus_mm >= 0))
    return Error{Fault::invalid, fmt::format("gripper: size: expected a number and two tolerances of 0 or above, got "
                                             "{} mm, +{} mm, -{} mm",
                                             expected_mm, plus_mm, minus_mm)};
  auto moved = move(position, speed, force);
  if (!moved || !*moved) return moved;
  system_clock().sleep_until(now() + until_it_moves);
  auto stopped = wait_until_stopped();
  if (!stopped || !*stopped) return stopped;
  auto size = estimated_position_mm();
  if (!size) return std::move(size).error();
  return *size >= expected_mm - minus_mm && *size <= expected_mm + plus_mm;
}

Result<bool> Gripper::close_and_check_size(double expected_mm, double plus_mm, double minus_mm, int speed, int force) {
  return move_and_check(255, expected_mm, plus_mm, minus_mm, speed, force);
}

Result<bool> Gripper::open_and_check_size(double expected_mm, double plus_mm, double minus_mm, int speed, int force) {
  return move_and_check(0, expected_mm, plus_mm, minus_mm, speed, force);
}

}  // namespace tandem::ur3e
