// SPDX-License-Identifier: Apache-2.0
// What echo, hz, bw and delay share: which topic, of which type and QoS, and the messages that came.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/app/ros/session.hpp"

namespace tandem::app::ros {

struct Topic {
  std::string name;
  std::string type;    // "std_msgs/msg/String"
  ros2::Qos qos;       // that receives all publishers that are there
  std::string hash{};  // of the type, as its publishers give it; empty: unknown
};

// The topic, with the type of its publishers, else of its subscriptions, unless one is given. Where it is not there:
// an error that says what is, or, if patient, a remark, and waiting.
Result<Topic> find_topic(Session& session, ros2::Graph& graph, const std::string& name, const std::string& type,
                         bool patient);

struct Heard {
  std::vector<std::uint8_t> cdr;
  ros2::MessageInfo info;
  UtcTime utc{};  // when it came
};

// Messages on their way from DDS' thread. Of more than it holds the oldest go.
class Inbox {
 public:
  void put(Bytes cdr, const ros2::MessageInfo& info);
  std::optional<Heard> take();
  std::size_t dropped() const;

 private:
  static constexpr std::size_t most = 1000;
  static constexpr std::size_t most_bytes = 256u << 20;
  mutable std::mutex mutex_;
  std::deque<Heard> waiting_;
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;
};

ros2::Subscription listen(Session& session, const Topic& topic, Inbox& inbox);

}  // namespace tandem::app::ros
