// SPDX-License-Identifier: Apache-2.0
// ROS on loopback behind a hub, and a viewer that talks with it as over the wire.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tandem/ros2/full_node.hpp"
#include "tandem/runtime/page/ros_channels.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/web/hub/foxglove_client.hpp"

namespace tandem::runtime {

using Json = nlohmann::json;

// Everything that one client has heard, sorted by what it is.
class Viewer final : public web::Outlet {
 public:
  std::map<std::string, Json> channels, services, parameters;           // by name; those that are there
  std::map<std::string, std::vector<web::test::MessageData>> messages;  // by topic
  std::map<std::uint32_t, Json> failures;                               // of calls
  std::map<std::uint32_t, web::test::ServiceResponse> answers;          // to calls
  std::vector<std::string> assets;                                      // their contents, or why there are none
  std::vector<std::string> complaints;
  std::vector<Json> graphs;

  void send(web::ClientId, web::Frame frame) override {
    const auto bytes = web::test::bytes_of_frame(frame);
    if (frame.text) return hear(Json::parse(bytes.begin(), bytes.end()));
    const auto read = web::test::read_server_binary(bytes);
    REQUIRE(read);
    if (const auto* data = std::get_if<web::test::MessageData>(&*read)) {
      messages[subscribed.at(data->subscription)].push_back(*data);
    } else if (const auto* answer = std::get_if<web::test::ServiceResponse>(&*read)) {
      answers[answer->call] = *answer;
    } else if (const auto* asset = std::get_if<web::test::AssetResponse>(&*read)) {
      assets.push_back(asset->ok ? std::string(asset->content.begin(), asset->content.end()) : asset->error);
    }
  }
  void close(web::ClientId, std::uint16_t, std::string_view) override {}

  std::map<std::uint32_t, std::string> subscribed;  // topics by subscription

 private:
  void hear(const Json& said) {
    const std::string operation = said["op"];
    if (operation == "advertise") {
      for (const Json& each : said["channels"]) channels[each["topic"]] = each;
    } else if (operation == "unadvertise") {
      std::erase_if(channels, [&](const auto& entry) { return contains(said["channelIds"], entry.second["id"]); });
    } else if (operation == "advertiseServices") {
      for (const Json& each : said["services"]) services[each["name"]] = each;
    } else if (operation == "unadvertiseServices") {
      std::erase_if(services, [&](const auto& entry) { return contains(said["serviceIds"], entry.second["id"]); });
    } else if (operation == "parameterValues") {
      for (const Json& each : said["parameters"]) parameters[each["name"]] = each;
    } else if (operation == "serviceCallFailure") {
      failures[said["callId"]] = said;
    } else if (operation == "status") {
      complaints.push_back(said["message"]);
    } else if (operation == "connectionGraphUpdate") {
      graphs.push_back(said);
    }
  }
  static bool contains(const Json& list, const Json& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
  }
};

struct RosBench {
  explicit RosBench(web::World the_world = {}) : options(ros2::loopback_options()), there(options) {
    options.tap = &channels;
    here.emplace(options);
    channels.fill(the_world);
    hub.emplace(std::move(the_world));
    hub->attach(viewer);
    channels.attach(*hub, *here);
    web::Client client;
    client.id = 1;
    client.may_control = true;
    hub->opened(client);
  }
  ~RosBench() { channels.detach(); }

  void open_second() {  // another viewer, whom nobody listens to
    web::Client client;
    client.id = 2;
    client.may_control = true;
    hub->opened(client);
  }
  void say(const Json& message, web::ClientId client = 1) { hub->text(client, message.dump()); }
  void subscribe(const std::string& topic) {
    const auto id = static_cast<std::uint32_t>(viewer.subscribed.size() + 1);
    viewer.subscribed[id] = topic;
    say({{"op", "subscribe"}, {"subscriptions", {{{"id", id}, {"channelId", viewer.channels.at(topic)["id"]}}}}});
  }
  void unsubscribe(std::uint32_t id) { say({{"op", "unsubscribe"}, {"subscriptionIds", {id}}}); }
  void advertise(std::uint32_t id, const std::string& topic, const std::string& type, const std::string& encoding,
                 web::ClientId client = 1) {
    say({{"op", "advertise"},
         {"channels", {{{"id", id}, {"topic", topic}, {"encoding", encoding}, {"schemaName", type}}}}},
        client);
  }
  void call(std::uint32_t call, const std::string& service, Bytes request) {
    hub->binary(1, web::test::service_call(viewer.services.at(service)["id"], call, "cdr", request));
  }
  // Ticks as the server does until it is so.
  template <typename Condition>
  bool until(Condition condition) {
    return ros2::eventually([&] {
      hub->tick();
      return condition();
    });
  }
  bool has_channel(const std::string& topic) { return viewer.channels.contains(topic); }
  std::size_t heard(const std::string& topic) { return viewer.messages[topic].size(); }

  RosChannels channels{{.ring_bytes = 1u << 20, .look = 20ms, .linger = 300ms}};
  ros2::ContextOptions options;
  ros2::Context there;                // another process
  std::optional<ros2::Context> here;  // ours, with the tap
  Viewer viewer;
  std::optional<web::Hub> hub;
};

}  // namespace tandem::runtime
