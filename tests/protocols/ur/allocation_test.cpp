// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>

#include "tandem/protocols/ur/primary/realtime.hpp"
#include "tandem/protocols/ur/primary/session.hpp"
#include "tandem/protocols/ur/rtde/client.hpp"
#include "tandem/protocols/ur/rtde/session.hpp"
#include "tests/allocations.hpp"
#include "tests/protocols/ur/bytes_by_hand.hpp"
#include "tests/protocols/ur/ports_fixture.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::test;

TEST_CASE("a warm cycle of the controller does not allocate") {
  Variables variables;
  RtdeController controller(variables);
  PrimarySource source{variables, {}, {}, 5};
  auto rtde_port =
      net::PortServer::listen({}, [&](const net::Endpoint&) { return std::make_unique<RtdeSession>(controller); });
  auto samples_port = net::PortServer::listen(
      {}, [&](const net::Endpoint&) { return std::make_unique<RealtimeSession>(variables.state, nullptr); });
  auto primary_port = net::PortServer::listen(
      {}, [&](const net::Endpoint&) { return std::make_unique<PrimarySession>(source, true, nullptr); });
  REQUIRE(rtde_port);
  REQUIRE(samples_port);
  REQUIRE(primary_port);
  net::PortServer* const ports[] = {rtde_port->get(), samples_port->get(), primary_port->get()};
  std::vector<net::TcpSocket> sockets;
  for (const net::PortServer* port : ports) {
    auto socket = net::TcpSocket::connect("127.0.0.1", port->port(), soon());
    REQUIRE(socket);
    sockets.push_back(std::move(*socket));
  }
  write_bytes(sockets[0], Hand()
                              .add(hex("00 05 56 00 02"))
                              .add(package('O', Hand().real(500).text("timestamp,actual_q,joint_mode").bytes))
                              .add(package('I', text_bytes("input_int_register_0")))
                              .add(hex("00 03 53"))
                              .bytes);
  std::vector<net::Watch> watches;
  Packet buffer(1 << 16);
  const Packet input = package('U', Hand().u8(1).u32(7).bytes);
  const auto cycle = [&] {
    // Each socket has something for its reader, so that no error text is made.
    for (net::PortServer* port : ports) port->cycle(system_clock().now());
    poll(ports, watches, system_clock().now());
    for (auto& socket : sockets) static_cast<void>(socket.read_now(buffer).ok());
    static_cast<void>(sockets[0].write_now(input).ok());
  };
  for (int i = 0; i < 200; ++i) cycle();
  const std::size_t before = allocations;
  for (int i = 0; i < 200; ++i) cycle();
  CHECK(allocations - before == 0);
  CHECK(variables.inputs.input_int_register[0] == 7);
}

TEST_CASE("a warm client neither receives nor sends with an allocation") {
  Variables variables;
  RtdeController controller(variables);
  Served served([&](const net::Endpoint&) { return std::make_unique<RtdeSession>(controller); },
                [&] { variables.state.timestamp += 0.002; });
  auto client = RtdeClient::connect("127.0.0.1", served.port, soon());
  REQUIRE(client);
  REQUIRE(client->setup_outputs(std::vector<std::string>{"timestamp", "actual_q"}, 500, soon()));
  const auto recipe = client->setup_inputs(std::vector<std::string>{"input_double_register_24"}, soon());
  REQUIRE(recipe);
  REQUIRE(client->start(soon()));
  Variables seen;
  for (int i = 0; i < 50; ++i) REQUIRE(client->receive_newest(seen, soon()));
  REQUIRE(client->send(*recipe, seen, soon()));
  const std::size_t before = allocations;
  bool good = true;
  for (int i = 0; i < 50; ++i) {
    good = good && client->receive_newest(seen, soon()).ok();
    good = good && client->send(*recipe, seen, soon()).ok();
  }
  CHECK(good);
  CHECK(allocations - before == 0);
}

TEST_CASE("a packet of a hundred variables costs microseconds") {
  Variables variables;
  Recipe recipe;
  for (std::size_t i = 0; i < fields().size(); ++i)
    if (fields()[i].output && recipe.fields().size() < 100) recipe.add(i);
  Packet out;
  constexpr int rounds = 20'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    out.clear();
    recipe.encode(variables, out);
  }
  const double each = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / rounds;
  MESSAGE("encode " << out.size() << " bytes: " << each * 1e6 << " us");
  CHECK(each < 1e-3);
}
