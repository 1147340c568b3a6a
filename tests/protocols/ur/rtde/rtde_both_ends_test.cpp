// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/protocols/ur/rtde/client.hpp"
#include "tandem/protocols/ur/rtde/session.hpp"
#include "tests/protocols/ur/bytes_by_hand.hpp"
#include "tests/protocols/ur/ports_fixture.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::test;

namespace {

struct Robot {
  explicit Robot(net::PortOptions options = {})
      : controller(variables),
        served([this](const net::Endpoint&) { return std::make_unique<RtdeSession>(controller); },
               [this] { variables.state.timestamp += 0.002; }, options) {}

  Variables variables;
  RtdeController controller;
  Served served;
};

RtdeClient connected(const Robot& robot) {
  auto client = RtdeClient::connect("127.0.0.1", robot.served.port, soon());
  if (!client) FAIL(client.error().text);
  return std::move(*client);
}

}  // namespace

TEST_CASE("a client and a controller meet on loopback") {
  Robot robot;
  auto client = connected(robot);
  const std::vector<std::string> outputs{"timestamp", "actual_q", "input_int_register_24", "input_bit_register_64"};
  const std::vector<std::string> inputs{"input_int_register_24", "input_bit_register_64"};
  REQUIRE(client.setup_outputs(outputs, 500, soon()));
  const auto recipe = client.setup_inputs(inputs, soon());
  REQUIRE(recipe);
  REQUIRE(client.start(soon()));
  Variables wanted, seen;
  wanted.inputs.input_int_register[24] = 99;
  wanted.inputs.input_bit_register[0] = 1;
  REQUIRE(client.send(*recipe, wanted, soon()));
  const Instant end = soon();
  while (seen.inputs.input_int_register[24] != 99 && system_clock().now() < end)
    REQUIRE(client.receive_newest(seen, soon()));
  CHECK(seen.inputs.input_int_register[24] == 99);
  CHECK(seen.inputs.input_bit_register[0] == 1);
  REQUIRE(client.pause(soon()));
  REQUIRE(client.setup_outputs(outputs, 10, soon()));
  REQUIRE(client.start(soon()));
  CHECK(client.receive_newest(seen, soon()));
}

TEST_CASE("R4 two clients and one exclusive input on loopback") {
  Robot robot;
  auto second = connected(robot);
  const std::vector<std::string> inputs{"speed_slider_mask", "speed_slider_fraction"};
  {
    auto first = connected(robot);
    REQUIRE(first.setup_inputs(inputs, soon()));
    CHECK(second.setup_inputs(inputs, soon()).error().fault == Fault::busy);
  }
  const Instant end = soon();
  auto recipe = second.setup_inputs(inputs, soon());
  while (!recipe && system_clock().now() < end) recipe = second.setup_inputs(inputs, soon());
  CHECK(recipe.ok());
}

TEST_CASE("four clients at 500 Hz lose no packet and cost little") {
  Robot robot;
  std::vector<std::string> outputs;
  for (const Field& field : fields())
    if (field.output && field.name.find("register") == std::string::npos) outputs.push_back(field.name);
  std::vector<std::jthread> threads;
  std::atomic<int> good{0};
  std::atomic<std::size_t> packets{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      auto client = RtdeClient::connect("127.0.0.1", robot.served.port, soon());
      if (!client || !client->setup_outputs(outputs, 500, soon()) || !client->start(soon())) return;
      Variables seen;
      double first = 0;
      std::size_t count = 0;
      const Instant end = soon(1s);
      while (system_clock().now() < end) {
        const auto received = client->receive_newest(seen, soon());
        if (!received || received->restarted || received->repeated) return;
        if (count == 0) first = seen.state.timestamp - 0.002 * static_cast<double>(received->packets - 1);
        count += received->packets;
      }
      // As many packets as the controller's clock has steps: none was lost.
      const double steps = (seen.state.timestamp - first) / 0.002 + 1;
      if (std::abs(steps - static_cast<double>(count)) < 0.5) ++good;
      packets += count;
    });
  const Instant begin = system_clock().now();
  const double used = robot.served.processor_time;
  threads.clear();
  const double share = (robot.served.processor_time - used) / seconds(system_clock().now() - begin);
  CHECK(good == 4);
  CHECK(share < 0.5);
  MESSAGE("packets of four clients in a second: " << packets.load() << " at " << share * 100 << " % of a core");
}

TEST_CASE("R9 and G23 a client that reads nothing costs a bounded buffer and disturbs nobody") {
  Robot robot;
  std::string names;
  for (const Field& field : fields())
    if (field.output) names += field.name + ',';
  auto lazy = net::TcpSocket::connect("127.0.0.1", robot.served.port, soon());
  REQUIRE(lazy);
  write_bytes(*lazy, Hand()
                         .add(hex("00 05 56 00 02"))
                         .add(package('O', Hand().real(500).text(names).bytes))
                         .add(hex("00 03 53"))
                         .bytes);
  auto client = connected(robot);
  REQUIRE(client.setup_outputs(std::vector<std::string>{"timestamp"}, 500, soon()));
  REQUIRE(client.start(soon()));
  Variables seen;
  const Instant end = soon(500ms);
  while (system_clock().now() < end) REQUIRE(client.receive_newest(seen, soon()));
  // Every packet that the lazy one finds at last is whole.
  robot.served.frozen = true;
  Packet stream;
  Packet chunk(1 << 16);
  while (true) {
    const auto count = lazy->read_some(chunk, soon(100ms));
    if (!count) break;
    stream.insert(stream.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  const auto packets = rtde_packets(stream);
  REQUIRE(packets.size() > 10);
  double last = 0;
  for (const Packet& packet : packets) {
    if (packet[2] != 'U') continue;
    CHECK(packet.size() == packets.back().size());
    CHECK(real_at(packet, 4) > last);
    last = real_at(packet, 4);
  }
}

TEST_CASE("G23 a client that takes nothing for too long is dropped") {
  Robot robot({.send_buffer = 4096, .stall_deadline = 200ms});
  std::string names;
  for (const Field& field : fields())
    if (field.output) names += field.name + ',';
  auto lazy = net::TcpSocket::connect("127.0.0.1", robot.served.port, soon());
  REQUIRE(lazy);
  write_bytes(*lazy, Hand()
                         .add(hex("00 05 56 00 02"))
                         .add(package('O', Hand().real(500).text(names).bytes))
                         .add(hex("00 03 53"))
                         .bytes);
  const Instant end = soon(20s);
  while (robot.served.connections == 0 && system_clock().now() < end) system_clock().sleep_until(soon(2ms));
  while (robot.served.connections != 0 && system_clock().now() < end) system_clock().sleep_until(soon(10ms));
  CHECK(robot.served.connections == 0);
}

TEST_CASE("a connection that opens and closes at once leaves nothing behind") {
  Robot robot;
  for (int i = 0; i < 50; ++i) {
    auto socket = net::TcpSocket::connect("127.0.0.1", robot.served.port, soon());
    REQUIRE(socket);
    if (i % 2 == 0) socket->reset();
  }
  auto client = connected(robot);
  const Instant end = soon();
  while (robot.served.connections != 1 && system_clock().now() < end) system_clock().sleep_until(soon(2ms));
  CHECK(robot.served.connections == 1);
}

TEST_CASE("G9 a request that never ends costs one connection for the deadline of a request") {
  Robot robot({.request_deadline = 100ms});
  auto loris = net::TcpSocket::connect("127.0.0.1", robot.served.port, soon());
  REQUIRE(loris);
  write_bytes(*loris, hex("ff ff 4f"));
  CHECK(sees_close(*loris));
  auto idle = net::TcpSocket::connect("127.0.0.1", robot.served.port, soon());
  REQUIRE(idle);
  Packet buffer(8);
  CHECK(idle->read_some(buffer, soon(400ms)).error().fault == Fault::timeout);  // an idle client may stay
}

TEST_CASE("when all places are taken one who never asked gives way") {
  Robot robot({.most_connections = 4});
  auto working = connected(robot);
  std::vector<net::TcpSocket> silent;
  for (int i = 0; i < 10; ++i) {
    auto socket = net::TcpSocket::connect("127.0.0.1", robot.served.port, soon());
    REQUIRE(socket);
    silent.push_back(std::move(*socket));
  }
  auto next = connected(robot);
  REQUIRE(next.setup_outputs(std::vector<std::string>{"timestamp"}, 500, soon()));
  REQUIRE(working.setup_outputs(std::vector<std::string>{"timestamp"}, 500, soon()));
}

TEST_CASE("G13 garbage costs its sender the connection and nobody else anything") {
  Robot robot;
  auto client = connected(robot);
  REQUIRE(client.setup_outputs(std::vector<std::string>{"timestamp"}, 500, soon()));
  REQUIRE(client.start(soon()));
  for (int i = 0; i < 20; ++i) {
    auto socket = net::TcpSocket::connect("127.0.0.1", robot.served.port, soon());
    REQUIRE(socket);
    write_bytes(*socket, Packet(1000, static_cast<std::uint8_t>(i % 2)));
    if (i % 2 == 0) CHECK(sees_close(*socket));
  }
  Variables seen;
  CHECK(client.receive_newest(seen, soon()));
}
