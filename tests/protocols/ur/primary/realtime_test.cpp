// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/realtime.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tandem/protocols/ur/primary/packet_client.hpp"
#include "tests/protocols/ur/bytes_by_hand.hpp"
#include "tests/protocols/ur/ports_fixture.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::test;

namespace {

// A packet in which every double is its own offset.
Packet counted(std::size_t size) {
  Hand hand;
  hand.u32(static_cast<std::uint32_t>(size));
  while (hand.bytes.size() < size) hand.real(static_cast<double>(hand.bytes.size()));
  return hand.bytes;
}

}  // namespace

TEST_CASE("the real-time packet has each value at its documented offset") {
  ControllerState state;
  state.timestamp = 1.5;
  state.target_q[0] = 2;
  state.target_moment[5] = 3;
  state.actual_q = {10, 11, 12, 13, 14, 15};
  state.actual_qd[5] = 16;
  state.joint_control_output[0] = 17;
  state.actual_tcp_pose[0] = 18;
  state.actual_tcp_force[2] = 19;
  state.target_tcp_speed[5] = 20;
  state.actual_digital_input_bits = 5;
  state.joint_temperatures[0] = 21;
  state.actual_execution_time = 0.25;
  state.robot_mode = RobotMode::running;
  state.joint_mode = {253, 253, 253, 253, 253, 255};
  state.safety_mode = SafetyMode::protective_stop;
  state.actual_tool_accelerometer = {1, 2, 3};
  state.speed_scaling = 0.5;
  state.actual_momentum = 22;
  state.actual_main_voltage = 48;
  state.actual_robot_voltage = 47;
  state.actual_robot_current = 0.75;
  state.actual_joint_voltage[5] = 46;
  state.actual_digital_output_bits = 3;
  state.runtime_state = RuntimeState::playing;
  state.elbow_position = {7, 8, 9};
  state.elbow_velocity[2] = 23;
  state.safety_status = 3;
  state.payload = 1.25;
  state.payload_cog[2] = 24;
  state.payload_inertia[5] = 25;
  Packet packet;
  encode_realtime(state, packet);
  REQUIRE(packet.size() == 1220);
  CHECK(Packet(packet.begin(), packet.begin() + 4) == hex("00 00 04 c4"));
  const std::pair<std::size_t, double> expected[] = {
      {4, 1.5},   {12, 2},   {244, 3},    {252, 10},    {292, 15},  {340, 16},  {396, 17},  {444, 18},
      {556, 19},  {676, 20}, {692, 21},   {740, 0.25},  {748, 0},   {756, 7},   {764, 253}, {804, 255},
      {812, 3},   {820, 0},  {868, 1},    {884, 3},     {892, 0},   {940, 0.5}, {948, 22},  {956, 0},
      {972, 48},  {980, 47}, {988, 0.75}, {1036, 46},   {1044, 3},  {1052, 2},  {1060, 7},  {1076, 9},
      {1100, 23}, {1108, 3}, {1116, 0},   {1140, 1.25}, {1164, 24}, {1212, 25}};
  for (const auto& [offset, value] : expected) {
    CAPTURE(offset);
    CHECK(real_at(packet, offset) == value);
  }
  CHECK(Packet(packet.begin() + 684, packet.begin() + 692) == hex("00 00 00 00 00 00 00 05"));
}

TEST_CASE("packets of every software are read as far as they go") {
  for (const std::size_t size : {1044u, 1060u, 1108u, 1116u, 1140u, 1220u, 1300u}) {
    ControllerState state;
    state.payload = -1;
    state.runtime_state = RuntimeState::paused;
    CAPTURE(size);
    REQUIRE(decode_realtime(counted(size - size % 4), state));
    CHECK(state.timestamp == 4.0);
    CHECK(state.actual_q[5] == 292.0);
    CHECK(state.actual_joint_voltage[5] == 1036.0);
    CHECK(static_cast<int>(state.robot_mode) == 756);
    CHECK(static_cast<unsigned>(state.runtime_state) == (size >= 1060 ? 1052u : 4u));
    CHECK(state.elbow_velocity[2] == (size >= 1108 ? 1100.0 : 0.0));
    CHECK(state.payload == (size >= 1220 ? 1140.0 : -1.0));
  }
}

TEST_CASE("R5 real-time packets with lengths that no software sends are refused") {
  ControllerState state;
  for (std::size_t size = 0; size < 1220; ++size) {
    const bool sent = size == 1044 || size == 1060 || size == 1108 || size == 1116 || size == 1140;
    Packet packet = counted(1220);
    packet.resize(size);
    CHECK_FALSE(decode_realtime(packet, state));  // its length says 1220
    if (size >= 4) {
      packet[2] = static_cast<std::uint8_t>(size >> 8);
      packet[3] = static_cast<std::uint8_t>(size);
      CHECK(decode_realtime(packet, state).ok() == sent);
    }
  }
}

TEST_CASE("G18 numbers that fit nowhere are kept in range") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    Packet packet = counted(1220);
    for (std::size_t at = 4; at < packet.size(); ++at) packet[at] = static_cast<std::uint8_t>(random());
    ControllerState state;
    CHECK(decode_realtime(packet, state));
  }
  Packet packet = counted(1220);
  const Packet huge = Hand().real(1e300).bytes;
  std::copy(huge.begin(), huge.end(), packet.begin() + 756);
  const Packet none = Hand().u64(0x7ff8000000000000).bytes;
  std::copy(none.begin(), none.end(), packet.begin() + 812);
  ControllerState state;
  REQUIRE(decode_realtime(packet, state));
  CHECK(static_cast<std::int32_t>(state.robot_mode) == 2147483647);
  CHECK(static_cast<std::int32_t>(state.safety_mode) == 0);
}

TEST_CASE("a client of port 30003 gets a packet per cycle and its text arrives whole and in order") {
  struct Heard {
    std::string text;
    std::atomic<bool> whole{false};
  } heard;
  struct Sink final : ScriptSink {
    explicit Sink(Heard& told) : heard(told) {}
    bool receive(Bytes bytes) override {
      heard.text.append(bytes.begin(), bytes.end());
      if (heard.text.ends_with("end\n")) heard.whole = true;
      return true;
    }
    std::uint64_t programs() const override { return heard.whole ? 1 : 0; }
    Heard& heard;
  };
  ControllerState state;
  Served served(
      [&](const net::Endpoint&) { return std::make_unique<RealtimeSession>(state, std::make_unique<Sink>(heard)); },
      [&] { state.timestamp += 0.002; });
  auto client = PacketClient::connect("127.0.0.1", served.port, soon());
  REQUIRE(client);
  double last = -1;
  for (int i = 0; i < 20; ++i) {
    const auto packet = client->receive(soon());
    REQUIRE(packet);
    ControllerState seen;
    REQUIRE(decode_realtime(*packet, seen));
    CHECK(seen.timestamp > last);
    last = seen.timestamp;
  }
  REQUIRE(client->send_program("def a():\n  sync()\nend", soon()));
  const Instant end = soon();
  while (!heard.whole && system_clock().now() < end) REQUIRE(client->receive(soon()));
  REQUIRE(heard.whole);
  CHECK(heard.text == "def a():\n  sync()\nend\n");
}

TEST_CASE("a session without a sink forgets what it is sent and one whose sink has had enough says so") {
  struct Full final : ScriptSink {
    bool receive(Bytes) override { return false; }
    std::uint64_t programs() const override { return 3; }
  };
  const ControllerState state;
  net::Outbox out;
  RealtimeSession read_only(state, nullptr), full(state, std::make_unique<Full>());
  CHECK(read_only.receive(as_bytes("def f():\nend\n"), out));
  CHECK(read_only.progress().completed == 0);
  CHECK_FALSE(full.receive(as_bytes("x"), out));
  CHECK(full.progress().completed == 3);
}
