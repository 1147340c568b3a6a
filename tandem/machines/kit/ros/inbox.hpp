// SPDX-License-Identifier: Apache-2.0
// Commands from ROS: of several publishers one is obeyed; a command that is too old or cannot be carried out is
// refused, and every refusal is counted, kept for status and /diagnostics, and logged with one rate limit.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "tandem/machines/kit/ros/refusals.hpp"
#include "tandem/ros2/types/command_rules.hpp"

namespace tandem::machines {

// Declare it last: until it is gone, its callbacks use what they captured.
class Inbox {
 public:
  Inbox(ros2::FullNode& node, Refusals& refusals) : node_(node), refusals_(refusals) {}
  Inbox(const Inbox&) = delete;  // its callbacks hold its address

  // Hands every believed command to `take`, which gives an error if the command cannot be carried out; in a thread of
  // DDS. `closed` is why no command is taken on this topic at all. Returns the topic's full name.
  template <ros2::Message M, std::invocable<const M&, Instant> Take>
  std::string hear(const std::string& topic, const ros2::CommandRules& rules, Take take, std::string closed = {}) {
    subscriptions_.push_back(
        node_.subscribe<M>(topic, ros2::qos_of(rules),
                           [this, topic, rules, take = std::move(take), closed = std::move(closed)](
                               const M& message, const ros2::MessageInfo& info) {
                             auto taken = judge(message, rules, closed);
                             if (taken) taken = take(message, info.received);
                             if (!taken) refusals_.add(topic, taken.error().text);
                           }));
    return subscriptions_.back().topic();
  }

  // Whether a command may be taken, whatever it says.
  template <ros2::Message M>
  Result<void> judge(const M& message, const ros2::CommandRules& rules, const std::string& closed) const {
    if (!closed.empty()) return Error{Fault::refused, closed};
    if constexpr (requires { message.header.stamp; }) {
      std::string why = ros2::stamp_trouble(message.header.stamp, node_.clock().utc(), rules);
      if (!why.empty()) return Error{Fault::refused, std::move(why)};
    }
    return {};
  }

  // From any thread. Messages not heard, as another publisher owns their topic.
  std::uint64_t ignored() const {
    std::uint64_t count = 0;
    for (const ros2::Subscription& subscription : subscriptions_) count += subscription.refused();
    return count;
  }

 private:
  ros2::FullNode& node_;
  Refusals& refusals_;
  std::vector<ros2::Subscription> subscriptions_;
};

}  // namespace tandem::machines
