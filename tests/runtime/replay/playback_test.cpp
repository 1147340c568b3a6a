// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/playback.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "tandem/record/recorder.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/ros2/types/type_support.hpp"
#include "tandem/runtime/recording/recorded_qos.hpp"
#include "tandem/runtime/recording/recorded_topics.hpp"
#include "tandem/runtime/replay/show.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/web/hub/foxglove_client.hpp"
#include "tests/web/server/server_rig.hpp"

namespace tandem::runtime {
namespace {

constexpr Instant begin{1h};
constexpr std::uint64_t first_ns = 5'000'000'000, ms_ns = 1'000'000;

// "/numbers" with 0 to 99, one each 10 ms; "/tandem/scene" once at the start and once in the middle;
// "/order", heard; "/cmd_vel", as `tandem record` writes it.
class PlayedFile {
 public:
  PlayedFile() {
    std::filesystem::create_directory(folder_);
    record::RecorderOptions options;
    options.file = path();
    record::Recorder recorder(options);
    const auto topic = [&](const std::string& name, const std::string& direction) {
      record::ChannelInfo info{name, "cdr", "std_msgs/msg/Int64", "ros2msg", "int64 data\n", {}};
      info.metadata["topic_type_hash"] = ros2::type_support<ros2::std_msgs::Int64>().hash;
      info.metadata["offered_qos_profiles"] = "- reliability: 1\n  durability: 1\n";
      if (!direction.empty()) info.metadata["direction"] = direction;
      return recorder.channel(info);
    };
    const auto numbers = topic("/numbers", "out"), orders = topic("/order", "in");
    const auto velocities = topic("/cmd_vel", "");
    const auto scene = recorder.channel({"/tandem/scene", "json", "tandem/scene", "jsonschema", "{}", {}});
    const auto at = [](std::uint64_t ms) {
      return UtcTime(Duration(static_cast<std::int64_t>(first_ns + ms * ms_ns)));
    };
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < 100; ++i) {
      const auto time = at(static_cast<std::uint64_t>(i) * 10);
      if (i == 0) recorder.put(scene, time, time, as_bytes("{\"a\":1}"));
      if (i == 50) recorder.put(scene, time, time, as_bytes("{\"a\":2}"));
      ros2::encode(ros2::std_msgs::Int64{i}, bytes);
      recorder.put(numbers, time, time, bytes);
      recorder.put(orders, time, time, bytes);
      recorder.put(velocities, time, time, bytes);
    }
  }
  ~PlayedFile() { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "played.mcap").string(); }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tandem-playback-" + std::to_string(getpid()));
};

// With its first and last time.
auto opened(const std::string& path) {
  auto reader = record::McapReader::open(path);
  REQUIRE(reader);
  auto range = playback_range(*reader);
  REQUIRE(range);
  return std::pair(std::move(reader), range);
}

}  // namespace

TEST_CASE("the time of a playback runs and pauses and jumps") {
  PlaybackClock clock({1000, 1000 + 10'000'000'000}, 2, false, begin);
  CHECK(clock.stand(begin).time == 1000);
  CHECK(clock.stand(begin + 1s).time == 1000 + 2'000'000'000);
  clock.play(false, begin + 1s);
  CHECK(clock.stand(begin + 9s).time == 1000 + 2'000'000'000);
  CHECK(!clock.stand(begin + 9s).playing);
  clock.play(true, begin + 9s);
  clock.run_at(1, begin + 9s);
  CHECK(clock.stand(begin + 10s).time == 1000 + 3'000'000'000);
  clock.seek(50, begin + 10s);  // before its start
  CHECK(clock.stand(begin + 10s).time == 1000);
  CHECK(clock.stand(begin + 10s).jumps == 1);
  const auto end = clock.stand(begin + 60s);
  CHECK(end.ended);
  CHECK(!end.playing);
  CHECK(end.time == clock.range().end);
  clock.seek(1000 + 9'000'000'000, begin + 70s);
  clock.play(true, begin + 70s);
  CHECK(clock.stand(begin + 70s + 500ms).time == 1000 + 9'500'000'000);

  PlaybackClock endless({0, 1'000'000'000}, 1, true, begin);
  CHECK(endless.stand(begin + 1s).time == 1'000'000'000);
  const auto again = endless.stand(begin + 1s + 250ms);
  CHECK(again.time == 250'000'000);
  CHECK(again.rounds == 1);
  CHECK(again.jumps == 0);
  CHECK(again.playing);
  CHECK(endless.stand(begin + 1s).rounds == 0);  // looking changes nothing
  CHECK(endless.stand(begin + 7s + 1ms).rounds == 7);
  endless.play(false, begin + 2s + 100ms);
  CHECK(endless.stand(begin + 9s).rounds == 2);
  CHECK(endless.stand(begin + 9s).time == 100'000'000);
  endless.play(true, begin + 9s);
  CHECK(endless.stand(begin + 10s).rounds == 3);
  CHECK(endless.stand(begin + 10s).time == 100'000'000);
}

TEST_CASE("all who follow an endless playback have every round from its first message to its last") {
  const PlayedFile file;
  auto [reader, range] = opened(file.path());
  PlaybackClock clock(*range, 1, true, begin);
  struct Follower {
    Follower(const record::McapReader& reader, Duration its_period)
        : period(its_period),
          feed(reader, reader.channels_of("/numbers"), {}, [this](const record::mcap::Message& message) {
            ros2::std_msgs::Int64 number;
            REQUIRE(ros2::decode(message.data, number));
            seen.push_back(number.data);
          }) {}
    Duration period;
    std::vector<std::int64_t> seen;
    PlaybackFeed feed;
  };
  // Neither sees the very end of a round.
  Follower often(*reader, 7ms), seldom(*reader, 130ms);
  for (Follower* each : {&often, &seldom})
    for (Instant time = begin; time < begin + 4s; time += each->period) each->feed.poll(clock.stand(time));
  // The same by turns, as two threads do it.
  Follower first(*reader, 0s), second(*reader, 0s);
  for (Instant time = begin; time < begin + 4s; time += 7ms) {
    first.feed.poll(clock.stand(time));
    second.feed.poll(clock.stand(time));
  }
  for (const Follower* each : {&often, &seldom, &first, &second}) {
    REQUIRE(each->seen.size() > 390);
    for (std::size_t i = 0; i < each->seen.size(); ++i) REQUIRE(each->seen[i] == static_cast<std::int64_t>(i % 100));
  }
  // A jump, and the next round before anybody looked.
  clock.seek(range->end - 5 * ms_ns, begin + 5s);
  first.seen.clear();
  first.feed.poll(clock.stand(begin + 5s + 20ms));
  CHECK(first.seen == std::vector<std::int64_t>{99, 0, 1});
}

TEST_CASE("a playback that is to stop does so before everything that is due is given") {
  const PlayedFile file;
  auto [reader, range] = opened(file.path());
  std::stop_source stop;
  int given = 0;
  PlaybackFeed feed(*reader, reader->channels_of("/numbers"), {}, [&](const auto&) {
    if (++given == 3) stop.request_stop();
  });
  const PlaybackClock clock(*range, 1, false, begin);
  feed.poll(clock.stand(begin + 1h), stop.get_token());
  CHECK(given == 3);
}

TEST_CASE("a playback gives each message once when its time has come and the scene again after a jump") {
  const PlayedFile file;
  auto [reader, range] = opened(file.path());
  CHECK(range->start == first_ns);
  CHECK(range->end == first_ns + 990 * ms_ns);
  const auto scenes = reader->channels_of("/tandem/scene");
  std::set<std::uint16_t> all = reader->channels_of("/numbers");
  all.insert(scenes.begin(), scenes.end());
  std::vector<std::string> seen;
  PlaybackFeed feed(*reader, all, {{*scenes.begin(), 1}}, [&](const record::mcap::Message& message) {
    if (scenes.contains(message.channel)) {
      seen.emplace_back(message.data.begin(), message.data.end());
      return;
    }
    ros2::std_msgs::Int64 number;
    REQUIRE(ros2::decode(message.data, number));
    seen.push_back(std::to_string(number.data));
  });
  PlaybackClock clock(*range, 1, false, begin);
  feed.poll(clock.stand(begin + 25ms));
  CHECK(seen == std::vector<std::string>{"{\"a\":1}", "0", "1", "2"});
  CHECK(feed.next() == first_ns + 30 * ms_ns);
  feed.poll(clock.stand(begin + 29ms));
  CHECK(seen.size() == 4);
  seen.clear();
  clock.seek(first_ns + 700 * ms_ns, begin + 29ms);
  feed.poll(clock.stand(begin + 35ms));
  CHECK(seen == std::vector<std::string>{"{\"a\":2}", "70"});
  seen.clear();
  clock.seek(first_ns + 200 * ms_ns, begin + 35ms);
  feed.poll(clock.stand(begin + 35ms));
  CHECK(seen == std::vector<std::string>{"{\"a\":1}", "20"});
  seen.clear();
  feed.poll(clock.stand(begin + 60s));
  CHECK(seen.back() == "99");
  CHECK(seen.size() == 79 + 1);
  CHECK(!feed.next());
}

TEST_CASE("a viewer of a replay gets what was latched whenever it comes and after a jump") {
  const PlayedFile folder;
  const std::string path = folder.path() + ".latched";
  {
    record::RecorderOptions options;
    options.file = path;
    record::Recorder recorder(options);
    const auto topic = [&](const std::string& name, const std::string& qos) {
      record::ChannelInfo info{name, "cdr", "std_msgs/msg/Int64", "ros2msg", "int64 data\n", {}};
      info.metadata["offered_qos_profiles"] = qos;
      return recorder.channel(info);
    };
    const auto frames = topic("/tf_static", "- reliability: reliable\n  durability: transient_local\n");
    const auto robot = topic("/robot_description", "- reliability: 1\n  durability: 1\n");
    const auto numbers = topic("/numbers", "- reliability: 1\n  durability: 2\n");
    const auto put = [&](record::ChannelId channel, std::uint64_t ms, std::string_view text) {
      const UtcTime time(Duration(static_cast<std::int64_t>(first_ns + ms * ms_ns)));
      recorder.put(channel, time, time, as_bytes(text));
    };
    put(frames, 0, "base");
    put(frames, 1, "camera");
    put(robot, 2, "robot");
    for (std::uint64_t i = 0; i < 100; ++i) put(numbers, 10 + i * 100, std::to_string(i));
    put(robot, 9000, "other robot");
  }
  auto reader = record::McapReader::open(path);
  REQUIRE(reader);
  PlaybackClock clock(*playback_range(*reader), 1, false, now());
  clock.play(false, now());
  clock.seek(first_ns + 5000 * ms_ns, now());
  WebConfig config;
  config.listen = "127.0.0.1:0";
  ReplayPage page(*reader, clock, config, "test");
  const std::jthread thread([&](const std::stop_token& stop) { page.run(stop); });
  const std::string address = page.printed_address();
  const auto port = static_cast<std::uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));

  using Heard = std::vector<std::string>;
  web::WireClient viewer(port);
  REQUIRE(viewer.ask("GET /", web::WireClient::upgrade_headers("foxglove.sdk.v1")).status == 101);
  const auto heard = [&](std::size_t count) {
    Heard texts;
    while (texts.size() < count) {
      const web::WireFrame frame = viewer.frame();
      REQUIRE((frame.opcode == 1 || frame.opcode == 2 || frame.opcode == 9));
      if (frame.opcode != 2 || frame.payload.at(0) != 1) continue;
      texts.emplace_back(frame.payload.begin() + 13, frame.payload.end());
    }
    std::ranges::sort(texts);
    return texts;
  };
  while (viewer.frame().text().find(R"("op":"advertise")") == std::string::npos) continue;
  viewer.send_text(R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1},{"id":2,"channelId":2}]})");
  CHECK(heard(3) == Heard{"base", "camera", "robot"});
  clock.seek(first_ns + 9500 * ms_ns, now());
  CHECK(heard(3) == Heard{"base", "camera", "other robot"});
  clock.seek(first_ns + 1000 * ms_ns, now());
  CHECK(heard(3) == Heard{"base", "camera", "robot"});
}

TEST_CASE("a damaged part of a recording is passed over and counted") {
  const PlayedFile folder;
  const std::string path = folder.path() + ".damaged";
  {
    record::RecorderOptions options;
    options.file = path;
    options.chunk_bytes = 1000;
    record::Recorder recorder(options);
    const auto id = recorder.channel({"/numbers", "json", "", "", "", {}});
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const UtcTime time(Duration(static_cast<std::int64_t>(first_ns + i * ms_ns)));
      recorder.put(id, time, time, as_bytes(std::to_string(i * 2654435761u)));
    }
  }
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes(std::filesystem::file_size(path), '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const std::size_t frame = bytes.find("\x28\xB5\x2F\xFD", bytes.size() / 4);  // how Zstandard begins
    REQUIRE(frame != std::string::npos);
    file.seekp(static_cast<std::streamoff>(frame + 100));
    file << "damage";
  }
  auto reader = record::McapReader::open(path);
  REQUIRE(reader);
  std::size_t given = 0;
  PlaybackFeed feed(*reader, reader->channels_of("/numbers"), {}, [&](const auto&) { ++given; });
  PlaybackClock clock({first_ns, first_ns + 999 * ms_ns}, 1, false, begin);
  feed.poll(clock.stand(begin + 10s));
  CHECK(feed.unreadable() == 1);
  clock.seek(first_ns, begin + 10s);  // the same part again is no other part
  clock.play(true, begin + 10s);
  given = 0;
  feed.poll(clock.stand(begin + 20s));
  CHECK(feed.unreadable() == 1);
  CHECK(given < 1000);
  CHECK(given > 800);
  CHECK(unreadable_text(2).find("2 damaged parts of the recording") == 0);
}

TEST_CASE("recorded topics are published again as the bytes they were and orders are not") {
  const PlayedFile file;
  auto reader = record::McapReader::open(file.path());
  REQUIRE(reader);
  const ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context context(options), other(options);
  ros2::Node listener(other, "listener", "/");
  std::mutex mutex;
  std::vector<std::int64_t> heard;
  std::atomic<int> orders{0};
  // Latched, as it was recorded: nothing is lost before discovery.
  const auto numbers = listener.subscribe<ros2::std_msgs::Int64>("/numbers", {}, [&](const auto& message, const auto&) {
    const std::lock_guard lock(mutex);
    heard.push_back(message.data);
  });
  const auto order =
      listener.subscribe<ros2::std_msgs::Int64>("/order", {}, [&](const auto&, const auto&) { ++orders; });
  const auto velocity =
      listener.subscribe<ros2::std_msgs::Int64>("/cmd_vel", {}, [&](const auto&, const auto&) { ++orders; });
  const auto range = playback_range(*reader);
  REQUIRE(range);
  PlaybackClock clock(*range, 1, false, now());
  clock.play(false, now());
  ReplayTopics topics(*reader, clock, context, {});
  CHECK(topics.topics() == 1);
  CHECK(topics.left_out() == std::set<std::string>{"/cmd_vel", "/order"});
  REQUIRE(ros2::eventually([&] { return numbers.matched() > 0; }));
  clock.seek(range->start, now());
  clock.play(true, now());
  {
    const std::jthread thread([&](const std::stop_token& stop) { topics.run(stop); });
    CHECK(ros2::eventually([&] {
      const std::lock_guard lock(mutex);
      return !heard.empty() && heard.back() == 99;
    }));
  }
  const std::lock_guard lock(mutex);
  CHECK(std::is_sorted(heard.begin(), heard.end()));
  CHECK(heard.size() >= 95);
  CHECK(orders == 0);
}

TEST_CASE("a replay of topics is over when the last message is published and not when its time has come") {
  const PlayedFile file;
  auto [reader, range] = opened(file.path());
  ros2::Context context(ros2::loopback_options());
  PlaybackClock clock(*range, 100, false, now());
  ReplayTopics topics(*reader, clock, context, {});
  while (!clock.stand(now()).ended) system_clock().sleep_until(now() + 1ms);
  CHECK_FALSE(topics.all_published());
  {
    const std::jthread thread([&](const std::stop_token& stop) { topics.run(stop); });
    CHECK(ros2::eventually([&] { return topics.all_published(); }));
  }
  CHECK(topics.published() == 100);
}

TEST_CASE("what a machine of tandem hears is not replayed though tandem itself had said it") {
  const PlayedFile folder;
  const std::string path = folder.path() + ".heard";
  {
    record::RecorderOptions options;
    options.file = path;
    record::Recorder recorder(options);
    RecordedTopics topics(recorder, FileClock(system_clock()));
    const auto tapped = [&](const std::string& name, net::Direction direction, bool acts = true) {
      ros2::TappedTopic topic;
      topic.acts = acts;
      topic.topic = name;
      topic.type = "std_msgs/msg/Int64";
      topic.direction = direction;
      return topics.opened(topic);
    };
    std::vector<std::uint8_t> bytes;
    ros2::encode(ros2::std_msgs::Int64{7}, bytes);
    // Samples of our own pass at the publisher only.
    const auto status = tapped("/slam_status", net::Direction::out), odometry = tapped("/odom", net::Direction::out);
    tapped("/odom", net::Direction::in, false);  // a plot
    tapped("/slam_status", net::Direction::in, false);
    topics.passed(status, bytes, UtcTime(1h));
    topics.passed(odometry, bytes, UtcTime(1h));
    tapped("/slam_status", net::Direction::in);
    tapped("/cmd_vel", net::Direction::in);  // nobody said anything
    topics.passed(status, bytes, UtcTime(1h));
  }
  auto [reader, range] = opened(path);
  ros2::Context context(ros2::loopback_options());
  PlaybackClock clock(*range, 1, false, now());
  const ReplayTopics topics(*reader, clock, context, {});
  CHECK(topics.topics() == 1);
  CHECK(topics.left_out() == std::set<std::string>{"/slam_status"});
  const ReplayTopics asked(*reader, clock, context, {.also = {"/slam_status"}});
  CHECK(asked.topics() == 2);
}

TEST_CASE("a quality of service comes back from its text") {
  for (const ros2::Qos& qos : {ros2::Qos::standard(), ros2::Qos::sensor_data(), ros2::Qos::latched()}) {
    const ros2::Qos again = qos_from_text(text_from_qos(qos));
    CHECK(again.reliability == qos.reliability);
    CHECK(again.durability == qos.durability);
  }
  // As newer versions of rosbag2 write it.
  const ros2::Qos words =
      qos_from_text("- history: keep_last\n  reliability: best_effort\n  durability: transient_local");
  CHECK(words.reliability == ros2::Reliability::best_effort);
  CHECK(words.durability == ros2::Durability::transient_local);
}

TEST_CASE("topics of others are published again when they are asked for") {
  const PlayedFile file;
  auto [reader, range] = opened(file.path());
  ros2::Context context(ros2::loopback_options());
  PlaybackClock clock(*range, 1, false, now());
  const ReplayTopics one(*reader, clock, context, {.also = {"/cmd_vel"}});
  CHECK(one.topics() == 2);
  CHECK(one.left_out() == std::set<std::string>{"/order"});
  const ReplayTopics all(*reader, clock, context, {.all = true});
  CHECK(all.topics() == 3);
  CHECK(all.left_out().empty());
}

}  // namespace tandem::runtime
