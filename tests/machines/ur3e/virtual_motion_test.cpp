#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/allocations.hpp"
#include "tests/machines/ur3e/virtual_bench.hpp"

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
