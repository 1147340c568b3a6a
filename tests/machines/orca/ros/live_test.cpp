// SPDX-License-Identifier: Apache-2.0
// The bridge on ROS: a peer on loopback is the SLAM, and sees what becomes of its frames.
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

#include "tandem/machines/orca/ros/messages.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/mavros_msgs_services.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/node.hpp"
#include "tests/machines/orca/fake_vehicle.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/rosout.hpp"

using namespace tandem;
using namespace tandem::orca;
using ros2::geometry_msgs::PoseStamped;
using ros2::orb_slam3_msgs::SlamStatus;

namespace {

SlamStatus slam_frame(double x, UtcTime stamp) {
  SlamStatus message;
  message.header.stamp.sec = static_cast<std::int32_t>(stamp.time_since_epoch() / 1s);
  message.header.stamp.nanosec = static_cast<std::uint32_t>((stamp.time_since_epoch() % 1s).count());
  message.tracking_state = SlamStatus::TRACKING_OK;
  message.map_id = 1;
  message.pose.position.x = x;
  message.pose.orientation.w = 1;
  auto& cloud = message.tracked_points;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    ros2::sensor_msgs::PointField field;
    field.name = std::string(1, static_cast<char>('x' + axis));
    field.offset = 4 * axis;
    field.datatype = ros2::sensor_msgs::PointField::FLOAT32;
    field.count = 1;
    cloud.point_fields.push_back(field);
  }
  cloud.height = 1;
  cloud.width = 30;
  cloud.point_step = 12;
  cloud.row_step = 360;
  cloud.data.resize(360);
  const std::array<float, 3> point{static_cast<float>(x), 0, 3.095F / 2};
  for (std::size_t i = 0; i < 30; ++i) std::memcpy(cloud.data.data() + 12 * i, point.data(), 12);
  return message;
}

// The bridge with its node and its vehicle, each in a thread of its own, in real time.
struct RosSub {
  RosSub() {
    machines::Setup setup = rig::setup_for(vehicle.url(), system_clock(), {"profile=mavros"});
    setup.ros = &context;
    bridge.emplace(setup);
    vehicle_thread = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        {
          const std::lock_guard lock(mutex);
          vehicle.step();
        }
        std::this_thread::sleep_for(20ms);
      }
    });
    bridge_thread = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested() && !bridge->connect(now() + 1s)) continue;
      while (!stop.stop_requested()) {
        const auto cycle = bridge->cycle(machines::Permit(armed, system_clock(), Instant::max()));
        if (!cycle) return;
        if (cycle->disarm) armed = false;
      }
    });
  }

  std::mutex mutex;
  rig::FakeVehicle vehicle{system_clock()};  // guarded
  ros2::Context context{ros2::loopback_options()};
  ros2::Node peer{context, "slam"};
  std::optional<Machine> bridge;
  std::atomic<bool> armed{false};  // the latch
  std::jthread vehicle_thread, bridge_thread;
};

template <typename Service>
typename Service::Response ask_of(ros2::Node& peer, const char* name, const typename Service::Request& request) {
  const ros2::Client<Service> client(peer, name);
  REQUIRE(client.wait_for_server(20s));
  const auto answer = client.call(request, {.timeout = 30s});
  REQUIRE_MESSAGE(answer.ok(), answer.error().text);
  return *answer;
}

}  // namespace

TEST_CASE("V11 no pose is published without a position and none of before a restart") {
  RosSub sub;
  std::mutex mutex;
  std::vector<std::array<double, 2>> places, mavros_places;  // east and north
  int frames = 0, statuses = 0;
  const auto keep_places = [&](std::vector<std::array<double, 2>>& into) {
    return [&](const PoseStamped& message, const ros2::MessageInfo&) {
      const std::lock_guard lock(mutex);
      into.push_back({message.pose.position.x, message.pose.position.y});
    };
  };
  const std::vector<ros2::Subscription> heard{
      sub.peer.subscribe<PoseStamped>("/ekf_pose", ros2::Qos::standard(), keep_places(places)),
      sub.peer.subscribe<PoseStamped>("/mavros/local_position/pose", ros2::Qos::sensor_data(),
                                      keep_places(mavros_places)),
      sub.peer.subscribe<ros2::tf2_msgs::TFMessage>(
          "/tf", ros2::Qos::tf(),
          [&](const ros2::tf2_msgs::TFMessage& message, const ros2::MessageInfo&) {
            const std::lock_guard lock(mutex);
            for (const auto& transform : message.transforms) frames += transform.child_frame_id == "base_link" ? 1 : 0;
          }),
      sub.peer.subscribe<ros2::orca_msgs::BridgeStatus>(
          "/bridge_status", ros2::Qos::standard(), [&](const ros2::orca_msgs::BridgeStatus&, const ros2::MessageInfo&) {
            const std::lock_guard lock(mutex);
            ++statuses;
          })};
  const auto statuses_come = [&](int more) {
    const int before = [&] {
      const std::lock_guard lock(mutex);
      return statuses;
    }();
    return ros2::eventually([&] {
      std::this_thread::sleep_for(20ms);
      const std::lock_guard lock(mutex);
      return statuses >= before + more;
    });
  };
  REQUIRE(statuses_come(5));
  {
    const std::scoped_lock lock(mutex, sub.mutex);
    CHECK(places.empty());  // attitude and depth alone are no pose
    CHECK(mavros_places.empty());
    CHECK(frames == 0);
    sub.vehicle.positions = true;
    sub.vehicle.x = 11;
    sub.vehicle.y = -7;
  }
  REQUIRE(ros2::eventually([&] {
    std::this_thread::sleep_for(20ms);
    const std::lock_guard lock(mutex);
    return places.size() > 3 && mavros_places.size() > 3 && frames > 3;
  }));
  {
    const std::scoped_lock lock(mutex, sub.mutex);
    CHECK(places.back() == std::array<double, 2>{-7, 11});
    sub.vehicle.positions = false;  // restarted, and its estimator has to settle
    sub.vehicle.booted = system_clock().now().time_since_epoch();
  }
  REQUIRE(ros2::eventually([&] {
    std::this_thread::sleep_for(20ms);
    return sub.bridge->state().vehicle.reboots == 1;
  }));
  REQUIRE(statuses_come(2));
  std::size_t told = 0, mavros_told = 0;
  int frames_published = 0;
  {
    const std::lock_guard lock(mutex);
    told = places.size();
    mavros_told = mavros_places.size();
    frames_published = frames;
  }
  REQUIRE(statuses_come(15));
  const std::lock_guard lock(mutex);
  CHECK(places.size() == told);
  CHECK(mavros_places.size() == mavros_told);
  CHECK(frames == frames_published);
}

TEST_CASE("A SLAM on ROS moves the vehicle's estimate and everybody sees the tree") {
  RosSub sub;
  {
    const std::lock_guard lock(sub.mutex);
    sub.vehicle.positions = true;
  }
  std::mutex mutex;
  std::map<std::string, std::string> parents;  // of frames
  std::optional<PoseStamped> slam_pose, ekf_pose;
  std::optional<ros2::orca_msgs::BridgeStatus> status;
  std::optional<ros2::mavros_msgs::State> mavros;
  const auto frames_heard = [&](const ros2::tf2_msgs::TFMessage& message, const ros2::MessageInfo&) {
    const std::lock_guard lock(mutex);
    for (const auto& transform : message.transforms) parents[transform.child_frame_id] = transform.header.frame_id;
  };
  const auto keep = [&](auto& place) {
    return [&](const auto& message, const ros2::MessageInfo&) {
      const std::lock_guard lock(mutex);
      place = message;
    };
  };
  const std::vector<ros2::Subscription> heard{
      sub.peer.subscribe<ros2::tf2_msgs::TFMessage>("/tf", ros2::Qos::tf(), frames_heard),
      sub.peer.subscribe<ros2::tf2_msgs::TFMessage>("/tf_static", ros2::Qos::tf_static(), frames_heard),
      sub.peer.subscribe<PoseStamped>("/slam_pose", ros2::Qos::standard(), keep(slam_pose)),
      sub.peer.subscribe<PoseStamped>("/ekf_pose", ros2::Qos::standard(), keep(ekf_pose)),
      sub.peer.subscribe<ros2::orca_msgs::BridgeStatus>("/bridge_status", ros2::Qos::standard(), keep(status)),
      sub.peer.subscribe<ros2::mavros_msgs::State>("/mavros/state", ros2::Qos::latched(10), keep(mavros))};
  const auto slam = sub.peer.advertise<SlamStatus>("/slam_status");
  double x = 0;
  const bool good = ros2::eventually([&] {
    slam.publish(slam_frame(x += 0.01, system_clock().utc()));
    std::this_thread::sleep_for(80ms);
    const std::scoped_lock lock(mutex, sub.mutex);
    return slam_pose && ekf_pose && status && mavros && sub.vehicle.deltas.size() > 5 && parents.size() == 6 &&
           status->scale > 1.9;
  });
  REQUIRE(good);
  const std::scoped_lock lock(mutex, sub.mutex);
  CHECK(parents == std::map<std::string, std::string>{{"base_link", "map"},
                                                      {"slam", "map"},
                                                      {"world", "slam"},
                                                      {"camera_link", "base_link"},
                                                      {"camera_sensor", "camera_link"},
                                                      {"ping_link", "base_link"}});
  CHECK(slam_pose->header.frame_id == "map");
  CHECK(status->scale == doctest::Approx(2).epsilon(0.01));
  CHECK(status->sonar_rf == doctest::Approx(3));
  CHECK(mavros->mode == "MANUAL");
  CHECK(sub.vehicle.deltas.back().position_delta[1] == doctest::Approx(0.02).epsilon(0.02));
}

TEST_CASE("Modes are asked for on ROS and what cannot be is refused") {
  RosSub sub;
  REQUIRE(ros2::eventually([&] { return sub.bridge->state().quality == Quality::live; }));
  const ros2::Client<ros2::mavros_msgs::SetMode> client(sub.peer, "/slam_bridge/set_mode");
  REQUIRE(client.wait_for_server(20s));
  ros2::mavros_msgs::SetMode::Request request;
  request.custom_mode = "ALT_HOLD";
  auto answer = client.call(request, {.timeout = 20s});
  REQUIRE(answer.ok());
  CHECK(answer->mode_sent);
  request.custom_mode = "FLY";
  answer = client.call(request, {.timeout = 20s});
  REQUIRE(answer.ok());
  CHECK_FALSE(answer->mode_sent);
  const std::lock_guard lock(sub.mutex);
  CHECK(sub.vehicle.mode == static_cast<std::uint32_t>(Mode::alt_hold));
}

TEST_CASE("A goal that is refused is logged with the reason") {
  RosSub sub;
  const ros2::Rosout rosout(sub.peer);
  const auto goals = sub.peer.advertise<PoseStamped>("/goal_pose");
  PoseStamped goal;
  goal.header.frame_id = "odom";
  CHECK(ros2::eventually([&] {
    goals.publish(goal);
    return rosout.count("goal_pose: refused: frame_id: expected 'map', got 'odom'") > 0;
  }));
}

TEST_CASE("Under mavros' names arming goes through the latch and commands wait for it") {
  using ros2::mavros_msgs::CommandBool;
  using ros2::mavros_msgs::CommandLong;
  using ros2::mavros_msgs::ParamSetV2;
  using ros2::std_srvs::Trigger;
  RosSub sub;
  REQUIRE(ros2::eventually([&] { return sub.bridge->state().quality == Quality::live; }));
  const auto arming = [&](bool value) {
    CommandBool::Request request;
    request.value = value;
    return ask_of<CommandBool>(sub.peer, "/mavros/cmd/arming", request);
  };
  const auto command = [&](std::uint16_t number) {
    CommandLong::Request request;
    request.command = number;
    request.param1 = 1;
    return ask_of<CommandLong>(sub.peer, "/mavros/cmd/command", request);
  };
  auto armed = arming(true);  // there is no latch to ask
  CHECK_FALSE(armed.success);
  CHECK(armed.result == 2);
  std::atomic<bool> lets{false};
  const ros2::Service<Trigger> latch(sub.peer, "/slam_bridge/arm", [&](const Trigger::Request&) {
    sub.armed = lets.load();
    Trigger::Response response;
    response.success = lets;
    response.message = "stopped: reset first";
    return response;
  });
  const ros2::Client<Trigger> probe(sub.peer, "/slam_bridge/arm");
  REQUIRE(probe.wait_for_server(20s));
  CHECK_FALSE(arming(true).success);
  CHECK_FALSE(command(400).success);  // the same by its number
  CHECK(command(209).result == 2);    // a motor test
  {
    const std::lock_guard lock(sub.mutex);
    CHECK(sub.vehicle.arms == 0);
    CHECK_FALSE(sub.vehicle.armed);
  }
  CHECK(command(512).result == 3);  // a question is passed on, and this vehicle does not know it
  lets = true;
  armed = arming(true);
  CHECK(armed.success);
  CHECK(armed.result == 0);
  CHECK(command(209).result == 3);  // passed on
  ParamSetV2::Request parameter;
  parameter.param_id = "WPNAV_SPEED";
  parameter.value.type = 3;
  parameter.value.double_value = 42;
  const auto put = ask_of<ParamSetV2>(sub.peer, "/mavros/param/set", parameter);
  CHECK(put.success);
  CHECK(put.value.double_value == doctest::Approx(42));
  CHECK(arming(false).success);
  CHECK(ros2::eventually([&] {
    const std::lock_guard lock(sub.mutex);
    return !sub.vehicle.armed;
  }));
  const std::lock_guard lock(sub.mutex);
  CHECK(sub.vehicle.arms == 1);
  CHECK_FALSE(sub.armed);
}

TEST_CASE("Under mavros' names velocities are of the world and sticks of the body") {
  RosSub sub;
  {
    const std::lock_guard lock(sub.mutex);
    sub.vehicle.yaw = 0;  // to the north
  }
  REQUIRE(ros2::eventually([&] { return sub.bridge->state().quality == Quality::live; }));
  sub.armed = true;
  const auto velocities = sub.peer.advertise<ros2::geometry_msgs::TwistStamped>("/mavros/setpoint_velocity/cmd_vel");
  ros2::geometry_msgs::TwistStamped north;
  north.twist.linear.y = 0.5;
  CHECK(ros2::eventually([&] {
    velocities.publish(north);
    std::this_thread::sleep_for(30ms);
    const std::lock_guard lock(sub.mutex);
    return !sub.vehicle.sticks.empty() && sub.vehicle.sticks.back().x == 500;
  }));
  const auto sticks = sub.peer.advertise<ros2::mavros_msgs::ManualControl>("/mavros/manual_control/send");
  ros2::mavros_msgs::ManualControl starboard;
  starboard.y = 300;
  starboard.z = 500;
  CHECK(ros2::eventually([&] {
    sticks.publish(starboard);
    std::this_thread::sleep_for(30ms);
    const std::lock_guard lock(sub.mutex);
    return sub.vehicle.sticks.back().y == 300 && sub.vehicle.sticks.back().x == 0;
  }));
}
