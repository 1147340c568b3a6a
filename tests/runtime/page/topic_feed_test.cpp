// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/topic_feed.hpp"

#include <doctest/doctest.h>

#include <random>
#include <thread>

#include "tests/allocations.hpp"

namespace tandem::runtime {
namespace {

using Heard = std::vector<std::pair<std::string, std::string>>;

Heard take_all(TopicFeed& feed) {
  Heard heard;
  feed.take([&](const std::string& topic, Bytes cdr, UtcTime) {
    heard.emplace_back(topic, std::string(cdr.begin(), cdr.end()));
  });
  return heard;
}

ros2::TappedTopic tapped(const std::string& name, bool latched = false) {
  return {name, "std_msgs/msg/String", "", net::Direction::out, true, latched};
}

}  // namespace

TEST_CASE("only what is wanted or latched is copied and in order") {
  TopicFeed feed(4096);
  feed.keep("/always");
  const auto a = feed.opened(tapped("/a")), b = feed.opened(tapped("/b", true)), c = feed.opened(tapped("/always"));
  ros2::TappedTopic in = tapped("/a", true);
  in.direction = net::Direction::in;
  const auto received = feed.opened(in);
  CHECK(feed.take_news());
  CHECK_FALSE(feed.take_news());
  const auto pass = [&] {
    feed.passed(a, as_bytes("1"), {});
    feed.passed(b, as_bytes("2"), {});
    feed.passed(c, as_bytes("3"), {});
    feed.passed(received, as_bytes("4"), {});
  };
  pass();
  CHECK(take_all(feed) == Heard{{"/b", "2"}, {"/always", "3"}});
  feed.want("/a", true);
  feed.want("/b", true);
  pass();
  CHECK(take_all(feed) == Heard{{"/a", "1"}, {"/b", "2"}, {"/always", "3"}});
  for (const char* topic : {"/a", "/b", "/always"}) feed.want(topic, false);
  pass();
  CHECK(take_all(feed) == Heard{{"/b", "2"}, {"/always", "3"}});

  const TopicFeed::Source far = feed.add("/far");
  feed.put(far, as_bytes("5"), {});
  CHECK(take_all(feed) == Heard{{"/far", "5"}});
  feed.put(far, as_bytes("6"), {});
  feed.remove(far);  // nobody listens any more, and what others said meanwhile may not hold
  feed.put(far, as_bytes("7"), {});
  CHECK(take_all(feed).empty());
}

TEST_CASE("what was published before its publisher ended is still told under its name") {
  TopicFeed feed(4096);
  feed.want("/a", true);
  feed.want("/b", true);
  const auto a = feed.opened(tapped("/a"));
  feed.passed(a, as_bytes("last"), {});
  feed.closed(a);
  const auto b = feed.opened(tapped("/b"));
  CHECK(b == a);  // the place is used again
  feed.passed(b, as_bytes("first"), {});
  CHECK(take_all(feed) == Heard{{"/a", "last"}, {"/b", "first"}});
  feed.passed(b, as_bytes("second"), {});
  CHECK(take_all(feed) == Heard{{"/b", "second"}});
}

TEST_CASE("what comes as fast as it is taken does not hold the one who takes") {
  TopicFeed feed(1u << 20);
  const auto source = feed.opened(tapped("/far", true));
  std::size_t put = 0;
  const auto put_one = [&] { feed.passed(source, as_bytes(std::to_string(put++)), {}); };
  put_one();
  std::size_t heard = 0;
  const auto take = [&](bool more) {
    feed.take([&](const std::string& topic, Bytes cdr, UtcTime) {
      REQUIRE(topic == "/far");
      REQUIRE(std::string(cdr.begin(), cdr.end()) == std::to_string(heard));
      ++heard;
      if (more && put < 3 * TopicFeed::most_taken) put_one();
    });
  };
  take(true);
  CHECK(heard == TopicFeed::most_taken);
  while (put < heard + 2 * TopicFeed::most_taken) put_one();
  feed.closed(source);  // what it said before is still told under its name
  for (int i = 0; i < 3; ++i) take(false);
  CHECK(heard == put);
  CHECK(feed.dropped() == 0);
}

TEST_CASE("more publishers than there are places are only not seen") {
  TopicFeed feed(4096);
  std::vector<std::uint32_t> handles;
  for (std::size_t i = 0; i < TopicFeed::most_topics + 10; ++i) handles.push_back(feed.opened(tapped("/a", true)));
  feed.passed(handles.back(), as_bytes("x"), {});
  CHECK(take_all(feed).empty());
  for (const std::uint32_t handle : handles) feed.closed(handle);
  feed.passed(feed.opened(tapped("/b", true)), as_bytes("y"), {});
  CHECK(take_all(feed) == Heard{{"/b", "y"}});
}

TEST_CASE("a full ring loses the newest and counts them and nothing allocates on the way in") {
  TopicFeed feed(1024);
  const auto a = feed.opened(tapped("/a", true));
  const std::string sample(100, 'x');
  const std::size_t before = allocations;
  for (int i = 0; i < 100; ++i) feed.passed(a, as_bytes(sample), {});
  CHECK(allocations == before);
  const std::size_t heard = take_all(feed).size();
  CHECK(heard > 4);
  CHECK(heard + feed.dropped() == 100);
}

TEST_CASE("publishers come and go in threads while the page listens and nothing is told under a wrong name") {
  TopicFeed feed(1u << 16);
  std::atomic<int> running = 3;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&feed, &running, t] {
      const std::string name = "/" + std::to_string(t);
      for (int i = 0; i < 300; ++i) {
        const auto handle = feed.opened(tapped(name, i % 2 == 0));
        for (int j = 0; j < 5; ++j) feed.passed(handle, as_bytes(name), {});
        feed.closed(handle);
      }
      --running;
    });
  }
  std::mt19937_64 random(1);
  std::size_t heard = 0;
  bool right = true;
  const auto each = [&](const std::string& topic, Bytes cdr, UtcTime) {
    ++heard;
    right = right && std::string(cdr.begin(), cdr.end()) == topic;
  };
  while (running > 0) {
    feed.want("/" + std::to_string(random() % 3), random() % 2 == 0);
    feed.take(each);
  }
  feed.take(each);
  CHECK(right);
  CHECK(heard + feed.dropped() >= 3u * 150 * 5);
}

}  // namespace tandem::runtime
