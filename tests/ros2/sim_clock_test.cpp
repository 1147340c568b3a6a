// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/sim_clock.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "tandem/ros2/types/conversions.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

// Messages of one publisher, numbered as DDS numbers them.
struct Source {
  explicit Source(std::uint8_t number) { gid[0] = number; }
  void say(SimClock& clock, Duration time) { clock.take(UtcTime(time), {.publisher = gid, .sequence = ++sequence}); }
  Gid gid{};
  std::uint64_t sequence = 0;
};

struct Jumps {
  std::function<void(Duration)> callback() {
    return [this](Duration jump) {
      const std::scoped_lock lock(mutex);
      all.push_back(jump);
    };
  }
  std::vector<Duration> seen() {
    const std::scoped_lock lock(mutex);
    return all;
  }
  std::mutex mutex;
  std::vector<Duration> all;
};

}  // namespace

TEST_CASE("simulated time is unknown and zero until the first message and then the newest") {
  ManualClock below;
  SimClock clock(below, {.follow = true});
  CHECK_FALSE(clock.known());
  CHECK(clock.utc() == UtcTime{});
  Source gazebo(1);
  gazebo.say(clock, 5s);
  CHECK(clock.known());
  CHECK(clock.utc() == UtcTime(5s));
  gazebo.say(clock, 5001ms);
  below.advance(10s);
  CHECK(clock.utc() == UtcTime(5001ms));
  CHECK(clock.status().taken == 2);
}

TEST_CASE("monotonic time and sleeping are those of the clock below whatever is simulated") {
  ManualClock below;
  SimClock clock(below, {.follow = true});
  const Instant before = below.now();
  CHECK(clock.now() == before);
  Source(1).say(clock, 1h);
  CHECK(clock.now() == before);
  clock.sleep_until(before + 3s);
  CHECK(below.now() == before + 3s);
}

TEST_CASE("without following it is the time of the system and switching is a jump") {
  ManualClock below;
  Jumps jumps;
  SimClock clock(below, {.on_jump = jumps.callback()});
  CHECK(clock.known());
  CHECK(clock.utc() == below.utc());
  Source gazebo(1);
  gazebo.say(clock, 100s);
  gazebo.say(clock, 10s);
  CHECK(jumps.seen().empty());
  const Duration system = below.utc().time_since_epoch();
  clock.follow(true);
  CHECK(clock.utc() == UtcTime(10s));
  clock.follow(true);
  clock.follow(false);
  CHECK(clock.utc() == below.utc());
  CHECK(jumps.seen() == std::vector<Duration>{10s - system, system - 10s});
}

TEST_CASE("D24 time that goes back is reported once with how far and time that stands still is not") {
  ManualClock below;
  Jumps jumps;
  std::vector<UtcTime> at_jump;
  SimClock* self = nullptr;
  SimClock clock(below, {.follow = true, .on_jump = [&](Duration jump) {
                           jumps.callback()(jump);
                           at_jump.push_back(self->utc());
                         }});
  self = &clock;
  Source gazebo(1);
  for (const auto time : {90s, 100s, 100s, 0s, 1s, 2s}) gazebo.say(clock, time);
  CHECK(jumps.seen() == std::vector<Duration>{-100s});
  CHECK(at_jump == std::vector{UtcTime(0s)});
  CHECK(clock.status().jumps_back == 1);
  CHECK(clock.status().last_jump_back == -100s);
  CHECK(clock.utc() == UtcTime(2s));
}

TEST_CASE("D24 a message that was overtaken on its way is no jump back") {
  ManualClock below;
  Jumps jumps;
  SimClock clock(below, {.follow = true, .on_jump = jumps.callback()});
  Source gazebo(1);
  gazebo.say(clock, 10s);
  gazebo.say(clock, 11s);
  clock.take(UtcTime(10500ms), {.publisher = gazebo.gid, .sequence = 1});
  CHECK(clock.utc() == UtcTime(11s));
  CHECK(jumps.seen().empty());
}

TEST_CASE("D25 a second publisher is ignored and named until the first is gone for a second") {
  ManualClock below;
  Jumps jumps;
  SimClock clock(below, {.follow = true, .on_jump = jumps.callback()});
  Source gazebo(1), bag(2);
  gazebo.say(clock, 100s);
  CHECK(clock.finding().empty());
  for (int i = 0; i < 5; ++i) {
    below.advance(200ms);
    bag.say(clock, 7s);
    gazebo.say(clock, 100s + 200ms * i);
  }
  CHECK(clock.utc() == UtcTime(100800ms));
  CHECK(clock.status().ignored == 5);
  CHECK(clock.status().publisher == gazebo.gid);
  CHECK(clock.status().others == std::vector{bag.gid});
  CHECK(jumps.seen().empty());
  Graph graph;
  graph.endpoints.resize(2);
  graph.endpoints[0].gid = gazebo.gid;
  graph.endpoints[0].node = "/gazebo";
  graph.endpoints[1].gid = bag.gid;
  graph.endpoints[1].node = "/rosbag2_player";
  CHECK(clock.finding(graph) ==
        "/clock has several publishers: /gazebo is used, /rosbag2_player ignored (5 messages in total)");

  below.advance(1s);
  bag.say(clock, 8s);
  CHECK(clock.utc() == UtcTime(100800ms));
  below.advance(1ns);
  bag.say(clock, 9s);
  CHECK(clock.utc() == UtcTime(9s));
  CHECK(clock.status().publisher == bag.gid);
  CHECK(jumps.seen() == std::vector<Duration>{9s - 100800ms});
  CHECK(clock.finding().empty());
}

TEST_CASE("many threads read simulated time while it runs and is switched") {
  ManualClock below;
  std::atomic<int> jumps = 0;
  SimClock clock(below, {.follow = true, .on_jump = [&](Duration) { ++jumps; }});
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  Source gazebo(1);
  gazebo.say(clock, 1s);
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([&] {
        while (!stop) {
          const UtcTime time = clock.utc();
          if (time != below.utc() && (time < UtcTime(1s) || time > UtcTime(4s))) ++wrong;
          if (!clock.known()) ++wrong;
          (void)clock.finding();
        }
      });
    }
    std::jthread switching([&] {
      for (int i = 0; i < 200; ++i) clock.follow(i % 2 == 1);
    });
    for (int i = 1; i <= 3000; ++i) gazebo.say(clock, 1s + 1ms * i);
    switching.join();
    stop = true;
  }
  CHECK(wrong == 0);
  CHECK(jumps == 200);
  CHECK(clock.utc() == UtcTime(4s));
}

TEST_CASE("D24 a simulation that begins again over the wire is a jump back") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node simulation(here, "simulation"), robot(there, "robot");
  const ClockPublisher publisher(simulation);
  Jumps jumps;
  SimClock clock(system_clock(), {.follow = true, .on_jump = jumps.callback()});
  clock.listen(robot);
  REQUIRE(eventually([&] { return publisher.matched() == 1; }));
  CHECK(clock.utc() == UtcTime{});
  REQUIRE(eventually([&] {
    publisher.publish(UtcTime(500s + 1ns));
    return clock.utc() == UtcTime(500s + 1ns);
  }));
  CHECK(jumps.seen().empty());
  REQUIRE(eventually([&] {
    publisher.publish(UtcTime(2s));
    return clock.utc() == UtcTime(2s);
  }));
  CHECK(eventually([&] { return jumps.seen() == std::vector<Duration>{-498s - 1ns}; }));
}

TEST_CASE("D25 two publishers of simulated time over the wire are told apart and named") {
  const ContextOptions options = loopback_options();
  Context first(options), second(options), here(options);
  Node gazebo(first, "gazebo"), robot(here, "robot");
  auto bag = std::make_unique<Node>(second, "bag");
  const ClockPublisher one(gazebo);
  auto two = std::make_unique<ClockPublisher>(*bag);
  ManualClock below;
  SimClock clock(below, {.follow = true});
  clock.listen(robot);
  REQUIRE(eventually([&] { return one.matched() == 1 && two->matched() == 1; }));
  REQUIRE(eventually([&] {
    two->publish(UtcTime(70s));
    return clock.utc() == UtcTime(70s);
  }));
  std::string text;
  const bool named = eventually([&] {
    one.publish(UtcTime(5s));
    two->publish(UtcTime(70s));
    text = clock.finding(here.graph());
    return text.find("/bag is used, /gazebo ignored") != std::string::npos;
  });
  CHECK_MESSAGE(named, text);
  CHECK(clock.utc() == UtcTime(70s));
  two.reset();
  bag.reset();
  below.advance(1001ms);
  CHECK(eventually([&] {
    one.publish(UtcTime(6s));
    return clock.utc() == UtcTime(6s);
  }));
}

TEST_CASE("the clock is offered to reliable and to best effort subscriptions") {
  Context context(loopback_options());
  Node node(context, "simulation");
  const ClockPublisher publisher(node);
  std::atomic<int> reliable = 0;
  std::atomic<int> best_effort = 0;
  const auto one = node.subscribe<rosgraph_msgs::Clock>(
      "/clock", Qos::standard(), [&](const auto& message, const auto&) { reliable = message.clock.sec; });
  const auto two = node.subscribe<rosgraph_msgs::Clock>(
      "/clock", Qos::clock(), [&](const auto& message, const auto&) { best_effort = message.clock.sec; });
  CHECK(eventually([&] {
    publisher.publish(UtcTime(42s));
    return reliable == 42 && best_effort == 42;
  }));
}

}  // namespace tandem::ros2
