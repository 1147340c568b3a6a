// SPDX-License-Identifier: Apache-2.0
// A network that loses datagrams: what is reliable arrives all the same, in order and in bounded time.
//
// The functions of the C library that send are replaced by ones that lose what goes to the ports of topics: samples,
// heartbeats and acknowledgements. Discovery has even ports and is left alone.
#include <doctest/doctest.h>
#include <fastrtps/attributes/LibrarySettingsAttributes.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>
#include <numeric>
#include <random>

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tests/ros2/loopback.hpp"

namespace {

struct Loss {
  // Whether this datagram is to be lost.
  bool takes(const void* address) {
    sockaddr_in to{};
    std::memcpy(&to, address, sizeof to);
    if (to.sin_family != AF_INET || ntohs(to.sin_port) % 2 == 0) return false;
    const std::lock_guard lock(mutex);
    const bool lost = next > 0 || percent(random) < rate;
    if (next > 0) --next;
    (lost ? dropped : passed) += 1;
    return lost;
  }
  void start(int of_hundred, int first = 0) {
    const std::lock_guard lock(mutex);
    rate = of_hundred;
    next = first;
    dropped = passed = 0;
  }

  std::mutex mutex;
  std::mt19937 random{7};
  std::uniform_int_distribution<int> percent{0, 99};
  int rate = 0;  // of 100
  int next = 0;  // that many are lost first
  int dropped = 0, passed = 0;
};

Loss& loss() {
  static Loss all;
  return all;
}

}  // namespace

extern "C" ssize_t sendto(int socket, const void* bytes, size_t size, int flags, const sockaddr* to, socklen_t length) {
  if (to != nullptr && length >= sizeof(sockaddr_in) && loss().takes(to)) return static_cast<ssize_t>(size);
  return syscall(SYS_sendto, socket, bytes, size, flags, to, length);
}

extern "C" ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  if (message->msg_name != nullptr && message->msg_namelen >= sizeof(sockaddr_in) && loss().takes(message->msg_name)) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < message->msg_iovlen; ++i) size += message->msg_iov[i].iov_len;
    return static_cast<ssize_t>(size);
  }
  return syscall(SYS_sendmsg, socket, message, flags);
}

namespace tandem::ros2 {
namespace {

using std_msgs::Int64;

ContextOptions options_of(const std::string& kind) {
  eprosima::fastrtps::LibrarySettingsAttributes settings;
  settings.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;  // else nothing would be on the wire
  eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(settings);
  ContextOptions options = loopback_options();
  if (kind == "remote") options.static_peers = {"127.0.0.2"};  // of other computers, for all that Tandem knows
  return options;
}

// A publisher and a subscription in two participants that have found each other.
class Pair {
 public:
  Pair(const std::string& kind, const Qos& qos)
      : options_(options_of(kind)),
        publisher_(talker_.advertise<Int64>("count", qos)),
        subscription_(listener_.subscribe<Int64>("count", qos, [this](const Int64& message, const MessageInfo& info) {
          const std::lock_guard lock(mutex_);
          order_.push_back(message.data);
          longest_ = std::max(longest_, info.received - sent_[message.data]);
        })) {
    REQUIRE(eventually([&] { return publisher_.reached() == 1 && subscription_.matched() == 1; }));
    publish(0);
    REQUIRE(arrived(1, 10s));
  }
  void publish(std::int64_t number) {
    {
      const std::lock_guard lock(mutex_);
      sent_[number] = std::chrono::steady_clock::now();
    }
    REQUIRE(publisher_.publish({number}));
  }
  bool arrived(std::size_t count, Duration deadline) {
    return eventually(
        [&] {
          const std::lock_guard lock(mutex_);
          return order_.size() >= count;
        },
        deadline);
  }
  std::vector<std::int64_t> order() {
    const std::lock_guard lock(mutex_);
    return order_;
  }
  Duration longest() {
    const std::lock_guard lock(mutex_);
    return longest_;
  }

 private:
  ContextOptions options_;
  Context here_{options_}, there_{options_};
  Node talker_{here_, "talker"}, listener_{there_, "listener"};
  std::mutex mutex_;
  std::vector<std::int64_t> order_;
  std::map<std::int64_t, Instant> sent_;
  Duration longest_{};
  Publisher<Int64> publisher_;
  Subscription subscription_;
};

}  // namespace

TEST_CASE("a lost last sample is sent again") {
  for (const std::string kind : {"local", "remote"}) {
    CAPTURE(kind);
    Pair pair(kind, Qos::standard());
    for (int i = 1; i <= 5; ++i) {
      loss().start(0, 1);
      pair.publish(i);
      REQUIRE(pair.arrived(static_cast<std::size_t>(i) + 1, 10s));
      CHECK(loss().dropped == 1);
    }
    // A heartbeat comes after 200 ms; the rest is what a loaded machine takes.
    CHECK(pair.longest() < 2s);
    MESSAGE(kind << ": at most " << seconds(pair.longest()) << " s");
  }
}

TEST_CASE("with a fifth of all datagrams lost a stream is complete and in order") {
  constexpr int count = 300;
  for (const std::string kind : {"local", "remote"}) {
    CAPTURE(kind);
    Pair pair(kind, Qos::standard(count + 1));  // what the history does not hold cannot be sent again
    loss().start(20);
    for (int i = 1; i <= count; ++i) {
      pair.publish(i);
      std::this_thread::sleep_for(2ms);
    }
    const bool all = pair.arrived(count + 1, 20s);
    CHECK(loss().dropped > 50);
    loss().start(0);
    REQUIRE(all);
    std::vector<std::int64_t> expected(count + 1);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(pair.order() == expected);
    CHECK(pair.longest() < 5s);
    MESSAGE(kind << ": at most " << seconds(pair.longest()) << " s");
  }
}

}  // namespace tandem::ros2
