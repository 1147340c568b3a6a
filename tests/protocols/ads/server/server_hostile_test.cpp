// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <random>

#include "tandem/protocols/ads/codec/udp.hpp"
#include "tests/full.hpp"
#include "tests/protocols/ads/golden.hpp"
#include "tests/protocols/ads/raw_client.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads::test {
namespace {

Server::Counters counters_of(TestPlc& plc) {
  Server::Counters counters;
  plc.run([&counters](Server& server, SymbolTable&) { counters = server.counters(); });
  return counters;
}

// Whatever happened to others, this one is served.
void check_alive(TestPlc& plc) {
  RawClient client(plc.tcp_port);
  CHECK(client.read(0x4020, 0, 4).result() == 0);
}

TEST_CASE("garbage and lying lengths cost the sender its connection and nobody else") {
  TestPlc plc;
  RawClient witness(plc.tcp_port);
  const Buffer good = golden::bytes(golden::device_info_request);
  const auto changed = [&good](std::size_t position, std::uint32_t value) {
    Buffer packet = good;
    ByteWriter(packet).little_at(position, value);
    return packet;
  };
  for (const Buffer& bytes : {Buffer(200, 0xAA), changed(2, 0x7FFFFFFF), changed(2, 0xFFFFFFFF), changed(2, 0),
                              changed(2, 31), changed(26, 4), changed(26, 0xFFFFFFFF), changed(0, 0x00200042)}) {
    RawClient client(plc.tcp_port);
    client.send(bytes);
    CHECK(client.closed_by_server());
    CHECK(witness.call(4, {}).result() == 0);
  }
  CHECK(counters_of(plc).broken == 8);
}

TEST_CASE("every split of the stream and every byte on its own gives the same answers") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  Buffer stream = golden::bytes(golden::device_info_request);
  const Buffer second = golden::bytes(golden::state_request);
  stream.insert(stream.end(), second.begin(), second.end());
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    client.send(Bytes(stream).first(cut));
    std::this_thread::yield();
    client.send(Bytes(stream).subspan(cut));
    REQUIRE(client.packet() == golden::bytes(golden::device_info_response));
    REQUIRE(client.packet() == golden::bytes(golden::state_response));
  }
  for (const std::uint8_t byte : stream) client.send({&byte, 1});
  CHECK(client.packet() == golden::bytes(golden::device_info_response));
  CHECK(client.packet() == golden::bytes(golden::state_response));
}

TEST_CASE("payloads of every wrong length get an error and the connection lives on") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  for (const std::uint16_t command :
       {std::uint16_t{2}, std::uint16_t{3}, std::uint16_t{5}, std::uint16_t{6}, std::uint16_t{7}, std::uint16_t{9}}) {
    for (std::size_t length = 0; length < 60; ++length) {
      const Answer answer = client.call(command, Buffer(length, 0xFF));
      CAPTURE(command);
      CAPTURE(length);
      CHECK(answer.ams_error == 0);
      CHECK(answer.result() != 0);
    }
  }
}

TEST_CASE("random requests never bring the server down") {
  TestPlc plc;
  std::mt19937_64 random(20260711);
  const std::array<std::uint32_t, 24> groups{0x4020, 0x4021, 0x4040, 0xF003, 0xF004, 0xF005, 0xF006, 0xF007,
                                             0xF008, 0xF009, 0xF00B, 0xF00C, 0xF00E, 0xF00F, 0xF010, 0xF011,
                                             0xF020, 0xF031, 0xF080, 0xF081, 0xF082, 0xF083, 0xF084, 0xF085};
  const std::array<std::uint32_t, 10> numbers{0, 1, 2, 4, 64, 0x1001, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
  const auto number = [&] { return numbers[random() % numbers.size()]; };
  RawClient client(plc.tcp_port);
  const int rounds = count(4000, 20000);
  for (int i = 0; i < rounds; ++i) {
    const auto command = static_cast<std::uint16_t>(1 + random() % 9);
    if (command == 8) continue;
    Words words;
    words.u32(groups[random() % groups.size()]).u32(number()).u32(number());
    if (command == 9) {
      Words data;
      const std::uint64_t count = random() % 12;
      for (std::uint64_t k = 0; k < count; ++k) data.u32(k % 3 == 0 ? groups[random() % groups.size()] : number());
      words.u32(static_cast<std::uint32_t>(data.buffer.size())).bytes(data);
    } else if (command == 6) {
      words.u32(number()).u32(number()).u32(number()).zeros(16);
    }
    client.target_port = random() % 8 == 0 ? 10000 : 851;
    const Answer answer = client.call(command, words);
    REQUIRE((answer.ams_error == 0 || answer.ams_error == 6));
    client.notifications.clear();
    if (i % 64 == 0) {
      client.target_port = 10000;
      REQUIRE(client.control(5).result() == 0);  // some of them put the system into configuration mode
    }
  }
  check_alive(plc);
}

TEST_CASE("a packet that never ends is given up and so is a client that never reads") {
  ServerOptions options;
  options.packet_deadline = 200ms;
  options.stall_deadline = 400ms;
  options.most_unsent = 4u << 20;
  TestPlc plc(options);
  RawClient loris(plc.tcp_port);
  loris.send(Buffer{0, 0, 32});
  RawClient deaf(plc.tcp_port);
  // Far more answers than the sockets can hold: the server stops taking requests, then loses patience.
  const Buffer request = deaf.request(2, Words().u32(0x4020).u32(0).u32(128 * 1024), 1);
  for (int i = 0; i < 200; ++i)
    if (!deaf.socket.write_all(request, RawClient::soon())) break;
  CHECK(loris.closed_by_server());
  Server::Counters counters;
  for (int i = 0; i < 1000 && counters.slow == 0; ++i) counters = counters_of(plc);
  CHECK(counters.broken == 1);
  CHECK(counters.slow == 1);
  check_alive(plc);
}

TEST_CASE("notifications that are not read are bounded too") {
  ServerOptions options;
  options.most_unsent = 2u << 20;
  options.stall_deadline = 60s;
  options.cycle = 1ms;
  TestPlc plc(options);
  RawClient deaf(plc.tcp_port);
  for (int i = 0; i < 40; ++i)
    deaf.send(deaf.request(6, Words().u32(0x4020).u32(0).u32(65536).u32(3).u32(0).u32(0).zeros(16),
                           static_cast<std::uint32_t>(i)));
  Server::Counters counters;
  for (int i = 0; i < 3000 && counters.slow == 0; ++i) counters = counters_of(plc);
  CHECK(counters.slow == 1);
  check_alive(plc);
}

TEST_CASE("connections are bounded and idle ones make room") {
  ServerOptions options;
  options.most_connections = 8;
  TestPlc plc(options);
  RawClient first(plc.tcp_port);
  CHECK(first.call(4, {}).result() == 0);
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 50; ++i) idle.push_back(std::make_unique<RawClient>(plc.tcp_port));
  check_alive(plc);
  CHECK(first.call(4, {}).result() == 0);
  std::size_t connections = 0;
  plc.run([&connections](Server& server, SymbolTable&) { connections = server.connections(); });
  CHECK(connections <= 8);
}

TEST_CASE("handles and notifications of one client are bounded") {
  TestPlc plc;
  RawClient client(plc.tcp_port);
  Words rows;
  constexpr std::uint32_t count = 1024;
  for (std::uint32_t i = 0; i < count; ++i) rows.u32(0xF003).u32(0).u32(4).u32(10);
  for (std::uint32_t i = 0; i < count; ++i) rows.text("MAIN.fTime");
  for (int i = 0; i < 16; ++i) CHECK(u32_at(client.read_write(0xF082, count, 12 * count, rows).data(), 0) == 0);
  CHECK(u32_at(client.read_write(0xF082, count, 12 * count, rows).data(), 0) == 0x716);
  // 16 MiB of watched bytes are enough for anybody.
  std::uint32_t result = 0;
  for (int i = 0; i < 300 && result == 0; ++i) result = client.add(0x4020, 0, 65536, 10, 0, 0).result();
  CHECK(result == 0x716);
}

TEST_CASE("the password of a route is checked when it is configured, with or without a user") {
  const auto result = [](const std::string& user, const std::string& password, const char* wanted_user,
                         const char* wanted_password) {
    RouteService service({.net_id = NetId{{5, 1, 2, 3, 1, 1}}, .user = wanted_user, .password = wanted_password});
    Buffer request;
    const NetId client{{192, 168, 1, 9, 1, 1}};
    encode_route_request(request, {client, 10000}, {"route", client, user, password, "192.168.1.9"});
    const Buffer datagram = service.answer(request);
    const auto answer = decode_udp(datagram);
    REQUIRE(answer);
    CHECK(service.routes().size() == (route_result(*answer) == 0 ? 1 : 0));
    return route_result(*answer);
  };
  CHECK(result("anybody", "anything", "", "") == 0);
  CHECK(result("anybody", "secret", "", "secret") == 0);
  CHECK(result("anybody", "wrong", "", "secret") == 0x704);
  CHECK(result("anybody", "", "", "secret") == 0x704);
  CHECK(result("admin", "secret", "admin", "secret") == 0);
  CHECK(result("anybody", "secret", "admin", "secret") == 0x704);
  CHECK(result("admin", "wrong", "admin", "") == 0x704);
}

TEST_CASE("discovery and routes are answered as pyads and AdsLib expect") {
  ServerOptions options;
  options.net_id = NetId{{5, 1, 2, 3, 1, 1}};
  options.user = "Administrator";
  options.password = "1";
  TestPlc plc(options);
  auto udp = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(udp.ok());
  const net::Endpoint server{0x7F000001, plc.udp_port};
  const auto exchange = [&](Bytes request) {
    std::array<std::uint8_t, 2048> buffer;
    REQUIRE(udp->send(request, server).ok());
    const auto datagram = udp->receive(buffer, RawClient::soon());
    REQUIRE(datagram.ok());
    return Buffer(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(datagram->size));
  };
  const Buffer client{192, 168, 1, 9, 1, 1};
  const auto tag = [](Words& words, std::uint16_t id, std::string_view text) {
    words.u16(id).u16(static_cast<std::uint16_t>(text.size() + 1)).text(text).zeros(1);
  };
  const auto add_route = [&](std::string_view password) {
    Words words;
    words.u32(0x71146603).u32(0).u32(6).bytes(client).u16(10000).u32(5);
    tag(words, 12, "route");
    words.u16(7).u16(6).bytes(client);
    tag(words, 13, "Administrator");
    tag(words, 2, password);
    tag(words, 5, "192.168.1.9");
    return words;
  };
  Words answer;
  answer.u32(0x71146603).u32(0).u32(0x80000006).bytes(Buffer{5, 1, 2, 3, 1, 1}).u16(10000).u32(1).u16(1).u16(4);
  CHECK(exchange(add_route("1")) == Words(answer).u32(0).buffer);
  CHECK(exchange(add_route("2")) == Words(answer).u32(0x704).buffer);
  std::size_t routes = 0;
  plc.run([&routes](Server& served, SymbolTable&) { routes = served.routes().size(); });
  CHECK(routes == 1);

  REQUIRE(udp->send(Buffer(100, 0x55), server).ok());  // no answer to this one
  const Buffer info = exchange(Words().u32(0x71146603).u32(7).u32(1).bytes(client).u16(10000).u32(0));
  CHECK(u32_at(info, 4) == 7);
  CHECK(u32_at(info, 8) == 0x80000001);
  const auto packet = decode_udp(info);
  REQUIRE(packet);
  CHECK(packet->from.text() == "5.1.2.3.1.1:10000");
  CHECK_FALSE(packet->text(UdpTag::computer_name).empty());
}

}  // namespace
}  // namespace tandem::ads::test
