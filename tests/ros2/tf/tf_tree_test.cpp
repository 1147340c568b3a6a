// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/tf/tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tandem/ros2/tf/broadcaster.hpp"
#include "tandem/ros2/tf/listener.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

constexpr UtcTime utc_zero(1'000s);
constexpr Instant zero(50s);

// A transform that was stamped `stamp` and heard `heard` after the beginning, by the sender of that number.
void put(TfBuffer& buffer, std::string_view parent, std::string_view child, Duration stamp, Duration heard,
         std::uint8_t sender = 1, bool is_static = false, double x = 0.0) {
  TfReception reception{.received = zero + heard, .utc = utc_zero + heard};
  reception.sender[15] = sender;
  buffer.insert(transform_stamped(utc_zero + stamp, parent, child, Pose(Eigen::Translation3d(x, 0, 0))), is_static,
                reception);
}

std::vector<std::string> findings(const TfTree& tree, TfFinding::Kind kind) {
  std::vector<std::string> texts;
  for (const TfFinding& finding : tree.findings) {
    if (finding.kind == kind) texts.push_back(finding.text);
  }
  return texts;
}

const TfTree::Entry& entry(const TfTree& tree, std::string_view frame) {
  const auto found = std::ranges::find(tree.frames, frame, &TfTree::Entry::frame);
  REQUIRE(found != tree.frames.end());
  return *found;
}

Graph graph_of(std::initializer_list<std::pair<std::uint8_t, std::string>> nodes) {
  Graph graph;
  for (const auto& [sender, node] : nodes) {
    GraphEndpoint& endpoint = graph.endpoints.emplace_back();
    endpoint.gid[15] = sender;
    endpoint.node = node;
  }
  return graph;
}

using Kind = TfFinding::Kind;

}  // namespace

TEST_CASE("a healthy tree has rates and delays and no findings") {
  TfBuffer buffer;
  for (int i = 0; i <= 100; ++i) put(buffer, "odom", "base", 20ms * i - 3ms, 20ms * i);
  put(buffer, "base", "camera", 0s, 0s, 2, true);
  put(buffer, "base", "arm", 1990ms, 2s);
  const TfTree tree = tf_tree(buffer, zero + 2010ms, graph_of({{1, "/robot"}, {2, "/state"}}));
  CHECK(tree.findings.empty());
  REQUIRE(tree.frames.size() == 4);
  const TfTree::Entry& base = entry(tree, "base");
  CHECK(base.parent == "odom");
  CHECK(base.rate == doctest::Approx(50.0).epsilon(1e-6));
  CHECK(base.age == 10ms);
  CHECK(std::chrono::abs(base.delay - 3ms) < 1us);
  CHECK(base.stamp == utc_zero + 1997ms);
  CHECK(base.authors == std::vector<std::string>{"/robot"});
  CHECK(entry(tree, "odom").parent.empty());
  CHECK(to_text(tree) ==
        "odom: root\n"
        "  base: 50.0 Hz, 10.0 ms old, delay 3.0 ms, from /robot\n"
        "    arm: 0.0 Hz, 10.0 ms old, delay 10.0 ms, from /robot\n"
        "    camera: static, from /state\n");
}

TEST_CASE("publishers that take turns on one frame are found and a restarted one is not") {
  TfBuffer buffer;
  for (int i = 0; i < 10; ++i) put(buffer, "odom", "base", 10ms * i, 10ms * i, 1);
  for (int i = 10; i < 20; ++i) put(buffer, "odom", "base", 10ms * i, 10ms * i, 2);
  CHECK(tf_tree(buffer, zero + 200ms).findings.empty());
  put(buffer, "odom", "base", 205ms, 205ms, 1);
  const Graph graph = graph_of({{1, "/ekf"}, {2, "/wheels"}});
  const auto found = findings(tf_tree(buffer, zero + 210ms, graph), Kind::two_publishers);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == "base has 2 publishers: /ekf, /wheels");
  CHECK(findings(tf_tree(buffer, zero + 210ms, graph_of({{1, "/ekf"}})), Kind::two_publishers).empty());
  CHECK(findings(tf_tree(buffer, zero + 60s, graph), Kind::two_publishers).empty());
}

TEST_CASE("static frames with two publishers are found only when they disagree") {
  TfBuffer buffer;
  put(buffer, "base", "camera", 0s, 0s, 1, true, 0.5);
  put(buffer, "base", "camera", 0s, 1s, 2, true, 0.5);
  CHECK(tf_tree(buffer, zero + 2s).findings.empty());
  put(buffer, "base", "camera", 0s, 2s, 3, true, 0.6);
  const auto found = findings(tf_tree(buffer, zero + 2s), Kind::two_publishers);
  REQUIRE(found.size() == 1);
  CHECK(found[0].starts_with("camera has 3 publishers that do not agree: 00.00."));
  put(buffer, "base", "camera", 0s, 3s, 3, false, 0.6);
  CHECK(findings(tf_tree(buffer, zero + 3s), Kind::two_publishers).size() == 2);
}

TEST_CASE("two parents and several roots and circles are told by name") {
  TfBuffer buffer;
  put(buffer, "map", "base", 0s, 0s, 1);
  put(buffer, "odom", "base", 1ms, 1ms, 2);
  put(buffer, "x", "y", 0s, 0s);
  put(buffer, "y", "z", 0s, 0s);
  put(buffer, "z", "x", 0s, 0s);
  put(buffer, "z", "leaf", 0s, 0s);
  const TfTree tree = tf_tree(buffer, zero + 10ms, graph_of({{1, "/ekf"}, {2, "/wheels"}}));
  CHECK(findings(tree, Kind::two_parents) ==
        std::vector<std::string>{"base has two parents: now odom, before map; it changed 1 times, last "
                                 "published by /wheels, /ekf"});
  CHECK(findings(tree, Kind::several_roots) ==
        std::vector<std::string>{"2 unconnected trees, with the roots map, odom"});
  const auto circles = findings(tree, Kind::cycle);
  REQUIRE(circles.size() == 1);
  CHECK(circles[0] == "frames form a loop: z -> y -> x -> z");
  const std::string text = to_text(tree);
  for (const auto* line :
       {"map: root\n", "odom: root\n  base: ", "leaf: ", "x: ", "y: ", "z: ", "! frames form a loop"}) {
    CHECK_MESSAGE(text.find(line) != std::string::npos, text);
  }
}

TEST_CASE("stale and late and future frames are told with numbers") {
  TfBuffer buffer;
  for (int i = 0; i <= 20; ++i) {
    put(buffer, "map", "slow", 1s * i, 1s * i);
    put(buffer, "map", "gone", 10ms * i, 10ms * i);
    put(buffer, "map", "late", 1s * i - 700ms, 1s * i);
    put(buffer, "map", "ahead", 1s * i + 250ms, 1s * i);
  }
  const TfTree tree = tf_tree(buffer, zero + 22500ms);
  const auto stale = findings(tree, Kind::stale);
  REQUIRE(stale.size() == 1);
  CHECK(stale[0] == "gone is stale: nothing for 22.3 s, before that every 10.0 ms");
  const auto late = findings(tree, Kind::delayed);
  REQUIRE(late.size() == 1);
  CHECK(late[0].starts_with("late is late: 700.0 ms after its stamp on average"));
  const auto ahead = findings(tree, Kind::future);
  REQUIRE(ahead.size() == 1);
  CHECK(ahead[0].starts_with("ahead had a stamp 250.0 ms in the future"));
}

TEST_CASE("refused transforms are told with their sender and why") {
  TfBuffer buffer;
  put(buffer, "base", "base", 0s, 0s, 7);
  put(buffer, "base", "base", 0s, 0s, 7);
  put(buffer, "base", "", 0s, 0s, 7);
  const auto found = findings(tf_tree(buffer, zero, graph_of({{7, "/broken"}})), Kind::refused);
  REQUIRE(found.size() == 1);
  CHECK(found[0] ==
        "transforms of /broken were refused: 1 times a frame name is empty, longer than 255 bytes or not printable, 2 "
        "times the frame is its own parent; the last was  in base");
}

TEST_CASE("a chain of a thousand frames and an empty tree are shown") {
  CHECK(to_text(TfTree{}).empty());
  TfBuffer buffer;
  for (int i = 0; i < 1023; ++i) put(buffer, "f" + std::to_string(i), "f" + std::to_string(i + 1), 0s, 0s);
  const std::string text = to_text(tf_tree(buffer, zero));
  CHECK(std::ranges::count(text, '\n') == 1024);
  CHECK(buffer.can("f0", "f1023"));
}

TEST_CASE("a listener hears reliable and best effort publishers and late static frames") {
  const ContextOptions options = loopback_options();
  Context here(options);
  Context there(options);
  Node robot(here, "robot");
  Node listener(there, "listener");
  StaticTfBroadcaster fixed(robot);
  REQUIRE(fixed.send(transform_stamped(UtcTime(0s), "base", "camera", Pose(Eigen::Translation3d(0, 0, 1)))));
  TfBroadcaster reliable(robot);
  const auto sloppy = robot.advertise<tf2_msgs::TFMessage>("/tf", Qos::sensor_data());

  TfBuffer buffer;
  const TfListener tf(listener, buffer);
  REQUIRE(eventually([&] { return tf.publishers() == 3; }));
  int sent = 0;
  REQUIRE(eventually([&] {
    const UtcTime now = system_clock().utc();
    reliable.send(transform_stamped(now, "map", "odom", Pose(Eigen::Translation3d(++sent, 0, 0))));
    sloppy.publish({{transform_stamped(now, "odom", "base", Pose(Eigen::Translation3d(0, 2, 0)))}});
    const auto frames = buffer.snapshot().frames;
    return frames.size() == 4 && std::ranges::all_of(frames, [](const TfFrame& frame) {
             return frame.parent.empty() || frame.is_static || frame.count >= 5;
           });
  }));
  const auto found = buffer.lookup("map", "camera");
  REQUIRE(found.ok());
  CHECK(found->transform.translation.y == doctest::Approx(2.0));
  CHECK(found->transform.translation.z == doctest::Approx(1.0));
  CHECK(eventually([&] {
    const TfTree tree = tf_tree(buffer, system_clock().now(), there.graph());
    return entry(tree, "odom").authors.front() == "/robot" && entry(tree, "camera").authors.front() == "/robot";
  }));
  const TfTree tree = tf_tree(buffer, system_clock().now(), there.graph());
  CHECK(entry(tree, "odom").rate > 0.5);
  CHECK(entry(tree, "odom").delay > 0ns);
  CHECK(entry(tree, "odom").delay < 10s);
  CHECK(entry(tree, "camera").is_static);
  CHECK(tf.malformed() == 0);
}

TEST_CASE("two nodes that send one frame are found by name over the wire") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options), watching(options);
  Node ekf(here, "ekf"), wheels(there, "wheels"), listener(watching, "listener");
  TfBroadcaster one(ekf), two(wheels);
  TfBuffer buffer;
  const TfListener tf(listener, buffer);
  REQUIRE(eventually([&] { return tf.publishers() == 2; }));
  std::string text;
  const bool found = eventually([&] {
    one.send(transform_stamped(system_clock().utc(), "map", "base", Pose::Identity()));
    two.send(transform_stamped(system_clock().utc(), "odom", "base", Pose::Identity()));
    const TfTree tree = tf_tree(buffer, system_clock().now(), watching.graph());
    text = to_text(tree);
    const bool named = text.find("/ekf") != std::string::npos && text.find("/wheels") != std::string::npos;
    return named && !findings(tree, Kind::two_publishers).empty() && !findings(tree, Kind::two_parents).empty();
  });
  CHECK_MESSAGE(found, text);
}

}  // namespace tandem::ros2
