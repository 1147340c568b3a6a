// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/stepped_time.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tandem/base/thread.hpp"

using namespace tandem;

namespace {

struct File {
  explicit File(int fd) : fd(fd) {}
  ~File() { ::close(fd); }
  File(const File&) = delete;
  const int fd;
};

double since_origin() { return seconds(now() - SteppedTime::origin); }
void sleep_for(Duration duration) { system_clock().sleep_until(now() + duration); }

}  // namespace

TEST_CASE("stepped time begins at its origin, jumps over sleeps, and is real again when it ends") {
  const Instant before = now();
  {
    const SteppedTime time;
    CHECK(SteppedTime::active());
    CHECK(SteppedTime::takes_part());
    CHECK(now() == SteppedTime::origin);
    CHECK(system_clock().utc() == SteppedTime::utc_origin);
    sleep_for(1000h);
    CHECK(since_origin() == doctest::Approx(3600e3).epsilon(1e-9));
    CHECK(system_clock().utc() - SteppedTime::utc_origin == now() - SteppedTime::origin);
    CHECK_THROWS_AS(SteppedTime(), std::logic_error);
  }
  CHECK_FALSE(SteppedTime::active());
  CHECK(now() - before < 100h);
}

TEST_CASE("threads that sleep have their turns in the order of their deadlines") {
  std::string order;
  {
    const SteppedTime time;
    std::vector<Thread> threads;
    for (const auto& [name, after] : {std::pair{'a', 30ms}, std::pair{'b', 10ms}, std::pair{'c', 20ms}})
      threads.emplace_back(std::string(1, name), [&order, name, after](auto) {
        for (int i = 0; i < 3; ++i) {
          sleep_for(after);
          order += name;
        }
      });
    for (Thread& thread : threads) thread.join();
    CHECK(since_origin() == doctest::Approx(0.09).epsilon(1e-2));
  }
  // b: 10 20 30, c: 20 40 60, a: 30 60 90 ms; a turn takes a microsecond, so that who slept later is later.
  CHECK(order.size() == 9);
  CHECK(order.front() == 'b');
  CHECK(order.back() == 'a');
}

TEST_CASE("a run with threads, sleeps and sockets is the same each time") {
  const auto run = [] {
    std::string seen;  // by one thread at a time
    const SteppedTime time;
    std::array<int, 2> pair{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
    const File in(pair[0]), out(pair[1]);
    std::vector<Thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back(fmt::format("writer {}", i), [&, i](auto) {
        for (int k = 0; k < 50; ++k) {
          sleep_for((1 + (7 * i + 3 * k) % 5) * 1ms);
          const char letter = static_cast<char>('a' + i);
          CHECK(::write(out.fd, &letter, 1) == 1);
        }
      });
    threads.emplace_back("reader", [&](auto) {
      for (int k = 0; k < 200; ++k) {
        pollfd watched{.fd = in.fd, .events = POLLIN, .revents = 0};
        CHECK(SteppedTime::wait({&watched, 1}, Instant::max()) == 1);
        char letter = 0;
        CHECK(::read(in.fd, &letter, 1) == 1);
        seen += fmt::format("{}{} ", letter, now().time_since_epoch().count());
      }
    });
    threads.clear();
    return seen;
  };
  const std::string first = run();
  CHECK(first.size() > 400);
  for (int i = 0; i < 5; ++i) CHECK(run() == first);
}

TEST_CASE("what is sent on loopback is there before time goes on") {
  const SteppedTime time;
  const File a(::socket(AF_INET, SOCK_DGRAM, 0)), b(::socket(AF_INET, SOCK_DGRAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(b.fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::getsockname(b.fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  for (int i = 0; i < 300; ++i) {
    const char byte = 'x';
    REQUIRE(::sendto(a.fd, &byte, 1, 0, reinterpret_cast<sockaddr*>(&address), size) == 1);
    const Instant sent = now();
    pollfd watched{.fd = b.fd, .events = POLLIN, .revents = 0};
    CHECK(SteppedTime::wait({&watched, 1}, now() + 1s) == 1);
    CHECK(now() - sent == 1us);
    char got = 0;
    CHECK(::recv(b.fd, &got, 1, 0) == 1);
  }
}

TEST_CASE("a wait ends at its deadline, by its descriptor, or when its condition holds") {
  const SteppedTime time;
  const File bell(::eventfd(0, EFD_NONBLOCK));
  bool done = false;
  Thread other("other", [&](auto) {
    sleep_for(50ms);
    ::eventfd_write(bell.fd, 1);
    sleep_for(50ms);
    done = true;
  });
  pollfd watched{.fd = bell.fd, .events = POLLIN, .revents = 0};
  CHECK(SteppedTime::wait({&watched, 1}, now() + 20ms) == 0);
  CHECK(since_origin() == doctest::Approx(0.02).epsilon(0.01));
  CHECK(SteppedTime::wait({&watched, 1}, now() + 1s) == 1);
  CHECK(since_origin() == doctest::Approx(0.05).epsilon(0.01));
  SteppedTime::wait({}, now() + 1s, [&] { return done; });
  CHECK(since_origin() == doctest::Approx(0.1).epsilon(0.01));
}

TEST_CASE("a loop that only looks at the clock between its waits comes to its end") {
  const SteppedTime time;
  const Instant end = now() + 2ms;
  while (now() < end) SteppedTime::wait({}, {});
  CHECK(now() - end < 10us);
}

TEST_CASE("threads begin in the order in which they are made, and one that is joined has ended") {
  const SteppedTime time;
  std::string order;
  for (int round = 0; round < 20; ++round) {
    Thread a("a", [&](auto) { order += 'a'; });
    Thread b("b", [&](auto) {
      Thread inner("c", [&](auto) {
        sleep_for(1ms);
        order += 'c';
      });
      order += 'b';
    });
    sleep_for(5ms);
    order += '.';
  }
  std::string expected;
  for (int round = 0; round < 20; ++round) expected += "abc.";
  CHECK(order == expected);
}

TEST_CASE("a thread that is asked to stop, or replaced, is waited for") {
  const SteppedTime time;
  int turns = 0;
  Thread thread("first", [&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      sleep_for(10ms);
      ++turns;
    }
  });
  sleep_for(95ms);
  thread = Thread("second", [&](auto) { turns += 1000; });
  thread.join();
  CHECK(turns == 1010);
}

TEST_CASE("an exception between threads leaves none behind") {
  int ended = 0;
  try {
    const SteppedTime time;
    const Thread thread("one", [&](const std::stop_token& stop) {
      while (!stop.stop_requested()) sleep_for(1ms);
      ++ended;
    });
    sleep_for(10ms);
    throw std::runtime_error("planned");
  } catch (const std::runtime_error&) {
  }
  CHECK(ended == 1);
  CHECK_FALSE(SteppedTime::active());
}

TEST_CASE("when all wait without a deadline, what comes from outside still wakes them") {
  const SteppedTime time;
  const File bell(::eventfd(0, EFD_NONBLOCK));
  std::atomic<bool> said{false};
  std::jthread outside([&] {
    std::this_thread::sleep_for(20ms);
    ::eventfd_write(bell.fd, 1);
    std::this_thread::sleep_for(20ms);
    said = true;
  });
  pollfd watched{.fd = bell.fd, .events = POLLIN, .revents = 0};
  CHECK(SteppedTime::wait({&watched, 1}, Instant::max()) == 1);
  SteppedTime::wait({}, Instant::max(), [&] { return said.load(); });
  CHECK(since_origin() < 1e-3);
}

TEST_CASE("a thread that takes no part sleeps until the simulated moment") {
  const SteppedTime time;
  std::atomic<bool> over{false};
  Instant woken{};
  std::jthread outside([&] {
    CHECK_FALSE(SteppedTime::takes_part());
    system_clock().sleep_until(SteppedTime::origin + 1h);
    woken = now();
    over = true;
  });
  sleep_for(30min);
  CHECK_FALSE(over.load());
  sleep_for(31min);
  outside.join();
  CHECK(woken >= SteppedTime::origin + 1h);
}

TEST_CASE("a limited speed holds simulated time back") {
  const Instant before = real_now();
  {
    const SteppedTime time(SteppedTime::Options{.speed = 10});
    sleep_for(500ms);
  }
  CHECK(real_now() - before >= 49ms);
}

TEST_CASE("without stepped time a thread is an ordinary one") {
  std::atomic<int> turns{0};
  {
    Thread thread("any", [&](const std::stop_token& stop) {
      CHECK_FALSE(SteppedTime::takes_part());
      while (!stop.stop_requested()) {
        ++turns;
        std::this_thread::sleep_for(1ms);
      }
    });
    while (turns < 3) std::this_thread::sleep_for(1ms);
  }
  CHECK(turns >= 3);
}
