// SPDX-License-Identifier: Apache-2.0
// What a device can do wrong, and what the client makes of it.
#include <doctest/doctest.h>

#include <random>

#include "tests/protocols/ads/fake.hpp"

namespace tandem::ads {
namespace {

constexpr std::array<std::uint8_t, 8> eight{1, 2, 3, 4, 5, 6, 7, 8};
constexpr std::array<std::uint8_t, 8> untouched{0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
constexpr Duration generous = 3s;  // for a loaded machine; every deadline here is far shorter

bool says(const Error& error, std::string_view words) { return error.text.find(words) != std::string::npos; }

// Reads of eight bytes as the device does them when it is well.
void serve_reads(FakeDevice& device) {
  while (const auto request = device.request()) device.answer(request->header, ReadResponse{0, eight});
}

Result<void> read_eight(Client& client, std::array<std::uint8_t, 8>& into, Instant deadline) {
  return client.read(group::memory, 0, into, deadline);
}

TEST_CASE("one late answer costs exactly one transaction") {
  FakeServer server([](FakeDevice& device) {
    const auto first = device.request();
    if (!first) return;
    const AmsHeader late = first->header;
    const auto second = device.request();  // sent after the first was given up
    if (!second) return;
    const AmsHeader waiting = second->header;
    device.answer(late, ReadResponse{0, untouched});
    device.answer(waiting, ReadResponse{0, eight});
    serve_reads(device);
  });
  Client client = server.connect();
  std::array<std::uint8_t, 8> bytes = untouched;
  auto first = read_eight(client, bytes, in(50ms));
  REQUIRE(!first);
  CHECK(first.error().fault == Fault::timeout);
  CHECK(bytes == untouched);
  for (int i = 0; i < 20; ++i) {
    bytes = untouched;
    REQUIRE(read_eight(client, bytes, soon()));
    CHECK(bytes == eight);
  }
  CHECK(client.counters().answers_ignored == 1);
}

TEST_CASE("answers with another id or command or without the response flag are ignored") {
  FakeServer server([](FakeDevice& device) {
    const auto request = device.request();
    if (!request) return;
    AmsHeader wrong = request->header;
    wrong.invoke_id += 1000;
    device.answer(wrong, ReadResponse{0, untouched});
    wrong = request->header;
    wrong.command = Command::read_write;
    device.answer(wrong, ReadResponse{0, untouched});
    device.answer_raw(request->header, {});
    device.raw(Buffer{0x00, 0x10, 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8});  // a router command
    device.answer(request->header, ReadResponse{0, eight});
    device.answer(request->header, ReadResponse{0, untouched});  // once more
    serve_reads(device);
  });
  Client client = server.connect();
  std::array<std::uint8_t, 8> bytes{};
  REQUIRE(read_eight(client, bytes, soon()));
  CHECK(bytes == eight);
  REQUIRE(read_eight(client, bytes, soon()));
  CHECK(bytes == eight);
  CHECK(client.counters().answers_ignored == 5);
}

TEST_CASE("an answer of the wrong length is rejected whole and the next one is fine") {
  FakeServer server([](FakeDevice& device) {
    const std::array<std::uint8_t, 9> nine{};
    for (const Bytes data : {Bytes(eight).first(7), Bytes(nine), Bytes{}}) {
      const auto request = device.request();
      if (!request) return;
      device.answer(request->header, ReadResponse{0, data});
    }
    // A length field that lies, and no length field at all.
    const Buffer lie{0, 0, 0, 0, 8, 0, 0, 0, 1, 2, 3};
    for (const Bytes payload : {Bytes(lie), Bytes(lie).first(4), Bytes{}}) {
      const auto request = device.request();
      if (!request) return;
      device.answer_raw(response_to(request->header), payload);
    }
    serve_reads(device);
  });
  Client client = server.connect();
  std::array<std::uint8_t, 8> bytes = untouched;
  for (int i = 0; i < 6; ++i) {
    auto read = read_eight(client, bytes, soon());
    REQUIRE(!read);
    CHECK(read.error().fault == Fault::invalid);
    CHECK(says(read.error(), "answer rejected"));
    CHECK(bytes == untouched);
  }
  REQUIRE(read_eight(client, bytes, soon()));
  CHECK(bytes == eight);
}

TEST_CASE("an error code wins over data that comes with it") {
  FakeServer server([](FakeDevice& device) {
    const auto first = device.request();
    if (!first) return;
    device.answer(first->header, ReadResponse{code::symbol_version, eight});
    const auto second = device.request();
    if (!second) return;
    Buffer payload;
    ByteWriter writer(payload);
    encode(writer, ReadResponse{0, eight});
    device.answer_raw(response_to(second->header, code::no_such_port), payload);
    const auto third = device.request();
    if (!third) return;
    device.answer_raw(response_to(third->header, code::no_such_machine), {});
    device.wait_for_end();
  });
  Client client = server.connect();
  std::array<std::uint8_t, 8> bytes = untouched;
  auto first = read_eight(client, bytes, soon());
  REQUIRE(!first);
  CHECK(first.error().code == code::symbol_version);
  CHECK(first.error().fault == Fault::device);
  auto second = read_eight(client, bytes, soon());
  REQUIRE(!second);
  CHECK(second.error().code == code::no_such_port);
  CHECK(says(second.error(), "target port not found"));
  auto third = read_eight(client, bytes, soon());
  REQUIRE(!third);
  CHECK(third.error().fault == Fault::unreachable);
  CHECK(says(third.error(), "no route for NetId 127.0.0.1.1.1"));
  CHECK(bytes == untouched);
}

TEST_CASE("impossible lengths and garbage end the connection within the deadline") {
  std::vector<Buffer> openings;
  for (const std::uint32_t length : {0u, 31u, 0x7fffffffu, 0xffffffffu}) {
    Buffer head{0, 0};
    ByteWriter(head).little(length);
    openings.push_back(head);
  }
  auto contradiction = golden::bytes(golden::state_response);
  contradiction[26] += 4;
  openings.push_back(contradiction);
  std::mt19937_64 random(11);
  Buffer garbage(200);
  for (auto& byte : garbage) byte = static_cast<std::uint8_t>(random() | 0x80);
  openings.push_back(garbage);

  for (const Buffer& opening : openings) {
    FakeServer server([&opening](FakeDevice& device) {
      if (!device.request()) return;
      device.raw(opening);
      device.wait_for_end();
    });
    Client client = server.connect();
    std::array<std::uint8_t, 8> bytes = untouched;
    const Instant before = in(0s);
    auto read = read_eight(client, bytes, in(10s));
    REQUIRE(!read);
    CHECK(read.error().fault == Fault::invalid);
    CHECK(in(0s) - before < generous);
    CHECK(!client.open());
    auto again = read_eight(client, bytes, in(10s));
    REQUIRE(!again);
    CHECK(again.error().fault == Fault::invalid);
    CHECK(bytes == untouched);
  }
}

TEST_CASE("silence costs no more than the deadline and names the missing route") {
  FakeServer server([](FakeDevice& device) { device.wait_for_end(); });
  Client client = server.connect();
  std::array<std::uint8_t, 8> bytes{};
  const Instant before = in(0s);
  auto read = read_eight(client, bytes, in(100ms));
  const Duration taken = in(0s) - before;
  REQUIRE(!read);
  CHECK(read.error().fault == Fault::timeout);
  CHECK(taken >= 100ms);
  CHECK(taken < generous);
  CHECK(says(read.error(), "no route for NetId 127.0.0.1.1.1"));
  CHECK(says(read.error(), "5.1.2.3.1.1 is not its NetId"));
  CHECK(!outcome_unknown(read.error()));
}

TEST_CASE("a connection closed at once is told as a missing route") {
  FakeServer server([](FakeDevice& device) { device.request(); });
  Client client = server.connect();
  auto state = client.read_state(soon());
  REQUIRE(!state);
  CHECK(state.error().fault == Fault::closed);
  CHECK(says(state.error(), "closed the connection at once: probably no route for NetId 127.0.0.1.1.1"));
}

TEST_CASE("a connection lost later is not blamed on the route") {
  FakeServer server([](FakeDevice& device) {
    const auto request = device.request();
    if (request) device.answer(request->header, StateResponse{0, AdsState::run, 0});
  });
  Client client = server.connect();
  REQUIRE(client.read_state(soon()));
  auto lost = client.next_notification(soon());
  REQUIRE(!lost);
  CHECK(lost.error().fault == Fault::closed);
  CHECK(!says(lost.error(), "route"));
  CHECK(says(lost.error(), "another client uses NetId"));
  auto state = client.read_state(soon());
  REQUIRE(!state);
  CHECK(state.error().fault == Fault::closed);
}

TEST_CASE("a connection closed or reset in the middle of a packet gives no data") {
  for (const bool reset : {false, true}) {
    FakeServer server([reset](FakeDevice& device) {
      const auto request = device.request();
      if (!request) return;
      Buffer out;
      append_frame(out, response_to(request->header), ReadResponse{0, eight});
      device.raw(Bytes(out).first(out.size() - 3));
      if (reset) device.socket().reset();
    });
    Client client = server.connect();
    std::array<std::uint8_t, 8> bytes = untouched;
    auto read = read_eight(client, bytes, soon());
    REQUIRE(!read);
    CHECK(read.error().fault == Fault::closed);
    CHECK(bytes == untouched);
  }
}

TEST_CASE("a write without an answer is told as unknown") {
  FakeServer server([](FakeDevice& device) {
    device.request();
    device.request();
    device.request();
  });
  Client client = server.connect();
  for (int i = 0; i < 2; ++i) {
    auto silent = client.write(group::memory, 0, eight, in(50ms));
    REQUIRE(!silent);
    CHECK(silent.error().fault == Fault::timeout);
    CHECK(outcome_unknown(silent.error()));
    CHECK(says(silent.error(), "outcome UNKNOWN"));
  }
  auto closed = client.write_control(AdsState::run, 0, soon());
  REQUIRE(!closed);
  CHECK(closed.error().fault == Fault::closed);
  CHECK(outcome_unknown(closed.error()));
  auto never_sent = client.write(group::memory, 0, eight, soon());
  REQUIRE(!never_sent);
  CHECK(!outcome_unknown(never_sent.error()));
}

TEST_CASE("a write that the device refuses is not unknown") {
  FakeServer server([](FakeDevice& device) {
    const auto request = device.request();
    if (request) device.answer(request->header, ResultResponse{code::not_permitted});
    device.wait_for_end();
  });
  Client client = server.connect();
  auto refused = client.write(group::memory, 0, eight, soon());
  REQUIRE(!refused);
  CHECK(refused.error().code == code::not_permitted);
  CHECK(!outcome_unknown(refused.error()));
}

TEST_CASE("answers that come byte by byte are the same answers") {
  FakeServer server([](FakeDevice& device) {
    while (const auto request = device.request()) {
      Buffer out;
      append_frame(out, response_to(request->header), ReadResponse{0, eight});
      for (const std::uint8_t byte : out) {
        device.raw({&byte, 1});
        std::this_thread::sleep_for(200us);
      }
    }
  });
  Client client = server.connect();
  for (int i = 0; i < 5; ++i) {
    std::array<std::uint8_t, 8> bytes{};
    REQUIRE(read_eight(client, bytes, soon()));
    CHECK(bytes == eight);
  }
}

TEST_CASE("a packet that never ends ends the connection") {
  FakeServer server([](FakeDevice& device) {
    const auto request = device.request();
    if (!request) return;
    Buffer out;
    append_frame(out, response_to(request->header), ReadResponse{0, eight});
    for (const std::uint8_t byte : Bytes(out).first(45)) {
      if (!device.socket().write_all({&byte, 1}, soon())) return;
      std::this_thread::sleep_for(100ms);
    }
  });
  Client client = server.connect();
  std::array<std::uint8_t, 8> bytes = untouched;
  Fault fault{};
  const Instant before = in(0s);
  // Each call keeps its own deadline; the connection goes when the packet has had its time.
  while (client.open() && in(0s) - before < 4s) {
    auto read = read_eight(client, bytes, in(200ms));
    REQUIRE(!read);
    fault = read.error().fault;
  }
  CHECK(fault == Fault::timeout);
  CHECK(!client.open());
  CHECK(in(0s) - before < 4s);
  CHECK(bytes == untouched);
}

TEST_CASE("nobody listening is told as such") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  const Peer peer{"127.0.0.1", listener->local().port, {NetId{{5, 1, 2, 3, 1, 1}}, port::plc}, {}};
  listener->close();
  auto client = Client::connect(peer, soon());
  REQUIRE(!client);
  CHECK(client.error().fault == Fault::refused);
  CHECK(says(client.error(), "5.1.2.3.1.1:851"));
}

}  // namespace
}  // namespace tandem::ads
