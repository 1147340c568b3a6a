// SPDX-License-Identifier: Apache-2.0
#include "tests/record/recording.hpp"

namespace tandem::record {
namespace {

McapWriter made(const std::string& path, const WriterOptions& options = {}) {
  auto writer = McapWriter::create(path, options);
  REQUIRE(writer.ok());
  return std::move(*writer);
}

McapReader opened(const std::string& path, const ReadOptions& options = {}) {
  auto reader = McapReader::open(path, options);
  if (!reader) FAIL(reader.error().text);
  return std::move(*reader);
}

TEST_CASE("a recording comes back as it was put with and without its summary") {
  const Folder folder;
  std::mt19937_64 random(1);
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    const std::uint64_t disorder = round % 3 == 0 ? 0 : 50'000'000;
    auto messages = random_messages(random, 1 + random() % 400, disorder);
    const std::string path = folder / ("r" + std::to_string(round) + ".mcap");
    McapWriter writer = made(
        path, {.profile = "p", .library = "l", .compressed = round % 2 == 0, .chunk_bytes = 1u << (8 + random() % 10)});
    for (const Kept& each : messages) REQUIRE(write_kept(writer, each).ok());
    REQUIRE(writer.finish().ok());
    CHECK(writer.size() == std::filesystem::file_size(path));
    sort_by_time(messages);
    for (const bool thorough : {false, true}) {
      CAPTURE(thorough);
      const McapReader reader = opened(path, {.thorough = thorough});
      const Contents& contents = reader.contents();
      CHECK(contents.whole);
      CHECK(contents.indexed != thorough);
      CHECK(contents.problems.empty());
      CHECK(contents.header.profile == "p");
      CHECK(contents.statistics.messages == messages.size());
      CHECK(contents.statistics.start == messages.front().log_time);
      CHECK(contents.statistics.end == messages.back().log_time);
      CHECK(read_all(reader) == messages);
    }
  }
}

TEST_CASE("chunks that hardly shrink are left alone for a while and read back like all others") {
  const Folder folder;
  std::mt19937_64 random(3);
  constexpr std::size_t size = 4096;
  constexpr int noisy = 5, all = 2 * Compressor::chunks_left_alone;  // one message is one chunk
  McapWriter writer = made(folder / "a.mcap", {.chunk_bytes = 1});
  std::vector<Kept> messages;
  std::vector<std::uint64_t> stored;  // bytes of each chunk
  for (int i = 0; i < all; ++i) {
    std::string data(size, 'x');
    for (char& c : data) c = i < noisy ? static_cast<char>(random()) : c;
    messages.push_back({"/a", static_cast<std::uint32_t>(i), static_cast<std::uint64_t>(i + 1), 0, data});
    const std::uint64_t before = writer.size();
    REQUIRE(write_kept(writer, messages.back()).ok());
    stored.push_back(writer.size() - before);
  }
  REQUIRE(writer.finish().ok());
  for (int i = 0; i <= Compressor::chunks_left_alone; ++i) CHECK(stored[static_cast<std::size_t>(i)] >= size);
  for (int i = Compressor::chunks_left_alone + 1; i < all; ++i) CHECK(stored[static_cast<std::size_t>(i)] < size / 8);
  for (const bool thorough : {false, true}) {
    const McapReader reader = opened(folder / "a.mcap", {.thorough = thorough});
    CHECK(reader.contents().whole);
    CHECK(reader.contents().problems.empty());
    CHECK(read_all(reader) == messages);
  }
}

TEST_CASE("channels keep their schema and metadata and are the same when they are made twice") {
  const Folder folder;
  McapWriter writer = made(folder / "a.mcap");
  ChannelInfo bare{
      .topic = "/bare", .encoding = "x", .schema_name = {}, .schema_encoding = {}, .schema = {}, .metadata = {}};
  const auto a = writer.channel(plain_channel("/a")), again = writer.channel(plain_channel("/a")),
             b = writer.channel(bare);
  REQUIRE((a.ok() && again.ok() && b.ok()));
  CHECK(*a == *again);
  CHECK(*a != *b);
  REQUIRE(writer.message({.channel = *a, .data = {}}).ok());
  REQUIRE(writer.message({.channel = *b, .data = {}}).ok());
  CHECK_FALSE(writer.message({.channel = 9, .data = {}}).ok());
  REQUIRE(writer.finish().ok());
  const McapReader reader = opened(folder / "a.mcap");
  REQUIRE(reader.contents().channels.size() == 2);
  const mcap::Channel& first = reader.contents().channels.at(*a);
  CHECK(first.metadata == mcap::Map{{"of", "/a"}});
  REQUIRE(reader.schema(first) != nullptr);
  CHECK(reader.schema(first)->name == "test./a");
  CHECK(reader.schema(reader.contents().channels.at(*b)) == nullptr);
  CHECK(reader.channels_of("/bare") == std::set<std::uint16_t>{*b});
}

TEST_CASE("messages of chosen channels and times are found") {
  const Folder folder;
  std::mt19937_64 random(2);
  auto messages = random_messages(random, 500, 20'000'000);
  McapWriter writer = made(folder / "a.mcap", {.chunk_bytes = 4096});
  for (const Kept& each : messages) REQUIRE(write_kept(writer, each).ok());
  REQUIRE(writer.finish().ok());
  sort_by_time(messages);
  const McapReader reader = opened(folder / "a.mcap");
  for (int round = 0; round < 30; ++round) {
    const std::string topic = "/t" + std::to_string(random() % 5);
    const std::uint64_t from = messages[random() % 500].log_time, to = from + random() % 200'000'000;
    std::vector<Kept> expected;
    for (const Kept& each : messages) {
      if (each.topic == topic && each.log_time >= from && each.log_time <= to) expected.push_back(each);
    }
    CHECK(read_all(reader, {reader.channels_of(topic), from, to}) == expected);
  }
}

TEST_CASE("chunks whose times overlap are read in the order of time") {
  const Folder folder;
  McapWriter writer = made(folder / "a.mcap");
  std::vector<Kept> messages;
  const std::vector<std::vector<std::uint64_t>> chunks = {{10, 40, 70}, {20, 50, 10}, {90, 15}, {200}, {60, 61}};
  for (const auto& times : chunks) {
    for (const std::uint64_t time : times) {
      messages.push_back({"/a", static_cast<std::uint32_t>(messages.size()), time, time, "x"});
      REQUIRE(write_kept(writer, messages.back()).ok());
    }
    REQUIRE(writer.flush().ok());
  }
  REQUIRE(writer.finish().ok());
  sort_by_time(messages);
  CHECK(read_all(opened(folder / "a.mcap")) == messages);
  const McapReader strict = opened(folder / "a.mcap", {.limits = {.open = 40}});
  std::size_t errors = 0;
  CHECK(read_all(strict, {}, &errors).size() < messages.size());
  CHECK(errors == 1);
}

TEST_CASE("attachments and metadata come back") {
  const Folder folder;
  McapWriter writer = made(folder / "a.mcap");
  REQUIRE(write_kept(writer, {"/a", 0, 5, 5, "hello"}).ok());
  const std::string picture(5000, 'p');
  REQUIRE(writer
              .attachment({.log_time = 7,
                           .create_time = 8,
                           .name = "model.xml",
                           .media_type = "text/xml",
                           .data = as_bytes(picture)})
              .ok());
  REQUIRE(writer.metadata({"tandem", {{"version", "1"}, {"host", "lab"}}}).ok());
  REQUIRE(writer.metadata({"tandem", {{"version", "2"}}}).ok());
  REQUIRE(write_kept(writer, {"/a", 1, 6, 6, "again"}).ok());
  REQUIRE(writer.finish().ok());
  for (const bool thorough : {false, true}) {
    const McapReader reader = opened(folder / "a.mcap", {.thorough = thorough});
    CHECK(reader.contents().whole);
    REQUIRE(reader.contents().attachments.size() == 1);
    std::vector<std::uint8_t> data;
    const auto attachment = reader.attachment(reader.contents().attachments.front(), data);
    REQUIRE(attachment.ok());
    CHECK(attachment->name == "model.xml");
    CHECK(attachment->create_time == 8);
    CHECK(std::string(data.begin(), data.end()) == picture);
    CHECK(reader.metadata("tandem") == mcap::Map{{"version", "2"}, {"host", "lab"}});
    CHECK(read_all(reader).size() == 2);
  }
}

TEST_CASE("a file that exists is never written over") {
  const Folder folder;
  write_bytes(folder / "a.mcap", as_bytes("mine"));
  const auto writer = McapWriter::create(folder / "a.mcap");
  REQUIRE_FALSE(writer.ok());
  CHECK(writer.error().fault == Fault::busy);
  CHECK(writer.error().text.find("a.mcap") != std::string::npos);
  CHECK(file_bytes(folder / "a.mcap").size() == 4);
}

TEST_CASE("an empty recording is whole") {
  const Folder folder;
  McapWriter writer = made(folder / "a.mcap");
  REQUIRE(writer.finish().ok());
  const McapReader reader = opened(folder / "a.mcap");
  CHECK(reader.contents().whole);
  CHECK(read_all(reader).empty());
}

}  // namespace
}  // namespace tandem::record
