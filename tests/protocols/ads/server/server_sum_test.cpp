// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/protocols/ads/raw_client.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads::test {
namespace {

void fill_memory(RawClient& client) {
  Buffer ramp(64);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<std::uint8_t>(i);
  REQUIRE(client.write(0x4020, 0, ramp).result() == 0);
}

// Three reads, the middle one of an address that does not exist.
Words three_reads() { return Words().u32(0x4020).u32(1).u32(2).u32(0).u32(0).u32(3).u32(0x4020).u32(9).u32(1); }

TEST_CASE("a sum read keeps the requested room of a member that failed") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  fill_memory(client);
  const Answer answer = client.read_write(0xF080, 3, 12 + 6, three_reads());
  REQUIRE(answer.result() == 0);
  const Buffer expected = Words().u32(0).u32(0x701).u32(0).bytes(Buffer{1, 2, 0, 0, 0, 9}).buffer;
  CHECK(std::ranges::equal(answer.data(), expected));
  // Without a count: data only, and one result for all.
  const Answer bare = client.read_write(0xF080, 0, 3, Words().u32(0x4020).u32(1).u32(2).u32(0x4020).u32(9).u32(1));
  CHECK(std::ranges::equal(bare.data(), Buffer{1, 2, 9}));
  CHECK(client.read_write(0xF080, 0, 6, three_reads()).result() == 0x701);
}

TEST_CASE("the extended sum reads tell lengths and only the second closes the gaps") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  fill_memory(client);
  const Buffer rows = Words().u32(0).u32(2).u32(0x701).u32(0).u32(0).u32(1).buffer;
  const Answer padded = client.read_write(0xF083, 3, 24 + 6, three_reads());
  CHECK(std::ranges::equal(padded.data(), Words().bytes(rows).bytes(Buffer{1, 2, 0, 0, 0, 9}).buffer));
  const Answer closed = client.read_write(0xF084, 3, 24 + 6, three_reads());
  CHECK(std::ranges::equal(closed.data(), Words().bytes(rows).bytes(Buffer{1, 2, 9}).buffer));
}

TEST_CASE("a sum write reports each result and applies the good ones") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  const Answer answer = client.read_write(0xF081, 3, 12, three_reads().bytes(Buffer{0x11, 0x22, 7, 7, 7, 0x33}));
  CHECK(std::ranges::equal(answer.data(), Words().u32(0).u32(0x701).u32(0).buffer));
  CHECK(std::ranges::equal(client.read(0x4020, 1, 2).data(), Buffer{0x11, 0x22}));
  CHECK(client.read(0x4020, 9, 1).data()[0] == 0x33);
  // Data that ends early: the members whose bytes are missing fail.
  const Answer cut = client.read_write(0xF081, 3, 12, three_reads().bytes(Buffer{0x55, 0x66, 7}));
  CHECK(std::ranges::equal(cut.data(), Words().u32(0).u32(0x705).u32(0x705).buffer));
}

TEST_CASE("a sum of read writes makes handles and gives actual lengths") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  Words rows;
  rows.u32(0xF003).u32(0).u32(4).u32(10);
  rows.u32(0xF003).u32(0).u32(4).u32(3);
  rows.u32(0xF004).u32(0).u32(100).u32(10);
  rows.u32(0xF004).u32(0).u32(0xFFFFFFFF).u32(10);
  rows.text("MAIN.fTimexxxMAIN.fTimeMAIN.fTime");
  const Answer answer = client.read_write(0xF082, 4, 4 * 8 + 1000, rows);
  REQUIRE(answer.result() == 0);
  REQUIRE(answer.data().size() == 4 * 8 + 4 + 8 + 8);
  CHECK(u32_at(answer.data(), 0) == 0);
  CHECK(u32_at(answer.data(), 4) == 4);
  CHECK(u32_at(answer.data(), 8) == 0x710);
  CHECK(u32_at(answer.data(), 12) == 0);
  CHECK(u32_at(answer.data(), 16) == 0);
  CHECK(u32_at(answer.data(), 20) == 8);  // of the 100 asked for
  CHECK(u32_at(answer.data(), 24) == 0);
  CHECK(u32_at(answer.data(), 28) == 8);
  CHECK(client.read(0xF005, u32_at(answer.data(), 32), 8).result() == 0);
}

TEST_CASE("notifications are added and deleted in sums") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  Words rows;
  for (const std::uint32_t group : {0x4020u, 0u, 0x4020u}) {
    rows.u32(group).u32(0).u32(2).u32(3).u32(0).u32(0xFFFFFFFF).zeros(16);
  }
  const Answer added = client.read_write(0xF085, 3, 24, rows);
  REQUIRE(added.data().size() == 24);
  CHECK(u32_at(added.data(), 0) == 0);
  CHECK(u32_at(added.data(), 8) == 0x701);
  CHECK(u32_at(added.data(), 16) == 0);
  // The first samples of both travel in one packet under one stamp.
  const Buffer sample = client.notification();
  REQUIRE(sample.size() == 38 + 8 + 12 + 2 * 10);
  CHECK(u32_at(sample, 38 + 4) == 1);
  CHECK(u32_at(sample, 38 + 16) == 2);

  Words handles;
  handles.u32(u32_at(added.data(), 4)).u32(0xBAD).u32(u32_at(added.data(), 20));
  const Answer deleted = client.read_write(0xF086, 3, 12, handles);
  CHECK(std::ranges::equal(deleted.data(), Words().u32(0).u32(0x714).u32(0).buffer));
}

TEST_CASE("sums that promise more than they hold are refused without side effects") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  for (std::uint32_t group = 0xF080; group <= 0xF086; ++group) {
    CAPTURE(group);
    CHECK(client.read_write(group, 0xFFFFFFFF, 0xFFFFFFFF, Words().u32(1)).result() == 0x705);
    CHECK(client.read_write(group, 1, 0xFFFFFFFF, {}).result() == 0x705);
    CHECK(client.read_write(group, 1, 0, Words().zeros(40)).result() == 0x705);
  }
  const auto huge = [](std::uint32_t length) { return Words().u32(0x4020).u32(0).u32(length); };
  CHECK(client.read_write(0xF080, 1, 0xFFFFFFFF, huge(0x7FFFFFFF)).result() == 0x705);
  CHECK(client.read_write(0xF083, 1, 0xFFFFFFFF, huge(0xFFFFFFFF)).result() == 0x705);
  // A thousand times the whole memory area would be 128 MiB.
  Words many;
  for (int i = 0; i < 1000; ++i) many.u32(0x4020).u32(0).u32(128 * 1024);
  CHECK(client.read_write(0xF084, 1000, 0xFFFFFFFF, many).result() == 0x705);
  // A sum within a sum.
  CHECK(u32_at(client.read_write(0xF080, 1, 100, Words().u32(0xF080).u32(1).u32(8)).data(), 0) == 0x701);
  std::size_t notifications = 1;
  plc.run([&](Server& server, SymbolTable&) { notifications = server.notifications(); });
  CHECK(notifications == 0);
}

}  // namespace
}  // namespace tandem::ads::test
