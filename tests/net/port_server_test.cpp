// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/port_server.hpp"

#include <array>

#include "tests/net/loopback.hpp"

namespace tandem::net {
namespace {

// Requests of one byte: 'e' is echoed, 'm' asks for a megabyte, 'x' breaks off, 'q' ends in order, '(' begins what ')'
// ends.
class Letters final : public Session {
 public:
  void begin(Outbox& out) override { out.stream().push_back('!'); }
  bool receive(Bytes bytes, Outbox& out) override {
    for (const std::uint8_t letter : bytes) {
      open_ = letter == '(' || (open_ && letter != ')');
      if (!open_) ++completed_;
      if (letter == 'e') out.stream().push_back(letter);
      if (letter == 'm') out.stream().resize(out.stream().size() + (1 << 20), letter);
      if (letter == 'x') out.abort();
      if (letter == 'q') return false;
    }
    return true;
  }
  Progress progress() const override { return {completed_, open_}; }

 private:
  std::uint64_t completed_ = 0;
  bool open_ = false;
};

struct Served {
  explicit Served(PortOptions options = {}) {
    auto made = PortServer::listen(options, [](const Endpoint&) { return std::make_unique<Letters>(); });
    REQUIRE(made);
    server = std::move(*made);
  }
  void poll(Duration time = 1ms) {
    const std::array<PortServer*, 1> ports = {server.get()};
    net::poll(ports, watches, in(time));
  }
  TcpSocket caller() {
    auto socket = TcpSocket::connect("127.0.0.1", server->port(), soon());
    REQUIRE(socket);
    return std::move(*socket);
  }
  void say(TcpSocket& caller, std::string_view text) {
    REQUIRE(caller.write_all(as_bytes(text), soon()));
    poll();
  }
  // What comes until `count` bytes are there or the connection ends, which adds a '.'.
  std::string heard(TcpSocket& caller, std::size_t count) {
    std::string text;
    for (const Instant end = soon(); text.size() < count && now() < end; poll()) {
      std::array<std::uint8_t, 4096> chunk;
      const auto got = caller.read_now(chunk);
      if (!got) return text + '.';
      text.append(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(*got));
    }
    return text;
  }

  std::unique_ptr<PortServer> server;
  std::vector<Watch> watches;
};

}  // namespace

TEST_CASE("a session ends in order with its answers, or at once without them") {
  Served served;
  auto polite = served.caller();
  served.say(polite, "eeq");
  CHECK(served.heard(polite, 10) == "!ee.");
  auto rude = served.caller();
  CHECK(served.heard(rude, 1) == "!");
  served.say(rude, "eex");
  CHECK(served.heard(rude, 10) == ".");
  CHECK(served.server->counters().ended == 1);
  CHECK(served.server->connections() == 0);
}

TEST_CASE(
    "while the plug is pulled nothing passes and no connection ends; once it is in again all are reset, unheard") {
  Plug plug;
  Served served({.plug = &plug});
  auto before = served.caller();
  CHECK(served.heard(before, 1) == "!");
  served.say(before, "e");
  CHECK(served.heard(before, 1) == "e");
  const auto broken = [&served](TcpSocket& caller) { return served.heard(caller, 1) == "."; };

  plug.pull();
  CHECK(plug.pulled());
  auto meanwhile = served.caller();  // the system's own handshake
  REQUIRE(before.write_all(as_bytes("ee"), soon()));
  REQUIRE(meanwhile.write_all(as_bytes("ee"), soon()));
  auto gone = served.caller();
  REQUIRE(gone.write_all(as_bytes("e"), soon()));
  gone.close();
  const Instant began = now();
  for (int i = 0; i < 10; ++i) {
    served.poll(10ms);
    served.server->cycle(now());
    served.server->broadcast(as_bytes("?"), now());
  }
  CHECK(now() - began >= 90ms);  // and it does not spin
  for (TcpSocket* caller : {&before, &meanwhile}) {
    std::array<std::uint8_t, 16> chunk;
    const auto got = caller->read_now(chunk);
    REQUIRE(got);
    CHECK(*got == 0);
  }
  CHECK(served.server->connections() == 1);
  CHECK(served.server->counters().accepted == 1);

  plug.insert();
  served.poll(10ms);
  CHECK(broken(before));
  CHECK(broken(meanwhile));
  CHECK(served.server->connections() == 0);
  auto after = served.caller();
  CHECK(served.heard(after, 1) == "!");
  served.say(after, "e");
  CHECK(served.heard(after, 1) == "e");
  CHECK(served.server->counters().accepted == 2);
}

TEST_CASE("a plug that is pulled and put in between two rounds resets what was open") {
  Plug plug;
  Served served({.plug = &plug});
  auto caller = served.caller();
  CHECK(served.heard(caller, 1) == "!");
  REQUIRE(caller.write_all(as_bytes("e"), soon()));
  plug.pull();
  plug.insert();
  CHECK(served.heard(caller, 2) == ".");
}

TEST_CASE("the client that has been idle longest leaves for a new one") {
  Served served({.most_connections = 2});
  auto first = served.caller();
  CHECK(served.heard(first, 1) == "!");
  auto second = served.caller();
  CHECK(served.heard(second, 1) == "!");
  auto third = served.caller();
  CHECK(served.heard(third, 1) == "!");
  CHECK(served.heard(first, 1) == ".");
  served.say(second, "e");
  served.say(third, "e");
  auto fourth = served.caller();
  CHECK(served.heard(fourth, 1) == ".");
  CHECK(served.server->counters().gave_way == 1);
  CHECK(served.server->counters().refused == 1);
}

TEST_CASE("requests that never end, answers that are never taken and silence cost the place") {
  Served hasty({.request_deadline = 30ms});
  auto half = hasty.caller();
  hasty.say(half, "(");
  CHECK(hasty.heard(half, 10) == "!.");
  CHECK(hasty.server->counters().overdue == 1);

  Served narrow({.most_unsent = 1 << 20});
  auto greedy = narrow.caller();
  for (int i = 0; i < 50 && narrow.server->counters().slow == 0; ++i) narrow.say(greedy, "m");
  CHECK(narrow.server->counters().slow == 1);

  Served patient({.most_unsent = 64 << 20, .stall_deadline = 1h, .leave_deadline = 30ms});
  auto leaver = patient.caller();
  patient.say(leaver, "mmmmmmmmmmmmmmmmq");  // more than the system holds for it
  CHECK(patient.server->connections() == 1);
  for (const Instant end = soon(); patient.server->connections() > 0 && now() < end;) patient.poll(10ms);
  CHECK(patient.server->connections() == 0);

  Served tidy({.idle_limit = 30ms});
  auto idle = tidy.caller();
  CHECK(tidy.heard(idle, 10) == "!.");
  CHECK(tidy.server->counters().idle == 1);
}

}  // namespace tandem::net
