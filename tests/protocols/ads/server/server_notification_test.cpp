// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/protocols/ads/raw_client.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads::test {
namespace {

constexpr std::uint32_t ms = 10000;  // in 100 ns

// A session without sockets, whose PLC cycles when told: nothing here depends on time.
struct Bench {
  Bench() : plc(table), session(plc) {
    declare_variables(table);
    plc.moment.stamp = 1000;
  }

  std::uint32_t add(std::uint32_t mode, std::uint32_t max_delay, std::uint32_t cycle_time,
                    std::string_view name = "MAIN.nRxCounter", std::uint16_t client_port = 30000) {
    const auto place = table.find(name)->place;
    AddNotificationRequest request;
    request.group = group::data;
    request.offset = place.offset;
    request.length = place.size;
    request.mode = static_cast<TransMode>(mode);
    request.max_delay = max_delay;
    request.cycle_time = cycle_time;
    Buffer payload;
    ByteWriter writer(payload);
    encode(writer, request);
    const AmsHeader header{.target = {NetId{{1, 2, 3, 4, 5, 6}}, 851},
                           .source = {NetId{{9, 9, 9, 9, 1, 1}}, client_port},
                           .command = Command::add_notification};
    Buffer answer;
    session.answer({TcpCommand::ams, header, payload}, answer);
    result = u32_at(answer, 38);
    session.first_samples(collect());
    return u32_at(answer, 42);
  }

  // One PLC cycle; gives what was sent in it.
  std::vector<Buffer> cycle() {
    sent.clear();
    ++plc.moment.cycle;
    plc.moment.stamp += 100000;
    session.cycle(collect());
    return sent;
  }
  ServerSubscriptions::Send collect() {
    return [this](Buffer& packet) { sent.push_back(packet); };
  }
  int samples_in(int cycles) {
    int count = 0;
    for (int i = 0; i < cycles; ++i) count += static_cast<int>(cycle().size());
    return count;
  }

  SymbolTable table;
  Plc plc;
  Session session;
  std::vector<Buffer> sent;
  std::uint32_t result = 0;
};

TEST_CASE("a notification is exactly these bytes") {
  Bench bench;
  bench.table.write("MAIN.nRxCounter", std::int32_t{0x11223344});
  const std::uint32_t handle = bench.add(3, 0, 0);
  REQUIRE(bench.sent.size() == 1);
  const Buffer expected = Words()
                              .u16(0)
                              .u32(32 + 32)
                              .bytes(Buffer{9, 9, 9, 9, 1, 1})
                              .u16(30000)
                              .bytes(Buffer{1, 2, 3, 4, 5, 6})
                              .u16(851)
                              .u16(8)
                              .u16(4)
                              .u32(32)
                              .u32(0)
                              .u32(0)
                              .u32(28)
                              .u32(1)
                              .u32(1000)
                              .u32(0)
                              .u32(1)
                              .u32(handle)
                              .u32(4)
                              .u32(0x11223344)
                              .buffer;
  CHECK(bench.sent[0] == expected);
}

TEST_CASE("cycle times are counted in PLC cycles and rounded up") {
  for (const auto& [time, expected] : {std::pair{0u, 100},
                                       {1u, 100},
                                       {10 * ms, 100},
                                       {20 * ms, 50},
                                       {25 * ms, 33},
                                       {100 * ms, 10},
                                       {1000 * ms, 1},
                                       {0xFFFFFFFFu, 0}}) {
    for (const std::uint32_t mode : {3u, 5u, 1u}) {
      CAPTURE(time);
      Bench bench;
      bench.add(mode, 0, time);
      CHECK(bench.sent.size() == 1);  // the first sample at once
      CHECK(bench.samples_in(100) == expected);
    }
  }
}

TEST_CASE("on change means the first sample and then only what differs") {
  for (const std::uint32_t mode : {4u, 6u, 2u}) {
    Bench bench;
    bench.add(mode, 0, 0);
    CHECK(bench.sent.size() == 1);
    CHECK(bench.samples_in(10) == 0);
    bench.table.write("MAIN.nRxCounter", std::int32_t{5});
    CHECK(bench.samples_in(10) == 1);
    bench.table.write("MAIN.nRxCounter", std::int32_t{6});
    bench.table.write("MAIN.nRxCounter", std::int32_t{5});
    CHECK(bench.samples_in(10) == 0);
  }
  // Looked at every tenth cycle: what comes and goes in between is not seen.
  Bench bench;
  bench.add(4, 0, 100 * ms);
  bench.table.write("MAIN.nRxCounter", std::int32_t{1});
  CHECK(bench.samples_in(9) == 0);
  CHECK(bench.samples_in(1) == 1);
}

TEST_CASE("a single request is one sample and unknown modes are refused") {
  Bench bench;
  bench.add(10, 0, 0);
  CHECK(bench.sent.size() == 1);
  CHECK(bench.samples_in(100) == 0);
  for (const std::uint32_t mode : {0u, 7u, 8u, 9u, 11u, 0xFFFFFFFFu}) {
    bench.add(mode, 0, 0);
    CHECK(bench.result == 0x713);
  }
}

TEST_CASE("samples of one cycle share one stamp in one packet per client") {
  Bench bench;
  for (int i = 0; i < 5; ++i) bench.add(3, 0, 0);
  bench.add(3, 0, 0, "MAIN.fTime", 30001);
  const auto sent = bench.cycle();
  REQUIRE(sent.size() == 2);
  const auto& five = u32_at(sent[0], 54) == 5 ? sent[0] : sent[1];
  const auto& one = u32_at(sent[0], 54) == 5 ? sent[1] : sent[0];
  CHECK(u32_at(five, 42) == 1);
  CHECK(u32_at(five, 46) == 101000);
  CHECK(u32_at(five, 54) == 5);
  CHECK(u32_at(one, 54) == 1);
  CHECK(ByteReader(Bytes(one).subspan(12)).little<std::uint16_t>() == 30001);
}

TEST_CASE("a maximum delay gathers samples of several cycles under their own stamps") {
  Bench bench;
  bench.add(3, 50 * ms, 0);
  std::vector<Buffer> packets;
  for (int i = 0; i < 12; ++i)
    for (const Buffer& packet : bench.cycle()) packets.push_back(packet);
  REQUIRE(packets.size() == 2);
  for (const Buffer& packet : packets) {
    CHECK(well_formed_notification(Bytes(packet).subspan(38)));
    CHECK(u32_at(packet, 42) == 6);  // the cycle it began in and five more
    SampleReader reader(Bytes(packet).subspan(38));
    FileTime last = 0;
    for (int i = 0; i < 6; ++i) {
      const auto sample = reader.next();
      REQUIRE(sample);
      CHECK(sample->stamp == (last == 0 ? sample->stamp : last + 100000));
      last = sample->stamp;
    }
  }
  // Somebody in a hurry takes the waiting ones along.
  bench.add(3, 0, 20 * ms, "MAIN.fTime");
  CHECK(bench.samples_in(10) == 5);
}

TEST_CASE("large samples are spread over packets of bounded size") {
  Bench bench;
  for (int i = 0; i < 40; ++i) bench.add(3, 0, 0, "MAIN.moreBytes");
  const auto sent = bench.cycle();
  CHECK(sent.size() >= 5);
  int samples = 0;
  for (const Buffer& packet : sent) {
    CHECK(packet.size() < 70000);
    CHECK(well_formed_notification(Bytes(packet).subspan(38)));
    samples += static_cast<int>(u32_at(packet, 54));
  }
  CHECK(samples == 40);
}

TEST_CASE("the symbol version the PLC state and bits can be watched") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  REQUIRE(client.add(0xF008, 0, 1, 4, 0, 0).result() == 0);
  const auto first = client.notification();
  REQUIRE(client.add(0xF100, 0, 4, 4, 0, 0).result() == 0);
  CHECK(u32_at(client.notification(), 66) == 5);
  REQUIRE(client.add(0x4021, 77, 1, 4, 0, 0).result() == 0);
  CHECK(client.notification().back() == 0);
  plc.run([](Server&, SymbolTable& table) { table.raise_version(); });
  CHECK(client.notification().back() == first.back() + 1);
  CHECK(client.write(0x4021, 77, Buffer{1}).result() == 0);
  CHECK(client.notification().back() == 1);
  CHECK(client.control(6).result() == 0);
  CHECK(u32_at(client.notification(), 66) == 6);
  // A variable that is taken away falls silent, the others go on.
  REQUIRE(client.add(0xF005, client.handle("MAIN.fTime"), 8, 3, 0, 0).result() == 0);
  client.notification();
  plc.run([](Server&, SymbolTable& table) { table.remove("MAIN.fTime"); });
  while (client.notification().size() != first.size()) {
  }
}

TEST_CASE("deleting ends a notification and strangers cannot delete it") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  RawClient stranger(plc.tcp_port, 30001);
  const Answer added = client.add(0x4020, 0, 1, 3, 0, 0);
  CHECK(stranger.call(7, Words().u32(added.handle())).result() == 0x714);
  CHECK(client.call(7, Words().u32(added.handle())).result() == 0);
  CHECK(client.call(7, Words().u32(added.handle())).result() == 0x714);
  CHECK(client.call(7, Words().u32(0)).result() == 0x714);
}

}  // namespace
}  // namespace tandem::ads::test
