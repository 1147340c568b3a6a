// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <array>
#include <numeric>

#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"
#include "tests/deadline.hpp"
#include "tests/protocols/modbus/golden.hpp"

namespace tandem::modbus {
namespace {

using test::Buffer;
using test::framed;
using test::hex;

// As the examples of the specification need it.
class ExampleDevice : public MemoryDevice {
 public:
  ExampleDevice() {
    add(Table::coils, 0, 512);
    add(Table::discrete_inputs, 196, 22);
    add(Table::holding_registers, 0, 200);
    add(Table::input_registers, 8, 1);
    alias(Table::coils, 8192, 0, 5);
    const auto fill = [this](Table table, std::uint16_t first, const char* bytes) {
      const Buffer packed = hex(bytes);
      const Bits bits(packed, 8 * packed.size());
      for (std::size_t i = 0; i < bits.size(); ++i) assign(table, static_cast<std::uint16_t>(first + i), bits[i]);
    };
    fill(Table::coils, 19, "CD 6B 05");
    fill(Table::discrete_inputs, 196, "AC DB 35");
    assign(Table::holding_registers, 107, 555);
    assign(Table::holding_registers, 109, 100);
    assign(Table::input_registers, 8, 10);
    assign(Table::holding_registers, 4, 0x12);
    for (std::uint16_t i = 0; i < 6; ++i)
      assign(Table::holding_registers, static_cast<std::uint16_t>(30 + i), static_cast<std::uint16_t>(7 * i));
    status = 0x6D;
    id = "\xB4\xFFLMB3.1.6";
    objects = {{0, "ABC"}, {1, "DE"}, {2, "V2.11"}};
  }
};

Buffer asked(Device& device, Bytes pdu, std::uint8_t unit = 1) {
  Session session(device);
  Buffer out;
  REQUIRE(session.receive(framed(pdu, 0x1234, unit), out));
  return out;
}

Buffer answer_pdu(Device& device, const char* request) {
  const Buffer frame = asked(device, hex(request));
  return {frame.begin() + 7, frame.end()};
}

TEST_CASE("the server answers the examples of the specification byte by byte") {
  for (const auto& each : test::golden()) {
    ExampleDevice device;
    CAPTURE(each.request_pdu);
    // These two tell of the device, not of the specification's.
    const auto function = function_of(each.request);
    if (function == Function::read_write_registers || function == Function::device_identification) continue;
    CHECK(answer_pdu(device, each.request_pdu) == hex(each.answer_pdu));
  }
  ExampleDevice device;
  CHECK(asked(device, hex("07"), 9) == hex("12 34 00 00 00 03 09 07 6D"));
  CHECK(answer_pdu(device, "2B 0E 01 00") ==
        hex("2B 0E 01 81 00 00 03 00 03 41 42 43 01 02 44 45 02 05 56 32 2E 31 31"));
}

TEST_CASE("writes change what is read") {
  ExampleDevice device;
  answer_pdu(device, "16 00 04 00 F2 00 25");
  CHECK(device.word(Table::holding_registers, 4) == 0x17);
  // Written first, then read: the ranges overlap.
  CHECK(answer_pdu(device, "17 00 1E 00 03 00 1F 00 01 02 BE EF") == hex("17 06 00 00 BE EF 00 0E"));
  answer_pdu(device, "0F 00 13 00 0A 02 CD 01");
  CHECK(answer_pdu(device, "01 00 13 00 0A") == hex("01 02 CD 01"));
  answer_pdu(device, "05 20 01 FF 00");
  CHECK(device.bit(Table::coils, 1));
}

TEST_CASE("function then count then address then value decide the exception") {
  ExampleDevice device;
  struct Row {
    const char* request;
    const char* answer;
  };
  for (const Row& row : {Row{"08 00 00", "88 01"}, Row{"03 FF FF 00 00", "83 03"}, Row{"03 00 C7 00 02", "83 02"},
                         Row{"03 FF FF 00 02", "83 02"}, Row{"01 02 00 00 01", "81 02"}, Row{"02 00 00 00 01", "82 02"},
                         Row{"04 00 09 00 01", "84 02"}, Row{"05 FF FF 12 34", "85 03"}, Row{"05 40 00 FF 00", "85 02"},
                         Row{"06 00 C8 00 00", "86 02"}, Row{"10 00 C7 00 02 04 00 00 00 00", "90 02"},
                         Row{"0F 01 FF 00 02 01 03", "8F 02"}, Row{"16 00 C8 00 00 00 00", "96 02"},
                         Row{"17 00 C8 00 01 00 00 00 01 02 00 07", "97 02"}, Row{"2B 0E 04 09", "AB 02"}}) {
    CAPTURE(row.request);
    CHECK(answer_pdu(device, row.request) == hex(row.answer));
  }
  CHECK(device.word(Table::holding_registers, 0) == 0);  // function 23 wrote nothing
}

TEST_CASE("the device may refuse and is told what was written") {
  ExampleDevice device;
  std::vector<std::uint16_t> told;
  device.before_registers = [](std::uint16_t, std::span<const std::uint16_t> values) -> Refusal {
    if (values[0] > 10) return ExceptionCode::illegal_value;
    return {};
  };
  device.after_registers = [&](std::uint16_t address, std::span<const std::uint16_t> values) {
    told = {address, values[0]};
  };
  device.before_coils = [](std::uint16_t, const Bits&) -> Refusal { return ExceptionCode::busy; };
  CHECK(answer_pdu(device, "06 00 01 00 0B") == hex("86 03"));
  CHECK(told.empty());
  CHECK(answer_pdu(device, "06 00 01 00 0A") == hex("06 00 01 00 0A"));
  CHECK(told == std::vector<std::uint16_t>{1, 10});
  CHECK(answer_pdu(device, "05 00 01 FF 00") == hex("85 06"));
  CHECK_FALSE(device.bit(Table::coils, 1));
}

TEST_CASE("other units are answered or left alone as the device wishes") {
  ExampleDevice device;
  device.units = {1, 255};
  CHECK(asked(device, hex("07"), 255).size() == 9);
  CHECK(asked(device, hex("07"), 2) == hex("12 34 00 00 00 03 02 87 0B"));
  device.other_units = Device::UnitAnswer::silence;
  CHECK(asked(device, hex("07"), 2).empty());
}

TEST_CASE("identification is told in parts when it is long") {
  MemoryDevice device;
  CHECK(answer_pdu(device, "2B 0E 01 00") == hex("AB 01"));
  for (int i = 0; i < 6; ++i)
    device.objects[static_cast<std::uint8_t>(i)] = std::string(100, static_cast<char>('a' + i));
  device.objects[0x80] = std::string(300, 'z');
  int next = 0;
  std::vector<int> seen;
  for (int round = 0; round < 10; ++round) {
    Buffer request = hex("2B 0E 03 00");
    request[3] = static_cast<std::uint8_t>(next);
    const Buffer frame = asked(device, request);
    CHECK(frame.size() <= longest_frame);
    const auto answer = decode_answer(Bytes(frame).subspan(7));
    REQUIRE(answer);
    const auto& part = std::get<Identification>(*answer);
    CHECK(part.conformity == 0x83);
    for (const auto& object : part.list()) seen.push_back(object.id);
    if (!part.more_follows) break;
    next = part.next_object;
  }
  CHECK(seen == std::vector<int>{0, 1, 2, 3, 4, 5, 128});
  CHECK(answer_pdu(device, "2B 0E 02 09") == answer_pdu(device, "2B 0E 02 00"));
}

TEST_CASE("pipelined requests are answered in order whatever their split") {
  ExampleDevice device;
  Buffer stream;
  Buffer expected;
  std::uint16_t transaction = 0;
  for (const auto& each : test::golden()) {
    const Buffer frame = framed(hex(each.request_pdu), ++transaction);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  {
    ExampleDevice fresh;
    Session session(fresh);
    REQUIRE(session.receive(stream, expected));
    CHECK(session.requests() == test::golden().size());
  }
  Session session(device);
  Buffer out;
  for (const std::uint8_t byte : stream) REQUIRE(session.receive(std::span(&byte, 1), out));
  CHECK(out == expected);
  CHECK_FALSE(session.partial());
  CHECK_FALSE(session.receive(hex("00 01 00 01"), out));
}

TEST_CASE("blocks that overlap are refused") {
  MemoryDevice device;
  device.add(Table::coils, 10, 5);
  CHECK_THROWS_AS(device.add(Table::coils, 14, 1), std::invalid_argument);
  CHECK_THROWS_AS(device.add(Table::coils, 8, 3), std::invalid_argument);
  CHECK_THROWS_AS(device.add(Table::coils, 65535, 2), std::invalid_argument);
  CHECK_THROWS_AS(device.alias(Table::coils, 100, 12, 4), std::invalid_argument);
  CHECK_NOTHROW(device.add(Table::coils, 15, 1));
  CHECK_NOTHROW(device.add(Table::holding_registers, 0, 65536));
}

// A client's bare socket; the server is polled in between.
struct Caller {
  explicit Caller(Server& polled) : server(polled) {
    auto connected = net::TcpSocket::connect("127.0.0.1", server.port(), soon());
    REQUIRE(connected);
    socket = std::move(*connected);
    server.poll(Instant{});
  }
  void say(Bytes bytes) { REQUIRE(socket.write_all(bytes, soon())); }
  Buffer hear(std::size_t count) {
    Buffer all;
    const Instant end = soon();
    while (all.size() < count && system_clock().now() < end) {
      server.poll(system_clock().now() + 1ms);
      std::array<std::uint8_t, 4096> chunk;
      const auto got = socket.read_now(chunk);
      if (!got) break;
      all.insert(all.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(*got));
    }
    return all;
  }
  bool closed() {
    const Instant end = soon();
    while (system_clock().now() < end) {
      server.poll(system_clock().now() + 1ms);
      std::array<std::uint8_t, 64> chunk;
      if (!socket.read_now(chunk)) return true;
    }
    return false;
  }
  Server& server;
  net::TcpSocket socket;
};

TEST_CASE("a server turns away who finds no place and serves the others") {
  ExampleDevice device;
  auto server = Server::listen(device, {.port = 0, .most_connections = 2});
  REQUIRE(server);
  const Buffer answer = hex("00 01 00 00 00 03 01 07 6D");
  Caller first(**server);
  Caller second(**server);
  for (Caller* caller : {&first, &second}) {
    caller->say(framed(hex("07")));
    CHECK(caller->hear(answer.size()) == answer);
  }
  Caller third(**server);
  CHECK(third.closed());
  CHECK((*server)->counters().refused == 1);
  first.say(framed(hex("07")));
  CHECK(first.hear(answer.size()) == answer);
}

TEST_CASE("an idle client leaves for a new one and an active one never does") {
  ExampleDevice device;
  auto server = Server::listen(device, {.port = 0, .most_connections = 3, .active_time = 24h});
  REQUIRE(server);
  const Buffer answer = hex("00 01 00 00 00 03 01 07 6D");
  const auto asks = [&](Caller& caller) {
    caller.say(framed(hex("07")));
    return caller.hear(answer.size()) == answer;
  };
  Caller idle_longest(**server);
  Caller active(**server);
  CHECK(asks(active));
  Caller idle(**server);
  for (int i = 0; i < 10; ++i) (*server)->poll(in(1ms));
  Caller new_one(**server);
  CHECK(asks(new_one));
  CHECK(idle_longest.closed());
  CHECK((*server)->counters().idle == 1);
  Caller newer(**server);
  CHECK(asks(newer));
  CHECK(idle.closed());
  Caller too_many(**server);
  CHECK(too_many.closed());
  CHECK((*server)->counters().refused == 1);
  for (Caller* caller : {&active, &new_one, &newer}) CHECK(asks(*caller));
}

TEST_CASE("a client that asked once and is quiet since is idle too") {
  ExampleDevice device;
  auto server = Server::listen(device, {.port = 0, .most_connections = 2, .active_time = 20ms});
  REQUIRE(server);
  const Buffer answer = hex("00 01 00 00 00 03 01 07 6D");
  const auto asks = [&](Caller& caller) {
    caller.say(framed(hex("07")));
    return caller.hear(answer.size()) == answer;
  };
  Caller quiet_longest(**server);
  CHECK(asks(quiet_longest));
  Caller quiet(**server);
  CHECK(asks(quiet));
  (*server)->poll(in(50ms));
  Caller new_one(**server);
  CHECK(asks(new_one));
  CHECK(quiet_longest.closed());
  CHECK(asks(quiet));
}

TEST_CASE("requests that never end and clients that ask nothing are closed") {
  ExampleDevice device;
  auto impatient = Server::listen(device, {.port = 0, .request_limit = 50ms});
  REQUIRE(impatient);
  Caller half(**impatient);
  half.say(hex("00 01 00 00"));
  CHECK(half.closed());
  CHECK((*impatient)->counters().broken == 1);
  auto tidy = Server::listen(device, {.port = 0, .idle_limit = 50ms});
  REQUIRE(tidy);
  Caller idle(**tidy);
  CHECK(idle.closed());
  CHECK((*tidy)->counters().idle == 1);
  CHECK((*tidy)->connections() == 0);
}

TEST_CASE("garbage costs one connection and says why") {
  ExampleDevice device;
  auto server = Server::listen(device, {.port = 0});
  REQUIRE(server);
  Caller bad(**server);
  bad.say(framed(hex("07")));
  bad.say(Buffer(500, 0x41));
  CHECK(bad.closed());
  CHECK((*server)->last_complaint() == "expected protocol id 0, got 16705: this is not Modbus TCP");
  Caller good(**server);
  good.say(framed(hex("07")));
  CHECK(good.hear(9).size() == 9);
}

TEST_CASE("a client that asks much and reads nothing is not served without bound") {
  MemoryDevice device;
  device.add(Table::holding_registers, 0, 125);  // much at once: full before TCP gives the client up after a second
  auto server = Server::listen(device, {.port = 0, .most_unsent = 64 * 1024, .stall_limit = 100ms});
  REQUIRE(server);
  Caller greedy(**server);
  const int little = 4096;  // bytes, so that it is full soon
  setsockopt(greedy.socket.fd(), SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
  Buffer many;
  for (int i = 0; i < 200; ++i) {
    const Buffer frame = framed(hex("03 00 00 00 7D"), static_cast<std::uint16_t>(i));
    many.insert(many.end(), frame.begin(), frame.end());
  }
  bool gone = false;
  std::size_t from = 0;  // what a full socket did not take goes next, so that every request stays whole
  for (int i = 0; i < 20000 && !gone; ++i) {
    const auto written = greedy.socket.write_now(Bytes(many).subspan(from));
    gone = !written.ok();
    if (written) from = (from + *written) % many.size();
    (*server)->poll(Instant{});
  }
  const Instant end = soon();
  while ((*server)->connections() > 0 && system_clock().now() < end) (*server)->poll(system_clock().now() + 5ms);
  CHECK((*server)->connections() == 0);
  CHECK((*server)->counters().slow == 1);
}

TEST_CASE("requests that wait for room are answered as soon as there is some") {
  ExampleDevice device;
  auto server = Server::listen(device, {.port = 0, .most_unsent = 100});
  REQUIRE(server);
  Caller eager(**server);
  Buffer many;
  for (int i = 0; i < 100; ++i) {
    const Buffer frame = framed(hex("03 00 00 00 01"), static_cast<std::uint16_t>(i));
    many.insert(many.end(), frame.begin(), frame.end());
  }
  for (int i = 0; i < 7; ++i) eager.say(many);
  (*server)->poll(in(500ms));  // ten answers fit at once
  CHECK((*server)->counters().requests == 700);
}

TEST_CASE("a faulty server drops and delays and changes answers in order") {
  ExampleDevice device;
  int count = 0;
  ServerOptions options{.port = 0};
  options.fault = [&count](std::vector<std::uint8_t>& answer) -> AnswerFate {
    ++count;
    if (count == 1) return {AnswerFate::Kind::drop};
    if (count == 2) return {AnswerFate::Kind::send, 30ms};
    answer.back() = 0;
    return {};
  };
  auto server = Server::listen(device, options);
  REQUIRE(server);
  Caller caller(**server);
  for (std::uint16_t i = 1; i <= 3; ++i) caller.say(framed(hex("07"), i));
  CHECK(caller.hear(18) == hex("00 02 00 00 00 03 01 07 6D 00 03 00 00 00 03 01 07 00"));
}

}  // namespace
}  // namespace tandem::modbus
