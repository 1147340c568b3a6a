// SPDX-License-Identifier: Apache-2.0
// The API on the virtual robot, end to end: what users do.
#include <cmath>
#include <numbers>
#include <thread>

#include "tandem/kinematics/ur/ur.hpp"
#include "tests/machines/ur3e/api/robot_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

Joint6D moved(const Joint6D& from, double by) { return from + Joint6D{by, 0, 0, 0, 0, by}; }

double distance(const TCP6D& a, const TCP6D& b) { return (a.pose().translation() - b.pose().translation()).norm(); }

}  // namespace

TEST_CASE("movej reaches its target and the pose there is that of the model") {
  Cell cell;
  const Joint6D to = moved(cell.here(), 0.3);
  CHECK(good(cell.robot->movej(to, 3, 2)));
  CHECK(farthest(cell.here(), to) < 0.01);
  CHECK(Cell::eventually([&] { return good(cell.robot->is_steady()); }, 5s));
  // Oracle: plain matrices by the published numbers, through the kinematics that has its own tests.
  const Pose X = kinematics::ur::forward(kinematics::ur::ur3e, cell.here().vector());
  CHECK((X.translation() - good(cell.robot->actual_tcp_pose()).pose().translation()).norm() < 2e-3);
  const auto forward = good(cell.robot->forward_kin(to));
  const auto back = good(cell.robot->inverse_kin(forward, to));
  CHECK(farthest(back, to) < 1e-6);
}

TEST_CASE("movej by time takes that time") {
  Cell cell;
  const Instant begun = system_clock().now();
  CHECK(good(cell.robot->movej(moved(cell.here(), 0.1), 1.4, 1.05, 1.0)));
  CHECK(seconds(system_clock().now() - begun) > 0.9);
}

TEST_CASE("movel goes along a straight line and keeps the orientation") {
  Cell cell;
  const TCP6D from = good(cell.robot->actual_tcp_pose());
  TCP6D to = from;
  to.y -= 0.08;
  to.z += 0.05;
  REQUIRE(good(cell.robot->movel(to, 1.2, 0.1, 0, 0, false)));
  const Eigen::Vector3d a = from.pose().translation();
  const Eigen::Vector3d along = (to.pose().translation() - a).normalized();
  double off = 0, turned = 0;
  CHECK(Cell::eventually([&] {
    const TCP6D now = good(cell.robot->actual_tcp_pose());
    const Eigen::Vector3d way = now.pose().translation() - a;
    off = std::max(off, (way - along * along.dot(way)).norm());
    turned = std::max(turned,
                      angle_between(Eigen::Quaterniond(now.pose().linear()), Eigen::Quaterniond(from.pose().linear())));
    return distance(now, to) < 1e-3;
  }));
  CHECK(off < 2e-3);
  CHECK(turned < 0.02);
}

TEST_CASE("movep and movec and way-points end where they should") {
  Cell cell;
  const TCP6D from = good(cell.robot->actual_tcp_pose());
  const auto beside = [&](double x, double y, double z) {
    return TCP6D::from_metres_radians({from.x + x, from.y + y, from.z + z, from.rx, from.ry, from.rz});
  };
  CHECK(good(cell.robot->movep(beside(0, 0.03, 0), 1.2, 0.1)));
  CHECK(distance(good(cell.robot->actual_tcp_pose()), beside(0, 0.03, 0)) < 2e-3);
  CHECK(good(cell.robot->movec(beside(0.02, 0.05, 0.01), beside(0.04, 0.03, 0.02), 1.2, 0.1)));
  CHECK(distance(good(cell.robot->actual_tcp_pose()), beside(0.04, 0.03, 0.02)) < 2e-3);
  const std::array<TCP6DDescriptor, 3> line = {TCP6DDescriptor{beside(0.02, 0, 0.02), 1.2, 0.2, 0, 0.005},
                                               TCP6DDescriptor{beside(0.02, 0, 0.05), 1.2, 0.2, 0, 0.005},
                                               TCP6DDescriptor{from, 1.2, 0.2}};
  CHECK(good(cell.robot->movel_waypoints(line)));
  CHECK(distance(good(cell.robot->actual_tcp_pose()), from) < 2e-3);
  const Joint6D start = cell.here();
  const std::array<Joint6DDescriptor, 2> joints = {Joint6DDescriptor{moved(start, 0.2), 3, 2, 0, 0.01},
                                                   Joint6DDescriptor{moved(start, 0.3), 3, 2}};
  CHECK(good(cell.robot->movej_waypoints(joints)));
  CHECK(farthest(cell.here(), moved(start, 0.3)) < 0.01);
  CHECK(good(cell.robot->movej(start, 3, 2)));
  CHECK(good(cell.robot->move_linear_direction_until(from, DirectionFeature::base, DirectionAxis::z_positive, 30)));
  CHECK(distance(good(cell.robot->actual_tcp_pose()), beside(0, 0, 0.03)) < 2e-3);
}

TEST_CASE("stopj ends a move and the waiting call says that it was not reached") {
  Cell cell;
  const Joint6D from = cell.here(), to = moved(from, 1.5);
  std::optional<bool> reached;
  std::thread mover([&] {
    const auto moved_there = cell.robot->movej(to, 1, 0.5);
    if (moved_there) reached = *moved_there;
  });
  CHECK(Cell::eventually([&] { return farthest(cell.here(), from) > 0.05; }));
  CHECK(good(cell.robot->stopj(4)));
  mover.join();
  REQUIRE(reached);
  CHECK(!*reached);
  CHECK(Cell::eventually([&] { return good(cell.robot->is_steady()); }, 5s));
  CHECK(farthest(cell.here(), to) > 0.2);
  // And it moves on when told.
  CHECK(good(cell.robot->movej(from, 2, 1)));
}

TEST_CASE("A move replaces the one before") {
  Cell cell;
  const Joint6D from = cell.here();
  REQUIRE(good(cell.robot->movej(moved(from, 1.5), 1, 0.5, 0, 0, false)));
  CHECK(Cell::eventually([&] { return farthest(cell.here(), from) > 0.05; }));
  CHECK(good(cell.robot->movej(from, 2, 1)));
  CHECK(farthest(cell.here(), from) < 0.01);
}

TEST_CASE("servoj follows a stream and stops when it ends") {
  Cell cell;
  const Joint6D from = cell.here();
  for (int i = 1; i <= 100; ++i) {
    const auto taken = cell.robot->servoj(from + Joint6D{0.002 * i, 0, 0, 0, 0, 0}, 0.008, 0.1, 300);
    if (taken) CHECK(*taken);
    system_clock().sleep_until(in(8ms));
  }
  CHECK(Cell::eventually([&] { return cell.here().j1 - from.j1 > 0.1; }, 3s));
  CHECK(Cell::eventually([&] { return cell.robot->status().why.view().starts_with("servoj: no new target"); }, 10s));
  CHECK(Cell::eventually([&] { return good(cell.robot->is_steady()); }, 5s));
  CHECK(cell.robot->status().armed);
}

TEST_CASE("R15 a target beyond what the joints can follow is refused before it is sent") {
  Cell cell;
  const Joint6D from = cell.here();
  const auto refused = cell.robot->servoj(from + Joint6D{0, 0, 1, 0, 0, 0});
  CHECK(says(error_text(refused), "joint 3 (elbow_joint)"));
  CHECK(says(error_text(refused), "speed limit"));
  system_clock().sleep_until(in(200ms));
  CHECK(farthest(cell.here(), from) < 0.01);
}

TEST_CASE("speedj runs for its time and speedl until it is stopped") {
  Cell cell;
  const Joint6D from = cell.here();
  CHECK(good(cell.robot->speedj({0.2, 0, 0, 0, 0, 0}, 2, 0.5, true)));
  const double turned = cell.here().j1 - from.j1;
  CHECK(turned > 0.05);
  CHECK(turned < 0.2);
  const TCP6D before = good(cell.robot->actual_tcp_pose());
  CHECK(good(cell.robot->speedl({0, 0, 0.05, 0, 0, 0}, 1.2)));
  CHECK(Cell::eventually([&] { return good(cell.robot->actual_tcp_pose()).z > before.z + 0.01; }));
  CHECK(good(cell.robot->stopl()));
  CHECK(Cell::eventually([&] { return good(cell.robot->is_steady()); }, 5s));
}

TEST_CASE("Tool and payload and inputs and outputs reach the controller") {
  Cell cell;
  const TCP6D flange = good(cell.robot->actual_tcp_pose());
  const auto offset = TCP6D::from_metres_radians({0, 0, 0.145, 0, 0, 0});
  good(cell.robot->set_tcp(offset));
  CHECK(Cell::eventually([&] { return distance(good(cell.robot->actual_tcp_pose()), compose(flange, offset)) < 2e-3; },
                         5s));
  const auto joints = good(cell.robot->inverse_kin(good(cell.robot->actual_tcp_pose())));
  CHECK(farthest(joints, cell.here()) < 0.01);
  good(cell.robot->set_payload(0.9, {0, 0, 0.05}));
  good(cell.robot->write_digital_out(command::Bank::standard, 3, true));
  CHECK(Cell::eventually([&] { return good(cell.robot->digital_out(command::Bank::standard, 3)); }, 5s));
  CHECK(!good(cell.robot->digital_out(command::Bank::standard, 2)));
  cell.rig.script.digital_inputs = 1u << 9;
  CHECK(Cell::eventually([&] { return good(cell.robot->digital_in(command::Bank::configurable, 1)); }, 5s));
  good(cell.robot->write_analog_out(0, 0.5));
  CHECK(Cell::eventually([&] { return good(cell.robot->analog_out(0)) > 0; }, 5s));
  CHECK(good(cell.robot->force()) < 30);
  good(cell.robot->zero_ftsensor());
  good(cell.robot->sync());
  good(cell.robot->freedrive_mode());
  good(cell.robot->end_freedrive_mode());
}

TEST_CASE("The gripper activates and moves and tells its opening") {
  Rig rig{quick_unlock()};
  auto options = patient(rig.device->url());
  options.gripper = true;
  const auto robot = Cell::open(options);
  Gripper& gripper = *robot->gripper();
  CHECK(!good(gripper.move(100)));
  good(gripper.activate(30s));
  CHECK(good(gripper.is_active()));
  CHECK(good(gripper.open()));
  CHECK(good(gripper.wait_until_stopped(20s)));
  CHECK(good(gripper.estimated_position_mm()) > 38);
  CHECK(good(gripper.close_and_check_size(0, 2, 0)));
  CHECK(!good(gripper.open_and_check_size(0, 2, 0)));
  CHECK(!good(gripper.has_detected_object()));
  CHECK(good(gripper.fault()) == 0);
  CHECK(says(error_text(gripper.move(300)), "position: expected 0 to 255, got 300"));
  CHECK(says(error_text(gripper.move(0, -1)), "speed"));
}

TEST_CASE("Wrong values are refused and the arm holds still") {
  Cell cell;
  const Joint6D from = cell.here();
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  CHECK(says(error_text(cell.robot->movej(Joint6D{nan_value})), "joint 1"));
  CHECK(says(error_text(cell.robot->movej(from, -1)), "acceleration a"));
  CHECK(says(error_text(cell.robot->movej(from, 1, 1, -1)), "time t"));
  CHECK(says(error_text(cell.robot->movel(TCP6D{2, 0, 0.2, 0, 3, 0})), "movel"));
  CHECK(says(error_text(cell.robot->movej(TCP6D{0.8, 0.8, 0.2, 0, 3, 0})), "inverse_kin"));
  CHECK(says(error_text(cell.robot->movej_waypoints({})), "at least one"));
  CHECK(says(error_text(cell.robot->inverse_kin(TCP6D{nan_value})), "finite"));
  CHECK(says(error_text(cell.robot->digital_in(command::Bank::standard, 8)), "0 to 7"));
  CHECK(says(error_text(cell.robot->sleep(-1)), "0 s or more"));
  CHECK(farthest(cell.here(), from) < 0.01);
  CHECK(cell.robot->status().armed);
}

TEST_CASE("Calls return at once when they are not to wait") {
  Cell cell;
  const Joint6D from = cell.here();
  Duration reading{}, moving = Duration::max();
  const Instant begun = system_clock().now();
  for (int i = 0; i < 1000; ++i) (void)good(cell.robot->actual_joint_positions());
  reading = (system_clock().now() - begun) / 1000;
  for (int i = 0; i < 10; ++i) {
    const Instant asked = system_clock().now();
    REQUIRE(good(cell.robot->movej(moved(from, 0.01 * i), 3, 2, 0, 0, false)));
    moving = std::min<Duration>(moving, system_clock().now() - asked);
    system_clock().sleep_until(in(50ms));
  }
  MESSAGE("actual_joint_positions " << 1e6 * seconds(reading) << " us, movej without waiting " << 1e6 * seconds(moving)
                                    << " us at best");
  CHECK(reading < 2ms);
  CHECK(moving < 50ms);
}

TEST_CASE("virtual starts a controller of its own where none is there") {
  auto options = patient("virtual");
  options.join_virtual = false;
  options.make_virtual = [] {
    VirtualDeviceSetup setup;
    return make_virtual_device(setup);
  };
  const auto robot = Cell::open(options);
  const Joint6D from = good(robot->actual_joint_positions());
  CHECK(good(robot->movej(moved(from, 0.1), 3, 2)));
  options.make_virtual = nullptr;
  CHECK(says(error_text(Robot::open(options)), "virtual"));
}
