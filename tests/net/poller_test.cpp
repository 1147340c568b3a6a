// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/poller.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <set>
#include <vector>

namespace tandem::net {
namespace {

struct PolledPair {
  explicit PolledPair(TcpListener& listener)
      : near(*TcpSocket::connect("127.0.0.1", listener.local().port, now() + 5s)), far(*listener.accept(now() + 5s)) {}
  TcpSocket near, far;
};

}  // namespace

TEST_CASE("a poller names all sockets that are ready and no other") {
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  std::vector<std::unique_ptr<PolledPair>> pairs;
  Poller poller;
  for (int i = 0; i < 100; ++i) {
    pairs.push_back(std::make_unique<PolledPair>(*listener));
    REQUIRE(poller.add(pairs.back()->near.fd(), pairs.back().get()));
  }
  CHECK(poller.wait(now()).empty());
  const std::array<std::uint8_t, 1> byte{7};
  std::set<void*> expected, got;
  for (std::size_t i = 0; i < pairs.size(); i += 3) {
    REQUIRE(pairs[i]->far.write_all(byte, now() + 5s));
    expected.insert(pairs[i].get());
  }
  for (int i = 0; i < 1000 && got.size() < expected.size(); ++i) {
    for (void* key : poller.wait(now() + 10ms)) {
      std::array<std::uint8_t, 8> room{};
      CHECK(static_cast<PolledPair*>(key)->near.read_now(room));
      got.insert(key);
    }
  }
  CHECK(got == expected);
  CHECK(poller.wait(now()).empty());
}

TEST_CASE("a poller waits until its deadline and no longer reports what was removed") {
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  PolledPair pair(*listener);
  Poller poller;
  REQUIRE(poller.add(pair.near.fd(), &pair));
  const Instant begin = now();
  CHECK(poller.wait(begin + 20ms).empty());
  CHECK(now() >= begin + 20ms);
  pair.far.close();
  const auto ready = poller.wait(now() + 5s);  // a closed one is ready
  REQUIRE(ready.size() == 1);
  CHECK(ready[0] == &pair);
  poller.remove(pair.near.fd());
  CHECK(poller.wait(now()).empty());
  CHECK_FALSE(poller.add(-1, &pair));
}

}  // namespace tandem::net
