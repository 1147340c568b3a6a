// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/hub/foxglove.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/web/hub/foxglove_client.hpp"

namespace tandem::web::foxglove {

namespace {

using nlohmann::json;

template <typename T>
T read_text_as(std::string_view text) {
  auto read = read_text(text);
  REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text));
  REQUIRE(std::holds_alternative<T>(*read));
  return std::get<T>(*std::move(read));
}

std::string text_problem(std::string_view text) {
  const auto read = read_text(text);
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().text.size() < 500);
  return read.error().text;
}

}  // namespace

TEST_CASE("Every JSON message of a client is read") {
  const auto subscribe = read_text_as<Subscribe>(
      R"({"op":"subscribe","subscriptions":[{"id":0,"channelId":3},{"id":4294967295,"channelId":2.0}]})");
  REQUIRE(subscribe.subscriptions.size() == 2);
  CHECK(subscribe.subscriptions[1].id == 4294967295u);
  CHECK(subscribe.subscriptions[1].channel == 2);
  CHECK(read_text_as<Unsubscribe>(R"({"op":"unsubscribe","subscriptionIds":[7,8]})").ids.size() == 2);

  const auto advertise = read_text_as<Advertise>(
      R"({"op":"advertise","channels":[{"id":2,"topic":"/tf","encoding":"cdr","schemaName":"a/msg/B"},
          {"id":3,"topic":"/x","encoding":"json","schemaName":"","schema":"{}","schemaEncoding":"jsonschema"}]})");
  REQUIRE(advertise.channels.size() == 2);
  CHECK(advertise.channels[0].second.schema.empty());
  CHECK(advertise.channels[1].second.schema_encoding == "jsonschema");
  CHECK(read_text_as<Unadvertise>(R"({"op":"unadvertise","channelIds":[2]})").ids == std::vector<std::uint32_t>{2});

  const auto ask = read_text_as<AskParameters>(R"({"op":"getParameters","parameterNames":["/a.b"],"id":"q"})");
  CHECK(ask.names == std::vector<std::string>{"/a.b"});
  CHECK(ask.id == "q");
  CHECK_FALSE(read_text_as<AskParameters>(R"({"op":"getParameters","parameterNames":[],"id":null})").id.has_value());

  const auto change = read_text_as<ChangeParameters>(
      R"({"op":"setParameters","parameters":[{"name":"a","value":[1,{"b":2.5}],"type":"float64_array"},{"name":"c"}]})");
  REQUIRE(change.parameters.size() == 2);
  CHECK(change.parameters[0].value == R"([1,{"b":2.5}])");
  CHECK(change.parameters[0].type == "float64_array");
  CHECK_FALSE(change.parameters[1].value.has_value());
  CHECK_FALSE(change.id.has_value());

  CHECK(read_text_as<FollowParameters>(R"({"op":"subscribeParameterUpdates","parameterNames":[]})").follow);
  CHECK_FALSE(read_text_as<FollowParameters>(R"({"op":"unsubscribeParameterUpdates","parameterNames":["x"]})").follow);
  CHECK(read_text_as<FollowGraph>(R"({"op":"subscribeConnectionGraph"})").follow);
  CHECK_FALSE(read_text_as<FollowGraph>(R"({"op":"unsubscribeConnectionGraph"})").follow);
  const auto fetch = read_text_as<FetchAsset>(R"({"op":"fetchAsset","uri":"package://a/b.stl","requestId":9})");
  CHECK(fetch.uri == "package://a/b.stl");
  CHECK(fetch.request == 9);
}

TEST_CASE("A bad JSON message is refused with its place and what was expected") {
  CHECK(text_problem(R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1},{"id":"x","channelId":1}]})") ==
        "subscribe: subscriptions[1].id: expected a whole number from 0 to 4294967295, got \"x\"");
  CHECK(text_problem(R"({"op":"unsubscribe","subscriptionIds":[1,-1]})") ==
        "unsubscribe: subscriptionIds[1]: expected a whole number from 0 to 4294967295, got -1");
  CHECK(text_problem(R"({"op":"subscribe"})") == "subscribe: subscriptions: expected an array, got nothing");
  CHECK(text_problem(R"({"op":"fetchAsset","uri":{},"requestId":1})") ==
        "fetchAsset: uri: expected a text, got an object");
  for (const char* id : {"1.5", "4294967296", "1e20", "1e300", "-0.5", "true", "null", "[]", "{}", "\"1\""}) {
    const std::string text = std::string(R"({"op":"unsubscribe","subscriptionIds":[)") + id + "]}";
    CHECK(text_problem(text).find("expected a whole number") != std::string::npos);
  }
  // Not JSON at all: NaN, numbers beyond double, broken UTF-8, halves of pairs, nothing.
  for (const std::string_view text :
       {R"({"op":"unsubscribe","subscriptionIds":[NaN]})", R"({"op":"unsubscribe","subscriptionIds":[1e999]})",
        "{\"op\":\"fetchAsset\",\"uri\":\"\xff\xfe\",\"requestId\":1}", R"({"op":"\ud800"})", "", "[]", "7", "{",
        "\xef\xbb\xbf", "{\"op\":\"subscribe\"} x"})
    CHECK(text_problem(text).starts_with("expected a JSON object, got '"));
  CHECK(text_problem(R"({"op":7})") == "expected a text as 'op', got 7");
  CHECK(text_problem("{}") == "expected a text as 'op', got nothing");
}

TEST_CASE("An unknown operation is told apart from a bad one and gets a suggestion") {
  const auto read = read_text(R"({"op":"subscrbe"})");
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().fault == Fault::unsupported);
  CHECK(read.error().text.find("did you mean 'subscribe'?") != std::string::npos);
  const std::vector<std::uint8_t> odd = {9, 1, 2};
  CHECK(read_binary(odd).error().fault == Fault::unsupported);
}

TEST_CASE("Depth and size of a JSON message are bounded before it is parsed") {
  const std::string open(500'000, '['), closed(500'000, ']');
  CHECK(text_problem(R"({"op":)" + std::string(100, '[') + std::string(100, ']') + "}").find("brackets") !=
        std::string::npos);
  CHECK(text_problem(open + closed).find("at most 262144 bytes") != std::string::npos);
  // Brackets in a text, also behind a quote that is no end, are no depth.
  const std::string uri = R"(\")" + std::string(200, '[');
  CHECK(read_text_as<FetchAsset>(R"({"op":"fetchAsset","uri":")" + uri + R"(","requestId":1})").uri.size() == 201);
  const std::string deep = std::string(62, '[') + std::string(62, ']');
  CHECK(text_problem(R"({"op":"unsubscribe","subscriptionIds":)" + deep + "}").find("got an array") !=
        std::string::npos);
  CHECK(text_problem(R"({"op":"fetchAsset","uri":")" + std::string(3000, 'a') + R"(","requestId":1})")
            .find("at most 2048 bytes") != std::string::npos);
}

TEST_CASE("Binary messages of a client are read as the protocol lays them out") {
  const std::vector<std::uint8_t> message = {1, 0x78, 0x56, 0x34, 0x12, 0xAA, 0xBB};
  const auto read = read_binary(message);
  REQUIRE(read.ok());
  CHECK(std::get<ClientMessage>(*read).channel == 0x12345678);
  CHECK(test::buffer_of(std::get<ClientMessage>(*read).payload) == std::vector<std::uint8_t>{0xAA, 0xBB});

  const std::vector<std::uint8_t> call = {2, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'c', 'd', 'r', 9};
  const auto read_call = read_binary(call);
  REQUIRE(read_call.ok());
  const auto& parts = std::get<ServiceCall>(*read_call);
  CHECK(parts.service == 1);
  CHECK(parts.call == 2);
  CHECK(parts.encoding == "cdr");
  CHECK(parts.payload.size() == 1);

  const std::vector<std::uint8_t> playback = {3, 0, 0, 0, 0, 0x40, 1, 8, 7, 6, 5, 4, 3, 2, 1, 2, 0, 0, 0, 'i', 'd'};
  const auto read_control = read_binary(playback);
  REQUIRE(read_control.ok());
  const auto& control = std::get<PlaybackRequest>(*read_control);
  CHECK(control.play);
  CHECK(control.speed == 2.0f);
  CHECK(control.seek == 0x0102030405060708u);
  CHECK(control.id == "id");
}

TEST_CASE("Cut and impossible binary messages are refused") {
  const PlaybackRequest request{false, 1.5f, 77, "abc"};
  for (const auto& whole :
       {test::client_message(1, {}), test::service_call(1, 2, "json", {}), test::playback_control(request)}) {
    REQUIRE(read_binary(whole).ok());
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(read_binary(Bytes(whole).first(size)).ok());
  }
  auto longer = test::playback_control(request);
  longer.push_back(0);
  CHECK_FALSE(read_binary(longer).ok());
  for (const float speed :
       {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    CHECK_FALSE(read_binary(test::playback_control({true, speed, {}, ""})).ok());
  auto command = test::playback_control(request);
  command[1] = 2;
  CHECK_FALSE(read_binary(command).ok());
  auto giant = test::service_call(1, 2, "json", {});
  giant[9] = giant[10] = giant[11] = giant[12] = 0xFF;
  CHECK_FALSE(read_binary(giant).ok());
}

TEST_CASE("Whatever the bytes are reading ends with a value or an error") {
  std::mt19937_64 random(8);
  const std::vector<std::string> seeds = {
      R"({"op":"subscribe","subscriptions":[{"id":0,"channelId":3}]})",
      R"({"op":"advertise","channels":[{"id":2,"topic":"/tf","encoding":"cdr","schemaName":"a/msg/B","schema":null}]})",
      R"({"op":"setParameters","parameters":[{"name":"a","value":[1,{"b":2.5}],"type":"float64"}],"id":"x"})",
      R"({"op":"fetchAsset","uri":"a","requestId":1})"};
  const std::string alphabet = "{}[]\",:0123456789.eE+-nulltrue\\u\xff\x80 op";
  std::size_t good = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = seeds[random() % seeds.size()];
    for (std::size_t edits = random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char put = alphabet[random() % alphabet.size()];
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 3);
      else if (random() % 2 == 0)
        text.insert(at, 1, put);
      else
        text[at] = put;
    }
    good += read_text(text).ok() ? 1 : 0;
    std::vector<std::uint8_t> bytes(random() % 40);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() % (random() % 2 == 0 ? 4 : 256));
    (void)read_binary(bytes);
  }
  CHECK(good > 250);
}

TEST_CASE("What a server says in JSON has the fields of the protocol") {
  ServerInfo info{
      "tandem", {"time"}, {"cdr"}, {{"control", "no"}}, "s1", {{1'500'000'000'000'000'007u, 2'000'000'000u}}};
  CHECK(json::parse(server_info(info)) ==
        json::parse(R"({"op":"serverInfo","name":"tandem","capabilities":["time"],"supportedEncodings":["cdr"],
          "metadata":{"control":"no"},"sessionId":"s1","dataStartTime":{"sec":1500000000,"nsec":7},
          "dataEndTime":{"sec":2,"nsec":0}})"));
  CHECK(json::parse(server_info({"t", {}, {}, {}, "", {}})) ==
        json::parse(R"({"op":"serverInfo","name":"t","capabilities":[]})"));
  const Channel channel{"/tf", "cdr", "a/msg/B", "float64 x", "ros2msg", 1};
  CHECK(json::parse(advertise({{7, &channel}})) ==
        json::parse(R"({"op":"advertise","channels":[{"id":7,"topic":"/tf","encoding":"cdr","schemaName":"a/msg/B",
          "schema":"float64 x","schemaEncoding":"ros2msg"}]})"));
  CHECK(json::parse(unadvertise({7, 8})) == json::parse(R"({"op":"unadvertise","channelIds":[7,8]})"));
  const ServiceInfo service{"/s", "a/srv/B", {"cdr", "a", "ros2msg", "x"}, {"cdr", "b", "ros2msg", "y"}};
  CHECK(json::parse(advertise_services({{3, &service}})) ==
        json::parse(R"({"op":"advertiseServices","services":[{"id":3,"name":"/s","type":"a/srv/B",
          "request":{"encoding":"cdr","schemaName":"a","schemaEncoding":"ros2msg","schema":"x"},
          "response":{"encoding":"cdr","schemaName":"b","schemaEncoding":"ros2msg","schema":"y"}}]})"));
  CHECK(json::parse(unadvertise_services({3})) == json::parse(R"({"op":"unadvertiseServices","serviceIds":[3]})"));
  CHECK(json::parse(status(1, "text")) == json::parse(R"({"op":"status","level":1,"message":"text"})"));
  CHECK(json::parse(status(2, "a\xff", "i"))["message"] == "a\xef\xbf\xbd");
  CHECK(json::parse(remove_status({"i"})) == json::parse(R"({"op":"removeStatus","statusIds":["i"]})"));
  CHECK(json::parse(parameter_values({{"a", "[1,2.5]", ""}, {"b", {}, ""}, {"c", "1", "float64"}}, "q")) ==
        json::parse(R"({"op":"parameterValues","id":"q","parameters":[{"name":"a","value":[1,2.5]},{"name":"b"},
          {"name":"c","value":1,"type":"float64"}]})"));
  CHECK(json::parse(parameter_values({{"a", "no json", ""}}))["parameters"][0]["value"] == "no json");
  CHECK(json::parse(service_call_failure(3, 4, "why")) ==
        json::parse(R"({"op":"serviceCallFailure","serviceId":3,"callId":4,"message":"why"})"));
  CHECK(json::parse(connection_graph_update({{{{"/a", {"n"}}}, {{"/b", {}}}, {{"/s", {"n"}}}}, {"/c"}, {"/d"}})) ==
        json::parse(R"({"op":"connectionGraphUpdate","publishedTopics":[{"name":"/a","publisherIds":["n"]}],
          "subscribedTopics":[{"name":"/b","subscriberIds":[]}],"advertisedServices":[{"name":"/s","providerIds":["n"]}],
          "removedTopics":["/c"],"removedServices":["/d"]})"));
}

TEST_CASE("Schemas that are bytes travel as base64 and texts as they are") {
  // RFC 4648, section 10: "foob" is "Zm9vYg=="; and bytes that no JSON text holds.
  const std::string bytes("\x0A\x00\xFF", 3);
  const auto schema_of = [](const std::string& schema, const std::string& encoding) {
    const Channel channel{"/a", "x", "t", schema, encoding, 0};
    const ServiceInfo service{"/s", "t", {"x", "t", encoding, schema}, {}};
    const std::string told = json::parse(foxglove::advertise({{1, &channel}}))["channels"][0]["schema"];
    CHECK(json::parse(foxglove::advertise_services({{1, &service}}))["services"][0]["request"]["schema"] == told);
    return told;
  };
  CHECK(schema_of("foob", "protobuf") == "Zm9vYg==");
  CHECK(schema_of(bytes, "protobuf") == "CgD/");
  CHECK(schema_of(bytes, "flatbuffer") == "CgD/");
  CHECK(schema_of("", "protobuf").empty());
  CHECK(schema_of("foob", "ros2msg") == "foob");
}

TEST_CASE("What a server says in bytes is read back by a client") {
  const auto head = message_head(0x12345678, 0x0102030405060708);
  CHECK(test::buffer_of(head) == test::Buffer{1, 0x78, 0x56, 0x34, 0x12, 8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(test::buffer_of(time(0x0102030405060708)) == test::Buffer{2, 8, 7, 6, 5, 4, 3, 2, 1});
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint8_t> payload(random() % 50);
    for (auto& byte : payload) byte = static_cast<std::uint8_t>(random());
    const auto a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
    const std::string text(random() % 20, 'x');

    const auto response = test::read_server_binary(service_response(a, b, text, payload));
    REQUIRE(response.ok());
    const auto& answered = std::get<test::ServiceResponse>(*response);
    CHECK((answered.service == a && answered.call == b && answered.encoding == text && answered.payload == payload));

    const auto content = test::read_server_binary(asset(a, payload));
    REQUIRE(content.ok());
    CHECK(std::get<test::AssetResponse>(*content).ok);
    CHECK(std::get<test::AssetResponse>(*content).content == payload);
    const auto failure = test::read_server_binary(asset_failure(a, text));
    REQUIRE(failure.ok());
    CHECK_FALSE(std::get<test::AssetResponse>(*failure).ok);
    CHECK(std::get<test::AssetResponse>(*failure).error == text);

    const PlaybackState state{static_cast<PlaybackState::Status>(a % 4), random(), static_cast<float>(b), b % 2 == 0,
                              text};
    const auto told = test::read_server_binary(playback_state(state));
    REQUIRE(told.ok());
    const auto& back = std::get<PlaybackState>(*told);
    CHECK((back.status == state.status && back.time == state.time && back.speed == state.speed &&
           back.did_seek == state.did_seek && back.request_id == state.request_id));
  }
}

}  // namespace tandem::web::foxglove
