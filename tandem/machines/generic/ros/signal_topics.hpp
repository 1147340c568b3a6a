// SPDX-License-Identifier: Apache-2.0
// One topic for each signal, latched: published when the value has changed, in SI. ~/NAME/quality says how good it is;
// what is bad or stale is not published. A latched topic costs as much without listeners as with them: then it is
// renewed once a second, and at once when somebody listens.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tandem/machines/generic/shared_readings.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::generic {

// For the machine's thread. A warm publish() allocates nothing of its own, save for texts that grow.
class SignalTopics {
 public:
  // `recorded`: every change counts, whoever listens.
  SignalTopics(ros2::FullNode& node, const Description& description, bool recorded)
      : node_(node), description_(description), recorded_(recorded) {}

  // Opens topics for these signals; those that are as before stay open.
  void offer(const SignalList& signals);
  void publish(const Readings& readings, Instant now);
  std::size_t size() const { return topics_.size(); }

 private:
  template <typename M>
  using To = ros2::Publisher<M>;
  using Value = std::variant<std::monostate, To<ros2::std_msgs::Float64>, To<ros2::std_msgs::Int64>,
                             To<ros2::std_msgs::UInt64>, To<ros2::std_msgs::Bool>, To<ros2::std_msgs::Int32>,
                             To<ros2::std_msgs::String>, To<ros2::std_msgs::Float64MultiArray>>;
  struct Topic {
    std::size_t signal = 0;  // index
    std::string key;         // what the topic depends on; the same key is the same topic
    double deadband = 0;
    Value value;
    std::vector<To<ros2::std_msgs::Bool>> bits;
    std::optional<To<ros2::std_msgs::String>> text, quality;
    std::unique_ptr<ros2::std_msgs::Float64MultiArray> array;
    // What was published last.
    std::uint32_t changes = 0;
    bool looked = false, published = false;
    Instant renewed{};
    SignalQuality said = SignalQuality::stale;
    double number = 0;
    std::int64_t integer = 0;
  };

  Topic open(const Signal& signal);
  static bool is_heard(const Topic& topic);
  void publish_value(Topic& topic, const Signal& signal, const Readings& readings);
  void publish_integer(Topic& topic, const Signal& signal, std::int64_t raw, double number);
  void publish_bits(Topic& topic, const Signal& signal, std::int64_t raw);
  void publish_array(Topic& topic, const Signal& signal, const Readings& readings);
  void say(const To<ros2::std_msgs::String>& publisher, std::string_view text);

  ros2::FullNode& node_;
  const Description& description_;
  const bool recorded_;
  SignalList signals_;
  std::vector<Topic> topics_;
  ros2::std_msgs::String string_;
  std::string room_;
};

}  // namespace tandem::generic
