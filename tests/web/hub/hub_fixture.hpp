// SPDX-License-Identifier: Apache-2.0
// A hub with a world of its own and an outlet that keeps what would have gone to clients.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tandem/web/hub/hub.hpp"
#include "tests/web/hub/foxglove_client.hpp"

namespace tandem::web::test {

using nlohmann::json;

class Inboxes final : public Outlet {
 public:
  void send(ClientId client, Frame frame) override { frames[client].push_back(std::move(frame)); }
  void close(ClientId client, std::uint16_t, std::string_view) override { closed.push_back(client); }

  std::size_t largest() const override { return largest_message; }
  std::size_t room(ClientId) const override { return room_now; }

  // What came since the last look, in order: JSON as it is, bytes as {"binary": index into `binaries`}.
  std::vector<json> take(ClientId client) {
    std::vector<json> out;
    binaries.clear();
    for (const Frame& frame : frames[client]) {
      const Buffer bytes = bytes_of_frame(frame);
      if (frame.text) {
        out.push_back(json::parse(bytes.begin(), bytes.end()));
        continue;
      }
      auto read = read_server_binary(bytes);
      REQUIRE(read.ok());
      out.push_back({{"op", "binary"}, {"index", binaries.size()}});
      binaries.push_back(*std::move(read));
    }
    frames[client].clear();
    return out;
  }
  json take_one(ClientId client) {
    auto all = take(client);
    REQUIRE(all.size() == 1);
    return all[0];
  }
  template <typename T>
  T take_binary(ClientId client) {
    REQUIRE(take_one(client)["op"] == "binary");
    const T* found = std::get_if<T>(&binaries[0]);
    REQUIRE(found != nullptr);
    return *found;
  }
  std::vector<MessageData> take_messages(ClientId client) {
    take(client);
    std::vector<MessageData> out;
    for (const auto& binary : binaries)
      if (const auto* data = std::get_if<MessageData>(&binary)) out.push_back(*data);
    return out;
  }

  std::map<ClientId, std::vector<Frame>> frames;
  std::vector<ServerBinary> binaries;
  std::vector<ClientId> closed;
  std::size_t largest_message = 8 << 20, room_now = 8 << 20;
};

struct HubBench {
  std::vector<std::pair<ChannelId, bool>> edges;  // of `wanted`
  std::vector<std::string> said;                  // what the world was asked, in words
  std::vector<ServiceAnswer> answers;
  std::map<std::string, std::string> values = {{"/node.a", "1"}, {"/node.b", "\"two\""}};
  Inboxes inboxes;
  Hub hub;

  HubBench() : HubBench(true) {}
  explicit HubBench(bool whole) : hub(whole ? world() : World{}) { hub.attach(inboxes); }

  World world() {
    World world;
    world.metadata = {{"mode", "live"}};
    world.time = true;
    world.wanted = [this](ChannelId id, bool on) { edges.emplace_back(id, on); };
    world.advertise = [this](ClientId client, const ClientChannel& channel) -> Result<void> {
      if (channel.topic == "/forbidden") return Error{Fault::unsupported, "nobody listens to /forbidden", 0};
      said.push_back("advertise " + std::to_string(client) + " " + channel.topic);
      return {};
    };
    world.unadvertise = [this](ClientId client, const ClientChannel& channel) {
      said.push_back("unadvertise " + std::to_string(client) + " " + channel.topic);
    };
    world.publish = [this](ClientId, const ClientChannel& channel, Bytes message) -> Result<void> {
      if (message.empty()) return Error{Fault::invalid, channel.topic + ": empty", 0};
      said.push_back(channel.topic + " " + std::string(message.begin(), message.end()));
      return {};
    };
    world.call = [this](ClientId, std::uint32_t service, std::string_view encoding, Bytes request,
                        ServiceAnswer answer) {
      said.push_back("call " + std::to_string(service) + " " + std::string(encoding) + " " +
                     std::string(request.begin(), request.end()));
      answers.push_back(std::move(answer));
    };
    world.parameters = [this](const std::vector<std::string>& names) {
      std::vector<Parameter> out;
      for (const auto& [name, value] : values)
        if (names.empty() || std::find(names.begin(), names.end(), name) != names.end())
          out.push_back({name, value, ""});
      return out;
    };
    world.set_parameter = [this](const Parameter& parameter) -> Result<void> {
      if (!values.contains(parameter.name)) return Error{Fault::not_found, "no such parameter", 0};
      values[parameter.name] = parameter.value.value_or("null");
      return {};
    };
    world.asset = [](std::string_view uri) -> Result<std::vector<std::uint8_t>> {
      if (uri != "package://tandem/a") return Error{Fault::not_found, "no asset of that name", 0};
      return std::vector<std::uint8_t>{1, 2, 3};
    };
    return world;
  }

  void open(ClientId id, bool may_control = true) {
    hub.opened({id, "127.0.0.1:1", "foxglove.sdk.v1", "", may_control, may_control ? "" : "it only looks"});
  }
  // Opened, and the greetings thrown away.
  void open_quietly(ClientId id, bool may_control = true) {
    open(id, may_control);
    inboxes.take(id);
  }
  void say(ClientId id, const json& message) { hub.text(id, message.dump()); }
  void subscribe(ClientId id, std::uint32_t subscription, ChannelId channel) {
    say(id, {{"op", "subscribe"}, {"subscriptions", {{{"id", subscription}, {"channelId", channel}}}}});
  }
  void unsubscribe(ClientId id, std::uint32_t subscription) {
    say(id, {{"op", "unsubscribe"}, {"subscriptionIds", {subscription}}});
  }
  void advertise(ClientId id, std::uint32_t channel, const std::string& topic, const std::string& encoding = "json") {
    say(id, {{"op", "advertise"},
             {"channels", {{{"id", channel}, {"topic", topic}, {"encoding", encoding}, {"schemaName", "t"}}}}});
  }
  // The one status that came, and nothing else.
  std::string complaint(ClientId id, int level = 2) {
    const json status = inboxes.take_one(id);
    CHECK(status["op"] == "status");
    CHECK(status["level"] == level);
    return status["message"];
  }
};

inline Channel json_channel(const std::string& topic, std::size_t keep = 0) {
  return {topic, "json", "t", "{}", "jsonschema", keep};
}

}  // namespace tandem::web::test
