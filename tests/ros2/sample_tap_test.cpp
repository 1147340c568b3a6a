// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/sample_tap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/parameters/local_parameters.hpp"
#include "tests/allocations.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

class Notes final : public SampleTap {
 public:
  struct Sample {
    std::uint32_t handle;
    std::vector<std::uint8_t> cdr;
    UtcTime stamp;
  };

  std::uint32_t opened(const TappedTopic& topic) override {
    const std::lock_guard lock(mutex_);
    topics_[++last_] = topic;
    return last_;
  }
  void closed(std::uint32_t handle) override {
    const std::lock_guard lock(mutex_);
    ended_.insert(handle);
  }
  void passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept override {
    const std::lock_guard lock(mutex_);
    samples_.push_back({handle, {cdr.begin(), cdr.end()}, stamp});
  }

  std::vector<TappedTopic> topics(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    std::vector<TappedTopic> found;
    for (const auto& [handle, topic] : topics_) {
      if (topic.topic == name) found.push_back(topic);
    }
    return found;
  }
  std::vector<Sample> samples(const std::string& name, net::Direction direction) const {
    const std::lock_guard lock(mutex_);
    std::vector<Sample> found;
    for (const Sample& sample : samples_) {
      const TappedTopic& topic = topics_.at(sample.handle);
      if (topic.topic == name && topic.direction == direction) found.push_back(sample);
    }
    return found;
  }
  std::size_t open() const {
    const std::lock_guard lock(mutex_);
    return topics_.size() - ended_.size();
  }
  std::set<std::string> names() const {
    const std::lock_guard lock(mutex_);
    std::set<std::string> found;
    for (const auto& [handle, topic] : topics_) found.insert(topic.topic);
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::uint32_t last_ = 0;
  std::map<std::uint32_t, TappedTopic> topics_;
  std::set<std::uint32_t> ended_;
  std::vector<Sample> samples_;
};

// What a recorder does: a fixed place, no allocation.
class CountingTap final : public SampleTap {
 public:
  std::uint32_t opened(const TappedTopic&) override { return 0; }
  void closed(std::uint32_t) override {}
  void passed(std::uint32_t, Bytes cdr, UtcTime) noexcept override {
    ++samples;
    bytes += cdr.size();
  }
  std::atomic<std::uint64_t> samples = 0, bytes = 0;
};

std_msgs::String string_message(const std::string& text) {
  std_msgs::String message;
  message.data = text;
  return message;
}

}  // namespace

TEST_CASE("a tap sees the bytes of what is published and of what others send but not its own twice") {
  Notes notes;
  ContextOptions options = loopback_options();
  Context there(options);
  options.tap = &notes;
  Context here(options);
  {
    Node ours(here, "ours"), theirs(there, "theirs");
    std::atomic<int> heard = 0, heard_raw = 0, heard_own = 0;
    const auto count = [&](const auto&, const MessageInfo&) { ++heard; };
    const auto subscription = ours.subscribe<std_msgs::String>("chatter", Qos::standard(), count);
    const Subscription unseen = ours.subscribe_raw(
        "/chatter", "std_msgs/msg/String", "", Qos::standard(),
        [&](Bytes, const MessageInfo& info) {
          heard_own += here.is_own(info.publisher) ? 1 : 0;
          ++heard_raw;
        },
        false);
    const auto own = ours.advertise<std_msgs::String>("chatter", Qos::latched(10));
    const auto foreign = theirs.advertise<std_msgs::String>("chatter");
    REQUIRE(eventually([&] {
      return own.matched() == 2 && foreign.matched() == 2 && subscription.matched() == 2 && unseen.matched() == 2;
    }));
    const UtcTime before = system_clock().utc();
    for (int i = 0; i < 3; ++i) REQUIRE(own.publish(string_message("own " + std::to_string(i))));
    for (int i = 0; i < 4; ++i) REQUIRE(foreign.publish(string_message("foreign " + std::to_string(i))));
    REQUIRE(eventually([&] { return heard == 7 && heard_raw == 7; }));
    const auto out = notes.samples("/chatter", net::Direction::out), in = notes.samples("/chatter", net::Direction::in);
    REQUIRE(out.size() == 3);
    REQUIRE(in.size() == 4);
    for (std::size_t i = 0; i < in.size(); ++i) {
      std_msgs::String message;
      REQUIRE(decode(in[i].cdr, message));
      CHECK(message.data == "foreign " + std::to_string(i));
      CHECK(in[i].stamp >= before);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::vector<std::uint8_t> expected;
      REQUIRE(encode(string_message("own " + std::to_string(i)), expected));
      CHECK(out[i].cdr == expected);
      CHECK(out[i].stamp >= before);
    }
    const auto topics = notes.topics("/chatter");
    REQUIRE(topics.size() == 2);  // not the one that is not to be tapped
    CHECK(topics[0].direction == net::Direction::in);
    CHECK_FALSE(topics[0].latched);
    CHECK(topics[1].direction == net::Direction::out);
    CHECK(topics[1].latched);
    CHECK(topics[1].reliable);
    CHECK(topics[1].type == "std_msgs/msg/String");
    CHECK(topics[1].type_hash == type_support<std_msgs::String>().hash);
    CHECK(heard_own == 3);
  }
  CHECK(notes.open() == 0);
}

TEST_CASE("a tap sees the topics of ROS itself but neither services nor the graph") {
  Notes notes;
  ContextOptions options = loopback_options();
  options.tap = &notes;
  Context context(options);
  FullNode node(context, "full");
  const Service<std_srvs::Trigger> service(node, "go", [](const auto&) { return std_srvs::Trigger::Response{}; });
  const Client<std_srvs::Trigger> client(node, "go");
  node.parameters().declare("speed", 1.5);
  node.log(LogLevel::info, "hello");
  REQUIRE(client.call({}, {.timeout = 20s}));
  CHECK(notes.names() == std::set<std::string>{"/parameter_events", "/rosout"});
  CHECK(notes.samples("/rosout", net::Direction::out).size() == 1);
  CHECK(notes.samples("/parameter_events", net::Direction::out).size() >= 1);

  // And the context knows whose parameters there are.
  std::vector<std::string> names;
  context.local_parameters().each([&](const std::string& name, ParameterStore& store) {
    names.push_back(name);
    CHECK(store.value<double>("speed") == 1.5);
  });
  CHECK(names == std::vector<std::string>{"/full"});
}

TEST_CASE("a tapped publish allocates no more than one without a tap") {
  CountingTap tap;
  ContextOptions options = loopback_options();
  options.tap = &tap;
  Context here(options);
  options.tap = nullptr;
  Context there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<std_msgs::Float64MultiArray>("legs", Qos::sensor_data());
  std::atomic<int> heard = 0;
  const auto subscription = listener.subscribe<std_msgs::Float64MultiArray>(
      "legs", Qos::sensor_data(), [&](const auto&, const MessageInfo&) { ++heard; });
  REQUIRE(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
  std_msgs::Float64MultiArray message;
  message.data.assign(6, 0.25);
  for (int i = 0; i < 50; ++i) publisher.publish(message);
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) publisher.publish(message);
  CHECK((allocations - before) < 1000);
  CHECK(tap.samples == 1050);
  CHECK(tap.bytes == 1050 * encoded_size(message));
}

}  // namespace tandem::ros2
