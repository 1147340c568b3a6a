// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "tandem/net/frame_rules.hpp"
#include "tandem/protocols/mavlink/codec/crc.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/registry.hpp"
#include "tandem/runtime/replay/conversation_player.hpp"

namespace tandem::runtime {
namespace {

using ros2::tandem_msgs::FieldFrame;
using Bin = std::vector<std::uint8_t>;

// Frames of one connection, each at its millisecond.
struct Script {
  std::vector<FieldFrame> frames;
  bool datagram = false;
  Script& add(std::uint8_t kind, int ms, Bin data = {}) {
    FieldFrame frame;
    frame.stamp = {100 + ms / 1000, static_cast<std::uint32_t>(ms % 1000) * 1'000'000U};
    frame.connection = 7;
    frame.kind = kind;
    frame.datagram = datagram;
    frame.peer = "127.0.0.1:502";
    frame.local = "127.0.0.1:40000";
    frame.data = std::move(data);
    frames.push_back(frame);
    return *this;
  }
  Conversation conversation() const {
    ConversationBuilder builder;
    for (const FieldFrame& frame : frames) REQUIRE(builder.add(frame));
    auto all = builder.take();
    REQUIRE(all.size() == 1);
    return all.front();
  }
};

const net::FrameRules& protocol_named(std::string_view name) {
  for (const auto* type : all_machines().types())
    for (const machines::FieldPort& port : type->ports)
      if (port.rules->name == name) return *port.rules;
  throw std::logic_error("no such protocol");
}

Bin modbus(int id, const Bin& pdu) {
  Bin frame{0, static_cast<std::uint8_t>(id), 0, 0, 0, static_cast<std::uint8_t>(pdu.size() + 1), 1};
  frame.insert(frame.end(), pdu.begin(), pdu.end());
  return frame;
}

Bin bytes_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

constexpr Instant t0{1h};

}  // namespace

TEST_CASE("a field frame comes back from its bytes as it was") {
  std::mt19937_64 random(5);
  std::array<std::uint8_t, largest_field_head> buffer;
  for (int round = 0; round < 200; ++round) {
    const std::string device(random() % 60, 'd');
    const net::Flow flow{static_cast<std::uint32_t>(random()),
                         random() % 2 == 0,
                         {static_cast<std::uint32_t>(random()), static_cast<std::uint16_t>(random())},
                         {static_cast<std::uint32_t>(random()), static_cast<std::uint16_t>(random())},
                         round % 3 == 0 ? std::string_view(device) : std::string_view()};
    Bin data(random() % 300);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    const UtcTime stamp{Duration(static_cast<std::int64_t>(random() % 2'000'000'000'000'000'000))};
    Bin whole = bytes_of(field_head(flow, 2, data.size(), stamp, buffer));
    whole.insert(whole.end(), data.begin(), data.end());
    FieldFrame frame;
    REQUIRE(ros2::decode(whole, frame));
    CHECK(frame.connection == flow.connection);
    CHECK(frame.kind == 2);
    CHECK(frame.datagram == flow.datagram);
    CHECK(frame.data == data);
    CHECK(frame.peer == (flow.device.empty() ? flow.peer.text() : device));
    CHECK(frame.local == (flow.device.empty() ? flow.local.text() : std::string()));
    // And the bytes are those of the message, encoded the usual way.
    Bin again;
    REQUIRE(ros2::encode(frame, again));
    CHECK(again == whole);
  }
}

TEST_CASE("recordings that contradict themselves are refused in words") {
  const auto refusal = [](const Script& script) -> std::string {
    ConversationBuilder builder;
    for (const FieldFrame& frame : script.frames)
      if (auto added = builder.add(frame); !added) return added.error().text;
    return "";
  };
  CHECK(refusal(Script().add(0, 0).add(0, 1)) == "field frame of connection 7: opened twice");
  CHECK(refusal(Script().add(1, 0, {1})).find("not open") != std::string::npos);
  CHECK(refusal(Script().add(0, 0).add(4, 1).add(1, 2, {1})).find("not open") != std::string::npos);
  CHECK(refusal(Script().add(0, 0).add(9, 1)).find("kind 9") != std::string::npos);
  Script wild;
  wild.add(0, 0);
  wild.frames.back().stamp.nanosec = 4'000'000'000U;
  CHECK(refusal(wild).find("4000000000 ns") != std::string::npos);
  Script mixed;
  mixed.add(0, 0).add(1, 1, {1});
  mixed.frames.back().datagram = true;
  CHECK(refusal(mixed).find("both stream and datagram") != std::string::npos);
  Script datagrams;  // may begin in the middle
  datagrams.datagram = true;
  CHECK(refusal(datagrams.add(1, 5, {1})) == "");
}

TEST_CASE("an answer waits for its question and for its time and carries the transaction over") {
  const Conversation conversation = Script()
                                        .add(0, 0)
                                        .add(2, 10, modbus(1, {3, 0, 0, 0, 1}))
                                        .add(1, 14, modbus(1, {3, 2, 0, 42}))
                                        .add(2, 20, modbus(2, {3, 0, 0, 0, 1}))
                                        .add(1, 24, modbus(2, {3, 2, 0, 43}))
                                        .add(4, 30)
                                        .conversation();
  ConversationPlayer player(conversation, protocol_named("Modbus"), {}, t0);
  CHECK(!player.next(t0 + 1s).says);
  CHECK(player.due() == Instant::max());
  // The client takes a second longer, and the device's 4 ms count from its question.
  const Instant asked = t0 + 2s;
  const Bin question = modbus(9, {3, 0, 0, 0, 1});
  player.hear(Bytes(question).first(5));
  CHECK(!player.next(asked).says);
  player.hear(Bytes(question).subspan(5));
  CHECK(!player.next(asked).says);
  CHECK(player.due() == asked + 4ms);
  const auto answer = player.next(asked + 4ms);
  REQUIRE(answer.says);
  CHECK(bytes_of(answer.bytes) == modbus(9, {3, 2, 0, 42}));
  CHECK(!player.difference());
  player.hear(modbus(10, {3, 0, 5, 0, 1}));
  CHECK(!player.next(asked + 8ms).says);
  REQUIRE(player.difference());
  CHECK(player.difference()->text() == "at byte 21 (frame 1): expected 00 00 01, got 05 00 01");
  CHECK(!player.next(asked + 14ms).says);  // what was never asked has no answer
  player.hear(modbus(11, {3, 0, 0, 0, 1}));
  const auto second = player.next(asked + 14ms);
  REQUIRE(second.says);
  CHECK(bytes_of(second.bytes) == modbus(11, {3, 2, 0, 43}));
  CHECK(!player.next(asked + 15ms).ends);
  CHECK(player.next(asked + 20ms).ends);
  CHECK(player.done());
  CHECK(player.said() == 22);
  CHECK(player.heard() == 36);
  CHECK(!player.in_order());
}

TEST_CASE("a client that asks in another order has the next answer to each question") {
  const Bin read{3, 0, 0, 0, 1}, look{1, 0, 0, 0, 4}, write{6, 0, 9, 0, 5}, many{16, 0, 9, 0, 1, 2, 0, 5};
  Script script;
  script.add(0, 0);
  for (std::uint8_t i = 0; i < 20; ++i) {
    const int id = 4 * i;
    script.add(2, 10 * i, modbus(id, read)).add(1, 10 * i + 1, modbus(id, {3, 2, 0, i}));
    script.add(2, 10 * i + 2, modbus(id + 1, write)).add(1, 10 * i + 3, modbus(id + 1, write));
    if (i == 15) script.add(2, 154, modbus(id + 2, look)).add(1, 155, modbus(id + 2, {1, 1, 7}));
    if (i == 16) script.add(2, 164, modbus(id + 2, {6, 0, 7, 0, 1})).add(1, 165, modbus(id + 2, {0x86, 2}));
  }
  script.add(3, 300);
  const Conversation conversation = script.conversation();
  ConversationPlayer player(conversation, protocol_named("Modbus"), {}, t0);
  const auto answer_to = [&](int id, const Bin& pdu) {
    player.hear(modbus(id, pdu));
    const auto act = player.next(t0 + 1ms);
    return act.says ? bytes_of(act.bytes) : Bin{};
  };
  CHECK(answer_to(200, read) == modbus(200, {3, 2, 0, 0}));
  CHECK(player.in_order());
  for (std::uint8_t i = 1; i < 5; ++i) {
    CAPTURE(int{i});
    CHECK(answer_to(200 + i, read) == modbus(200 + i, {3, 2, 0, i}));  // without its writes
  }
  CHECK(!player.in_order());
  REQUIRE(player.difference());
  CHECK(player.difference()->frame == 1);
  CHECK(answer_to(210, look) == modbus(210, {1, 1, 7}));  // sooner than it was said
  CHECK(answer_to(211, read) == modbus(211, {3, 2, 0, 5}));
  CHECK(answer_to(212, look) == modbus(212, {1, 1, 7}));                     // once more than it was said
  CHECK(answer_to(213, {6, 0, 9, 0, 77}) == modbus(213, {6, 0, 9, 0, 77}));  // another value
  CHECK(answer_to(214, {6, 0, 7, 0, 3}) == modbus(214, {0x86, 2}));          // was refused then
  CHECK(answer_to(215, many) == modbus(215, {16, 0, 9, 0, 1}));              // was never written
  CHECK(answer_to(216, {3, 0, 50, 0, 1}).empty());                           // was never read
  CHECK(player.due() == t0 + 2ms);
  CHECK(!player.next(t0 + 299ms).ends);
  CHECK(player.next(t0 + 300ms).ends);
}

TEST_CASE("what was asked in order is answered before what was not") {
  const Bin read{3, 0, 0, 0, 1}, look{1, 0, 0, 0, 4};
  const Bin first = modbus(1, {3, 2, 0, 42});
  const auto half = first.begin() + 5;
  const Conversation conversation = Script()
                                        .add(0, 0)
                                        .add(2, 1, modbus(1, read))
                                        .add(2, 1, modbus(2, look))
                                        .add(1, 2, Bin(first.begin(), half))
                                        .add(1, 8, Bin(half, first.end()))
                                        .add(1, 9, modbus(2, {1, 1, 7}))
                                        .add(2, 10, modbus(3, look))
                                        .add(1, 11, modbus(3, {1, 1, 8}))
                                        .add(3, 20)
                                        .conversation();
  ConversationPlayer player(conversation, protocol_named("Modbus"), {}, t0);
  player.hear(modbus(31, read));
  player.hear(modbus(32, look));
  Bin said;
  const auto say_all = [&](Instant now) {
    for (auto act = player.next(now); act.says; act = player.next(now))
      said.insert(said.end(), act.bytes.begin(), act.bytes.end());
  };
  say_all(t0 + 3ms);
  CHECK(said.size() == 5);
  player.hear(modbus(33, read));
  player.hear(modbus(34, look));
  say_all(t0 + 3ms);
  Bin expected;
  for (const Bin& frame :
       {modbus(31, {3, 2, 0, 42}), modbus(32, {1, 1, 7}), modbus(33, {3, 2, 0, 42}), modbus(34, {1, 1, 8})})
    expected.insert(expected.end(), frame.begin(), frame.end());
  CHECK(said == expected);
}

TEST_CASE("ADS questions in another order have their answers and notifications their time") {
  const auto packet = [](std::uint8_t command, std::uint8_t flags, int invoke, const Bin& data) {
    Bin frame(38, 0);
    frame[2] = static_cast<std::uint8_t>(32 + data.size());
    std::fill(frame.begin() + 6, frame.begin() + 14, (flags & 1) != 0 ? 6 : 5);
    std::fill(frame.begin() + 14, frame.begin() + 22, (flags & 1) != 0 ? 5 : 6);
    frame[22] = command;
    frame[24] = flags;
    frame[26] = static_cast<std::uint8_t>(data.size());
    frame[34] = static_cast<std::uint8_t>(invoke);
    frame.insert(frame.end(), data.begin(), data.end());
    return frame;
  };
  const auto list = [](std::uint8_t group, std::uint8_t value) {
    Bin data{group, 0xF0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 13, 0, 0, 0, 1, 0x40, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0};
    data.push_back(value);
    return data;
  };
  const Bin read{5, 0xF0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0}, sum = list(0x80, 0), sum_write = list(0x81, 1);
  Script script;
  script.add(0, 0);
  for (std::uint8_t i = 0; i < 4; ++i) {
    const int id = 3 * i;
    script.add(2, 20 * i + 1, packet(2, 4, id, read)).add(1, 20 * i + 2, packet(2, 5, id, {0, i}));
    script.add(1, 20 * i + 5, packet(8, 5, 0, {i}));
    script.add(2, 20 * i + 7, packet(9, 4, id + 1, sum)).add(1, 20 * i + 8, packet(9, 5, id + 1, {1, i}));
    script.add(2, 20 * i + 9, packet(9, 4, id + 2, sum_write)).add(1, 20 * i + 10, packet(9, 5, id + 2, {2, i}));
  }
  const Conversation conversation = script.add(3, 100).conversation();
  ConversationPlayer player(conversation, protocol_named("ADS"), {}, t0);
  const auto answer_to = [&](std::uint8_t command, int id, const Bin& data, Instant now) {
    player.hear(packet(command, 4, id, data));
    const auto act = player.next(now);
    return act.says ? bytes_of(act.bytes) : Bin{};
  };
  CHECK(answer_to(9, 90, sum, t0 + 1ms) == packet(9, 5, 90, {1, 0}));
  CHECK(answer_to(9, 91, list(0x81, 44), t0 + 1ms) == packet(9, 5, 91, {2, 0}));
  CHECK(answer_to(2, 92, read, t0 + 1ms) == packet(2, 5, 92, {0, 0}));
  CHECK(answer_to(9, 93, sum, t0 + 1ms) == packet(9, 5, 93, {1, 1}));
  CHECK(answer_to(9, 94, list(0x80, 5), t0 + 1ms).empty());  // another list
  CHECK(answer_to(3, 95, {1, 0x40, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 7}, t0 + 1ms) == packet(3, 5, 95, {0, 0, 0, 0}));
  for (std::uint8_t i = 0; i < 4; ++i) {
    CAPTURE(int{i});
    CHECK(!player.next(t0 + Duration(1ms) * (20 * i + 4)).says);
    const auto act = player.next(t0 + Duration(1ms) * (20 * i + 5));
    REQUIRE(act.says);
    CHECK(bytes_of(act.bytes) == packet(8, 5, 0, {i}));
  }
  CHECK(player.next(t0 + 100ms).ends);
}

TEST_CASE("dashboard and gripper answer by what the line asks once it is another") {
  const auto line = [](std::string_view words) { return bytes_of(as_bytes(words)); };
  const Conversation dashboard = Script()
                                     .add(0, 0)
                                     .add(1, 1, line("Connected: Universal Robots Dashboard Server\n"))
                                     .add(2, 2, line("robotmode\n"))
                                     .add(1, 3, line("Robotmode: IDLE\n"))
                                     .add(2, 4, line("safetystatus\n"))
                                     .add(1, 5, line("Safetystatus: NORMAL\n"))
                                     .add(2, 6, line("robotmode\n"))
                                     .add(1, 7, line("Robotmode: RUNNING\n"))
                                     .add(3, 50)
                                     .conversation();
  ConversationPlayer panel(dashboard, protocol_named("lines"), {}, t0);
  CHECK(panel.next(t0 + 1ms).says);
  const auto answer_to = [&](ConversationPlayer& player, std::string_view words) {
    // In pieces, as a stream may come.
    player.hear(as_bytes(words.substr(0, 3)));
    player.hear(as_bytes(words.substr(3)));
    const auto act = player.next(t0 + 9ms);
    return std::string(act.bytes.begin(), act.bytes.end());
  };
  CHECK(answer_to(panel, "safetystatus\n") == "Safetystatus: NORMAL\n");
  CHECK(!panel.in_order());
  CHECK(panel.difference()->text().find("at byte 0 (frame 0)") == 0);
  CHECK(answer_to(panel, "robotmode\n") == "Robotmode: IDLE\n");
  CHECK(answer_to(panel, "robotmode\n") == "Robotmode: RUNNING\n");
  CHECK(answer_to(panel, "robotmode\n") == "Robotmode: RUNNING\n");
  CHECK(answer_to(panel, "play\n") == "");  // was never asked
  CHECK(panel.next(t0 + 50ms).ends);

  const Conversation fingers = Script()
                                   .add(0, 0)
                                   .add(2, 1, line("SET POS 100 SPE 20\n"))
                                   .add(1, 2, line("ack"))
                                   .add(2, 3, line("GET POS\n"))
                                   .add(1, 4, line("POS 12\n"))
                                   .add(2, 5, line("SET POS 0 SPE 20\n"))
                                   .add(1, 6, line("ack"))
                                   .add(2, 7, line("GET POS\n"))
                                   .add(1, 8, line("POS 99\n"))
                                   .add(3, 50)
                                   .conversation();
  ConversationPlayer gripper(fingers, protocol_named("lines"), {}, t0);
  CHECK(answer_to(gripper, "GET POS\n") == "POS 12\n");
  CHECK(answer_to(gripper, "SET POS 55 SPE 7\n") == "ack");
  CHECK(answer_to(gripper, "SET ACT 1\n") == "ack");  // was never set
  CHECK(answer_to(gripper, "GET POS\n") == "POS 99\n");
  CHECK(answer_to(gripper, "GET FLT\n") == "");
  // A line without an end holds no more than the longest.
  for (int i = 0; i < 100; ++i) gripper.hear(line(std::string(1000, 'x')));
  CHECK(gripper.heard() > 100'000);
}

TEST_CASE("a replay can be faster than life or as fast as can be") {
  const Conversation conversation = Script().add(0, 0).add(1, 100, {1}).add(1, 200, {2}).add(3, 400).conversation();
  ConversationPlayer twice(conversation, protocol_named("lines"), {.speed = 2}, t0);
  CHECK(!twice.next(t0 + 49ms).says);
  CHECK(twice.next(t0 + 50ms).says);
  CHECK(twice.due() == t0 + 100ms);
  ConversationPlayer fast(conversation, protocol_named("lines"), {.fast = true}, t0);
  CHECK(fast.next(t0).says);
  CHECK(fast.next(t0).says);
  CHECK(fast.next(t0).ends);
}

TEST_CASE("a device that speaks unasked goes on when the client says less than it did") {
  const Bin data{0, 4, 'U', 1}, input{0, 4, 'U', 9}, answer{0, 3, 'S'};
  const Conversation conversation = Script()
                                        .add(0, 0)
                                        .add(1, 2, data)
                                        .add(2, 3, input)
                                        .add(1, 4, data)
                                        .add(2, 5, input)
                                        .add(1, 6, data)
                                        .add(2, 7, input)
                                        .add(1, 8, answer)
                                        .add(3, 10)
                                        .conversation();
  ConversationPlayer player(conversation, protocol_named("RTDE"), {.patience = 100ms}, t0);
  CHECK(player.next(t0 + 2ms).says);
  CHECK(!player.next(t0 + 50ms).says);
  CHECK(player.due() == t0 + 103ms);
  CHECK(!player.next(t0 + 103ms).says);  // the plan moved along by what the client was late
  CHECK(player.next(t0 + 105ms).says);
  REQUIRE(player.difference());
  CHECK(player.difference()->text() == "at byte 0 (frame 0): expected 00 04 55 09, got nothing");
  CHECK(player.next(t0 + 110ms).says);  // not waited for a second time
  // But what answers a question still does.
  CHECK(!player.next(t0 + 10s).says);
  for (int i = 0; i < 3; ++i) player.hear(input);
  CHECK(!player.next(t0 + 10s).says);
  CHECK(player.next(t0 + 10s + 1ms).says);
}

TEST_CASE("ADS invoke ids and addresses of the client come back in the answers") {
  const auto packet = [](std::uint8_t target, std::uint8_t source, std::uint8_t invoke, std::uint8_t data) {
    Bin frame(39, 0);
    frame[2] = 33;
    std::fill(frame.begin() + 6, frame.begin() + 14, target);
    std::fill(frame.begin() + 14, frame.begin() + 22, source);
    frame[22] = 2;
    frame[34] = invoke;
    frame[38] = data;
    return frame;
  };
  const Conversation conversation =
      Script().add(0, 0).add(2, 1, packet(5, 6, 1, 7)).add(1, 2, packet(6, 5, 1, 8)).add(3, 3).conversation();
  ConversationPlayer player(conversation, protocol_named("ADS"), {.fast = true}, t0);
  player.hear(packet(50, 60, 100, 7));
  CHECK(!player.difference());
  const auto act = player.next(t0);
  REQUIRE(act.says);
  CHECK(bytes_of(act.bytes) == packet(60, 50, 100, 8));
}

TEST_CASE("MAVLink time questions are answered with the time that this client asked with") {
  const auto time_sync = [](std::uint8_t sequence, std::uint64_t device, std::uint64_t asked) {
    Bin frame{0xFD, 16, 0, 0, sequence, 1, 1, 111, 0, 0};
    for (const std::uint64_t value : {device, asked})
      for (int i = 0; i < 8; ++i) frame.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    const std::uint16_t crc =
        mavlink::crc_add(mavlink::crc_add(mavlink::crc_start, Bytes(frame).subspan(1)), std::uint8_t{34});
    frame.push_back(static_cast<std::uint8_t>(crc));
    frame.push_back(static_cast<std::uint8_t>(crc >> 8));
    return frame;
  };
  Script script;
  script.datagram = true;
  const Conversation conversation =
      script.add(0, 0).add(2, 1, time_sync(3, 0, 1111)).add(1, 2, time_sync(9, 77, 1111)).add(3, 3).conversation();
  ConversationPlayer player(conversation, protocol_named("MAVLink"), {.fast = true}, t0);
  player.hear(time_sync(4, 0, 2222));
  CHECK(!player.difference());
  const auto act = player.next(t0);
  REQUIRE(act.says);
  CHECK(bytes_of(act.bytes) == time_sync(9, 77, 2222));
}

}  // namespace tandem::runtime
