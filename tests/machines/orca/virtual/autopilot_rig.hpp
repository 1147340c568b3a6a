// SPDX-License-Identifier: Apache-2.0
// The virtual autopilot in its body in simulated time, and somebody who talks to it in memory.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/faults.hpp"
#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"

namespace tandem::orca {

// Keeps the last of every message, and how many came. Memory is taken once.
class Heard final : public mavlink::Outlet {
 public:
  Heard() : last_(1024) { texts.reserve(256); }

  bool send_payload(const mavlink::MessageInfo& info, Bytes payload) override {
    if (info.id >= last_.size()) return true;
    Slot& slot = last_[info.id];
    std::memcpy(slot.payload.data(), payload.data(), payload.size());
    slot.size = payload.size();
    ++slot.count;
    if (info.id == mavlink::StatusText::wire_id && keep_texts)
      if (const auto text = last<mavlink::StatusText>()) texts.emplace_back(text->text.view());
    return true;
  }

  template <mavlink::Message M>
  std::optional<M> last() const {
    const Slot& slot = last_[M::wire_id];
    if (slot.count == 0) return std::nullopt;
    return mavlink::read_payload<M>(Bytes(slot.payload.data(), slot.size));
  }
  template <mavlink::Message M>
  int count() const {
    return last_[M::wire_id].count;
  }
  template <mavlink::Message M>
  void forget() {
    last_[M::wire_id] = {};
  }
  bool said(std::string_view text) const {
    for (const std::string& one : texts)
      if (one == text) return true;
    return false;
  }

  std::vector<std::string> texts;
  bool keep_texts = true;

 private:
  struct Slot {
    std::array<std::uint8_t, 256> payload{};
    std::size_t size = 0;
    int count = 0;
  };
  std::vector<Slot> last_;
};

class AutopilotRig {
 public:
  explicit AutopilotRig(const BodyOptions& body_options = under_water(), const AutopilotMemory& memory = {})
      : body(body_options), sensors({}, body_options.hull), autopilot(options(memory), outlets_, now_) {}

  static BodyOptions under_water() {
    BodyOptions options;
    options.model.timestep = 0.01;
    options.X_map_start = Pose(Eigen::Translation3d(0, 0, -1.5));
    return options;
  }

  void run(double seconds) {
    const double dt = body.timestep();
    for (double t = 0; t < seconds - 1e-9; t += dt) {
      body.step();
      now_ += duration_of(dt);
      body.pulses(autopilot.step(sensors.sample(body.truth()), dt, now_));
      autopilot.witness(body.truth());
      autopilot.poll(now_, UtcTime{});
      if (vision && ++steps_ % 10 == 0) see();
    }
  }
  // A perfect camera: how the body moved in the last tenth of a second.
  void see() {
    const Pose& X_now = body.truth().X_map_base;
    if (X_before_) {
      const Eigen::Vector3d moved = X_now.linear().transpose() * (X_now.translation() - X_before_->translation());
      const Eigen::Vector3d frd = frd_from_flu(moved);
      tell(mavlink::VisionPositionDelta{
          .time_usec = 0,
          .time_delta_usec = 100000,
          .position_delta = {static_cast<float>(frd.x()), static_cast<float>(frd.y()), static_cast<float>(frd.z())},
          .confidence = 90});
    }
    X_before_ = X_now;
  }

  template <mavlink::Message M>
  void tell(const M& message, mavlink::Address from = {255, 190}) {
    mavlink::FrameBuffer buffer;
    mavlink::Header header;
    header.source = from;
    header.sequence = sequence_++;
    const Bytes bytes = mavlink::encode(buffer, header, message);
    mavlink::Parser parser;
    parser.feed(bytes);
    if (const auto frame = parser.next()) autopilot.handle(*frame, 0, now_);
  }
  // The answer; nothing when there was none.
  std::optional<mavlink::CommandResult> command(std::uint16_t number, float p1 = 0, float p2 = 0) {
    heard.forget<mavlink::CommandAck>();
    tell(
        mavlink::CommandLong{.target_system = 1, .target_component = 1, .command = number, .param1 = p1, .param2 = p2});
    const auto ack = heard.last<mavlink::CommandAck>();
    if (!ack || ack->command != number) return std::nullopt;
    return static_cast<mavlink::CommandResult>(ack->result);
  }
  void origin() {
    tell(mavlink::SetGpsGlobalOrigin{.target_system = 1, .latitude = 476302000, .longitude = -1223982391});
  }
  // Vision and everything that it needs; the estimator trusts it afterwards.
  void aid() {
    origin();
    vision = true;
    run(2.5);
  }
  Instant now() const { return now_; }

  Body body;
  VirtualSensors sensors;
  Heard heard;
  VehicleFaults faults;
  bool vision = false;

 private:
  AutopilotOptions options(const AutopilotMemory& memory) {
    AutopilotOptions options;
    options.memory = memory;
    options.estimator.settle = 0.5;
    options.estimator.aiding_delay = 0.5;
    options.faults = &faults;
    return options;
  }

  mavlink::Outlet* outlets_[1] = {&heard};
  Instant now_{1h};
  std::uint8_t sequence_ = 0;
  int steps_ = 0;
  std::optional<Pose> X_before_;

 public:
  Autopilot autopilot;
};

}  // namespace tandem::orca
