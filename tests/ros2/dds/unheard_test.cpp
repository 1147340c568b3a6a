// SPDX-License-Identifier: Apache-2.0
// Publishers without subscriptions: what is volatile never reaches DDS, and whoever comes gets the next sample.
// DDS numbers what it is given, so the number of a sample that arrives says how many it has seen.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/sample_tap.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using std_msgs::String;

struct Arrived {
  Subscription listen(Node& node, const Qos& qos) {
    return node.subscribe<String>("chatter", qos, [this](const String& message, const MessageInfo& info) {
      const std::lock_guard lock(mutex);
      texts.push_back(message.data);
      last = info.sequence;
    });
  }
  bool has(const std::string& text) {
    const std::lock_guard lock(mutex);
    return std::ranges::find(texts, text) != texts.end();
  }
  std::mutex mutex;
  std::vector<std::string> texts;
  std::uint64_t last = 0;
};

class CountingTap final : public SampleTap {
 public:
  std::uint32_t opened(const TappedTopic& topic) override { return topic.topic == "/chatter" ? 1 : 0; }
  void closed(std::uint32_t) override {}
  void passed(std::uint32_t handle, Bytes cdr, UtcTime) noexcept override {
    if (handle == 1) samples += cdr.size() == 4 + 4 + 3 ? 1 : 100;  // header, length, "12" and its NUL
  }
  std::atomic<int> samples = 0;
};

// The number under which DDS sends the first sample that a new subscription gets, after a hundred that no one heard.
std::uint64_t first_number(const Qos& qos, SampleTap* tap = nullptr) {
  ContextOptions options = loopback_options();
  Context there(options);
  options.tap = tap;
  Context here(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<String>("chatter", qos);
  for (int i = 0; i < 100; ++i) REQUIRE(publisher.publish({"12"}));
  CHECK(publisher.wait_for_acknowledgements(1s));
  Arrived arrived;
  const Subscription subscription = arrived.listen(listener, qos);
  REQUIRE(eventually([&] { return publisher.reached() == 1 && subscription.matched() == 1; }));
  REQUIRE(publisher.publish({"13"}));
  REQUIRE(eventually([&] { return arrived.has("13"); }));
  CHECK(arrived.has("12") == (qos.durability == Durability::transient_local));
  return arrived.last;
}

}  // namespace

TEST_CASE("what no one hears reaches DDS only where it is kept for who comes later") {
  CHECK(first_number(Qos::standard()) == 1);
  CHECK(first_number(Qos::sensor_data()) == 1);
  CHECK(first_number(Qos::latched(3)) == 101);
}

TEST_CASE("a tap sees each sample that no one else hears") {
  CountingTap tap;
  CHECK(first_number(Qos::standard(), &tap) == 1);
  CHECK(tap.samples == 101);
}

TEST_CASE("who has just matched gets the next sample while others come and go and a thread publishes") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), near(here, "near"), far(there, "far");
  const auto publisher = talker.advertise<String>("chatter", Qos::standard(100));
  std::jthread busy([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      publisher.publish({"busy"});
      std::this_thread::sleep_for(3ms);
    }
  });
  for (int i = 0; i < 20; ++i) {
    REQUIRE(eventually([&] { return publisher.matched() == 0; }));  // those of the last round have gone
    Arrived first, second;
    const std::string text = std::to_string(i);
    const Subscription one = first.listen(i % 3 == 0 ? near : far, Qos::standard(100));
    const Subscription two = second.listen(i % 3 == 1 ? near : far, Qos::standard(100));
    REQUIRE(eventually([&] { return publisher.matched() == 2 && one.matched() == 1 && two.matched() == 1; }));
    REQUIRE(publisher.publish({text}));
    CHECK(eventually([&] { return first.has(text) && second.has(text); }, 5s));
  }
}

TEST_CASE("a subscription that stays hears on when another one has gone") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<String>("chatter");
  Arrived stays, goes;
  const Subscription one = stays.listen(listener, Qos::standard());
  {
    const Subscription two = goes.listen(listener, Qos::standard());
    REQUIRE(eventually([&] { return publisher.matched() == 2 && one.matched() == 1 && two.matched() == 1; }));
  }
  REQUIRE(eventually([&] { return publisher.matched() == 1; }));
  REQUIRE(publisher.publish({"still"}));
  CHECK(eventually([&] { return stays.has("still"); }));
}

}  // namespace tandem::ros2
