// SPDX-License-Identifier: Apache-2.0
// The load of Beckhoff's own test program: thousands of notifications, dozens of threads on one connection.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "tests/protocols/ads/raw_client.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads::test {
namespace {

std::uint16_t u16_at(Bytes bytes, std::size_t position) {
  return ByteReader(bytes.subspan(position)).little<std::uint16_t>();
}

TEST_CASE("1024 notifications of one port all get samples and half of them may be left behind") {
  TestPlc plc;
  {
    RawClient client(plc.tcp_port);
    const std::uint32_t variable = client.handle("MAIN.byByte");
    std::vector<std::uint32_t> handles;
    for (int i = 0; i < 1024; ++i) {
      const Answer added = client.add(0xF005, variable, 1, 3, 0, 1'000'000);
      REQUIRE(added.result() == 0);
      handles.push_back(added.handle());
    }
    CHECK(std::set<std::uint32_t>(handles.begin(), handles.end()).size() == 1024);
    client.notifications.clear();
    std::set<std::uint32_t> seen;
    while (seen.size() < 1024) {
      const Buffer packet = client.notification();
      REQUIRE(well_formed_notification(Bytes(packet).subspan(38)));
      SampleReader reader(Bytes(packet).subspan(38));
      while (const auto sample = reader.next()) {
        CHECK(sample->data.size() == 1);
        seen.insert(sample->handle);
      }
    }
    for (int i = 0; i < 512; ++i)
      REQUIRE(client.call(7, Words().u32(handles[static_cast<std::size_t>(i)])).result() == 0);
    std::size_t left = 0;
    plc.run([&left](Server& server, SymbolTable&) { left = server.notifications(); });
    CHECK(left == 512);
  }
  // The connection is gone, and with it the rest.
  std::size_t left = 1;
  for (int i = 0; i < 200 && left != 0; ++i)
    plc.run([&left](Server& server, SymbolTable&) { left = server.notifications() + server.device().handle_count(); });
  CHECK(left == 0);
}

TEST_CASE("eight ports with 1024 notifications each share one connection") {
  ServerOptions options;
  options.cycle = 10ms;
  TestPlc plc(options);
  RawClient client(plc.tcp_port);
  Words rows;
  for (int i = 0; i < 1024; ++i) rows.u32(0x4020).u32(0).u32(1).u32(3).u32(0).u32(100'000).zeros(16);
  for (std::uint16_t port = 0; port < 8; ++port) {
    client.own_port = static_cast<std::uint16_t>(30000 + port);
    REQUIRE(client.read_write(0xF085, 1024, 8 * 1024, rows).data().size() == 8 * 1024);
  }
  // Every cycle has 8192 samples; ten whole rounds of them in a generous time.
  std::array<int, 8> samples{};
  const Instant begin = std::chrono::steady_clock::now();
  while (std::ranges::min(samples) < 10 * 1024) {
    const Buffer packet = client.notification();
    REQUIRE(packet.size() > 58);
    samples.at(u16_at(packet, 12) - 30000u) += static_cast<int>(u32_at(packet, 54));
  }
  const double took = seconds(std::chrono::steady_clock::now() - begin);
  MESSAGE("81920 samples in " << took << " s");
  CHECK(took < 10);
}

// Many threads, one socket: whoever has a request writes it, one thread reads and hands the answers out.
class Shared {
 public:
  explicit Shared(RawClient& client, std::size_t threads) : client_(client), slots_(threads) {
    for (auto& slot : slots_) slot = std::make_unique<std::atomic<std::uint32_t>>(0);
  }
  bool read(std::size_t thread, std::uint32_t invoke_id) {
    Words payload;
    payload.u32(0x4020).u32(static_cast<std::uint32_t>(4 * thread)).u32(4);
    {
      const std::lock_guard lock(mutex_);
      client_.own_port = static_cast<std::uint16_t>(30000 + thread);
      if (!client_.socket.write_all(client_.request(2, payload, invoke_id), RawClient::soon())) return false;
    }
    slots_[thread]->wait(invoke_id - 1);
    return slots_[thread]->load() == invoke_id;
  }
  // Gives how many answers were right.
  std::size_t hand_out(std::size_t count) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Buffer packet = client_.packet();
      if (packet.size() != 50) break;
      const std::size_t thread = u16_at(packet, 12) - 30000u;
      right += u32_at(packet, 46) == thread * 3 ? 1 : 0;
      slots_.at(thread)->store(u32_at(packet, 34));
      slots_.at(thread)->notify_one();
    }
    return right;
  }

 private:
  RawClient& client_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<std::atomic<std::uint32_t>>> slots_;
};

TEST_CASE("96 threads read through one connection") {
  constexpr std::size_t threads = 96;
  constexpr std::uint32_t reads = 256;
  TestPlc plc;
  RawClient client(plc.tcp_port);
  for (std::uint32_t i = 0; i < threads; ++i) REQUIRE(client.write(0x4020, 4 * i, Words().u32(i * 3)).result() == 0);

  Shared shared(client, threads);
  std::atomic<std::size_t> failed{0};
  const Instant begin = std::chrono::steady_clock::now();
  std::vector<std::jthread> pool;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    pool.emplace_back([&shared, &failed, thread] {
      for (std::uint32_t i = 1; i <= reads; ++i)
        if (!shared.read(thread, i)) ++failed;
    });
  }
  const std::size_t right = shared.hand_out(threads * reads);
  pool.clear();
  const double took = seconds(std::chrono::steady_clock::now() - begin);
  MESSAGE((threads * reads) << " reads in " << took << " s");
  CHECK(right == threads * reads);
  CHECK(failed == 0);
}

TEST_CASE("a thousand pipelined requests are answered in order") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  Buffer all;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Buffer one = client.request(2, Words().u32(0x4020).u32(i).u32(64), i);
    all.insert(all.end(), one.begin(), one.end());
  }
  client.send(all);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Buffer packet = client.packet();
    REQUIRE(packet.size() == 38 + 8 + 64);
    REQUIRE(u32_at(packet, 34) == i);
  }
}

}  // namespace
}  // namespace tandem::ads::test
