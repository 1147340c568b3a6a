// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "tandem/net/faults/proxy.hpp"
#include "tests/net/loopback.hpp"

namespace tandem::net {

namespace {

struct UdpRig {
  explicit UdpRig(std::uint64_t seed = 1)
      : proxy(FaultProxy::start({.upstream = device.local(), .udp = true, .seed = seed}).value()) {}

  UdpSocket device = UdpSocket::bind("127.0.0.1", 0).value();
  UdpSocket client = UdpSocket::bind("127.0.0.1", 0).value();
  FaultProxy proxy;

  // Numbers sent from client to device, and those that arrive, in their order.
  std::vector<int> numbers_through(int count, Duration patience = 150ms) {
    for (int i = 0; i < count; ++i) {
      const auto number = static_cast<std::uint8_t>(i);
      REQUIRE(client.send({&number, 1}, proxy.endpoint()));
    }
    std::vector<int> arrived;
    Buffer into(64);
    while (auto datagram = device.receive(into, in(patience))) arrived.push_back(into[0]);
    return arrived;
  }
};

std::vector<int> up_to(int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace

TEST_CASE("datagrams pass both ways with their boundaries and every client has its own answers") {
  UdpRig rig;
  UdpSocket other = UdpSocket::bind("127.0.0.1", 0).value();
  Buffer into(65536);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{280}, std::size_t{60'000}}) {
    for (UdpSocket* client : {&rig.client, &other}) {
      const Buffer sent = random_bytes(size, size + 1);
      REQUIRE(client->send(sent, rig.proxy.endpoint()));
      auto at_device = rig.device.receive(into, soon());
      REQUIRE(at_device);
      CHECK(Buffer(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(at_device->size)) == sent);
      REQUIRE(rig.device.send(Bytes(into).first(at_device->size), at_device->from));
      auto answer = client->receive(into, soon());
      REQUIRE(answer);
      CHECK(answer->size == size);
      CHECK(answer->from == rig.proxy.endpoint());
    }
  }
  CHECK(rig.proxy.counts().connections == 2);
}

TEST_CASE("datagrams without faults come complete and in order") {
  UdpRig rig;
  CHECK(rig.numbers_through(100) == up_to(100));
}

TEST_CASE("the same seed drops the same datagrams and another seed others") {
  const auto run = [](std::uint64_t seed) {
    UdpRig rig(seed);
    rig.proxy.apply(Faults::both({.drop = 0.5}));
    const auto arrived = rig.numbers_through(100);
    CHECK(arrived.size() + rig.proxy.counts().to_device.dropped == 100);
    return arrived;
  };
  const std::vector<int> first = run(1);
  CHECK(first.size() > 25);
  CHECK(first.size() < 75);
  CHECK(run(1) == first);
  CHECK(run(2) != first);
}

TEST_CASE("duplicated datagrams come twice in a row") {
  UdpRig rig;
  rig.proxy.apply(Faults::both({.duplicate = 1}));
  CHECK(rig.numbers_through(3) == std::vector<int>{0, 0, 1, 1, 2, 2});
}

TEST_CASE("reordered datagrams all come and out of order") {
  UdpRig rig;
  rig.proxy.apply(Faults::both({.reorder = 0.3}));
  std::vector<int> arrived = rig.numbers_through(100);
  CHECK(arrived != up_to(100));
  CHECK(rig.proxy.counts().to_device.reordered > 10);
  std::sort(arrived.begin(), arrived.end());
  CHECK(arrived == up_to(100));
}

TEST_CASE("a delayed datagram is not early") {
  UdpRig rig;
  rig.proxy.apply({.to_device = {.delay = 120ms, .jitter = 10ms}});
  const Instant start = in(0s);
  CHECK(rig.numbers_through(1, 400ms).size() == 1);
  CHECK(in(0s) >= start + 120ms);
}

TEST_CASE("a black hole and a proxy that does not listen swallow datagrams") {
  UdpRig rig;
  rig.proxy.apply(Faults::both({.black_hole = true}));
  CHECK(rig.numbers_through(5).empty());
  rig.proxy.clear();
  CHECK(rig.numbers_through(5) == up_to(5));
  rig.proxy.stop_listening();
  CHECK(rig.numbers_through(5).empty());
  REQUIRE(rig.proxy.listen_again());
  CHECK(rig.numbers_through(5) == up_to(5));
}

TEST_CASE("corrupted datagrams keep their length") {
  UdpRig rig;
  rig.proxy.apply(Faults::both({.corrupt = 1}));
  const Buffer sent = random_bytes(1000, 1);
  REQUIRE(rig.client.send(sent, rig.proxy.endpoint()));
  Buffer into(2000);
  REQUIRE(rig.device.receive(into, soon()).value().size == 1000);
  for (std::size_t i = 0; i < sent.size(); ++i) REQUIRE(std::popcount<unsigned>(sent[i] ^ into[i]) == 1);
}

TEST_CASE("injected datagrams reach every client seen") {
  UdpRig rig;
  CHECK(rig.numbers_through(1) == up_to(1));
  rig.proxy.inject_to_client(as_bytes("garbage"));
  Buffer into(64);
  CHECK(rig.client.receive(into, soon()).value().size == 7);
}

TEST_CASE("clients beyond the last place push out the one not heard for longest") {
  UdpRig rig;
  Buffer into(64);
  std::vector<UdpSocket> clients;  // kept: the port of one that is gone may be given to the next
  for (int i = 0; i < 80; ++i) {
    clients.push_back(UdpSocket::bind("127.0.0.1", 0).value());
    REQUIRE(clients.back().send(as_bytes("x"), rig.proxy.endpoint()));
    REQUIRE(rig.device.receive(into, soon()));
  }
  CHECK(rig.proxy.counts().open == 64);
  CHECK(rig.proxy.counts().turned_away == 16);
}

TEST_CASE("a redirect sends datagrams to the new device") {
  UdpRig rig;
  CHECK(rig.numbers_through(2) == up_to(2));
  rig.device = UdpSocket::bind("127.0.0.1", 0).value();
  rig.proxy.redirect(rig.device.local());
  CHECK(rig.numbers_through(2) == up_to(2));
}

}  // namespace tandem::net
