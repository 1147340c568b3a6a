// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "tests/net/faults/fault_rig.hpp"

namespace tandem::net {

TEST_CASE("without faults every byte passes both ways at any slicing") {
  for (const std::size_t slice : {0, 1, 7, 1400}) {
    CAPTURE(slice);
    Rig rig;
    rig.proxy.apply(Faults::both({.slice = slice}));
    const std::size_t size = slice == 0 ? 2'000'000 : std::min<std::size_t>(20'000 * slice, 500'000);
    const Buffer request = random_bytes(size, 1);
    const Buffer answer = random_bytes(size, 2);
    const auto speak = [](TcpSocket& socket, const Buffer& bytes, std::uint64_t seed) {
      std::mt19937_64 random(seed);
      for (std::size_t done = 0; done < bytes.size();) {
        const std::size_t piece = std::min<std::size_t>(1 + random() % 5000, bytes.size() - done);
        if (!socket.write_all(Bytes(bytes).subspan(done, piece), in(20s))) return;
        done += piece;
      }
      socket.shutdown_write();
    };
    std::jthread client_speaks([&] { speak(rig.client, request, 3); });
    std::jthread device_speaks([&] { speak(rig.device, answer, 4); });
    Buffer at_device;
    std::jthread device_listens([&] { at_device = read_until_end(rig.device, in(20s)); });
    CHECK(read_until_end(rig.client, in(20s)) == answer);
    device_listens.join();
    CHECK(at_device == request);
    const ProxyCounts counts = rig.proxy.counts();
    CHECK(counts.to_device.bytes_in == size);
    CHECK(counts.to_device.bytes_out == size);
    CHECK(counts.to_client.bytes_out == size);
    CHECK(counts.connections == 1);
  }
}

TEST_CASE("a delay holds back one direction only") {
  Rig rig;
  rig.check_alive();
  rig.proxy.apply({.to_client = {.delay = 150ms}});
  const Instant start = in(0s);
  CHECK(Rig::passes(rig.client, rig.device));
  CHECK(Rig::passes(rig.device, rig.client));
  CHECK(in(0s) >= start + 150ms);
}

TEST_CASE("jitter keeps the order of a stream") {
  Rig rig;
  rig.proxy.apply(Faults::both({.jitter = 20ms}));
  const Buffer sent = random_bytes(40, 1);
  for (const std::uint8_t byte : sent) {
    REQUIRE(rig.client.write_all({&byte, 1}, soon()));
    std::this_thread::sleep_for(1ms);
  }
  Buffer got(sent.size());
  REQUIRE(rig.device.read_exact(got, soon()));
  CHECK(got == sent);
}

TEST_CASE("dropped chunks never come and later ones do") {
  Rig rig;
  rig.proxy.apply({.to_device = {.drop = 1}});
  REQUIRE(rig.client.write_all(as_bytes("lost"), soon()));
  REQUIRE(eventually([&] { return rig.proxy.counts().to_device.dropped == 1; }));
  CHECK(silent(rig.device));
  rig.proxy.clear();
  rig.check_alive();
}

TEST_CASE("duplicated chunks come twice") {
  Rig rig;
  rig.proxy.apply({.to_device = {.duplicate = 1}});
  REQUIRE(rig.client.write_all(as_bytes("ab"), soon()));
  Buffer got(4);
  REQUIRE(rig.device.read_exact(got, soon()));
  CHECK(got == Buffer{'a', 'b', 'a', 'b'});
  CHECK(rig.proxy.counts().to_device.duplicated == 1);
}

TEST_CASE("slices arrive one by one with their gaps") {
  Rig rig;
  rig.proxy.apply({.to_client = {.slice = 2, .slice_gap = 30ms}});
  const Instant start = in(0s);
  REQUIRE(rig.device.write_all(as_bytes("0123456789"), soon()));
  Buffer got(10);
  REQUIRE(rig.client.read_exact(got, soon()));
  CHECK(in(0s) >= start + 120ms);  // five slices, four gaps
}

TEST_CASE("a limit ends every connection after its bytes") {
  for (const Cut how : {Cut::fin, Cut::rst}) {
    Rig rig;
    rig.proxy.apply({.to_client = {.limit = 1000, .at_limit = how}});
    for (int round = 0; round < 2; ++round) {
      REQUIRE(rig.device.write_all(random_bytes(3000, 1), soon()));
      Buffer got(1000);
      if (how == Cut::fin) {
        CHECK(read_until_end(rig.client, soon()) == [] {
          Buffer first = random_bytes(3000, 1);
          first.resize(1000);
          return first;
        }());
      } else {
        CHECK(end_code(rig.client) == ECONNRESET);
      }
      CHECK(rig.proxy.counts().cuts == static_cast<std::uint64_t>(round + 1));
      CHECK(rig.proxy.counts().to_client.bytes_out == 1000 * static_cast<std::uint64_t>(round + 1));
      rig.connect();
    }
  }
}

TEST_CASE("bandwidth is limited") {
  Rig rig;
  rig.proxy.apply({.to_device = {.bytes_per_second = 100'000}});
  const Instant start = in(0s);
  const Buffer sent = random_bytes(30'000, 1);
  REQUIRE(rig.client.write_all(sent, soon()));
  Buffer got(sent.size());
  REQUIRE(rig.device.read_exact(got, soon()));
  CHECK(got == sent);
  CHECK(in(0s) >= start + 250ms);  // 0.3 s but for the last step
}

TEST_CASE("a half close ends one direction and leaves the other") {
  SUBCASE("towards the client") {
    Rig rig;
    rig.check_alive();
    rig.proxy.cut(Cut::half_to_client);
    CHECK(end_code(rig.client) == 0);
    CHECK(Rig::passes(rig.client, rig.device));
    rig.client.close();
    CHECK(end_code(rig.device) == 0);
    CHECK(eventually([&] { return rig.proxy.counts().open == 0; }));
  }
  SUBCASE("towards the device") {
    Rig rig;
    rig.check_alive();
    rig.proxy.cut(Cut::half_to_device);
    CHECK(end_code(rig.device) == 0);
    CHECK(Rig::passes(rig.device, rig.client));
  }
  SUBCASE("made by the peer itself") {
    Rig rig;
    rig.device.shutdown_write();
    CHECK(end_code(rig.client) == 0);
    CHECK(Rig::passes(rig.client, rig.device));
  }
}

TEST_CASE("a cut ends all connections with FIN or RST") {
  for (const auto& [how, code] : {std::pair(Cut::fin, 0u), std::pair(Cut::rst, unsigned{ECONNRESET})}) {
    CAPTURE(code);
    Rig rig;
    rig.check_alive();
    rig.proxy.cut(how);
    CHECK(end_code(rig.client) == code);
    CHECK(end_code(rig.device) == code);
    CHECK(rig.proxy.counts().cuts == 1);
    rig.connect();  // the next one is let through
    rig.check_alive();
  }
}

TEST_CASE("a reset by the device reaches the client as a reset") {
  Rig rig;
  rig.check_alive();
  rig.device.reset();
  CHECK(end_code(rig.client) == ECONNRESET);
}

TEST_CASE("nothing comes out of a black hole and not even the end") {
  Rig rig;
  rig.check_alive();
  rig.proxy.apply(Faults::both({.black_hole = true}));
  CHECK(rig.client.write_all(as_bytes("lost"), soon()));
  CHECK(rig.device.write_all(as_bytes("lost"), soon()));
  CHECK(silent(rig.client));
  CHECK(silent(rig.device));
  SUBCASE("the line comes back without what was lost") {
    rig.proxy.clear();
    rig.check_alive();
  }
  SUBCASE("an end inside is told after the black hole is gone") {
    rig.device.close();
    CHECK(silent(rig.client));
    rig.proxy.clear();
    CHECK(end_code(rig.client) == 0);
  }
  SUBCASE("a reset inside is told after the black hole is gone") {
    rig.device.reset();
    CHECK(silent(rig.client));
    rig.proxy.clear();
    CHECK(end_code(rig.client) == ECONNRESET);
  }
  SUBCASE("a new caller is accepted and hears nothing") {
    auto caller = TcpSocket::connect("127.0.0.1", rig.proxy.endpoint().port, soon());
    REQUIRE(caller);
    CHECK(caller->write_all(as_bytes("anybody"), soon()));
    CHECK(silent(*caller));
  }
}

TEST_CASE("what is held comes when the hold is released") {
  Rig rig;
  rig.proxy.apply({.to_client = {.hold = true}});
  REQUIRE(rig.device.write_all(as_bytes("one"), soon()));
  CHECK(silent(rig.client));
  REQUIRE(rig.device.write_all(as_bytes("two"), soon()));
  rig.device.close();
  CHECK(silent(rig.client));
  rig.proxy.clear();
  CHECK(read_until_end(rig.client, soon()) == Buffer{'o', 'n', 'e', 't', 'w', 'o'});
}

TEST_CASE("corrupted bytes are counted and have one wrong bit each") {
  Rig rig;
  rig.proxy.apply({.to_client = {.corrupt = 0.001}});
  const Buffer sent = random_bytes(100'000, 1);
  REQUIRE(rig.device.write_all(sent, soon()));
  Buffer got(sent.size());
  REQUIRE(rig.client.read_exact(got, soon()));
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    wrong += sent[i] != got[i] ? 1 : 0;
    REQUIRE(std::popcount<unsigned>(sent[i] ^ got[i]) <= 1);
  }
  CHECK(wrong == rig.proxy.counts().to_client.corrupted);
  CHECK(wrong > 50);
}

TEST_CASE("injected bytes arrive in the stream") {
  Rig rig;
  rig.check_alive();
  const Buffer garbage = random_bytes(1'000'000, 1);
  rig.proxy.inject_to_client(garbage);
  rig.proxy.inject_to_device(as_bytes("xyz"));
  Buffer got(garbage.size());
  REQUIRE(rig.client.read_exact(got, soon()));
  CHECK(got == garbage);
  Buffer three(3);
  REQUIRE(rig.device.read_exact(three, soon()));
  CHECK(three == Buffer{'x', 'y', 'z'});
  rig.check_alive();
  CHECK(rig.proxy.counts().to_client.injected == garbage.size());
}

}  // namespace tandem::net
