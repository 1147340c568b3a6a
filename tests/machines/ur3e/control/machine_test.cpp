// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "tests/machines/ur3e/control/machine_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using ros2::eventually;

namespace {

namespace trajectory = kinematics::trajectory;

Six turned(Six q, std::size_t joint, double by) {
  q[joint] += by;
  return q;
}

// How an wanted ended, for the test's thread.
struct Ended {
  std::atomic<bool> over{false};
  Finish how = Finish::reached;
  std::string why;
};

std::shared_ptr<TrajectoryRequest> to(const Six& goal, double duration, Ended* ended) {
  auto wanted = std::make_shared<TrajectoryRequest>();
  wanted->points.push_back({duration, Joint6D::from_radians(goal).vector(), {}, {}});
  if (ended == nullptr) return wanted;
  wanted->finished = [ended](Finish how, const std::string& why) {
    ended->how = how;
    ended->why = why;
    ended->over = true;
  };
  return wanted;
}

double farthest(const Six& a, const Six& b) {
  double most = 0;
  for (std::size_t i = 0; i < 6; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// Armed and half-way along a long swing of the base.
struct Swing {
  Swing() {
    REQUIRE(rig.ready());
    goal = turned(rig.q(), 0, 1.2);
    rig.machine->commands().trajectory.post(to(goal, 6, &ended));
    REQUIRE(eventually([this] { return rig.state().activity == Activity::trajectory && rig.fastest() > 0.1; }));
  }
  bool stopped() {
    return eventually([this] { return ended.over && !rig.armed(); });
  }
  MachineRig rig;
  Six goal{};
  Ended ended;
};

}  // namespace

TEST_CASE("a follower keeps the times of its path and holds when the speed is zero") {
  Ended ended;
  auto made = Follower::begin(to({1, 0, 0, 0, 0, 0}, 2, &ended), {});
  REQUIRE(made.ok());
  Follower& follower = *made;
  const auto perfect = [&] { return Six{follower.reference().q[0], 0, 0, 0, 0, 0}; };
  for (int i = 0; i < 125; ++i) CHECK(follower.step(0.008, 1, perfect(), {}) == Follower::Verdict::going);
  CHECK(follower.time() == doctest::Approx(1.0));
  CHECK(follower.reference().q[0] == doctest::Approx(0.5).epsilon(1e-6));
  for (int i = 0; i < 500; ++i) CHECK(follower.step(0.008, 0, perfect(), {}) == Follower::Verdict::going);
  CHECK(follower.time() == doctest::Approx(1.0));
  for (int i = 0; i < 124; ++i) CHECK(follower.step(0.016, 0.5, perfect(), {}) == Follower::Verdict::going);
  follower.step(0.016, 1, perfect(), {});
  CHECK(follower.step(0.008, 1, perfect(), {}) == Follower::Verdict::reached);
}

TEST_CASE("a follower names the joint that strays or misses its goal") {
  auto strict = to({1, 0, 0, 0, 0, 0}, 2, nullptr);
  strict->path[3].position = 0.01;
  auto follower = Follower::begin(strict, {});
  REQUIRE(follower.ok());
  CHECK(follower->step(0.008, 1, {0, 0, 0, 0.02, 0, 0}, {}) == Follower::Verdict::strayed);
  CHECK(follower->why().find("wrist_1_joint deviates 0.02 rad from its path") != std::string::npos);

  auto late = to({1, 0, 0, 0, 0, 0}, 2, nullptr);
  late->goal[0].position = 0.01;
  late->path[0].position = -1;
  late->overtime = 0.5;
  follower = Follower::begin(late, {});
  Follower::Verdict verdict = Follower::Verdict::going;
  int steps = 0;
  for (; verdict == Follower::Verdict::going && steps < 1000; ++steps)
    verdict = follower->step(0.01, 1, {0.9, 0, 0, 0, 0, 0}, {});
  CHECK(verdict == Follower::Verdict::missed);
  CHECK(steps * 0.01 == doctest::Approx(2.5).epsilon(0.01));
  CHECK(follower->why().find("shoulder_pan_joint is 0.1 rad from its goal") != std::string::npos);
}

TEST_CASE("a follower judges the tolerances of its goal to the letter") {
  // At rest a tenth of a milliradian from the goal: good by default, not when the goal says so.
  const Six near = {1 - 1e-4, 0, 0, 0, 0, 0};
  for (const double tolerance : {0.1, 1e-9, -1.0}) {
    CAPTURE(tolerance);
    auto wanted = to({1, 0, 0, 0, 0, 0}, 2, nullptr);
    wanted->goal[0].position = tolerance;
    wanted->path[0].position = -1;
    wanted->overtime = 0.5;
    auto follower = Follower::begin(wanted, {});
    REQUIRE(follower.ok());
    Follower::Verdict verdict = Follower::Verdict::going;
    int steps = 0;
    for (; verdict == Follower::Verdict::going && steps < 1000; ++steps) verdict = follower->step(0.01, 1, near, {});
    CHECK(verdict == (tolerance == 1e-9 ? Follower::Verdict::missed : Follower::Verdict::reached));
    CHECK(steps * 0.01 == doctest::Approx(tolerance == 1e-9 ? 2.5 : 2.0).epsilon(0.01));
  }

  // A joint that follows 20 ms late is on its path by default, and off one that allows a milliradian.
  for (const bool given : {false, true}) {
    CAPTURE(given);
    auto wanted = to({1, 0, 0, 0, 0, 0}, 2, nullptr);
    wanted->path[0] = {.position = 1e-3, .given = given};
    auto follower = Follower::begin(wanted, {});
    REQUIRE(follower.ok());
    std::array<double, 3> before{};
    Follower::Verdict verdict = Follower::Verdict::going;
    for (int i = 0; i < 150 && verdict == Follower::Verdict::going; ++i) {
      verdict = follower->step(0.01, 1, {before[static_cast<std::size_t>(i % 2)], 0, 0, 0, 0, 0}, {});
      before[static_cast<std::size_t>(i % 2)] = follower->reference().q[0];
    }
    CHECK(verdict == (given ? Follower::Verdict::strayed : Follower::Verdict::going));
  }
}

TEST_CASE("a trajectory whose start lies ahead waits for it and can be given up before") {
  MachineRig rig;
  REQUIRE(rig.ready());
  const Six from = rig.q(), goal = turned(from, 0, 0.2);
  Ended ended;
  auto wanted = to(goal, 1, &ended);
  wanted->start = system_clock().now() + 1500ms;
  const Instant start = wanted->start;
  rig.machine->commands().trajectory.post(std::move(wanted));
  while (system_clock().now() < start - 100ms) {
    CHECK(farthest(rig.q(), from) < 1e-3);
    std::this_thread::sleep_for(20ms);
  }
  REQUIRE(eventually([&] { return ended.over.load(); }));
  CHECK_MESSAGE(ended.how == Finish::reached, ended.why);
  CHECK(system_clock().now() > start + 900ms);
  CHECK(farthest(rig.q(), goal) < 1e-3);

  Ended dropped;
  auto later = to(from, 1, &dropped);
  later->start = system_clock().now() + 1min;
  rig.machine->commands().trajectory.post(std::move(later));
  std::this_thread::sleep_for(100ms);
  CHECK_FALSE(dropped.over.load());
  rig.disarm();
  REQUIRE(eventually([&] { return dropped.over.load(); }));
  CHECK(dropped.how == Finish::dropped);
}

TEST_CASE("a task whose cube is out of reach is refused with the reason") {
  PickAndPlaceOptions options;
  CHECK(PickAndPlace::make(options).ok());
  options.place = {0.9, 0, 0.02};
  const auto far = PickAndPlace::make(options);
  REQUIRE_FALSE(far.ok());
  CHECK(far.error().text.find("place: a cube at [0.9, 0, 0.02]") != std::string::npos);
}

TEST_CASE("the machine reads the arm and sends nothing while it is not armed") {
  MachineRig rig;
  REQUIRE(eventually([&] { return rig.live() && rig.state().samples > 20; }));
  Ended ended;
  rig.machine->commands().trajectory.post(to(turned(rig.q(), 0, 0.2), 1, &ended));
  REQUIRE(eventually([&] { return ended.over.load(); }));
  CHECK(ended.how == Finish::refused);
  CHECK(ended.why.find("not armed") != std::string::npos);
  CHECK(rig.state().controller.runtime_state == ur::RuntimeState::stopped);
  CHECK(rig.state().hand.known);
}

TEST_CASE("an armed machine drives a trajectory to within a milliradian") {
  MachineRig rig;
  REQUIRE(rig.ready());
  const Six goal = turned(turned(rig.q(), 0, 0.3), 5, -0.4);
  Ended ended;
  rig.machine->commands().trajectory.post(to(goal, 1.5, &ended));
  REQUIRE(eventually([&] { return ended.over.load(); }));
  CHECK_MESSAGE(ended.how == Finish::reached, ended.why);
  CHECK(farthest(rig.q(), goal) < 1e-3);
  CHECK(rig.armed());
  // Disarmed, our program leaves the controller.
  rig.disarm();
  CHECK(eventually([&] { return rig.state().controller.runtime_state == ur::RuntimeState::stopped; }));
}

TEST_CASE("disarming stops the arm on its way and gives the trajectory up") {
  Swing swing;
  swing.rig.disarm();
  REQUIRE(swing.stopped());
  CHECK(swing.ended.how == Finish::dropped);
  CHECK(eventually([&] { return swing.rig.fastest() < 1e-3; }));
  CHECK(farthest(swing.rig.q(), swing.goal) > 0.2);
}

TEST_CASE("R10 a safety stop disarms and is told and is not released from here") {
  const struct {
    std::atomic<bool> PendantScript::*button;
    const char* words;
  } stops[] = {{&PendantScript::protective_stop, "PROTECTIVE_STOP"},
               {&PendantScript::safeguard, "SAFEGUARD_STOP"},
               {&PendantScript::emergency_stop, "EMERGENCY_STOP"},
               {&PendantScript::violation, "VIOLATION"}};
  for (const auto& stop : stops) {
    CAPTURE(stop.words);
    Swing swing;
    swing.rig.pendant.*stop.button = true;
    REQUIRE(swing.stopped());
    CHECK(swing.ended.how == Finish::dropped);
    CHECK_MESSAGE(swing.rig.cause().find(stop.words) != std::string::npos, swing.rig.cause());
    CHECK(swing.ended.why == swing.rig.cause());
    CHECK(eventually([&] { return swing.rig.fastest() < 1e-3; }));
    // Arming again does not help while the stop stands.
    const ur::SafetyMode mode = swing.rig.state().controller.safety_mode;
    const Six at = swing.rig.q();
    swing.rig.arm();
    CHECK(eventually([&] { return !swing.rig.armed(); }));
    CHECK(swing.rig.state().controller.safety_mode == mode);
    CHECK(swing.rig.protective_stop() == (mode == ur::SafetyMode::protective_stop));
    CHECK(farthest(swing.rig.q(), at) < 1e-2);
  }
}

TEST_CASE("R11 a power cycle on the way disarms and leaves the arm off when the link is back") {
  Swing swing;
  const int connects = swing.rig.connects();
  swing.rig.pendant.power_cycle = true;
  REQUIRE(swing.stopped());
  CHECK(swing.ended.how == Finish::dropped);
  REQUIRE(eventually([&] { return swing.rig.connects() > connects && swing.rig.live(); }));
  CHECK(swing.rig.state().controller.robot_mode != ur::RobotMode::running);
  CHECK_FALSE(swing.rig.armed());
  swing.rig.arm();
  REQUIRE(eventually([&] { return !swing.rig.armed(); }));
  CHECK_MESSAGE(swing.rig.cause().find("robot mode") != std::string::npos, swing.rig.cause());
}

TEST_CASE("R12 a program stopped at the pendant disarms") {
  Swing swing;
  swing.rig.pendant.program_stop = true;
  REQUIRE(swing.stopped());
  CHECK(swing.ended.how == Finish::dropped);
  CHECK_MESSAGE(swing.rig.cause().find("stopped on the controller") != std::string::npos, swing.rig.cause());
  CHECK(eventually([&] { return swing.rig.fastest() < 1e-3; }));
}

TEST_CASE("R13 a slower slider slows the trajectory and nothing is made up for") {
  Swing swing;
  swing.rig.pendant.slider = 0.0;
  REQUIRE(eventually([&] { return swing.rig.state().controller.speed_scaling < 1e-3 && swing.rig.fastest() < 1e-2; }));
  const double progress = swing.rig.state().progress;
  std::this_thread::sleep_for(700ms);
  CHECK(swing.rig.state().progress == doctest::Approx(progress).epsilon(0.02));
  CHECK(swing.rig.armed());
  CHECK_FALSE(swing.ended.over);
  swing.rig.pendant.slider = 1.0;
  // The fastest that it may be is what the path has, however long it was held.
  double most = 0;
  REQUIRE(eventually([&] {
    most = std::max(most, swing.rig.fastest());
    return swing.ended.over.load();
  }));
  CHECK_MESSAGE(swing.ended.how == Finish::reached, swing.ended.why);
  CHECK(most < 1.2 / 6 * 1.5 * 1.5);
}

TEST_CASE("the task takes a cube and puts it down elsewhere") {
  MachineRig rig(nullptr, "pick_and_place");
  REQUIRE(eventually([&] { return rig.live() && rig.state().hand.known; }));
  CHECK(rig.state().activity == Activity::idle);
  rig.arm();
  CHECK(eventually([&] { return rig.state().hand.object; }, 60s));
  CHECK_MESSAGE(eventually([&] { return rig.state().cubes >= 1; }, 60s), rig.text("task"));
  CHECK(rig.armed());
}
