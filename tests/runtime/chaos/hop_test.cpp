// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/hop.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "tandem/net/url.hpp"
#include "tandem/runtime/registry.hpp"
#include "tests/net/loopback.hpp"

namespace tandem::runtime::chaos {
namespace {

const machines::MachineType& type_named(std::string_view name) {
  const auto* type = all_machines().find(name);
  REQUIRE(type != nullptr);
  return *type;
}

std::string impossible(std::string_view type, const std::string& device) {
  const auto ways = ways_through(type_named(type), device);
  return ways ? "possible" : ways.error().text;
}

using net::UdpSocket;

// Sends numbers one after the other, and gives those that come out.
std::vector<int> numbers_through(UdpSocket& from, const net::Endpoint& to, UdpSocket& at, int count) {
  std::vector<int> arrived;
  std::array<std::uint8_t, 64> into{};
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint8_t>(i);
    REQUIRE(from.send({&number, 1}, to));
  }
  while (auto datagram = at.receive(into, in(200ms))) arrived.push_back(into[0]);
  return arrived;
}

}  // namespace

TEST_CASE("every port of a device gets a proxy, also those whose number the URL leaves out") {
  const auto hop = Hop::open(type_named("ur3e"), "rtde://127.0.0.1?dashboard=29998");
  REQUIRE(hop);
  const auto url = net::parse_url(hop->url());
  REQUIRE(url);
  std::set<std::string> ports = {std::to_string(url->port.value_or(0))};
  for (const char* key : {"dashboard", "gripper", "primary", "realtime", "secondary"}) {
    REQUIRE_MESSAGE(url->value(key), key);
    ports.insert(std::string(*url->value(key)));
  }
  CHECK(ports.size() == 6);
  CHECK_FALSE(ports.contains("29998"));
  CHECK_FALSE(ports.contains("30004"));
  CHECK(hop->has_streams());
  CHECK_FALSE(hop->has_datagrams());
}

TEST_CASE("keys of the URL that are no ports stay, and an AMS NetId stays that of the device") {
  const auto modbus = Hop::open(type_named("raptorlift"), "modbus://127.0.0.1?unit=3");
  REQUIRE(modbus);
  CHECK(net::parse_url(modbus->url())->value("unit") == "3");
  CHECK(net::parse_url(modbus->url())->port != 502);
  const auto ads = Hop::open(type_named("em1500"), "ads://127.0.0.1:48999");
  REQUIRE(ads);
  CHECK(net::parse_url(ads->url())->value("net_id") == "127.0.0.1.1.1");
  CHECK(net::parse_url(ads->url())->value("own") == "127.0.0.1.1.1");
  const auto given = Hop::open(type_named("em1500"), "ads://127.0.0.1?net_id=169.254.119.135.1.1&own=1.2.3.4.1.1");
  REQUIRE(given);
  CHECK(net::parse_url(given->url())->value("net_id") == "169.254.119.135.1.1");
  CHECK(net::parse_url(given->url())->value("own") == "1.2.3.4.1.1");
}

TEST_CASE("what no proxy can stand in for is refused with its reason and touches no network") {
  CHECK(impossible("orca", "mavlink://127.0.0.1?link=serial&device=/dev/ttyS9").find("a serial line has no proxy") !=
        std::string::npos);
  CHECK(impossible("orca", "mavlink://203.0.113.7:14550?link=udpout") == "possible");
  CHECK(impossible("ur3e", "rtde://203.0.113.7?primary=0").find("primary") != std::string::npos);
  machines::MachineType portless = type_named("raptorlift");
  portless.ports = {};
  const auto ways = ways_through(portless, "modbus://127.0.0.1");
  REQUIRE_FALSE(ways);
  CHECK(ways.error().text.find("names no ports; remove `chaos: true`") != std::string::npos);
}

TEST_CASE("terms that mean nothing on a link are refused") {
  const auto tcp = Hop::open(type_named("raptorlift"), "modbus://127.0.0.1:9");
  const auto udp = Hop::open(type_named("orca"), "mavlink://127.0.0.1:9?link=udpout");
  REQUIRE(tcp);
  REQUIRE(udp);
  const auto told = [](const Hop& hop, std::string_view terms) {
    const auto suits = hop.suits(*parse_terms(terms));
    return suits ? std::string("suits") : suits.error().text;
  };
  CHECK(told(*tcp, "slice reset half-open delay=1ms") == "suits");
  CHECK(told(*tcp, "reorder").starts_with("reorder: expected a link over UDP, got TCP"));
  CHECK(told(*udp, "reorder blackhole delay=1ms") == "suits");
  for (const char* term : {"slice", "reset", "half-open"})
    CHECK(told(*udp, term).starts_with(std::string(term) + ": expected a link over TCP, got UDP"));
}

TEST_CASE("a device that sends to us passes through, both ways, and directions are the device's") {
  UdpSocket vehicle = UdpSocket::bind("127.0.0.1", 0).value();
  std::uint16_t port = UdpSocket::bind("127.0.0.1", 0).value().local().port;
  auto hop = Hop::open(type_named("orca"), fmt::format("mavlink://127.0.0.1:{}?link=udpin", port));
  REQUIRE(hop);
  const auto url = net::parse_url(hop->url());
  CHECK(url->value("link") == "udpin");
  CHECK(*url->port != port);
  UdpSocket machine = UdpSocket::bind("127.0.0.1", *url->port).value();
  std::array<std::uint8_t, 8> into{};
  const std::uint8_t byte = 42;
  const auto passes_up = [&] {
    REQUIRE(vehicle.send({&byte, 1}, {0x7F000001, port}));
    return machine.receive(into, in(300ms));
  };
  const auto up = passes_up();
  REQUIRE(up);
  REQUIRE(machine.send({&byte, 1}, up->from));
  CHECK(vehicle.receive(into, soon()));

  hop->apply(*parse_terms("blackhole to=device"), 1);
  REQUIRE(passes_up());
  REQUIRE(machine.send({&byte, 1}, up->from));
  CHECK_FALSE(vehicle.receive(into, in(100ms)));
  hop->lift(*parse_terms("blackhole to=device"));
  hop->apply(*parse_terms("blackhole to=client"), 1);
  CHECK_FALSE(passes_up());
  REQUIRE(machine.send({&byte, 1}, up->from));
  CHECK(vehicle.receive(into, soon()));
  CHECK(hop->counts().to_device.dropped == 1);
  CHECK(hop->counts().to_client.dropped == 1);
}

TEST_CASE("one seed gives the same chances on a link that is in use already") {
  UdpSocket device = UdpSocket::bind("127.0.0.1", 0).value();
  UdpSocket client = UdpSocket::bind("127.0.0.1", 0).value();
  auto hop = Hop::open(type_named("orca"), fmt::format("mavlink://127.0.0.1:{}?link=udpout", device.local().port));
  REQUIRE(hop);
  const net::Endpoint proxy{0x7F000001, *net::parse_url(hop->url())->port};
  const Terms terms = *parse_terms("loss=30% duplicate=20% to=device");
  const auto run = [&](std::uint64_t seed) {
    hop->apply(terms, seed);
    auto arrived = numbers_through(client, proxy, device, 100);
    hop->lift(terms);
    return arrived;
  };
  CHECK(numbers_through(client, proxy, device, 17).size() == 17);
  const auto first = run(7);
  CHECK(first.size() > 40);
  CHECK(first.size() < 130);
  CHECK(numbers_through(client, proxy, device, 5).size() == 5);
  CHECK(run(7) == first);
  CHECK(run(8) != first);
}

}  // namespace tandem::runtime::chaos
