// SPDX-License-Identifier: Apache-2.0
// The controller's own words on the script ports, what it says there, and remote and local control.
#include <algorithm>
#include <cstring>

#include "tandem/machines/ur3e/virtual/ports/dashboard.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using ur::RobotMode;
using ur::RuntimeState;
using ur::SafetyMode;

namespace {

constexpr const char* endless = "def loop():\n  while True:\n    sync()\n  end\nend\n";
constexpr const char* far_away = "movej([1.5,-1.57,1.57,-1.57,-1.57,0], a=2, v=1)\n";

Bench switched_off() {
  ControllerSetup setup = aside();
  setup.running = false;
  return Bench(setup);
}

// All messages of one kind so far.
template <typename Message>
std::vector<Message> heard(const Bench& bench) {
  std::vector<Message> all;
  for (const auto& message : bench.controller.messages)
    if (const auto* found = std::get_if<Message>(&message)) all.push_back(*found);
  return all;
}

std::vector<std::int32_t> error_codes(const Bench& bench) {
  std::vector<std::int32_t> codes;
  for (const auto& error : heard<ur::primary::ErrorCode>(bench)) codes.push_back(error.code);
  return codes;
}

bool reaches(Bench& bench, RobotMode mode) {
  return bench.until([&] { return bench.state().robot_mode == mode; }, 5) >= 0;
}

}  // namespace

TEST_CASE("lines of the controller are distinguished from URScript") {
  CHECK(controller_word("power on\n")->word == Word::power_on);
  CHECK(controller_word("  power   off \r\n")->word == Word::power_off);
  CHECK(controller_word("set robotmode run\n")->word == Word::run);
  CHECK(controller_word("set robotmode freedrive")->word == Word::freedrive);
  CHECK(controller_word("set unlock protective stop\n")->word == Word::unlock);
  CHECK(controller_word("stop program")->word == Word::stop);
  CHECK(controller_word("pause program")->word == Word::pause);
  CHECK(controller_word("resume program")->word == Word::resume);
  CHECK(controller_word("set speed 0.25")->number == doctest::Approx(0.25));
  for (const char* other : {"", "power", "power on off", "poweron", "POWER ON", "set speed", "set speed 2",
                            "set speed nan", "set speed 0.5x", "set speed -0.1", "stop program()", "def power on"})
    CHECK_MESSAGE(!controller_word(other), other);
  CHECK(!controller_word(std::string_view("power\0on", 8)));
  CHECK(!controller_word(std::string_view("power on\0", 9)));
  CHECK(!controller_word(std::string(1 << 20, 'a')));
}

TEST_CASE("power on, set robotmode run and power off lead through the modes as the dashboard does") {
  Bench bench = switched_off();
  bench.controller.program("power on\n");
  CHECK(reaches(bench, RobotMode::idle));
  bench.cycles(500);
  CHECK(bench.state().robot_mode == RobotMode::idle);
  bench.controller.program("set robotmode run\n");
  CHECK(reaches(bench, RobotMode::running));
  bench.controller.program("power off\n");
  CHECK(reaches(bench, RobotMode::power_off));
  // From off to running with one word.
  bench.controller.program("set robotmode run\n");
  CHECK(reaches(bench, RobotMode::running));
  CHECK(heard<ur::primary::RuntimeException>(bench).empty());
  bench.run(far_away);
  CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
}

TEST_CASE("set unlock protective stop does not wait five seconds as the dashboard does, and moves nothing") {
  Bench bench;
  Dashboard dashboard(bench.controller);
  bench.controller.program(far_away);
  bench.cycles(400);
  bench.controller.protective_stop(stop_codes::collision, "test");
  bench.cycles(100);
  REQUIRE(dashboard.perform(ur::dashboard::parse("unlock protective stop")));
  CHECK(bench.state().safety_mode == SafetyMode::protective_stop);
  const Joints held = bench.q();
  bench.controller.program("set unlock protective stop\n");
  bench.cycles(500);
  CHECK(bench.state().safety_mode == SafetyMode::normal);
  CHECK(bench.state().runtime_state == RuntimeState::paused);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  bench.controller.program("resume program\n");
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 10) > 0);
  CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
}

TEST_CASE("programs are paused, resumed and stopped, and the slider moved, by words") {
  Bench bench;
  bench.controller.program(far_away);
  bench.cycles(300);
  bench.controller.program("pause program\n");
  bench.cycles(200);
  CHECK(bench.state().runtime_state == RuntimeState::paused);
  const Joints held = bench.q();
  bench.cycles(200);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
  bench.controller.program("resume program\n");
  bench.controller.program("set speed 0.5\n");
  bench.cycles(150);
  CHECK(bench.state().speed_scaling == doctest::Approx(0.5));
  CHECK(bench.state().target_speed_fraction == doctest::Approx(0.5));
  bench.controller.program("stop program\n");
  bench.cycles(2);
  CHECK(bench.state().runtime_state == RuntimeState::stopped);
  // With no program there is nothing to stop, and that is fine.
  bench.controller.program("stop program\n");
  CHECK(heard<ur::primary::RuntimeException>(bench).empty());
}

TEST_CASE("set robotmode freedrive lets a hand guide the arm until set robotmode run, a program or a stop") {
  for (const char* ending : {"set robotmode run\n", endless, "protective"}) {
    CAPTURE(ending);
    Bench bench;
    bench.controller.program("set robotmode freedrive\n");
    bench.cycles(100);
    CHECK((bench.state().robot_status_bits & ur::robot_status::teach_button) != 0);
    if (std::strcmp(ending, "protective") == 0)
      bench.controller.protective_stop(stop_codes::collision, "test");
    else
      bench.controller.program(ending);
    bench.cycles(100);
    CHECK((bench.state().robot_status_bits & ur::robot_status::teach_button) == 0);
    const Joints held = bench.q();
    bench.controller.body.push({Eigen::Vector3d(0, 30, 0), Eigen::Vector3d::Zero()});
    bench.cycles(500);
    CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 2e-2);
  }
}

TEST_CASE("the primary port says when a program starts, pauses and stops, by its name") {
  Bench bench;
  bench.run("def silly():\nend\n");
  CHECK(bench.said() == "PROGRAM_XXX_STARTED silly\nPROGRAM_XXX_STOPPED silly\n");
  bench.controller.messages.clear();
  bench.controller.program(endless);
  bench.cycles(3);
  bench.controller.programs.pause();
  bench.controller.programs.pause();
  bench.controller.program("def next():\n  textmsg(\"here\")\n  nothing = 1/0\nend\n");
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 1) >= 0);
  const std::string said = bench.said();
  CAPTURE(said);
  CHECK(
      said.starts_with("PROGRAM_XXX_STARTED loop\nPROGRAM_XXX_PAUSED loop\nPROGRAM_XXX_STOPPED loop\n"
                       "PROGRAM_XXX_STARTED next\nhere\n"));
  CHECK(said.ends_with("PROGRAM_XXX_STOPPED next\n"));
  bench.controller.messages.clear();
  bench.controller.program("sec aside():\nend\n");
  bench.controller.program("def broken(:\nend\n");
  bench.cycles(3);
  CHECK(heard<ur::primary::KeyMessage>(bench).empty());
}

TEST_CASE("a key message has the bytes of a real one") {
  // From a capture of a controller's port 30001 while it ran `def silly():` `end`: behind timestamp and source.
  const std::string body = std::string("\x07", 1) + std::string(8, '\0') + "\x13PROGRAM_XXX_STARTEDsilly";
  std::vector<std::uint8_t> packet;
  ur::primary::encode(ur::primary::RobotMessage{1, -2, ur::primary::KeyMessage{0, 0, "PROGRAM_XXX_STARTED", "silly"}},
                      packet);
  REQUIRE(packet.size() == 0x30);
  CHECK(std::memcmp(packet.data() + packet.size() - body.size(), body.data(), body.size()) == 0);
}

TEST_CASE("protective_stop() is C209, pauses its program there, and the safety mode is sent at each change") {
  Bench bench;
  bench.controller.program("def asks():\n  protective_stop()\n  textmsg(\"after\")\nend\n");
  bench.cycles(20);
  CHECK(error_codes(bench) == std::vector<std::int32_t>{209});
  CHECK(bench.state().runtime_state == RuntimeState::paused);
  CHECK(!bench.says("after"));
  auto modes = heard<ur::primary::SafetyModeChange>(bench);
  REQUIRE(modes.size() == 1);
  CHECK(modes[0].safety_mode == 3);
  bench.cycles(2500);
  bench.controller.program("set unlock protective stop\n");
  bench.controller.program("resume program\n");
  bench.cycles(5);
  CHECK(bench.says("after\nPROGRAM_XXX_STOPPED asks"));
  modes = heard<ur::primary::SafetyModeChange>(bench);
  REQUIRE(modes.size() == 2);
  CHECK(modes[1].safety_mode == 1);
}

TEST_CASE("a secondary program may stop the arm and show a pop-up that does not block") {
  Bench bench;
  bench.controller.program(endless);
  bench.cycles(3);
  bench.controller.program("sec show():\n popup(\"hello\")\nend\n");
  bench.controller.program("sec setup():\n protective_stop()\nend\n");
  bench.cycles(20);
  CHECK(bench.says("popup: hello"));
  CHECK(error_codes(bench) == std::vector<std::int32_t>{209});
  CHECK(bench.state().runtime_state == RuntimeState::paused);
  CHECK(heard<ur::primary::RuntimeException>(bench).empty());
  bench.controller.program("sec blocks():\n popup(\"hello\", blocking=True)\nend\n");
  bench.cycles(3);
  CHECK(bench.says("popup: one that blocks takes time, which a secondary program has not"));
  CHECK_FALSE(bench.controller.popup_open);
}

TEST_CASE("a path of the tool that leaves the reach of the arm is a protective stop before the arm moves") {
  for (const char* text : {"movel(p[2,0,0,0,0,0])\n", "movep(p[0,0,0,0,0,0])\n", "optimovel(p[0.3,0.3,0.9,0,0,0])\n",
                           "movec(p[0.4,0,0.9,0,0,0], p[0,0,0.9,0,0,0])\n", "movel(p[0.4,0.2,0.9,0,3.1,0], t=3)\n"}) {
    CAPTURE(text);
    Bench bench;
    const Joints start = bench.q();
    bench.controller.program(text);
    bench.cycles(100);
    CAPTURE(bench.said());
    CHECK(error_codes(bench) == std::vector<std::int32_t>{154});
    CHECK(bench.state().runtime_state == RuntimeState::paused);
    CHECK(heard<ur::primary::RuntimeException>(bench).empty());
    // The program tries again when it goes on, and can be stopped.
    bench.controller.program("set unlock protective stop\n");
    bench.controller.program("resume program\n");
    bench.cycles(100);
    CHECK(error_codes(bench) == std::vector<std::int32_t>{154, 154});
    bench.controller.program("set unlock protective stop\n");
    bench.controller.program("stop program\n");
    bench.cycles(10);
    CHECK(bench.state().runtime_state == RuntimeState::stopped);
    CHECK((bench.q() - start).cwiseAbs().maxCoeff() < 1e-3);
    bench.run(far_away);
    CHECK(bench.q()[0] == doctest::Approx(1.5).epsilon(1e-3));
  }
}

TEST_CASE("a collision and a joint limit have their own codes") {
  Bench table;
  table.controller.program("movel(pose_add(get_actual_tcp_pose(), p[0,0,-0.25,0,0,0]), a=1, v=0.1)\n");
  REQUIRE(table.until([&] { return table.state().safety_mode == SafetyMode::protective_stop; }, 10) > 0);
  REQUIRE(error_codes(table).size() == 1);
  CHECK((error_codes(table)[0] == stop_codes::joint_collision || error_codes(table)[0] == stop_codes::collision));
  CHECK(table.state().runtime_state == RuntimeState::paused);
  Bench limit;
  limit.controller.program("speedj([0,0,0,0,0,3], 20, 10)\n");
  REQUIRE(limit.until([&] { return limit.state().safety_mode == SafetyMode::protective_stop; }, 10) > 0);
  CHECK(error_codes(limit) == std::vector<std::int32_t>{stop_codes::joint_limit});
}

TEST_CASE("nothing moves in a protective stop, not even a secondary program") {
  Bench bench;
  bench.controller.protective_stop(stop_codes::collision, "test");
  bench.cycles(10);
  const Joints held = bench.q();
  bench.controller.program("sec sneak():\n  speedj([1,0,0,0,0,0], 5, 0.2)\nend\n");
  bench.controller.program("sec sneak():\n  freedrive_mode()\nend\n");
  bench.controller.body.push({Eigen::Vector3d(0, 30, 0), Eigen::Vector3d::Zero()});
  bench.cycles(500);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 2e-2);
  CHECK(bench.state().safety_mode == SafetyMode::protective_stop);
}

TEST_CASE("in local control script and words are ignored with C210 and the dashboard only answers questions") {
  Bench bench;
  Dashboard dashboard(bench.controller);
  bench.controller.remote_control = false;
  bench.controller.program(far_away);
  bench.controller.program("power off\n");
  bench.cycles(50);
  CHECK(bench.state().robot_mode == RobotMode::running);
  CHECK(!bench.controller.programs.running());
  CHECK(error_codes(bench) == std::vector<std::int32_t>{210, 210});
  for (const char* line : {"load empty.urp", "play", "stop", "pause", "power on", "power off", "brake release",
                           "unlock protective stop", "restart safety", "shutdown"}) {
    const auto refused = dashboard.perform(ur::dashboard::parse(line));
    REQUIRE_MESSAGE(refused, line);
    CHECK(refused->starts_with("Command is not allowed due to safety reasons"));
  }
  CHECK(!dashboard.perform(ur::dashboard::parse("popup hello")));
  CHECK(!dashboard.view().remote_control);
}
