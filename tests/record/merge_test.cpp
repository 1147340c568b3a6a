// SPDX-License-Identifier: Apache-2.0
// Recordings of several hosts as one. The oracle is the world that the test makes: it knows when what happened, and
// writes each host's file by that host's clock.
#include "tandem/record/merge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/record/clock_match.hpp"
#include "tests/record/recording.hpp"

namespace tandem::record {

namespace {

constexpr std::uint64_t start = 1'700'000'000'000'000'000u;

std::string error_of(const Result<Merged>& merged) {
  REQUIRE_FALSE(merged);
  return merged.error().text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void write_file(const std::string& path, const std::vector<Kept>& messages, const std::string& host = "") {
  auto writer = McapWriter::create(path, {.chunk_bytes = 20000});
  REQUIRE(writer);
  for (const Kept& kept : messages) REQUIRE(write_kept(*writer, kept));
  if (!host.empty()) {
    REQUIRE(writer->metadata({"tandem", {{"tandem", "0.2.0"}, {"host", host}}}));
    const std::string note = "of " + host;
    REQUIRE(writer->attachment(
        {.log_time = start, .create_time = start, .name = "note", .media_type = "text/plain", .data = as_bytes(note)}));
  }
  REQUIRE(writer->finish());
}

// By a clock that is so far ahead.
std::vector<Kept> by_clock(std::vector<Kept> messages, std::int64_t ahead_ns) {
  for (Kept& kept : messages) {
    kept.log_time += static_cast<std::uint64_t>(ahead_ns);
    kept.publish_time += static_cast<std::uint64_t>(ahead_ns);
  }
  return messages;
}

ChannelInfo ros_channel(const std::string& topic, const std::string& direction, bool latched = false) {
  ChannelInfo info{.topic = topic,
                   .encoding = "cdr",
                   .schema_name = "geometry_msgs/msg/PoseStamped",
                   .schema_encoding = "ros2msg",
                   .schema = "int32 a"};
  if (!direction.empty()) info.metadata["direction"] = direction;
  info.metadata["offered_qos_profiles"] = latched ? "- durability: 1" : "- durability: 2";
  return info;
}

// Two hosts whose samples cross. `ahead`: clock of b minus clock of a at the start, s; it grows by `drift` each second.
struct Crossing {
  double ahead = 0, drift = 0, seconds = 60;
  double least = 0.0002, most = 0.003;  // delay of a sample, s
  bool forward = true, backward = true, third = false;
  bool latched_too = false;
  unsigned int seed = 1;
};

void write_crossing(const Crossing& world, const std::string& a, const std::string& b) {
  auto of_a = McapWriter::create(a), of_b = McapWriter::create(b);
  REQUIRE((of_a && of_b));
  std::mt19937 random(world.seed);
  std::uniform_real_distribution<double> delay(world.least, world.most);
  std::uint32_t number = 0;
  const auto put = [&](McapWriter& writer, const ChannelInfo& info, double at, bool by_b, std::uint32_t sample) {
    const double shown = by_b ? at + world.ahead + world.drift * at : at;
    const auto time = start + static_cast<std::uint64_t>(std::llround((shown + 1000) * 1e9));
    const std::string data = fmt::format("sample {:>20}", sample);
    const auto id = writer.channel(info);
    REQUIRE(id);
    REQUIRE(writer.message(
        {.channel = *id, .sequence = sample, .log_time = time, .publish_time = time, .data = as_bytes(data)}));
  };
  for (int i = 0; i < std::lround(world.seconds * 20); ++i) {
    const double at = i * 0.05;
    if (world.forward) {
      put(*of_a, ros_channel("/a/pose", "out"), at, false, ++number);
      put(*of_b, ros_channel("/a/pose", "in"), at + delay(random), true, number);
    }
    if (world.backward) {
      put(*of_b, ros_channel("/b/pose", "out"), at, true, ++number);
      put(*of_a, ros_channel("/b/pose", "in"), at + delay(random), false, number);
    }
    if (world.third) {
      put(*of_a, ros_channel("/c/pose", ""), at + delay(random), false, ++number);
      put(*of_b, ros_channel("/c/pose", ""), at + delay(random), true, number);
    }
  }
  if (world.latched_too)  // heard by a newcomer half an hour later: it must not count
    for (std::uint32_t i = 0; i < 200; ++i) {
      put(*of_a, ros_channel("/map", "out", true), 0, false, ++number);
      put(*of_b, ros_channel("/map", "in", true), 1800, true, number);
    }
  REQUIRE((of_a->finish() && of_b->finish()));
}

ClockMatch match_of(const Crossing& world) {
  const Folder folder;
  write_crossing(world, (folder / "a.mcap"), (folder / "b.mcap"));
  const auto a = McapReader::open((folder / "a.mcap")), b = McapReader::open((folder / "b.mcap"));
  REQUIRE((a && b));
  const auto match = match_clocks(*a, *b);
  REQUIRE(match);
  REQUIRE(*match);
  return **match;
}

}  // namespace

TEST_CASE("messages of two hosts are interleaved as they happened, for any offset of their clocks") {
  std::mt19937_64 random(20261118);
  for (const double ahead : {0.0, 12.5, -3600.0, 0.000123}) {
    CAPTURE(ahead);
    const Folder folder;
    auto truth = random_messages(random, 3000, 0);
    std::vector<Kept> of_a, of_b;
    for (Kept& kept : truth) {
      const bool mine = random() % 2 == 0;
      kept.topic = (mine ? "/a" : "/b") + kept.topic;
      (mine ? of_a : of_b).push_back(kept);
    }
    write_file((folder / "a.mcap"), of_a);
    write_file((folder / "b.mcap"), by_clock(of_b, std::llround(ahead * 1e9)));
    const auto merged = merge({{(folder / "a.mcap"), "a", 0}, {(folder / "b.mcap"), "b", ahead}}, (folder / "c.mcap"));
    REQUIRE_MESSAGE(merged, (merged ? "" : merged.error().text));
    CHECK(merged->messages == truth.size());
    CHECK(merged->renamed.empty());
    const auto reader = McapReader::open((folder / "c.mcap"), {.thorough = true});
    REQUIRE(reader);
    CHECK(reader->contents().whole);
    CHECK(read_all(*reader) == truth);
    // In the order of their times already in the file: nothing has to be sorted by who reads it.
    for (std::size_t i = 1; i < reader->contents().blocks.size(); ++i)
      CHECK(reader->contents().blocks[i - 1].end <= reader->contents().blocks[i].start);
  }
}

TEST_CASE("only a topic that an earlier file has is renamed, after the later file") {
  const Folder folder;
  const std::vector<Kept> both = {{"/odom", 1, start, start, "1"}, {"/only", 1, start + 5, start + 5, "x"}};
  const std::vector<Kept> theirs = {{"/odom", 1, start + 2, start + 2, "2"}, {"/theirs", 1, start + 3, start + 3, "y"}};
  write_file((folder / "a.mcap"), both, "a");
  write_file((folder / "b.mcap"), theirs, "b");
  const std::vector<MergeInput> inputs = {{(folder / "a.mcap"), "a", 0}, {(folder / "b.mcap"), "b", 0}};
  const auto merged = merge(inputs, (folder / "c.mcap"));
  REQUIRE(merged);
  REQUIRE(merged->renamed.size() == 1);
  CHECK(has(merged->renamed[0].first, "b.mcap: /odom"));
  CHECK(merged->renamed[0].second == "/b/odom");
  const auto reader = McapReader::open((folder / "c.mcap"));
  REQUIRE(reader);
  std::vector<std::string> topics;
  for (const Kept& kept : read_all(*reader)) topics.push_back(kept.topic + " " + kept.data);
  CHECK(topics == std::vector<std::string>{"/odom 1", "/b/odom 2", "/theirs y", "/only x"});
  // Metadata and attachments of both, the offsets, and no name twice.
  CHECK(reader->metadata("tandem")["host"] == "a");
  CHECK(reader->metadata("tandem.b")["host"] == "b");
  CHECK(reader->metadata("tandem.merge")["b.offset"] == "0.000000000 s");
  CHECK(reader->metadata("tandem.merge")["clock"] == "a");
  REQUIRE(reader->contents().attachments.size() == 2);
  CHECK(reader->contents().attachments[0].name == "note");
  CHECK(reader->contents().attachments[1].name == "b.note");

  const auto joined = merge(inputs, (folder / "d.mcap"), {.join = {"/odom"}});
  REQUIRE(joined);
  CHECK(joined->renamed.empty());
}

TEST_CASE("topics of different types are not joined, and a name that is taken is not taken twice") {
  const Folder folder;
  auto a = McapWriter::create((folder / "a.mcap")), b = McapWriter::create((folder / "b.mcap"));
  REQUIRE((a && b));
  const auto put = [](McapWriter& writer, const std::string& topic, const std::string& type) {
    const auto id = writer.channel(
        {.topic = topic, .encoding = "cdr", .schema_name = type, .schema_encoding = "ros2msg", .schema = "int32 x"});
    REQUIRE(
        (id && writer.message({.channel = *id, .log_time = start, .publish_time = start, .data = as_bytes("1234")})));
  };
  put(*a, "/x", "p/msg/One"), put(*a, "/b/x", "p/msg/One");
  put(*b, "/x", "p/msg/Two");
  REQUIRE((a->finish() && b->finish()));
  const std::vector<MergeInput> inputs = {{(folder / "a.mcap"), "a", 0}, {(folder / "b.mcap"), "b", 0}};
  const auto merged = merge(inputs, (folder / "c.mcap"));
  REQUIRE(merged);
  CHECK(merged->renamed[0].second == "/b/x_");
  CHECK(has(error_of(merge(inputs, (folder / "d.mcap"), {.join = {"/x"}})), "to join them, got another"));
  CHECK_FALSE(std::filesystem::exists((folder / "d.mcap")));
}

TEST_CASE("what cannot be merged is refused with its name, and leaves no file") {
  const Folder folder;
  std::mt19937_64 random(3);
  write_file((folder / "a.mcap"), random_messages(random, 800, 0));
  write_file((folder / "b.mcap"), random_messages(random, 800, 0));
  std::filesystem::copy_file((folder / "a.mcap"), (folder / "copy.mcap"));
  std::filesystem::create_symlink((folder / "a.mcap"), (folder / "link.mcap"));
  auto cut = file_bytes((folder / "a.mcap"));
  cut.resize(cut.size() / 2);
  write_bytes((folder / "cut.mcap"), cut);
  auto flipped = file_bytes((folder / "b.mcap"));
  flipped[flipped.size() / 3] ^= 0x55;
  write_bytes((folder / "flipped.mcap"), flipped);
  write_bytes((folder / "text.mcap"), as_bytes("no recording"));
  write_bytes((folder / "there.mcap"), as_bytes("keep me"));
  const std::string out = (folder / "out.mcap");
  const auto refused = [&](const std::string& other, double offset = 0) {
    const std::string text = error_of(merge({{(folder / "a.mcap"), "a", 0}, {(folder / other), "b", offset}}, out));
    CHECK_FALSE(std::filesystem::exists(out));
    return text;
  };
  CHECK(has(refused("a.mcap"), "got the same file twice"));
  CHECK(has(refused("link.mcap"), "got the same file twice"));
  CHECK(has(refused("copy.mcap"), "got a copy of"));
  CHECK(has(refused("cut.mcap"), "tandem repair"));
  CHECK(has(refused("flipped.mcap"), "flipped.mcap"));
  CHECK(has(refused("text.mcap"), "text.mcap"));
  CHECK(has(refused("none.mcap"), "none.mcap"));
  CHECK(has(refused("b.mcap", 1e10), "expected an offset of at most"));
  CHECK(has(refused("b.mcap", std::nan("")), "expected an offset of at most"));
  CHECK(has(refused("b.mcap", 9e8 * 2), "expected"));
  CHECK(has(error_of(merge({{(folder / "a.mcap"), "a", 0}}, out)), "expected two recordings or more"));
  CHECK(has(error_of(merge({{(folder / "a.mcap"), "a", 0}, {(folder / "b.mcap"), "b", 0}}, (folder / "there.mcap"))),
            "there.mcap"));
  CHECK(file_bytes((folder / "there.mcap")).size() == 7);
}

TEST_CASE("hosts get names of their own that topics can have") {
  CHECK(merge_names({"runs/cell1.mcap", "other/cell1.mcap", "2-b.mcap", ""}) ==
        std::vector<std::string>{"cell1", "cell1_2", "host_2_b", "host_"});
}

TEST_CASE("an offset from samples that crossed is within its uncertainty of the true one") {
  unsigned int seed = 1;
  for (const double ahead : {0.0, 0.25, -7200.5, 1e-4}) {
    CAPTURE(ahead);
    const ClockMatch both = match_of({.ahead = ahead, .seed = seed++});
    CHECK(both.evidence == ClockEvidence::both_ways);
    CHECK(both.samples == 2400);
    CHECK(std::abs(both.offset - ahead) <= both.uncertainty + 1e-6);
    CHECK(both.uncertainty < 0.0005);  // the fastest of 1200 samples took about 0.2 ms
    CHECK(both.drift == 0);

    const ClockMatch third =
        match_of({.ahead = ahead, .forward = false, .backward = false, .third = true, .seed = seed++});
    CHECK(third.evidence == ClockEvidence::third_party);
    CHECK(std::abs(third.offset - ahead) <= third.uncertainty);

    const ClockMatch one = match_of({.ahead = ahead, .backward = false, .seed = seed++});
    CHECK(one.evidence == ClockEvidence::one_way);
    CHECK(one.offset - ahead >= 0);  // by the delay of the fastest
    CHECK(one.offset - ahead < 0.0005);
  }
}

TEST_CASE("latched samples, which reach newcomers late, do not count") {
  const ClockMatch match = match_of({.ahead = 0.5, .backward = false, .latched_too = true, .seed = 40});
  CHECK(std::abs(match.offset - 0.5) < 0.001);
  CHECK(match.samples == 1200);
}

TEST_CASE("clocks that drift apart are noticed, and the offset is that of the middle") {
  const ClockMatch match = match_of({.ahead = 1, .drift = 50e-6, .seconds = 600, .seed = 50});
  CHECK(match.drift == doctest::Approx(50e-6).epsilon(0.05));
  CHECK(match.offset == doctest::Approx(1 + 50e-6 * 300).epsilon(0.001));
  CHECK(match.uncertainty > 0.014);  // at both ends it is off by 15 ms
}

TEST_CASE("of more samples than are kept a part is matched, the same one of both files") {
  const Folder folder;
  write_crossing({.ahead = 0.125, .seconds = 300, .seed = 60}, (folder / "a.mcap"), (folder / "b.mcap"));
  const auto a = McapReader::open((folder / "a.mcap")), b = McapReader::open((folder / "b.mcap"));
  REQUIRE((a && b));
  const auto match = match_clocks(*a, *b, {.most_samples = 500});
  REQUIRE((match && *match));
  CHECK((*match)->samples > 200);
  CHECK((*match)->samples <= 500);
  CHECK(std::abs((*match)->offset - 0.125) <= (*match)->uncertainty + 1e-6);
}

TEST_CASE("recordings without samples in common have no estimate") {
  const Folder folder;
  write_crossing({.backward = false, .seed = 70}, (folder / "a.mcap"), (folder / "unused.mcap"));
  std::mt19937_64 random(4);
  write_file((folder / "b.mcap"), random_messages(random, 100, 0));
  const auto a = McapReader::open((folder / "a.mcap")), b = McapReader::open((folder / "b.mcap"));
  REQUIRE((a && b));
  const auto match = match_clocks(*a, *b);
  REQUIRE(match);
  CHECK_FALSE(*match);
}

}  // namespace tandem::record
