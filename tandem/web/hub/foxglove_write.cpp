// SPDX-License-Identifier: Apache-2.0
#include <openssl/evp.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tandem/web/hub/foxglove.hpp"

namespace tandem::web::foxglove {

namespace {

using nlohmann::json;

std::string text_of_json(const json& message) { return message.dump(-1, ' ', false, json::error_handler_t::replace); }

json json_from_time(std::uint64_t stamp_ns) {
  return {{"sec", stamp_ns / 1'000'000'000u}, {"nsec", stamp_ns % 1'000'000'000u}};
}

// Schemas that are bytes travel as base64; those that are text, as they are.
std::string schema_text(const std::string& schema, std::string_view encoding) {
  if (encoding != "protobuf" && encoding != "flatbuffer") return schema;
  std::vector<unsigned char> text((schema.size() + 2) / 3 * 4 + 1);
  const int size = EVP_EncodeBlock(text.data(), reinterpret_cast<const unsigned char*>(schema.data()),
                                   static_cast<int>(schema.size()));
  return {text.begin(), text.begin() + size};
}

json json_from_schema(const ServiceSchema& schema) {
  return {{"encoding", schema.encoding},
          {"schemaName", schema.schema_name},
          {"schemaEncoding", schema.schema_encoding},
          {"schema", schema_text(schema.schema, schema.schema_encoding)}};
}

json json_from_parameter(const Parameter& parameter) {
  json out = {{"name", parameter.name}};
  if (!parameter.type.empty()) out["type"] = parameter.type;
  if (parameter.read_only) out["readOnly"] = true;
  if (!parameter.value) return out;
  json value = json::parse(*parameter.value, nullptr, false);
  out["value"] = value.is_discarded() ? json(*parameter.value) : std::move(value);
  return out;
}

json json_from_topics(const std::vector<GraphTopic>& topics, const char* ids) {
  json out = json::array();
  for (const GraphTopic& topic : topics) out.push_back({{"name", topic.name}, {ids, topic.ids}});
  return out;
}

}  // namespace

std::string server_info(const ServerInfo& info) {
  json out = {{"op", "serverInfo"}, {"name", info.name}, {"capabilities", info.capabilities}};
  if (!info.encodings.empty()) out["supportedEncodings"] = info.encodings;
  if (!info.metadata.empty()) out["metadata"] = info.metadata;
  if (!info.session.empty()) out["sessionId"] = info.session;
  if (info.data_time) {
    out["dataStartTime"] = json_from_time(info.data_time->first);
    out["dataEndTime"] = json_from_time(info.data_time->second);
  }
  return text_of_json(out);
}

std::string advertise(const std::vector<std::pair<ChannelId, const Channel*>>& channels) {
  json list = json::array();
  for (const auto& [id, channel] : channels) {
    json item = {{"id", id},
                 {"topic", channel->topic},
                 {"encoding", channel->encoding},
                 {"schemaName", channel->schema_name},
                 {"schema", schema_text(channel->schema, channel->schema_encoding)}};
    if (!channel->schema_encoding.empty()) item["schemaEncoding"] = channel->schema_encoding;
    list.push_back(std::move(item));
  }
  return text_of_json({{"op", "advertise"}, {"channels", std::move(list)}});
}

std::string unadvertise(const std::vector<ChannelId>& ids) {
  return text_of_json({{"op", "unadvertise"}, {"channelIds", ids}});
}

std::string advertise_services(const std::vector<std::pair<std::uint32_t, const ServiceInfo*>>& services) {
  json list = json::array();
  for (const auto& [id, service] : services)
    list.push_back({{"id", id},
                    {"name", service->name},
                    {"type", service->type},
                    {"request", json_from_schema(service->request)},
                    {"response", json_from_schema(service->response)}});
  return text_of_json({{"op", "advertiseServices"}, {"services", std::move(list)}});
}

std::string unadvertise_services(const std::vector<std::uint32_t>& ids) {
  return text_of_json({{"op", "unadvertiseServices"}, {"serviceIds", ids}});
}

std::string status(int level, std::string_view message, std::string_view id) {
  json out = {{"op", "status"}, {"level", level}, {"message", message}};
  if (!id.empty()) out["id"] = id;
  return text_of_json(out);
}

std::string remove_status(const std::vector<std::string>& ids) {
  return text_of_json({{"op", "removeStatus"}, {"statusIds", ids}});
}

std::string parameter_values(const std::vector<Parameter>& parameters, const std::optional<std::string>& id) {
  json list = json::array();
  for (const Parameter& parameter : parameters) list.push_back(json_from_parameter(parameter));
  json out = {{"op", "parameterValues"}, {"parameters", std::move(list)}};
  if (id) out["id"] = *id;
  return text_of_json(out);
}

std::string service_call_failure(std::uint32_t service, std::uint32_t call, std::string_view message) {
  return text_of_json({{"op", "serviceCallFailure"}, {"serviceId", service}, {"callId", call}, {"message", message}});
}

std::string connection_graph_update(const GraphUpdate& update) {
  return text_of_json({{"op", "connectionGraphUpdate"},
                       {"publishedTopics", json_from_topics(update.changed.published, "publisherIds")},
                       {"subscribedTopics", json_from_topics(update.changed.subscribed, "subscriberIds")},
                       {"advertisedServices", json_from_topics(update.changed.services, "providerIds")},
                       {"removedTopics", update.removed_topics},
                       {"removedServices", update.removed_services}});
}

std::array<std::uint8_t, message_head_size> message_head(std::uint32_t subscription, std::uint64_t stamp_ns) {
  std::array<std::uint8_t, message_head_size> head{1};
  for (std::size_t i = 0; i < 4; ++i) head[1 + i] = static_cast<std::uint8_t>(subscription >> (8 * i));
  for (std::size_t i = 0; i < 8; ++i) head[5 + i] = static_cast<std::uint8_t>(stamp_ns >> (8 * i));
  return head;
}

std::array<std::uint8_t, time_size> time(std::uint64_t stamp_ns) {
  std::array<std::uint8_t, time_size> out{2};
  for (std::size_t i = 0; i < 8; ++i) out[1 + i] = static_cast<std::uint8_t>(stamp_ns >> (8 * i));
  return out;
}

std::vector<std::uint8_t> service_response(std::uint32_t service, std::uint32_t call, std::string_view encoding,
                                           Bytes payload) {
  std::vector<std::uint8_t> out;
  out.reserve(13 + encoding.size() + payload.size());
  ByteWriter writer(out);
  writer.byte(3);
  writer.little(service);
  writer.little(call);
  writer.little(static_cast<std::uint32_t>(encoding.size()));
  writer.text(encoding);
  writer.bytes(payload);
  return out;
}

std::vector<std::uint8_t> asset(std::uint32_t request, Bytes content) {
  std::vector<std::uint8_t> out;
  out.reserve(10 + content.size());
  ByteWriter writer(out);
  writer.byte(4);
  writer.little(request);
  writer.byte(0);
  writer.little(std::uint32_t{0});
  writer.bytes(content);
  return out;
}

std::vector<std::uint8_t> asset_failure(std::uint32_t request, std::string_view why) {
  std::vector<std::uint8_t> out;
  ByteWriter writer(out);
  writer.byte(4);
  writer.little(request);
  writer.byte(1);
  writer.little(static_cast<std::uint32_t>(why.size()));
  writer.text(why);
  return out;
}

std::vector<std::uint8_t> playback_state(const PlaybackState& state) {
  std::vector<std::uint8_t> out;
  ByteWriter writer(out);
  writer.byte(5);
  writer.little(state.status);
  writer.little(state.time);
  writer.little(state.speed);
  writer.byte(state.did_seek ? 1 : 0);
  writer.little(static_cast<std::uint32_t>(state.request_id.size()));
  writer.text(state.request_id);
  return out;
}

}  // namespace tandem::web::foxglove
