// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "tandem/net/url.hpp"
#include "tandem/protocols/ur/primary/primary.hpp"
#include "tandem/protocols/ur/primary/realtime.hpp"
#include "tests/machines/ur3e/virtual/rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

std::vector<std::uint8_t> asked(net::TcpSocket& socket, const std::vector<std::uint8_t>& packet) {
  REQUIRE(socket.write_all(packet, in(5s)).ok());
  std::vector<std::uint8_t> header(3);
  REQUIRE(socket.read_exact(header, in(5s)).ok());
  std::vector<std::uint8_t> rest(static_cast<std::size_t>(header[0] << 8 | header[1]) - 3);
  if (!rest.empty()) REQUIRE(socket.read_exact(rest, in(5s)).ok());
  header.insert(header.end(), rest.begin(), rest.end());
  return header;
}

std::vector<std::uint8_t> packet(char kind, const std::string& body) {
  std::vector<std::uint8_t> bytes(3 + body.size());
  bytes[0] = static_cast<std::uint8_t>(bytes.size() >> 8);
  bytes[1] = static_cast<std::uint8_t>(bytes.size());
  bytes[2] = static_cast<std::uint8_t>(kind);
  std::copy(body.begin(), body.end(), bytes.begin() + 3);
  return bytes;
}

std::uint32_t big32(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 | std::uint32_t{bytes[at + 2]} << 8 |
         bytes[at + 3];
}

}  // namespace

TEST_CASE("the URL of the device names every port and reads back") {
  Rig rig;
  const auto url = net::parse_url(rig.device->url());
  REQUIRE(url.ok());
  CHECK(url->scheme == "rtde");
  CHECK(url->port == rig.ports.rtde);
  CHECK(url->number("dashboard", 0, 1, 65535).value() == rig.ports.dashboard);
  CHECK(url->number("primary", 0, 1, 65535).value() == rig.ports.primary);
  CHECK(url->number("secondary", 0, 1, 65535).value() == rig.ports.secondary);
  CHECK(url->number("realtime", 0, 1, 65535).value() == rig.ports.real_time);
  CHECK(url->number("gripper", 0, 1, 65535).value() == rig.ports.gripper);
}

TEST_CASE("port 30020 takes statements of the interpreter mode and answers each") {
  Rig rig;
  auto socket = net::TcpSocket::connect("127.0.0.1", rig.ports.interpreter, in(5s));
  REQUIRE(socket.ok());
  const auto answer = [&](const std::string& line) {
    if (!line.empty()) REQUIRE(socket->write_all(as_bytes(line), in(5s)).ok());
    std::string text;
    std::vector<std::uint8_t> byte(1);
    while (text.find('\n') == std::string::npos && socket->read_exact(byte, in(5s)).ok())
      text += static_cast<char>(byte[0]);
    return text;
  };
  CHECK(answer("textmsg(1)\n") == "discard: no program is running: textmsg(1)\n");
  auto sender = net::TcpSocket::connect("127.0.0.1", rig.ports.secondary, in(5s));
  REQUIRE(sender.ok());
  const std::string entering = "interpreter_mode(clearQueueOnEnter = True, clearOnEnd = True)\n";
  REQUIRE(sender->write_all(as_bytes(entering), in(5s)).ok());
  auto rtde = rig.rtde({"runtime_state", "output_int_register_0"});
  ur::Variables values;
  REQUIRE(wait_for(rtde, values, 20s, [](const auto& s) { return s.runtime_state == ur::RuntimeState::playing; }));
  REQUIRE(socket->write_all(as_bytes(std::string("set_flag(2, True) write_out")), in(5s)).ok());  // half a line
  CHECK(answer("put_integer_register(0, 42)\r\n") ==
        "ack: 1: set_flag(2, True) write_output_integer_register(0, 42)\n");
  CHECK(wait_for(rtde, values, 20s, [](const auto& s) { return s.output_int_register[0] == 42; }));
  CHECK(answer("statelastexecuted\n") == "state: 1: statelastexecuted\n");
  CHECK(answer("nope()\nend_interpreter()\n").starts_with("discard: line 1, column 1: unknown function 'nope'"));
  CHECK(answer("") == "ack: 2: end_interpreter()\n");
  CHECK(wait_for(rtde, values, 20s, [](const auto& s) { return s.runtime_state == ur::RuntimeState::stopped; }));
}

TEST_CASE("more answers than a connection holds at once all reach a client of port 30020") {
  Rig rig;
  auto socket = net::TcpSocket::connect("127.0.0.1", rig.ports.interpreter, in(5s));
  REQUIRE(socket.ok());
  const std::string line(60'000, 'x');
  std::string sent, expected;
  for (int i = 0; i < 20; ++i) {
    sent += line + "\n";
    expected += "discard: no program is running: " + line + "\n";
  }
  REQUIRE(socket->write_all(as_bytes(sent), in(20s)).ok());
  std::vector<std::uint8_t> received(expected.size());
  REQUIRE(socket->read_exact(received, in(20s)).ok());
  CHECK(std::equal(received.begin(), received.end(), expected.begin()));
}

TEST_CASE("power up by dashboard over the socket") {
  ControllerSetup setup;
  setup.running = false;
  Rig rig(setup);
  auto client = ur::dashboard::Client::connect("127.0.0.1", rig.ports.dashboard, in(5s));
  REQUIRE(client.ok());
  CHECK(client->polyscope_version(in(5s)).value().find("5.12") != std::string::npos);
  CHECK(client->is_in_remote_control(in(5s)).value());
  CHECK(client->robot_mode(in(5s)).value() == ur::RobotMode::power_off);
  CHECK(client->ask("power on", in(5s)).value() == "Powering on");
  const auto becomes = [&](ur::RobotMode mode) {
    for (int i = 0; i < 200; ++i) {
      if (client->robot_mode(in(5s)).value() == mode) return true;
      std::this_thread::sleep_for(20ms);
    }
    return false;
  };
  CHECK(becomes(ur::RobotMode::idle));
  CHECK(client->ask("brake release", in(5s)).value() == "Brake releasing");
  CHECK(becomes(ur::RobotMode::running));
}

TEST_CASE("the text of a seed user's move with its handshake of registers over protocol 1") {
  Rig rig;
  auto socket = net::TcpSocket::connect("127.0.0.1", rig.ports.rtde, in(5s));
  REQUIRE(socket.ok());
  const auto version = asked(*socket, packet('v', ""));
  CHECK(version.size() == 3 + 16);
  CHECK(big32(version, 3) == 5);
  const auto accepted = asked(*socket, {0x00, 0x05, 0x56, 0x00, 0x01});
  CHECK(accepted == std::vector<std::uint8_t>{0x00, 0x04, 0x56, 0x01});
  const auto outputs = asked(*socket, packet('O', "timestamp,actual_q,robot_status_bits,output_bit_registers0_to_31"));
  CHECK(std::string(outputs.begin() + 3, outputs.end()) == "DOUBLE,VECTOR6D,UINT32,UINT32");
  const auto started = asked(*socket, packet('S', ""));
  CHECK(started == std::vector<std::uint8_t>{0x00, 0x04, 0x53, 0x01});
  // Each data packet: header, timestamp, six joints, two words.
  constexpr std::size_t size = 3 + 8 + 48 + 4 + 4;
  std::vector<std::uint8_t> data(size);
  const auto bits = [&] {
    REQUIRE(socket->read_exact(data, in(5s)).ok());
    REQUIRE(data[2] == 'U');
    return big32(data, 63);
  };
  CHECK(bits() == 0);
  const std::string move =
      "def move_j():\n  write_output_boolean_register(0, True)\n"
      "  movej( [0.5, -1.2, 1.2, -1.5, -1.5, 0.1], a=1, v=1,  r=0)\n\n\n"
      "  write_output_boolean_register(1, True)\nend\n";
  std::thread sender([&] { rig.send(rig.ports.real_time, move); });
  std::uint32_t seen = 0;
  bool began = false;
  for (int i = 0; i < 2500 && seen != 3; ++i) {
    seen = bits();
    began = began || seen == 1;
  }
  sender.join();
  CHECK(began);
  CHECK(seen == 3);
  ByteReader reader(Bytes(data).subspan(3 + 8));
  CHECK(reader.big<double>() == doctest::Approx(0.5).epsilon(2e-3));
  std::thread reset([&] {
    rig.send(rig.ports.real_time,
             "def resetRegister():\n  write_output_boolean_register(0, False)\n"
             "  write_output_boolean_register(1, False)\nend\n");
  });
  for (int i = 0; i < 1000 && seen != 0; ++i) seen = bits();
  reset.join();
  CHECK(seen == 0);
}

TEST_CASE("two clients read at their own rates and share no input") {
  Rig rig;
  auto fast = rig.rtde({"timestamp", "actual_q"}, 500);
  auto slow = rig.rtde({"timestamp"}, 50);
  ur::Variables values;
  std::size_t many = 0, few = 0;
  const Instant end = in(1s);
  while (system_clock().now() < end) {
    if (const auto got = fast.receive_newest(values, in(100ms))) many += got->packets;
    if (const auto got = slow.receive_newest(values, system_clock().now() + 1us)) few += got->packets;
  }
  CHECK(many > 350);
  CHECK(few > 30);
  CHECK(few < 60);
  CHECK(values.state.timestamp > 100);
  auto first = ur::RtdeClient::connect("127.0.0.1", rig.ports.rtde, in(5s));
  auto second = ur::RtdeClient::connect("127.0.0.1", rig.ports.rtde, in(5s));
  const std::vector<std::string> inputs{"input_int_register_24"};
  REQUIRE(first->setup_inputs(inputs, in(5s)).ok());
  const auto refused = second->setup_inputs(inputs, in(5s));
  REQUIRE(!refused.ok());
  CHECK(refused.error().fault == Fault::busy);
}

TEST_CASE("30001 tells its version first and then states and errors of programs") {
  Rig rig;
  auto client = ur::PacketClient::connect("127.0.0.1", rig.ports.primary, in(5s));
  auto read_only = ur::PacketClient::connect("127.0.0.1", rig.ports.primary_read_only, in(5s));
  REQUIRE(client.ok());
  REQUIRE(read_only.ok());
  const auto first = ur::primary::decode(client->receive(in(5s)).value());
  REQUIRE(first.ok());
  const auto& message = std::get<ur::primary::RobotMessage>(*first);
  CHECK(std::get<ur::primary::Version>(message.body).major == 5);
  REQUIRE(read_only->send_program("textmsg(\"nobody hears this\")", in(5s)).ok());
  REQUIRE(client->send_program("def spin():\n  while True:\n    x = 1\n  end\nend\n", in(5s)).ok());
  bool state = false, failed = false, heard = false, reported = false;
  const Instant end = in(5s);
  while (system_clock().now() < end && !(state && failed)) {
    const auto bytes = client->receive(end);
    REQUIRE(bytes.ok());
    const auto packet = ur::primary::decode(*bytes);
    REQUIRE(packet.ok());
    if (const auto* robot = std::get_if<ur::primary::RobotState>(&*packet)) {
      state = robot->mode && robot->joints && robot->cartesian && robot->kinematics && robot->configuration;
      CHECK(robot->kinematics->a[1] == doctest::Approx(-0.24355));
    }
    if (const auto* said = std::get_if<ur::primary::RobotMessage>(&*packet)) {
      if (const auto* error = std::get_if<ur::primary::RuntimeException>(&said->body)) {
        failed = true;
        CHECK(error->line >= 2);
        CHECK(error->line <= 4);
        CHECK(error->text.find("loop") != std::string::npos);
      }
      if (const auto* text = std::get_if<ur::primary::Text>(&said->body))
        heard = heard || text->text.find("nobody") != std::string::npos;
      reported = reported || std::holds_alternative<ur::primary::ErrorCode>(said->body);
    }
  }
  CHECK(state);
  CHECK(failed);
  CHECK(!heard);
  CHECK(!reported);  // anyone could fill the logs of all
}

TEST_CASE("the real-time port sends 1220 bytes each cycle and RTDE agrees with them") {
  Rig rig;
  auto client = ur::PacketClient::connect("127.0.0.1", rig.ports.real_time_read_only, in(5s));
  REQUIRE(client.ok());
  ur::ControllerState state;
  for (int i = 0; i < 20; ++i) {
    const auto bytes = client->receive(in(5s));
    REQUIRE(bytes.ok());
    CHECK(bytes->size() == 1220);
    REQUIRE(ur::decode_realtime(*bytes, state).ok());
  }
  CHECK(state.actual_q[2] == doctest::Approx(std::numbers::pi / 2).epsilon(1e-3));
  CHECK(state.robot_mode == ur::RobotMode::running);
  auto rtde = rig.rtde({"actual_q", "actual_TCP_pose"});
  ur::Variables values;
  REQUIRE(rtde.receive_newest(values, in(5s)).ok());
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(values.state.actual_q[i] == doctest::Approx(state.actual_q[i]).epsilon(1e-4));
    CHECK(values.state.actual_tcp_pose[i] == doctest::Approx(state.actual_tcp_pose[i]).epsilon(1e-3));
  }
}

TEST_CASE("a program that is only half sent does nothing until the rest is there") {
  Rig rig;
  auto rtde = rig.rtde({"output_int_register_7", "runtime_state"});
  ur::Variables values;
  auto socket = net::TcpSocket::connect("127.0.0.1", rig.ports.secondary, in(5s));
  REQUIRE(socket.ok());
  REQUIRE(socket->write_all(as_bytes("def half():\n  write_output_integer_register(7, 9)\n  if True:\n"), in(5s)).ok());
  CHECK(!wait_for(rtde, values, 300ms, [](const auto& s) { return s.output_int_register[7] == 9; }));
  CHECK(values.state.runtime_state == ur::RuntimeState::stopped);
  REQUIRE(socket->write_all(as_bytes("    sync()\n  end\nend\n"), in(5s)).ok());
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return s.output_int_register[7] == 9; }));
}

TEST_CASE("a program whose sender leaves before its end is never run") {
  Rig rig;
  auto rtde = rig.rtde({"output_int_register_7", "output_int_register_8"});
  ur::Variables values;
  rig.send(rig.ports.secondary,
           "write_output_integer_register(8, 1)\ndef half():\n  write_output_integer_register(7, 9)\n");
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return s.output_int_register[8] == 1; }));
  rig.send(rig.ports.secondary, "end\n");
  rig.send(rig.ports.secondary, "write_output_integer_register(8, 2)\n");
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return s.output_int_register[8] == 2; }));
  CHECK(values.state.output_int_register[7] == 0);
}

TEST_CASE("a switch in a program sent byte by byte is read on every script port") {
  Rig rig;
  auto rtde = rig.rtde({"output_int_register_7"});
  ur::Variables values;
  const std::string text =
      "def choose():\r\n  x = 2\r\n  switch x:\r\n    case 1:\r\n      write_output_integer_register(7, 1)\r\n"
      "    case 2:\r\n      write_output_integer_register(7, read_output_integer_register(7) + 1)\r\n"
      "    default:\r\n      write_output_integer_register(7, 100)\r\n  end\r\nend\r\n";
  int runs = 0;
  for (const std::uint16_t port : {rig.ports.primary, rig.ports.secondary, rig.ports.real_time}) {
    auto socket = net::TcpSocket::connect("127.0.0.1", port, in(5s));
    REQUIRE(socket.ok());
    for (const char& byte : text) REQUIRE(socket->write_all(as_bytes(std::string_view(&byte, 1)), in(5s)).ok());
    ++runs;
    CHECK(wait_for(rtde, values, 5s, [&](const auto& s) { return s.output_int_register[7] == runs; }));
  }
}

TEST_CASE("a program longer than any is said on 30001 and its sender is shut out") {
  Rig rig;
  auto listener = ur::PacketClient::connect("127.0.0.1", rig.ports.primary, in(5s));
  REQUIRE(listener.ok());
  auto socket = net::TcpSocket::connect("127.0.0.1", rig.ports.secondary, in(5s));
  REQUIRE(socket.ok());
  const std::string chunk(1 << 18, 'x');
  bool open = true;
  for (int i = 0; i < 200 && open; ++i) open = socket->write_all(as_bytes(chunk), in(5s)).ok();
  CHECK_FALSE(open);
  bool said = false;
  const Instant end = in(5s);
  while (!said && system_clock().now() < end) {
    const auto bytes = listener->receive(end);
    REQUIRE(bytes.ok());
    const auto packet = ur::primary::decode(*bytes);
    REQUIRE(packet.ok());
    const auto* message = std::get_if<ur::primary::RobotMessage>(&*packet);
    const auto* text = message != nullptr ? std::get_if<ur::primary::Text>(&message->body) : nullptr;
    said = said || (text != nullptr && text->text.find("more than 4194304 bytes") != std::string::npos);
  }
  CHECK(said);
}

TEST_CASE("R8 R11 a power cycle drops every connection and starts time again with the arm off") {
  Rig rig;
  auto rtde = rig.rtde({"timestamp", "robot_mode"});
  ur::Variables values;
  REQUIRE(wait_for(rtde, values, 5s, [](const auto& s) { return s.timestamp > 100.5; }));
  rig.script.power_cycle = true;
  CHECK(!wait_for(rtde, values, 5s, [](const auto&) { return false; }));
  auto again = rig.rtde({"timestamp", "robot_mode"});
  REQUIRE(again.receive_newest(values, in(5s)).ok());
  CHECK(values.state.timestamp < 101.5);
  CHECK(values.state.robot_mode == ur::RobotMode::power_off);
}

TEST_CASE("R12 R13 R16 a hand at the pendant stops a program and holds it and takes remote control away") {
  Rig rig;
  auto rtde = rig.rtde({"runtime_state", "speed_scaling", "actual_qd", "actual_q", "target_speed_fraction"});
  ur::Variables values;
  rig.send(rig.ports.secondary,
           "def go():\n  while True:\n    movej([2.5,-1.57,1.57,-1.57,-1.57,0])\n"
           "    movej([1.5,-1.57,1.57,-1.57,-1.57,0])\n  end\nend\n");
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return s.actual_qd[0] > 0.3; }));
  rig.script.slider = 0;
  CHECK(wait_for(rtde, values, 5s,
                 [](const auto& s) { return s.speed_scaling == 0 && std::abs(s.actual_qd[0]) < 1e-3; }));
  const double held = values.state.actual_q[0];
  CHECK(!wait_for(rtde, values, 300ms, [](const auto& s) { return s.runtime_state != ur::RuntimeState::playing; }));
  CHECK(std::abs(values.state.actual_q[0] - held) < 1e-3);
  rig.script.slider = 1;
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return std::abs(s.actual_qd[0]) > 0.3; }));
  rig.script.program_stop = true;
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return s.runtime_state == ur::RuntimeState::stopped; }));
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return std::abs(s.actual_qd[0]) < 1e-3; }));
  rig.script.local_control = true;
  std::this_thread::sleep_for(50ms);
  rig.send(rig.ports.secondary, "def go():\n  while True:\n    sync()\n  end\nend\n");
  CHECK(!wait_for(rtde, values, 200ms, [](const auto& s) { return s.runtime_state == ur::RuntimeState::playing; }));
}

namespace {

// Robot messages of the primary port until one is as wanted; false when the port is closed or time is up.
template <typename Message, typename Wanted>
bool hears(ur::PacketClient& client, Duration most, Wanted wanted) {
  const Instant end = in(most);
  while (system_clock().now() < end) {
    const auto packet = client.receive(end);
    if (!packet) return false;
    const auto decoded = ur::primary::decode(*packet);
    const auto* message = decoded ? std::get_if<ur::primary::RobotMessage>(&*decoded) : nullptr;
    const auto* body = message != nullptr ? std::get_if<Message>(&message->body) : nullptr;
    if (body != nullptr && wanted(*body)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a primary client powers the robot, runs a program and hears of it, as Universal Robots' library does") {
  ControllerSetup setup;
  setup.running = false;
  setup.times.unlock = 0.3;
  Rig rig(setup);
  auto primary = ur::PacketClient::connect("127.0.0.1", rig.ports.primary, in(5s));
  REQUIRE(primary.ok());
  auto rtde = rig.rtde({"robot_mode", "safety_mode", "runtime_state"});
  ur::Variables values;
  const auto reaches = [&](ur::RobotMode mode) {
    return wait_for(rtde, values, 10s, [&](const auto& s) { return s.robot_mode == mode; });
  };
  REQUIRE(primary->send_program("power on", in(1s)).ok());
  CHECK(reaches(ur::RobotMode::idle));
  REQUIRE(primary->send_program("set robotmode run", in(1s)).ok());
  CHECK(reaches(ur::RobotMode::running));
  REQUIRE(primary->send_program("def test_fun():\n  sleep(0.1)\n  protective_stop()\nend", in(1s)).ok());
  const auto key = [](const char* title) {
    return [title](const ur::primary::KeyMessage& m) { return m.title == title && m.text == "test_fun"; };
  };
  CHECK(hears<ur::primary::KeyMessage>(*primary, 10s, key("PROGRAM_XXX_STARTED")));
  CHECK(hears<ur::primary::ErrorCode>(*primary, 10s, [](const auto& m) { return m.code == 209; }));
  CHECK(hears<ur::primary::SafetyModeChange>(*primary, 10s, [](const auto& m) { return m.safety_mode == 3; }));
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return s.runtime_state == ur::RuntimeState::paused; }));
  CHECK(wait_for(rtde, values, 10s, [&](const auto& s) {
    CHECK(primary->send_program("set unlock protective stop", in(1s)).ok());
    return s.safety_mode == ur::SafetyMode::normal;
  }));
  REQUIRE(primary->send_program("stop program", in(1s)).ok());
  CHECK(hears<ur::primary::KeyMessage>(*primary, 10s, key("PROGRAM_XXX_STOPPED")));
  REQUIRE(primary->send_program("power off", in(1s)).ok());
  CHECK(reaches(ur::RobotMode::power_off));
}

TEST_CASE("R16 local control closes script connections, and clients that come in it only read until they come again") {
  Rig rig;
  auto primary = ur::PacketClient::connect("127.0.0.1", rig.ports.primary, in(5s));
  auto reader = ur::PacketClient::connect("127.0.0.1", rig.ports.primary_read_only, in(5s));
  auto statements = net::TcpSocket::connect("127.0.0.1", rig.ports.interpreter, in(5s));
  REQUIRE(primary.ok());
  REQUIRE(reader.ok());
  REQUIRE(statements.ok());
  rig.script.local_control = true;
  const Instant end = in(20s);
  auto packet = primary->receive(end);
  while (packet) packet = primary->receive(end);
  CHECK(packet.error().fault != Fault::timeout);
  std::vector<std::uint8_t> byte(1);
  const auto over = statements->read_exact(byte, end);
  REQUIRE(!over.ok());
  CHECK(over.error().fault != Fault::timeout);
  auto again = ur::PacketClient::connect("127.0.0.1", rig.ports.primary, in(5s));
  auto dashboard = ur::dashboard::Client::connect("127.0.0.1", rig.ports.dashboard, in(5s));
  REQUIRE(again.ok());
  REQUIRE(dashboard.ok());
  CHECK_FALSE(dashboard->is_in_remote_control(in(5s)).value());
  REQUIRE(again->send_program("power off", in(1s)).ok());
  const auto ignored = [](const ur::primary::ErrorCode& m) { return m.code == 210; };
  CHECK(hears<ur::primary::ErrorCode>(*again, 10s, ignored));
  CHECK(hears<ur::primary::ErrorCode>(*reader, 10s, ignored));
  CHECK(dashboard->ask("power off", in(5s)).value().starts_with("Command is not allowed due to safety reasons"));
  rig.script.local_control = false;
  bool remote = false;
  for (const Instant late = in(20s); !remote && system_clock().now() < late;)
    remote = dashboard->is_in_remote_control(in(5s)).value();
  CHECK(remote);
  CHECK(dashboard->ask("power off", in(5s)).value().starts_with("Command is not allowed"));
  CHECK(dashboard->robot_mode(in(5s)).value() == ur::RobotMode::running);
  auto fresh = ur::dashboard::Client::connect("127.0.0.1", rig.ports.dashboard, in(5s));
  REQUIRE(fresh.ok());
  CHECK(fresh->ask("power off", in(5s)).value() == "Powering off");
}
