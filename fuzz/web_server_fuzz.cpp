// SPDX-License-Identifier: Apache-2.0
// What tandem says to clients, made of any bytes, and read back by the client's side; and that side on any bytes.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/web/hub/foxglove_client.hpp"

using namespace tandem;
using namespace tandem::web;

namespace {

using nlohmann::json;

void require(bool holds) {
  if (!holds) std::abort();
}

json read_back(const std::string& text, const char* operation) {
  json message = json::parse(text, nullptr, false);
  require(message.is_object() && message["op"] == operation);
  return message;
}

template <typename T>
T read_back(Bytes bytes) {
  const auto read = test::read_server_binary(bytes);
  require(read.ok() && std::holds_alternative<T>(*read));
  return std::get<T>(*read);
}

void say_in_bytes(ByteReader& reader) {
  const auto a = reader.little<std::uint32_t>(), b = reader.little<std::uint32_t>();
  const auto stamp = reader.little<std::uint64_t>();
  const std::string text(reader.text(std::min<std::size_t>(reader.byte(), reader.remaining())));
  const test::Buffer payload = test::buffer_of(reader.bytes(std::min<std::size_t>(a % 64, reader.remaining())));

  const auto head = foxglove::message_head(a, stamp);
  test::Buffer message(head.begin(), head.end());
  message.insert(message.end(), payload.begin(), payload.end());
  const auto data = read_back<test::MessageData>(message);
  require(data.subscription == a && data.stamp == stamp && data.payload == payload);
  require(read_back<test::TimeData>(foxglove::time(stamp)).stamp == stamp);
  const auto response = read_back<test::ServiceResponse>(foxglove::service_response(a, b, text, payload));
  require(response.service == a && response.call == b && response.encoding == text && response.payload == payload);
  const auto asset = read_back<test::AssetResponse>(foxglove::asset(a, payload));
  require(asset.ok && asset.request == a && asset.content == payload && asset.error.empty());
  const auto failure = read_back<test::AssetResponse>(foxglove::asset_failure(b, text));
  require(!failure.ok && failure.request == b && failure.error == text && failure.content.empty());
  const PlaybackState state{static_cast<PlaybackState::Status>(a % 4), stamp, 1.5f, b % 2 == 0, text};
  const auto told = read_back<PlaybackState>(foxglove::playback_state(state));
  require(told.status == state.status && told.time == stamp && told.did_seek == state.did_seek);
  require(told.request_id == text);
}

void say_in_text(ByteReader& reader) {
  const auto a = reader.little<std::uint32_t>();
  const auto words = [&] { return std::string(reader.text(std::min<std::size_t>(reader.byte(), reader.remaining()))); };
  const std::string one = words(), two = words(), three = words();
  const Channel channel{one, two, three, one, two, 0};
  require(read_back(foxglove::advertise({{a, &channel}}), "advertise")["channels"][0]["id"] == a);
  const ServiceInfo service{one, two, {one, two, three, one}, {two, three, one, two}};
  require(read_back(foxglove::advertise_services({{a, &service}}), "advertiseServices")["services"][0]["id"] == a);
  foxglove::ServerInfo info{one, {two}, {three}, {{one, two}}, three, {{a, a}}};
  require(read_back(foxglove::server_info(info), "serverInfo")["metadata"].size() == 1);
  require(read_back(foxglove::status(2, one, two), "status").contains("id") == !two.empty());
  const std::vector<Parameter> parameters = {{one, two, three}, {two, {}, ""}};
  require(read_back(foxglove::parameter_values(parameters, three), "parameterValues")["parameters"].size() == 2);
  require(read_back(foxglove::service_call_failure(a, a, one), "serviceCallFailure")["callId"] == a);
  const foxglove::GraphUpdate update{{{{one, {two}}}, {{two, {}}}, {{three, {one, two}}}}, {one}, {two}};
  require(read_back(foxglove::connection_graph_update(update), "connectionGraphUpdate")["removedTopics"].size() == 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)test::read_server_binary(Bytes(data, size));
  ByteReader bytes(Bytes(data, size));
  say_in_bytes(bytes);
  ByteReader text(Bytes(data, size));
  say_in_text(text);
  return 0;
}
