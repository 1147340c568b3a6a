// SPDX-License-Identifier: Apache-2.0
// The virtual TwinCAT PLC of the EM1500: an ADS server in front of the virtual platform.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "tandem/machines/em1500/pose_map.hpp"
#include "tandem/machines/em1500/virtual/motion.hpp"
#include "tandem/machines/machine.hpp"

namespace tandem::net {
class Plug;
}  // namespace tandem::net

namespace tandem::ads {
class ServerFaults;
}

namespace tandem::em1500 {

// What its program can be made to do wrong, to test those who read it; ads::ServerFaults is the same for the wire.
// Any thread may change it while the PLC runs.
struct PlcScript {
  enum class OddPose { none, not_a_number, infinite, far_away, zeros };
  std::atomic<bool> feed_dead{false};  // the EtherCAT bridge stands still: counters stop, then bTimout
  std::atomic<OddPose> odd_pose{OddPose::none};
  std::atomic<int> online_changes{0};    // this many to make: all handles of clients become invalid
  std::atomic<bool> task_halted{false};  // no PLC cycles and no notifications, but requests are answered
};

struct VirtualDeviceSetup {
  std::string listen = "127.0.0.1";
  int tcp_port = 0;                                  // 0: a free one
  int udp_port = 0;                                  // 0: a free one
  std::string net_id = {};                           // empty: it answers to any
  std::string route_user = {}, route_password = {};  // to add a route; checked when one of them is set
  Duration cycle = 10ms;
  PoseMap map{};
  std::string motion = "sine";  // sine, ship, remote, neutral, settled, off
  GeneratorParameters generator = {};
  double payload = 900;  // kg
  Clock* clock = nullptr;
  net::Plug* plug = nullptr;
  ads::ServerFaults* faults = nullptr;
  PlcScript* script = nullptr;
};

// Both listen when they return. They throw std::invalid_argument for an invalid setup, and std::runtime_error
// when the ports cannot be had.
std::unique_ptr<machines::VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup);
std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup);

// Its configuration keys, beside those of the bridge, of which it shares profile, signs, offsets and rotation_order.
std::span<const machines::Option> virtual_options();

}  // namespace tandem::em1500
