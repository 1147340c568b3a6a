// SPDX-License-Identifier: Apache-2.0
// A folder for the files of one test, and messages that tests write into them and read back.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tandem/record/mcap_reader.hpp"
#include "tandem/record/mcap_writer.hpp"

namespace tandem::record {

// The size that files may have, and no more.
class TightDisk {
 public:
  explicit TightDisk(std::uint64_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit tight = before_;
    tight.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &tight);
  }
  TightDisk(const TightDisk&) = delete;
  ~TightDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, old_);
  }

 private:
  rlimit before_{};
  void (*old_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tandem_record_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::vector<std::uint8_t> file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::string& path, Bytes bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// One that owns its data.
struct Kept {
  std::string topic;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0, publish_time = 0;
  std::string data;
  bool operator==(const Kept&) const = default;
};

inline ChannelInfo plain_channel(const std::string& topic) {
  return {.topic = topic,
          .encoding = "json",
          .schema_name = "test." + topic,
          .schema_encoding = "jsonschema",
          .schema = "{}",
          .metadata = {{"of", topic}}};
}

inline Result<void> write_kept(McapWriter& writer, const Kept& kept) {
  const auto id = writer.channel(plain_channel(kept.topic));
  if (!id) return id.error();
  return writer.message({.channel = *id,
                         .sequence = kept.sequence,
                         .log_time = kept.log_time,
                         .publish_time = kept.publish_time,
                         .data = as_bytes(kept.data)});
}

// Everything that can be read, by log time. Chunks that cannot are counted in `errors`.
inline std::vector<Kept> read_all(const McapReader& reader, Selection selection = {}, std::size_t* errors = nullptr) {
  std::vector<Kept> all;
  Cursor cursor = reader.messages(std::move(selection));
  for (;;) {
    const auto next = cursor.next();
    if (!next) {
      REQUIRE(errors != nullptr);
      ++*errors;
      continue;
    }
    if (!*next) return all;
    const mcap::Message& message = **next;
    const auto channel = reader.contents().channels.find(message.channel);
    all.push_back({channel == reader.contents().channels.end() ? "?" : channel->second.topic, message.sequence,
                   message.log_time, message.publish_time,
                   std::string(reinterpret_cast<const char*>(message.data.data()), message.data.size())});
  }
}

inline std::vector<Kept> random_messages(std::mt19937_64& random, std::size_t count, std::uint64_t disorder) {
  std::vector<Kept> all;
  for (std::size_t i = 0; i < count; ++i) {
    std::string data(random() % 3 == 0 ? random() % 2000 : random() % 60, '\0');
    const bool dull = random() % 2 == 0;
    for (char& c : data) c = static_cast<char>(dull ? 'a' : random());
    const std::uint64_t time = 1'700'000'000'000'000'000u + i * 1'000'000 + (disorder == 0 ? 0 : random() % disorder);
    all.push_back(
        {"/t" + std::to_string(random() % 5), static_cast<std::uint32_t>(i), time, time - 5, std::move(data)});
  }
  return all;
}

inline void sort_by_time(std::vector<Kept>& messages) {
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Kept& a, const Kept& b) { return a.log_time < b.log_time; });
}

}  // namespace tandem::record
