// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>
#include <set>

#include "tests/web/hub/hub_fixture.hpp"

namespace tandem::web::test {

TEST_CASE("Any number of subscriptions costs a client some words and the hub nothing") {
  HubBench bench;
  std::vector<ChannelId> channels;
  for (std::size_t i = 0; i < most_subscriptions + 10; ++i)
    channels.push_back(bench.hub.add_channel(json_channel("/")));
  bench.open_quietly(1);
  std::size_t asked = 0;
  while (asked < 50'000) {
    std::string text = R"({"op":"subscribe","subscriptions":[)";
    for (int i = 0; i < 5000; ++i, ++asked)
      text += "{\"id\":" + std::to_string(asked) + ",\"channelId\":" + std::to_string(asked + 1) + "},";
    text.back() = ']';
    bench.hub.text(1, text + "}");
  }
  CHECK(bench.edges.size() == most_subscriptions);
  const auto messages = bench.inboxes.take(1);
  REQUIRE(messages.size() == 10);
  CHECK(messages[0]["message"].get<std::string>().starts_with(
      "subscribe: at most 4096 channels at a time; at most 4096 channels at a time;"));
  CHECK(messages[1]["message"].get<std::string>().ends_with("channel 5003 is unknown; and 4997 more"));
  for (const json& message : messages) CHECK(message["message"].get<std::string>().size() < 300);
  bench.hub.closed(1);
  CHECK(bench.edges.size() == 2 * most_subscriptions);
}

TEST_CASE("A message that is too big is skipped in words and the next one shown") {
  HubBench bench;
  bench.inboxes.largest_message = 1000;
  const ChannelId map = bench.hub.add_channel(json_channel("/map", 1));
  const ChannelId other = bench.hub.add_channel(json_channel("/other"));
  bench.open_quietly(1);
  const std::string big(1001, 'x'), good(1000, 'x');
  bench.hub.publish(map, 1, as_bytes(big), false);  // kept
  bench.subscribe(1, 7, map);
  const json told = bench.inboxes.take_one(1);
  CHECK(told["op"] == "status");
  CHECK(told["level"] == 1);
  CHECK(told["message"].get<std::string>().starts_with("/map: a message of "));
  bench.hub.publish(map, 2, as_bytes(big), true);
  CHECK(bench.inboxes.take(1).empty());  // told once
  bench.subscribe(1, 8, other);
  bench.hub.publish(other, 2, as_bytes(big), true);
  CHECK(bench.inboxes.take_one(1)["id"] != told["id"]);
  bench.hub.publish(map, 3, as_bytes(good), true);
  const auto again = bench.inboxes.take(1);
  REQUIRE(again.size() == 2);
  CHECK(again[0]["op"] == "removeStatus");
  CHECK(again[0]["statusIds"] == json::array({told["id"]}));
  CHECK(bench.inboxes.binaries.size() == 1);
  bench.unsubscribe(1, 8);
  CHECK(bench.inboxes.take_one(1)["op"] == "removeStatus");
  CHECK(bench.inboxes.closed.empty());
}

TEST_CASE("What must not be lost and finds no room is given later and the newest of it") {
  HubBench bench;
  const ChannelId map = bench.hub.add_channel(json_channel("/map", 1));
  const ChannelId frames = bench.hub.add_channel(json_channel("/tf_static", 3));
  const ChannelId passing = bench.hub.add_channel(json_channel("/passing"));
  bench.open_quietly(1);
  bench.open_quietly(2);
  const auto heard = [&](ClientId client) {
    std::vector<std::string> texts;
    for (const auto& message : bench.inboxes.take_messages(client))
      texts.emplace_back(message.payload.begin(), message.payload.end());
    return texts;
  };
  using Texts = std::vector<std::string>;
  for (const char* text : {"a", "b"}) bench.hub.publish(frames, 1, as_bytes(text), false);
  bench.inboxes.room_now = 0;
  bench.subscribe(1, 7, map);
  bench.subscribe(1, 8, frames);
  bench.subscribe(1, 9, passing);
  for (const char* text : {"map 1", "map 2", "map 3"}) bench.hub.publish(map, 1, as_bytes(text), false);
  for (const char* text : {"c", "d"}) bench.hub.publish(frames, 1, as_bytes(text), false);
  bench.hub.tick();
  CHECK(heard(1).empty());
  bench.hub.publish(passing, 1, as_bytes("kept nowhere"), false);
  CHECK(bench.inboxes.frames[1].at(0).droppable);  // so that nobody is closed for it
  CHECK(heard(1).size() == 1);
  bench.inboxes.room_now = bench.inboxes.largest_message;
  bench.hub.publish(map, 1, as_bytes("map 4"), false);  // it comes in its turn
  CHECK(heard(1).empty());
  bench.hub.tick();
  CHECK(heard(1) == Texts{"map 4", "b", "c", "d"});
  bench.hub.publish(map, 1, as_bytes("map 5"), false);
  bench.hub.tick();
  CHECK(heard(1) == Texts{"map 5"});
  // Who no longer listens, and whose channel is gone, is owed nothing.
  bench.inboxes.room_now = 0;
  bench.subscribe(2, 7, map);
  bench.subscribe(2, 8, frames);
  bench.unsubscribe(2, 7);
  bench.hub.remove_channel(frames);
  bench.inboxes.room_now = bench.inboxes.largest_message;
  bench.inboxes.take(2);
  bench.hub.tick();
  CHECK(heard(2).empty());
}

TEST_CASE("A newcomer is told of thousands of channels in pieces while there is room") {
  HubBench bench;
  const std::string schema(4000, 's');
  std::set<ChannelId> there;
  const auto add = [&] { there.insert(bench.hub.add_channel({"/t", "cdr", "t", schema, "ros2msg", 0})); };
  for (int i = 0; i < 1000; ++i) add();
  bench.open(1);
  std::set<ChannelId> known;
  const auto learn = [&] {
    std::size_t pieces = 0;
    for (const Frame& frame : bench.inboxes.frames[1]) CHECK(frame.body->size() < 1'000'000);
    for (const json& message : bench.inboxes.take(1)) {
      if (message["op"] == "unadvertise") {
        for (const ChannelId id : message["channelIds"]) CHECK(known.erase(id) == 1);
      } else if (message["op"] == "advertise") {
        ++pieces;
        for (const json& channel : message["channels"]) CHECK(known.insert(channel["id"].get<ChannelId>()).second);
      }
    }
    return pieces;
  };
  CHECK(learn() == 1);
  bench.inboxes.room_now = 1000;
  bench.hub.tick();
  CHECK(learn() == 0);
  bench.inboxes.room_now = bench.inboxes.largest_message;
  add();                                          // told later, in its turn
  for (const ChannelId id : {1u, 500u, 1000u}) {  // told already, and not yet
    bench.hub.remove_channel(id);
    there.erase(id);
  }
  for (int i = 0; i < 10; ++i) {
    bench.hub.tick();
    CHECK(learn() <= 1);
  }
  CHECK(known == there);
  add();
  CHECK(learn() == 1);
  CHECK(known == there);
}

TEST_CASE("Endless nonsense is answered a bounded number of times and counted") {
  HubBench bench;
  bench.open_quietly(1);
  bench.open_quietly(2);
  for (int i = 0; i < 1000; ++i) bench.hub.text(1, "nonsense");
  CHECK(bench.inboxes.take(1).size() == most_complaints);
  bench.hub.text(2, "nonsense");
  CHECK(bench.complaint(2) == "expected a JSON object, got 'nonsense'");
  for (std::size_t i = 0; i < complaint_ticks; ++i) bench.hub.tick();
  CHECK(bench.complaint(1) == std::to_string(1000 - most_complaints) + " more were refused");
  bench.hub.text(1, R"({"op":"dance"})");
  CHECK(bench.complaint(1, 1).starts_with("unknown op 'dance'"));
  CHECK(bench.inboxes.closed.empty());
}

TEST_CASE("Client channels and their texts are bounded and room comes back") {
  HubBench bench;
  bench.open_quietly(1);
  for (std::uint32_t i = 0; i < most_client_channels; ++i) bench.advertise(1, i, "/t");
  CHECK(bench.inboxes.take(1).empty());
  bench.advertise(1, 1000, "/t");
  CHECK(bench.complaint(1) == "advertise: at most 256 channels at a time");
  json ids = json::array();
  for (std::uint32_t i = 0; i < most_client_channels; ++i) ids.push_back(i);
  bench.say(1, {{"op", "unadvertise"}, {"channelIds", ids}});
  const std::string schema(foxglove::longest_schema, 's');
  const auto advertise_long = [&](std::uint32_t id) {
    bench.say(1, {{"op", "advertise"},
                  {"channels",
                   {{{"id", id}, {"topic", "/t"}, {"encoding", "cdr"}, {"schemaName", "t"}, {"schema", schema}}}}});
  };
  for (std::uint32_t i = 0; i < 15; ++i) advertise_long(i);
  CHECK(bench.inboxes.take(1).empty());
  advertise_long(15);
  CHECK(bench.complaint(1) == "advertise: all channels have at most 1048576 bytes of text");
  bench.say(1, {{"op", "unadvertise"}, {"channelIds", {3}}});
  advertise_long(15);
  CHECK(bench.inboxes.take(1).empty());
}

TEST_CASE("Calls under way and followed parameters are bounded") {
  HubBench bench;
  const std::uint32_t service = bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}});
  bench.open_quietly(1);
  for (std::uint32_t i = 0; i < most_calls; ++i) bench.hub.binary(1, service_call(service, i, "json", {}));
  CHECK(bench.inboxes.take(1).empty());
  bench.hub.binary(1, service_call(service, 1000, "json", {}));
  CHECK(bench.inboxes.take_one(1)["message"] == "at most 64 calls at a time");
  bench.answers[0](std::vector<std::uint8_t>{});
  bench.inboxes.take(1);
  bench.hub.binary(1, service_call(service, 1000, "json", {}));
  CHECK(bench.inboxes.take(1).empty());

  json names = json::array();
  for (std::size_t i = 0; i < most_followed_parameters + 5; ++i) names.push_back("p" + std::to_string(i));
  bench.say(1, {{"op", "subscribeParameterUpdates"}, {"parameterNames", names}});
  CHECK(bench.complaint(1).ends_with("; and 2 more"));
}

TEST_CASE("Whatever clients say every answer is well formed and nobody is closed") {
  HubBench bench;
  std::mt19937_64 random(21);
  const std::uint32_t service = bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}});
  for (int i = 0; i < 3; ++i) bench.hub.add_channel(json_channel("/" + std::to_string(i), 2));
  const std::vector<std::string> texts = {
      R"({"op":"subscribe","subscriptions":[{"id":0,"channelId":1},{"id":1,"channelId":2}]})",
      R"({"op":"unsubscribe","subscriptionIds":[0,1,2]})",
      R"({"op":"advertise","channels":[{"id":1,"topic":"/x","encoding":"json","schemaName":"t"}]})",
      R"({"op":"unadvertise","channelIds":[1]})",
      R"({"op":"setParameters","parameters":[{"name":"/node.a","value":[1,{"b":2.5}]}],"id":"x"})",
      R"({"op":"getParameters","parameterNames":[]})",
      R"({"op":"subscribeParameterUpdates","parameterNames":["/node.a"]})",
      R"({"op":"subscribeConnectionGraph"})",
      R"({"op":"fetchAsset","uri":"package://tandem/a","requestId":1})"};
  for (int i = 0; i < 1500; ++i) {
    const ClientId client = 1 + random() % 2;
    bench.open(client, random() % 2 == 0);
    if (random() % 3 == 0) {
      Buffer bytes = random() % 2 == 0 ? client_message(1, as_bytes("m")) : service_call(service, 1, "json", {});
      bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(random() % 8);
      bench.hub.binary(client, bytes);
    } else {
      std::string text = texts[random() % texts.size()];
      if (random() % 2 == 0) text[random() % text.size()] = static_cast<char>(random() % 256);
      bench.hub.text(client, text);
    }
    if (random() % 5 == 0) bench.hub.publish(static_cast<ChannelId>(1 + random() % 3), 1, as_bytes("{}"));
    if (random() % 50 == 0) bench.hub.closed(client);
    if (!bench.answers.empty() && random() % 2 == 0) {
      bench.answers.back()(std::vector<std::uint8_t>{1});
      bench.answers.pop_back();
    }
    bench.hub.tick();
    for (const ClientId all : {1, 2}) bench.inboxes.take(all);  // parses everything, or throws
  }
  CHECK(bench.inboxes.closed.empty());
}

}  // namespace tandem::web::test
