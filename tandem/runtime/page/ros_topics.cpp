// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tandem/base/nearest.hpp"
#include "tandem/base/sha256.hpp"
#include "tandem/ros2/graph/names.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/types/cdr.hpp"

namespace tandem::runtime {
namespace {

constexpr std::size_t most_channels = 2000;  // a domain full of strangers must not fill our memory
constexpr std::size_t most_changes = 8;      // of subscriptions in one look; DDS takes its time for each

// How many of its newest messages a newcomer gets. Each publisher of /tf_static has transforms of its own.
std::size_t kept_messages(const std::string& topic, bool latched, std::size_t publishers) {
  if (!latched) return 0;
  if (topic == "/rosout") return 100;
  return std::max<std::size_t>(topic == "/tf_static" ? 64 : 1, publishers);
}

// Under which viewers learn that a topic cannot be heard.
std::string status_of(const std::string& topic) { return "ros " + topic; }

std::string node_id(const ros2::GraphEndpoint& endpoint) {
  return endpoint.node.empty() ? hex(Bytes(endpoint.gid)) : endpoint.node;
}

std::vector<web::GraphTopic> graph_topics(const std::map<std::string, std::vector<std::string>>& named) {
  std::vector<web::GraphTopic> topics;
  topics.reserve(named.size());
  for (const auto& [name, ids] : named) topics.push_back({name, ids});
  return topics;
}

}  // namespace

struct RosTopics::Publishers {
  const ros2::TypeSupport* type = nullptr;
  bool latched = false;
  std::size_t count = 0;
  std::vector<const ros2::GraphEndpoint*> others;
  bool ours() const { return count > others.size(); }  // this process publishes it
};

RosTopics::~RosTopics() {
  for (auto& [name, topic] : topics_) {
    end_listening(topic);
    hub_.remove_channel(topic.channel);
  }
}

// Where publishers do not agree on the type: the one that we have a channel for, else that of this process, else the
// first. One with another hash than ours has other fields.
std::map<std::string, RosTopics::Publishers> RosTopics::published(const ros2::Graph& graph) const {
  std::map<std::string, Publishers> all;
  const auto take = [&](const ros2::GraphEndpoint& endpoint) {
    if (!endpoint.writes || endpoint.topic.empty() || ros2::is_hidden(endpoint.topic)) return;
    const ros2::TypeSupport* type = ros2::find_type(endpoint.type);
    if (type == nullptr || type->name != endpoint.type) return;
    if (!endpoint.type_hash.empty() && endpoint.type_hash != type->hash) return;
    const auto known = topics_.find(endpoint.topic);
    Publishers& publishers = all[endpoint.topic];
    const bool preferred = known != topics_.end() && known->second.type == type->name;
    if (publishers.type == nullptr || (preferred && publishers.type != type)) {
      publishers = {};
      publishers.type = type;
    }
    if (publishers.type != type) return;
    ++publishers.count;
    publishers.latched |= endpoint.qos.durability == ros2::Durability::transient_local;
    if (!endpoint.local) publishers.others.push_back(&endpoint);
  };
  for (const bool local : {true, false}) {
    for (const ros2::GraphEndpoint& endpoint : graph.endpoints) {
      if (endpoint.local == local) take(endpoint);
    }
  }
  return all;
}

void RosTopics::follow(const ros2::Graph& graph) {
  const std::map<std::string, Publishers> there = published(graph);
  changes_ = 0;
  waits_ = false;
  std::vector<std::string> gone;
  for (const auto& [name, topic] : topics_) {
    const auto found = there.find(name);
    const bool same =
        found != there.end() && found->second.type->name == topic.type && (topic.latched || !found->second.latched);
    if (!same) gone.push_back(name);
  }
  for (const std::string& name : gone) remove(name);
  for (const auto& [name, publishers] : there) {
    if (!topics_.contains(name)) {
      if (topics_.size() == most_channels) continue;
      add(name, publishers);
    }
    listen(name, topics_.at(name), publishers);
  }
}

void RosTopics::add(const std::string& name, const Publishers& publishers) {
  Topic& topic = topics_[name];
  topic.type = publishers.type->name;
  topic.type_hash = publishers.type->hash;
  topic.latched = publishers.latched;
  topic.channel = hub_.add_channel({.topic = name,
                                    .encoding = "cdr",
                                    .schema_name = topic.type,
                                    .schema = publishers.type->definition,
                                    .schema_encoding = "ros2msg",
                                    .keep = kept_messages(name, topic.latched, publishers.count)});
  names_[topic.channel] = name;
}

void RosTopics::remove(const std::string& name) {
  const auto found = topics_.find(name);
  end_listening(found->second);
  feed_.want(name, false);
  if (!found->second.told.empty()) hub_.remove_status(status_of(name));
  const web::ChannelId channel = found->second.channel;
  names_.erase(channel);
  topics_.erase(found);
  hub_.remove_channel(channel);  // last, as it may say that is not wanted it any more
}

void RosTopics::listen(const std::string& name, Topic& topic, const Publishers& publishers) {
  topic.foreign = !publishers.others.empty();
  const bool lingers = topic.subscription && !topic.wanted && now() - topic.left < linger_;
  const bool needed = topic.foreign && (topic.wanted || lingers);
  if (!needed && !topic.subscription) return;
  ros2::Qos qos;
  if (needed) {
    qos = matching_qos(publishers.others);
    if (name == "/tf") qos.depth = ros2::Qos::tf().depth;
    if (topic.subscription && topic.qos == qos) return;
  }
  if (changes_ == most_changes) {
    waits_ = true;
    return;
  }
  ++changes_;
  // What was received may not hold any more by the time that a client listens again.
  if (topic.subscription && !publishers.ours()) hub_.forget(topic.channel);
  end_listening(topic);
  if (!needed) return;
  topic.qos = qos;
  subscribe(name, topic);
}

void RosTopics::subscribe(const std::string& name, Topic& topic) {
  topic.source = feed_.add(name);
  try {
    topic.subscription = node_.subscribe_raw(
        name, topic.type, topic.type_hash, topic.qos,
        [&feed = feed_, &context = context_, source = topic.source](Bytes cdr, const ros2::MessageInfo& info) {
          // Our own has come through the tap.
          if (!context.is_own(info.publisher)) feed.put(source, cdr, system_clock().utc());
        },
        false);
    if (!std::exchange(topic.told, {}).empty()) hub_.remove_status(status_of(name));
  } catch (const std::exception& error) {
    end_listening(topic);
    if (topic.told == error.what()) return;
    topic.told = error.what();
    hub_.tell_status(2, topic.told, status_of(name));
  }
}

void RosTopics::end_listening(Topic& topic) {
  topic.subscription.reset();
  if (topic.source != 0) feed_.remove(std::exchange(topic.source, 0));
}

bool RosTopics::wanted(web::ChannelId channel, bool wanted) {
  const auto found = names_.find(channel);
  if (found == names_.end()) return false;
  Topic& topic = topics_.at(found->second);
  if (!wanted) topic.left = now();
  topic.wanted = wanted;
  waits_ |= wanted && topic.foreign && !topic.subscription;
  feed_.want(found->second, wanted);
  return true;
}

bool RosTopics::publish(const std::string& topic, Bytes cdr, UtcTime stamp) {
  const auto found = topics_.find(topic);
  if (found == topics_.end()) return false;
  const auto nanoseconds = static_cast<std::uint64_t>(stamp.time_since_epoch().count());
  hub_.publish(found->second.channel, nanoseconds, cdr, !found->second.latched);
  return true;
}

Result<std::vector<std::uint8_t>> RosTopics::asset(std::string_view uri) const {
  std::string there;
  for (const auto& [name, topic] : topics_) {
    if (!name.ends_with("/robot_description") || topic.type != "std_msgs/msg/String") continue;
    const auto message = hub_.newest(topic.channel);
    ros2::std_msgs::String text;
    if (!message || !ros2::decode(*message, text)) continue;
    const std::string address = fmt::format("package://tandem{}.urdf", name);
    if (uri == address) return std::vector<std::uint8_t>(text.data.begin(), text.data.end());
    there += (there.empty() ? "; there is " : ", ") + address;
  }
  return Error{Fault::not_found, fmt::format("no asset {}{}", printable(uri), there)};
}

web::ConnectionGraph connection_graph(const ros2::Graph& graph) {
  std::map<std::string, std::vector<std::string>> published, subscribed, services;
  for (const ros2::GraphEndpoint& endpoint : graph.endpoints) {
    if (!endpoint.topic.empty()) {
      if (ros2::is_hidden(endpoint.topic)) continue;
      (endpoint.writes ? published : subscribed)[endpoint.topic].push_back(node_id(endpoint));
    } else if (!endpoint.writes && endpoint.dds_topic.starts_with("rq/")) {
      const std::string name = ros2::ros_service_name(endpoint.dds_topic);
      if (!name.empty() && !ros2::is_hidden(name)) services[name].push_back(node_id(endpoint));
    }
  }
  return {graph_topics(published), graph_topics(subscribed), graph_topics(services)};
}

}  // namespace tandem::runtime
