// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/primary.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tandem/protocols/ur/primary/packet_client.hpp"
#include "tandem/protocols/ur/primary/session.hpp"
#include "tests/protocols/ur/bytes_by_hand.hpp"
#include "tests/protocols/ur/ports_fixture.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::primary;
using test::Hand;
using TestPacket = test::Packet;

namespace {

template <typename Body>
Body message(const TestPacket& body) {
  const auto packet = decode(test::primary_packet(20, Hand().u64(12).u8(0xfe).add(body).bytes));
  if (!packet) FAIL(packet.error().text);
  const auto& robot_message = std::get<RobotMessage>(*packet);
  CHECK(robot_message.timestamp == 12);
  CHECK(robot_message.source == -2);
  // And back: the same bytes.
  TestPacket again;
  encode(robot_message, again);
  CHECK(again == test::primary_packet(20, Hand().u64(12).u8(0xfe).add(body).bytes));
  return std::get<Body>(robot_message.body);
}

TestPacket sub(unsigned type, const TestPacket& body) { return test::primary_packet(type, body); }

RobotState state_of(const TestPacket& subs) {
  const auto packet = decode(test::primary_packet(16, subs));
  if (!packet) FAIL(packet.error().text);
  return std::get<RobotState>(*packet);
}

}  // namespace

TEST_CASE("robot messages built by hand are read and written back") {
  CHECK(message<Text>(Hand().u8(0).text("hello").bytes).text == "hello");
  CHECK(message<Label>(Hand().u8(1).u32(5).text("l").bytes).id == 5);
  const auto popup = message<Popup>(Hand().u8(2).u32(9).u8(1).u8(1).u8(0).u8(1).u8(2).text("hi").text("there").bytes);
  CHECK(popup.title == "hi");
  CHECK(popup.text == "there");
  CHECK(popup.warning);
  CHECK_FALSE(popup.error);
  const auto version =
      message<Version>(Hand().u8(3).u8(9).text("URControl").u8(5).u8(11).u32(1).u32(108318).text("25-05-2021").bytes);
  CHECK(version.project == "URControl");
  CHECK(version.minor == 11);
  CHECK(version.build == 108318);
  CHECK(version.date == "25-05-2021");
  CHECK(message<SafetyModeChange>(Hand().u8(5).u32(1).u32(2).u8(3).u32(4).u32(5).bytes).safety_mode == 3);
  const auto error = message<ErrorCode>(Hand().u8(6).u32(210).u32(3).u32(2).u32(1).u32(7).text("t").bytes);
  CHECK(error.code == 210);
  CHECK(error.level == 2);
  const auto key = message<KeyMessage>(Hand().u8(7).u32(0).u32(1).u8(4).text("PROG").text("started").bytes);
  CHECK(key.title == "PROG");
  CHECK(key.text == "started");
  CHECK(message<RequestValue>(Hand().u8(9).u32(1).u8(2).text("?").bytes).text == "?");
  const auto exception = message<RuntimeException>(Hand().u8(10).u32(12).u32(3).text("name 'x' is not defined").bytes);
  CHECK(exception.line == 12);
  CHECK(exception.column == 3);
  CHECK(message<OtherMessage>(Hand().u8(77).text("abc").bytes).body.size() == 3);
}

TEST_CASE("sub-packages built by hand are read where their bytes are") {
  Hand mode;
  mode.u64(1000000).u8(1).u8(1).u8(1).u8(0).u8(0).u8(1).u8(0).u8(7).u8(0).real(0.9).real(0.8).real(1).u8(0);
  CHECK(sub(0, mode.bytes).size() == 47);
  Hand joints;
  for (int i = 0; i < 6; ++i)
    joints.real(i).real(i + 10).real(i + 20).real32(1).real32(48).real32(25).real32(30).u8(253);
  CHECK(sub(1, joints.bytes).size() == 251);
  Hand cartesian;
  for (int i = 0; i < 12; ++i) cartesian.real(i);
  Hand kinematics;
  for (unsigned i = 0; i < 6; ++i) kinematics.u32(0xf0000000u + i);
  for (int i = 0; i < 24; ++i) kinematics.real(i);
  kinematics.u32(2);
  Hand unknown;
  unknown.u8(1).u8(2);
  const RobotState state = state_of(Hand()
                                        .add(sub(0, mode.bytes))
                                        .add(sub(1, joints.bytes))
                                        .add(sub(99, unknown.bytes))
                                        .add(sub(4, cartesian.bytes))
                                        .add(sub(5, kinematics.bytes))
                                        .bytes);
  REQUIRE(state.mode);
  CHECK(state.mode->timestamp == 1000000);
  CHECK(state.mode->program_running);
  CHECK(state.mode->robot_mode == 7);
  CHECK(state.mode->target_speed_fraction == 0.9);
  REQUIRE(state.joints);
  CHECK((*state.joints)[5].target_q == 15.0);
  CHECK((*state.joints)[5].mode == 253);
  REQUIRE(state.cartesian);
  CHECK(state.cartesian->tcp_offset[5] == 11.0);
  REQUIRE(state.kinematics);
  CHECK(state.kinematics->checksum[5] == 0xf0000005u);
  CHECK(state.kinematics->a[0] == 6.0);
  CHECK(state.kinematics->alpha[5] == 23.0);
  CHECK_FALSE(state.tool);
}

TEST_CASE("the masterboard is read with and without Euromap") {
  Hand head;
  head.u32(5).u32(6).u8(0).u8(1).real(1).real(2).u8(0).u8(1).real(3).real(4);
  head.real32(30).real32(48).real32(0.5f).real32(0.1f).u8(1).u8(0);
  const auto without = Hand().add(head.bytes).u8(0).u32(0).u8(1).u8(1).u8(0).bytes;
  const auto with = Hand().add(head.bytes).u8(1).u32(7).u32(8).real32(24).real32(0).u32(0).u8(1).u8(1).u8(0).bytes;
  const RobotState first = state_of(sub(3, without));
  CHECK(first.masterboard->analog_output[1] == 4.0);
  CHECK_FALSE(first.masterboard->euromap);
  const RobotState second = state_of(sub(3, with));
  REQUIRE(second.masterboard->euromap);
  CHECK(second.masterboard->euromap->outputs == 8);
  CHECK(second.masterboard->three_position_enabling == 1);
}

TEST_CASE("the controller's state makes every sub-package with its documented length") {
  Variables variables;
  variables.state.actual_q = {1, 2, 3, 4, 5, 6};
  variables.state.actual_tcp_pose[2] = 0.5;
  variables.state.robot_mode = RobotMode::running;
  variables.state.robot_status_bits = robot_status::power_on | robot_status::program_running;
  variables.state.timestamp = 2;
  RobotDescription description;
  description.kinematics.checksum[0] = 7;
  TestPacket packet;
  encode(robot_state_from(variables, description, true), packet);
  const std::size_t lengths[] = {47, 251, 37, 75, 101, 225, 445, 61, 9, 53, 43, 26, 8};
  std::size_t at = 5;
  for (unsigned type = 0; type < 13; ++type) {
    CAPTURE(type);
    REQUIRE(at + 5 <= packet.size());
    CHECK(test::u16_at(packet, at) == 0);
    CHECK(packet[at + 4] == type);
    CHECK(test::u16_at(packet, at + 2) == lengths[type]);
    at += test::u16_at(packet, at + 2);
  }
  CHECK(at == packet.size());
  // What python-urx looks for: joint angles at fixed places of sub-package 1.
  CHECK(test::real_at(packet, 5 + 47 + 5) == 1.0);
  CHECK(test::real_at(packet, 5 + 47 + 5 + 41) == 2.0);

  const auto again = decode(packet);
  REQUIRE(again);
  const auto& state = std::get<RobotState>(*again);
  CHECK(state.mode->power_on);
  CHECK(state.mode->timestamp == 2000000);
  CHECK(state.cartesian->tcp_pose[2] == 0.5);
  CHECK(state.kinematics->checksum[0] == 7);
  TestPacket secondary;
  encode(robot_state_from(variables, description, false), secondary);
  CHECK_FALSE(std::get<RobotState>(*decode(secondary)).kinematics);
}

TEST_CASE("every truncation of a state and lengths that lie are errors") {
  Variables variables;
  TestPacket packet;
  encode(robot_state_from(variables, {}, true), packet);
  for (std::size_t size = 0; size < packet.size(); ++size) CHECK_FALSE(decode(Bytes(packet).first(size)));
  for (const std::uint32_t lie : {0u, 4u, 5u, 46u, 0x7fffffffu, 0xffffffffu}) {
    const auto lying = Hand().u32(lie).u8(0).add(TestPacket(30, 1)).bytes;
    CHECK_FALSE(decode(test::primary_packet(16, lying)));
  }
  CHECK(decode(test::primary_packet(22, TestPacket(4, 1))));
}

TEST_CASE("random bytes never break the decoder of primary packets") {
  std::mt19937_64 random(8);
  for (int i = 0; i < 20'000; ++i) {
    TestPacket body(random() % 80);
    for (auto& byte : body) byte = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 14);
    const unsigned kinds[] = {16, 20, 25, 5, 255};
    CHECK_NOTHROW(static_cast<void>(decode(test::primary_packet(kinds[random() % 5], body)).ok()));
  }
}

TEST_CASE("program state carries names and values") {
  const auto bytes = test::primary_packet(25, Hand().u64(1).u8(0).u16(3).text("a\nb\n").bytes);
  const auto packet = decode(bytes);
  REQUIRE(packet);
  const auto& state = std::get<ProgramState>(*packet);
  CHECK(state.first == 3);
  CHECK(state.body == "a\nb\n");
  TestPacket again;
  encode(state, again);
  CHECK(again == bytes);
}

TEST_CASE("port 30001 says its version first then the state ten times a second") {
  Variables variables;
  PrimarySource source{variables, {}, {}};
  test::Served served([&](const net::Endpoint&) { return std::make_unique<PrimarySession>(source, true, nullptr); });
  auto client = PacketClient::connect("127.0.0.1", served.port, soon());
  REQUIRE(client);
  const auto first = client->receive(soon());
  REQUIRE(first);
  const auto greeting = decode(*first);
  REQUIRE(greeting);
  CHECK(std::get<Version>(std::get<RobotMessage>(*greeting).body).project == "URControl");
  const std::uint64_t before = served.cycles;
  for (int i = 0; i < 4; ++i) {
    const auto next = client->receive(soon());
    REQUIRE(next);
    const auto packet = decode(*next);
    REQUIRE(packet);
    CHECK(std::holds_alternative<RobotState>(*packet));
  }
  CHECK(served.cycles - before >= 100);
}
