// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "tests/web/hub/hub_fixture.hpp"

namespace tandem::web::test {

using Edges = std::vector<std::pair<ChannelId, bool>>;

TEST_CASE("Both names of the protocol are spoken and the newer one where both are offered") {
  HubBench bench;
  CHECK(bench.hub.choose({"foxglove.websocket.v1"}) == "foxglove.websocket.v1");
  CHECK(bench.hub.choose({"foxglove.websocket.v1", "foxglove.sdk.v1"}) == "foxglove.sdk.v1");
  CHECK(bench.hub.choose({"foxglove.sdk.v1", "foxglove.websocket.v1", "tandem.words"}) == "foxglove.sdk.v1");
  CHECK(bench.hub.choose({"x", "foxglove.sdk.v1"}) == "foxglove.sdk.v1");
  CHECK(bench.hub.choose({"foxglove.sdk.v2", ""}).empty());
  CHECK(bench.hub.choose({}).empty());
}

TEST_CASE("A newcomer is greeted with what there is and whether it may control") {
  HubBench bench;
  const ChannelId channel = bench.hub.add_channel(json_channel("/a"));
  bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}});
  bench.hub.tell_status(1, "old", "x");
  bench.hub.tell_status(1, "new", "x");
  bench.hub.tell_status(0, "without an id it is told once");
  bench.open(1, true);
  bench.open(2, false);
  const auto first = bench.inboxes.take(1), second = bench.inboxes.take(2);
  REQUIRE(first.size() == 4);
  CHECK(first[0]["op"] == "serverInfo");
  CHECK(first[0]["capabilities"] ==
        json({"clientPublish", "parameters", "parametersSubscribe", "time", "services", "connectionGraph", "assets"}));
  CHECK(first[0]["supportedEncodings"] == json({"cdr", "json"}));
  CHECK(first[0]["metadata"] == json{{"mode", "live"}, {"control", "yes"}});
  CHECK(second[0]["metadata"]["control"] == "no");
  CHECK(first[0]["sessionId"].get<std::string>().size() == 16);
  CHECK(first[0]["sessionId"] == second[0]["sessionId"]);
  CHECK(first[1]["op"] == "advertise");
  CHECK(first[1]["channels"][0]["id"] == channel);
  CHECK(first[2]["op"] == "advertiseServices");
  CHECK(first[2]["services"][0]["response"]["encoding"] == "json");
  CHECK(first[3]["message"] == "new");
  bench.hub.remove_status("x");
  CHECK(bench.inboxes.take_one(1) == json{{"op", "removeStatus"}, {"statusIds", {"x"}}});
  bench.hub.remove_status("x");
  CHECK(bench.inboxes.take(1).empty());
  HubBench other;
  other.open(1);
  CHECK(other.inboxes.take(1)[0]["sessionId"] != first[0]["sessionId"]);
}

TEST_CASE("A world that can nothing offers nothing and refuses in words") {
  HubBench bench(false);
  bench.open(1);
  CHECK(bench.inboxes.take_one(1)["capabilities"] == json({"connectionGraph"}));
  bench.advertise(1, 1, "/a");
  CHECK(bench.complaint(1) == "advertise: publishing is disabled");
  bench.hub.binary(1, client_message(1, {}));
  CHECK(bench.complaint(1) == "message: publishing is disabled");
  bench.hub.binary(1, service_call(1, 5, "json", {}));
  CHECK(bench.inboxes.take_one(1)["message"] == "services are disabled");
  bench.say(1, {{"op", "getParameters"}, {"parameterNames", json::array()}});
  CHECK(bench.complaint(1) == "getParameters: parameters are disabled");
  bench.say(1, {{"op", "setParameters"}, {"parameters", json::array()}});
  CHECK(bench.complaint(1) == "setParameters: parameters are disabled");
  bench.say(1, {{"op", "subscribeParameterUpdates"}, {"parameterNames", json::array()}});
  CHECK(bench.complaint(1) == "parameters are disabled");
  bench.say(1, {{"op", "fetchAsset"}, {"uri", "a"}, {"requestId", 4}});
  const auto asset = bench.inboxes.take_binary<AssetResponse>(1);
  CHECK((!asset.ok && asset.request == 4 && asset.error == "assets are not supported"));
  bench.hub.binary(1, playback_control({}));
  CHECK(bench.complaint(1) == "playback: not a recording; this is live");
  bench.hub.tell_time(1);
  CHECK(bench.inboxes.take(1).empty());
  CHECK(bench.hub.get({"/", "", false}).status == 404);
}

TEST_CASE("Messages reach their subscribers under the id that each of them chose and share their bytes") {
  HubBench bench;
  const ChannelId a = bench.hub.add_channel(json_channel("/a")), b = bench.hub.add_channel(json_channel("/b"));
  for (const ClientId client : {1, 2, 3}) bench.open_quietly(client);
  bench.subscribe(1, 0, a);
  bench.subscribe(2, 77, a);
  bench.subscribe(2, 78, b);
  bench.hub.publish(a, 1234, as_bytes("hello"));
  bench.hub.publish(b, 1235, as_bytes("b"), false);
  CHECK(bench.inboxes.frames[1][0].body == bench.inboxes.frames[2][0].body);
  CHECK(bench.inboxes.frames[2][0].droppable);
  CHECK_FALSE(bench.inboxes.frames[2][1].droppable);
  const auto first = bench.inboxes.take_messages(1), second = bench.inboxes.take_messages(2);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 2);
  CHECK((first[0].subscription == 0 && first[0].stamp == 1234 && first[0].payload == buffer_of(as_bytes("hello"))));
  CHECK((second[0].subscription == 77 && second[1].subscription == 78));
  CHECK(bench.inboxes.take(3).empty());
  bench.unsubscribe(2, 77);
  bench.hub.publish(a, 1236, as_bytes("again"));
  CHECK(bench.inboxes.take(2).empty());
  CHECK(bench.inboxes.take_messages(1).size() == 1);
}

TEST_CASE("A channel that keeps messages gives the newest of them to whoever subscribes") {
  HubBench bench;
  const ChannelId channel = bench.hub.add_channel(json_channel("/log", 3));
  for (const char* text : {"1", "2", "3", "4", "5"}) bench.hub.publish(channel, 9, as_bytes(text));
  bench.open_quietly(1);
  bench.subscribe(1, 5, channel);
  for (const Frame& frame : bench.inboxes.frames[1]) CHECK_FALSE(frame.droppable);
  const auto messages = bench.inboxes.take_messages(1);
  REQUIRE(messages.size() == 3);
  CHECK(messages[0].payload == buffer_of(as_bytes("3")));
  CHECK(messages[2].payload == buffer_of(as_bytes("5")));
}

TEST_CASE("What a channel was told to forget is given to nobody") {
  HubBench bench;
  const ChannelId channel = bench.hub.add_channel(json_channel("/map", 2));
  bench.hub.publish(channel, 1, as_bytes("old"), false);
  bench.hub.forget(channel);
  bench.hub.forget(99);
  CHECK(bench.hub.newest(channel) == nullptr);
  bench.open_quietly(1);
  bench.subscribe(1, 5, channel);
  CHECK(bench.inboxes.take(1).empty());
  bench.hub.publish(channel, 2, as_bytes("new"), false);
  CHECK(bench.inboxes.take_messages(1).size() == 1);
}

TEST_CASE("The world hears exactly when a channel begins and ends to be wanted") {
  HubBench bench;
  const ChannelId channel = bench.hub.add_channel(json_channel("/a"));
  bench.open_quietly(1);
  bench.open_quietly(2);
  bench.subscribe(1, 1, channel);
  bench.subscribe(2, 1, channel);
  CHECK(bench.edges == Edges{{channel, true}});
  bench.hub.closed(1);
  CHECK(bench.hub.wanted(channel));
  bench.hub.closed(1);
  bench.unsubscribe(2, 1);
  CHECK(bench.edges == Edges{{channel, true}, {channel, false}});
  CHECK_FALSE(bench.hub.wanted(channel));
  bench.subscribe(2, 1, channel);
  bench.hub.remove_channel(channel);
  CHECK(bench.edges == Edges{{channel, true}, {channel, false}, {channel, true}, {channel, false}});
  CHECK_FALSE(bench.hub.wanted(channel));
}

TEST_CASE("Edges of wanted alternate whatever clients do") {
  HubBench bench;
  std::mt19937_64 random(11);
  std::vector<ChannelId> channels;
  for (int i = 0; i < 5; ++i) channels.push_back(bench.hub.add_channel(json_channel("/" + std::to_string(i))));
  for (int i = 0; i < 1500; ++i) {
    const ClientId client = 1 + random() % 4;
    const auto subscription = static_cast<std::uint32_t>(random() % 6);
    ChannelId& channel = channels[random() % channels.size()];
    switch (random() % 8) {
      case 0:
        bench.open(client);
        break;
      case 1:
        bench.hub.closed(client);
        break;
      case 2:
        bench.hub.remove_channel(channel);
        channel = bench.hub.add_channel(json_channel("/next"));
        break;
      case 3:
      case 4:
        bench.unsubscribe(client, subscription);
        break;
      default:
        bench.subscribe(client, subscription, channel);
    }
    bench.hub.tick();
  }
  for (ClientId client = 1; client <= 4; ++client) bench.hub.closed(client);
  std::map<ChannelId, bool> wanted;
  for (const auto& [channel, on] : bench.edges) {
    CHECK(wanted[channel] != on);
    wanted[channel] = on;
  }
  for (const auto& [channel, on] : wanted) CHECK_FALSE(on);
  CHECK(bench.edges.size() > 100);
}

TEST_CASE("A removed channel is taken back and its id is never given again") {
  HubBench bench;
  const ChannelId old = bench.hub.add_channel(json_channel("/a"));
  bench.open_quietly(1);
  bench.subscribe(1, 3, old);
  bench.hub.remove_channel(old);
  CHECK(bench.inboxes.take_one(1) == json{{"op", "unadvertise"}, {"channelIds", {old}}});
  const ChannelId next = bench.hub.add_channel(json_channel("/a"));
  CHECK(next != old);
  CHECK(bench.inboxes.take_one(1)["channels"][0]["id"] == next);
  // Foxglove ends a subscription whose channel went; that is no mistake, once.
  bench.unsubscribe(1, 3);
  CHECK(bench.inboxes.take(1).empty());
  bench.unsubscribe(1, 3);
  CHECK(bench.complaint(1) == "unsubscribe: no subscription 3");
  bench.subscribe(1, 3, old);
  CHECK(bench.complaint(1) == "subscribe: channel 1 is no longer available");
  bench.subscribe(1, 3, next);
  CHECK(bench.inboxes.take(1).empty());
  bench.hub.publish(old, 1, as_bytes("x"));
  bench.hub.remove_channel(old);
  CHECK(bench.inboxes.take(1).empty());
  bench.open(2);
  CHECK(bench.inboxes.take(2)[1]["channels"].size() == 1);
}

TEST_CASE("A subscription that makes no sense is refused and the others of its message stand") {
  HubBench bench;
  const ChannelId a = bench.hub.add_channel(json_channel("/a")), b = bench.hub.add_channel(json_channel("/b"));
  bench.open_quietly(1);
  bench.say(1, {{"op", "subscribe"},
                {"subscriptions",
                 {{{"id", 1}, {"channelId", a}},
                  {{"id", 1}, {"channelId", b}},
                  {{"id", 2}, {"channelId", a}},
                  {{"id", 3}, {"channelId", 99}},
                  {{"id", 4}, {"channelId", 0}},
                  {{"id", 5}, {"channelId", 4294967295u}},
                  {{"id", 6}, {"channelId", b}}}}});
  CHECK(bench.complaint(1) ==
        "subscribe: id 1 is already in use; channel 1 is already subscribed; channel 99 is unknown; and 2 more");
  CHECK(bench.edges == Edges{{a, true}, {b, true}});
  CHECK(bench.inboxes.closed.empty());
}

TEST_CASE("The world may change channels while it hears of an edge") {
  Hub* hub = nullptr;
  std::vector<ChannelId> channels;
  World world;
  world.wanted = [&](ChannelId, bool wanted) {
    if (!wanted)
      for (const ChannelId channel : channels) hub->remove_channel(channel);
    else
      hub->publish(channels[0], 1, as_bytes("first"));
  };
  Hub made(std::move(world));
  hub = &made;
  Inboxes inboxes;
  made.attach(inboxes);
  for (int i = 0; i < 4; ++i) channels.push_back(made.add_channel(json_channel("/x")));
  made.opened({1, "", "", "", true, ""});
  inboxes.take(1);
  for (const ChannelId channel : channels)
    made.text(1, json{{"op", "subscribe"}, {"subscriptions", {{{"id", channel}, {"channelId", channel}}}}}.dump());
  CHECK(inboxes.take_messages(1).size() == 4);
  made.closed(1);
  for (const ChannelId channel : channels) CHECK_FALSE(made.wanted(channel));
}

TEST_CASE("Nobody hears from the hub before it opened or after it closed") {
  HubBench bench;
  const ChannelId channel = bench.hub.add_channel(json_channel("/a"));
  bench.subscribe(5, 1, channel);
  bench.hub.binary(5, client_message(1, {}));
  bench.hub.closed(5);
  CHECK(bench.inboxes.frames[5].empty());
  CHECK(bench.hub.client(5) == nullptr);
  bench.open_quietly(5);
  REQUIRE(bench.hub.client(5) != nullptr);
  CHECK(bench.hub.client(5)->address == "127.0.0.1:1");
  bench.open(5);
  CHECK(bench.inboxes.take(5).empty());
  bench.subscribe(5, 1, channel);
  bench.hub.closed(5);
  bench.hub.publish(channel, 1, as_bytes("x"));
  bench.hub.tell_time(1);
  bench.hub.tell_status(2, "x");
  CHECK(bench.inboxes.frames[5].empty());
  CHECK(bench.edges == Edges{{channel, true}, {channel, false}});
}

}  // namespace tandem::web::test
