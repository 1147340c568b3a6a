// SPDX-License-Identifier: Apache-2.0
// What a publish costs in allocations. Fast DDS itself makes none for best effort, so there all would be ours.
#include <doctest/doctest.h>

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tests/allocations.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

// The most that one publish of a warm publisher makes; Fast DDS now and then grows something of its own.
template <typename Publish>
std::size_t allocations_per_publish(Publish publish) {
  for (int i = 0; i < 50; ++i) publish();
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) publish();
  return (allocations - before + 999) / 1000;
}

}  // namespace

TEST_CASE("a warm best effort publish allocates nothing") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<std_msgs::Float64MultiArray>("legs", Qos::sensor_data());
  std::atomic<int> heard = 0;
  const auto subscription = listener.subscribe<std_msgs::Float64MultiArray>(
      "legs", Qos::sensor_data(), [&](const auto&, const MessageInfo&) { ++heard; });
  REQUIRE(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
  std_msgs::Float64MultiArray message;
  message.data.assign(6, 0.25);
  CHECK(allocations_per_publish([&] { publisher.publish(message); }) == 0);
  CHECK(eventually([&] { return heard > 0; }));
}

TEST_CASE("a warm reliable publish allocates nothing without a reader and only what Fast DDS does with one") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<std_msgs::Float64MultiArray>("legs");
  std_msgs::Float64MultiArray message;
  message.data.assign(6, 0.25);
  CHECK(allocations_per_publish([&] { publisher.publish(message); }) == 0);
  const auto subscription =
      listener.subscribe<std_msgs::Float64MultiArray>("legs", Qos::standard(), [](const auto&, const MessageInfo&) {});
  REQUIRE(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
  const std::size_t heard = allocations_per_publish([&] { publisher.publish(message); });
  MESSAGE("allocations of Fast DDS per reliable publish with a reader: " << heard);
  CHECK(heard <= 14);  // 10 measured; closures inside its stateful writer
}

}  // namespace tandem::ros2
