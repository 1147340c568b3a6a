// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/recorder.hpp"

#include <sys/resource.h>

#include <csignal>
#include <limits>
#include <thread>

#include "tests/allocations.hpp"
#include "tests/deadline.hpp"
#include "tests/record/recording.hpp"

namespace tandem::record {
namespace {

UtcTime at_ns(std::int64_t ns) { return UtcTime(Duration(ns)); }

McapReader read_back(const std::string& path) {
  auto reader = McapReader::open(path, {.thorough = true});
  if (!reader) FAIL(reader.error().text);
  return std::move(*reader);
}

TEST_CASE("what many threads put is in the file in the order of each") {
  const Folder folder;
  constexpr std::uint32_t each = 2000;
  {
    Recorder recorder({.file = folder / "run.mcap", .metadata = {{"version", "7"}}, .chunk_bytes = 20000});
    std::vector<std::thread> threads;
    for (int who = 0; who < 3; ++who) {
      threads.emplace_back([&recorder, who] {
        const ChannelId id = recorder.channel(plain_channel("/t" + std::to_string(who)));
        for (std::uint32_t i = 0; i < each; ++i) {
          const std::string text = std::to_string(i);
          recorder.put(id, at_ns(1000 + i), at_ns(i), as_bytes("n="), as_bytes(text));
        }
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(recorder.channel(plain_channel("/t1")) == recorder.channel(plain_channel("/t1")));
    CHECK(recorder.counts().file == folder / "run.mcap");
  }
  const McapReader reader = read_back(folder / "run.mcap");
  CHECK(reader.contents().whole);
  CHECK(reader.metadata("tandem") == mcap::Map{{"version", "7"}});
  CHECK(reader.metadata("tandem_end").at("dropped") == "0");
  CHECK(reader.contents().statistics.messages == 3 * each);
  for (int who = 0; who < 3; ++who) {
    const auto kept = read_all(reader, {reader.channels_of("/t" + std::to_string(who))});
    REQUIRE(kept.size() == each);
    for (std::uint32_t i = 0; i < each; ++i) {
      REQUIRE(kept[i].sequence == i);
      REQUIRE(kept[i].data == "n=" + std::to_string(i));
      REQUIRE(kept[i].log_time == 1000 + i);
      REQUIRE(kept[i].publish_time == i);
    }
  }
}

TEST_CASE("an overloaded recorder drops and counts and says so in the file") {
  const Folder folder;
  constexpr std::uint64_t all = 20000;
  RecorderCounts counts;
  {
    Recorder recorder({.file = folder / "run.mcap", .ring_bytes = 4096});
    const ChannelId id = recorder.channel(plain_channel("/a"));
    const std::string data(200, 'x');
    for (std::uint64_t i = 0; i < all; ++i) recorder.put(id, at_ns(static_cast<std::int64_t>(i)), {}, as_bytes(data));
    const std::string too_large(5000, 'y');
    recorder.put(id, {}, {}, as_bytes(too_large));
    counts = recorder.counts();
  }
  CHECK(counts.dropped > 0);
  CHECK(counts.oversize == 1);
  CHECK(counts.trouble.find("/a: message too large to record") != std::string::npos);
  const McapReader reader = read_back(folder / "run.mcap");
  const auto kept = read_all(reader, {reader.channels_of("/a")});
  CHECK(kept.size() + counts.dropped == all + 1);
  for (const Kept& each : kept) REQUIRE(each.sequence == each.log_time);  // what is lost leaves a gap
  CHECK(reader.metadata("tandem_end").at("dropped") == std::to_string(counts.dropped));
  const auto drops = read_all(reader, {reader.channels_of("/tandem/drops")});
  REQUIRE_FALSE(drops.empty());
  CHECK(drops.back().data.find("\"all\":" + std::to_string(counts.dropped)) != std::string::npos);
  CHECK(drops.back().log_time <= all);  // on the clock of the messages
}

TEST_CASE("putting allocates nothing") {
  const Folder folder;
  Recorder recorder({.file = folder / "run.mcap"});
  const ChannelId id = recorder.channel(plain_channel("/a"));
  const std::string data(300, 'x');
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) recorder.put(id, at_ns(i), at_ns(i), as_bytes(data), as_bytes(data));
  recorder.put(0, at_ns(0), at_ns(0), as_bytes(data));
  CHECK(allocations == before);
}

TEST_CASE("a recorder takes another name where one is taken and begins the next file when one is large") {
  const Folder folder;
  write_bytes(folder / "run.mcap", as_bytes("mine"));
  {
    Recorder recorder({.file = folder / "run.mcap", .chunk_bytes = 2000, .largest_file = 6000});
    const ChannelId id = recorder.channel(plain_channel("/a"));
    std::mt19937_64 random(6);
    for (int i = 0; i < 100; ++i) {
      std::string data(200, '\0');
      for (char& c : data) c = static_cast<char>(random());
      recorder.put(id, at_ns(i), at_ns(i), as_bytes(data));
    }
  }
  CHECK(file_bytes(folder / "run.mcap").size() == 4);
  std::size_t messages = 0, files = 0;
  for (int number = 1; std::filesystem::exists(folder / ("run_" + std::to_string(number) + ".mcap")); ++number) {
    const McapReader reader = read_back(folder / ("run_" + std::to_string(number) + ".mcap"));
    CHECK(reader.contents().whole);
    CHECK(reader.contents().file_size < 9000);
    for (const Kept& each : read_all(reader)) CHECK(each.sequence == messages++);
    ++files;
  }
  CHECK(files >= 3);
  CHECK(messages == 100);
}

TEST_CASE("every file begins with the newest of what lasts") {
  const Folder folder;
  {
    Recorder recorder({.file = folder / "run.mcap", .chunk_bytes = 2000, .largest_file = 6000});
    ChannelInfo scene = plain_channel("/scene");
    scene.lasts = true;
    const ChannelId first = recorder.channel(scene), second = recorder.channel(plain_channel("/a"));
    recorder.put(first, at_ns(1), at_ns(1), as_bytes("old"));
    recorder.put(first, at_ns(2), at_ns(1), as_bytes("new"));
    ChannelInfo frames = plain_channel("/tf_static");
    frames.lasts = true;
    const ChannelId third = recorder.channel(frames);
    recorder.put(third, at_ns(3), at_ns(3), as_bytes("of the arm"), {}, 0);
    recorder.put(third, at_ns(4), at_ns(4), as_bytes("of the old camera"), {}, 1);
    recorder.put(third, at_ns(5), at_ns(5), as_bytes("of the camera"), {}, 1);
    std::mt19937_64 random(7);
    for (int i = 0; i < 100; ++i) {
      std::string data(200, '\0');
      for (char& c : data) c = static_cast<char>(random());
      recorder.put(second, at_ns(10 + i), at_ns(10 + i), as_bytes(data));
    }
  }
  std::uint64_t before = 0;
  int files = 0;
  for (std::string path = folder / "run.mcap"; std::filesystem::exists(path);
       path = folder / ("run_" + std::to_string(files) + ".mcap")) {
    const McapReader reader = read_back(path);
    const auto scenes = read_all(reader, {reader.channels_of("/scene")});
    REQUIRE(scenes.size() == (files == 0 ? 2 : 1));
    CHECK(scenes.back().data == "new");
    CHECK(scenes.back().publish_time == 1);
    CHECK(scenes.back().sequence == 1);
    const auto rest = read_all(reader, {reader.channels_of("/a")});
    if (files > 0) CHECK(scenes.back().log_time == before);  // no older than the file
    const auto frames = read_all(reader, {reader.channels_of("/tf_static")});
    REQUIRE(frames.size() == (files == 0 ? 3 : 2));
    CHECK(frames[0].data == "of the arm");
    CHECK(frames.back().data == "of the camera");
    before = rest.empty() ? before : rest.back().log_time;
    ++files;
  }
  CHECK(files >= 3);
}

TEST_CASE("a recorder without memory ends the recording and not the program") {
  const Folder folder;
  const std::string file = folder / "run.mcap";
  const std::string text(1000, 'x'), large(5'000'000, 'y');  // more than a chunk
  {
    Recorder recorder({.file = file, .flush = 20ms});
    const auto comes = [&](auto holds) {
      const Instant until = soon();
      while (!holds(recorder.counts()) && now() < until) std::this_thread::sleep_for(1ms);
      return holds(recorder.counts());
    };
    const ChannelId id = recorder.channel(plain_channel("/t"));
    recorder.put(id, at_ns(1), at_ns(1), as_bytes(text));
    REQUIRE(comes([](const RecorderCounts& counts) { return counts.messages == 1; }));
    largest_allocation = 1'000'000;
    recorder.put(id, at_ns(2), at_ns(2), as_bytes(large));
    const bool failed = comes([](const RecorderCounts& counts) { return counts.dropped > 0; });
    largest_allocation = std::numeric_limits<std::size_t>::max();
    CHECK(failed);
    for (int i = 0; i < 10; ++i) recorder.put(id, at_ns(3 + i), at_ns(3 + i), as_bytes(text));
    CHECK(comes([](const RecorderCounts& counts) { return counts.dropped == 11; }));
    CHECK(recorder.counts().trouble.find("out of memory") != std::string::npos);
  }
  const auto reader = McapReader::open(file);
  REQUIRE(reader);
  CHECK_FALSE(reader->contents().whole);
  CHECK(reader->contents().statistics.messages == 1);
}

TEST_CASE("messages that wait when memory runs out are counted as lost") {
  const Folder folder;
  const std::string large(5'000'000, 'y');
  Recorder recorder({.file = folder / "run.mcap", .flush = 1h});
  const ChannelId id = recorder.channel(plain_channel("/t"));
  for (int i = 0; i < 5; ++i) recorder.put(id, at_ns(i), at_ns(i), as_bytes("small"));
  largest_allocation = 1'000'000;
  recorder.put(id, at_ns(9), at_ns(9), as_bytes(large));
  const Instant until = soon();
  while (recorder.counts().dropped == 0 && now() < until) std::this_thread::sleep_for(1ms);
  largest_allocation = std::numeric_limits<std::size_t>::max();
  CHECK(recorder.finish().dropped == 6);
}

TEST_CASE("a channel on which nothing is said is told in every file when it is to be") {
  const Folder folder;
  {
    Recorder recorder({.file = folder / "run.mcap", .chunk_bytes = 2000, .largest_file = 6000});
    const ChannelId id = recorder.channel(plain_channel("/a"));
    recorder.put(id, at_ns(1), at_ns(1), as_bytes("before"));
    ChannelInfo silent = plain_channel("/silent");
    silent.silent = true;
    recorder.channel(silent);
    recorder.channel(plain_channel("/never"));
    std::mt19937_64 random(7);
    for (int i = 0; i < 100; ++i) {
      std::string data(200, '\0');
      for (char& c : data) c = static_cast<char>(random());
      recorder.put(id, at_ns(10 + i), at_ns(10 + i), as_bytes(data));
    }
  }
  int files = 0;
  for (std::string path = folder / "run.mcap"; std::filesystem::exists(path);
       path = folder / ("run_" + std::to_string(files) + ".mcap")) {
    const McapReader reader = read_back(path);
    CHECK(reader.contents().whole);
    if (reader.contents().statistics.messages > 0) CHECK(reader.channels_of("/silent").size() == 1);
    CHECK(reader.channels_of("/never").empty());
    ++files;
  }
  CHECK(files >= 3);
}

TEST_CASE("what the last chunk loses is in the counts of the end") {
  const Folder folder;
  Recorder recorder({.file = folder / "run.mcap", .flush = 1h});
  const ChannelId id = recorder.channel(plain_channel("/a"));
  for (int i = 0; i < 3; ++i) recorder.put(id, at_ns(i), at_ns(i), as_bytes("lost"));
  const TightDisk disk(recorder.counts().file_bytes);
  const RecorderCounts counts = recorder.finish();
  CHECK(counts.dropped == 3);
  CHECK(counts.messages == 0);
  CHECK(counts.trouble.find("run.mcap") != std::string::npos);
}

TEST_CASE("a full disk leaves no empty files behind when a next one is due") {
  const Folder folder;
  const auto files = [&] {
    std::vector<std::filesystem::path> paths;
    for (const auto& each : std::filesystem::directory_iterator(folder.path())) paths.push_back(each.path());
    return paths;
  };
  std::mt19937_64 random(9);
  std::string data(2000, '\0');
  for (char& c : data) c = static_cast<char>(random());
  Recorder recorder({.file = folder / "run.mcap", .flush = 5ms, .largest_file = 3000});
  const ChannelId id = recorder.channel(plain_channel("/a"));
  const Instant end = soon();
  {
    const TightDisk disk(10);
    // Until there is no file to write into, and for a while after.
    int after = 0;
    while (after < 100 && now() < end) {
      recorder.put(id, at_ns(1), at_ns(1), as_bytes(data));
      std::this_thread::sleep_for(2ms);
      if (recorder.counts().trouble.find("_1.mcap") != std::string::npos) ++after;
    }
    CHECK(after == 100);
    CHECK(files().size() <= 2);  // one may just be tried
  }
  while (!recorder.counts().trouble.empty() && now() < end) {
    recorder.put(id, at_ns(2), at_ns(2), as_bytes(data));
    std::this_thread::sleep_for(2ms);
  }
  recorder.put(id, at_ns(3), at_ns(3), as_bytes(data));
  CHECK(recorder.finish().trouble.empty());
  CHECK(std::filesystem::exists(folder / "run_1.mcap"));
  for (const auto& path : files()) CHECK(std::filesystem::file_size(path) > 0);
}

TEST_CASE("a recorder that cannot make its file says so at once") {
  CHECK_THROWS_AS(Recorder({.file = "/nowhere/at/all/run.mcap"}), std::runtime_error);
}

TEST_CASE("a full disk is told and counted and recording goes on when there is room") {
  const Folder folder;
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  std::uint64_t dropped = 0;
  {
    Recorder recorder({.file = folder / "run.mcap", .flush = 5ms});
    const ChannelId id = recorder.channel(plain_channel("/a"));
    rlimit tight = before;
    tight.rlim_cur = 200;
    ::setrlimit(RLIMIT_FSIZE, &tight);
    std::mt19937_64 random(8);
    std::string data(2000, '\0');
    for (char& c : data) c = static_cast<char>(random());
    const Instant end = soon();
    while (recorder.counts().trouble.empty() && now() < end) {
      recorder.put(id, at_ns(1), at_ns(1), as_bytes(data));
      std::this_thread::sleep_for(2ms);
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    const RecorderCounts counts = recorder.counts();
    CHECK(counts.trouble.find("run.mcap") != std::string::npos);
    while (!recorder.counts().trouble.empty() && now() < end) {
      recorder.put(id, at_ns(2), at_ns(2), as_bytes(data));
      std::this_thread::sleep_for(2ms);
    }
    dropped = recorder.counts().dropped;
    CHECK(dropped > 0);
    CHECK(recorder.counts().trouble.empty());
  }
  std::signal(SIGXFSZ, old);
  const McapReader reader = read_back(folder / "run.mcap");
  CHECK(reader.contents().whole);
  const auto kept = read_all(reader, {reader.channels_of("/a")});
  REQUIRE_FALSE(kept.empty());
  CHECK(kept.back().log_time == 2);
  CHECK_FALSE(read_all(reader, {reader.channels_of("/tandem/drops")}).empty());
}

}  // namespace
}  // namespace tandem::record
