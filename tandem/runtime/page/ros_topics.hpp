// SPDX-License-Identifier: Apache-2.0
// A channel for each topic of the ROS graph whose type we know: fed by the tap with what this process publishes, and by
// a subscription, while a client listens, with what others do.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tandem/ros2/node.hpp"
#include "tandem/runtime/page/topic_feed.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::runtime {

// All on the server's thread.
class RosTopics {
 public:
  RosTopics(web::Hub& hub, const ros2::Context& context, ros2::Node& node, TopicFeed& feed, Duration linger)
      : hub_(hub), context_(context), node_(node), feed_(feed), linger_(linger) {}
  ~RosTopics();
  RosTopics(const RosTopics&) = delete;
  RosTopics& operator=(const RosTopics&) = delete;

  // Adds, removes and adapts channels.
  void follow(const ros2::Graph& graph);
  // False: the channel is none of ours. What must be subscribed for it is with the next follow(); it ends with one when
  // no one has wanted it for some time, so that who comes and goes quickly makes DDS do nothing.
  bool wanted(web::ChannelId channel, bool wanted);
  // Whether something is to be subscribed, for which follow() should come soon.
  bool waits() const { return waits_; }
  // False: no channel has this topic.
  bool publish(const std::string& topic, Bytes cdr, UtcTime stamp);
  // A robot as its topic describes it: "package://tandem/ur3e/robot_description.urdf" is what was last published on
  // /ur3e/robot_description. Nothing else has an address: names of topics are compared, no file is looked for.
  Result<std::vector<std::uint8_t>> asset(std::string_view uri) const;

 private:
  struct Publishers;  // of a topic, as the graph shows them
  struct Topic {
    std::string type, type_hash;
    web::ChannelId channel = 0;
    bool latched = false;
    bool wanted = false;
    Instant left{};        // when it was wanted last, unless it is
    bool foreign = false;  // others publish it too
    std::string told;      // why others cannot be heard
    ros2::Qos qos;         // of the subscription
    TopicFeed::Source source = 0;
    std::optional<ros2::Subscription> subscription;
  };

  std::map<std::string, Publishers> published(const ros2::Graph& graph) const;
  void add(const std::string& name, const Publishers& publishers);
  void remove(const std::string& name);
  void listen(const std::string& name, Topic& topic, const Publishers& publishers);
  void subscribe(const std::string& name, Topic& topic);
  void end_listening(Topic& topic);

  web::Hub& hub_;
  const ros2::Context& context_;
  ros2::Node& node_;
  TopicFeed& feed_;
  Duration linger_;
  std::size_t changes_ = 0;  // of subscriptions, in this follow()
  bool waits_ = false;
  std::map<std::string, Topic> topics_;
  std::map<web::ChannelId, std::string> names_;
};

// Nodes, what they publish and subscribe, and the services they offer; without hidden names.
web::ConnectionGraph connection_graph(const ros2::Graph& graph);

}  // namespace tandem::runtime
