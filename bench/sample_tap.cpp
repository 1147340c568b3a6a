// SPDX-License-Identifier: Apache-2.0
// What the tap adds to a publish: contexts with the same publisher, one without a tap and one whose samples go to the
// page's ring, wanted and not; with a subscriber in another context, best effort, so that Fast DDS itself is as quick
// as it can be.
#include <atomic>
#include <thread>

#include "bench/side_by_side.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/runtime/page/topic_feed.hpp"
#include "tests/ros2/loopback.hpp"

namespace {

using namespace tandem;

struct Talker {
  Talker(ros2::Context& context, const char* name, std::size_t numbers)
      : node(context, name),
        publisher(node.advertise<ros2::std_msgs::Float64MultiArray>(name, ros2::Qos::sensor_data())) {
    message.data.assign(numbers, 0.25);
  }
  void publish(int times) const {
    for (int i = 0; i < times; ++i) publisher.publish(message);
  }
  ros2::Node node;
  ros2::Publisher<ros2::std_msgs::Float64MultiArray> publisher;
  ros2::std_msgs::Float64MultiArray message;
};

bench::Pair measure(std::size_t numbers, bool wanted, std::uint64_t& lost) {
  constexpr int items = 50, windows = 400;
  runtime::TopicFeed feed(16u << 20);
  ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context plain(options), listening(options);
  options.tap = &feed;
  ros2::Context tapped(options);
  const Talker without(plain, "without", numbers), with(tapped, "with", numbers);
  feed.want("/with", wanted);
  ros2::Node listener(listening, "listener");
  std::atomic<std::uint64_t> heard = 0;
  std::vector<ros2::Subscription> subscriptions;
  for (const char* topic : {"without", "with"}) {
    subscriptions.push_back(listener.subscribe<ros2::std_msgs::Float64MultiArray>(
        topic, ros2::Qos::sensor_data(), [&](const auto&, const ros2::MessageInfo&) { ++heard; }));
  }
  if (!ros2::eventually([&] { return without.publisher.matched() == 1 && with.publisher.matched() == 1; })) {
    fmt::print("no match\n");
    std::exit(1);
  }
  std::jthread page([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      feed.take([](const std::string&, Bytes, UtcTime) {});
      std::this_thread::sleep_for(2ms);
    }
  });
  without.publish(1000);
  with.publish(1000);
  const bench::Pair pair = bench::side_by_side(
      items, [&] { without.publish(items); }, [&] { with.publish(items); }, windows);
  lost = feed.dropped();
  return pair;
}

}  // namespace

int main() {
  std::vector<bench::Row> rows;
  for (const std::size_t numbers : {6, 64, 500}) {
    for (const bool wanted : {false, true}) {
      std::uint64_t lost = 0;
      // The tap may add a tenth.
      rows.push_back({fmt::format("publish {} bytes, tapped and {}", 8 * numbers, wanted ? "wanted" : "not wanted"),
                      measure(numbers, wanted, lost), 0.9, "the same without a tap"});
      if (lost > 0) fmt::print("{} samples found no place in the ring\n", lost);
    }
  }
  const bool met = bench::print(rows);
  fmt::print("peer: the same publish without a tap\n");
  return met ? 0 : 1;
}
