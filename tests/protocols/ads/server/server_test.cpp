// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tandem/protocols/ads/codec/symbols.hpp"
#include "tests/protocols/ads/golden.hpp"
#include "tests/protocols/ads/raw_client.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads::test {
namespace {

constexpr std::uint32_t all_there_is = 0xFFFFFFFF;

Buffer exchanged(RawClient& client, std::string_view request) {
  client.send(golden::bytes(request));
  return client.packet();
}

TEST_CASE("the server answers byte for byte as the captured one did") {
  TestPlc plc;
  plc.run([](Server&, SymbolTable& table) {
    const Buffer captured = golden::bytes(golden::read_response);
    const auto pose = table.bytes(table.find("MAIN.stEM1500Pose")->place);
    std::copy(captured.end() - 48, captured.end(), pose.begin());
    CHECK(table.read<double>("MAIN.stEM1500Pose.sway") == -0.2);
  });
  RawClient client(plc.tcp_port);
  CHECK(exchanged(client, golden::device_info_request) == golden::bytes(golden::device_info_response));
  CHECK(exchanged(client, golden::state_request) == golden::bytes(golden::state_response));
  client.handle("MAIN.byByte");  // the captured server had given one handle before
  CHECK(exchanged(client, golden::handle_request) == golden::bytes(golden::handle_response));
  CHECK(exchanged(client, golden::read_request) == golden::bytes(golden::read_response));
  CHECK(exchanged(client, golden::release_request) == golden::bytes(golden::release_response));
  // and one notification
  client.handle("MAIN.stEM1500Pose");
  client.add(0x4020, 0, 1, 3, 0, 0xFFFFFFFF);
  client.notification();
  CHECK(exchanged(client, golden::add_notification_request) == golden::bytes(golden::add_notification_response));
}

TEST_CASE("wrong ports machines and commands get AMS errors") {
  ServerOptions options;
  options.net_id = NetId{{5, 6, 7, 8, 1, 1}};
  TestPlc plc(options);
  RawClient client(plc.tcp_port);
  CHECK(client.call(4, {}).ams_error == 7);
  client.target = {5, 6, 7, 8, 1, 1};
  CHECK(client.call(4, {}).ams_error == 0);
  CHECK(client.call(77, {}).ams_error == 8);
  CHECK(client.call(0, {}).ams_error == 8);
  for (const unsigned port : {0u, 1u, 800u, 1000u, 852u, 65535u}) {
    client.target_port = static_cast<std::uint16_t>(port);
    const Answer answer = client.call(4, {});
    CHECK(answer.ams_error == 6);
    CHECK(answer.payload.empty());
  }
}

TEST_CASE("memory is written and read back and zero bytes succeed") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  CHECK(client.write(0x4020, 0, Words().u32(0xDEADBEEF)).result() == 0);
  const Answer answer = client.read(0x4020, 0, 4);
  CHECK(answer.result() == 0);
  CHECK(answer.length() == 4);
  CHECK(u32_at(answer.data(), 0) == 0xDEADBEEF);
  CHECK(client.read(0x4020, 0, 0).result() == 0);
  CHECK(client.write(0x4020, 0, {}).result() == 0);
  for (const std::uint32_t group : {0x4030u, 0x4040u, 0xF020u, 0xF030u}) {
    CAPTURE(group);
    CHECK(client.write(group, 8, Words().u32(group)).result() == 0);
    CHECK(u32_at(client.read(group, 8, 4).data(), 0) == group);
  }
  CHECK(u32_at(client.read(0x4030, 8, 4).data(), 0) == 0x4040);  // the same memory as 0x4040
  CHECK(u32_at(client.read(0x4025, 0, 4).data(), 0) == 128 * 1024);
}

TEST_CASE("bits of the process image are single and leave their neighbours alone") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  for (const auto& [bytes, bits] : {std::pair{0x4020u, 0x4021u}, {0xF020u, 0xF021u}, {0xF030u, 0xF031u}}) {
    const Buffer one{1};
    const Buffer zero{0};
    CHECK(client.write(bytes, 100, Buffer{0x81}).result() == 0);
    CHECK(client.write(bits, 100 * 8 + 3, one).result() == 0);
    CHECK(client.write(bits, 100 * 8 + 7, zero).result() == 0);
    CHECK(client.read(bytes, 100, 1).data()[0] == 0x09);
    CHECK(client.read(bits, 100 * 8, 1).data()[0] == 1);
    CHECK(client.read(bits, 100 * 8 + 1, 1).data()[0] == 0);
    CHECK(client.read(bits, 0xFFFFFFF0, 1).result() == 0x703);
  }
}

TEST_CASE("addresses that mean nothing are refused in every command as TwinCAT 3 does") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  for (const auto& [group, offset] : {std::pair{0u, 0u}, {0x4025u, 0x10000u}, {0xF000u, 0u}, {0xFFFFFFFFu, 0u}}) {
    CAPTURE(group);
    CHECK(client.read(group, offset, 4).result() == 0x701);
    CHECK(client.write(group, offset, Words().u32(1)).result() == 0x701);
    CHECK(client.read_write(group, offset, 4, Words().u32(1)).result() == 0x701);
    CHECK(client.add(group, offset, 4, 3, 0, 0).result() == 0x701);
  }
  CHECK(client.read(0x4020, 0x7FFFFFFF, 4).result() == 0x703);
  CHECK(client.read(0x4020, 128 * 1024 - 2, 4).length() == 2);  // the length asked for is a maximum
  CHECK(client.read(0x4020, 0, 0x7FFFFFFF).length() == 128 * 1024);
  CHECK(client.add(0x4020, 128 * 1024 - 2, 4, 3, 0, 0).result() == 0x705);
  CHECK(client.add(0xF008, 0, 4, 4, 0, 0).result() == 0x705);
  CHECK(client.write(0x4020, 128 * 1024 - 2, Words().u32(1)).result() == 0x705);
  const Answer failed = client.read(0x4020, 0x7FFFFFFF, 4);
  CHECK(failed.payload.size() == 8);
  CHECK(failed.length() == 0);
}

TEST_CASE("handles are made by name used and released") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  const std::uint32_t more = client.handle("MAIN.moreBytes");
  CHECK(client.read(0xF005, more, 8192).length() == 8192);
  CHECK(client.read(0xF005, more, 8193).length() == 8193);
  CHECK(client.read(0xF005, more, 8194).length() == 8193);
  CHECK(client.read(0xF005, more, all_there_is).length() == 8193);
  CHECK(client.read(0xF005, more, 0).result() == 0);
  CHECK(client.write(0xF005, more, Buffer(8194)).result() == 0x705);

  const auto with_zero = std::string_view("main.bybyte\0", 12);
  CHECK(client.read_write(0xF003, 0, 4, as_bytes(with_zero)).result() == 0);
  CHECK(client.read_write(0xF003, 0, 0, as_bytes("MAIN.byByte")).result() == 0x705);
  CHECK(client.read_write(0xF003, 0, 4, {}).result() == 0x710);
  CHECK(client.read_write(0xF003, 0, 4, as_bytes("xxx")).result() == 0x710);

  const Answer extended = client.read_write(0xF003, 0, all_there_is, as_bytes("MAIN.stEM1500Pose"));
  CHECK(u32_at(extended.data(), 4) == 48);
  CHECK(extended.data().size() == 14 + 8);
  CHECK(std::string_view(reinterpret_cast<const char*>(extended.data().data()) + 14) == "ST_Pose");
  CHECK(client.read_write(0xF003, 0, 10, as_bytes("MAIN.fTime")).length() == 10);

  CHECK(client.write(0xF006, 0, Words().u32(more)).result() == 0);
  CHECK(client.read(0xF005, more, 4).result() == 0x710);
  CHECK(client.write(0xF006, 0, Words().u32(more)).result() == 0x710);
  CHECK(client.write(0xF006, u32_at(extended.data(), 0), {}).result() == 0);
}

TEST_CASE("values and descriptions come by name") {
  TestPlc plc;
  plc.run([](Server&, SymbolTable& table) { table.write("MAIN.stEM1500Pose.heave", 0.25); });
  RawClient client(plc.tcp_port);
  const Answer value = client.read_write(0xF004, 0, all_there_is, as_bytes("main.stem1500pose.heave"));
  REQUIRE(value.length() == 8);
  CHECK(ByteReader(value.data()).little<double>() == 0.25);
  const Answer place = client.read_write(0xF007, 0, 12, as_bytes("MAIN.byByte[5]"));
  CHECK(u32_at(place.data(), 0) == 0x4020);
  CHECK(u32_at(place.data(), 4) == 5);
  CHECK(u32_at(place.data(), 8) == 1);
  const Answer entry = client.read_write(0xF009, 0, 1000, as_bytes("MAIN.stEM1500Pose"));
  const auto symbols = decode_symbols(entry.data());
  REQUIRE(symbols);
  CHECK(symbols->at(0).type == "ST_Pose");
  CHECK(symbols->at(0).comment == "pose as the platform measures it");
  CHECK(client.read_write(0xF009, 0, 8, as_bytes("MAIN.stEM1500Pose")).result() == 0x705);
  const Answer type = client.read_write(0xF011, 0, all_there_is, as_bytes("st_pose"));
  CHECK(decode_types(type.data())->at(0).members.size() == 6);
  for (const std::uint32_t group : {0xF004u, 0xF007u, 0xF009u, 0xF011u})
    CHECK(client.read_write(group, 0, 1000, as_bytes("MAIN.nothing")).result() == 0x710);
}

TEST_CASE("uploads announce exactly what they give") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  const Answer brief = client.read(0xF00C, 0, 8);
  const Answer info = client.read(0xF00F, 0, 24);
  const Answer longest = client.read(0xF00F, 0, 64);
  REQUIRE(info.length() == 24);
  REQUIRE(longest.length() == 64);
  CHECK(client.read(0xF00F, 0, 8).length() == 8);
  CHECK(client.read(0xF00F, 0, 7).result() == 0x705);
  CHECK(u32_at(longest.data(), 28) == 65001);
  CHECK(std::ranges::equal(brief.data(), info.data().first(8)));
  const Answer symbols = client.read(0xF00B, 0, u32_at(info.data(), 4));
  const Answer types = client.read(0xF00E, 0, u32_at(info.data(), 12));
  CHECK(symbols.length() == u32_at(info.data(), 4));
  CHECK(types.length() == u32_at(info.data(), 12));
  CHECK(decode_symbols(symbols.data())->size() == u32_at(info.data(), 0));
  CHECK(decode_types(types.data())->size() == u32_at(info.data(), 8));
  CHECK(client.read(0xF00B, 0, u32_at(info.data(), 4) - 1).result() == 0x705);
}

TEST_CASE("control changes the state at once and refuses states that do not exist") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  const auto state = [&client] { return u32_at(client.call(4, {}).payload, 4); };
  CHECK(state() == 5);
  for (int i = 0; i < 5; ++i) {
    CHECK(client.control(6).result() == 0);
    CHECK(state() == 6);
    CHECK(client.control(5).result() == 0);
    CHECK(state() == 5);
  }
  CHECK(client.control(0).result() == 0x701);
  CHECK(client.control(20).result() == 0x701);
  CHECK(client.control(65535).result() == 0x701);
  CHECK(state() == 5);
  CHECK(client.control(6, Buffer(10240, 0xAB)).result() == 0);
  CHECK(state() == 6);
  CHECK(u32_at(client.read(0xF100, 0, 4).data(), 0) == 6);
  CHECK(client.read(0xF100, 2, 2).length() == 2);

  plc.run([](Server& server, SymbolTable&) {
    server.device().on_control = [](const Control& wish) { return wish.ads_state == AdsState::run ? 0x704u : 0u; };
  });
  CHECK(client.control(5).result() == 0x704);
  CHECK(state() == 6);
}

TEST_CASE("the system service tells its state and takes the PLC down in configuration mode") {
  TestPlc plc;
  RawClient plc_client(plc.tcp_port);
  RawClient system(plc.tcp_port);
  system.target_port = 10000;
  const Answer running = system.read(0x00F0, 0, 16);
  REQUIRE(running.length() == 16);
  CHECK(u32_at(running.data(), 0) == 5);
  CHECK(system.read(0x4020, 0, 4).result() == 0x701);
  const std::uint32_t handle = plc_client.handle("MAIN.fTime");
  REQUIRE(plc_client.add(0xF005, handle, 8, 4, 0, 0).result() == 0);

  CHECK(system.control(16).result() == 0);  // reconfigure
  CHECK(u32_at(system.call(4, {}).payload, 4) == 15);
  CHECK(plc_client.call(4, {}).ams_error == 6);
  CHECK(system.control(2).result() == 0);  // reset: run again
  CHECK(u32_at(plc_client.call(4, {}).payload, 4) == 5);
  CHECK(plc_client.read(0xF005, handle, 8).result() == 0x710);
  std::size_t left = 1;
  plc.run([&left](Server& server, SymbolTable&) { left = server.notifications(); });
  CHECK(left == 0);
}

TEST_CASE("the router gives ports and its own NetId") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  const auto ask = [&client](std::uint16_t command, Bytes data) {
    client.send(Words().u16(command).u32(static_cast<std::uint32_t>(data.size())).bytes(data));
    return client.packet();
  };
  const Buffer first = ask(0x1000, Words().u16(0));
  CHECK(first == Words().u16(0x1000).u32(8).bytes(client.target).u16(32768).buffer);
  CHECK(ask(0x1000, Words().u16(0)) == Words().u16(0x1000).u32(8).bytes(client.target).u16(32769).buffer);
  CHECK(ask(0x1000, Words().u16(1234)) == Words().u16(0x1000).u32(8).bytes(client.target).u16(1234).buffer);
  CHECK(ask(0x1002, Words().u32(0)) == Words().u16(0x1002).u32(6).bytes(client.target).buffer);
  CHECK(ask(0x0001, Words().u16(1234)) == Words().u16(0x0001).u32(2).u16(1234).buffer);
}

TEST_CASE("old handles tell of an online change and new ones work") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  const auto version = client.read(0xF008, 0, 1).data()[0];
  const std::uint32_t pose = client.handle("MAIN.stEM1500Pose");
  const std::uint32_t time = client.handle("MAIN.fTime");
  const std::uint32_t counter = client.handle("MAIN.nRxCounter");
  plc.run([](Server&, SymbolTable& table) {
    table.types().structure("ST_Pose", {{"surge", "REAL"}, {"sway", "REAL"}});
    table.change("MAIN.stEM1500Pose", "ST_Pose");
    table.remove("MAIN.fTime");
    table.add("MAIN.fNew", "LREAL");
    table.raise_version();
  });
  CHECK(client.read(0xF008, 0, 1).data()[0] != version);
  CHECK(client.read(0xF005, pose, 48).result() == 0x711);
  CHECK(client.write(0xF005, pose, Buffer(8)).result() == 0x711);
  CHECK(client.read(0xF005, time, 8).result() == 0x710);
  CHECK(client.read(0xF005, counter, 4).result() == 0);
  const std::uint32_t renewed = client.handle("MAIN.stEM1500Pose");
  CHECK(client.read(0xF005, renewed, all_there_is).length() == 8);
  CHECK(client.read(0xF005, client.handle("MAIN.fNew"), 8).result() == 0);
  plc.run([](Server&, SymbolTable& table) { table.renew(); });
  CHECK(client.read(0xF005, counter, 4).result() == 0x711);
}

}  // namespace
}  // namespace tandem::ads::test
