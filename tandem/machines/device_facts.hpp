// SPDX-License-Identifier: Apache-2.0
// What the program has to know of a machine's device beyond the machine's code: ports, how to reach it, extra flags,
// and keys that drive it. A MachineType points to these; runtime and app know no machine by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::net {
struct FrameRules;  // tandem/net/frame_rules.hpp
}  // namespace tandem::net

namespace tandem::machines {

// A port of a device, for replay and `tandem doctor`.
struct FieldPort {
  std::string_view key;                    // names it in the device URL: "dashboard"; empty: the URL's own port
  std::uint16_t standard = 0;              // where the URL gives none
  const net::FrameRules* rules = nullptr;  // how a replay takes its bytes apart; null: bytes as they are
  // TCP ports: what to check when the host is there and the port is closed. Empty: `tandem doctor` does not try it.
  std::string_view if_refused = {};
  bool optional = false;  // the machine works without it
};

// One way to a device that `tandem doctor` tries. It opens and closes, and sends nothing to the device.
struct Reach {
  enum class Kind : std::uint8_t {
    connects,    // TCP to the device
    routed,      // datagrams to the device: only the route is checked
    awaits_tcp,  // the device connects to us
    awaits_udp,  // the device sends to us
    serial,
  };
  Kind kind = Kind::connects;
  std::string where;       // host, or the file of a serial line
  std::uint16_t port = 0;  // none of a serial line
  std::string_view if_refused = {};
  std::string_view key = {};  // of the port, as above
  bool optional = false;
};

// What `tandem doctor` says of a device that is reached over a network, and what to do if it does not answer.
struct Advice {
  std::string text, fix;
};

// A flag of `tandem virtual MACHINE` beside --set.
struct DeviceFlag {
  std::string_view name;      // "--programs"
  std::string_view value;     // what follows it, for help: "FOLDER"; empty: nothing follows
  std::string_view help;      // one line
  std::string_view option{};  // the option that it sets: to the value, or to true
  std::string_view needs{};   // another flag that has to be there
  // Printed instead of running the device; null: the device runs.
  std::string_view (*print)() = nullptr;
};

// How `tandem teleop` drives a machine: velocities on a topic, in gears.
struct KeyDrive {
  std::string_view velocity_topic;  // geometry_msgs/TwistStamped
  std::string_view frame;           // of the velocities
  std::string_view odometry_topic;  // nav_msgs/Odometry
  std::string_view stop_service;    // std_srvs/Trigger
  int gears = 1, first_gear = 1;
  double (*gear_speed)(int gear) = nullptr;  // m/s
  double turn = 0;                           // rad/s, in every gear
};

}  // namespace tandem::machines
