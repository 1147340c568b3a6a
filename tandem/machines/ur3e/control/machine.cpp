// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/control/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tandem/machines/ur3e/device/gate.hpp"
#include "tandem/machines/ur3e/gripper_option.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/ros/commands.hpp"
#include "tandem/machines/ur3e/ros/topics.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::ur3e {
namespace {

// Beside what every link reads: for topics, if the controller reports them.
const std::vector<std::string>& more_variables() {
  static const std::vector<std::string> names = {"actual_current",
                                                 "target_q",
                                                 "target_qd",
                                                 "analog_io_types",
                                                 "payload",
                                                 "tool_analog_input0",
                                                 "tool_analog_input1",
                                                 "tool_output_current",
                                                 "tool_output_voltage",
                                                 "tool_temperature",
                                                 "tool_mode",
                                                 "tool_analog_input_types"};
  return names;
}

}  // namespace

Machine::Machine(const machines::Setup& setup)
    : clock_(*setup.clock),
      address_(address_from(setup.device)),
      frequency_(setup.options.number("cycle_hz")),
      period_(duration_of(1 / frequency_)),
      stale_after_(std::max<Duration>(100ms, 3 * period_)),
      has_hand_(has_gripper(setup.options)),
      tap_(setup.tap),
      pilot_(pilot_options_from(setup.options), commands_) {
  if (auto good = ros2::check_node_name(setup.options.text("node")); !good)
    throw std::invalid_argument(good.error().text);
  if (auto good = ros2::full_namespace(setup.options.text("namespace")); !good)
    throw std::invalid_argument(good.error().text);
  const std::string prefix = frame_prefix_from(setup.options);
  scene_ = {.has_hand = has_hand_, .has_task = pilot_.has_task(), .jog = {}};
  if (setup.ros == nullptr) return;
  Topics::Setup ros{.node = setup.options.text("node"),
                    .name_space = setup.options.text("namespace"),
                    .hardware = fmt::format("{} at {}", setup.name, setup.device),
                    .prefix = prefix,
                    .has_hand = has_hand_,
                    .stale_after = stale_after_};
  ros_ = std::make_unique<Topics>(*setup.ros, ros, clock_, shared_, commands_);
  scene_.jog = ros_->commands().jog_topics();
}

Machine::~Machine() {
  disconnect();
  abandoned_.reset();
}

ros2::FullNode* Machine::ros_node() { return ros_ ? &ros_->node() : nullptr; }

Result<void> Machine::connect(Instant deadline) {
  disconnect();
  if (!side_) {
    side_.emplace(address_, has_hand_, tap_);
    if (ros_) ros_->commands().side(*side_);
  }
  silent_ = false;
  fresh_from_ = cycled_ = {};
  pilot_.begin();
  auto link = Link::connect(address_, frequency_, tap_, deadline, more_variables());
  share(Quality::stale, link ? "connected; no sample yet" : link.error().text);
  if (!link) return std::move(link).error();
  abandoned_.reset();
  link_.emplace(std::move(*link));
  return {};
}

void Machine::disconnect() noexcept {
  pilot_.leave(link_ ? &*link_ : nullptr, side_ ? &*side_ : nullptr, "the link to the robot is closed");
  if (link_ && std::exchange(lost_, false)) {
    abandoned_.reset();
    abandoned_ = link_->abandon();
  }
  link_.reset();
  if (state_.quality == Quality::live) share(Quality::stale, "disconnected");
}

Result<machines::Cycle> Machine::cycle(const machines::Permit& permit) {
  if (!link_) return Error{Fault::closed, "not connected"};
  auto received = link_->receive(clock_.now() + stale_after_);
  if (!received) {
    if (received.error().fault != Fault::timeout || std::exchange(silent_, true))
      return lost(std::move(received).error());
    return released(not_live(Quality::stale, fmt::format("no sample for {:.0f} ms", 1e3 * seconds(stale_after_))),
                    permit);
  }
  // What waited on the way during a silence comes in one go when it ends; what follows is new. A silence that this
  // thread slept through is one too.
  const bool overslept = cycled_ != Instant{} && clock_.now() - cycled_ > stale_after_;
  if (std::exchange(silent_, false) || overslept) fresh_from_ = clock_.now() + std::max<Duration>(period_, catch_up);
  if (auto heard = listen(); !heard) return lost(std::move(heard).error());
  auto handled = handle(*received, permit);
  cycled_ = clock_.now();
  if (!handled) return lost(std::move(handled).error());
  return released(*handled, permit);
}

// Disarmed without a sample to act on: the arm is commanded to stop all the same, and those who wait for it get the
// reason.
machines::Cycle Machine::released(const machines::Cycle& cycle, const machines::Permit& permit) {
  if (cycle.quality != Quality::live && !permit.armed()) pilot_.leave(&*link_, &*side_, std::string(cycle.why.view()));
  return cycle;
}

// What the controller says of its programs, on another port; never waited for.
Result<void> Machine::listen() {
  for (int packets = 0; packets < 4; ++packets) {
    std::array watches{net::Watch{.fd = link_->primary_fd()}};
    const auto ready = net::wait(watches, clock_.now());
    if (!ready || !watches[0].ready_read) return {};
    if (auto read = link_->read_primary(clock_.now() + 5ms); !read) return read;
  }
  return {};
}

Result<machines::Cycle> Machine::handle(const ur::RtdeClient::Received& received, const machines::Permit& permit) {
  const Instant readable = clock_.now();
  if (received.restarted) return Error{Fault::closed, "the controller's time went back: it has been restarted"};
  state_.skipped += received.packets > 0 ? received.packets - 1 : 0;
  const ur::ControllerState& sample = link_->variables().state;
  if (received.repeated) return passed_over(Quality::stale, "the controller repeats the same sample", readable);
  const machines::Verdict verdict = gate_.judge(sample);
  if (verdict.quality != Quality::live) return passed_over(verdict.quality, verdict.why.view(), readable);
  if (readable < fresh_from_)
    return passed_over(Quality::stale, "skipping samples queued during a connection gap", readable);
  read_state();
  machines::Cycle cycle;
  auto reason = pilot_.step(*link_, *side_, state_, permit, readable);
  if (!reason) return std::move(reason).error();
  cycle.quality = Quality::live;
  cycle.prepared = pilot_.prepared();
  cycle.readable = readable;
  cycle.solved = clock_.now();
  cycle.disarm = reason->has_value();
  if (cycle.disarm) cycle.why = **reason;
  cycle.protective_stop = sample.safety_mode == ur::SafetyMode::protective_stop;
  ++state_.samples;
  state_.live_at = readable;
  if (ros_) ros_->publish(state_, readable);
  cycle.published = clock_.now();
  share(Quality::live, "");
  return cycle;
}

void Machine::read_state() {
  state_.controller = link_->variables().state;
  state_.targeted = link_->has_more();
  if (!link_->has_tcp_offset())
    state_.controller.tcp_offset = arm_state_from(state_.controller, false, clock_.now()).tcp_offset;
  state_.hand = side_->hand();
}

// One that is not believed; the last good one is still shown until it is stale.
machines::Cycle Machine::passed_over(Quality quality, std::string_view why, Instant readable) {
  ++state_.rejected;
  machines::Cycle cycle;
  if (quality == Quality::stale && state_.quality == Quality::live && readable - state_.live_at <= stale_after_) {
    cycle.quality = quality;
    cycle.why = why;
  } else {
    cycle = not_live(quality, why);
  }
  cycle.readable = readable;
  return cycle;
}

machines::Cycle Machine::not_live(Quality quality, std::string_view why) {
  share(quality, why);
  machines::Cycle cycle;
  cycle.quality = quality;
  cycle.why = why;
  return cycle;
}

Error Machine::lost(Error error) {
  lost_ = true;
  share(Quality::stale, error.text);
  return error;
}

void Machine::share(Quality quality, std::string_view why) {
  state_.quality = quality;
  state_.why = why;
  shared_.put(state_);
}

machines::Picture Machine::picture() const {
  const auto state = shared_.get();
  return state ? picture_of(*state, scene_) : machines::Picture{};
}

machines::Picture Machine::beside_picture() const {
  const auto state = shared_.get();
  return state ? target_picture_of(*state, scene_) : machines::Picture{};
}

std::vector<machines::Value> Machine::values() const {
  const auto state = shared_.get();
  if (!state || state->samples == 0) return {};
  const auto row = [](const Six& six) { return std::vector<double>(six.begin(), six.end()); };
  const std::vector<std::string> joints(kinematics::ur::joint_names.begin(), kinematics::ur::joint_names.end());
  const ur::ControllerState& c = state->controller;
  std::vector<machines::Value> values = {
      {"joints", "rad", row(c.actual_q), "", joints},
      {"joint speeds", "rad/s", row(c.actual_qd), "", joints},
      {"tool pose", "m, rad", row(c.actual_tcp_pose), "", {"x", "y", "z", "rx", "ry", "rz"}},  // a rotation vector
      {"tool force", "N, Nm", row(c.actual_tcp_force), "", {"x", "y", "z", "about x", "about y", "about z"}},
      {"robot mode", "", {}, ur::name(c.robot_mode)},
      {"safety mode", "", {}, ur::name(c.safety_mode)},
      {"speed", "%", {100 * c.speed_scaling}, ""},
      {"activity", "", {}, name(state->activity)},
  };
  if (const auto off = target_offset(*state))
    values.push_back(
        {"target residual", "mm, mrad", {1e3 * off->distance, 1e3 * off->angle}, "", {"distance", "angle"}});
  if (state->hand.known)
    values.push_back({"gripper", "mm", {2e3 * state->hand.finger}, state->hand.object ? "holds" : ""});
  if (state->activity == Activity::trajectory)
    values.push_back({"trajectory", "s", {state->progress, state->length}, "", {"done", "of"}});
  if (!state->step.empty())
    values.push_back({"task", "", {static_cast<double>(state->cubes)}, std::string(state->step.view())});
  if (!state->refusal.empty()) values.push_back({"last refusal", "", {}, std::string(state->refusal.view())});
  if (ros_) {
    if (std::string why = ros_->commands().refusals().last(); !why.empty())
      values.push_back({"refused", "", {}, std::move(why)});
    if (const std::uint64_t count = ros_->commands().ignored(); count > 0)
      values.push_back({"not heard", "", {static_cast<double>(count)}, "another publisher owns the topic"});
  }
  if (state->rejected > 0) values.push_back({"rejected", "", {static_cast<double>(state->rejected)}, ""});
  return values;
}

}  // namespace tandem::ur3e
