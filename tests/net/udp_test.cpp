// SPDX-License-Identifier: Apache-2.0
#include "tests/net/loopback.hpp"

namespace tandem::net {

TEST_CASE("datagrams arrive whole with their sender") {
  auto a = UdpSocket::bind("127.0.0.1", 0);
  auto b = UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(a);
  REQUIRE(b);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1400}, std::size_t{65507}}) {
    CAPTURE(size);
    const Buffer sent = random_bytes(size, size);
    REQUIRE(a->send(sent, b->local()));
    Buffer into(65536);
    auto got = b->receive(into, soon());
    REQUIRE(got);
    CHECK(got->from == a->local());
    into.resize(got->size);
    CHECK(into == sent);
  }
}

TEST_CASE("a receive ends at its deadline") {
  auto socket = UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(socket);
  Buffer into(16);
  const Duration worked = processor_time();
  CHECK(socket->receive(into, in(100ms)).error().fault == Fault::timeout);
  CHECK(processor_time() - worked < 50ms);
}

TEST_CASE("a datagram that is too long is refused and the next one passes") {
  auto a = UdpSocket::bind("127.0.0.1", 0);
  auto b = UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(a);
  REQUIRE(b);
  REQUIRE(a->send(random_bytes(281, 1), b->local()));
  REQUIRE(a->send(random_bytes(280, 1), b->local()));
  Buffer into(280);
  CHECK(b->receive(into, soon()).error().fault == Fault::invalid);
  CHECK(b->receive(into, soon()).value().size == 280);
  CHECK(a->send(Buffer(70'000), b->local()).error().fault == Fault::invalid);
}

TEST_CASE("a taken UDP port is named") {
  auto a = UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(a);
  auto b = UdpSocket::bind("127.0.0.1", a->local().port);
  REQUIRE_FALSE(b);
  CHECK(b.error().fault == Fault::busy);
  CHECK(b.error().text.find("UDP port " + std::to_string(a->local().port)) != std::string::npos);
}

TEST_CASE("sending to a port where nobody is does not break the socket") {
  auto a = UdpSocket::bind("127.0.0.1", 0);
  auto b = UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(a);
  REQUIRE(b);
  const Endpoint gone = b->local();
  b->close();
  Buffer into(16);
  for (int i = 0; i < 5; ++i) CHECK(a->send(into, gone));
  CHECK(a->receive(into, in(50ms)).error().fault == Fault::timeout);
}

}  // namespace tandem::net
