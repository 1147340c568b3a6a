#include <cmath>

#include "tandem/machines/ur3e/virtual_dashboard.hpp"
#include "tests/machines/ur3e/virtual_bench.hpp"

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

TEST_CASE("R10 a protective stop ends program and motion and unlocks only after five seconds") {
  Bench bench;
  Dashboard dashboard(bench.controller);
  bench.controller.program(far_move);
  bench.cycles(400);
  bench.controller.protective_stop("test");
  bench.cycles(100);
  CHECK(bench.state().safety_mode == SafetyMode::protective_stop);
  CHECK((bench.state().safety_status_bits & ur::safety_status::protective_stopped) != 0);
  CHECK(!bench.controller.programs.running());
  const Joints held = bench.q();
  CHECK(ask(dashboard, "unlock protective stop").find("Cannot unlock") == 0);
  bench.controller.program(far_move);
  bench.cycles(2500);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(ask(dashboard, "unlock protective stop") == "Protective stop releasing");
  bench.cycles(500);
  CHECK(bench.state().safety_mode == SafetyMode::normal);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  bench.run(far_move);
  CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
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
