// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/client.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <atomic>

#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"
#include "tests/protocols/modbus/fake.hpp"

namespace tandem::modbus {
namespace {

using test::Buffer;
using test::FakeDevice;
using test::FakeServer;
using test::framed;
using test::hex;

TEST_CASE("both ends meet over every function") {
  MemoryDevice device;
  device.add(Table::coils, 8192, 16);
  device.add(Table::discrete_inputs, 0, 16);
  device.add(Table::holding_registers, 0, 130);
  device.add(Table::input_registers, 0, 8);
  device.assign(Table::discrete_inputs, 3, 1);
  device.assign(Table::input_registers, 7, 0xABCD);
  device.status = 5;
  device.id = "\x07\xFFtandem";
  for (int i = 0; i < 7; ++i) device.objects[static_cast<std::uint8_t>(i)] = std::string(90, 'x');
  auto server = Server::listen(device, {.port = 0});
  REQUIRE(server);
  std::jthread thread([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) (*server)->poll(in(5ms));
  });
  auto client = Client::connect({"127.0.0.1", (*server)->port(), 1}, soon());
  REQUIRE(client);

  const std::array<bool, 3> coils{true, false, true};
  REQUIRE(client->write_coils(8193, coils, soon()));
  REQUIRE(client->write_coil(8192, true, soon()));
  std::array<bool, 4> bits{};
  REQUIRE(client->read_coils(8192, bits, soon()));
  CHECK(bits == std::array<bool, 4>{true, true, false, true});
  REQUIRE(client->read_discrete_inputs(0, bits, soon()));
  CHECK(bits == std::array<bool, 4>{false, false, false, true});

  const std::array<std::uint16_t, 2> written{1, 0xFFFF};
  REQUIRE(client->write_registers(10, written, soon()));
  REQUIRE(client->write_register(12, 3, soon()));
  REQUIRE(client->mask_write(12, 0xFFFE, 0x0001, soon()));
  std::array<std::uint16_t, 3> words{};
  REQUIRE(client->read_registers(10, words, soon()));
  CHECK(words == std::array<std::uint16_t, 3>{1, 0xFFFF, 3});
  REQUIRE(client->exchange(20, words, 10, words, soon()));
  CHECK(device.word(Table::holding_registers, 21) == 0xFFFF);
  const auto pair = client->write_and_read(30, words, 30, words, soon());
  CHECK(pair.ok());
  std::array<std::uint16_t, 1> input{};
  REQUIRE(client->read_input_registers(7, input, soon()));
  CHECK(input[0] == 0xABCD);

  CHECK(*client->exception_status(soon()) == 5);
  const auto id = client->server_id(soon());
  REQUIRE(id);
  CHECK(id->id() == 7);
  CHECK(id->running());
  CHECK(id->text() == "tandem");
  const auto objects = client->identification(IdentificationCode::regular, soon());
  REQUIRE(objects);
  CHECK(objects->size() == 7);
  CHECK(client->counters().dropped == 0);

  const auto refused = client->read_registers(129, words, soon());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().fault == Fault::device);
  CHECK(refused.error().code == 2);
  CHECK(refused.error().text == "unit 1: read holding registers 129 to 131: exception 2, illegal address");
  std::vector<std::uint16_t> too_many(126);
  CHECK(client->read_registers(0, too_many, soon()).error().fault == Fault::invalid);
  CHECK(client->write_registers(0, too_many, soon()).error().fault == Fault::invalid);
  CHECK_FALSE(client->write_and_read(0, too_many, 0, words, soon()).ok());
  CHECK(client->read_registers(0, words, soon()).ok());
}

// M1: libmodbus fails for ever after this.
TEST_CASE("a late answer costs exactly one transaction") {
  FakeServer server([](FakeDevice& device) {
    const auto late = device.request();
    if (!late) return;
    const Buffer held = framed(hex("03 02 00 07"), late->transaction);
    const auto next = device.request();
    if (!next) return;
    device.raw(held);
    device.answer(*next, "03 02 00 08");
    while (const auto request = device.request()) device.answer(*request, "03 02 00 09");
  });
  Client client = server.connect();
  std::array<std::uint16_t, 1> word{};
  const auto late = client.read_registers(0, word, in(20ms));
  REQUIRE_FALSE(late);
  CHECK(late.error().fault == Fault::timeout);
  CHECK_FALSE(outcome_unknown(late.error()));
  REQUIRE(client.read_registers(0, word, soon()));
  CHECK(word[0] == 8);
  for (int i = 0; i < 40; ++i) REQUIRE(client.read_registers(0, word, soon()));
  CHECK(word[0] == 9);
  CHECK(client.counters().dropped == 1);
  CHECK(client.counters().timeouts == 1);
}

// M2, G15: other ids, other units, and the same answer twice.
TEST_CASE("answers of nobody are dropped and the right one is taken") {
  FakeServer server([](FakeDevice& device) {
    while (const auto request = device.request()) {
      device.raw(framed(hex("03 02 00 01"), static_cast<std::uint16_t>(request->transaction + 1), 1));
      device.raw(framed(hex("03 02 00 02"), request->transaction, 2));
      device.answer(*request, "03 02 00 03");
      device.answer(*request, "03 02 00 04");
    }
  });
  Client client = server.connect();
  std::array<std::uint16_t, 1> word{};
  for (int i = 0; i < 10; ++i) {
    REQUIRE(client.read_registers(0, word, soon()));
    CHECK(word[0] == 3);
  }
  CHECK(client.counters().answers == 10);
  CHECK(client.counters().dropped >= 27);
}

// M4, M6, M7: each of them costs its own request, and the connection stays.
TEST_CASE("wrong answers are rejected with a reason and a write is then unknown") {
  const std::array lies{"03 04 00 01", "03 03 00 01 02", "03 01 01", "04 04 00 01 00 02", "03 02 00 01", "03", "7F 00"};
  FakeServer server([&](FakeDevice& device) {
    for (const char* lie : lies)
      if (const auto request = device.request()) device.answer(*request, lie);
    for (const char* lie : {"10 00 01 00 02", "10 00 00 00 01", "06 00 00 00 02", "90 06"})
      if (const auto request = device.request()) device.answer(*request, lie);
    if (const auto request = device.request()) device.answer(*request, "03 04 00 01 00 02");
    device.wait_for_end();
  });
  Client client = server.connect();
  std::array<std::uint16_t, 2> words{7, 7};
  for (const char* lie : lies) {
    CAPTURE(lie);
    const auto read = client.read_registers(0, words, soon());
    REQUIRE_FALSE(read);
    CHECK(read.error().fault == Fault::invalid);
    CHECK(read.error().text.starts_with("unit 1: read holding registers 0 to 1: answer rejected: "));
    CHECK(words == std::array<std::uint16_t, 2>{7, 7});
  }
  for (int i = 0; i < 3; ++i) {
    const auto write = client.write_registers(0, words, soon());
    REQUIRE_FALSE(write);
    CHECK(outcome_unknown(write.error()));
  }
  const auto busy = client.write_registers(0, words, soon());
  REQUIRE_FALSE(busy);
  CHECK_FALSE(outcome_unknown(busy.error()));
  CHECK(busy.error().code == 6);
  REQUIRE(client.read_registers(0, words, soon()));
  CHECK(words[1] == 2);
}

// M3: there is no way to find the next frame then.
TEST_CASE("a stream that makes no sense ends the connection and names the reason") {
  for (const char* garbage : {"00 01 00 01 00 05", "00 01 00 00 00 00", "00 01 00 00 00 01", "00 01 00 00 00 FF",
                              "00 01 00 00 01 00", "00 01 00 00 FF FF"}) {
    CAPTURE(garbage);
    FakeServer server([&](FakeDevice& device) {
      if (device.request()) device.raw(hex(garbage));
      device.wait_for_end();
    });
    Client client = server.connect();
    std::array<std::uint16_t, 1> word{};
    const auto read = client.read_registers(0, word, soon());
    REQUIRE_FALSE(read);
    CHECK(read.error().fault == Fault::invalid);
    CHECK(read.error().text.find("expected") != std::string::npos);
    CHECK_FALSE(client.open());
    CHECK_FALSE(client.read_registers(0, word, soon()));
  }
}

TEST_CASE("answers that come byte by byte are the same answers") {
  FakeServer server([](FakeDevice& device) {
    while (const auto request = device.request()) {
      const Buffer answer = framed(hex("03 04 00 01 00 02"), request->transaction);
      for (const std::uint8_t& byte : answer) device.raw({&byte, 1});
    }
  });
  Client client = server.connect();
  std::array<std::uint16_t, 2> words{};
  for (int i = 0; i < 20; ++i) REQUIRE(client.read_registers(0, words, soon()));
  CHECK(words == std::array<std::uint16_t, 2>{1, 2});
}

// The answer to a read of one register: its own address.
Buffer echo(const Frame& request) {
  Buffer pdu = hex("03 02 00 00");
  std::copy_n(request.pdu.begin() + 1, 2, pdu.begin() + 2);
  return framed(pdu, request.transaction);
}

std::array<RequestId, 4> begin_four(Client& client, Instant deadline) {
  std::array<RequestId, 4> ids{};
  for (std::uint16_t i = 0; i < ids.size(); ++i) {
    const auto begun = client.begin(ReadRegisters{WordKind::holding, i, 1}, deadline, Client::Send::with_next);
    REQUIRE(begun);
    ids[i] = *begun;
  }
  return ids;
}

TEST_CASE("a server that answers only the first request of a segment answers all") {
  std::atomic<int> lost{0};
  FakeServer server([&](FakeDevice& device) {
    while (const auto request = device.first_of_segment()) {
      lost = device.lost;
      device.raw(echo(*request));
    }
  });
  Client client = server.connect();
  for (const auto& order : {std::array{0u, 1u, 2u, 3u}, std::array{3u, 1u, 0u, 2u}}) {
    const auto ids = begin_four(client, soon());
    for (const unsigned i : order) {
      const auto answer = client.await(ids[i]);
      REQUIRE(answer);
      CHECK(std::get<RegistersRead>(**answer).values[0] == i);
    }
  }
  const std::array<std::uint16_t, 1> out{7};
  std::array<std::uint16_t, 1> word{};
  for (int i = 0; i < 20; ++i) CHECK(client.write_and_read(0, out, 5, word, in(2s)).read.ok());
  CHECK(word[0] == 5);
  CHECK(client.counters().timeouts == 0);
  CHECK(lost == 0);
}

TEST_CASE("with pipelining such a server answers the first alone") {
  FakeServer server([&](FakeDevice& device) {
    while (const auto request = device.first_of_segment()) device.raw(echo(*request));
  });
  Client client = server.connect(true);
  const auto ids = begin_four(client, in(300ms));
  CHECK(client.await(ids[0]).ok());
  for (const std::size_t i : {1u, 2u, 3u}) CHECK(client.await(ids[i]).error().fault == Fault::timeout);
}

TEST_CASE("a request behind one without an answer is not sent and nothing is unknown of it") {
  std::atomic<int> heard{0};
  FakeServer server([&](FakeDevice& device) {
    while (device.request()) ++heard;
  });
  Client client = server.connect();
  const Instant deadline = in(100ms);
  const auto read = client.begin(ReadRegisters{WordKind::holding, 0, 1}, deadline);
  const auto write = client.begin(WriteRegister{0, 1}, deadline);
  REQUIRE(read);
  REQUIRE(write);
  CHECK(client.await(*read).error().text == "unit 1: read holding registers 0: no answer before the deadline");
  const auto unsent = client.await(*write);
  REQUIRE_FALSE(unsent);
  CHECK(unsent.error().fault == Fault::timeout);
  CHECK_FALSE(outcome_unknown(unsent.error()));
  CHECK(unsent.error().text == "unit 1: write register 0: not sent: no answer to the previous request");
  // Nor is it sent later, before what comes next.
  CHECK_FALSE(client.write_coil(0, true, in(100ms)));
  client.close();
  CHECK(heard <= 2);
}

TEST_CASE("a request waits no longer than the one before it may take") {
  FakeServer server([&](FakeDevice& device) {
    if (!device.request()) return;
    while (const auto request = device.request()) device.raw(echo(*request));
  });
  Client client = server.connect();
  const auto silent = client.begin(ReadRegisters{WordKind::holding, 1, 1}, in(50ms));
  const auto next = client.begin(ReadRegisters{WordKind::holding, 2, 1}, soon());
  REQUIRE(silent);
  REQUIRE(next);
  const auto answer = client.await(*next);
  REQUIRE(answer);
  CHECK(std::get<RegistersRead>(**answer).values[0] == 2);
  CHECK(client.await(*silent).error().fault == Fault::timeout);
}

TEST_CASE("every request has its time when the device answers slowly") {
  FakeServer server([](FakeDevice& device) {
    while (const auto request = device.request()) {
      std::this_thread::sleep_for(40ms);
      device.raw(echo(*request));
    }
  });
  Client client = server.connect();
  // All four in one round trip's time would be too late for the last ones. On a busy host even one is, now and then.
  bool all = false;
  for (int i = 0; i < 20 && !all; ++i) {
    all = true;
    const auto ids = begin_four(client, in(100ms));
    for (const RequestId& id : ids) all = client.await(id).ok() && all;
  }
  CHECK(all);
}

TEST_CASE("an answer from another unit is named") {
  FakeServer server([](FakeDevice& device) {
    while (const auto request = device.request()) device.raw(framed(hex("03 02 00 02"), request->transaction, 2));
  });
  Client client = server.connect();
  std::array<std::uint16_t, 1> word{};
  const auto read = client.read_registers(0, word, in(100ms));
  REQUIRE_FALSE(read);
  CHECK(read.error().text == "unit 1: read holding registers 0: expected an answer from unit 1, got one from unit 2");
}

// Nagle's algorithm holds a small segment back until the one before it is acknowledged, and TCP acknowledges up to 40
// ms late: 22 exchanges a second where there could be thousands.
TEST_CASE("servers with Nagle's algorithm do not wait for acknowledgements") {
  for (const bool pipelining : {false, true}) {
    CAPTURE(pipelining);
    FakeServer server([](FakeDevice& device) {
      const int off = 0;
      setsockopt(device.socket().fd(), IPPROTO_TCP, TCP_NODELAY, &off, sizeof off);
      while (const auto request = device.request()) {
        const Buffer answer = echo(*request);
        device.raw(Bytes(answer).first(7));
        device.raw(Bytes(answer).subspan(7));
      }
    });
    Client client = server.connect(pipelining);
    for (int i = 0; i < 25; ++i) {
      const auto ids = begin_four(client, soon());
      for (const RequestId& id : ids) CHECK(client.await(id).ok());
    }
    CHECK(client.round_trips().count() == 100);
    CHECK(client.round_trips().quantile(0.5) < 20ms);
  }
}

TEST_CASE("several requests are on their way and answered in any order") {
  FakeServer server([](FakeDevice& device) {
    std::vector<std::uint16_t> transactions;
    for (int i = 0; i < 3; ++i)
      if (const auto request = device.request()) transactions.push_back(request->transaction);
    std::uint8_t value = 3;
    while (!transactions.empty()) {
      Buffer pdu = hex("03 02 00 00");
      pdu[3] = value--;
      device.raw(framed(pdu, transactions.back()));
      transactions.pop_back();
    }
    device.wait_for_end();
  });
  Client client = server.connect(true);
  std::array<RequestId, 3> ids{};
  for (auto& id : ids) {
    const auto begun = client.begin(ReadRegisters{WordKind::holding, 0, 1}, soon());
    REQUIRE(begun);
    id = *begun;
  }
  for (const std::size_t i : {1u, 0u, 2u}) {
    const auto answer = client.await(ids[i]);
    REQUIRE(answer);
    CHECK(std::get<RegistersRead>(**answer).values[0] == i + 1);
  }
  CHECK(client.await(ids[0]).error().fault == Fault::not_found);
}

TEST_CASE("a pair fails each for itself") {
  FakeServer server([](FakeDevice& device) {
    for (int i = 0; i < 2; ++i)
      if (const auto request = device.request())
        device.answer(*request, request->pdu[0] == 3 ? "03 02 00 05" : "90 04");
    if (const auto request = device.request()) device.answer(*request, "10 00 00 00 01");
    device.wait_for_end();
  });
  Client client = server.connect();
  std::array<std::uint16_t, 1> word{};
  const auto refused = client.write_and_read(0, word, 0, word, soon());
  CHECK(refused.written.error().code == 4);
  CHECK(refused.read.ok());
  CHECK(word[0] == 5);
  const auto half = client.write_and_read(0, word, 0, word, in(500ms));
  CHECK(half.written.ok());
  CHECK(half.read.error().fault == Fault::timeout);
}

// G2, G6, G7 and what they leave unknown.
TEST_CASE("an end of the connection is told by every call after it") {
  FakeServer server([](FakeDevice& device) { static_cast<void>(device.request()); });
  Client client = server.connect();
  const auto write = client.write_coil(8192, true, soon());
  REQUIRE_FALSE(write);
  CHECK(write.error().fault == Fault::closed);
  CHECK(outcome_unknown(write.error()));
  CHECK(write.error().text.find("write coil 8192") != std::string::npos);
  CHECK_FALSE(client.open());
  CHECK(client.write_coil(8192, true, soon()).error().fault == Fault::closed);
}

TEST_CASE("the session alone keeps deadlines by the time it is told") {
  ClientSession session(1, true);
  ManualClock clock;
  const Instant start = clock.now();
  for (std::size_t i = 0; i < ClientSession::most_requests; ++i)
    REQUIRE(session.begin(ReadExceptionStatus{}, start + 100ms, start));
  CHECK(session.begin(ReadExceptionStatus{}, start + 100ms, start).error().fault == Fault::busy);
  CHECK(session.output().size() == 8 * ClientSession::most_requests);
  session.sent(5);
  CHECK(session.output().size() == 8 * ClientSession::most_requests - 5);
  session.sent(session.output().size());
  CHECK(session.output().empty());
  CHECK_FALSE(session.finished({1}, start + 99ms));
  CHECK(*session.collect({1}, start + 99ms) == nullptr);
  CHECK(session.finished({1}, start + 100ms));
  CHECK(session.collect({1}, start + 100ms).error().text ==
        "unit 1: read exception status: no answer before the deadline");
  CHECK(session.waiting() == ClientSession::most_requests - 1);
  const Buffer answer = framed(hex("07 11"), 2);
  std::ranges::copy(answer, session.room().begin());
  REQUIRE(session.received(answer.size(), start));
  const auto second = session.collect({2}, start);
  REQUIRE(second);
  CHECK(std::get<ExceptionStatus>(**second).status == 0x11);
}

}  // namespace
}  // namespace tandem::modbus
