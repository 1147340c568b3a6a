// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/recorded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>

#include "tandem/base/bytes.hpp"
#include "tandem/machines/generic/topic_names.hpp"
#include "tandem/record/mcap_reader.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_rows = 1'000'000;

// The number of one of the messages of std_msgs that signals have; CDR, little-endian, behind its header of 4 bytes.
std::optional<double> number_in(std::string_view type, std::span<const std::uint8_t> data) {
  if (data.size() < 5 || data[1] != 1) return std::nullopt;
  ByteReader reader(data.subspan(4));
  double value = 0;
  if (type == "std_msgs/msg/Float64") {
    value = reader.little<double>();
  } else if (type == "std_msgs/msg/Float32") {
    value = static_cast<double>(reader.little<float>());
  } else if (type == "std_msgs/msg/Int64") {
    value = static_cast<double>(reader.little<std::int64_t>());
  } else if (type == "std_msgs/msg/UInt64") {
    value = static_cast<double>(reader.little<std::uint64_t>());
  } else if (type == "std_msgs/msg/Int32") {
    value = static_cast<double>(reader.little<std::int32_t>());
  } else if (type == "std_msgs/msg/Bool") {
    value = reader.byte() != 0 ? 1 : 0;
  } else {
    return std::nullopt;
  }
  if (!reader.ok()) return std::nullopt;
  return value;
}

}  // namespace

Rows recorded_rows(const std::string& file, const std::string& name, const std::string& node) {
  const auto fail = [&](const std::string& why) -> std::invalid_argument {
    return std::invalid_argument(fmt::format("recording: {}: {}", file, why));
  };
  auto reader = record::McapReader::open(file);
  if (!reader) throw fail(reader.error().text);
  const auto& contents = reader->contents();
  const std::string topic = signal_topic(name).substr(1);  // without its ~
  // That of the machine, or the only one: several machines may have a signal of this name.
  std::set<std::string> topics;
  for (const auto& [id, channel] : contents.channels)
    if (channel.topic.ends_with(topic)) topics.insert(channel.topic);
  if (const std::string own = node + topic; topics.contains(own)) topics = {own};
  if (topics.size() > 1)
    throw fail(fmt::format("expected {}{}, or one topic that ends in {}, got {}", node, topic, topic,
                           fmt::join(topics, ", ")));
  record::Selection selection;
  for (const auto& [id, channel] : contents.channels)
    if (topics.contains(channel.topic)) selection.channels.insert(id);
  Rows rows;
  if (!selection.channels.empty()) {
    auto cursor = reader->messages(selection);
    while (rows.size() < most_rows) {
      const auto message = cursor.next();
      if (!message || !*message) break;
      const auto channel = contents.channels.find((*message)->channel);
      if (channel == contents.channels.end()) continue;
      const record::mcap::Schema* schema = reader->schema(channel->second);
      const auto value = schema == nullptr ? std::nullopt : number_in(schema->name, (*message)->data);
      if (!value) continue;
      const double t = 1e-9 * static_cast<double>((*message)->log_time - contents.statistics.start);
      if (rows.empty() || t > rows.back().first) rows.emplace_back(t, *value);
    }
  }
  if (rows.empty())
    throw fail(fmt::format("expected a topic that ends in {} with numbers of std_msgs, got none", topic));
  return rows;
}

std::unique_ptr<Behaviour> make_recorded(const Sim& sim, const BehaviourSetup& setup) {
  const auto path = std::filesystem::path(setup.folder) / sim.text;  // an absolute one replaces the folder
  Rows rows = recorded_rows(path.string(), sim.signal.empty() ? setup.name : sim.signal, setup.node);
  for (auto& [t, value] : rows) value = (value - setup.si_offset) / setup.si_scale;
  return make_table(std::move(rows), true, sim.again);
}

}  // namespace tandem::generic
