// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <mutex>

#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

template <typename M>
struct Inbox {
  Inbox(Node& node, std::string_view topic, const Qos& qos)
      : subscription(node.subscribe<M>(topic, qos, [this](const M& message, const MessageInfo&) {
          const std::lock_guard lock(mutex);
          messages.push_back(message);
        })) {}
  std::vector<M> all() {
    const std::lock_guard lock(mutex);
    return messages;
  }
  std::mutex mutex;
  std::vector<M> messages;
  Subscription subscription;
};

geometry_msgs::TransformStamped frame(std::string_view child, double x) {
  return transform_stamped(UtcTime(5s), "base", child, Pose(Eigen::Translation3d(x, 0.0, 0.0)));
}

}  // namespace

TEST_CASE("static frames reach a late listener all at once and the newest of each") {
  const ContextOptions options = loopback_options();
  Context here(options);
  Node node(here, "robot");
  StaticTfBroadcaster broadcaster(node);
  REQUIRE(broadcaster.send(frame("camera", 1.0)));
  REQUIRE(broadcaster.send(frame("tool", 2.0)));
  REQUIRE(broadcaster.send(frame("camera", 3.0)));
  Context there(options);
  Node listener(there, "listener");
  Inbox<tf2_msgs::TFMessage> inbox(listener, "/tf_static", Qos::tf_static());
  REQUIRE(eventually([&] { return !inbox.all().empty(); }));
  const auto transforms = inbox.all().front().transforms;
  REQUIRE(transforms.size() == 2);
  CHECK(transforms[0].child_frame_id == "camera");
  CHECK(transforms[0].transform.translation.x == 3.0);
  CHECK(transforms[1].child_frame_id == "tool");
}

TEST_CASE("moving frames go over tf as they are") {
  Context context(loopback_options());
  Node node(context, "robot");
  TfBroadcaster broadcaster(node);
  Inbox<tf2_msgs::TFMessage> inbox(node, "/tf", Qos::tf());
  REQUIRE(eventually([&] { return inbox.subscription.matched() == 1; }));
  const std::vector<geometry_msgs::TransformStamped> frames = {frame("a", 0.5), frame("b", -0.5)};
  REQUIRE(eventually([&] {
    broadcaster.send(frames);
    return !inbox.all().empty();
  }));
  CHECK(inbox.all().front().transforms == frames);
}

TEST_CASE("diagnostics go out again and again with the state of the moment") {
  Context context(loopback_options());
  Node node(context, "robot");
  Inbox<diagnostic_msgs::DiagnosticArray> inbox(node, "/diagnostics", Qos::standard());
  std::atomic<int> asked = 0;
  const Diagnostics diagnostics(
      node, system_clock(),
      [&] {
        diagnostic_msgs::DiagnosticStatus status;
        status.level = diagnostic_msgs::DiagnosticStatus::WARN;
        status.name = "platform";
        status.message = std::to_string(++asked);
        return std::vector{status};
      },
      20ms);
  REQUIRE(eventually([&] { return inbox.all().size() >= 3; }));
  const auto last = inbox.all().back();
  CHECK(last.status.front().level == std::byte{1});
  CHECK(std::stoi(last.status.front().message) >= 3);
  CHECK(std::chrono::abs(utc_from(last.header.stamp) - system_clock().utc()) < 60s);
}

TEST_CASE("time becomes seconds rounded down and nanoseconds") {
  using builtin_interfaces::Time;
  CHECK(message_from(UtcTime(1'500'000'000ns)) == Time{1, 500'000'000});
  CHECK(message_from(UtcTime(0ns)) == Time{0, 0});
  CHECK(message_from(UtcTime(-1ns)) == Time{-1, 999'999'999});
  CHECK(message_from(UtcTime(std::chrono::seconds(1LL << 31))).sec == 2147483647);
  CHECK(message_from(UtcTime::min()).sec == -2147483647 - 1);
  CHECK(message_from(UtcTime::max()).sec == 2147483647);
  CHECK(message_from(Duration(-250ms)) == builtin_interfaces::Duration{-1, 750'000'000});
  for (const Duration since : {Duration(0), Duration(1), Duration(1234567890123456789)}) {
    CHECK(utc_from(message_from(UtcTime(since))) == UtcTime(since));
  }
}

TEST_CASE("poses become messages and back and a quaternion without direction is no rotation") {
  const Pose X = Eigen::Translation3d(1.0, -2.0, 3.0) * Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized());
  CHECK((pose_from(message_from(X)).matrix() - X.matrix()).norm() < 1e-12);
  CHECK((pose_from(transform_from(X)).matrix() - X.matrix()).norm() < 1e-12);
  geometry_msgs::Pose message = message_from(X);
  message.orientation = {0.0, 0.0, 0.0, 0.0};
  CHECK(pose_from(message).linear().isIdentity());
  message.orientation.w = std::nan("");
  CHECK(pose_from(message).linear().isIdentity());
  message.orientation = {0.0, 0.0, 2.0, 0.0};
  CHECK((pose_from(message).linear() - Eigen::Vector3d(-1, -1, 1).asDiagonal().toDenseMatrix()).norm() < 1e-12);
}

}  // namespace tandem::ros2
