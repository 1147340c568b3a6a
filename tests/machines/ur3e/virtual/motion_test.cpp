// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/allocations.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

std::string list(const Joints& q) { return fmt::format("[{},{},{},{},{},{}]", q[0], q[1], q[2], q[3], q[4], q[5]); }

double distance(const Joints& a, const Joints& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("movej reaches its target in the time that the trapezoid takes") {
  Bench bench;
  const Joints start = bench.q();
  Joints target = start;
  target[0] += 1.0;
  target[2] -= 0.3;
  double fastest = 0;
  bench.each_cycle = [&] { fastest = std::max(fastest, bench.state().actual_qd[0]); };
  const double time = bench.run("movej(" + list(target) + ", a=2.0, v=0.8)\n");
  CHECK(time == doctest::Approx(1.0 / 0.8 + 0.8 / 2.0).epsilon(0.02));
  CHECK(fastest == doctest::Approx(0.8).epsilon(0.02));
  CHECK(distance(bench.q(), target) < 1e-3);
  bench.cycles(100);
  CHECK(distance(bench.q(), target) < 5e-4);
}

TEST_CASE("the time of a move overrides its speed") {
  Bench bench;
  Joints target = bench.q();
  target[5] += 0.5;
  CHECK(bench.run("movej(" + list(target) + ", t=1.5)\n") == doctest::Approx(1.5).epsilon(0.02));
  CHECK(bench.run("movel(pose_trans(get_actual_tcp_pose(), p[0,0,-0.05,0,0,0]), a=0, v=0, t=1.25)\n") ==
        doctest::Approx(1.25).epsilon(0.02));
}

TEST_CASE("movel keeps to the straight line and its speed") {
  Bench bench;
  const Eigen::Vector3d from = bench.tool();
  const Eigen::Vector3d way(0.10, -0.08, 0.05);
  double off = 0, fastest = 0;
  bench.each_cycle = [&] {
    const Eigen::Vector3d at = bench.tool() - from;
    off = std::max(off, (at - way * (at.dot(way) / way.squaredNorm())).norm());
    const auto& speed = bench.state().actual_tcp_speed;
    fastest = std::max(fastest, std::hypot(speed[0], speed[1], speed[2]));
  };
  const double time = bench.run("movel(pose_add(get_actual_tcp_pose(), p[0.10,-0.08,0.05,0,0,0]), a=1.0, v=0.1)\n");
  CHECK(time == doctest::Approx(way.norm() / 0.1 + 0.1).epsilon(0.03));
  CHECK(off < 5e-4);
  CHECK(fastest == doctest::Approx(0.1).epsilon(0.05));
  CHECK((bench.tool() - from - way).norm() < 5e-4);
}

TEST_CASE("movec goes round the circle through its points") {
  Bench bench;
  const Eigen::Vector3d from = bench.tool();
  // A half circle of 50 mm about a centre beside the start.
  const Eigen::Vector3d centre = from + Eigen::Vector3d(0, 0.05, 0);
  double worst = 0;
  bench.each_cycle = [&] { worst = std::max(worst, std::abs((bench.tool() - centre).norm() - 0.05)); };
  bench.run(
      "def arc():\n  p0 = get_actual_tcp_pose()\n"
      "  movec(pose_add(p0, p[0.05,0.05,0,0,0,0]), pose_add(p0, p[0,0.10,0,0,0,0]), a=0.5, v=0.1)\nend\n");
  CHECK(worst < 6e-4);
  CHECK((bench.tool() - from - Eigen::Vector3d(0, 0.10, 0)).norm() < 6e-4);
}

TEST_CASE("a blend passes the corner without stopping and within its radius") {
  Bench bench;
  const Eigen::Vector3d from = bench.tool();
  const Eigen::Vector3d corner = from + Eigen::Vector3d(0.1, 0, 0);
  double nearest = 1, slowest = 1;
  bench.each_cycle = [&] {
    const Eigen::Vector3d at = bench.tool();
    nearest = std::min(nearest, (at - corner).norm());
    const bool midway = at.x() - from.x() > 0.05 && (at - corner).norm() < 0.03;
    const auto& speed = bench.state().actual_tcp_speed;
    if (midway) slowest = std::min(slowest, std::hypot(speed[0], speed[1], speed[2]));
  };
  bench.run(
      "def corner():\n  p0 = get_actual_tcp_pose()\n"
      "  movel(pose_add(p0, p[0.1,0,0,0,0,0]), a=1.2, v=0.1, r=0.02)\n"
      "  movel(pose_add(p0, p[0.1,0.1,0,0,0,0]), a=1.2, v=0.1)\nend\n");
  CHECK(slowest > 0.05);
  CHECK(nearest > 5e-4);
  CHECK(nearest < 0.02);
  CHECK((bench.tool() - from - Eigen::Vector3d(0.1, 0.1, 0)).norm() < 6e-4);
}

TEST_CASE("the slider slows a move down and zero holds it") {
  Bench bench;
  Joints target = bench.q();
  target[0] += 0.8;
  bench.controller.program("movej(" + list(target) + ", a=2.0, v=0.5)\n");
  bench.cycles(250);
  bench.controller.variables.state.target_speed_fraction = 0;
  bench.cycles(150);
  const Joints held = bench.q();
  bench.cycles(500);
  CHECK(distance(bench.q(), held) < 1e-3);
  CHECK(bench.controller.programs.running());
  CHECK(bench.state().speed_scaling == 0);
  bench.controller.variables.state.target_speed_fraction = 0.5;
  double fastest = 0;
  bench.each_cycle = [&] { fastest = std::max(fastest, bench.state().actual_qd[0]); };
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 10) > 0);
  CHECK(fastest == doctest::Approx(0.25).epsilon(0.03));
  CHECK(distance(bench.q(), target) < 1e-3);
}

TEST_CASE("a new program slows the old motion down and starts its own") {
  Bench bench;
  const Joints start = bench.q();
  Joints target = start;
  target[0] += 1.5;
  bench.controller.program("def first():\n  movej(" + list(target) + ", a=2, v=1)\n  textmsg(\"first done\")\nend\n");
  bench.cycles(400);
  double jerkiest = 0, before = bench.state().target_qd[0];
  bench.each_cycle = [&] {
    jerkiest = std::max(jerkiest, std::abs(bench.state().target_qd[0] - before));
    before = bench.state().target_qd[0];
  };
  bench.run("def second():\n  movej(" + list(start) + ", a=2, v=1)\nend\n");
  CHECK(jerkiest < 0.03);  // 15 rad/s^2
  CHECK(!bench.says("first done"));
  CHECK(distance(bench.q(), start) < 1e-3);
}

TEST_CASE("speedj and speedl go on until stopj and stopl") {
  Bench bench;
  const Joints start = bench.q();
  bench.run("def fast():\n  speedj([0.4,0,0,0,0,0], 2.0, 1.0)\n  stopj(4.0)\nend\n");
  const double turned = bench.q()[0] - start[0];
  // Ramp of 0.2 s, 0.8 s at speed, 0.1 s to stop.
  CHECK(turned == doctest::Approx(0.4 * (0.1 + 0.8 + 0.05)).epsilon(0.05));
  const Eigen::Vector3d from = bench.tool();
  bench.run("def slide():\n  speedl([0,0,0.05,0,0,0], 0.5, 1.0)\n  stopl(0.5)\nend\n");
  const Eigen::Vector3d way = bench.tool() - from;
  CHECK(way.z() == doctest::Approx(0.05 * (0.05 + 0.9 + 0.05)).epsilon(0.06));
  CHECK(std::hypot(way.x(), way.y()) < 1e-3);
}

TEST_CASE("servoj follows its targets and the arm stands still when the loop ends") {
  Bench bench;
  const Joints start = bench.q();
  bench.run(
      "def follow():\n  q = get_actual_joint_positions()\n  q0 = q[0]\n  i = 0\n"
      "  while i < 500:\n    q[0] = q0 + 0.3 * sin(i * 0.00628)\n"
      "    servoj(q, t=0.002, lookahead_time=0.05, gain=1000)\n    i = i + 1\n  end\n"
      "  stopj(5)\nend\n");
  bench.cycles(200);
  CHECK(std::abs(bench.q()[0] - start[0]) < 0.05);
  CHECK(bench.state().actual_qd[0] == doctest::Approx(0).epsilon(1e-3));
}

TEST_CASE("freedrive lets a hand move the arm and its end holds it there") {
  Bench bench;
  const Eigen::Vector3d from = bench.tool();
  bench.controller.program(
      "def guide():\n  freedrive_mode()\n  sleep(1.0)\n  end_freedrive_mode()\n  sleep(0.5)\nend\n");
  bench.controller.body.push({Eigen::Vector3d(0, 20, 0), Eigen::Vector3d::Zero()});
  bench.cycles(400);
  bench.controller.body.push({});
  const double moved = (bench.tool() - from).norm();
  CHECK(moved > 0.01);
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 5) >= 0);
  const Joints held = bench.q();
  bench.cycles(300);
  CHECK(distance(bench.q(), held) < 2e-3);
}

TEST_CASE("force mode presses down on the table with the wanted force") {
  Bench bench;
  bench.run(
      "def press():\n  movel(pose_add(get_actual_tcp_pose(), p[0,0,-0.14,0,0,0]), v=0.2)\n  zero_ftsensor()\n"
      "  force_mode(p[0,0,0,0,0,0], [0,0,1,0,0,0], [0,0,-20,0,0,0], 2, [0.1,0.1,0.1,0.3,0.3,0.3])\n"
      "  sleep(3.0)\n  textmsg(\"pressed \", get_tcp_force())\n"
      "  global pressed = get_tcp_force()\n  write_output_float_register(0, pressed[2])\n  end_force_mode()\nend\n",
      30);
  CAPTURE(bench.said());
  CHECK(bench.state().safety_mode == ur::SafetyMode::normal);
  CHECK(bench.state().output_double_register[0] == doctest::Approx(20).epsilon(0.05));
}

TEST_CASE("a warm cycle allocates nothing whether the arm rests or moves") {
  Bench bench;
  bench.cycles(10);
  const auto counted = [&] {
    bench.cycles(10);
    const std::size_t before = allocations;
    bench.cycles(200);
    return allocations - before;
  };
  CHECK(counted() == 0);
  bench.controller.program("movej([0.6,-1.57,1.57,-1.57,-1.57,0], a=1, v=0.5)\n");
  CHECK(counted() == 0);
  bench.run("movej([0,-1.57,1.57,-1.57,-1.57,0], a=1, v=1)\n");
  bench.controller.program("movel(pose_add(get_actual_tcp_pose(), p[0.1,0,0.05,0,0,0]), a=1, v=0.05)\n");
  CHECK(counted() == 0);
}

TEST_CASE("speeds with a time cover the same way under every slider, in more time") {
  // A swing there and half way back as a stream of short commands: speed of a sine, 0.5 rad and 0.25 rad back.
  const auto swing = [](const char* call) {
    return std::string(
               "def swing():\n  i = 0\n  while i < 300:\n    v = 0.5 * sin(i * 3.14159265 / 150)\n"
               "    if v < 0:\n      v = v / 2\n    end\n    ") +
           call + "\n    i = i + 1\n  end\n  stopj(10)\nend\n";
  };
  const struct {
    const char* call;
    double step;  // s, of one call
  } streams[] = {{"speedj([v, 0, 0, 0, 0, 0], 20, 0.002)", 0.002}, {"speedj([v, 0, 0, 0, 0, 0], 20, 0.005)", 0.005}};
  for (const auto& stream : streams) {
    for (const double slider : {1.0, 0.5, 0.3}) {
      CAPTURE(stream.call);
      CAPTURE(slider);
      Bench bench;
      bench.controller.variables.state.target_speed_fraction = slider;
      bench.cycles(200);
      const double before = bench.q()[0];
      const double way = 150 * stream.step * 0.5 * (2 / std::numbers::pi) * 0.5;
      const double took = bench.run(swing(stream.call), 120);
      CHECK(bench.q()[0] - before == doctest::Approx(way).epsilon(0.02));
      CHECK(took == doctest::Approx(300 * stream.step / slider).epsilon(0.03));
    }
  }
}

TEST_CASE("speedl and servoj with a time last longer under a slider") {
  for (const double slider : {1.0, 0.4}) {
    CAPTURE(slider);
    Bench bench;
    bench.controller.variables.state.target_speed_fraction = slider;
    bench.cycles(200);
    const double before = bench.tool().z();
    CHECK(bench.run("def up():\n  speedl([0,0,0.05,0,0,0], 1, 1)\n  stopl(1)\nend\n") ==
          doctest::Approx(1 / slider).epsilon(0.1));
    CHECK(bench.tool().z() - before == doctest::Approx(0.05).epsilon(0.05));
    CHECK(bench.run("def hold():\n  servoj(get_actual_joint_positions(), t=0.5)\n  stopj(2)\nend\n") ==
          doctest::Approx(0.5 / slider).epsilon(0.05));
  }
}

TEST_CASE("a move with too short a time goes as fast as it can and says so") {
  const struct {
    const char* call;
    double at_least, at_most;  // s
  } moves[] = {{"movej([1.2,-1.57,1.57,-1.57,-1.57,0], t=0.05)", 0.3, 1.0},
               {"movel(pose_add(get_actual_tcp_pose(), p[0,0,0.1,0,0,0]), t=0.01)", 0.05, 0.8}};
  for (const auto& move : moves) {
    CAPTURE(move.call);
    Bench bench;
    const double took = bench.run(std::string("def fast():\n  ") + move.call + "\nend\n");
    CHECK(took >= move.at_least);
    CHECK(took <= move.at_most);
    CHECK(bench.says("is too short, the move takes"));
    CHECK(bench.state().safety_mode == ur::SafetyMode::normal);
  }
  Bench bench;
  bench.run("movej([1.2,-1.57,1.57,-1.57,-1.57,0], t=0.05)\n");
  CHECK(bench.q()[0] == doctest::Approx(1.2).epsilon(1e-3));
  // Near the limit a time is kept exactly, with shorter ramps than usual.
  Bench kept;
  const double took = kept.run("movej([3,-1.57,1.57,-1.57,-1.57,0], t=1.35)\n");
  CHECK(took == doctest::Approx(1.35).epsilon(0.01));
  CHECK(!kept.says("too short"));
  Bench enough;
  CHECK(enough.run("movej([0.5,-1.57,1.57,-1.57,-1.57,0], t=2)\n") == doctest::Approx(2).epsilon(0.01));
  CHECK(!enough.says("too short"));
}

TEST_CASE("servoc approaches a far target no faster than v and a allow, and rests there") {
  Bench bench;
  const Eigen::Vector3d from = bench.tool();
  const Eigen::Vector3d way(0.10, -0.10, 0.05);
  double fastest = 0, hardest = 0;
  Eigen::Vector3d before = Eigen::Vector3d::Zero();
  bench.each_cycle = [&] {
    const auto& target = bench.state().target_tcp_speed;
    const Eigen::Vector3d now(target[0], target[1], target[2]);
    hardest = std::max(hardest, (now - before).norm() / controller_step);
    fastest = std::max(fastest, now.norm());
    before = now;
  };
  const double time = bench.run(
      "def f():\n  goal = pose_add(get_target_tcp_pose(), p[0.10,-0.10,0.05,0,0,0])\n"
      "  while point_dist(goal, get_target_tcp_pose()) > 0.0002:\n    servoc(goal, a=0.4, v=0.06, r=0.01)\n  end\n"
      "  stopl(0.4)\nend\n");
  CHECK(fastest == doctest::Approx(0.06).epsilon(0.02));
  CHECK(hardest < 0.4 * 1.1);
  // The trapezoid takes way / v + v / a; the last bit is braked more gently.
  CHECK(time > way.norm() / 0.06 + 0.06 / 0.4 - 0.05);
  CHECK(time < way.norm() / 0.06 + 0.06 / 0.4 + 0.5);
  CHECK((bench.tool() - from - way).norm() < 1e-3);
  bench.run("x = servoc(get_target_joint_positions(), v=0.1)\n");  // joints give a pose, too
  CHECK_FALSE(bench.says("line 1"));
  bench.run("servoc(get_target_tcp_pose(), v=-1)\n");
  CHECK(bench.says("servoc: expected 0 to 10, got -1"));
}

TEST_CASE("servoc turns the tool as well, and arrives with both") {
  Bench bench;
  const Pose from = bench.controller.tool(bench.q());
  bench.run(
      "def f():\n  goal = pose_trans(get_target_tcp_pose(), p[0,0,-0.03,0,0,0.8])\n  i = 0\n"
      "  while i < 2500:\n    servoc(goal, a=0.5, v=0.1)\n    i = i + 1\n  end\nend\n");
  const Pose moved = from.inverse() * bench.controller.tool(bench.q());
  CHECK((moved.translation() - Eigen::Vector3d(0, 0, -0.03)).norm() < 5e-4);
  CHECK(Eigen::AngleAxisd(moved.linear()).angle() == doctest::Approx(0.8).epsilon(2e-3));
}

TEST_CASE("the angular acceleration of speedl and stopl is a, unless aRot says otherwise") {
  const auto turning = [](const char* call) {
    Bench bench;
    double fastest = 0;
    bench.each_cycle = [&] { fastest = std::max(fastest, std::abs(bench.state().target_tcp_speed[5])); };
    bench.run(std::string("def f():\n  ") + call + "\n  stopl(10)\nend\n");
    return fastest;
  };
  CHECK(turning("speedl([0,0,0,0,0,0.5], 1.0, 0.2)") == doctest::Approx(0.2).epsilon(0.02));
  CHECK(turning("speedl([0,0,0,0,0,0.5], 1.0, 0.2, aRot='a')") == doctest::Approx(0.2).epsilon(0.02));
  CHECK(turning("speedl([0,0,0,0,0,0.5], 1.0, 0.2, aRot=2)") == doctest::Approx(0.4).epsilon(0.02));
  const auto stopping = [](const char* call) {
    Bench bench;
    bench.controller.program(
        std::string("def f():\n  speedl([0,0,0,0,0,0.5], 5, 0.3)\n  write_output_integer_register(0, 1)\n  ") + call +
        "\nend\n");
    REQUIRE(bench.until([&] { return bench.state().output_int_register[0] == 1; }, 1) >= 0);
    return bench.until([&] { return !bench.controller.programs.running(); }, 5) * controller_step;
  };
  CHECK(stopping("stopl(0.5)") == doctest::Approx(1.0).epsilon(0.02));
  CHECK(stopping("stopl(0.5, 2.5)") == doctest::Approx(0.2).epsilon(0.05));
}
