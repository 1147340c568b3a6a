// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/machines/kit/ros/inbox.hpp"
#include "tandem/machines/scene_parts.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace gantry {

using ros2::geometry_msgs::TwistStamped, ros2::sensor_msgs::JointState;

constexpr Duration response_timeout = 100ms;

class Topics {
 public:
  Topics(const machines::Setup& setup, Gantry& gantry, Duration command_timeout)
      : node(*setup.ros, setup.options.text("node"), setup.options.text("namespace"), *setup.clock),
        joints_(node.advertise<JointState>("~/joint_states")) {
    // Of several publishers one is obeyed. A command counts from when it was received, unless its stamp is too old.
    const ros2::CommandRules rules{.longest_silence = command_timeout, .oldest_stamp = command_timeout};
    inbox_.hear<TwistStamped>("~/cmd_vel", rules, [&gantry](const auto& message, Instant received) -> Result<void> {
      const Axes velocity = {message.twist.linear.x, message.twist.linear.y};
      if (!std::isfinite(velocity[0] + velocity[1])) return Error{Fault::invalid, "expected finite velocities"};
      gantry.post({velocity, received});
      return {};
    });
    message_.name = {"x", "y"};
  }
  void publish(const Feedback& feedback) {
    message_.header.stamp = ros2::message_from(node.clock().utc());
    message_.position.assign(feedback.position.begin(), feedback.position.end());
    message_.velocity.assign(feedback.velocity.begin(), feedback.velocity.end());
    (void)joints_.publish(message_);
  }

  ros2::FullNode node;

 private:
  JointState message_;
  ros2::Publisher<JointState> joints_;
  machines::Refusals refusals_{node};       // counted, and logged at most every 2 s
  machines::Inbox inbox_{node, refusals_};  // last: its callbacks use the above
};

Gantry::Gantry(const machines::Setup& setup)
    : clock_(*setup.clock),
      tap_(setup.tap),
      peer_(machines::modbus_peer_from(setup.device, modbus::tcp_port)),
      period_(duration_of(1 / setup.options.number("cycle_hz"))),
      command_timeout_(duration_of(setup.options.number("command_timeout"))),
      circles_(setup.options.text("task") == "circle") {
  if (setup.ros != nullptr) topics_ = std::make_unique<Topics>(setup, *this, command_timeout_);
}

Gantry::~Gantry() { disconnect(); }

ros2::FullNode* Gantry::ros_node() { return topics_ ? &topics_->node : nullptr; }

Result<void> Gantry::connect(Instant deadline) {
  disconnect();
  auto client = modbus::Client::connect(peer_, deadline, tap_);
  if (!client) return std::move(client).error();
  client_ = std::move(*client);
  gate_ = {};
  next_ = clock_.now();
  return write(false, {});  // what was enabled before is not ours
}

Result<machines::Cycle> Gantry::cycle(const machines::Permit& permit) {
  next_ = std::max(next_ + period_, clock_.now() - period_);
  clock_.sleep_until(next_);
  machines::Cycle cycle;
  const auto missed = [&cycle](const Error& error) {
    cycle.quality = Quality::stale;
    cycle.why = error.text;
  };
  std::array<std::uint16_t, feedback_words> words{};
  const auto read = client_->read_registers(feedback_at, words, now() + response_timeout);
  if (client_->lost()) return *client_->lost();
  cycle.readable = clock_.now();
  if (read) gate_.judge(words, feedback_, cycle);
  if (!read) missed(read.error());
  const bool live = cycle.quality == Quality::live;
  cycle.disarm = live && driving_ && !feedback_.enabled && cycle.readable - *driving_ > 100ms;
  if (cycle.disarm) cycle.why = "the PLC has disabled the drives by itself";
  if (auto newer = commands_.take()) command_ = newer;
  if (!permit.armed()) command_.reset();  // what was asked for before arming does not count
  const Axes velocity = wanted(cycle.readable);
  cycle.solved = clock_.now();
  // Asked right before the output. Without a permit the only thing that leaves is the end of what we began.
  const bool drives = permit.armed() && live && !cycle.disarm;
  const auto written = drives || driving_ ? write(drives, drives ? velocity : Axes{}) : Result<void>{};
  if (client_->lost()) return *client_->lost();
  if (!written) missed(written.error());
  if (live) shown_.put(feedback_);
  if (live && topics_) topics_->publish(feedback_);
  cycle.published = clock_.now();
  return cycle;
}

// The newest command while it is young enough, else the task, else standstill; never into an end.
Axes Gantry::wanted(Instant now) const {
  const Axes& at = feedback_.position;
  Axes velocity{};
  if (command_ && now - command_->at <= command_timeout_) velocity = command_->velocity;
  if (!command_ && circles_) {  // to the circle about the middle, and along it
    const double dx = at[0] - travel[0] / 2 + 1e-6, dy = at[1] - travel[1] / 2, radius = std::hypot(dx, dy);
    const double out = 2 * (0.25 - radius) / radius, along = 0.2 / radius;
    velocity = {out * dx - along * dy, out * dy + along * dx};
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const double room = std::max(0.0, velocity[i] > 0 ? travel[i] - at[i] : at[i]);
    const double most = std::min(top_speed, std::sqrt(braking * room));
    velocity[i] = std::clamp(velocity[i], -most, most);
  }
  return velocity;
}

Result<void> Gantry::write(bool enabled, const Axes& velocity) {
  std::array<std::uint16_t, command_words> words{};
  turn_ = turn_ < 65535 ? turn_ + 1 : 0;
  const std::array<double, command_words> values = {enabled ? 1.0 : 0.0, turn_, velocity[0], velocity[1]};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (auto encoded = registers().encode(enable + i, values[i], {command_at, words}); !encoded) return encoded;
  if (enabled && !driving_) driving_ = clock_.now();  // even if no answer comes
  auto written = client_->write_registers(command_at, words, now() + response_timeout);
  if (written && !enabled) driving_.reset();
  return written;
}

void Gantry::disconnect() noexcept {
  if (client_ && client_->open() && driving_) (void)write(false, {});
  client_.reset();
  driving_.reset();
}

std::vector<machines::Value> Gantry::values() const {
  const Feedback at = shown_.get().value_or(Feedback{});
  return {{"position", "m", {at.position[0], at.position[1]}, "", {"x", "y"}},
          {"velocity", "m/s", {at.velocity[0], at.velocity[1]}, "", {"x", "y"}},
          {"drives", "", {}, at.enabled ? "enabled" : "disabled"}};
}

machines::Scene Gantry::scene() const {
  machines::Scene scene;
  scene.frames = {"bridge", "tool"};
  scene.main_frame = "tool";
  using machines::box, machines::shifted;
  scene.parts.push_back(box({"rail"}, {travel[0] + 0.2, 0.05, 0.05}, shifted(travel[0] / 2, 0, 0.5)));
  scene.parts.push_back(box({"beam", "bridge", "#5b7fb5"}, {0.08, travel[1], 0.08}, shifted(0, travel[1] / 2, 0)));
  scene.parts.push_back(box({"carriage", "tool", "#d08a3c"}, {0.12, 0.12, 0.16}));
  return scene;
}

machines::Picture Gantry::picture() const {
  const auto [x, y] = shown_.get().value_or(Feedback{}).position;
  return {shown_.version() > 0, {{{x, 0, 0.55}}, {{x, y, 0.45}}}, {}};
}

}  // namespace gantry
