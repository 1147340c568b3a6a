// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/twin/twin.hpp"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "tandem/base/latest.hpp"
#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/ros/topics.hpp"
#include "tandem/machines/em1500/scene.hpp"
#include "tandem/machines/em1500/twin/follower.hpp"
#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::em1500 {
namespace {

using machines::number_key;
using machines::Option;
using ros2::sensor_msgs::JointState;
using ros2::std_msgs::Float64MultiArray;

constexpr std::array twin_table{
    number_key("residual_alarm", "0.01", "twin: leg residual that raises the alarm (m)", 0.0001, 1),
    number_key("residual_time", "0.5", "twin: duration of the residual before the alarm (s)", 0, 60),
    number_key("silence_alarm", "0.5", "twin: timeout of leg feedback that raises the alarm (s)", 0.05, 60),
};

struct LegsSample {
  stewart::Lengths displacements{};
  UtcTime sent{};      // the publisher's clock
  Instant received{};  // ours
};

// Between two samples: by the publisher's clock, which knows nothing of the network's jitter, unless it jumped.
double between(const LegsSample& before, const LegsSample& after) {
  const double received = seconds(after.received - before.received);
  const double sent = seconds(after.sent - before.sent);
  return sent > 0 && std::abs(sent - received) < 0.5 ? sent : received;
}

class Twin final : public machines::Twin {
 public:
  explicit Twin(const machines::Setup& setup);

  void run(std::stop_token stop) override;
  std::vector<machines::Value> values() const override;
  std::string residual_alarm() const override;
  machines::Picture picture() const override;

 private:
  void take(const Float64MultiArray& message, const ros2::MessageInfo& info);
  void follow(const LegsSample& sample);
  void wait_for_sample();
  void publish();
  ros2::diagnostic_msgs::DiagnosticStatus diagnosis(const std::string& part, const std::string& hardware) const;

  Clock& clock_;
  TwinFollower follower_;
  Mailbox<LegsSample> samples_;
  net::Descriptor bell_;  // an eventfd: rung by the receive thread, heard by ours
  std::atomic<std::uint64_t> rejected_{0};
  Latest<TwinState> shared_;
  std::optional<LegsSample> last_;
  Float64MultiArray residual_;
  JointState joints_;
  ros2::FullNode node_;
  ros2::Publisher<Float64MultiArray> residual_publisher_;
  ros2::Publisher<JointState> joints_publisher_;
  ros2::Diagnostics diagnostics_;
  ros2::Subscription legs_;  // last: what it calls must outlive it
};

ros2::Context& context_of(const machines::Setup& setup) {
  if (setup.ros == nullptr) throw std::invalid_argument("the twin follows a ROS topic, and ROS 2 is disabled");
  return *setup.ros;
}

TwinFollower::Limits limits_from(const machines::Options& options) {
  TwinFollower::Limits limits;
  limits.residual_alarm = options.number("residual_alarm");
  limits.alarm_after = options.number("residual_time");
  limits.silence_alarm = options.number("silence_alarm");
  return limits;
}

Twin::Twin(const machines::Setup& setup)
    : clock_(*setup.clock),
      // The topic does not carry its reference. With reference: neutral it is known; otherwise the twin starts from
      // neutral, and what is compared are displacements.
      follower_({.payload = setup.options.number("payload")}, platform().home_lengths, limits_from(setup.options)),
      bell_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      node_(context_of(setup), setup.options.text("node") + "_twin", setup.options.text("namespace"), clock_),
      residual_publisher_(node_.advertise<Float64MultiArray>("stewart/twin/residual")),
      joints_publisher_(node_.advertise<JointState>("stewart/twin/joint_states")),
      diagnostics_(node_, node_.clock(),
                   [this, part = setup.options.text("node") + ": twin", hardware = setup.name] {
                     return std::vector{diagnosis(part, hardware)};
                   }),
      legs_(node_.subscribe<Float64MultiArray>(
          legs_topic(pose_map_from(setup.options).profile), ros2::Qos::looking(ros2::Qos::standard()),
          [this](const Float64MultiArray& message, const ros2::MessageInfo& info) { take(message, info); })) {
  if (!bell_) throw std::runtime_error("the twin could not create an event descriptor");
  residual_.data.resize(6);
  joints_.header.frame_id = setup.options.text("tf_prefix") + base_frame;
  for (int leg = 1; leg <= 6; ++leg) joints_.name.push_back(fmt::format("leg_{}_joint", leg));
  joints_.position.resize(6);
  joints_.velocity.resize(6);
  joints_.effort.resize(6);
}

// On the receive thread of DDS.
void Twin::take(const Float64MultiArray& message, const ros2::MessageInfo& info) {
  const bool usable = message.data.size() == 6 && std::all_of(message.data.begin(), message.data.end(),
                                                              [](double leg) { return std::isfinite(leg); });
  if (!usable) {
    rejected_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  LegsSample sample{.sent = info.sent, .received = info.received};
  std::copy(message.data.begin(), message.data.end(), sample.displacements.begin());
  samples_.post(sample);
  const std::uint64_t one = 1;
  // A full counter still rings.
  [[maybe_unused]] const auto written = ::write(bell_.get(), &one, sizeof(one));
}

void Twin::wait_for_sample() {
  std::array watches{net::Watch{.fd = bell_.get()}};
  const auto ready = net::wait(watches, clock_.now() + 50ms);
  if (!ready || *ready == 0) return;
  std::uint64_t rung = 0;
  [[maybe_unused]] const auto read = ::read(bell_.get(), &rung, sizeof(rung));
}

void Twin::run(std::stop_token stop) {
  const Instant started = clock_.now();
  while (!stop.stop_requested()) {
    wait_for_sample();
    if (const auto sample = samples_.take()) {
      follow(*sample);
      continue;
    }
    follower_.wait(seconds(clock_.now() - (last_ ? last_->received : started)));
    shared_.put(follower_.state());
  }
}

void Twin::follow(const LegsSample& sample) {
  follower_.follow(sample.displacements, last_ ? between(*last_, sample) : 0.0);
  last_ = sample;
  shared_.put(follower_.state());
  publish();
}

void Twin::publish() {
  const TwinState& state = follower_.state();
  std::copy(state.residual.begin(), state.residual.end(), residual_.data.begin());
  residual_publisher_.publish(residual_);
  joints_.header.stamp = ros2::message_from(node_.clock().utc());
  for (std::size_t i = 0; i < 6; ++i) {
    joints_.position[i] = platform().home_lengths[i] + state.legs[i];
    joints_.velocity[i] = state.velocities[i];
    joints_.effort[i] = state.forces[i];
  }
  joints_publisher_.publish(joints_);
}

ros2::diagnostic_msgs::DiagnosticStatus Twin::diagnosis(const std::string& part, const std::string& hardware) const {
  const TwinState state = shared_.get().value_or(TwinState{});
  ros2::diagnostic_msgs::DiagnosticStatus status;
  status.name = part;
  status.hardware_id = hardware;
  status.level = state.alarm.empty() ? status.OK : status.WARN;
  status.message = state.alarm.empty() ? "follows" : state.alarm.view();
  status.values = {{"worst residual", fmt::format("{:.5f} m", state.worst)},
                   {"samples", fmt::format("{}", state.samples)},
                   {"alarms", fmt::format("{}", state.alarms)}};
  return status;
}

std::vector<machines::Value> Twin::values() const {
  const auto state = shared_.get();
  if (!state) return {};
  const auto row = [](const stewart::Lengths& six) { return std::vector<double>(six.begin(), six.end()); };
  const auto legs = machines::numbered_parts("leg", 6);
  return {
      {"legs", "m", row(state->legs), "", legs},
      {"residual", "m", row(state->residual), "", legs},
      {"worst residual", "m", {state->worst}, ""},
      {"samples", "", {static_cast<double>(state->samples)}, ""},
      {"rejected", "", {static_cast<double>(rejected_.load(std::memory_order_relaxed))}, ""},
      {"alarm", "", {}, state->alarm.empty() ? "none" : std::string(state->alarm.view())},
  };
}

std::string Twin::residual_alarm() const {
  const auto state = shared_.get();
  return state && state->beyond ? std::string(state->alarm.view()) : "";
}

machines::Picture Twin::picture() const {
  const auto state = shared_.get();
  if (!state || state->samples == 0) return {};
  return picture_of(stewart::pose_from_coordinates(state->pose));
}

}  // namespace

std::unique_ptr<machines::Twin> make_twin(const machines::Setup& setup) { return std::make_unique<Twin>(setup); }

std::span<const Option> twin_options() { return twin_table; }

}  // namespace tandem::em1500
