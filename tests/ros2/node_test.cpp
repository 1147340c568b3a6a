// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/node.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "tandem/base/latest.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using std_msgs::Float64MultiArray;
using std_msgs::String;

// Keeps every text that arrives.
struct Heard {
  void operator()(const String& message, const MessageInfo& info) {
    const std::lock_guard lock(mutex);
    texts.push_back(message.data);
    last = info;
  }
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return texts.size();
  }
  std::mutex mutex;
  std::vector<std::string> texts;
  MessageInfo last;
};

Subscription listen(Node& node, std::string_view topic, const Qos& qos, Heard& heard) {
  return node.subscribe<String>(topic, qos, [&heard](const String& m, const MessageInfo& i) { heard(m, i); });
}

}  // namespace

TEST_CASE("two contexts on loopback exchange messages in order and complete") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker", "lab"), listener(there, "listener");
  const auto publisher = talker.advertise<String>("chatter");
  Heard heard;
  const Subscription subscription = listen(listener, "/lab/chatter", Qos::standard(), heard);
  REQUIRE(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
  for (int i = 0; i < 200; ++i) {
    REQUIRE(publisher.publish({std::to_string(i)}));
    // Acknowledgements come with the heartbeats only, so look at what arrived; the history holds ten.
    if (i % 5 == 4) REQUIRE(eventually([&] { return heard.count() == static_cast<std::size_t>(i + 1); }));
  }
  CHECK(publisher.wait_for_acknowledgements(10s));
  for (int i = 0; i < 200; ++i) CHECK(heard.texts[static_cast<std::size_t>(i)] == std::to_string(i));
  CHECK(heard.last.sequence == 200);
  CHECK(std::chrono::abs(heard.last.sent - system_clock().utc()) < 60s);
  CHECK(publisher.topic() == "/lab/chatter");
}

TEST_CASE("a publisher and a subscription of one context hear each other") {
  Context context(loopback_options());
  Node node(context, "both");
  Heard heard;
  const Subscription subscription = listen(node, "~/self", Qos::standard(), heard);
  const auto publisher = node.advertise<String>("~/self");
  CHECK(subscription.topic() == "/both/self");
  REQUIRE(eventually([&] { return publisher.matched() == 1; }));
  REQUIRE(publisher.publish({"hello"}));
  CHECK(eventually([&] { return heard.count() == 1; }));
}

TEST_CASE("a callback never runs in the thread that publishes") {
  Context context(loopback_options());
  Node node(context, "node");
  std::atomic<std::thread::id> where{};
  const Subscription subscription = node.subscribe<String>(
      "a", Qos::standard(), [&](const String&, const MessageInfo&) { where = std::this_thread::get_id(); });
  const auto publisher = node.advertise<String>("a");
  REQUIRE(eventually([&] { return publisher.matched() == 1; }));
  REQUIRE(publisher.publish({"x"}));
  REQUIRE(eventually([&] { return where.load() != std::thread::id{}; }));
  CHECK(where.load() != std::this_thread::get_id());
}

TEST_CASE("a late subscriber gets the latched value") {
  const ContextOptions options = loopback_options();
  Context here(options);
  Node node(here, "early");
  const auto publisher = node.advertise<String>("/robot_description", Qos::latched());
  REQUIRE(publisher.publish({"old"}));
  REQUIRE(publisher.publish({"new"}));
  Context there(options);
  Node late(there, "late");
  Heard heard;
  const Subscription subscription = listen(late, "/robot_description", Qos::latched(), heard);
  REQUIRE(eventually([&] { return heard.count() > 0; }));
  CHECK(heard.texts.front() == "new");
}

TEST_CASE("a mebibyte arrives whole") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<Float64MultiArray>("big");
  Latest<double> sum;
  const Subscription subscription = listener.subscribe<Float64MultiArray>(
      "big", Qos::standard(), [&](const Float64MultiArray& m, const MessageInfo&) {
        sum.put(m.data.size() == 131072 ? m.data.front() + m.data.back() : -1.0);
      });
  REQUIRE(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
  Float64MultiArray message;
  message.data.assign(131072, 0.25);
  message.data.back() = 2.0;
  REQUIRE(publisher.publish(message));
  REQUIRE(eventually([&] { return sum.get().has_value(); }));
  CHECK(*sum.get() == doctest::Approx(2.25));
}

TEST_CASE("raw bytes of a typed publisher can be recorded and sent again") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), recorder(there, "recorder");
  const TypeSupport& type = type_support<String>();
  std::mutex mutex;
  std::vector<std::uint8_t> recorded;
  const Subscription subscription =
      recorder.subscribe_raw("in", type.name, type.hash, Qos::standard(), [&](Bytes bytes, const MessageInfo&) {
        const std::lock_guard lock(mutex);
        recorded.assign(bytes.begin(), bytes.end());
      });
  const auto publisher = talker.advertise<String>("in");
  Heard heard;
  const Subscription back = listen(talker, "out", Qos::standard(), heard);
  const RawPublisher again = recorder.advertise_raw("out", type.name, type.hash);
  REQUIRE(eventually([&] { return publisher.matched() == 1 && again.matched() == 1 && back.matched() == 1; }));
  REQUIRE(publisher.publish({"taped"}));
  REQUIRE(eventually([&] {
    const std::lock_guard lock(mutex);
    return !recorded.empty();
  }));
  CHECK_FALSE(again.publish(Bytes(recorded).first(3)));
  REQUIRE(again.publish(recorded));
  REQUIRE(eventually([&] { return heard.count() == 1; }));
  CHECK(heard.texts.front() == "taped");
}

TEST_CASE("bytes that are no such message are dropped and told and the next one arrives") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const TypeSupport& type = type_support<String>();
  const RawPublisher publisher = talker.advertise_raw("chatter", type.name, type.hash);
  Heard heard;
  const Subscription subscription = listen(listener, "chatter", Qos::standard(), heard);
  REQUIRE(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
  const std::vector<std::vector<std::uint8_t>> wrong = {
      {0, 7, 0, 0, 1, 0, 0, 0, 0},                    // XCDR2
      {0, 3, 0, 0, 1, 0, 0, 0},                       // parameter list
      {0, 1, 0, 0},                                   // nothing
      {0, 1, 0, 0, 255, 255, 255, 255, 'a'},          // a length that lies
      {0, 1, 0, 0, 2, 0, 0, 0, 'a', 'b', 0, 0, 0, 0}  // no NUL
  };
  for (const auto& bytes : wrong) REQUIRE(publisher.publish(bytes));
  REQUIRE(publisher.publish(std::vector<std::uint8_t>{0, 1, 0, 0, 3, 0, 0, 0, 'o', 'k', 0}));
  REQUIRE(eventually([&] { return heard.count() == 1; }));
  CHECK(heard.texts.front() == "ok");
  CHECK(subscription.malformed() == wrong.size());
  const auto events = there.take_events();
  const auto told = std::ranges::find(events, Event::Kind::malformed_sample, &Event::kind);
  REQUIRE(told != events.end());
  CHECK(told->text.find("plain CDR") != std::string::npos);
}

TEST_CASE("a reliable subscriber of a best effort publisher is told in words on both sides") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<String>("chatter", Qos::sensor_data());
  Heard heard;
  const Subscription subscription = listen(listener, "chatter", Qos::latched(), heard);
  std::string ours, theirs;
  const auto collect = [](Context& context, std::string& text) {
    for (const Event& event : context.take_events()) {
      if (event.kind == Event::Kind::incompatible_qos) text += event.text;
    }
    return !text.empty();
  };
  REQUIRE(eventually([&] { return collect(here, ours); }));
  REQUIRE(eventually([&] { return collect(there, theirs); }));
  for (const std::string& text : {ours, theirs}) {
    INFO(text);
    CHECK(text.find("/chatter") != std::string::npos);
    CHECK(text.find("asks for reliable") != std::string::npos);
    CHECK(text.find("offers best effort") != std::string::npos);
    CHECK(text.find("asks for transient local") != std::string::npos);
  }
  CHECK(ours.find("the subscriber /listener asks for reliable, our publisher offers best effort") != std::string::npos);
  CHECK(theirs.find("our subscriber asks for reliable, the publisher /talker offers best effort") != std::string::npos);
  CHECK(publisher.matched() == 0);
}

TEST_CASE("two types on one topic are told and refused within one context") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<String>("chatter");
  CHECK_THROWS_AS(talker.advertise<Float64MultiArray>("chatter"), std::invalid_argument);
  const auto other = listener.advertise<Float64MultiArray>("chatter");
  CHECK(eventually([&] {
    const auto events = here.take_events();
    return std::ranges::any_of(events, [](const Event& event) {
      return event.kind == Event::Kind::incompatible_type &&
             event.text.find("std_msgs/msg/Float64MultiArray") != std::string::npos;
    });
  }));
}

TEST_CASE("wrong names and options throw before anything runs") {
  ContextOptions options = loopback_options();
  Context context(options);
  CHECK_THROWS_AS(Node(context, "no spaces"), std::invalid_argument);
  CHECK_THROWS_AS(Node(context, "node", "/a//b"), std::invalid_argument);
  Node node(context, "node");
  CHECK_THROWS_AS(node.advertise<String>("/ends/"), std::invalid_argument);
  CHECK_THROWS_AS(node.advertise<String>("a", Qos::standard(0)), std::invalid_argument);
  CHECK_THROWS_AS(node.advertise_raw("a", "String", ""), std::invalid_argument);
  options.domain = 233;
  CHECK_THROWS_AS(Context{options}, std::invalid_argument);
}

TEST_CASE("the fortieth context of a process is found as the first was") {
  const ContextOptions options = loopback_options();
  for (int i = 0; i < 40; ++i) Context{options};
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<String>("chatter");
  Heard heard;
  const Subscription subscription = listen(listener, "chatter", Qos::standard(), heard);
  CHECK(eventually([&] { return publisher.matched() == 1 && subscription.matched() == 1; }));
}

TEST_CASE("handles outlive their node and context and go in any order") {
  auto context = std::make_unique<Context>(loopback_options());
  auto node = std::make_unique<Node>(*context, "node");
  Heard heard;
  auto subscription = std::make_unique<Subscription>(listen(*node, "a", Qos::standard(), heard));
  const auto publisher = node->advertise<String>("a");
  context.reset();
  node.reset();
  REQUIRE(eventually([&] { return publisher.matched() == 1; }));
  CHECK(publisher.publish({"still here"}));
  CHECK(eventually([&] { return heard.count() == 1; }));
  subscription.reset();
  CHECK(publisher.publish({"to nobody"}));
}

TEST_CASE("subscriptions come and go while messages flow") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node talker(here, "talker"), listener(there, "listener");
  const auto publisher = talker.advertise<String>("chatter");
  std::jthread flood([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      publisher.publish({"message"});
      std::this_thread::sleep_for(200us);
    }
  });
  for (int round = 0; round < 15; ++round) {
    Heard heard;
    const Subscription subscription = listen(listener, "chatter", Qos::standard(), heard);
    const bool came = eventually([&] { return heard.count() > 0; });
    INFO("round " << round << ", matched here " << publisher.matched() << ", there " << subscription.matched());
    REQUIRE(came);
  }
}

}  // namespace tandem::ros2
