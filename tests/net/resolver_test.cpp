// SPDX-License-Identifier: Apache-2.0
// Names are looked up within the caller's deadline, whatever the resolver does.
#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tandem/net/resolver.hpp"
#include "tandem/net/socket.hpp"
#include "tests/deadline.hpp"

using namespace tandem;
using namespace tandem::net;

namespace {

// Takes the resolver's place and answers only when it is let go. Its threads may outlive it.
class DeadResolver {
 public:
  DeadResolver() {
    before_ = replace_lookup([shared = shared_](const std::string& host) -> Result<std::uint32_t> {
      ++shared->asked;
      std::unique_lock lock(shared->mutex);
      shared->changed.wait(lock, [&] { return shared->open; });
      if (host.starts_with("unknown")) return Error{Fault::unreachable, host + " is unknown"};
      return 0x7F000001;
    });
  }
  ~DeadResolver() {
    let_go();
    // Until there is room again; under a name that no answer is kept for.
    static std::atomic<int> number{0};
    const std::string name = "end" + std::to_string(++number) + ".test";
    while (!resolve(name, 1, soon()).ok()) std::this_thread::sleep_for(1ms);
    replace_lookup(std::move(before_));
  }
  void let_go() {
    const std::lock_guard lock(shared_->mutex);
    shared_->open = true;
    shared_->changed.notify_all();
  }
  int asked() { return shared_->asked; }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
    std::atomic<int> asked{0};
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  Lookup before_;
};

}  // namespace

TEST_CASE("a dead name server costs no more than the deadline") {
  DeadResolver dead;
  const Instant begun = now();
  const auto endpoint = resolve("plc.dead.test", 48898, begun + 50ms);
  REQUIRE_FALSE(endpoint.ok());
  CHECK(endpoint.error().fault == Fault::timeout);
  CHECK(endpoint.error().text.find("plc.dead.test") != std::string::npos);
  const auto socket = TcpSocket::connect("plc.dead.test", 48898, now() + 50ms);
  REQUIRE_FALSE(socket.ok());
  CHECK(socket.error().fault == Fault::timeout);
  CHECK_FALSE(TcpListener::listen("plc.dead.test", 0).ok());
  CHECK_FALSE(UdpSocket::bind("plc.dead.test", 0).ok());
  CHECK(now() - begun < 10s);
}

TEST_CASE("a literal address is never looked up") {
  DeadResolver dead;
  CHECK(resolve("10.1.2.3", 7, Instant{}).value().text() == "10.1.2.3:7");
  CHECK(resolve("localhost", 7, Instant{}).value().host() == "127.0.0.1");
  CHECK(dead.asked() == 0);
}

TEST_CASE("many attempts at one name are one lookup, and its late answer serves the next attempt") {
  DeadResolver dead;
  for (int i = 0; i < 20; ++i) CHECK_FALSE(resolve("plc.late.test", 502, now() + 2ms).ok());
  std::vector<std::thread> others;
  std::atomic<int> found{0};
  for (int i = 0; i < 8; ++i) {
    others.emplace_back([&] { found += resolve("plc.late.test", 502, soon()).ok(); });
  }
  dead.let_go();
  for (std::thread& other : others) other.join();
  CHECK(found == 8);
  CHECK(resolve("plc.late.test", 502, soon()).value().text() == "127.0.0.1:502");
  CHECK(dead.asked() == 1);
}

TEST_CASE("names that are never answered do not pile up threads") {
  DeadResolver dead;
  int busy = 0;
  for (int i = 0; i < 40; ++i) {
    const auto endpoint = resolve("host" + std::to_string(i) + ".pile.test", 1, Instant{});
    REQUIRE_FALSE(endpoint.ok());
    busy += endpoint.error().fault == Fault::busy;
  }
  CHECK(busy >= 40 - 16);
  CHECK(busy < 40);
}

TEST_CASE("an unknown name is asked for again at the next attempt") {
  DeadResolver dead;
  dead.let_go();
  for (int i = 1; i <= 2; ++i) {
    const auto endpoint = resolve("unknown.test", 1, soon());
    REQUIRE_FALSE(endpoint.ok());
    CHECK(endpoint.error().fault == Fault::unreachable);
    CHECK(dead.asked() == i);
  }
}
