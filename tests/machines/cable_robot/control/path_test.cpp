// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/path.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "tandem/machines/cable_robot/control/task.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double tick = 0.002;  // s

Pose level_at(double x, double y, double z) { return pose_from({x, y, z}, Eigen::Matrix3d::Identity()); }

struct Ride {
  double speed = 0, acceleration = 0, spin = 0, spin_up = 0;  // the most that was seen

  double linear_end = 0, angular_end = 0, end = 0;  // s when each part and all was at rest
};

// Steps until it rests, at most so long; limits are measured by differences of poses.
Ride ride(Path& path, double most_time) {
  Ride seen;
  SetPoint before = path.now();
  Eigen::Vector3d velocity = before.velocity.head<3>(), spin = before.velocity.tail<3>();
  for (double time = tick; time < most_time; time += tick) {
    const SetPoint now = path.step(tick);
    const Eigen::Vector3d moved = (now.pose.translation() - before.pose.translation()) / tick;
    const Eigen::Vector3d turned =
        rotation_vector_from_quaternion(Eigen::Quaterniond(now.pose.linear() * before.pose.linear().transpose())) /
        tick;
    seen.speed = std::max(seen.speed, moved.norm());
    seen.spin = std::max(seen.spin, turned.norm());
    seen.acceleration = std::max(seen.acceleration, (moved - velocity).norm() / tick);
    seen.spin_up = std::max(seen.spin_up, (turned - spin).norm() / tick);
    if (moved.norm() > 1e-9) seen.linear_end = time;
    if (turned.norm() > 1e-9) seen.angular_end = time;
    velocity = moved;
    spin = turned;
    before = now;
    seen.end = time;
    if (path.arrived()) break;
  }
  return seen;
}

// Coming to rest exactly at the target costs a little more in the last tick.
constexpr double rounding = 1.25;

}  // namespace

TEST_CASE("a target is reached exactly and within the limits") {
  Path path(cables::Robot::standard(), {});
  const Pose goal = pose_from({0.1, -0.08, 0.36}, rotation_from_rpy(0.05, -0.05, 0.1));
  const auto where = path.target(goal);
  REQUIRE(where.ok());
  CHECK(where->isApprox(goal, 1e-12));
  const Ride seen = ride(path, 5);
  CHECK(path.arrived());
  CHECK(path.now().pose.isApprox(goal, 1e-12));
  CHECK(path.now().velocity.norm() == 0);
  CHECK(seen.speed <= 0.3 + 1e-9);
  CHECK(seen.spin <= 1.5 + 1e-9);
  CHECK(seen.acceleration <= 1.5 * rounding);
  CHECK(seen.spin_up <= 8 * rounding);
  // 0.14 m with ramps of 0.2 s each: distance / speed + speed / acceleration, a little more for the gentle end.
  const double ideal = std::sqrt(0.1 * 0.1 + 0.08 * 0.08 + 0.06 * 0.06) / 0.3 + 0.3 / 1.5;
  CHECK(seen.end > ideal - 0.01);
  CHECK(seen.end < 1.1 * ideal + 0.01);
}

TEST_CASE("translation and rotation end together whichever takes longer") {
  for (const bool turn_longer : {false, true}) {
    Path path(cables::Robot::standard(), {});
    const double yaw = turn_longer ? 0.3 : 0.1, along = turn_longer ? 0.01 : 0.12;
    REQUIRE(path.target(pose_from({along, 0, 0.3}, rotation_from_rpy(0, 0, yaw))).ok());
    const Ride seen = ride(path, 5);
    REQUIRE(path.arrived());
    CHECK(std::abs(seen.linear_end - seen.angular_end) < 0.1 * seen.end);
  }
}

TEST_CASE("from rest the way is straight") {
  Path path(cables::Robot::standard(), {});
  const Eigen::Vector3d from = path.now().pose.translation(), to(0.1, 0.1, 0.25);
  REQUIRE(path.target(level_at(to.x(), to.y(), to.z())).ok());
  const Eigen::Vector3d along = (to - from).normalized();
  double beside = 0;
  for (int i = 0; i < 1000 && !path.arrived(); ++i) {
    const Eigen::Vector3d gone = path.step(tick).pose.translation() - from;
    beside = std::max(beside, (gone - along * gone.dot(along)).norm());
  }
  CHECK(path.arrived());
  CHECK(beside < 1e-9);
}

TEST_CASE("told otherwise at any moment the velocity never jumps") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(-0.1, 0.1), angle(-0.25, 0.25);
  Path path(cables::Robot::standard(), {});
  for (int i = 0; i < 25; ++i) {
    const Pose goal = pose_from({place(random), place(random), 0.3 + 0.8 * place(random)},
                                rotation_from_rpy(angle(random), angle(random), angle(random)));
    if (!path.target(goal)) continue;
    const Ride seen = ride(path, 0.05 + 0.01 * i);
    CHECK(seen.acceleration <= 1.5 * rounding);
    CHECK(seen.spin_up <= 8 * rounding);
    CHECK(seen.speed <= 0.3 + 1e-9);
    CHECK(seen.spin <= 1.5 + 1e-9);
  }
}

TEST_CASE("a stream of moving targets is gone after without standing still") {
  Path path(cables::Robot::standard(), {});
  double slowest = 1;
  for (int i = 0; i < 400; ++i) {
    REQUIRE(path.target(level_at(-0.001 + 0.1 * i * tick, 0, 0.3)).ok());
    path.step(tick);
    if (i > 200) slowest = std::min(slowest, path.now().velocity.x());
  }
  CHECK(slowest > 0.09);
  CHECK(path.now().pose.translation().x() == doctest::Approx(0.0788).epsilon(0.05));
}

TEST_CASE("a target outside is refused with the cable and the bound") {
  Path path(cables::Robot::standard(), {});
  const auto far = path.target(level_at(0.28, 0, 0.3));
  REQUIRE_FALSE(far.ok());
  CHECK(far.error().fault == Fault::unsupported);
  CHECK(far.error().text.find("0.030 m outside the frame in x") != std::string::npos);
  const auto turned = path.target(pose_from({0, 0, 0.3}, rotation_from_rpy(0, 0, 1.2)));
  REQUIRE_FALSE(turned.ok());
  CHECK(turned.error().text.find("outside the workspace") != std::string::npos);
  CHECK((turned.error().text.find("cable") != std::string::npos ||
         turned.error().text.find("singular") != std::string::npos));
  path.step(tick);
  CHECK(path.now().pose.isApprox(cables::Robot::standard().home(), 1e-12));
}

TEST_CASE("a target that is no pose is refused in both ways of life") {
  for (const Outside outside : {Outside::refuse, Outside::project}) {
    PathOptions options;
    options.outside = outside;
    Path path(cables::Robot::standard(), options);
    CHECK_FALSE(path.target(level_at(std::numeric_limits<double>::quiet_NaN(), 0, 0.3)).ok());
    Pose bent = level_at(0, 0, 0.3);
    bent.linear()(0, 0) = 2;
    CHECK_FALSE(path.target(bent).ok());
    SetPoint wild;
    wild.pose = level_at(0, 0, 0.3);
    wild.velocity[2] = std::numeric_limits<double>::infinity();
    CHECK_FALSE(path.follow(wild).ok());
    CHECK(path.arrived());
  }
}

TEST_CASE("a target outside is projected to the last pose inside") {
  PathOptions options;
  options.outside = Outside::project;
  Path path(cables::Robot::standard(), options);
  const auto where = path.target(level_at(0.4, 0, 0.3));
  REQUIRE(where.ok());
  // The platform is 0.1 m wide and the frame ends at 0.3 m.
  CHECK(where->translation().x() > 0.2);
  CHECK(where->translation().x() < 0.25);
  ride(path, 5);
  CHECK(path.arrived());
  CHECK_FALSE(path.at_border());
  CHECK(path.now().pose.isApprox(*where, 1e-12));
  CHECK(path.border().look(path.now().pose).inside);
}

TEST_CASE("every set point is inside whatever is wanted") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> place(-0.4, 0.4), angle(-0.8, 0.8);
  PathOptions options;
  options.outside = Outside::project;
  options.limits.acceleration = 0.6;  // long ways to rest
  Path path(cables::Robot::standard(), options);
  int outside = 0;
  for (int i = 0; i < 20; ++i) {
    const auto where = path.target(pose_from({place(random), place(random), 0.3 + place(random)},
                                             rotation_from_rpy(angle(random), angle(random), angle(random))));
    if (!where) continue;
    for (int k = 0; k < 60; ++k) {
      path.step(tick);
      if (k % 5 == 0 && !path.border().look(path.now().pose).inside) ++outside;
    }
  }
  CHECK(outside == 0);
}

TEST_CASE("a motion that would lead outside ends at the border and says so") {
  Path path(cables::Robot::standard(), {});
  // A reference that lies: it is inside, but moves so fast that following it leads out of the frame.
  SetPoint reference;
  bool stopped = false;
  for (int i = 0; i < 1500 && !stopped; ++i) {
    const double x = std::min(0.28 * i * tick, 0.245);
    reference.pose = level_at(x, 0, 0.3);
    reference.velocity[0] = 0.28;
    (void)path.follow(reference).ok();
    path.step(tick);
    CHECK(path.border().look(path.now().pose).inside);
    stopped = path.at_border();
  }
  CHECK(stopped);
  CHECK(path.border_seen().bound != Bound::none);
  CHECK_FALSE(path.border().words(path.border_seen()).empty());
}

TEST_CASE("a moving reference is caught up with and then followed exactly") {
  const cables::Robot& robot = cables::Robot::standard();
  auto task = Task::about_home(robot, {});
  REQUIRE(task.ok());
  Path path(robot, {});
  path.restart(level_at(0.03, -0.02, 0.31));
  double behind = 1;
  for (int i = 0; i < 900; ++i) {
    REQUIRE(path.follow(task->step(tick)).ok());
    path.step(tick);
    behind = (path.now().pose.translation() - task->now().pose.translation()).norm();
  }
  CHECK(behind < 1e-12);
  CHECK(path.now().velocity.isApprox(task->now().velocity, 1e-9));
  // No more of it: the last one is where it rests.
  const Pose last = path.now().pose;
  ride(path, 3);
  CHECK(path.arrived());
  CHECK(path.now().pose.isApprox(last, 1e-9));
}

TEST_CASE("a reference that is faster than the limits is refused") {
  Path path(cables::Robot::standard(), {});
  SetPoint reference;
  double fastest = 0;
  for (int i = 0; i < 400; ++i) {  // faster and faster, as smoothly as may be
    const double time = i * tick;
    reference.pose = level_at(0.5 * time * time, 0, 0.3);
    reference.velocity[0] = time;
    reference.acceleration[0] = 1;
    const auto followed = path.follow(reference);
    CHECK(followed.ok() == (time <= PathLimits{}.speed && path.border().look(reference.pose).inside));
    if (!followed && time < 0.35) CHECK(followed.error().text.find("at most 0.3 m/s") != std::string::npos);
    path.step(tick);
    fastest = std::max(fastest, path.now().velocity.head<3>().norm());
  }
  CHECK(fastest > 0.25);
  CHECK(fastest <= PathLimits{}.speed * (1 + 1e-9));
  reference = {level_at(0, 0, 0.3), cables::Twist::Zero(), cables::Twist::Zero()};
  reference.velocity[4] = 1.6;
  CHECK_FALSE(path.follow(reference).ok());
}

TEST_CASE("braking comes to rest and stays there") {
  Path path(cables::Robot::standard(), {});
  REQUIRE(path.target(level_at(0.12, 0, 0.3)).ok());
  for (int i = 0; i < 120; ++i) path.step(tick);
  REQUIRE(path.now().velocity.head<3>().norm() > 0.2);
  path.brake();
  const Ride seen = ride(path, 2);
  CHECK(seen.end < 0.3 / 1.5 + 0.01);
  const Pose rest = path.now().pose;
  for (int i = 0; i < 50; ++i) path.step(tick);
  CHECK(path.now().pose.isApprox(rest, 1e-12));
}

TEST_CASE("no time moves nothing and much time counts as little") {
  Path path(cables::Robot::standard(), {});
  REQUIRE(path.target(level_at(0.1, 0, 0.3)).ok());
  for (const double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK(path.step(dt).pose.isApprox(cables::Robot::standard().home(), 1e-15));
  path.step(1e9);
  CHECK(path.now().pose.translation().x() <= 1.5 * 0.02 * 0.02 + 1e-12);
}

TEST_CASE("the task is a closed smooth curve that moves in all six degrees of freedom") {
  const cables::Robot& robot = cables::Robot::standard();
  auto task = Task::about_home(robot, {}, 20, 1);
  REQUIRE(task.ok());
  CHECK(task->begin().isApprox(robot.home(), 1e-12));
  CHECK(task->size() > 0.5);
  Eigen::Vector3d far = Eigen::Vector3d::Zero(), turned = Eigen::Vector3d::Zero();
  double mismatch = 0;
  SetPoint before = task->now();
  constexpr double coarse = 0.02;
  for (int i = 0; i < 1100; ++i) {
    const SetPoint now = task->step(coarse);
    const Eigen::Vector3d mean = 0.5 * (now.velocity + before.velocity).head<3>();
    mismatch = std::max(mismatch, ((now.pose.translation() - before.pose.translation()) / coarse - mean).norm());
    far = far.cwiseMax((now.pose.translation() - robot.home().translation()).cwiseAbs());
    turned = turned.cwiseMax(rpy_from_rotation(now.pose.linear()).cwiseAbs());
    before = now;
  }
  CHECK(mismatch < 1e-3);
  CHECK(far.minCoeff() > 0.05);
  CHECK(turned.minCoeff() > 0.08);
  CHECK(task->rounds() == doctest::Approx(21.0 / 20).epsilon(1e-6));
  for (int i = 0; i < 200 && !task->resting(); ++i) task->step(coarse, false);
  CHECK(task->resting());
  CHECK(task->now().velocity.norm() == doctest::Approx(0));
  CHECK_FALSE(Task::about_home(robot, {}, 0).ok());
  CHECK_FALSE(Task::about_home(robot, {}, 20, 60).ok());
}

TEST_CASE("the rotation of a task has the spin that it tells") {
  auto task = Task::about_home(cables::Robot::standard(), {});
  REQUIRE(task.ok());
  for (int i = 0; i < 300; ++i) task->step(0.01);
  for (int i = 0; i < 20; ++i) {
    const SetPoint before = task->now();
    for (int k = 0; k < 5; ++k) task->step(0.01);
    const SetPoint middle = task->now();
    for (int k = 0; k < 5; ++k) task->step(0.01);
    const SetPoint after = task->now();
    const Eigen::Vector3d spin =
        rotation_vector_from_quaternion(Eigen::Quaterniond(after.pose.linear() * before.pose.linear().transpose()));
    CHECK((spin / 0.1 - middle.velocity.tail<3>()).norm() < 5e-3);
    CHECK(((after.velocity - before.velocity) / 0.1 - middle.acceleration).norm() < 2e-2);
  }
}

TEST_CASE("a border tells which bound was met") {
  const cables::Robot& robot = cables::Robot::standard();
  const Border border(robot, {});
  CHECK(border.look(robot.home()).inside);
  CHECK(border.look(robot.home()).margin > 0);
  CHECK(border.look(level_at(0, 0, 0.01)).bound == Bound::frame);
  CHECK(border.look(level_at(0, 0, 0.01)).axis == 2);
  CHECK(border.look(level_at(0, 0, 0.01)).beyond == doctest::Approx(0.03));
  BorderOptions strict;
  strict.reserve = 47;
  const Look seen = Border(robot, strict).look(level_at(0.15, 0.15, 0.45));
  CHECK(seen.bound == Bound::tension);
  CHECK(seen.margin < 0);
  CHECK(seen.cable >= 0);
  BorderOptions regular;
  regular.least_conditioning = 0.99;
  CHECK(Border(robot, regular).look(robot.home()).bound == Bound::conditioning);
  BorderOptions with_floor;
  with_floor.floor = 0.3;
  CHECK(Border(robot, with_floor).look(robot.home()).bound == Bound::frame);
}

TEST_CASE("without a cable there is less room") {
  const cables::Robot& robot = cables::Robot::standard();
  for (int cable = 0; cable < 8; ++cable) {
    Border whole(robot, {}), less(robot, {});
    less.give_up(cable, 2, 0.5);
    int of_whole = 0, of_less = 0;
    for (int i = 0; i < 27; ++i) {
      const Pose pose = level_at(0.1 * (i % 3 - 1), 0.1 * (i / 3 % 3 - 1), 0.3 + 0.1 * (i / 9 - 1));
      const bool inside = whole.look(pose).inside, still = less.look(pose).inside;
      CHECK((inside || !still));
      of_whole += inside ? 1 : 0;
      of_less += still ? 1 : 0;
    }
    CHECK(of_whole == 27);
    CHECK(of_less < of_whole);
  }
}

}  // namespace tandem::cable_robot
