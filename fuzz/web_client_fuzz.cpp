// SPDX-License-Identifier: Apache-2.0
// What strangers say to the page's socket: any texts and bytes in any order, from clients that may control and that may
// not, while channels come and go. Every answer must be well formed, and every beginning must have its end.
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tandem/web/hub/hub.hpp"
#include "tests/web/hub/foxglove_client.hpp"

using namespace tandem;
using namespace tandem::web;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

class CheckingOutlet final : public Outlet {
 public:
  void send(ClientId, Frame frame) override {
    const test::Buffer bytes = test::bytes_of_frame(frame);
    if (!frame.text) return require(test::read_server_binary(bytes).ok());
    const auto message = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    require(message.is_object() && message.contains("op") && message["op"].is_string());
  }
  void close(ClientId, std::uint16_t, std::string_view) override { require(false); }
};

struct Balance {
  std::map<ChannelId, bool> wanted;
  std::multiset<std::pair<ClientId, std::string>> advertised;
  std::vector<ServiceAnswer> answers;
};

World world_of(Balance& balance) {
  World world;
  world.time = true;
  world.wanted = [&](ChannelId id, bool on) {
    require(balance.wanted[id] != on);
    balance.wanted[id] = on;
  };
  world.advertise = [&](ClientId client, const ClientChannel& channel) -> Result<void> {
    if (channel.topic.size() % 2 == 1) return Error{Fault::invalid, channel.topic, 0};
    balance.advertised.emplace(client, channel.topic);
    return {};
  };
  world.unadvertise = [&](ClientId client, const ClientChannel& channel) {
    const auto found = balance.advertised.find({client, channel.topic});
    require(found != balance.advertised.end());
    balance.advertised.erase(found);
  };
  world.publish = [](ClientId, const ClientChannel&, Bytes) { return Result<void>(); };
  world.call = [&](ClientId, std::uint32_t, std::string_view, Bytes, ServiceAnswer answer) {
    balance.answers.push_back(std::move(answer));
  };
  world.parameters = [](const std::vector<std::string>& names) {
    std::vector<Parameter> values;
    for (const auto& name : names) values.push_back({name, name, name});
    return values;
  };
  world.set_parameter = [](const Parameter& parameter) -> Result<void> {
    if (!parameter.value) return Error{Fault::invalid, parameter.name, 0};
    require(nlohmann::json::accept(*parameter.value));
    return {};
  };
  world.playback = [](const PlaybackRequest& request) { require(request.speed > 0); };
  world.asset = [](std::string_view uri) -> Result<std::vector<std::uint8_t>> {
    if (uri.size() > 4) return Error{Fault::not_found, std::string(uri), 0};
    return std::vector<std::uint8_t>(uri.begin(), uri.end());
  };
  return world;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Balance balance;
  CheckingOutlet outlet;
  Hub hub(world_of(balance));
  hub.attach(outlet);
  ChannelId newest = hub.add_channel({"/a", "json", "t", "{}", "jsonschema", 2});
  hub.add_service({"/s", "t", {"json", "t", "jsonschema", "{}"}, {}});
  for (const ClientId client : {1, 2}) hub.opened({client, "", "foxglove.sdk.v1", "", client == 1, ""});

  ByteReader reader(Bytes(data, size));
  while (reader.remaining() > 0) {
    const std::uint8_t what = reader.byte();
    const ClientId client = what % 4 == 0 ? 2 : 1;
    const std::size_t length = std::min<std::size_t>(reader.little<std::uint16_t>(), reader.remaining());
    switch (what / 4 % 8) {
      case 0:
        hub.publish(newest, 1, reader.bytes(length % 8));
        break;
      case 1:
        hub.remove_channel(newest);
        newest = hub.add_channel({"/b", "cdr", "t", "", "ros2msg", 1});
        break;
      case 2:
        for (const auto& answer : balance.answers) answer(std::vector<std::uint8_t>{1});
        balance.answers.clear();
        break;
      case 3:
        hub.closed(client);
        hub.opened({client, "", "foxglove.websocket.v1", "", client == 1, ""});
        hub.tick();
        break;
      case 4:
      case 5:
        hub.binary(client, reader.bytes(length));
        break;
      default:
        hub.text(client, reader.text(length));
    }
  }
  hub.closed(1);
  hub.closed(2);
  for (const auto& [channel, on] : balance.wanted) require(!on);
  require(balance.advertised.empty());
  return 0;
}
