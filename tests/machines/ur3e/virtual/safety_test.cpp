// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tandem/machines/ur3e/virtual/ports/dashboard.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using ur::RobotMode;
using ur::SafetyMode;

namespace {

std::string ask(Dashboard& dashboard, const char* line) {
  const auto command = ur::dashboard::parse(line);
  if (!ur::dashboard::only_asks(command.verb))
    if (auto refused = dashboard.perform(command)) return *refused;
  return ur::dashboard::answer(command, dashboard.view());
}

constexpr const char* far_move = "movej([1.5,-1.57,1.57,-1.57,-1.57,0], a=2, v=1)\n";

}  // namespace

TEST_CASE("power on and brake release lead through the modes that clients wait for") {
  ControllerSetup setup = aside();
  setup.running = false;
  Bench bench(setup);
  Dashboard dashboard(bench.controller);
  CHECK(ask(dashboard, "robotmode") == "Robotmode: POWER_OFF");
  bench.controller.program(far_move);
  bench.cycles(10);
  CHECK(!bench.controller.programs.running());
  CHECK(bench.says("POWER_OFF"));
  CHECK(ask(dashboard, "power on") == "Powering on");
  bench.cycles(1);
  CHECK(ask(dashboard, "robotmode") == "Robotmode: BOOTING");
  CHECK(bench.until([&] { return bench.state().robot_mode == RobotMode::idle; }, 2) > 0);
  bench.cycles(500);
  CHECK(bench.state().robot_mode == RobotMode::idle);
  CHECK(ask(dashboard, "brake release") == "Brake releasing");
  CHECK(bench.until([&] { return bench.state().robot_mode == RobotMode::running; }, 2) > 0);
  CHECK(bench.state().joint_mode[0] == 253);
  bench.run(far_move);
  CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
  CHECK(ask(dashboard, "power off") == "Powering off");
  bench.cycles(2);
  CHECK(bench.state().robot_mode == RobotMode::power_off);
}

TEST_CASE("R10 a protective stop holds program and motion and unlocks only after five seconds") {
  Bench bench;
  Dashboard dashboard(bench.controller);
  bench.controller.program(far_move);
  bench.cycles(400);
  bench.controller.protective_stop(stop_codes::collision, "test");
  bench.cycles(100);
  CHECK(bench.state().safety_mode == SafetyMode::protective_stop);
  CHECK((bench.state().safety_status_bits & ur::safety_status::protective_stopped) != 0);
  CHECK(bench.state().runtime_state == ur::RuntimeState::paused);
  const Joints held = bench.q();
  CHECK(ask(dashboard, "play") == "Failed to execute: play");
  CHECK(ask(dashboard, "unlock protective stop").find("Cannot unlock") == 0);
  bench.controller.program(far_move);
  bench.cycles(2500);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(ask(dashboard, "unlock protective stop") == "Protective stop releasing");
  bench.cycles(500);
  CHECK(bench.state().safety_mode == SafetyMode::normal);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(bench.state().runtime_state == ur::RuntimeState::paused);
  CHECK(ask(dashboard, "play") == "Starting program");
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 10) > 0);
  CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
}

TEST_CASE("R10 a program that a protective stop paused can be stopped or replaced once it is unlocked") {
  Bench bench;
  Dashboard dashboard(bench.controller);
  bench.controller.program(far_move);
  bench.cycles(400);
  bench.controller.protective_stop(stop_codes::collision, "test");
  bench.cycles(2600);
  const Joints held = bench.q();
  CHECK(ask(dashboard, "stop") == "Stopped");
  CHECK(ask(dashboard, "unlock protective stop") == "Protective stop releasing");
  CHECK(ask(dashboard, "play") == "Failed to execute: play");
  bench.cycles(500);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  bench.run(far_move);
  CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
}

TEST_CASE("in a protective stop the arm comes to rest in a tenth of a second, whatever moved it") {
  for (const char* text :
       {"movej([3,-1.57,1.57,-1.57,-1.57,0], a=14, v=3)\n", "speedj([2.5,0,0,0,0,0], 14, 5)\n",
        "def stream():\n  t = 0\n  while True:\n    t = t + 0.002\n    servoj([t,-1.57,1.57,-1.57,-1.57,0], t=0.002)\n"
        "  end\nend\n",
        "def slow():\n  speedj([2,0,0,0,0,0], 14, 0.3)\n  stopj(0.5)\nend\n"}) {
    CAPTURE(text);
    Bench bench;
    bench.controller.program(text);
    bench.cycles(250);
    REQUIRE(std::abs(bench.state().actual_qd[0]) > 0.5);
    bench.controller.protective_stop(stop_codes::collision, "test");
    bench.cycles(75);
    CHECK(std::abs(bench.state().actual_qd[0]) < 2e-2);
    const Joints held = bench.q();
    bench.cycles(2600);
    CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 2e-3);
    CHECK(!bench.controller.power.unlock_protective_stop());
    bench.cycles(500);
    CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 2e-3);
  }
}

TEST_CASE("R10 an emergency stop switches the arm off and its release does not switch it on") {
  Bench bench;
  bench.controller.program(far_move);
  bench.cycles(300);
  bench.controller.power.emergency_stop(true);
  bench.cycles(50);
  CHECK(bench.state().safety_mode == SafetyMode::robot_emergency_stop);
  CHECK(bench.state().robot_mode == RobotMode::power_off);
  Dashboard dashboard(bench.controller);
  CHECK(ask(dashboard, "power on").find("not possible") != std::string::npos);
  const Joints held = bench.q();
  bench.controller.power.emergency_stop(false);
  bench.cycles(200);
  CHECK(bench.state().safety_mode == SafetyMode::normal);
  CHECK(bench.state().robot_mode == RobotMode::power_off);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 2e-3);
}

TEST_CASE("R10 a safeguard holds the program and play goes on with it") {
  Bench bench;
  Dashboard dashboard(bench.controller);
  bench.controller.program(far_move);
  bench.cycles(300);
  bench.controller.power.safeguard(true);
  bench.cycles(150);
  const Joints held = bench.q();
  bench.cycles(300);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(bench.state().safety_mode == SafetyMode::safeguard_stop);
  bench.controller.power.safeguard(false);
  bench.cycles(300);
  CHECK(bench.state().runtime_state == ur::RuntimeState::paused);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(ask(dashboard, "play") == "Starting program");
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 10) > 0);
  CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
}

TEST_CASE("a violation needs a restart of the safety system") {
  Bench bench;
  Dashboard dashboard(bench.controller);
  bench.controller.power.violation();
  bench.cycles(3);
  CHECK(ask(dashboard, "safetystatus") == "Safetystatus: VIOLATION");
  CHECK(ask(dashboard, "brake release").find("not possible") != std::string::npos);
  CHECK(ask(dashboard, "restart safety") == "Restarting safety");
  CHECK(ask(dashboard, "brake release") == "Brake releasing");
  CHECK(bench.until([&] { return bench.state().robot_mode == RobotMode::running; }, 3) > 0);
}

TEST_CASE("driving the tool into the table is a protective stop") {
  Bench bench;
  bench.controller.program("movel(pose_add(get_actual_tcp_pose(), p[0,0,-0.25,0,0,0]), a=1, v=0.1)\n");
  CHECK(bench.until([&] { return bench.state().safety_mode == SafetyMode::protective_stop; }, 10) > 0);
  CAPTURE(bench.said());
  CHECK(bench.says("Protective stop: "));
  bench.cycles(300);
  CHECK(std::abs(bench.state().actual_tcp_speed[2]) < 1e-2);
  CHECK(bench.tool().z() > 0.1);
  // Unlocked, it can be driven up again.
  bench.cycles(2500);
  Dashboard dashboard(bench.controller);
  CHECK(ask(dashboard, "unlock protective stop") == "Protective stop releasing");
  bench.cycles(100);
  CHECK(bench.state().safety_mode == SafetyMode::normal);
  const double low = bench.tool().z();
  bench.run("movel(pose_add(get_actual_tcp_pose(), p[0,0,0.05,0,0,0]), a=0.5, v=0.1)\n");
  CHECK(bench.state().safety_mode == SafetyMode::normal);
  CHECK(bench.tool().z() == doctest::Approx(low + 0.05).epsilon(0.01));
}

TEST_CASE("an arm that is unlocked after a collision drives away, and is stopped again when it presses on") {
  for (const double v : {0.05, 0.25, 0.6}) {
    CAPTURE(v);
    Bench bench(soon_unlocked());
    Dashboard dashboard(bench.controller);
    const auto stopped = [&] { return bench.state().safety_mode == SafetyMode::protective_stop; };
    const auto stops = [&](double seconds) { return bench.until(stopped, seconds) >= 0; };
    bench.controller.program("movel(pose_add(get_actual_tcp_pose(), p[0,0,-0.25,0,0,0]), a=2, v=" + std::to_string(v) +
                             ")\n");
    REQUIRE(stops(10));
    bench.cycles(300);
    // The program goes on against the table.
    CHECK(ask(dashboard, "unlock protective stop") == "Protective stop releasing");
    bench.cycles(1);
    CHECK_FALSE(stopped());
    CHECK(ask(dashboard, "play") == "Starting program");
    CHECK(stops(3));
    bench.cycles(300);
    // Another one leaves it, from the cycle of the unlock on.
    CHECK(ask(dashboard, "unlock protective stop") == "Protective stop releasing");
    const double low = bench.tool().z();
    bench.run("movel(pose_add(get_target_tcp_pose(), p[0,0,0.05,0,0,0]), a=0.5, v=0.1)\n");
    CAPTURE(bench.said());
    CHECK_FALSE(stopped());
    CHECK(bench.tool().z() == doctest::Approx(low + 0.05).epsilon(0.02));
  }
}

TEST_CASE("an arm that is pushed too hard when it is unlocked has the time of a new touch to get free") {
  for (const bool goes_on : {false, true}) {
    CAPTURE(goes_on);
    Bench bench(soon_unlocked());
    Dashboard dashboard(bench.controller);
    const auto stopped = [&] { return bench.state().safety_mode == SafetyMode::protective_stop; };
    bench.controller.body.push({Eigen::Vector3d(0, 0, -50), Eigen::Vector3d::Zero()});
    REQUIRE(bench.until(stopped, 2) >= 0);
    bench.cycles(300);
    CHECK(ask(dashboard, "unlock protective stop") == "Protective stop releasing");
    bench.cycles(1);
    CHECK_FALSE(stopped());
    if (!goes_on) bench.controller.body.push({});
    bench.cycles(200);
    CAPTURE(bench.said());
    CHECK(stopped() == goes_on);
  }
}

TEST_CASE("a program that cannot be read is not played") {
  ControllerSetup setup = aside();
  setup.files["broken.urp"] = "def broken(:\n  sync()\nend\n";
  setup.files["good.urp"] = "def good():\n  while True:\n    sync()\n  end\nend\n";
  Bench bench(setup);
  Dashboard dashboard(bench.controller);
  CHECK(ask(dashboard, "load broken.urp") == "Loading program: broken.urp");
  CHECK(ask(dashboard, "play") == "Failed to execute: play");
  CHECK_FALSE(bench.controller.programs.running());
  CHECK(ask(dashboard, "load good.urp") == "Loading program: good.urp");
  CHECK(ask(dashboard, "play") == "Starting program");
}

TEST_CASE("programs are loaded by name and played and nothing else is touched") {
  ControllerSetup setup = aside();
  setup.files["nod.urp"] = "def nod():\n  write_output_integer_register(0, 5)\n  while True:\n    sync()\n  end\nend\n";
  Bench bench(setup);
  Dashboard dashboard(bench.controller);
  CHECK(ask(dashboard, "play") == "Failed to execute: play");
  CHECK(ask(dashboard, "get loaded program") == "No program loaded");
  CHECK(ask(dashboard, "load missing.urp") == "File not found: missing.urp");
  CHECK(ask(dashboard, "load ../../etc/passwd").find("File not found") == 0);
  CHECK(ask(dashboard, "load nod.urp; rm -rf").find("File not found") == 0);
  CHECK(ask(dashboard, "load nod.urp") == "Loading program: nod.urp");
  CHECK(ask(dashboard, "get loaded program") == "Loaded program: /programs/nod.urp");
  CHECK(ask(dashboard, "play") == "Starting program");
  bench.cycles(3);
  CHECK(bench.state().output_int_register[0] == 5);
  CHECK(ask(dashboard, "running") == "Program running: true");
  CHECK(ask(dashboard, "programState") == "PLAYING nod.urp");
  CHECK(ask(dashboard, "stop") == "Stopped");
  bench.cycles(1);
  CHECK(ask(dashboard, "running") == "Program running: false");
}
