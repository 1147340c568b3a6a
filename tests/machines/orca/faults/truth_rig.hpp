// SPDX-License-Identifier: Apache-2.0
// The machine under its supervisor beside the virtual autopilot in its body, both on one clock that is moved by hand,
// and a line between them that fails on command. How far the vehicle moves is what the physics says.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/body.hpp"
#include "tandem/machines/orca/virtual/sensors.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tests/machines/orca/fake_vehicle.hpp"

namespace tandem::orca::rig {

// One way of the line. What is lost is lost; what is late comes in order.
class LinePath {
 public:
  bool lost = false;
  Duration late{};

  void put(Bytes bytes, Instant now) {
    if (!lost) waiting_.push_back({now + late, {bytes.begin(), bytes.end()}});
  }
  template <typename Deliver>
  void deliver(Instant now, Deliver deliver) {
    for (; !waiting_.empty() && waiting_.front().due <= now; waiting_.pop_front()) deliver(waiting_.front().bytes);
  }
  void clear() { waiting_.clear(); }

 private:
  struct Waiting {
    Instant due;
    std::vector<std::uint8_t> bytes;
  };
  std::deque<Waiting> waiting_;
};

struct TruthOptions {
  std::vector<std::string> settings{};  // of the machine
  AutopilotMemory memory{};             // settings of the autopilot
  bool ground_station = false;          // its heartbeats come all the time
};

class TruthRig {
 public:
  explicit TruthRig(const TruthOptions& options = {});

  // Until the machine has met the vehicle.
  bool connect();
  // Chooses the mode, arms, and lets it be steered by `twist` until it goes at this speed, m/s.
  bool fly(Mode mode, double least_speed);
  // The vehicle goes on for a while, and the machine too unless it is dead or paused.
  void run(Duration time);
  void see();  // how the body moved in the last tenth of a second, as of another computer

  struct Motion {
    double way = 0;     // m over ground since the loss, until it rested
    double thrust = 0;  // s since the loss, until it was pushed less than half as hard as before
    double rest = 0;    // s since the loss, until it rested
    bool rested = false, armed = false;
  };
  // From here on the motion counts.
  void begin_loss();
  // Until it has rested for a second.
  Motion coast(Duration limit = 30s);
  void restart_autopilot();
  void replay(Duration last);  // what the vehicle said of late, once more

  bool latch_armed() const { return supervisor->latch().status().state == runtime::ArmState::armed; }
  double speed() const { return body.truth().velocity.head<2>().norm(); }
  bool live() const { return supervisor->status().state == runtime::LinkState::live; }
  bool linked() const { return live() || supervisor->status().state == runtime::LinkState::syncing; }

  ManualClock clock;
  Body body;
  VirtualSensors sensors;
  std::optional<Autopilot> autopilot;
  Machine* bridge = nullptr;
  std::unique_ptr<runtime::Supervisor> supervisor;
  LinePath to_vehicle, to_machine;
  bool machine_runs = true;
  bool vision = false;
  std::optional<TwistCommand> twist;  // told all the time
  Duration cycle_time = 20ms;         // of the machine; longer while nothing comes, which costs real time

 private:
  class Voice final : public mavlink::Outlet {
   public:
    explicit Voice(TruthRig& rig) : rig_(rig), channel_({.own = {vehicle_system, vehicle_component}}) {}
    bool send_payload(const mavlink::MessageInfo& info, Bytes payload) override;

   private:
    TruthRig& rig_;
    mavlink::Channel channel_;
    mavlink::FrameBuffer buffer_;
  };
  AutopilotOptions autopilot_options(const AutopilotMemory& memory) const;
  void tick();  // 10 ms of the vehicle
  void hear();
  void handle(Bytes bytes);
  double push() const;  // ahead, us of all pulses

  TruthOptions options_;
  net::UdpSocket socket_;
  std::optional<net::Endpoint> machine_at_;
  Voice voice_;
  mavlink::Outlet* outlets_[1] = {&voice_};
  std::deque<std::pair<Instant, std::vector<std::uint8_t>>> said_;  // in the last seconds
  std::optional<Pose> X_before_;
  Instant next_cycle_{}, next_beat_{}, next_look_{};
  std::uint8_t beat_ = 0;
  Pulses pulses_ = still;

  struct Recording {
    Instant begin{}, moved_at{};
    Eigen::Vector2d last = Eigen::Vector2d::Zero();
    double way = 0, push = 0;  // the latter at the loss
    Motion motion{};
  };
  std::optional<Recording> recording_;
  void record();
};

}  // namespace tandem::orca::rig
