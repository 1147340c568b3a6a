// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/gripper/gripper.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <random>

#include "tandem/protocols/ur/gripper/client.hpp"
#include "tests/protocols/ur/ports_fixture.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::gripper;

namespace {

// Becomes active after some looks at its status, and is where it was asked to go at once.
struct FakeDevice final : Device {
  int read(Variable variable) const override {
    if (variable == Variable::status) return values[index(Variable::act)] == 0 ? 0 : ++looks > 3 ? 3 : 1;
    if (variable == Variable::echo) return values[index(Variable::position)];
    return values[index(variable)];
  }
  void write(Variable variable, int value) override { values[index(variable)] = value; }
  static std::size_t index(Variable variable) { return static_cast<std::size_t>(variable); }
  std::array<int, 15> values{};
  mutable int looks = 0;
};

std::string talk(net::Session& session, std::string_view text) {
  net::Outbox out;
  session.receive(as_bytes(text), out);
  const auto bytes = out.take();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("the gripper answers as the URCap does") {
  FakeDevice device;
  GripperSession session(device);
  CHECK(talk(session, "SET POS 100\n") == "ack");
  CHECK(talk(session, "GET POS\n") == "POS 100\n");
  CHECK(talk(session, "SET ACT 1 GTO 1\n") == "ack");
  CHECK(device.values[FakeDevice::index(Variable::act)] == 1);
  CHECK(device.values[FakeDevice::index(Variable::gto)] == 1);
  CHECK(talk(session, "GET STA\n") == "STA 1\n");
  CHECK(talk(session, "GET PRE\n") == "PRE 100\n");
  device.values[FakeDevice::index(Variable::fault)] = 0x0b;
  CHECK(talk(session, "GET FLT\n") == "FLT 0B\n");
  for (const char* variable : {"ACT", "GTO", "ATR", "ARD", "FOR", "SPE", "OBJ", "CUR", "COU", "MSC", "SID"})
    CHECK(talk(session, std::string("GET ") + variable + "\n").starts_with(std::string(variable) + " "));
}

TEST_CASE("what the gripper does not know it says so and nothing changes") {
  FakeDevice device;
  GripperSession session(device);
  for (const char* bad : {"GET XYZ\n", "SET XYZ 1\n", "SET POS\n", "SET POS 256\n", "SET POS -1\n", "SET POS 1x\n",
                          "SET\n", "GET\n", "HELLO\n", "\n", "GET POS POS\n", "SET POS 7 XYZ 1\n", "set POS 1\n"}) {
    CAPTURE(bad);
    CHECK(talk(session, bad) == "?\n");
  }
  CHECK(device.values == std::array<int, 15>{});
}

TEST_CASE("gripper requests in any pieces are answered in order") {
  const std::string stream = "SET FOR 50\nSET SPE 255\r\nGET SPE\nSET POS 3 FOR 9\nGET FOR\n";
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    FakeDevice device;
    GripperSession session(device);
    std::string answers;
    for (std::size_t at = 0; at < stream.size(); at += step) answers += talk(session, stream.substr(at, step));
    CHECK(answers == "ackackSPE 255\nackFOR 9\n");
  }
}

TEST_CASE("requests and values survive a round trip") {
  const Request write = Write{{{Variable::force, 50}, {Variable::position, 255}}};
  CHECK(text(write) == "SET FOR 50 POS 255\n");
  const auto parsed = parse_request("SET FOR 50 POS 255");
  REQUIRE(parsed);
  CHECK(std::get<Write>(*parsed).pairs == std::get<Write>(write).pairs);
  for (int i = 0; i < 15; ++i)
    for (const int value : {0, 7, 255}) {
      const auto variable = static_cast<Variable>(i);
      const auto back = parse_value(text(variable, value));
      REQUIRE(back);
      CHECK(*back == std::pair(variable, value));
    }
  std::mt19937_64 random(2);
  for (int i = 0; i < 5000; ++i) {
    std::string line = i % 2 == 0 ? "SET " : "GET ";
    for (std::size_t n = random() % 20; n > 0; --n) line += " PO0123S9-\t\x7f"[random() % 12];
    CHECK_NOTHROW(static_cast<void>(parse_request(line).ok()));
    CHECK_NOTHROW(static_cast<void>(parse_value(line).ok()));
  }
}

TEST_CASE("a client activates and moves the gripper over loopback") {
  FakeDevice device;
  test::Served served([&](const net::Endpoint&) { return std::make_unique<GripperSession>(device); });
  auto client = Client::connect("127.0.0.1", served.port, soon());
  REQUIRE(client);
  CHECK(client->move(100, 255, 50, soon()).error().fault == Fault::device);
  REQUIRE(client->activate(soon()));
  REQUIRE(client->move(100, 255, 50, soon()));
  const auto status = client->status(soon());
  REQUIRE(status);
  CHECK(status->position == 100);
  CHECK(status->requested == 100);
  CHECK(status->status == 3);
  CHECK(client->move(256, 0, 0, soon()).error().fault == Fault::invalid);
  REQUIRE(client->deactivate(soon()));
}

TEST_CASE("a gripper that answers nonsense or nothing is told by name") {
  const auto saying = [](std::string answer) {
    return [answer](net::TcpSocket& socket) {
      std::vector<std::uint8_t> buffer(1000);
      while (socket.read_some(buffer, soon(2s))) test::write_bytes(socket, as_bytes(answer));
    };
  };
  for (const auto& [answer, fault] :
       {std::pair("FOR 3\n", Fault::invalid), std::pair("POS 300\n", Fault::invalid),
        std::pair("?\n", Fault::not_found), std::pair("", Fault::timeout), std::pair("POS", Fault::timeout)}) {
    test::Peer peer(saying(answer));
    auto client = Client::connect("127.0.0.1", peer.port, soon());
    REQUIRE(client);
    CAPTURE(answer);
    CHECK(client->read(Variable::position, soon(150ms)).error().fault == fault);
  }
  test::Peer peer(saying("?\n"));
  auto client = Client::connect("127.0.0.1", peer.port, soon());
  REQUIRE(client);
  CHECK(client->write({{{Variable::position, 1}}}, soon()).error().fault == Fault::device);
}
