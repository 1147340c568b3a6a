// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tandem/base/json_depth.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/web/hub/foxglove.hpp"

namespace tandem::web::foxglove {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 11> client_operations = {"subscribe",
                                                                "unsubscribe",
                                                                "advertise",
                                                                "unadvertise",
                                                                "getParameters",
                                                                "setParameters",
                                                                "subscribeParameterUpdates",
                                                                "unsubscribeParameterUpdates",
                                                                "subscribeConnectionGraph",
                                                                "unsubscribeConnectionGraph",
                                                                "fetchAsset"};

std::string seen_json(const json* value) {
  if (value == nullptr) return "nothing";
  if (value->is_object()) return "an object";
  if (value->is_array()) return "an array";
  return printable(value->dump(-1, ' ', true, json::error_handler_t::replace));
}

// Takes fields out of one message; remembers the first thing that was wrong and where.
class FieldReader {
 public:
  FieldReader(const json& message, std::string_view operation) : message_(message), operation_(operation) {}

  // Whole numbers only; JavaScript may write them with a point.
  std::uint32_t id(const json& from, const char* key) { return id_of(member(from, key), key); }
  std::uint32_t id_of(const json* value, const char* key) {
    const double number = value != nullptr && value->is_number() ? value->get<double>() : -1;
    if (number >= 0 && number <= 4294967295.0 && number == std::floor(number))
      return static_cast<std::uint32_t>(number);
    fail(key, "a whole number from 0 to 4294967295", value);
    return 0;
  }

  std::string text(const json& from, const char* key, std::size_t longest) {
    return text_of(member(from, key), key, longest);
  }
  std::string text_of(const json* value, const char* key, std::size_t longest) {
    if (value == nullptr || !value->is_string()) {
      fail(key, "a text", value);
      return {};
    }
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() <= longest) return text;
    fail(key, fmt::format("at most {} bytes of text", longest), value);
    return {};
  }
  std::optional<std::string> optional_text(const json& from, const char* key, std::size_t longest) {
    const json* value = member(from, key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    return text_of(value, key, longest);
  }

  const json* member(const json& from, const char* key) const {
    if (!from.is_object()) return nullptr;
    const auto found = from.find(key);
    return found == from.end() ? nullptr : &*found;
  }

  // Every element of the list of that name, until something is wrong.
  template <typename Read>
  void each(const char* key, Read read) {
    const json* list = member(message_, key);
    if (list == nullptr || !list->is_array()) return fail(key, "an array", list);
    list_ = key;
    for (index_ = 0; index_ < list->size() && problem_.empty(); ++index_) read((*list)[index_]);
    list_ = nullptr;
  }
  std::vector<std::uint32_t> ids(const char* key) {
    std::vector<std::uint32_t> ids;
    each(key, [&](const json& item) { ids.push_back(id_of(&item, nullptr)); });
    return ids;
  }
  std::vector<std::string> names(const char* key) {
    std::vector<std::string> names;
    each(key, [&](const json& item) { names.push_back(text_of(&item, nullptr, longest_name)); });
    return names;
  }

  void fail(const char* key, std::string_view expected, const json* seen) {
    if (!problem_.empty()) return;
    std::string where;
    if (list_ != nullptr) where = fmt::format("{}[{}]", list_, index_);
    if (key != nullptr) where += (where.empty() ? "" : ".") + std::string(key);
    problem_ = fmt::format("{}: {}: expected {}, got {}", operation_, where, expected, seen_json(seen));
  }
  const std::string& problem() const { return problem_; }
  const json& message() const { return message_; }

 private:
  const json& message_;
  std::string_view operation_;
  const char* list_ = nullptr;
  std::size_t index_ = 0;
  std::string problem_;
};

Subscribe read_subscribe(FieldReader& fields) {
  Subscribe read;
  fields.each("subscriptions", [&](const json& item) {
    read.subscriptions.push_back({fields.id(item, "id"), fields.id(item, "channelId")});
  });
  return read;
}

Advertise read_advertise(FieldReader& fields) {
  Advertise read;
  fields.each("channels", [&](const json& item) {
    ClientChannel channel;
    const std::uint32_t id = fields.id(item, "id");
    channel.topic = fields.text(item, "topic", longest_name);
    channel.encoding = fields.text(item, "encoding", longest_name);
    channel.schema_name = fields.text(item, "schemaName", longest_name);
    channel.schema = fields.optional_text(item, "schema", longest_schema).value_or("");
    channel.schema_encoding = fields.optional_text(item, "schemaEncoding", longest_name).value_or("");
    read.channels.emplace_back(id, std::move(channel));
  });
  return read;
}

AskParameters read_ask_parameters(FieldReader& fields) {
  AskParameters read;
  read.names = fields.names("parameterNames");
  read.id = fields.optional_text(fields.message(), "id", longest_name);
  return read;
}

ChangeParameters read_change_parameters(FieldReader& fields) {
  ChangeParameters read;
  fields.each("parameters", [&](const json& item) {
    Parameter parameter;
    parameter.name = fields.text(item, "name", longest_name);
    parameter.type = fields.optional_text(item, "type", longest_name).value_or("");
    if (const json* value = fields.member(item, "value"); value != nullptr && !value->is_null())
      parameter.value = value->dump(-1, ' ', false, json::error_handler_t::replace);
    read.parameters.push_back(std::move(parameter));
  });
  read.id = fields.optional_text(fields.message(), "id", longest_name);
  return read;
}

std::optional<ClientText> read_operation(FieldReader& fields, std::string_view operation) {
  if (operation == "subscribe") return read_subscribe(fields);
  if (operation == "unsubscribe") return Unsubscribe{fields.ids("subscriptionIds")};
  if (operation == "advertise") return read_advertise(fields);
  if (operation == "unadvertise") return Unadvertise{fields.ids("channelIds")};
  if (operation == "getParameters") return read_ask_parameters(fields);
  if (operation == "setParameters") return read_change_parameters(fields);
  if (operation == "subscribeParameterUpdates") return FollowParameters{fields.names("parameterNames"), true};
  if (operation == "unsubscribeParameterUpdates") return FollowParameters{fields.names("parameterNames"), false};
  if (operation == "subscribeConnectionGraph") return FollowGraph{true};
  if (operation == "unsubscribeConnectionGraph") return FollowGraph{false};
  if (operation == "fetchAsset")
    return FetchAsset{fields.text(fields.message(), "uri", longest_uri), fields.id(fields.message(), "requestId")};
  return std::nullopt;
}

Result<PlaybackRequest> read_playback(ByteReader& reader) {
  PlaybackRequest request;
  const std::uint8_t command = reader.byte();
  request.speed = reader.little<float>();
  const bool seeks = reader.byte() != 0;
  const auto to = reader.little<std::uint64_t>();
  if (seeks) request.seek = to;
  request.id = reader.text(reader.little<std::uint32_t>());
  if (!reader.done()) return Error{Fault::invalid, "playback control: its length does not match the id", 0};
  if (command > 1) return Error{Fault::invalid, fmt::format("playback control: expected 0 or 1, got {}", command), 0};
  if (!(request.speed > 0) || !std::isfinite(request.speed))
    return Error{Fault::invalid, fmt::format("playback control: expected a speed above 0, got {}", request.speed), 0};
  if (request.id.size() > longest_name)
    return Error{Fault::invalid, fmt::format("playback control: an id has at most {} bytes", longest_name), 0};
  request.play = command == 0;
  return request;
}

}  // namespace

Result<ClientText> read_text(std::string_view message) {
  const auto invalid = [](std::string text) { return Error{Fault::invalid, std::move(text), 0}; };
  if (message.size() > longest_text)
    return invalid(fmt::format("a text message has at most {} bytes, not {}", longest_text, message.size()));
  if (is_deeper_than(message, deepest_text))
    return invalid(fmt::format("a text message has at most {} brackets within each other", deepest_text));
  const json parsed = json::parse(message, nullptr, false);
  if (!parsed.is_object()) return invalid(fmt::format("expected a JSON object, got '{}'", printable(message)));
  const auto operation = parsed.find("op");
  if (operation == parsed.end() || !operation->is_string())
    return invalid(
        fmt::format("expected a text as 'op', got {}", seen_json(operation == parsed.end() ? nullptr : &*operation)));
  const auto& name = operation->get_ref<const std::string&>();
  FieldReader fields(parsed, name);
  auto read = read_operation(fields, name);
  if (!read)
    return Error{Fault::unsupported,
                 fmt::format("unknown op '{}'{}", printable(name), suggestion(name, client_operations)), 0};
  if (!fields.problem().empty()) return invalid(fields.problem());
  return *std::move(read);
}

Result<ClientBinary> read_binary(Bytes message) {
  ByteReader reader(message);
  const auto cut = [&](const char* what, std::size_t least) {
    return Error{Fault::invalid, fmt::format("{}: expected {} bytes or more, got {}", what, least, message.size()), 0};
  };
  const std::uint8_t operation = reader.byte();
  if (!reader.ok()) return Error{Fault::invalid, "binary message is empty", 0};
  if (operation == 1) {
    ClientMessage read;
    read.channel = reader.little<std::uint32_t>();
    read.payload = reader.rest();
    if (!reader.ok()) return cut("message", 5);
    return ClientBinary(read);
  }
  if (operation == 2) {
    ServiceCall read;
    read.service = reader.little<std::uint32_t>();
    read.call = reader.little<std::uint32_t>();
    const auto size = reader.little<std::uint32_t>();
    if (!reader.ok()) return cut("service call", 13);
    read.encoding = reader.text(size);
    read.payload = reader.rest();
    if (!reader.ok()) return cut("service call", 13 + std::size_t{size});
    return ClientBinary(read);
  }
  if (operation == 3) {
    auto read = read_playback(reader);
    if (!read) return std::move(read).error();
    return ClientBinary(*std::move(read));
  }
  return Error{Fault::unsupported, fmt::format("unknown binary operation {}", operation), 0};
}

}  // namespace tandem::web::foxglove
