// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/black_box.hpp"

#include <set>
#include <thread>

#include "tandem/record/recorder.hpp"
#include "tests/allocations.hpp"
#include "tests/deadline.hpp"
#include "tests/record/recording.hpp"

namespace tandem::record {
namespace {

using Stage = WrittenFile::Stage;

constexpr std::int64_t second = 1'000'000'000;

UtcTime log_at(std::int64_t ns) { return UtcTime(Duration(ns)); }

template <typename Holds>
bool comes(Holds holds) {
  const Instant until = soon();
  while (!holds() && now() < until) std::this_thread::sleep_for(1ms);
  return holds();
}

McapReader whole_file(const std::string& path) {
  auto reader = McapReader::open(path, {.thorough = true});
  if (!reader) FAIL(reader.error().text);
  CHECK(reader->contents().whole);
  CHECK(reader->contents().problems.empty());
  return std::move(*reader);
}

std::string noise(std::mt19937_64& random, std::size_t size) {
  std::string data(size, '\0');
  for (char& c : data) c = static_cast<char>(random());
  return data;
}

// The file of what is kept now, ended.
McapReader written_now(BlackBox& box, const std::string& path) {
  const auto file = box.write(path, {{"cause", "snapshot"}}, 0s);
  REQUIRE(comes([&] { return file->state().stage == Stage::whole; }));
  CHECK(file->state().trouble.empty());
  return whole_file(path);
}

TEST_CASE("a black box keeps its time and no more and the file misses nothing of it") {
  const Folder folder;
  BlackBox box({.keep = 60s, .chunk_bytes = 4000});
  const ChannelId first = box.channel(plain_channel("/a")), other = box.channel(plain_channel("/b"));
  constexpr std::int64_t all = 30000, every = second / 100;  // five minutes by their log times
  for (std::int64_t i = 0; i < all; ++i) {
    box.put(first, log_at(i * every), log_at(i), as_bytes(std::to_string(i)));
    if (i % 10 == 0) box.put(other, log_at(i * every), log_at(i), as_bytes("tenth"));
  }
  REQUIRE(comes([&] { return box.counts().seconds >= 60; }));
  const McapReader reader = written_now(box, folder / "event.mcap");
  const auto kept = read_all(reader, {reader.channels_of("/a")});
  REQUIRE_FALSE(kept.empty());
  CHECK(kept.back().sequence == all - 1);
  // A chunk of 4 kB holds less than two seconds of these.
  const auto span = kept.back().log_time - kept.front().log_time;
  CHECK(span >= 60 * second);
  CHECK(span <= 62 * second);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::uint32_t number = kept.front().sequence + static_cast<std::uint32_t>(i);
    REQUIRE(kept[i].sequence == number);
    REQUIRE(kept[i].data == std::to_string(number));
    REQUIRE(kept[i].log_time == number * static_cast<std::uint64_t>(every));
    REQUIRE(kept[i].publish_time == number);
  }
  const auto tenth = read_all(reader, {reader.channels_of("/b")}).size();
  CHECK(std::abs(static_cast<double>(tenth) - static_cast<double>(kept.size()) / 10) <= 1);
  CHECK(reader.metadata("tandem_incident") == mcap::Map{{"cause", "snapshot"}});
  CHECK(reader.metadata("tandem_end").at("dropped") == "0");
}

TEST_CASE("a black box keeps within its bytes and gives up the oldest") {
  const Folder folder;
  constexpr std::size_t most = 300'000, chunk = 20'000;
  BlackBox box({.keep = 1h, .bytes = most, .chunk_bytes = chunk});
  const ChannelId id = box.channel(plain_channel("/a"));
  std::mt19937_64 random(4);
  constexpr std::int64_t all = 3000;
  for (std::int64_t i = 0; i < all; ++i) {
    box.put(id, log_at(i), log_at(i), as_bytes(noise(random, 1000)));
    CHECK(box.counts().bytes <= most + 2 * chunk);  // with the chunk that is open
  }
  const McapReader reader = written_now(box, folder / "event.mcap");
  const auto kept = read_all(reader);
  REQUIRE(kept.size() * 1000 >= most - 3 * chunk);
  CHECK(kept.size() * 1000 <= most + 2 * chunk);
  CHECK(kept.back().sequence == all - 1);
  for (std::size_t i = 0; i < kept.size(); ++i) REQUIRE(kept[i].sequence == kept.front().sequence + i);
}

TEST_CASE("nothing is missing of what many threads put before and after an event") {
  const Folder folder;
  BlackBox box({.chunk_bytes = 8000});
  std::atomic<bool> over{false};
  std::array<std::uint32_t, 3> counts{};
  std::vector<std::thread> threads;
  for (std::size_t who = 0; who < counts.size(); ++who) {
    threads.emplace_back([&, who] {
      const ChannelId id = box.channel(plain_channel("/t" + std::to_string(who)));
      for (; !over; ++counts[who]) {
        const UtcTime time = system_clock().utc();
        box.put(id, time, time, as_bytes(std::to_string(counts[who])));
        std::this_thread::sleep_for(200us);
      }
    });
  }
  REQUIRE(comes([&] { return box.counts().messages > 500; }));
  const auto file = box.write(folder / "event.mcap", {}, 1h);
  REQUIRE(comes([&] { return file->state().stage == Stage::open; }));
  const std::uint64_t before = file->state().bytes;
  REQUIRE(comes([&] { return file->state().bytes > before + 2000; }));
  over = true;
  for (auto& thread : threads) thread.join();
  box.finish();
  const McapReader reader = whole_file(folder / "event.mcap");
  for (std::size_t who = 0; who < counts.size(); ++who) {
    const auto kept = read_all(reader, {reader.channels_of("/t" + std::to_string(who))});
    REQUIRE(kept.size() == counts[who]);
    for (std::uint32_t i = 0; i < counts[who]; ++i) {
      REQUIRE(kept[i].sequence == i);
      REQUIRE(kept[i].data == std::to_string(i));
    }
  }
}

TEST_CASE("a file begins with the newest of what lasts however old it is") {
  const Folder folder;
  BlackBox box({.keep = 10s, .chunk_bytes = 2000});
  ChannelInfo lasting = plain_channel("/scene"), silent = plain_channel("/silent");
  lasting.lasts = silent.silent = true;
  const ChannelId scene = box.channel(lasting), id = box.channel(plain_channel("/a"));
  box.channel(silent);
  box.channel(plain_channel("/never"));
  box.put(scene, log_at(1), log_at(1), as_bytes("old"));
  box.put(scene, log_at(2), log_at(2), as_bytes("of one"));
  box.put(scene, log_at(3), log_at(3), as_bytes("of another"), {}, 1);
  for (std::int64_t i = 0; i < 10000; ++i) {
    box.put(id, log_at(i * second / 100), {}, as_bytes("filling"));
    if (i == 9900) box.put(scene, log_at(i * second / 100), {}, as_bytes("new of one"));
  }
  const McapReader reader = written_now(box, folder / "event.mcap");
  const auto first = read_all(reader, {reader.channels_of("/a")}).front().log_time;
  CHECK(first > 80 * second);
  const auto kept = read_all(reader, {reader.channels_of("/scene")});
  REQUIRE(kept.size() == 3);
  const std::set<std::string> begin = {kept[0].data, kept[1].data};
  CHECK(begin == std::set<std::string>{"of one", "of another"});
  CHECK(kept[0].log_time == first);  // no older than the file
  CHECK(kept[1].log_time == first);
  CHECK(kept[2].data == "new of one");
  CHECK(reader.channels_of("/silent").size() == 1);
  CHECK(reader.channels_of("/never").empty());
}

TEST_CASE("a second event makes the file longer as far as it may be") {
  const Folder folder;
  BlackBox box({.longest_after = 1h, .look = 1ms});
  const ChannelId id = box.channel(plain_channel("/a"));
  CHECK_FALSE(box.extend(1h));  // nothing is being written
  box.put(id, log_at(1), log_at(1), as_bytes("before"));
  const auto file = box.write(folder / "event.mcap", {}, 30min);
  REQUIRE(box.extend(10h));
  box.put(id, log_at(2), log_at(2), as_bytes("after"));
  CHECK(box.extend(0s));  // never shorter
  REQUIRE(comes([&] { return file->state().stage == Stage::open; }));
  CHECK(file->state().stage == Stage::open);
  box.finish();
  CHECK(read_all(whole_file(folder / "event.mcap")).size() == 2);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("an event after a file is ended begins another with the same minute in it") {
  const Folder folder;
  BlackBox box({.look = 1ms});
  const ChannelId id = box.channel(plain_channel("/a"));
  box.put(id, log_at(1), log_at(1), as_bytes("first"));
  CHECK(read_all(written_now(box, folder / "one.mcap")).size() == 1);
  CHECK_FALSE(box.extend(1h));
  box.put(id, log_at(2), log_at(2), as_bytes("second"));
  CHECK(read_all(written_now(box, folder / "two.mcap")).size() == 2);
}

TEST_CASE("a file that cannot be made is named and disturbs nothing") {
  const Folder folder;
  BlackBox box({.look = 1ms});
  const ChannelId id = box.channel(plain_channel("/a"));
  box.put(id, log_at(1), log_at(1), as_bytes("kept"));
  const auto failed = box.write(folder / "no/such/folder.mcap", {}, 1h);
  REQUIRE(comes([&] { return failed->state().stage == Stage::failed; }));
  CHECK(failed->state().trouble.find("no/such/folder.mcap") != std::string::npos);
  CHECK_FALSE(box.extend(1h));
  CHECK(read_all(written_now(box, folder / "event.mcap")).size() == 1);
}

TEST_CASE("a full disk is told and what fits can be read") {
  const Folder folder;
  std::mt19937_64 random(5);
  BlackBox box({.chunk_bytes = 10'000, .look = 1ms});
  const ChannelId id = box.channel(plain_channel("/a"));
  for (int i = 0; i < 100; ++i) box.put(id, log_at(i), log_at(i), as_bytes(noise(random, 1000)));
  REQUIRE(comes([&] { return box.counts().messages == 100; }));
  const TightDisk disk(50'000);
  const auto file = box.write(folder / "event.mcap", {}, 0s);
  REQUIRE(comes([&] { return file->state().stage == Stage::whole; }));
  CHECK(file->state().trouble.find("event.mcap") != std::string::npos);
  const auto reader = McapReader::open(folder / "event.mcap");
  REQUIRE(reader);
  const auto kept = read_all(*reader);
  CHECK(kept.size() >= 20);
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(kept[i].sequence == i);
  CHECK(box.counts().messages == 100);  // still in memory
}

TEST_CASE("putting into a black box does not allocate") {
  BlackBox box({});
  const ChannelId id = box.channel(plain_channel("/a"));
  const std::string data(100, 'x'), large(100'000, 'x');
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) box.put(id, log_at(i), log_at(i), as_bytes(data), as_bytes(data));
  box.put(id, log_at(1), log_at(1), as_bytes(large));
  CHECK(allocations == before);
}

TEST_CASE("large messages are thinned where others may be and leave no gaps") {
  const Folder folder;
  BlackBox box({.large = 1000, .large_every = 1s});
  ChannelInfo complete = plain_channel("/field"), lasting = plain_channel("/map");
  complete.complete = lasting.lasts = true;
  const std::array<ChannelId, 3> ids = {box.channel(plain_channel("/image")), box.channel(complete),
                                        box.channel(lasting)};
  const std::string large(2000, 'x');
  for (int i = 0; i < 100; ++i)  // ten seconds
    for (const ChannelId id : ids) box.put(id, log_at(i * second / 10), {}, as_bytes(large));
  const McapReader reader = written_now(box, folder / "event.mcap");
  const auto images = read_all(reader, {reader.channels_of("/image")});
  REQUIRE(images.size() == 10);
  for (std::size_t i = 0; i < images.size(); ++i) {
    CHECK(images[i].sequence == i);
    CHECK(images[i].log_time == i * second);
  }
  CHECK(read_all(reader, {reader.channels_of("/field")}).size() == 100);
  CHECK(read_all(reader, {reader.channels_of("/map")}).size() == 100);
}

TEST_CASE("a connection that was opened before the window begins the file without a gap") {
  const Folder folder;
  BlackBoxOptions options{.keep = 10s, .chunk_bytes = 2000};
  options.restamp = [](std::span<std::uint8_t> data, std::uint64_t time) { std::memcpy(data.data(), &time, 8); };
  BlackBox box(std::move(options));
  ChannelInfo info = plain_channel("/field");
  info.complete = true;
  const ChannelId id = box.channel(info);
  const auto put = [&](std::int64_t ns, std::uint16_t connection, Part part, const std::string& text) {
    const auto time = static_cast<std::uint64_t>(ns);
    std::string data(8, '\0');
    std::memcpy(data.data(), &time, 8);
    box.put(id, log_at(ns), log_at(ns), as_bytes(data), as_bytes(text), connection, part);
  };
  put(1, 1, Part::begins, "open 1");
  put(2, 1, Part::asks, "hello 1");
  put(3, 2, Part::begins, "open 2");
  put(4, 1, Part::continues, "welcome 1");
  put(5, 2, Part::ends, "close 2");  // long before the window
  const std::string exchange(700, 'x');
  for (std::int64_t i = 1; i < 3000; ++i) {
    put(i * second / 50, 1, Part::asks, "q" + exchange);
    put(i * second / 50 + 1, 1, Part::continues, "a" + exchange);
  }
  const McapReader reader = written_now(box, folder / "event.mcap");
  const auto kept = read_all(reader);
  REQUIRE(kept.size() > 100);
  CHECK(kept[0].data.substr(8) == "open 1");
  CHECK(kept[1].data.substr(8) == "hello 1");
  CHECK(kept[2].data.substr(8) == "welcome 1");
  std::size_t beginning = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    REQUIRE(kept[i].sequence == kept[0].sequence + i);
    CHECK(kept[i].data.find(" 2") == std::string::npos);
    std::uint64_t stamp = 0;
    std::memcpy(&stamp, kept[i].data.data(), 8);
    CHECK(stamp == kept[i].log_time);
    if (kept[i].log_time == kept[0].log_time) ++beginning;
  }
  CHECK(kept[0].log_time > 45 * second);
  CHECK(beginning * 700 > 60'000);  // 64 KiB of it
  CHECK(beginning * 700 < 70'000);
  CHECK(kept[beginning - 1].data[8] == 'a');  // nothing is left unanswered
}

TEST_CASE("a channel means the same on both sides of a tee") {
  const Folder folder;
  {
    Recorder recorder({.file = folder / "run.mcap"});
    BlackBox box({});
    Tee both(recorder, box);
    const ChannelId first = both.channel(plain_channel("/a")), alone = both.second_only().channel(plain_channel("/b"));
    both.put(first, log_at(1), log_at(1), as_bytes("both"));
    both.second_only().put(alone, log_at(2), log_at(2), as_bytes("box"));
    both.put(first, log_at(3), log_at(3), as_bytes("both"));
    const McapReader reader = written_now(box, folder / "event.mcap");
    CHECK(read_all(reader, {reader.channels_of("/a")}).size() == 2);
    CHECK(read_all(reader, {reader.channels_of("/b")}).size() == 1);
  }
  const McapReader reader = whole_file(folder / "run.mcap");
  CHECK(read_all(reader).size() == 2);
  CHECK(reader.channels_of("/b").empty());
}

}  // namespace
}  // namespace tandem::record
