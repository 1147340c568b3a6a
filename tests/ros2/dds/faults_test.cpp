// SPDX-License-Identifier: Apache-2.0
// The faults of peers that speak DDS well and mean ill, or know no better: cases D5 to D7, D18, D19, D22 and floods.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/resident.hpp"

namespace tandem::ros2 {
namespace {

using sensor_msgs::JointState;
using std_msgs::Float64MultiArray;
using std_msgs::String;
using std_srvs::Trigger;
using Payload = std::vector<std::uint8_t>;

constexpr std::ptrdiff_t mebibyte = 1 << 20;

// A peer that sends whatever bytes it likes under the name of a type, and one who listens.
template <Message M>
struct RawStage {
  explicit RawStage(std::function<void(const M&)> callback)
      : publisher(talker.advertise_raw("raw", type_support<M>().name, type_support<M>().hash, Qos::standard(100))),
        subscription(listener.subscribe<M>(
            "raw", Qos::standard(100),
            [callback = std::move(callback)](const M& message, const MessageInfo&) { callback(message); })) {
    REQUIRE(eventually([&] {
      return publisher.matched() == 1 && subscription.matched() == 1 && there.graph().node("/talker") != nullptr;
    }));
  }

  // All events so far, one sentence to a line.
  std::string told() {
    for (const Event& event : there.take_events()) {
      if (event.kind == Event::Kind::malformed_sample) told_ += event.text + "\n";
    }
    return told_;
  }

  ContextOptions options = loopback_options();
  Context here{options}, there{options};
  Node talker{here, "talker"}, listener{there, "listener"};
  RawPublisher publisher;
  Subscription subscription;

 private:
  std::string told_;
};

struct Texts {
  void add(const String& message) {
    const std::lock_guard lock(mutex);
    all.push_back(message.data);
  }
  std::vector<std::string> get() {
    const std::lock_guard lock(mutex);
    return all;
  }
  std::mutex mutex;
  std::vector<std::string> all;
};

const Payload good_text{0, 1, 0, 0, 3, 0, 0, 0, 'o', 'k', 0};

// Sends what must be dropped and then a good text: that one alone is heard, and all others are counted and told.
void expect_dropped(const std::vector<Payload>& wrong, const std::string& reason) {
  Texts texts;
  RawStage<String> stage([&](const String& message) { texts.add(message); });
  for (const Payload& bytes : wrong) REQUIRE(stage.publisher.publish(bytes));
  REQUIRE(stage.publisher.publish(good_text));
  REQUIRE(eventually([&] { return !texts.get().empty(); }));
  CHECK(texts.get() == std::vector<std::string>{"ok"});
  CHECK(stage.subscription.malformed() == wrong.size());
  const std::string told = stage.told();
  INFO(told);
  CHECK(told.find("/raw") != std::string::npos);
  CHECK(told.find("/talker") != std::string::npos);
  CHECK(told.find(reason) != std::string::npos);
}

// Whether publishing waits for a reader while `publish` runs `count` times: then nearly each one that finds no room
// takes long. A few take long on a busy host whatever readers do.
template <typename Publish>
bool is_held_up(int count, Publish publish) {
  const int most_slow = count / 100;
  int slow = 0;
  for (int i = 0; i < count && slow <= most_slow; ++i) {
    const auto before = std::chrono::steady_clock::now();
    publish(i);
    if (std::chrono::steady_clock::now() - before > 100ms) ++slow;
    if (i % 10 == 9) std::this_thread::sleep_for(1ms);
  }
  return slow > most_slow;
}

// Another process in the domain, which listens on /beat until it is told to stop.
class BeatProcess {
 public:
  explicit BeatProcess(int domain) {
    std::array<int, 2> input{};
    REQUIRE(::pipe(input.data()) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, input[1]);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string program = TANDEM_ROS2_BEAT, name = "peer", range = "localhost", number = std::to_string(domain);
    std::array<char*, 5> arguments{program.data(), name.data(), range.data(), number.data(), nullptr};
    const int failure = posix_spawn(&id_, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(input[0]);
    input_ = input[1];
    REQUIRE(failure == 0);
  }
  ~BeatProcess() {
    ::kill(id_, SIGKILL);  // this child of ours alone
    ::waitpid(id_, nullptr, 0);
    ::close(input_);
  }
  BeatProcess(const BeatProcess&) = delete;
  BeatProcess& operator=(const BeatProcess&) = delete;

  void stop() const { REQUIRE(::kill(id_, SIGSTOP) == 0); }
  void go_on() const { REQUIRE(::kill(id_, SIGCONT) == 0); }

 private:
  pid_t id_ = 0;
  int input_ = -1;
};

}  // namespace

TEST_CASE("D5 big-endian samples are heard as little-endian ones are") {
  Texts texts;
  RawStage<String> stage([&](const String& message) { texts.add(message); });
  REQUIRE(stage.publisher.publish(Payload{0, 0, 0, 0, 0, 0, 0, 4, 'b', 'i', 'g', 0}));
  REQUIRE(stage.publisher.publish(Payload{0, 1, 0, 1, 3, 0, 0, 0, 'o', 'k', 0, 0}));  // options say one byte of padding
  REQUIRE(eventually([&] { return texts.get().size() == 2; }));
  CHECK(texts.get() == std::vector<std::string>{"big", "ok"});
  CHECK(stage.subscription.malformed() == 0);
}

TEST_CASE("D5 parameter lists and XCDR2 and unknown encapsulations are dropped and told") {
  std::vector<Payload> wrong;
  for (const int id : {0x0002, 0x0003, 0x0004, 0x0006, 0x0007, 0x0008, 0x0009, 0x000a, 0x000b, 0x0101, 0xffff}) {
    Payload bytes = good_text;
    bytes[0] = static_cast<std::uint8_t>(id >> 8);
    bytes[1] = static_cast<std::uint8_t>(id);
    wrong.push_back(bytes);
  }
  expect_dropped(wrong, "plain CDR");
}

TEST_CASE("D6 texts without an end or longer than their sample are dropped and told") {
  expect_dropped(
      {
          {0, 1, 0, 0, 2, 0, 0, 0, 'a', 'b'},        // no NUL
          {0, 1, 0, 0, 5, 0, 0, 0, 'a', 'b', 0},     // more than there is, even with the padding
          {0, 1, 0, 0, 255, 255, 255, 255, 'a', 0},  // far more
          {0, 1, 0, 0, 0, 0, 0, 128, 'a', 0},        // negative, for who reads it so
          {0, 0, 0, 0, 0, 1, 0, 0, 'a', 0},          // big-endian
          {0, 1, 0, 0, 3, 0, 0},                     // not even a length
      },
      "dropped a sample");
}

TEST_CASE("D7 a count of 4294967295 with four bytes behind it takes no memory") {
  std::atomic<int> heard = 0;
  RawStage<Float64MultiArray> stage([&](const Float64MultiArray& message) {
    if (message.data.size() == 1) ++heard;
  });
  Payload lie{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 1, 2, 3, 4};
  const std::ptrdiff_t before = resident_bytes();
  constexpr std::uint64_t lies = 50;
  for (std::uint64_t i = 0; i < lies; ++i) {
    // In turn the count of dimensions and that of numbers, either the largest or barely too large.
    Payload bytes = lie;
    if (i % 2 == 1) std::fill_n(bytes.begin() + 4, 4, std::uint8_t{255});
    if (i % 4 >= 2) bytes[15] = 0;
    REQUIRE(stage.publisher.publish(bytes));
  }
  Float64MultiArray message;
  message.data = {1.5};
  Payload good;
  REQUIRE(encode(message, good));
  REQUIRE(stage.publisher.publish(good));
  REQUIRE(eventually([&] { return heard == 1; }));
  CHECK(stage.subscription.malformed() == lies);
  CHECK(resident_bytes() - before < 16 * mebibyte);
}

TEST_CASE("D7 a count that lies inside a nested message takes no memory either") {
  std::atomic<int> heard = 0;
  RawStage<JointState> stage([&](const JointState& message) {
    if (message.name.size() == 1) ++heard;
  });
  JointState message;
  message.name = {"elbow"};
  message.position = {0.5};
  Payload good;
  REQUIRE(encode(message, good));
  const std::ptrdiff_t before = resident_bytes();
  std::uint64_t lies = 0;
  // Every word of the message but those of the stamp is a length or a part of one somewhere.
  for (std::size_t at = 12; at + 4 <= good.size(); at += 4) {
    Payload bytes = good;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 4, std::uint8_t{255});
    REQUIRE(stage.publisher.publish(bytes));
    ++lies;
  }
  const int so_far = heard;
  REQUIRE(stage.publisher.publish(good));
  REQUIRE(eventually([&] { return heard + stage.subscription.malformed() >= lies + 1; }));
  CHECK(heard > so_far);
  CHECK(stage.subscription.malformed() >= 4);  // two lengths of text and two counts at least
  CHECK(resident_bytes() - before < 16 * mebibyte);
}

TEST_CASE("D18 who joins late gets as many latched samples as were kept and asked for") {
  const ContextOptions options = loopback_options();
  Context here(options);
  Node talker(here, "talker");
  const auto publisher = talker.advertise<String>("state", Qos::latched(5));
  for (int i = 1; i <= 12; ++i) REQUIRE(publisher.publish({std::to_string(i)}));
  Context there(options);
  Node late(there, "late");
  Texts many, one, none;
  const auto listen = [&](const Qos& qos, Texts& texts) {
    return late.subscribe<String>("state", qos, [&](const String& message, const MessageInfo&) { texts.add(message); });
  };
  const Subscription deep = listen(Qos::latched(10), many);
  const Subscription shallow = listen(Qos::latched(1), one);
  const Subscription forgetful = listen(Qos::standard(10), none);
  REQUIRE(eventually([&] { return many.get().size() >= 5 && !one.get().empty() && forgetful.matched() == 1; }));
  CHECK(many.get() == std::vector<std::string>{"8", "9", "10", "11", "12"});
  CHECK(one.get().back() == "12");
  REQUIRE(eventually([&] { return publisher.matched() == 3; }));
  REQUIRE(publisher.publish({"13"}));
  REQUIRE(eventually([&] { return !none.get().empty() && many.get().size() == 6; }));
  CHECK(none.get() == std::vector<std::string>{"13"});
  CHECK(many.get().back() == "13");
}

TEST_CASE("D19 a reader whose callback is stuck holds up no publisher") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto kept_last = talker.advertise<String>("last");
  const auto kept_all = talker.advertise<String>("all", {.history = History::keep_all});
  std::atomic<bool> release = false;
  std::atomic<int> heard = 0;
  const auto stuck = [&](const String&, const MessageInfo&) {
    ++heard;
    while (!release) std::this_thread::sleep_for(1ms);
  };
  const Subscription last = listener.subscribe<String>("last", Qos::standard(), stuck);
  const Subscription all = listener.subscribe<String>("all", {.history = History::keep_all}, stuck);
  REQUIRE(eventually([&] { return kept_last.matched() == 1 && kept_all.matched() == 1; }));
  CHECK_FALSE(is_held_up(2000, [&](int) { kept_last.publish({"x"}); }));
  // Nothing may be overwritten here: once nothing more fits, publishing fails instead.
  int refused = 0;
  CHECK_FALSE(is_held_up(6000, [&](int) { refused += kept_all.publish({"x"}) ? 0 : 1; }));
  CHECK(refused > 0);
  CHECK(heard >= 1);
  release = true;
  const int before = heard;
  CHECK(eventually([&] {
    kept_last.publish({"again"});
    return heard > before + 5;
  }));
}

TEST_CASE("D19 a process that is stopped holds up no publisher and hears again when it goes on") {
  const ContextOptions options = loopback_options();
  Context here(options);
  Node talker(here, "talker"), other(here, "other");
  const BeatProcess peer(options.domain);
  std::atomic<int> heard = 0;
  const Subscription subscription =
      other.subscribe<String>("/beat", Qos::standard(), [&](const String& message, const MessageInfo&) {
        if (message.data == "peer") ++heard;
      });
  const auto publisher = talker.advertise<String>("/beat");
  REQUIRE(eventually([&] { return publisher.matched() == 2 && heard > 0; }));
  peer.stop();
  const String message{std::string(1000, 'x')};
  CHECK_FALSE(is_held_up(2000, [&](int) { publisher.publish(message); }));
  peer.go_on();
  const int before = heard;
  CHECK(eventually([&] { return heard > before + 5; }));
  CHECK(publisher.wait_for_acknowledgements(20s));  // what the reader still lacks, or was told it has missed
}

TEST_CASE("D22 nobody of another domain is seen or heard and the domain is named") {
  const ContextOptions options = loopback_options(), others = loopback_options();
  REQUIRE(options.domain != others.domain);
  Context here(options), same(options), elsewhere(others);
  Node talker(here, "talker"), neighbour(same, "neighbour"), stranger(elsewhere, "stranger");
  const auto publisher = talker.advertise<String>("chatter");
  const auto listen = [](Node& node, Texts& texts) {
    return node.subscribe<String>("chatter", Qos::standard(),
                                  [&](const String& message, const MessageInfo&) { texts.add(message); });
  };
  Texts near, far;
  const Subscription one = listen(neighbour, near), two = listen(stranger, far);
  REQUIRE(eventually([&] { return publisher.matched() == 1 && here.graph().node("/neighbour") != nullptr; }));
  REQUIRE(publisher.publish({"hello"}));
  REQUIRE(eventually([&] { return near.get().size() == 1; }));
  std::this_thread::sleep_for(500ms);
  CHECK(far.get().empty());
  CHECK(two.matched() == 0);
  CHECK(here.graph().node("/stranger") == nullptr);
  CHECK(elsewhere.graph().node("/talker") == nullptr);
  CHECK(elsewhere.options().domain == others.domain);
  ContextOptions wrong;
  wrong.domain = 300;
  CHECK_THROWS_WITH_AS(Context{wrong}, "ROS domain: expected 0 to 232, got 300", std::invalid_argument);
}

TEST_CASE("a flood of 50000 samples takes little memory and services are answered meanwhile") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener"), client_node(here, "client");
  const auto publisher = talker.advertise<String>("flood");
  std::atomic<int> heard = 0;
  const Subscription subscription =
      listener.subscribe<String>("flood", Qos::standard(), [&](const String&, const MessageInfo&) { ++heard; });
  const Service<Trigger> service(listener, "alive", [](const Trigger::Request&) { return Trigger::Response{}; });
  const Client<Trigger> client(client_node, "alive");
  REQUIRE(client.wait_for_server(20s));
  REQUIRE(eventually([&] { return publisher.matched() == 1; }));
  REQUIRE(client.call({}, {.timeout = 20s}).ok());
  const std::ptrdiff_t before = resident_bytes();
  std::atomic<bool> done = false;
  std::jthread flood([&] {
    const String message{std::string(100, 'x')};
    for (int i = 0; i < 50'000; ++i) publisher.publish(message);
    done = true;
  });
  int answered = 0;
  while (!done) {
    const auto answer = client.call({}, {.timeout = 20s});
    REQUIRE_MESSAGE(answer.ok(), answer.error().text);
    ++answered;
  }
  CHECK(answered > 0);
  CHECK(heard > 0);
  CHECK(resident_bytes() - before < 64 * mebibyte);
  MESSAGE("heard " << heard.load() << " of 50000, " << answered << " calls answered meanwhile, memory grew by "
                   << (resident_bytes() - before) / 1024 << " KiB");
}

TEST_CASE("twenty images of a mebibyte arrive whole and in order") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node camera(here, "camera"), viewer(there, "viewer");
  const auto publisher = camera.advertise<sensor_msgs::Image>("image", Qos::standard(20));
  std::mutex mutex;
  std::vector<std::pair<std::uint32_t, bool>> seen;  // number, whole
  const Subscription subscription = viewer.subscribe<sensor_msgs::Image>(
      "image", Qos::standard(20), [&](const sensor_msgs::Image& image, const MessageInfo&) {
        const bool whole = image.data.size() == static_cast<std::size_t>(mebibyte) &&
                           std::ranges::all_of(image.data, [&](std::uint8_t byte) {
                             return byte == static_cast<std::uint8_t>(image.height);
                           });
        const std::lock_guard lock(mutex);
        seen.emplace_back(image.height, whole);
      });
  REQUIRE(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
  sensor_msgs::Image image;
  for (std::uint32_t number = 1; number <= 20; ++number) {
    image.height = number;
    image.data.assign(static_cast<std::size_t>(mebibyte), static_cast<std::uint8_t>(number));
    REQUIRE(publisher.publish(image));
  }
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return seen.size();
  };
  CHECK(eventually([&] { return count() == 20; }));
  const std::lock_guard lock(mutex);
  for (std::uint32_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == std::pair{i + 1, true});
}

TEST_CASE("5000 calls at once are all answered or refused by name and take little memory") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node server_node(here, "server"), client_node(there, "client");
  const Service<Trigger> service(server_node, "alive", [](const Trigger::Request&) {
    Trigger::Response response;
    response.success = true;
    return response;
  });
  const Client<Trigger> client(client_node, "alive");
  REQUIRE(client.wait_for_server(20s));
  const std::ptrdiff_t before = resident_bytes();
  constexpr int calls = 5000;
  std::atomic<int> answered = 0, refused = 0, unnamed = 0;
  for (int i = 0; i < calls; ++i) {
    client.call({}, {.timeout = 30s}, [&](const Result<Trigger::Response>& answer) {
      if (answer && answer->success) {
        ++answered;
      } else if (!answer && answer.error().text.starts_with("/alive: ")) {
        ++refused;
      } else {
        ++unnamed;
      }
    });
  }
  CHECK(eventually([&] { return answered + refused + unnamed == calls; }, 40s));
  CHECK(unnamed == 0);
  CHECK(answered > 0);
  CHECK(resident_bytes() - before < 64 * mebibyte);
  const auto after = client.call({}, {.timeout = 20s});
  CHECK_MESSAGE(after.ok(), after.error().text);
  MESSAGE(answered.load() << " answered, " << refused.load() << " refused");
}

}  // namespace tandem::ros2
