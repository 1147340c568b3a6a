// SPDX-License-Identifier: Apache-2.0
// Writes a recording by a rule that anybody can follow, or lists one: `write FILE`, `list FILE`.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tandem/base/crc32.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/record/mcap_writer.hpp"

namespace {

using namespace tandem;

int failed(const Error& error) {
  fmt::print(stderr, "{}\n", error.text);
  return 1;
}

// Message i: on /t(i mod 3), i mod 200 bytes 31 i + j; every tenth is logged 40 us too early.
int write(const std::string& path) {
  auto writer = record::McapWriter::create(path, {.profile = "peer", .chunk_bytes = 8192});
  if (!writer) return failed(writer.error());
  if (auto done = writer->metadata({"about", {{"rule", "31 i + j"}}}); !done) return failed(done.error());
  std::vector<std::uint8_t> data;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const std::string topic = fmt::format("/t{}", i % 3);
    const auto channel = writer->channel({.topic = topic,
                                          .encoding = "json",
                                          .schema_name = "test.T",
                                          .schema_encoding = "jsonschema",
                                          .schema = "{}",
                                          .metadata = {{"number", fmt::format("{}", i % 3)}}});
    if (!channel) return failed(channel.error());
    data.clear();
    for (std::uint32_t j = 0; j < i % 200; ++j) data.push_back(static_cast<std::uint8_t>(31 * i + j));
    const std::uint64_t time = 1'700'000'000'000'000'000u + i * 1000u - (i % 10 == 0 ? 40'000u : 0u);
    if (auto done = writer->message(
            {.channel = *channel, .sequence = i, .log_time = time, .publish_time = time - 7, .data = data});
        !done) {
      return failed(done.error());
    }
  }
  const std::string text = "an attachment";
  if (auto done = writer->attachment(
          {.log_time = 5, .create_time = 6, .name = "a.txt", .media_type = "text/plain", .data = as_bytes(text)});
      !done) {
    return failed(done.error());
  }
  const auto done = writer->finish();
  return done ? 0 : failed(done.error());
}

int list(const std::string& path) {
  for (const bool thorough : {false, true}) {
    const auto reader = record::McapReader::open(path, {.thorough = thorough});
    if (!reader) return failed(reader.error());
    const auto& contents = reader->contents();
    fmt::print("whole {} messages {} attachments {} metadata {}\n", contents.whole, contents.statistics.messages,
               contents.attachments.size(), contents.metadata.size());
    for (const auto& problem : contents.problems) fmt::print("problem {}\n", problem.text);
    auto cursor = reader->messages();
    for (;;) {
      const auto next = cursor.next();
      if (!next) return failed(next.error());
      if (!*next) break;
      const auto& message = **next;
      fmt::print("{} {} {} {} {} {:08x}\n", contents.channels.at(message.channel).topic, message.sequence,
                 message.log_time, message.publish_time, message.data.size(), crc32(message.data));
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "write") return write(argv[2]);
  if (argc == 3 && std::string(argv[1]) == "list") return list(argv[2]);
  return 2;
}
