// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/merge.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <optional>

#include "tandem/base/nearest.hpp"
#include "tandem/record/mcap_writer.hpp"

namespace tandem::record {

namespace {

constexpr double longest_offset = 1e9;  // s

Error refused(std::string text) { return {Fault::invalid, std::move(text)}; }

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

// Byte by byte, of files that are of one size.
Result<bool> is_same_content(const std::string& a, const std::string& b) {
  auto first = Source::open(a), second = Source::open(b);
  if (!first) return first.error();
  if (!second) return second.error();
  if (first->size() != second->size()) return false;
  constexpr std::uint64_t piece = 1u << 20;
  for (std::uint64_t at = 0; at < first->size(); at += piece) {
    const auto mine = first->read(at, piece), theirs = second->read(at, piece);
    if (!mine) return mine.error();
    if (!theirs) return theirs.error();
    if (!std::ranges::equal(*mine, *theirs)) return false;
  }
  return true;
}

// What of one file goes where.
struct Route {
  Cursor cursor;
  std::int64_t shift = 0;                        // ns, added to its times
  std::map<std::uint16_t, std::uint16_t> ids{};  // there, here
  std::optional<mcap::Message> next{};           // valid until its cursor is asked again
  std::uint64_t time = 0;                        // corrected, of the next
};

// Not before 1970 and not after 2262; nothing when it would be.
std::optional<std::uint64_t> shifted(std::uint64_t time, std::int64_t shift) {
  if (time > std::uint64_t{INT64_MAX}) return std::nullopt;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(static_cast<std::int64_t>(time), shift, &sum) || sum < 0) return std::nullopt;
  return static_cast<std::uint64_t>(sum);
}

// Which file has a topic, and as what: lent by its reader, since a file may give a long schema to many channels.
struct Owner {
  std::size_t index = 0;
  const mcap::Channel* channel = nullptr;
  const mcap::Schema* schema = nullptr;  // none
};

bool is_same_type(const Owner& a, const Owner& b) {
  const mcap::Schema none;
  const mcap::Schema &mine = a.schema == nullptr ? none : *a.schema, &theirs = b.schema == nullptr ? none : *b.schema;
  return a.channel->encoding == b.channel->encoding && mine.name == theirs.name && mine.data == theirs.data;
}

class Merger {
 public:
  Merger(const std::vector<MergeInput>& inputs, const std::vector<McapReader>& readers, McapWriter& writer,
         const MergeOptions& options)
      : inputs_(inputs), readers_(readers), writer_(writer), options_(options) {}

  Result<Merged> run() {
    if (auto written = write_offsets(); !written) return written.error();
    for (const McapReader& reader : readers_)
      for (const auto& [id, channel] : reader.contents().channels) topics_.insert(channel.topic);
    routes_.reserve(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (auto routed = route(i); !routed) return routed.error();
      if (auto kept = keep_metadata(i); !kept) return kept.error();
    }
    if (auto copied = copy_messages(); !copied) return copied.error();
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (auto kept = keep_attachments(i); !kept) return kept.error();
    if (auto finished = writer_.finish(); !finished) return finished.error();
    return std::move(merged_);
  }

 private:
  // The name that a topic gets, and who has it: the first file that has it keeps it.
  Result<std::string> topic_of(std::size_t index, const mcap::Channel& channel, const mcap::Schema* schema) {
    const auto [owner, fresh] = owners_.try_emplace(channel.topic, Owner{index, &channel, schema});
    if (fresh || owner->second.index == index) return channel.topic;
    if (options_.join.contains(channel.topic)) {
      if (is_same_type(owner->second, {index, &channel, schema})) return channel.topic;
      return refused(fmt::format("{}: {}: expected the type that {} has, to join them, got another",
                                 inputs_[index].file, printable(channel.topic), inputs_[owner->second.index].file));
    }
    std::string renamed =
        fmt::format("/{}{}{}", inputs_[index].name, channel.topic.starts_with('/') ? "" : "/", channel.topic);
    // A file may have just that topic of its own, and two hosts may not share one.
    while (topics_.contains(renamed) || (owners_.contains(renamed) && owners_.at(renamed).index != index))
      renamed += "_";
    owners_.try_emplace(renamed, Owner{index, &channel, schema});
    if (renamed_.emplace(index, renamed).second)
      merged_.renamed.emplace_back(fmt::format("{}: {}", inputs_[index].file, channel.topic), renamed);
    return renamed;
  }

  Result<void> route(std::size_t index) {
    const McapReader& reader = readers_[index];
    Route& route = routes_.emplace_back(Route{reader.messages()});
    route.shift = -static_cast<std::int64_t>(std::llround(inputs_[index].offset * 1e9));
    for (const auto& [id, channel] : reader.contents().channels) {
      const mcap::Schema* schema = reader.schema(channel);
      const auto topic = topic_of(index, channel, schema);
      if (!topic) return topic.error();
      ChannelInfo info{.topic = *topic, .encoding = channel.encoding, .metadata = channel.metadata};
      if (schema != nullptr) {
        info.schema_name = schema->name;
        info.schema_encoding = schema->encoding;
        info.schema = schema->data;
      }
      info.silent = !reader.contents().statistics.channel_messages.contains(id) ||
                    reader.contents().statistics.channel_messages.at(id) == 0;
      const auto made = writer_.channel(info);
      if (!made) return made.error();
      route.ids[id] = *made;
    }
    return advance(index);
  }

  Result<void> advance(std::size_t index) {
    Route& route = routes_[index];
    const auto next = route.cursor.next();
    if (!next) return refused(fmt::format("{}; `tandem repair` writes a complete file", next.error().text));
    route.next = *next;
    if (!route.next) return {};
    const auto time = shifted(route.next->log_time, route.shift);
    if (!time)
      return refused(fmt::format("{}: expected times from 1970 to 2262 with its offset of {} s, got {} ns",
                                 inputs_[index].file, inputs_[index].offset, route.next->log_time));
    route.time = *time;
    return {};
  }

  Result<void> copy_messages() {
    std::uint64_t all = 0;
    for (const McapReader& reader : readers_) all += reader.contents().statistics.messages;
    while (true) {
      Route* first = nullptr;
      for (Route& route : routes_)  // of the same time those of the first file come first
        if (route.next && (first == nullptr || route.time < first->time)) first = &route;
      if (first == nullptr) return {};
      mcap::Message copy = *first->next;
      const auto id = first->ids.find(copy.channel);
      const auto index = static_cast<std::size_t>(first - routes_.data());
      if (id == first->ids.end())
        return refused(
            fmt::format("{}: a message of channel {}, which is not described", inputs_[index].file, copy.channel));
      copy.channel = id->second;
      copy.log_time = first->time;
      copy.publish_time = shifted(copy.publish_time, first->shift).value_or(first->time);
      if (auto written = writer_.message(copy); !written) return written;
      if (++merged_.messages % 1024 == 0 && options_.progress)
        options_.progress(static_cast<double>(merged_.messages) / static_cast<double>(std::max<std::uint64_t>(all, 1)));
      if (auto advanced = advance(index); !advanced) return advanced;
    }
  }

  Result<void> keep_metadata(std::size_t index) {
    for (const mcap::MetadataIndex& entry : readers_[index].contents().metadata) {
      auto found = readers_[index].metadata(entry);
      if (!found) return found.error();
      const auto [owner, fresh] = metadata_owners_.try_emplace(found->name, index);
      if (!fresh && owner->second != index) found->name += "." + inputs_[index].name;
      if (auto written = writer_.metadata(*found); !written) return written;
      ++merged_.metadata;
    }
    return {};
  }

  Result<void> keep_attachments(std::size_t index) {
    std::vector<std::uint8_t> data;
    for (const mcap::AttachmentIndex& entry : readers_[index].contents().attachments) {
      data.clear();
      auto found = readers_[index].attachment(entry, data);
      if (!found) return found.error();
      const auto [owner, fresh] = attachment_owners_.try_emplace(found->name, index);
      if (!fresh && owner->second != index) found->name = inputs_[index].name + "." + found->name;
      found->log_time = shifted(found->log_time, routes_[index].shift).value_or(0);
      found->create_time = shifted(found->create_time, routes_[index].shift).value_or(0);
      if (auto written = writer_.attachment(*found); !written) return written;
      ++merged_.attachments;
    }
    return {};
  }

  Result<void> write_offsets() {
    mcap::Metadata record{"tandem.merge", {}};
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const MergeInput& input = inputs_[i];
      record.values[fmt::format("{}.file", input.name)] = std::filesystem::path(input.file).filename().string();
      record.values[fmt::format("{}.offset", input.name)] = fmt::format("{:.9f} s", input.offset);
      record.values[fmt::format("{}.uncertainty", input.name)] =
          input.uncertainty < 0 ? "unknown" : fmt::format("{:.9f} s", input.uncertainty);
      record.values[fmt::format("{}.source", input.name)] = input.source;
    }
    record.values["clock"] = inputs_.front().name;
    metadata_owners_.emplace(record.name, inputs_.size());
    return writer_.metadata(record);
  }

  const std::vector<MergeInput>& inputs_;
  const std::vector<McapReader>& readers_;
  McapWriter& writer_;
  const MergeOptions& options_;
  std::vector<Route> routes_;
  std::map<std::string, Owner> owners_;  // by topic
  std::set<std::string> topics_;         // that files have of their own
  std::set<std::pair<std::size_t, std::string>> renamed_;
  std::map<std::string, std::size_t> metadata_owners_, attachment_owners_;
  Merged merged_;
};

}  // namespace

std::vector<std::string> merge_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) {
    std::string name = std::filesystem::path(file).stem().string().substr(0, 60);
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "host_" + name;
    const std::string stem = name;
    for (int number = 2; std::ranges::find(names, name) != names.end(); ++number)
      name = fmt::format("{}_{}", stem, number);
    names.push_back(name);
  }
  return names;
}

Result<std::vector<McapReader>> open_for_merge(const std::vector<std::string>& files) {
  if (files.size() < 2) return refused(fmt::format("expected two recordings or more, got {}", files.size()));
  std::vector<McapReader> readers;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto reader = McapReader::open(files[i]);
    if (!reader) return reader.error();
    if (!reader->contents().whole) {
      const auto& problems = reader->contents().problems;
      return refused(fmt::format("{}; `tandem repair {}` writes a complete file",
                                 problems.empty() ? files[i] + ": incomplete" : problems.front().text, files[i]));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (is_same_file(files[i], files[j]))
        return refused(fmt::format("{}: expected different recordings, got the same file twice", files[i]));
      const auto same = is_same_content(files[i], files[j]);
      if (!same) return same.error();
      if (*same) return refused(fmt::format("{}: expected different recordings, got a copy of {}", files[i], files[j]));
    }
    readers.push_back(std::move(*reader));
  }
  return readers;
}

Result<Merged> merge(const std::vector<MergeInput>& inputs, const std::string& to, const MergeOptions& options) {
  std::vector<std::string> files;
  for (const MergeInput& input : inputs) {
    if (!(std::abs(input.offset) <= longest_offset))
      return refused(
          fmt::format("{}: expected an offset of at most {:g} s, got {}", input.file, longest_offset, input.offset));
    files.push_back(input.file);
  }
  const auto readers = open_for_merge(files);
  if (!readers) return readers.error();
  const bool all_ros = std::ranges::all_of(
      *readers, [](const McapReader& reader) { return reader.contents().header.profile == "ros2"; });
  auto writer = McapWriter::create(to, {.profile = all_ros ? "ros2" : ""});
  if (!writer) return writer.error();
  auto merged = Merger(inputs, *readers, *writer, options).run();
  if (!merged) ::unlink(to.c_str());
  return merged;
}

}  // namespace tandem::record
