// SPDX-License-Identifier: Apache-2.0
// What a pause, a stop or an unlock does to an arm that is offset, pushed by torque, guided or compliant. The truth is
// where the physics has the tool.
#include <cmath>

#include "tandem/machines/ur3e/virtual/ports/dashboard.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

constexpr const char* pause_program = "pause program\n";
constexpr const char* resume_program = "resume program\n";
constexpr const char* unlock_stop = "set unlock protective stop\n";

// The largest distance of the tool from a point, from now on.
struct Watch {
  Watch(Bench& bench, const Eigen::Vector3d& point) : bench_(bench), point_(point) {
    bench.each_cycle = [this] { off = std::max(off, (bench_.tool() - point_).norm()); };
  }
  ~Watch() { bench_.each_cycle = nullptr; }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  double off = 0;  // m

 private:
  Bench& bench_;
  Eigen::Vector3d point_;
};

double speed(const Bench& bench) { return bench.controller.body.measured().velocity.cwiseAbs().maxCoeff(); }

// Holds the arm, and lets it go on.
void interrupt(Bench& bench, const std::string& way) {
  Controller& controller = bench.controller;
  if (way == "pause") controller.program(pause_program);
  if (way == "safeguard") controller.power.safeguard(true);
  if (way == "slider") controller.program("set speed 0\n");
  if (way == "protective stop" || way == "collision") controller.protective_stop(stop_codes::collision, "test");
  if (way == "collision") {  // as seen by the watch over the body
    controller.motion.freeze_at(bench.q());
    controller.path_offset.rest();
  }
  bench.cycles(200);
  if (way == "safeguard") controller.power.safeguard(false);
  if (way == "slider") controller.program("set speed 1\n");
  if (way == "protective stop" || way == "collision") controller.program(unlock_stop);
  bench.cycles(5);
  controller.program(resume_program);
  bench.cycles(300);
}

}  // namespace

TEST_CASE("a path offset is applied once, whatever holds the program in between") {
  for (const char* way : {"pause", "protective stop", "collision", "safeguard", "slider"}) {
    CAPTURE(way);
    Bench bench(soon_unlocked());
    const Eigen::Vector3d offset(0, 0, 0.01);
    const Eigen::Vector3d wanted = bench.tool() + offset;
    bench.controller.program(
        "def f():\n  path_offset_enable()\n  path_offset_set([0,0,0.01,0,0,0], 1)\n  sleep(0.6)\n"
        "  write_output_integer_register(0, 1)\n  sleep(30)\nend\n");
    REQUIRE(bench.until([&] { return bench.state().output_int_register[0] == 1; }, 2) >= 0);
    CHECK((bench.tool() - wanted).norm() < 5e-4);
    Watch watch(bench, wanted);
    for (int i = 0; i < 3; ++i) interrupt(bench, way);
    CAPTURE(bench.said());
    CHECK(watch.off < 5e-4);
    CHECK(bench.controller.power.may_move());
  }
}

TEST_CASE("a path offset is applied once when the program stops its motion") {
  for (const char* stop : {"stopj(2)", "stopl(1)", "speedj([0,0,0,0,0,0], 2, 0.1)"}) {
    CAPTURE(stop);
    Bench bench;
    const Eigen::Vector3d wanted = bench.tool() + Eigen::Vector3d(0, 0, 0.01);
    bench.controller.program(
        "def f():\n  path_offset_enable()\n  path_offset_set([0,0,0.01,0,0,0], 1)\n  sleep(0.6)\n"
        "  write_output_integer_register(0, 1)\n  i = 0\n  while i < 4:\n    " +
        std::string(stop) + "\n    sleep(0.3)\n    i = i + 1\n  end\n  sleep(0.5)\nend\n");
    REQUIRE(bench.until([&] { return bench.state().output_int_register[0] == 1; }, 2) >= 0);
    Watch watch(bench, wanted);
    REQUIRE(bench.until([&] { return !bench.controller.programs.running(); }, 10) >= 0);
    bench.cycles(200);  // and its end leaves the arm where it is
    CAPTURE(bench.said());
    CHECK(watch.off < 5e-4);
  }
}

TEST_CASE("a move that was paused ends where its target and the path offset say") {
  for (const char* way : {"pause", "protective stop", "collision"}) {
    CAPTURE(way);
    Bench bench(soon_unlocked());
    const Eigen::Vector3d wanted = bench.tool() + Eigen::Vector3d(0, 0.08, 0.01);
    bench.controller.program(
        "def f():\n  p0 = get_target_tcp_pose()\n  path_offset_enable()\n  path_offset_set([0,0,0.01,0,0,0], 1)\n"
        "  movel(pose_add(p0, p[0,0.08,0,0,0,0]), a=0.5, v=0.05)\n  write_output_integer_register(0, 1)\n"
        "  sleep(2)\nend\n");
    bench.cycles(350);
    for (int i = 0; i < 2; ++i) interrupt(bench, way);
    REQUIRE(bench.until([&] { return bench.state().output_int_register[0] == 1; }, 5) >= 0);
    bench.cycles(100);
    CHECK((bench.tool() - wanted).norm() < 5e-4);
  }
}

TEST_CASE("after freedrive the arm stays where the hand has left it, offset or not") {
  Bench bench;
  bench.controller.program(
      "def f():\n  path_offset_enable()\n  path_offset_set([0,0,0.02,0,0,0], 1)\n  sleep(0.6)\n  freedrive_mode()\n"
      "  sleep(0.3)\n  end_freedrive_mode()\n  sleep(2)\nend\n");
  bench.cycles(400);
  REQUIRE(bench.controller.motion.drive() == Drive::freedrive);
  REQUIRE(bench.until([&] { return bench.controller.motion.drive() == Drive::servo; }, 1) >= 0);
  Watch watch(bench, bench.tool());
  bench.cycles(500);
  CHECK(watch.off < 1e-3);
}

TEST_CASE("the end of a path offset that is still moving is smooth") {
  Bench bench;
  bench.controller.program(
      "def f():\n  path_offset_enable()\n  path_offset_set([0,0,0.08,0,0,0], 1)\n  sleep(0.15)\n"
      "  path_offset_disable(5)\n  sleep(1)\nend\n");
  double jerkiest = 0;
  Joints before = Joints::Zero();
  bench.each_cycle = [&] {
    const Joints& now = bench.controller.motion.velocity();
    jerkiest = std::max(jerkiest, (now - before).cwiseAbs().maxCoeff());
    before = now;
  };
  bench.cycles(500);
  CHECK(jerkiest < 0.03);  // 15 rad/s^2
  CHECK(speed(bench) < 1e-3);
}

TEST_CASE("a torque ends when its program is held, and the arm stays") {
  const std::string loop = "  while True:\n    direct_torque([4,0,0,0,0,0])\n  end\n";
  for (const char* way : {"pause program", "dashboard", "statement", "watchdog", "protective stop", "stop"}) {
    CAPTURE(way);
    const std::string how = way;
    Bench bench(soon_unlocked());
    Dashboard dashboard(bench.controller);
    std::string text = "def f():\n";
    if (how == "statement")
      text +=
          "  thread t():\n    while read_input_integer_register(24) == 0:\n      sync()\n    end\n    pause\n  end\n"
          "  run t()\n";
    if (how == "watchdog") text += "  rtde_set_watchdog(\"input_int_register_25\", 5)\n";
    bench.controller.program(text + loop + "end\n");
    bench.cycles(how == "watchdog" ? 95 : 90);
    REQUIRE(speed(bench) > 0.05);
    CHECK(bench.controller.motion.drive() == Drive::torque);
    if (how == "pause program") bench.controller.program(pause_program);
    if (how == "dashboard") CHECK_FALSE(dashboard.perform(ur::dashboard::parse("pause")));
    if (how == "statement") bench.controller.variables.inputs.input_int_register[24] = 1;
    if (how == "protective stop") bench.controller.protective_stop(stop_codes::collision, "test");
    if (how == "stop") bench.controller.program("stop program\n");
    const double at = bench.q()[0], fast = speed(bench);
    bench.cycles(200);
    CAPTURE(bench.said());
    CHECK(bench.controller.programs.paused() == (how != "stop"));
    CHECK(bench.controller.motion.drive() == Drive::servo);
    CHECK(speed(bench) < 1e-3);
    CHECK(std::abs(bench.q()[0] - at) < fast * fast / 16 + fast * 0.03 + 0.01);  // 8 rad/s^2
    Watch watch(bench, bench.tool());
    bench.cycles(500);
    CHECK(watch.off < 1e-3);
  }
}

TEST_CASE("a torque lasts for the cycle that it was given in") {
  Bench bench;
  bench.controller.program(
      "def f():\n  i = 0\n  while i < 80:\n    direct_torque([4,0,0,0,0,0])\n    i = i + 1\n  end\n  sleep(5)\nend\n");
  int cycles = 0;
  bench.each_cycle = [&] { cycles += bench.controller.motion.drive() == Drive::torque ? 1 : 0; };
  bench.cycles(300);
  CHECK(cycles == 80);  // without a gap
  CHECK(speed(bench) < 1e-3);
  Watch watch(bench, bench.tool());
  bench.cycles(500);
  CHECK(watch.off < 1e-3);
}

TEST_CASE("while its program is paused a guided arm holds, and goes on holding") {
  Bench bench;
  bench.controller.program("def f():\n  freedrive_mode()\n  sleep(30)\nend\n");
  bench.cycles(100);
  REQUIRE(bench.controller.motion.drive() == Drive::freedrive);
  bench.controller.program(pause_program);
  bench.cycles(100);
  CHECK(bench.controller.motion.drive() == Drive::servo);
  bench.controller.body.push({Eigen::Vector3d(0, 20, 0), Eigen::Vector3d::Zero()});
  Watch watch(bench, bench.tool());
  bench.cycles(400);
  bench.controller.program(resume_program);
  bench.cycles(400);
  CHECK(watch.off < 2e-3);
}

TEST_CASE("while its program is paused a compliant arm holds, then gives way again") {
  for (const char* move : {"sleep(30)", "movel(pose_add(p0, p[0,0,0.1,0,0,0]), a=0.5, v=0.02)"}) {
    for (const char* way : {"pause", "protective stop"}) {
      CAPTURE(move);
      CAPTURE(way);
      Bench bench(soon_unlocked());
      const double from = bench.tool().y();
      bench.controller.program(
          std::string(
              "def f():\n  p0 = get_target_tcp_pose()\n"
              "  force_mode(p[0,0,0,0,0,0], [0,1,0,0,0,0], [0,40,0,0,0,0], 2, [0.1,0.02,0.1,0.3,0.3,0.3])\n  ") +
          move + "\nend\n");
      bench.cycles(500);
      const double pushed = bench.tool().y();
      REQUIRE(pushed - from > 0.01);
      if (std::string(way) == "pause") {
        bench.controller.program(pause_program);
      } else {
        bench.controller.protective_stop(stop_codes::collision, "test");
      }
      bench.cycles(150);
      CHECK(std::abs(bench.tool().y() - pushed) < 1e-3);
      {
        Watch watch(bench, bench.tool());
        bench.cycles(400);
        CHECK(watch.off < 5e-4);
      }
      bench.controller.program(unlock_stop);
      bench.cycles(5);
      bench.controller.program(resume_program);
      bench.cycles(200);
      CHECK(bench.tool().y() - pushed > 0.003);
    }
  }
}
