// SPDX-License-Identifier: Apache-2.0
// A running tandem as others see it: over HTTP, and in the recording that it leaves.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "tandem/net/socket.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/runtime/page/page.hpp"
#include "tandem/runtime/page/sample_fan.hpp"
#include "tandem/runtime/recording/recorded_topics.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/runtime/counter/machine.hpp"

namespace tandem::runtime {

namespace {

struct KeptFile {
  std::filesystem::path folder = fmt::format("/tmp/tandem-kept-{}", getpid());
  KeptFile() { std::filesystem::create_directories(folder); }
  ~KeptFile() { std::filesystem::remove_all(folder); }
};

Config seen_config(const std::string& more) {
  static const Registry registry({&counter::machine_type()});
  const ConfigText text{"test.yaml",
                        "ros: { enabled: false }\nmachines:\n  lift: { type: counter, device: virtual }\n" + more};
  return parse_config({&text, 1}, registry);
}

template <typename Holds>
bool soon(Holds holds) {
  const Instant until = now() + 20s;
  while (!holds() && now() < until) system_clock().sleep_until(now() + 5ms);
  return holds();
}

std::string asked(const std::string& address, const std::string& path) {
  const std::string at = address.substr(std::string("http://").size());
  const auto port = static_cast<std::uint16_t>(std::stoi(at.substr(at.find(':') + 1)));
  auto socket = net::TcpSocket::connect("127.0.0.1", port, now() + 10s);
  REQUIRE(socket);
  const std::string request =
      fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", path, port);
  REQUIRE(socket->write_all(as_bytes(request), now() + 10s));
  std::string answer;
  std::array<std::uint8_t, 4096> some{};
  while (true) {
    const auto size = socket->read_some(some, now() + 10s);
    if (!size) break;
    answer.append(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(*size));
  }
  return answer;
}

bool holds_text(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Remembers what it was told.
struct Listener final : ros2::SampleTap {
  std::map<std::uint32_t, std::string> open;
  std::vector<std::string> heard;
  std::uint32_t next = 100;
  std::uint32_t opened(const ros2::TappedTopic& topic) override { return open[next] = topic.topic, next++; }
  void closed(std::uint32_t handle) override { open.erase(handle); }
  void passed(std::uint32_t handle, Bytes, UtcTime) noexcept override { heard.push_back(open[handle]); }
};

}  // namespace

TEST_CASE("a running tandem answers monitors over HTTP") {
  SystemOptions options;
  options.version = "test";
  System system(seen_config("web: { listen: \"127.0.0.1:0\" }\n"), options);
  system.start();
  REQUIRE(soon([&] { return system.status().machines.at(0).state == "live"; }));
  const std::string page = system.status().page;
  CHECK(page.starts_with("http://127.0.0.1:"));
  CHECK(holds_text(asked(page, "/health"), "200 OK"));
  const std::string ready = asked(page, "/ready");
  CHECK(holds_text(ready, "200 OK"));
  CHECK(holds_text(ready, "lift: live"));
  CHECK(holds_text(asked(page, "/metrics"), "tandem_link_state{machine=\"lift\",state=\"live\"} 1"));
  CHECK(holds_text(asked(page, "/status.json"), "\"machines\":[{"));
  CHECK(holds_text(asked(page, "/../etc/passwd"), "HTTP/1.1 4"));
  CHECK(system.stop(10s).empty());
}

TEST_CASE("readiness names the machine that is not live and why") {
  struct Down final : Controlled {
    SystemStatus status() const override {
      SystemStatus status;
      status.machines = {lift};
      return status;
    }
    MachineStatus lift;
    Result<std::string> command(std::string_view, std::string_view, std::string_view) override { return std::string(); }
  } down;
  const auto ready = [&](const char* state, const char* quality, const char* cause) {
    down.lift.name = "lift", down.lift.state = state, down.lift.quality = quality, down.lift.cause = cause;
    const web::Response response = http_answer({"/ready", "", false}, down);
    return fmt::format("{} {}", response.status, std::string(response.body->begin(), response.body->end()));
  };
  CHECK(ready("connecting", "stale", "connection refused") == "503 lift: connecting: connection refused\n");
  CHECK(ready("live", "stale", "no live sample for 900 ms") == "503 lift: stale: no live sample for 900 ms\n");
  CHECK(ready("live", "live", "") == "200 lift: live\n");
  CHECK(http_answer({"/health", "", false}, down).status == 200);
  CHECK(http_answer({"/no-such-thing", "", false}, down).status == 404);
}

TEST_CASE("the page takes another port only where the port was nobody's choice") {
  auto taken = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(taken);
  SystemOptions options;
  Config config = seen_config("");
  config.web.listen = taken->local().text();
  CHECK_THROWS_AS(System(config, options), std::runtime_error);
  config.web.any_port = true;
  const System system(config, options);
  CHECK_FALSE(system.status().page.empty());
}

TEST_CASE("a recording holds what the page shows and who commanded what") {
  const KeptFile kept;
  const std::string file = kept.folder / "run.mcap";
  {
    SystemOptions options;
    options.version = "test";
    options.supervision.longest_pause = 5s;
    System system(seen_config(fmt::format("record: {{ file: \"{}\", picture_hz: 50 }}\n", file)), options);
    system.start();
    REQUIRE(soon([&] { return system.status().machines.at(0).state == "live"; }));
    REQUIRE(soon([&] { return static_cast<bool>(system.command("arm", "lift", "a test")); }));
    CHECK(system.command("stop", "", "a test"));
    CHECK_FALSE(system.command("arm", "lift", "a test"));
    REQUIRE(soon([&] { return system.status().recording->messages > 20; }));
    CHECK(system.status().recording->dropped == 0);
    CHECK(system.stop(10s).empty());
  }
  const auto reader = record::McapReader::open(file);
  REQUIRE(reader);
  CHECK(reader->contents().whole);
  std::map<std::string, int> counts;
  std::string commands;
  auto cursor = reader->messages();
  for (auto next = cursor.next(); next && *next; next = cursor.next()) {
    const auto& channel = reader->contents().channels.at((*next)->channel);
    ++counts[channel.topic];
    if (channel.topic == "/tandem/commands") commands.append((*next)->data.begin(), (*next)->data.end());
  }
  CHECK(counts["/tandem/scene"] == 1);
  CHECK(counts["/tandem/picture"] > 0);
  CHECK(counts["/tandem/status"] > 0);
  CHECK(counts["/tandem/log"] >= 3);  // live, armed, stopped
  CHECK(counts["/tandem/lift/events"] >= 3);
  CHECK(counts["/tandem/commands"] >= 3);
  CHECK(holds_text(commands, "a test"));
  CHECK(holds_text(commands, "stopped"));
}

TEST_CASE("samples are kept by the clock of the file though the wall clock was set back") {
  const KeptFile kept;
  const std::string file = kept.folder / "run.mcap";
  const auto started = static_cast<std::uint64_t>(system_clock().utc().time_since_epoch().count());
  {
    record::RecorderOptions options;
    options.file = file;
    record::Recorder recorder(options);
    RecordedTopics topics(recorder, FileClock(system_clock()));
    ros2::TappedTopic topic;
    topic.topic = "/number";
    topic.type = "std_msgs/msg/Int64";
    const std::vector<std::uint8_t> cdr = {0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0};
    topics.passed(topics.opened(topic), cdr, UtcTime(1h));
  }
  const auto reader = record::McapReader::open(file);
  REQUIRE(reader);
  auto cursor = reader->messages();
  const auto message = cursor.next();
  REQUIRE(message);
  REQUIRE(*message);
  CHECK((*message)->log_time + 1'000'000'000u > started);
  CHECK((*message)->publish_time == 3'600'000'000'000u);
}

TEST_CASE("a recording says which topics others published and viewers are others") {
  const KeptFile kept;
  const std::string file = kept.folder / "run.mcap";
  {
    record::RecorderOptions options;
    options.file = file;
    record::Recorder recorder(options);
    RecordedTopics topics(recorder, FileClock(system_clock()));
    const std::vector<std::uint8_t> cdr = {0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0};
    const auto keep = [&](const std::string& name, net::Direction direction) {
      ros2::TappedTopic topic;
      topic.topic = name;
      topic.type = "std_msgs/msg/Int64";
      topic.direction = direction;
      topics.passed(topics.opened(topic), cdr, UtcTime(1h));
    };
    keep("/state", net::Direction::out);
    keep("/heard", net::Direction::in);
    topics.viewer_publishes("cmd_vel");  // as a viewer may write it
    keep("/cmd_vel", net::Direction::out);
    topics.viewer_publishes({});
    keep("/later", net::Direction::out);
  }
  const auto reader = record::McapReader::open(file);
  REQUIRE(reader);
  std::map<std::string, std::string> directions;
  for (const auto& [id, channel] : reader->contents().channels)
    directions[channel.topic] = channel.metadata.at("direction");
  CHECK(directions ==
        std::map<std::string, std::string>{{"/cmd_vel", "in"}, {"/heard", "in"}, {"/later", "out"}, {"/state", "out"}});
}

TEST_CASE("latched topics are kept by publisher and a place is used again") {
  const KeptFile kept;
  record::RecorderOptions options;
  options.file = kept.folder / "run.mcap";
  record::Recorder recorder(options);
  RecordedTopics topics(recorder, FileClock(system_clock()));
  ros2::TappedTopic topic;
  topic.topic = "/tf_static";
  topic.type = "tf2_msgs/msg/TFMessage";
  topic.latched = true;
  const std::uint32_t first = topics.opened(topic), second = topics.opened(topic);
  CHECK(first != second);
  CHECK((first & 0xFFFF) == (second & 0xFFFF));
  topics.closed(first);
  CHECK(topics.opened(topic) == first);
  topic.topic = "/tf";
  topic.latched = false;
  CHECK(topics.opened(topic) == topics.opened(topic));
}

TEST_CASE("a fan tells every tap with the tap's own handle") {
  SampleFan fan;
  Listener first, second;
  second.next = 7;
  fan.add(first);
  ros2::TappedTopic topic;
  topic.topic = "/a";
  const std::uint32_t a = fan.opened(topic);
  fan.add(second);
  topic.topic = "/b";
  const std::uint32_t b = fan.opened(topic);
  fan.passed(a, {}, {});
  fan.passed(b, {}, {});
  CHECK(first.heard == std::vector<std::string>{"/a", "/b"});
  CHECK(second.heard == std::vector<std::string>{"/b"});
  fan.closed(a);
  CHECK(first.open.size() == 1);
  topic.topic = "/c";
  CHECK(fan.opened(topic) == a);  // a place is used again
  fan.passed(a, {}, {});
  CHECK(second.heard.back() == "/c");
  Listener third;
  CHECK_THROWS_AS(fan.add(third), std::logic_error);
}

TEST_CASE("more topics than a fan has places for pass unseen") {
  SampleFan fan;
  Listener only;
  fan.add(only);
  for (std::size_t i = 0; i < SampleFan::most_topics; ++i) fan.opened({});
  const std::uint32_t beyond = fan.opened({});
  fan.passed(beyond, {}, {});
  fan.closed(beyond);
  CHECK(only.heard.empty());
  CHECK(only.open.size() == SampleFan::most_topics);
}

}  // namespace tandem::runtime
