// SPDX-License-Identifier: Apache-2.0
// An autopilot with no physics: says what it is told to say on a real socket, obeys, and writes down what it hears.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"
#include "tandem/protocols/mavlink/services/command_server.hpp"
#include "tandem/protocols/mavlink/services/mission_server.hpp"

namespace tandem::orca::rig {

struct FakeOptions {
  mavlink::Address own{1, 1};
  bool tcp = false;  // it listens there; UDP else
  std::optional<mavlink::SigningOptions> signing{};
};

class FakeVehicle {
 public:
  explicit FakeVehicle(Clock& clock, const FakeOptions& options = {});

  std::string url() const;
  // The same behind another door.
  std::string url_at(const net::Endpoint& door) const;
  net::Endpoint local() const { return link_.local(); }
  // Hears what came and says what is due.
  void step();
  template <mavlink::Message M>
  void say(const M& message) {
    link_.send(message);
  }
  mavlink::Link& link() { return link_; }
  const mavlink::MissionServer& missions() const { return missions_; }
  std::uint32_t boot_ms() const;

  // What it says.
  bool heartbeat = true, streams = true, positions = false;
  bool armed = false;
  std::uint32_t mode = 19;
  Duration booted{};  // of the clock
  float roll = 0, pitch = 0, yaw = 0;
  float x = 0, y = 0, z = 0;  // m, NED
  float sonar = 3;            // m
  std::uint16_t ekf_flags = ekf::attitude | ekf::height | ekf::constant_position;
  mavlink::CommandResult arm_result = mavlink::CommandResult::accepted;
  bool acknowledges = true;

  // What it heard.
  std::vector<mavlink::VisionPositionDelta> deltas;
  std::vector<mavlink::VisionPositionEstimate> estimates;
  std::vector<mavlink::Odometry> odometries;
  std::vector<mavlink::ManualControl> sticks;
  std::vector<mavlink::SetPositionTargetLocalNed> targets;
  std::vector<int> source_sets;
  std::set<std::uint32_t> streams_asked;
  std::set<std::string> parameters;
  int arms = 0, disarms = 0, heartbeats = 0, origins = 0, others = 0;

 private:
  void hear(const mavlink::Frame& frame);
  void obey(const mavlink::CommandRequest& request);

  Clock& clock_;
  bool tcp_;
  mavlink::Link link_;
  mavlink::CommandServer commands_;
  mavlink::MissionServer missions_;
  Instant next_heartbeat_{};
};

machines::Setup setup_for(const std::string& device, Clock& clock, const std::vector<std::string>& settings = {});

// The bridge beside it, in steps of 20 ms of a clock that is moved by hand.
struct Rig {
  explicit Rig(const std::vector<std::string>& settings = {}, const FakeOptions& options = {});

  // While the bridge looks for it, the vehicle speaks in a thread of its own.
  bool connect();
  // Steps; stops early when the link is lost.
  void run(Duration time);
  // One frame of the SLAM every 100 ms while it runs, the camera's right going on by `step` units a frame.
  void see(double step) { slam_step = step; }
  bool told(std::string_view part) const;
  State state() const { return bridge.state(); }

  ManualClock clock;
  FakeVehicle vehicle;
  Machine bridge;
  std::atomic<bool> armed{false};
  double slam_step = -1;  // negative: the SLAM is silent
  Sighting sighting;
  bool lost = false;
  std::vector<std::string> whys;  // of cycles that were not live, disarmed or lost
  int disarms = 0;
  machines::Cycle last;

 private:
  int steps_ = 0;
};

}  // namespace tandem::orca::rig
