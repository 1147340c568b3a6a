// SPDX-License-Identifier: Apache-2.0
#include "tests/net/faults/fault_rig.hpp"

namespace tandem::net {

TEST_CASE("a port that is not listened on refuses and comes back as the same port") {
  Rig rig;
  rig.check_alive();
  const std::uint16_t port = rig.proxy.endpoint().port;
  rig.proxy.stop_listening();
  for (int i = 0; i < 20; ++i) CHECK(TcpSocket::connect("127.0.0.1", port, soon()).error().fault == Fault::refused);
  rig.check_alive();  // what was open stays
  REQUIRE(rig.proxy.listen_again());
  CHECK(rig.proxy.endpoint().port == port);
  rig.connect();
  rig.check_alive();
}

TEST_CASE("another server may take a port that is not listened on") {
  Rig rig;
  const std::uint16_t port = rig.proxy.endpoint().port;
  rig.proxy.stop_listening();
  auto thief = TcpListener::listen("127.0.0.1", port);
  REQUIRE(thief);
  const auto again = rig.proxy.listen_again();
  REQUIRE_FALSE(again);
  CHECK(again.error().fault == Fault::busy);
  thief->close();
  CHECK(rig.proxy.listen_again());
}

TEST_CASE("a device that is gone resets its clients and a redirect finds the new one") {
  Rig rig;
  rig.listener.close();
  auto client = TcpSocket::connect("127.0.0.1", rig.proxy.endpoint().port, soon());
  // The reset may come while the client still connects.
  CHECK((client ? end_code(*client) : client.error().code) == ECONNRESET);

  rig.listener = TcpListener::listen("127.0.0.1", 0).value();
  rig.proxy.redirect(rig.listener.local());
  rig.connect();
  rig.check_alive();
}

TEST_CASE("what waits in the proxy is bounded when the device does not read") {
  Rig rig;
  const Buffer much(40'000'000);
  REQUIRE_FALSE(rig.client.write_all(much, in(300ms)));
  const ProxyCounts counts = rig.proxy.counts();
  CHECK(counts.to_device.bytes_in - counts.to_device.bytes_out <= (1 << 20) + 16384);
}

TEST_CASE("more callers than places are turned away and no descriptor is lost") {
  Rig rig;
  const std::size_t before = open_descriptors();
  {
    std::vector<TcpSocket> callers;
    for (int i = 0; i < 80; ++i) {
      auto caller = TcpSocket::connect("127.0.0.1", rig.proxy.endpoint().port, soon());
      if (caller) callers.push_back(std::move(*caller));  // those turned away may learn of it while they connect
    }
    CHECK(eventually([&] { return rig.proxy.counts().turned_away == 17; }));
    CHECK(rig.proxy.counts().open == 64);
    rig.proxy.cut(Cut::rst);
    CHECK(rig.proxy.counts().open == 0);
  }
  CHECK(eventually([&] { return open_descriptors() <= before; }));
}

TEST_CASE("connections that come and are cut by the hundred leave nothing behind") {
  Rig rig;
  rig.proxy.cut(Cut::rst);
  rig.client.close();
  rig.device.close();
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 300; ++i) {
    rig.connect();
    CHECK(Rig::passes(rig.client, rig.device));
    rig.proxy.cut(i % 2 == 0 ? Cut::fin : Cut::rst);
    rig.client.close();
    rig.device.close();
  }
  CHECK(rig.proxy.counts().connections == 301);
  CHECK(rig.proxy.counts().open == 0);
  CHECK(open_descriptors() == before);
}

TEST_CASE("a proxy with nothing to do sleeps whatever state it is in") {
  Rig rig;
  rig.check_alive();
  SUBCASE("idle") {}
  SUBCASE("a side ended in a black hole") {
    rig.proxy.apply(Faults::both({.black_hole = true}));
    rig.device.close();
  }
  SUBCASE("a side was reset in a black hole") {
    rig.proxy.apply(Faults::both({.black_hole = true}));
    rig.client.reset();
  }
  SUBCASE("bytes are held") {
    rig.proxy.apply(Faults::both({.hold = true}));
    REQUIRE(rig.client.write_all(as_bytes("held"), soon()));
  }
  SUBCASE("half closed with more to come") {
    rig.proxy.apply({.to_client = {.limit = 10, .at_limit = Cut::half_to_client}});
    REQUIRE(rig.device.write_all(Buffer(1000), soon()));
  }
  SUBCASE("the device does not read") { REQUIRE_FALSE(rig.client.write_all(Buffer(40'000'000), in(300ms))); }
  std::this_thread::sleep_for(50ms);
  const Duration worked = processor_time_of_all();
  std::this_thread::sleep_for(300ms);
  CHECK(processor_time_of_all() - worked < 100ms);
}

TEST_CASE("faults can be switched while traffic flows") {
  Rig rig;
  std::atomic<bool> over = false;
  std::jthread client_speaks([&] {
    while (!over.load() && rig.client.write_all(Buffer(500), soon())) {
    }
  });
  std::jthread device_listens([&] { read_until_end(rig.device, in(10s)); });
  for (int i = 0; i < 200; ++i) {
    rig.proxy.apply(Faults::both({.delay = i % 3 * 1ms, .drop = 0.1 * (i % 4), .slice = i % 5 == 0 ? 1u : 0u}));
    rig.proxy.inject_to_device(as_bytes("?"));
    CHECK(rig.proxy.counts().open == 1);
    std::this_thread::sleep_for(1ms);
  }
  over = true;
  client_speaks.join();
  rig.proxy.cut(Cut::rst);
}

}  // namespace tandem::net
