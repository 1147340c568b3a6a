// SPDX-License-Identifier: Apache-2.0
// What viewers publish: JSON or CDR from a client, checked, and sent on ROS.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tandem/ros2/node.hpp"
#include "tandem/ros2/types/command_rules.hpp"
#include "tandem/ros2/types/dynamic.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::runtime {

// All on the server's thread.
class RosPublishers {
 public:
  RosPublishers(const ros2::Context& context, ros2::Node& node) : context_(context), node_(node) {}

  // One publisher for each topic and type, as long as any client has it. DDS cannot distinguish the clients, so the
  // rule that one publisher owns a topic is kept here: the first that speaks, until it is silent for too long or
  // leaves.
  Result<void> advertise(const web::ClientChannel& channel);
  // What the client has waiting there is not sent: no one is behind it any more.
  void unadvertise(web::ClientId client, const web::ClientChannel& channel);
  Result<void> publish(web::ClientId client, const web::ClientChannel& channel, Bytes message);
  // Sends what waited for a subscription to be found.
  void tick(Instant now);

  static constexpr std::size_t most_publishers = 256;
  static constexpr std::size_t most_waiting = 16;  // messages of a new publisher
  static constexpr Duration longest_wait = 500ms;  // then they are sent to all who receive them
  static constexpr Duration owner_silence = ros2::CommandRules{}.longest_silence;

 private:
  struct Entry {
    ros2::DynamicType type;
    std::optional<ros2::RawPublisher> publisher;
    std::size_t users = 0;
    Instant made{};
    bool waits = true;
    std::optional<web::ClientId> owner;
    Instant heard{};  // of the owner
    std::deque<std::pair<web::ClientId, std::vector<std::uint8_t>>> waiting;
  };
  using Key = std::pair<std::string, std::string>;  // topic and type

  static Key key_of(const web::ClientChannel& channel);
  ros2::Qos qos_for(const std::string& topic) const;
  static Result<void> send(Entry& entry, web::ClientId client, Bytes cdr);

  const ros2::Context& context_;
  ros2::Node& node_;
  std::map<Key, Entry> entries_;
};

}  // namespace tandem::runtime
