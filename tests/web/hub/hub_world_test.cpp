// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/web/hub/hub_fixture.hpp"

namespace tandem::web::test {

using Said = std::vector<std::string>;

TEST_CASE("What a client publishes on what it advertised reaches the world") {
  HubBench bench;
  bench.open_quietly(1);
  bench.advertise(1, 8, "/cmd");
  bench.hub.binary(1, client_message(8, as_bytes("{}")));
  CHECK(bench.said == Said{"advertise 1 /cmd", "/cmd {}"});
  CHECK(bench.inboxes.take(1).empty());
  bench.hub.binary(1, client_message(8, {}));
  CHECK(bench.complaint(1) == "/cmd: empty");
  bench.hub.binary(1, client_message(9, {}));
  CHECK(bench.complaint(1) == "message: channel 9 is not advertised");
  bench.advertise(1, 8, "/other");
  CHECK(bench.complaint(1) == "advertise: id 8 is already in use");
  bench.advertise(1, 9, "/forbidden");
  CHECK(bench.complaint(1) == "advertise: nobody listens to /forbidden");
  bench.advertise(1, 9, "/x", "ros1");
  CHECK(bench.complaint(1) == "advertise: /x: expected encoding cdr or json, got 'ros1'");
  bench.advertise(1, 9, "");
  CHECK(bench.complaint(1) == "advertise: channel 9 has no topic");
  bench.say(1, {{"op", "unadvertise"}, {"channelIds", {8, 9}}});
  CHECK(bench.complaint(1) == "unadvertise: no channel 9");
  bench.advertise(1, 8, "/again");
  bench.said.clear();
  bench.hub.closed(1);
  CHECK(bench.said == Said{"unadvertise 1 /again"});
}

TEST_CASE("Who may only look neither publishes nor sets nor calls nor plays and is told what is missing") {
  HubBench bench;
  const std::uint32_t service = bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}});
  bench.open_quietly(1, false);
  const std::string missing = ": it only looks";
  bench.advertise(1, 1, "/cmd");
  CHECK(bench.complaint(1) == "advertise" + missing);
  bench.hub.binary(1, client_message(1, as_bytes("x")));
  CHECK(bench.complaint(1) == "message" + missing);
  bench.hub.binary(1, service_call(service, 7, "json", {}));
  CHECK(bench.inboxes.take_one(1) ==
        json{{"op", "serviceCallFailure"}, {"serviceId", service}, {"callId", 7}, {"message", missing.substr(2)}});
  bench.say(1, {{"op", "setParameters"}, {"parameters", {{{"name", "/node.a"}, {"value", 9}}}}, {"id", "q"}});
  const auto answers = bench.inboxes.take(1);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]["message"] == "setParameters" + missing);
  CHECK(answers[1] == json::parse(R"({"op":"parameterValues","id":"q","parameters":[{"name":"/node.a","value":1}]})"));
  CHECK(bench.values["/node.a"] == "1");
  CHECK(bench.said.empty());
}

TEST_CASE("A service is answered once with bytes or with words and only to a client that is still there") {
  HubBench bench;
  const std::uint32_t service = bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {"cdr", "", "", ""}});
  bench.open_quietly(1);
  bench.hub.binary(1, service_call(service, 7, "json", as_bytes("q")));
  bench.hub.binary(1, service_call(service, 8, "json", {}));
  CHECK(bench.said[0] == "call " + std::to_string(service) + " json q");
  CHECK(bench.inboxes.take(1).empty());
  bench.hub.binary(1, service_call(service, 7, "json", {}));
  CHECK(bench.inboxes.take_one(1)["message"] == "call 7 of /s is already pending");
  bench.answers[1](std::vector<std::uint8_t>{4, 5});
  const auto response = bench.inboxes.take_binary<ServiceResponse>(1);
  CHECK((response.service == service && response.call == 8 && response.encoding == "cdr"));
  CHECK(response.payload == Buffer{4, 5});
  bench.answers[1](std::vector<std::uint8_t>{4, 5});
  CHECK(bench.inboxes.take(1).empty());
  bench.answers[0](Error{Fault::device, "it broke", 0});
  const json failure = bench.inboxes.take_one(1);
  CHECK((failure["op"] == "serviceCallFailure" && failure["callId"] == 7 && failure["message"] == "it broke"));

  bench.hub.binary(1, service_call(service, 9, "ros1", {}));
  CHECK(bench.inboxes.take_one(1)["message"] == "/s: expected encoding 'json', got 'ros1'");
  bench.hub.binary(1, service_call(55, 9, "json", {}));
  CHECK(bench.inboxes.take_one(1)["message"] == "unknown service 55");

  bench.hub.binary(1, service_call(service, 10, "json", {}));
  bench.hub.closed(1);
  bench.answers[2](std::vector<std::uint8_t>{1});
  CHECK(bench.inboxes.take(1).empty());
}

TEST_CASE("Large answers and assets that find no room are refused in words and the client stays") {
  HubBench bench;
  const std::uint32_t service = bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}});
  bench.open_quietly(1);
  bench.inboxes.room_now = 1000;
  bench.hub.binary(1, service_call(service, 7, "json", {}));
  bench.answers[0](std::vector<std::uint8_t>(2000));
  const json failure = bench.inboxes.take_one(1);
  CHECK(failure["op"] == "serviceCallFailure");
  CHECK(failure["message"].get<std::string>().ends_with("try again later"));
  bench.inboxes.room_now = 30;
  bench.say(1, {{"op", "fetchAsset"}, {"uri", "package://tandem/a"}, {"requestId", 4}});
  const auto asset = bench.inboxes.take_binary<AssetResponse>(1);
  CHECK_FALSE(asset.ok);
  CHECK(asset.error.ends_with("try again later"));
}

TEST_CASE("A service of CDR may be called in JSON and is answered likewise") {
  HubBench bench;
  const std::uint32_t service = bench.hub.add_service({"/s", "t", {"cdr", "", "", ""}, {"cdr", "", "", ""}});
  bench.open_quietly(1);
  bench.hub.binary(1, service_call(service, 1, "json", as_bytes("{}")));
  bench.hub.binary(1, service_call(service, 2, "cdr", as_bytes("q")));
  CHECK(bench.said[0] == "call " + std::to_string(service) + " json {}");
  bench.answers[0](std::vector<std::uint8_t>{'1'});
  CHECK(bench.inboxes.take_binary<ServiceResponse>(1).encoding == "json");
  bench.answers[1](std::vector<std::uint8_t>{4});
  CHECK(bench.inboxes.take_binary<ServiceResponse>(1).encoding == "cdr");
}

TEST_CASE("An answer that comes after the hub has gone is lost without harm") {
  ServiceAnswer late;
  {
    HubBench bench;
    const std::uint32_t service = bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}});
    bench.open_quietly(1);
    bench.hub.binary(1, service_call(service, 7, "json", {}));
    late = bench.answers.at(0);
  }
  late(std::vector<std::uint8_t>{1});
}

TEST_CASE("Services come and go under ids of their own") {
  HubBench bench;
  bench.open_quietly(1);
  const std::uint32_t first = bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}});
  CHECK(bench.inboxes.take_one(1)["services"][0]["name"] == "/s");
  bench.hub.remove_service(first);
  CHECK(bench.inboxes.take_one(1) == json{{"op", "unadvertiseServices"}, {"serviceIds", {first}}});
  bench.hub.remove_service(first);
  CHECK(bench.inboxes.take(1).empty());
  CHECK(bench.hub.add_service({"/s", "t", {"json", "", "", ""}, {}}) != first);
}

TEST_CASE("Parameters are read set and followed") {
  HubBench bench;
  bench.open_quietly(1);
  bench.open_quietly(2);
  bench.say(1, {{"op", "getParameters"}, {"parameterNames", json::array()}});
  CHECK(
      bench.inboxes.take_one(1) ==
      json::parse(
          R"({"op":"parameterValues","parameters":[{"name":"/node.a","value":1},{"name":"/node.b","value":"two"}]})"));
  bench.say(1, {{"op", "getParameters"}, {"parameterNames", {"/node.b"}}, {"id", "q1"}});
  CHECK(bench.inboxes.take_one(1)["parameters"].size() == 1);

  bench.say(2, {{"op", "subscribeParameterUpdates"}, {"parameterNames", {"/node.a"}}});
  bench.say(1, {{"op", "setParameters"},
                {"parameters", {{{"name", "/node.a"}, {"value", 2.5}}, {{"name", "/node.b"}, {"value", {1, 2}}}}}});
  CHECK(bench.inboxes.take(1).empty());
  CHECK(bench.inboxes.take_one(2)["parameters"] == json::parse(R"([{"name":"/node.a","value":2.5}])"));
  CHECK(bench.values["/node.b"] == "[1,2]");

  bench.say(1, {{"op", "setParameters"}, {"parameters", {{{"name", "/no"}, {"value", 1}}}}, {"id", "q2"}});
  const auto answers = bench.inboxes.take(1);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]["message"] == "setParameters: /no: no such parameter");
  CHECK(answers[1] == json::parse(R"({"op":"parameterValues","id":"q2","parameters":[]})"));
}

TEST_CASE("Following all parameters but one and one but no others both work") {
  HubBench bench;
  bench.open_quietly(1);
  const std::vector<Parameter> changed = {{"/node.a", "1", ""}, {"/node.b", "2", ""}};
  const auto follow = [&](const char* operation, const std::vector<std::string>& names) {
    bench.say(1, {{"op", operation}, {"parameterNames", names}});
    bench.hub.parameters_changed(changed);
    std::string seen;
    for (const json& message : bench.inboxes.take(1))
      for (const json& parameter : message["parameters"]) seen += parameter["name"].get<std::string>().back();
    return seen;
  };
  CHECK(follow("subscribeParameterUpdates", {}) == "ab");
  CHECK(follow("unsubscribeParameterUpdates", {"/node.a"}) == "b");
  CHECK(follow("subscribeParameterUpdates", {"/node.a", "/node.a"}) == "ab");
  CHECK(follow("unsubscribeParameterUpdates", {}) == "");
  CHECK(follow("subscribeParameterUpdates", {"/node.b"}) == "b");
  CHECK(follow("unsubscribeParameterUpdates", {"/node.b", "/none"}) == "");
}

TEST_CASE("The connection graph is told whole and then as differences") {
  HubBench bench;
  bench.open_quietly(1);
  bench.open_quietly(2);
  bench.hub.set_graph({{{"/a", {"n2", "n1"}}, {"/b", {"n1"}}}, {{"/a", {"n3"}}}, {{"/s", {"n1"}}}});
  CHECK(bench.inboxes.take(1).empty());
  bench.say(1, {{"op", "subscribeConnectionGraph"}});
  CHECK(bench.inboxes.take_one(1) ==
        json::parse(R"({"op":"connectionGraphUpdate","publishedTopics":[{"name":"/a","publisherIds":["n1","n2"]},
          {"name":"/b","publisherIds":["n1"]}],"subscribedTopics":[{"name":"/a","subscriberIds":["n3"]}],
          "advertisedServices":[{"name":"/s","providerIds":["n1"]}],"removedTopics":[],"removedServices":[]})"));
  // The same in another order is no news.
  bench.hub.set_graph({{{"/b", {"n1"}}, {"/a", {"n1", "n2", "n1"}}}, {{"/a", {"n3"}}}, {{"/s", {"n1"}}}});
  CHECK(bench.inboxes.take(1).empty());
  // /a loses its publishers and keeps a subscriber; /b goes wholly; /s goes.
  bench.hub.set_graph({{{"/c", {"n9"}}}, {{"/a", {"n3", "n4"}}}, {}});
  CHECK(bench.inboxes.take_one(1) ==
        json::parse(R"({"op":"connectionGraphUpdate","publishedTopics":[{"name":"/c","publisherIds":["n9"]},
          {"name":"/a","publisherIds":[]}],"subscribedTopics":[{"name":"/a","subscriberIds":["n3","n4"]}],
          "advertisedServices":[],"removedTopics":["/b"],"removedServices":["/s"]})"));
  bench.say(1, {{"op", "subscribeConnectionGraph"}});
  CHECK(bench.complaint(1) == "subscribeConnectionGraph: already subscribed");
  bench.say(1, {{"op", "unsubscribeConnectionGraph"}});
  bench.hub.set_graph({});
  CHECK(bench.inboxes.take(1).empty());
  bench.say(1, {{"op", "unsubscribeConnectionGraph"}});
  CHECK(bench.complaint(1) == "unsubscribeConnectionGraph: not subscribed");
  CHECK(bench.inboxes.take(2).empty());
}

TEST_CASE("Assets are fetched by their address and only through the world") {
  HubBench bench;
  bench.open_quietly(1, false);
  bench.say(1, {{"op", "fetchAsset"}, {"uri", "package://tandem/a"}, {"requestId", 4}});
  const auto asset = bench.inboxes.take_binary<AssetResponse>(1);
  CHECK((asset.ok && asset.request == 4 && asset.content == Buffer{1, 2, 3}));
  bench.say(1, {{"op", "fetchAsset"}, {"uri", "file:///etc/passwd"}, {"requestId", 5}});
  const auto none = bench.inboxes.take_binary<AssetResponse>(1);
  CHECK((!none.ok && none.request == 5 && none.error == "no asset of that name"));
}

TEST_CASE("Time is told to all and a newer one may replace it") {
  HubBench bench;
  bench.open_quietly(1);
  bench.hub.tell_time(77);
  CHECK(bench.inboxes.frames[1][0].droppable);
  CHECK(bench.inboxes.take_binary<TimeData>(1).stamp == 77);
}

TEST_CASE("Playback is asked of the world and its state told to all who know it and to newcomers") {
  std::vector<PlaybackRequest> asked;
  World world;
  world.playback = [&](const PlaybackRequest& request) { asked.push_back(request); };
  world.data_time = {1'000'000'000u, 2'500'000'000u};
  Hub hub(std::move(world));
  Inboxes inboxes;
  hub.attach(inboxes);
  const std::string sdk = "foxglove.sdk.v1";
  CHECK(hub.choose({"foxglove.websocket.v1", sdk}) == "foxglove.websocket.v1");
  CHECK(hub.choose({sdk, "foxglove.websocket.v1"}) == sdk);
  hub.opened({1, "", sdk, "", true, ""});
  hub.opened({2, "", sdk, "", false, ""});
  const json info = inboxes.take_one(1);
  CHECK(info["capabilities"] == json({"connectionGraph", "playbackControl"}));
  CHECK(info["dataEndTime"] == json{{"sec", 2}, {"nsec", 500'000'000}});
  inboxes.take(2);
  hub.binary(1, playback_control({true, 2, 1'500'000'000u, "r1"}));
  REQUIRE(asked.size() == 1);
  CHECK((asked[0].play && asked[0].speed == 2 && asked[0].seek == 1'500'000'000u && asked[0].id == "r1"));
  hub.binary(2, playback_control({true, 2, {}, "r2"}));
  CHECK(asked.size() == 1);
  CHECK(inboxes.take_one(2)["level"] == 2);

  hub.tell_playback({PlaybackState::Status::playing, 1'500'000'000u, 2, true, "r1"});
  hub.tell_playback({PlaybackState::Status::playing, 1'600'000'000u, 2, false, ""});
  CHECK_FALSE(inboxes.frames[2][0].droppable);
  CHECK(inboxes.frames[2][1].droppable);
  hub.opened({3, "", sdk, "", true, ""});
  inboxes.take(3);
  REQUIRE(inboxes.binaries.size() == 1);
  const auto& state = std::get<PlaybackState>(inboxes.binaries[0]);
  CHECK((state.time == 1'600'000'000u && !state.did_seek && state.request_id.empty()));
  // The client of the older name has no such message, and throws on it.
  hub.opened({4, "", "foxglove.websocket.v1", "", true, ""});
  hub.tell_playback({PlaybackState::Status::paused, 1'700'000'000u, 1, false, ""});
  const json old = inboxes.take_one(4);
  CHECK(old["capabilities"] == json({"connectionGraph"}));
  CHECK_FALSE(old.contains("dataEndTime"));
  CHECK(inboxes.take(3).size() == 1);
}

}  // namespace tandem::web::test
