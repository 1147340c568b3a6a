// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/tap.hpp"

#include <doctest/doctest.h>

#include "tests/net/loopback.hpp"

namespace tandem::net {
namespace {

struct FlowLog : Tap {
  struct Entry {
    char what;
    Flow flow;
    std::size_t size = 0;
    Ending ending = Ending::ours;
  };
  std::vector<Entry> entries;
  std::string order() const {
    std::string letters;
    for (const Entry& entry : entries) letters += entry.what;
    return letters;
  }
  void opened(const Flow& flow, Instant) noexcept override { entries.push_back({'(', flow}); }
  void passed(const Flow& flow, Direction direction, Bytes bytes, Instant) noexcept override {
    entries.push_back({direction == Direction::in ? '<' : '>', flow, bytes.size()});
  }
  void closed(const Flow& flow, Ending ending, Instant) noexcept override { entries.push_back({')', flow, 0, ending}); }
};

Instant tap_deadline() { return now() + 10s; }

}  // namespace

TEST_CASE("a tap knows the connection of each byte and who ended it") {
  FlowLog log;
  std::array<std::uint8_t, 16> buffer{};
  for (const bool theirs : {false, true}) {
    log.entries.clear();
    Pair pair = connected_pair();
    const Endpoint local = pair.client.local(), peer = pair.client.peer();
    pair.client.tap(&log);
    REQUIRE(pair.client.write_all(as_bytes("ask"), tap_deadline()));
    REQUIRE(pair.server.read_exact(std::span(buffer).first(3), tap_deadline()));
    REQUIRE(pair.server.write_all(as_bytes("tell"), tap_deadline()));
    REQUIRE(pair.client.read_exact(std::span(buffer).first(4), tap_deadline()));
    TcpSocket moved = std::move(pair.client);
    if (theirs) {
      pair.server.close();
      CHECK(!moved.read_some(buffer, tap_deadline()));
    }
    moved.close();
    moved = TcpSocket();
    CHECK(log.order() == "(><)");
    for (const auto& entry : log.entries) {
      CHECK(entry.flow.connection == log.entries.front().flow.connection);
      CHECK(entry.flow.peer == peer);
      CHECK(entry.flow.local == local);
      CHECK(!entry.flow.datagram);
    }
    CHECK(log.entries.back().ending == (theirs ? Ending::theirs : Ending::ours));
  }
}

TEST_CASE("a reset is told apart from an orderly end") {
  FlowLog log;
  std::array<std::uint8_t, 16> buffer{};
  Pair pair = connected_pair();
  pair.client.tap(&log);
  pair.server.reset();
  CHECK(!pair.client.read_some(buffer, tap_deadline()));
  CHECK(log.order() == "()");
  CHECK(log.entries.back().ending == Ending::broken);
}

TEST_CASE("a connection that is still starting is told with its first bytes and never when it fails") {
  FlowLog log;
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  {
    auto socket = TcpSocket::start_connect(listener->local());
    REQUIRE(socket);
    socket->tap(&log);
    auto caller = listener->accept(tap_deadline());
    REQUIRE(caller);
    REQUIRE(socket->write_all(as_bytes("x"), tap_deadline()));
  }
  CHECK(log.order() == "(>)");
  CHECK(log.entries.back().flow.local.port != 0);
  log.entries.clear();
  const Endpoint nobody = listener->local();
  listener->close();
  if (auto socket = TcpSocket::start_connect(nobody)) {
    socket->tap(&log);
    std::array<std::uint8_t, 4> buffer{};
    (void)socket->read_some(buffer, now() + 1s);
  }
  CHECK(log.order() == "");
}

TEST_CASE("each datagram has its own peer on one connection") {
  FlowLog log;
  auto a = UdpSocket::bind("127.0.0.1", 0), b = UdpSocket::bind("127.0.0.1", 0), c = UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(a);
  REQUIRE(b);
  REQUIRE(c);
  a->tap(&log);
  REQUIRE(a->send(as_bytes("one"), b->local()));
  REQUIRE(a->send({}, c->local()));
  REQUIRE(c->send(as_bytes("two"), a->local()));
  std::array<std::uint8_t, 16> buffer{};
  REQUIRE(a->receive(buffer, tap_deadline()));
  const Endpoint local = a->local();
  a->close();
  REQUIRE(log.order() == "(>><)");
  CHECK(log.entries[1].flow.peer == b->local());
  CHECK(log.entries[2].flow.peer == c->local());
  CHECK(log.entries[3].flow.peer == c->local());
  CHECK(log.entries[3].flow.local == local);
  CHECK(log.entries[3].flow.datagram);
}

}  // namespace tandem::net
