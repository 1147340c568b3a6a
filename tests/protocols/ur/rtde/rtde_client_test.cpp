// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/client.hpp"

#include <doctest/doctest.h>

#include "tests/protocols/ur/bytes_by_hand.hpp"
#include "tests/protocols/ur/ports_fixture.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::test;

namespace {

const std::vector<std::string> stamp_and_mode{"timestamp", "robot_mode"};

// Answers as a controller of protocol 2 does, up to the controller's version.
bool greet(net::TcpSocket& socket) {
  if (read_rtde(socket) != hex("00 05 56 00 02")) return false;
  write_bytes(socket, hex("00 04 56 01"));
  if (read_rtde(socket) != hex("00 03 76")) return false;
  return write_bytes(socket, package('v', Hand().u32(5).u32(11).u32(0).u32(1).bytes));
}

// And up to the start of the data.
bool start(net::TcpSocket& socket) {
  if (!greet(socket)) return false;
  read_rtde(socket);
  write_bytes(socket, package('O', Hand().u8(1).text("DOUBLE,INT32").bytes));
  read_rtde(socket);
  return write_bytes(socket, hex("00 04 53 01"));
}

Packet sample(double timestamp, unsigned mode = 7) {
  return package('U', Hand().u8(1).real(timestamp).u32(mode).bytes);
}

RtdeClient started(std::uint16_t port) {
  auto client = RtdeClient::connect("127.0.0.1", port, soon());
  if (!client) FAIL(client.error().text);
  const auto set_up = client->setup_outputs(stamp_and_mode, 500, soon());
  if (!set_up) FAIL(set_up.error().text);
  const auto begun = client->start(soon());
  if (!begun) FAIL(begun.error().text);
  return std::move(*client);
}

}  // namespace

TEST_CASE("a client agrees on protocol 2 and reads the version") {
  Peer peer([](net::TcpSocket& socket) {
    greet(socket);
    sees_close(socket);
  });
  const auto client = RtdeClient::connect("127.0.0.1", peer.port, soon());
  REQUIRE(client);
  CHECK(client->protocol() == 2);
  CHECK(client->version().minor == 11);
}

TEST_CASE("R1 a controller that knows only protocol 1 is served in protocol 1") {
  Peer peer([](net::TcpSocket& socket) {
    CHECK(read_rtde(socket) == hex("00 05 56 00 02"));
    write_bytes(socket, hex("00 04 56 00"));
    CHECK(read_rtde(socket) == hex("00 05 56 00 01"));
    write_bytes(socket, hex("00 04 56 01"));
    read_rtde(socket);
    write_bytes(socket, package('v', Hand().u32(3).u32(2).u32(1).bytes));
    CHECK(read_rtde(socket) == package('O', text_bytes("timestamp,robot_mode")));
    write_bytes(socket, package('O', text_bytes("DOUBLE,INT32")));
    read_rtde(socket);
    write_bytes(socket, hex("00 04 53 01"));
    write_bytes(socket, package('U', Hand().real(42).u32(7).bytes));
    sees_close(socket);
  });
  auto client = started(peer.port);
  CHECK(client.protocol() == 1);
  Variables variables;
  const auto received = client.receive_newest(variables, soon());
  REQUIRE(received);
  CHECK(variables.state.timestamp == 42.0);
  CHECK(variables.state.robot_mode == RobotMode::running);
}

TEST_CASE("R1 a controller that refuses both protocols is told apart") {
  Peer peer([](net::TcpSocket& socket) {
    for (int i = 0; i < 2; ++i) {
      read_rtde(socket);
      write_bytes(socket, hex("00 04 56 00"));
    }
    sees_close(socket);
  });
  const auto client = RtdeClient::connect("127.0.0.1", peer.port, soon());
  REQUIRE_FALSE(client);
  CHECK(client.error().fault == Fault::unsupported);
}

TEST_CASE("R2 a variable that is missing or has another type is named") {
  for (const auto& [types, fault, named] :
       {std::tuple("DOUBLE,NOT_FOUND", Fault::not_found, "robot_mode"),
        std::tuple("VECTOR6D,INT32", Fault::invalid, "timestamp"), std::tuple("DOUBLE", Fault::invalid, "types"),
        std::tuple("", Fault::device, "refused")}) {
    Peer peer([types = std::string(types)](net::TcpSocket& socket) {
      greet(socket);
      read_rtde(socket);
      write_bytes(socket, package('O', Hand().u8(1).text(types).bytes));
      sees_close(socket);
    });
    auto client = RtdeClient::connect("127.0.0.1", peer.port, soon());
    REQUIRE(client);
    const auto set_up = client->setup_outputs(stamp_and_mode, 500, soon());
    REQUIRE_FALSE(set_up);
    CHECK(set_up.error().fault == fault);
    CHECK(set_up.error().text.find(named) != std::string::npos);
  }
}

TEST_CASE("R2 a variable outside the table never reaches the wire") {
  Peer peer([](net::TcpSocket& socket) {
    greet(socket);
    sees_close(socket);
  });
  auto client = RtdeClient::connect("127.0.0.1", peer.port, soon());
  REQUIRE(client);
  const std::vector<std::string> wrong{"actual_q,timestamp"};
  CHECK(client->setup_outputs(wrong, 500, soon()).error().fault == Fault::not_found);
  CHECK(client->setup_inputs(stamp_and_mode, soon()).error().fault == Fault::not_found);
}

TEST_CASE("R4 an input in use is named") {
  Peer peer([](net::TcpSocket& socket) {
    greet(socket);
    read_rtde(socket);
    write_bytes(socket, package('I', Hand().u8(0).text("UINT32,IN_USE").bytes));
    sees_close(socket);
  });
  auto client = RtdeClient::connect("127.0.0.1", peer.port, soon());
  REQUIRE(client);
  const std::vector<std::string> names{"speed_slider_mask", "speed_slider_fraction"};
  const auto recipe = client->setup_inputs(names, soon());
  REQUIRE_FALSE(recipe);
  CHECK(recipe.error().fault == Fault::busy);
  CHECK(recipe.error().text.find("speed_slider_fraction") != std::string::npos);
}

TEST_CASE("R3 data of another recipe ends the connection with an error") {
  Peer peer([](net::TcpSocket& socket) {
    start(socket);
    write_bytes(socket, package('U', Hand().u8(9).real(1).u32(7).bytes));
    sees_close(socket);
  });
  auto client = started(peer.port);
  Variables variables;
  const auto received = client.receive_newest(variables, soon());
  REQUIRE_FALSE(received);
  CHECK(received.error().fault == Fault::invalid);
  CHECK_FALSE(client.receive_newest(variables, soon()));
}

TEST_CASE("R5 sizes that lie and data shorter than the recipe close the connection") {
  for (const Packet& bad : {hex("00 00 55"), hex("00 01 55"), hex("00 02 55"), package('U', Hand().u8(1).real(1).bytes),
                            package('U', Hand().u8(1).real(1).u64(7).bytes), package('U')}) {
    Peer peer([bad](net::TcpSocket& socket) {
      start(socket);
      write_bytes(socket, bad);
      CHECK(sees_close(socket));
    });
    auto client = started(peer.port);
    Variables variables;
    const auto received = client.receive_newest(variables, soon());
    REQUIRE_FALSE(received);
    CHECK(received.error().fault == Fault::invalid);
  }
}

TEST_CASE("R5 a packet that is announced with 65535 bytes and never ends meets the deadline") {
  Peer peer([](net::TcpSocket& socket) {
    start(socket);
    write_bytes(socket, hex("ff ff 55 01"));
    sees_close(socket);
  });
  auto client = started(peer.port);
  Variables variables;
  CHECK(client.receive_newest(variables, soon(100ms)).error().fault == Fault::timeout);
}

TEST_CASE("R6 texts and unknown kinds between the data are kept and passed over") {
  Peer peer([](net::TcpSocket& socket) {
    greet(socket);
    read_rtde(socket);
    write_bytes(socket, Hand()
                            .add(package('M', Hand().u8(4).text("warm").u8(3).text("arm").u8(2).bytes))
                            .add(package('z', hex("01 02 03")))
                            .add(package('O', Hand().u8(1).text("DOUBLE,INT32").bytes))
                            .bytes);
    read_rtde(socket);
    write_bytes(socket, Hand().add(hex("00 04 53 01")).add(package('y')).add(sample(3)).bytes);
    sees_close(socket);
  });
  auto client = started(peer.port);
  Variables variables;
  REQUIRE(client.receive_newest(variables, soon()));
  CHECK(variables.state.timestamp == 3.0);
  const auto text = client.take_text();
  REQUIRE(text);
  CHECK(text->text == "warm");
  CHECK(text->source == "arm");
  CHECK(text->level == rtde::Level::warning);
  CHECK_FALSE(client.take_text());
  CHECK(client.skipped() == 2);
}

TEST_CASE("R7 a controller that accepts and then is silent meets the deadline") {
  Peer peer([](net::TcpSocket& socket) { sees_close(socket, 2s); });
  const Instant before = system_clock().now();
  const auto client = RtdeClient::connect("127.0.0.1", peer.port, soon(150ms));
  REQUIRE_FALSE(client);
  CHECK(client.error().fault == Fault::timeout);
  CHECK(system_clock().now() - before < 2s);
}

TEST_CASE("R7 data that stops after the start meets the deadline and a new client is set up from nothing") {
  Peer peer([](net::TcpSocket& socket) {
    start(socket);
    write_bytes(socket, sample(1));
    sees_close(socket);
  });
  for (int i = 0; i < 2; ++i) {
    auto client = started(peer.port);
    Variables variables;
    REQUIRE(client.receive_newest(variables, soon()));
    CHECK(client.receive_newest(variables, soon(50ms)).error().fault == Fault::timeout);
  }
}

TEST_CASE("R8 a timestamp that goes back is a restart and one that stands still is told") {
  std::atomic<int> asked{0};
  Peer peer([&asked](net::TcpSocket& socket) {
    start(socket);
    int sent = 0;
    for (const double stamp : {100.0, 100.002, 100.002, 5.0, 5.002}) {
      while (asked.load() <= sent) system_clock().sleep_until(soon(1ms));
      write_bytes(socket, sample(stamp));
      ++sent;
    }
    sees_close(socket);
  });
  auto client = started(peer.port);
  Variables variables;
  std::vector<std::pair<bool, bool>> seen;
  for (int i = 0; i < 5; ++i) {
    ++asked;
    const auto received = client.receive_newest(variables, soon());
    REQUIRE(received);
    seen.emplace_back(received->restarted, received->repeated);
  }
  using Told = std::vector<std::pair<bool, bool>>;
  CHECK(seen == Told{{false, false}, {false, false}, {false, true}, {true, false}, {false, false}});
}

TEST_CASE("R9 after a stall the newest packet wins") {
  std::atomic<bool> sent{false};
  Peer peer([&sent](net::TcpSocket& socket) {
    start(socket);
    Hand burst;
    for (int i = 1; i <= 1000; ++i) burst.add(sample(i));
    write_bytes(socket, burst.bytes);
    sent = true;
    sees_close(socket);
  });
  auto client = started(peer.port);
  while (!sent) system_clock().sleep_until(soon(1ms));
  Variables variables;
  std::size_t packets = 0;
  while (variables.state.timestamp < 1000) {
    const auto received = client.receive_newest(variables, soon());
    REQUIRE(received);
    packets += received->packets;
  }
  CHECK(packets == 1000);
}

TEST_CASE("G9 and G10 a packet in drops is put together and never keeps a caller past its deadline") {
  Peer peer([](net::TcpSocket& socket) {
    start(socket);
    for (const std::uint8_t byte : sample(8)) {
      write_bytes(socket, Packet{byte});
      system_clock().sleep_until(soon(10ms));
    }
    sees_close(socket);
  });
  auto client = started(peer.port);
  Variables variables;
  CHECK(client.receive_newest(variables, soon(30ms)).error().fault == Fault::timeout);
  REQUIRE(client.receive_newest(variables, soon()));
  CHECK(variables.state.timestamp == 8.0);
}

TEST_CASE("G2 a controller that closes is told as closed") {
  Peer peer([](net::TcpSocket& socket) {
    start(socket);
    write_bytes(socket, Hand().add(sample(1)).add(hex("00 10 55")).bytes);
  });
  auto client = started(peer.port);
  Variables variables;
  REQUIRE(client.receive_newest(variables, soon()));
  CHECK(client.receive_newest(variables, soon()).error().fault == Fault::closed);
}

TEST_CASE("inputs go out by recipe in the order of their names") {
  std::atomic<bool> done{false};
  Peer peer([&done](net::TcpSocket& socket) {
    greet(socket);
    CHECK(read_rtde(socket) == package('I', text_bytes("input_int_register_24,input_double_register_24")));
    write_bytes(socket, package('I', Hand().u8(4).text("INT32,DOUBLE").bytes));
    CHECK(read_rtde(socket) == package('U', Hand().u8(4).u32(0xffffffff).real(2.5).bytes));
    done = true;
    sees_close(socket);
  });
  auto client = RtdeClient::connect("127.0.0.1", peer.port, soon());
  REQUIRE(client);
  const std::vector<std::string> names{"input_int_register_24", "input_double_register_24"};
  const auto recipe = client->setup_inputs(names, soon());
  REQUIRE(recipe);
  CHECK(*recipe == 4);
  Variables variables;
  variables.inputs.input_int_register[24] = -1;
  variables.inputs.input_double_register[24] = 2.5;
  REQUIRE(client->send(*recipe, variables, soon()));
  CHECK_FALSE(client->send(1, variables, soon()));
  const Instant end = soon();
  while (!done && system_clock().now() < end) system_clock().sleep_until(soon(1ms));
  CHECK(done);
}
