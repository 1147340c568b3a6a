// SPDX-License-Identifier: Apache-2.0
// The messages of the Foxglove WebSocket protocol as plain structs. What clients say is read here, what a server says
// is written; integers are little-endian, texts are JSON, stamps are nanoseconds since 1970.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::web {

using ChannelId = std::uint32_t;

struct Channel {
  std::string topic;
  std::string encoding;         // "cdr", "json"
  std::string schema_name;      // "geometry_msgs/msg/Twist"
  std::string schema;           // its text
  std::string schema_encoding;  // "ros2msg", "jsonschema"
  std::size_t keep = 0;         // this many of its newest messages are sent to anyone who subscribes
};

struct ServiceSchema {
  std::string encoding, schema_name, schema_encoding, schema;
};
struct ServiceInfo {
  std::string name, type;
  ServiceSchema request, response;
  bool for_viewers = false;  // changes nothing: who may not control may call it too
};

// A topic on which a client says that it will publish.
struct ClientChannel {
  std::string topic, encoding, schema_name, schema, schema_encoding;
};

// name, and a value as JSON text; no value: unset. `type` only as the protocol wants it ("float64", "byte_array").
struct Parameter {
  std::string name;
  std::optional<std::string> value;
  std::string type;
  bool read_only =
      false;  // said as "readOnly", which the protocol does not have; clients that do not know it ignore it
};

struct GraphTopic {
  std::string name;
  std::vector<std::string> ids;  // of the nodes
};
struct ConnectionGraph {
  std::vector<GraphTopic> published, subscribed, services;
};

struct PlaybackRequest {
  bool play = false;
  float speed = 1;                    // finite and above 0
  std::optional<std::uint64_t> seek;  // ns
  std::string id;
};
struct PlaybackState {
  enum class Status : std::uint8_t { playing, paused, buffering, ended };
  Status status = Status::paused;
  std::uint64_t time = 0;  // ns
  float speed = 1;
  bool did_seek = false;
  std::string request_id;
};

namespace foxglove {

// The same messages under two names; the first is the newer.
inline constexpr std::array<std::string_view, 2> subprotocols = {"foxglove.sdk.v1", "foxglove.websocket.v1"};

inline constexpr std::size_t longest_text = 256 << 10;   // bytes of one JSON message of a client
inline constexpr std::size_t deepest_text = 64;          // brackets within brackets
inline constexpr std::size_t longest_name = 512;         // bytes of a topic, a parameter's name, a request's id
inline constexpr std::size_t longest_schema = 64 << 10;  // bytes
inline constexpr std::size_t longest_uri = 2048;         // bytes

// What clients say in JSON.
struct Subscribe {
  struct Item {
    std::uint32_t id = 0;  // the client's own
    ChannelId channel = 0;
  };
  std::vector<Item> subscriptions;
};
struct Unsubscribe {
  std::vector<std::uint32_t> ids;
};
struct Advertise {
  std::vector<std::pair<std::uint32_t, ClientChannel>> channels;  // the client's own ids
};
struct Unadvertise {
  std::vector<std::uint32_t> ids;
};
struct AskParameters {
  std::vector<std::string> names;  // none: all
  std::optional<std::string> id;
};
struct ChangeParameters {
  std::vector<Parameter> parameters;
  std::optional<std::string> id;  // none: wants no answer
};
struct FollowParameters {
  std::vector<std::string> names;  // none: all
  bool follow = true;
};
struct FollowGraph {
  bool follow = true;
};
struct FetchAsset {
  std::string uri;
  std::uint32_t request = 0;
};
using ClientText = std::variant<Subscribe, Unsubscribe, Advertise, Unadvertise, AskParameters, ChangeParameters,
                                FollowParameters, FollowGraph, FetchAsset>;

// What clients say in bytes; views into the message.
struct ClientMessage {
  std::uint32_t channel = 0;  // the client's own
  Bytes payload;
};
struct ServiceCall {
  std::uint32_t service = 0, call = 0;
  std::string_view encoding;
  Bytes payload;
};
using ClientBinary = std::variant<ClientMessage, ServiceCall, PlaybackRequest>;

// Total: any text, any bytes. Fault::unsupported is an operation that no one here knows.
Result<ClientText> read_text(std::string_view message);
Result<ClientBinary> read_binary(Bytes message);

// What a server says in JSON. Text that is no UTF-8 goes out with U+FFFD in its place.
struct ServerInfo {
  std::string name;
  std::vector<std::string> capabilities, encodings;
  std::map<std::string, std::string> metadata;
  std::string session;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> data_time;  // ns
};
// A diff: what is listed replaces what was said of it before.
struct GraphUpdate {
  ConnectionGraph changed;
  std::vector<std::string> removed_topics, removed_services;
};
std::string server_info(const ServerInfo& info);
std::string advertise(const std::vector<std::pair<ChannelId, const Channel*>>& channels);
std::string unadvertise(const std::vector<ChannelId>& ids);
std::string advertise_services(const std::vector<std::pair<std::uint32_t, const ServiceInfo*>>& services);
std::string unadvertise_services(const std::vector<std::uint32_t>& ids);
std::string status(int level, std::string_view message, std::string_view id = {});
std::string remove_status(const std::vector<std::string>& ids);
std::string parameter_values(const std::vector<Parameter>& parameters, const std::optional<std::string>& id = {});
std::string service_call_failure(std::uint32_t service, std::uint32_t call, std::string_view message);
std::string connection_graph_update(const GraphUpdate& update);

// What a server says in bytes. The head of a message is followed by its payload, which is the same for everybody.
inline constexpr std::size_t message_head_size = 13, time_size = 9;
std::array<std::uint8_t, message_head_size> message_head(std::uint32_t subscription, std::uint64_t stamp_ns);
std::array<std::uint8_t, time_size> time(std::uint64_t stamp_ns);
std::vector<std::uint8_t> service_response(std::uint32_t service, std::uint32_t call, std::string_view encoding,
                                           Bytes payload);
std::vector<std::uint8_t> asset(std::uint32_t request, Bytes content);
std::vector<std::uint8_t> asset_failure(std::uint32_t request, std::string_view why);
std::vector<std::uint8_t> playback_state(const PlaybackState& state);

}  // namespace foxglove

}  // namespace tandem::web
