// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/transport/neighbours.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using std_msgs::Float64;

// Whether one context hears the other.
bool hears(const ContextOptions& listener, const ContextOptions& talker, Duration deadline = 20s) {
  Context here(listener), there(talker);
  Node ours(here, "ours"), theirs(there, "theirs");
  std::atomic<int> heard = 0;
  const auto subscription =
      ours.subscribe<Float64>("/level", Qos::standard(), [&](const Float64&, const auto&) { ++heard; });
  const auto publisher = theirs.advertise<Float64>("/level");
  return eventually([&] { return publisher.publish({1.0}), heard > 3; }, deadline);
}

bool maps_shared_memory() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/dev/shm/fastrtps_") != std::string::npos) return true;
  }
  return false;
}

// Another process of this computer with a node of that name, until this object ends.
class Stranger {
 public:
  Stranger(const ContextOptions& options, const char* name)
      : input_(popen(fmt::format("exec {} {} localhost {} >/dev/null", TANDEM_ROS2_BEAT, name, options.domain).c_str(),
                     "w")) {
    REQUIRE(input_ != nullptr);
  }
  ~Stranger() { pclose(input_); }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;

 private:
  FILE* input_;
};

}  // namespace

TEST_CASE("static peers may be names and those that are not there cost nothing") {
  ContextOptions plain = loopback_options(), with_peers = plain;
  with_peers.static_peers = {"localhost", "127.0.0.77", "127.0.0.78", "127.0.0.79"};
  CHECK(hears(plain, with_peers));
  CHECK(hears(with_peers, with_peers));
  Context context(with_peers);
  CHECK(context.take_events().empty());
  Node node(context, "node");
  const auto publisher = node.advertise<Float64>("/level");
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) publisher.publish({1.0});
  CHECK(std::chrono::steady_clock::now() - begin < 2s);  // about 10 ms on an idle machine
}

TEST_CASE("the ARP table tells which neighbours answer") {
  const std::string table =
      "IP address       HW type     Flags       HW address            Mask     Device\n"
      "10.77.0.1        0x1         0x2         c6:64:41:fd:f3:c2     *        eth0\n"
      "10.77.0.99       0x1         0x0         00:00:00:00:00:00     *        eth0\n"
      "192.168.1.20     0x1         0x6         02:fc:00:00:00:05     *        eth1\n"
      "nonsense\n\n";
  CHECK(answering_neighbours(table) == std::set<Ipv4>{{10, 77, 0, 1}, {192, 168, 1, 20}});
  CHECK(answering_neighbours("").empty());
  CHECK_FALSE(is_neighbour({127, 0, 0, 1}));
  NeighbourGate gate({{127, 0, 0, 2}});
  const Instant now = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) {
    CHECK(gate.lets_through({10, 0, 0, 1}, nullptr, now));   // no peer
    CHECK(gate.lets_through({127, 0, 0, 2}, nullptr, now));  // no neighbour
  }
}

TEST_CASE("a peer whose name nobody knows is told and holds up the start for 2 s at most") {
  ContextOptions options = loopback_options();
  options.static_peers = {"no-such-host.invalid"};
  const auto begin = std::chrono::steady_clock::now();
  Context context(options);
  CHECK(std::chrono::steady_clock::now() - begin < 6s);
  const auto events = context.take_events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == Event::Kind::configuration);
  CHECK(events[0].text == "static peer \"no-such-host.invalid\": unknown host");
}

TEST_CASE("with the range off nobody but this process is there") {
  const ContextOptions open = loopback_options();
  ContextOptions off = open;
  off.range = DiscoveryRange::off;
  const Stranger stranger(open, "stranger");
  Context outside(open), inside(off);
  REQUIRE(eventually([&] { return outside.graph().node("/stranger") != nullptr; }));
  std::this_thread::sleep_for(500ms);
  CHECK(inside.graph().node("/stranger") == nullptr);
}

TEST_CASE("shared memory is used only when asked for") {
  ContextOptions options = loopback_options();
  {
    const Context context(options);
    CHECK_FALSE(maps_shared_memory());
  }
  options.shared_memory = true;
  const Context context(options);
  CHECK(maps_shared_memory());
  CHECK(hears(options, options));
  ContextOptions without = options;
  without.shared_memory = false;
  CHECK(hears(options, without));
}

}  // namespace tandem::ros2
