// SPDX-License-Identifier: Apache-2.0
// tandem_msgs: what a recording holds besides ROS topics: field frames, events of links, commands, residuals, truth.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::tandem_msgs {

// What passed on a machine's socket or serial line, or that it began or ended.
struct FieldFrame {
  static constexpr std::string_view type_name = "tandem_msgs/msg/FieldFrame";
  TANDEM_FIELDS(FieldFrame, stamp, connection, kind, datagram, peer, local, data);

  static constexpr std::uint8_t OPENED = 0;
  static constexpr std::uint8_t IN = 1;
  static constexpr std::uint8_t OUT = 2;
  static constexpr std::uint8_t CLOSED = 3;  // by us
  static constexpr std::uint8_t ENDED = 4;   // by the peer, in order
  static constexpr std::uint8_t BROKEN = 5;  // reset, timed out, unplugged

  builtin_interfaces::Time stamp;
  std::uint32_t connection = 0;  // one number from OPENED to the end
  std::uint8_t kind = 0;
  bool datagram = false;
  std::string peer;   // "192.168.2.1:502", or the device of a serial line
  std::string local;  // our end
  std::vector<std::uint8_t> data;
};

// What happened to a machine's link, in words.
struct LinkEvent {
  static constexpr std::string_view type_name = "tandem_msgs/msg/LinkEvent";
  TANDEM_FIELDS(LinkEvent, stamp, machine, kind, text, bad);
  builtin_interfaces::Time stamp;
  std::string machine;
  std::string kind;  // one word: "live", "lost", "stale", ...
  std::string text;
  bool bad = false;
};

// What a client commanded a machine, and what came of it.
struct Command {
  static constexpr std::string_view type_name = "tandem_msgs/msg/Command";
  TANDEM_FIELDS(Command, stamp, machine, what, by, ok, text);
  builtin_interfaces::Time stamp;
  std::string machine;
  std::string what;  // "arm", "stop", "reset", ...
  std::string by;
  bool ok = false;
  std::string text;  // the answer
};

// How far a machine and its twin are apart, by name; SI.
struct Residual {
  static constexpr std::string_view type_name = "tandem_msgs/msg/Residual";
  TANDEM_FIELDS(Residual, stamp, machine, names, values);
  builtin_interfaces::Time stamp;
  std::string machine;
  std::vector<std::string> names;
  std::vector<double> values;
};

// Where the physics of a virtual device really is, whatever the device reports.
struct Truth {
  static constexpr std::string_view type_name = "tandem_msgs/msg/Truth";
  TANDEM_FIELDS(Truth, stamp, machine, unit, position, speed);
  builtin_interfaces::Time stamp;
  std::string machine;
  std::string unit;              // of the position: "m"; "rad" for the joints of an arm
  std::vector<double> position;  // of what moves
  double speed = 0;              // of the whole, or of the fastest joint; unit/s
};

using Messages = Types<Command, FieldFrame, LinkEvent, Residual, Truth>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::tandem_msgs
