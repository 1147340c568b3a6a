// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_publishers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/runtime/page/ros_json.hpp"

namespace tandem::runtime {

// Reliable and, where a client on the topic asks for what was sent before, kept for late comers.
ros2::Qos RosPublishers::qos_for(const std::string& topic) const {
  const ros2::Graph graph = context_.graph();
  const bool latched = std::ranges::any_of(graph.endpoints, [&](const ros2::GraphEndpoint& endpoint) {
    return !endpoint.writes && endpoint.topic == topic && endpoint.qos.durability == ros2::Durability::transient_local;
  });
  return latched ? ros2::Qos::latched() : ros2::Qos::standard();
}

// A type has two spellings, "std_msgs/String" and "std_msgs/msg/String", and is one.
RosPublishers::Key RosPublishers::key_of(const web::ClientChannel& channel) {
  const ros2::TypeSupport* type = ros2::find_type(channel.schema_name);
  return {channel.topic, type == nullptr ? channel.schema_name : type->name};
}

Result<void> RosPublishers::advertise(const web::ClientChannel& channel) {
  const std::string& topic = channel.topic;
  if (channel.encoding != "json" && channel.encoding != "cdr") {
    return Error{Fault::unsupported, fmt::format("{}: expected encoding json or cdr, got \"{}\"", printable(topic),
                                                 printable(channel.encoding))};
  }
  const ros2::TypeSupport* type = ros2::find_type(channel.schema_name);
  if (type == nullptr || type->name.find("/msg/") == std::string::npos) {
    return Error{Fault::not_found,
                 fmt::format("{}: unknown message type \"{}\"", printable(topic), printable(channel.schema_name))};
  }
  const Key key = key_of(channel);
  if (const auto found = entries_.find(key); found != entries_.end()) {
    ++found->second.users;
    return {};
  }
  if (entries_.size() == most_publishers) {
    return Error{Fault::busy, fmt::format("{}: maximum reached: clients already publish on {} topics", printable(topic),
                                          most_publishers)};
  }
  auto described = make_dynamic_type(*type);
  if (!described) return described.error();
  try {
    Entry entry{.type = std::move(*described),
                .publisher = node_.advertise_raw(topic, type->name, type->hash, qos_for(topic)),
                .users = 1,
                .made = now(),
                .waits = true,
                .owner = {},
                .heard = {},
                .waiting = {}};
    entries_.emplace(key, std::move(entry));
  } catch (const std::exception& error) {
    return Error{Fault::invalid, printable(error.what(), 300)};
  }
  return {};
}

void RosPublishers::unadvertise(web::ClientId client, const web::ClientChannel& channel) {
  const auto found = entries_.find(key_of(channel));
  if (found == entries_.end()) return;
  std::erase_if(found->second.waiting, [&](const auto& one) { return one.first == client; });
  if (found->second.owner == client) found->second.owner.reset();
  if (--found->second.users == 0) entries_.erase(found);
}

Result<void> RosPublishers::publish(web::ClientId client, const web::ClientChannel& channel, Bytes message) {
  const auto found = entries_.find(key_of(channel));
  if (found == entries_.end()) {
    return Error{Fault::not_found, fmt::format("{}: not advertised", printable(channel.topic))};
  }
  Entry& entry = found->second;
  if (channel.encoding == "cdr") {
    ros2::Visitor nobody;
    if (auto good = walk(entry.type, message, nobody); !good) return within(channel.topic, good.error());
    return send(entry, client, message);
  }
  const std::string_view text(reinterpret_cast<const char*>(message.data()), message.size());
  const auto cdr = cdr_from_json(entry.type, text, system_clock().utc());
  if (!cdr) return within(channel.topic, cdr.error());
  return send(entry, client, *cdr);
}

// The first message would be lost if it went out before its subscriptions have been found.
Result<void> RosPublishers::send(Entry& entry, web::ClientId client, Bytes cdr) {
  const Instant time = now();
  if (entry.owner && *entry.owner != client && time - entry.heard < owner_silence) {
    return Error{Fault::busy,
                 fmt::format("{}: not sent: another client is publishing there; free {} ms after its last message",
                             entry.publisher->topic(), owner_silence / 1ms)};
  }
  entry.owner = client;
  entry.heard = time;
  if (entry.waits) {
    if (entry.waiting.size() == most_waiting) entry.waiting.pop_front();
    entry.waiting.emplace_back(client, std::vector<std::uint8_t>(cdr.begin(), cdr.end()));
    return {};
  }
  if (entry.publisher->publish(cdr)) return {};
  return Error{Fault::busy, fmt::format("{}: not sent: the DDS history is full", entry.publisher->topic())};
}

void RosPublishers::tick(Instant now) {
  for (auto& [key, entry] : entries_) {
    if (!entry.waits || (entry.publisher->matched() == 0 && now < entry.made + longest_wait)) continue;
    entry.waits = false;
    for (const auto& [client, cdr] : entry.waiting) entry.publisher->publish(cdr);
    entry.waiting.clear();
  }
}

}  // namespace tandem::runtime
