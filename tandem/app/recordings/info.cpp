// SPDX-License-Identifier: Apache-2.0
// info and repair.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tandem/app/commands.hpp"
#include "tandem/app/recordings/leaves.hpp"
#include "tandem/app/recordings/recordings.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/record/repair.hpp"

namespace tandem::app {

namespace {

struct TopicRow {
  std::string topic, type, encoding;
  std::uint64_t messages = 0;
  double rate = 0;  // 1/s, over the whole file
};

double span_seconds(const record::Contents& contents) {
  return static_cast<double>(contents.statistics.end - contents.statistics.start) * 1e-9;
}

std::vector<TopicRow> topic_rows(const record::McapReader& reader) {
  // What was published and what was received of a topic are two channels.
  std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> topics;
  const auto& counts = reader.contents().statistics.channel_messages;
  for (const auto& [id, channel] : reader.contents().channels) {
    const auto count = counts.find(id);
    const record::mcap::Schema* schema = reader.schema(channel);
    topics[{channel.topic, schema == nullptr ? "" : schema->name, channel.encoding}] +=
        count == counts.end() ? 0 : count->second;
  }
  std::vector<TopicRow> rows;
  const double span = span_seconds(reader.contents());
  for (const auto& [key, messages] : topics) {
    const auto& [topic, type, encoding] = key;
    const double rate = span > 0 && messages > 1 ? static_cast<double>(messages - 1) / span : 0;
    rows.push_back({topic, type, encoding, messages, rate});
  }
  return rows;
}

std::string utc_text(std::uint64_t ns) {
  const auto seconds = static_cast<std::time_t>(ns / 1'000'000'000);
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return seconds_text(ns) + " s";
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} UTC", parts, ns / 1'000'000 % 1000);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) * 1e-3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) * 1e-6);
}

std::string next_step(const record::Contents& contents, const std::string& file) {
  return contents.whole ? "" : fmt::format("tandem repair {}", file);
}

void print_json(const record::McapReader& reader, const InfoArguments& arguments) {
  const record::Contents& contents = reader.contents();
  nlohmann::ordered_json out{{"file", arguments.file},
                             {"bytes", contents.file_size},
                             {"profile", contents.header.profile},
                             {"library", contents.header.library},
                             {"messages", contents.statistics.messages},
                             {"chunks", contents.statistics.chunks},
                             {"start_ns", contents.statistics.start},
                             {"end_ns", contents.statistics.end},
                             {"whole", contents.whole},
                             {"topics", nlohmann::ordered_json::array()}};
  for (const TopicRow& row : topic_rows(reader)) {
    out["topics"].push_back({{"topic", row.topic},
                             {"type", row.type},
                             {"encoding", row.encoding},
                             {"messages", row.messages},
                             {"rate_hz", row.rate}});
  }
  for (const auto& each : contents.attachments) out["attachments"].push_back(each.name);
  for (const auto& each : contents.metadata) {
    if (const auto found = reader.metadata(each)) out["metadata"][found->name] = found->values;
  }
  for (const record::Problem& each : contents.problems) out["problems"].push_back(each.text);
  if (contents.torn_messages > 0) out["messages_in_torn_chunk"] = contents.torn_messages;
  if (!contents.whole) out["next"] = next_step(contents, arguments.file);
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_text(const record::McapReader& reader, const InfoArguments& arguments) {
  const record::Contents& contents = reader.contents();
  const auto& count = contents.statistics;
  fmt::print("{}: {}, {} messages in {} chunks{}{}\n", arguments.file, size_text(contents.file_size), count.messages,
             count.chunks, contents.header.library.empty() ? "" : ", written by ", printable(contents.header.library));
  if (count.messages > 0) {
    fmt::print("from {} to {}: {:.3f} s\n", utc_text(count.start), utc_text(count.end), span_seconds(contents));
  }
  const auto rows = topic_rows(reader);
  std::size_t topic_width = 5, type_width = 4;
  for (const TopicRow& row : rows) {
    topic_width = std::max(topic_width, std::min<std::size_t>(row.topic.size(), 60));
    type_width = std::max(type_width, std::min<std::size_t>(row.type.size(), 60));
  }
  if (!rows.empty()) {
    fmt::print("\n{:<{}}  {:<{}}  {:>10}  {:>10}\n", "topic", topic_width, "type", type_width, "messages", "rate (Hz)");
  }
  for (const TopicRow& row : rows) {
    fmt::print("{:<{}}  {:<{}}  {:>10}  {:>10.2f}\n", printable(row.topic), topic_width,
               printable(row.type.empty() ? row.encoding : row.type), type_width, row.messages, row.rate);
  }
  for (const auto& each : contents.attachments) {
    fmt::print("attachment {}, {}\n", printable(each.name), size_text(each.data_size));
  }
  for (const auto& each : contents.metadata) {
    const auto found = reader.metadata(each);
    if (!found) continue;
    for (const auto& [key, value] : found->values)
      fmt::print("{}: {} = {}\n", printable(found->name), printable(key), printable(value, 200));
  }
  fmt::print("\n");
  for (const record::Problem& each : contents.problems) fmt::print("{}\n", each.text);
  if (contents.whole) {
    fmt::print("The file is complete{}.\n", contents.indexed ? " (by its summary; --check reads the whole file)" : "");
  } else {
    fmt::print(
        "The file is incomplete; what is listed here can be read{}. Next: {}\n",
        contents.torn_messages == 0
            ? ""
            : fmt::format(", and {} more messages at its truncated end once it is repaired", contents.torn_messages),
        next_step(contents, arguments.file));
  }
}

}  // namespace

int recording_info(const InfoArguments& arguments) {
  const auto reader = open_recording(arguments.file, arguments.check, true);
  if (!reader) return failure;
  if (arguments.json) {
    print_json(*reader, arguments);
  } else {
    print_text(*reader, arguments);
  }
  return reader->contents().whole ? success : failure;
}

int repair_recording(const RepairArguments& arguments) {
  const std::string out = arguments.out.empty() ? record::repaired_name(arguments.file) : arguments.out;
  const auto repaired = [&] {
    ReadingBar bar("repairing " + arguments.file);
    return record::repair(arguments.file, out, [&bar](double fraction) { bar.show(fraction); });
  }();
  if (!repaired) return fail(repaired.error().text);
  if (repaired->whole) {
    fmt::print("{} is complete; nothing to repair, nothing written.\n", arguments.file);
    return success;
  }
  for (const record::Problem& each : repaired->problems) fmt::print("{}\n", each.text);
  fmt::print("{}: {} messages, {} attachments and {} metadata kept", out, repaired->messages, repaired->attachments,
             repaired->metadata);
  if (repaired->nameless > 0) fmt::print("; {} messages lost, as their channel is not described", repaired->nameless);
  if (repaired->unread > 0) fmt::print("; {} at the end lost", size_text(repaired->unread));
  fmt::print(".\n");
  return success;
}

}  // namespace tandem::app
