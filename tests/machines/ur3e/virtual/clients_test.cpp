// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "tests/machines/ur3e/virtual/rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;

TEST_CASE("a program connects back to its client and takes joint speeds from it") {
  Rig rig;
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener.ok());
  auto rtde = rig.rtde({"actual_q", "actual_qd", "runtime_state"});
  ur::Variables values;
  const std::string program =
      "def external():\n  global wanted = [0,0,0,0,0,0]\n  global mode = 1\n"
      "  thread speeds():\n    while mode == 1:\n      speedj(wanted, 4.0, 0.002)\n    end\n    stopj(4.0)\n  end\n"
      "  connected = socket_open(\"127.0.0.1\", " +
      std::to_string(listener->local().port) +
      ", \"reverse\")\n  textmsg(\"connected \", connected)\n  h = run speeds()\n"
      "  while mode == 1:\n    enter_critical\n"
      "    got = socket_read_binary_integer(7, \"reverse\", 0.2)\n    exit_critical\n"
      "    if got[0] == 7:\n      mode = got[1]\n"
      "      wanted = [got[2] / 1000000.0, got[3] / 1000000.0, got[4] / 1000000.0, got[5] / 1000000.0, "
      "got[6] / 1000000.0, got[7] / 1000000.0]\n"
      "    else:\n      mode = -2\n    end\n  end\n  join h\n  socket_close(\"reverse\")\nend\n";
  std::thread sender([&] { rig.send(rig.ports.secondary, program); });
  auto reverse = listener->accept(in(5s));
  sender.join();
  REQUIRE(reverse.ok());
  const auto command = [&](std::int32_t mode, std::int32_t base_speed) {
    std::vector<std::uint8_t> bytes;
    ByteWriter writer(bytes);
    writer.big(mode);
    writer.big(base_speed);
    for (int i = 0; i < 5; ++i) writer.big(std::int32_t{0});
    return reverse->write_all(bytes, in(1s)).ok();
  };
  double fastest = 0;
  for (int i = 0; i < 100; ++i) {
    REQUIRE(command(1, 300000));
    std::this_thread::sleep_for(8ms);
    if (rtde.receive_newest(values, in(1s)).ok()) fastest = std::max(fastest, values.state.actual_qd[0]);
  }
  CHECK(fastest == doctest::Approx(0.3).epsilon(0.1));
  // Silence: the program gives up by itself and the arm stops.
  CHECK(wait_for(rtde, values, 5s, [](const auto& s) { return s.runtime_state == ur::RuntimeState::stopped; }));
  CHECK(wait_for(rtde, values, 2s, [](const auto& s) { return std::abs(s.actual_qd[0]) < 1e-3; }));
}

TEST_CASE("a program reaches its own gripper as 127.0.0.1:63352 wherever that listens") {
  Rig rig;  // on free ports
  REQUIRE(rig.ports.gripper != ports::gripper);
  auto rtde = rig.rtde({"output_int_register_0", "output_int_register_1"});
  auto hand = ur::gripper::Client::connect("127.0.0.1", rig.ports.gripper, in(5s));
  REQUIRE(hand.ok());
  REQUIRE(hand->activate(in(10s)).ok());
  REQUIRE(hand->move(77, 255, 100, in(5s)).ok());
  rig.send(rig.ports.secondary,
           "def ask():\n  socket_open(\"127.0.0.1\", 63352, \"hand\")\n"
           "  write_output_integer_register(1, socket_get_var(\"PRE\", \"hand\"))\n"
           "  write_output_integer_register(0, 1)\nend\n");
  ur::Variables values;
  REQUIRE(wait_for(rtde, values, 10s, [](const auto& s) { return s.output_int_register[0] == 1; }));
  CHECK(values.state.output_int_register[1] == 77);
}

TEST_CASE("a cube is picked from the table by program and gripper socket") {
  Rig rig;
  auto rtde = rig.rtde({"runtime_state", "safety_mode", "actual_TCP_pose", "output_int_register_0"});
  auto hand = ur::gripper::Client::connect("127.0.0.1", rig.ports.gripper, in(5s));
  REQUIRE(hand.ok());
  REQUIRE(hand->activate(in(10s)).ok());
  REQUIRE(hand->move(0, 255, 100, in(5s)).ok());
  ur::Variables values;
  const Eigen::Vector3d cube = cube_start(1);
  const double low = cube.z() + hand::grip_reach, high = low + 0.12;
  const auto go = [&](double height, int mark) {
    const std::string pose = "p[" + std::to_string(cube.x()) + "," + std::to_string(cube.y()) + "," +
                             std::to_string(height) + "," + std::to_string(std::numbers::pi) + ",0,0]";
    rig.send(rig.ports.secondary, "def go():\n  " + std::string(mark == 1 ? "movej(" : "movel(") + pose +
                                      ", a=1.0, v=" + (mark == 1 ? "1.0" : "0.2") +
                                      ")\n  write_output_integer_register(0, " + std::to_string(mark) + ")\nend\n");
    return wait_for(rtde, values, 20s, [&](const auto& s) { return s.output_int_register[0] == mark; });
  };
  REQUIRE(go(high, 1));
  REQUIRE(go(low, 2));
  REQUIRE(hand->move(255, 128, 100, in(5s)).ok());
  int object = 0;
  for (int i = 0; i < 200 && object == 0; ++i) {
    std::this_thread::sleep_for(20ms);
    object = hand->status(in(5s)).value().object;
  }
  CHECK(object == 2);
  REQUIRE(go(high, 3));
  CHECK(values.state.safety_mode == ur::SafetyMode::normal);
  rig.thread.request_stop();
  rig.thread.join();
  CHECK(rig.device->controller().body.cube(1).translation().z() > cube.z() + 0.1);
}
