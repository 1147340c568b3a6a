// SPDX-License-Identifier: Apache-2.0
// Topics and the graph: our nodes and Cyclone's, with types made by its own compiler. Built twice, for the two forms of
// the graph message.
#include "services.h"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/peers/ros2/cyclone_service.hpp"

namespace tandem::ros2 {
namespace {

using CycloneArray = std_msgs_msg_dds__Float64MultiArray_;
using CyclonePose = geometry_msgs_msg_dds__PoseStamped_;

}  // namespace

TEST_CASE("Cyclone hears our publishers") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem", "/lab");
  const auto legs = node.advertise<std_msgs::Float64MultiArray>("/stewart/legs_em1500");
  const auto pose = node.advertise<geometry_msgs::PoseStamped>("pose", Qos::latched());
  geometry_msgs::PoseStamped sent;
  sent.header.stamp = {7, 8};
  sent.header.frame_id = "base";
  sent.pose.position.y = -2.5;
  REQUIRE(pose.publish(sent));

  Cyclone cyclone(options.domain);
  const dds_entity_t pose_reader =
      cyclone.reader(geometry_msgs_msg_dds__PoseStamped__desc, "rt/lab/pose", Qos::latched());
  const dds_entity_t legs_reader =
      cyclone.reader(std_msgs_msg_dds__Float64MultiArray__desc, "rt/stewart/legs_em1500", Qos::standard());
  CHECK(eventually([&] {
    return take<CyclonePose>(pose_reader, [&](const CyclonePose& got) {
      CHECK(got.header.stamp.sec == 7);
      CHECK(got.header.stamp.nanosec == 8);
      CHECK(std::string(got.header.frame_id) == "base");
      CHECK(got.pose.position.y == -2.5);
      CHECK(got.pose.orientation.w == 1.0);
    });
  }));
  // What is matched here may not yet be matched there, so the volatile topic is sent until it is heard.
  std_msgs::Float64MultiArray message;
  message.layout.dim = {{"legs", 6, 6}};
  message.data = {0.1, -0.2, 0.3, 0.4, -0.5, 1e-300};
  CHECK(eventually([&] {
    legs.publish(message);
    return take<CycloneArray>(legs_reader, [&](const CycloneArray& got) {
      REQUIRE(got.data._length == 6);
      CHECK(std::equal(message.data.begin(), message.data.end(), got.data._buffer));
      REQUIRE(got.layout.dim._length == 1);
      CHECK(std::string(got.layout.dim._buffer[0].label) == "legs");
      CHECK(got.layout.dim._buffer[0].stride == 6);
    });
  }));
  CHECK(matched_user_data(legs_reader, true) ==
        std::vector<std::string>{"typehash=RIHS01_1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f;"});
}

TEST_CASE("our subscriptions hear Cyclone") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  std::mutex mutex;
  std::vector<geometry_msgs::PoseStamped> heard;
  const Subscription subscription = node.subscribe<geometry_msgs::PoseStamped>(
      "desired_pose", Qos::standard(), [&](const geometry_msgs::PoseStamped& message, const MessageInfo&) {
        const std::lock_guard lock(mutex);
        heard.push_back(message);
      });
  Cyclone cyclone(options.domain);
  const dds_entity_t writer =
      cyclone.writer(geometry_msgs_msg_dds__PoseStamped__desc, "rt/desired_pose", Qos::standard());
  std::string frame = "map of Cyclone";
  CyclonePose sample{};
  sample.header.stamp.sec = -1;
  sample.header.stamp.nanosec = 999'999'999;
  sample.header.frame_id = frame.data();
  sample.pose.position.z = 0.125;
  sample.pose.orientation.x = 1.0;
  REQUIRE(eventually([&] {
    CHECK(dds_write(writer, &sample) == DDS_RETCODE_OK);
    const std::lock_guard lock(mutex);
    return !heard.empty();
  }));
  const std::lock_guard lock(mutex);
  CHECK(heard.front().header.stamp == builtin_interfaces::Time{-1, 999'999'999});
  CHECK(heard.front().header.frame_id == frame);
  CHECK(heard.front().pose.position.z == 0.125);
  CHECK(heard.front().pose.orientation == geometry_msgs::Quaternion{1.0, 0.0, 0.0, 0.0});
  CHECK(subscription.malformed() == 0);
}

TEST_CASE("each sees the nodes of the other in the graph") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem", "/lab");
  const auto legs = node.advertise<std_msgs::Float64MultiArray>("/stewart/legs_em1500");
  const Service<std_srvs::SetBool> light(node, "light", [](const auto&) { return std_srvs::SetBool::Response{}; });
  const Client<std_srvs::SetBool> horn(node, "/sea/horn");

  Cyclone cyclone(options.domain);
  cyclone.writer(geometry_msgs_msg_dds__PoseStamped__desc, "rt/desired_pose", Qos::standard());
  const CycloneServer<cyclone::SetBool> their_horn(cyclone, "/sea/horn");
  const CycloneClient<cyclone::SetBool> their_light(cyclone, "/lab/light");

  // Theirs with us: what writes and reads where, and whose it is.
  const auto theirs = [&](const std::string& dds_topic, bool writes, const std::string& type) {
    const Graph graph = context.graph();
    return std::ranges::any_of(graph.endpoints, [&](const GraphEndpoint& endpoint) {
      return !endpoint.local && endpoint.dds_topic == dds_topic && endpoint.writes == writes && endpoint.type == type &&
             endpoint.node == "/sea/storm";
    });
  };
  CHECK(eventually([&] { return theirs("rt/desired_pose", true, "geometry_msgs/msg/PoseStamped"); }));
  CHECK(eventually([&] { return theirs("rq/sea/hornRequest", false, "std_srvs/srv/SetBool_Request"); }));
  CHECK(eventually([&] { return theirs("rr/sea/hornReply", true, "std_srvs/srv/SetBool_Response"); }));
  CHECK(eventually([&] { return theirs("rq/lab/lightRequest", true, "std_srvs/srv/SetBool_Request"); }));
  CHECK(eventually([&] { return theirs("rr/lab/lightReply", false, "std_srvs/srv/SetBool_Response"); }));
  CHECK(eventually([&] { return context.distro() == (humble ? Distro::humble : Distro::jazzy); }));

  // Ours with them: the lists of our node hold each of its endpoints.
  std::vector<Gid> writers, readers;
  for (const GraphEndpoint& endpoint : context.graph().endpoints) {
    if (endpoint.local && endpoint.node == "/lab/tandem") (endpoint.writes ? writers : readers).push_back(endpoint.gid);
  }
  CHECK(writers.size() == 3);
  CHECK(readers.size() == 2);
  const auto same = [](const auto& sequence, std::vector<Gid> gids) {
    for (std::uint32_t i = 0; i < sequence._length; ++i) {
      Gid gid;
      std::copy_n(sequence._buffer[i].data, gid.size(), gid.begin());
      if (std::erase(gids, gid) != 1) return false;
    }
    return gids.empty();
  };
  bool seen = false;
  CHECK(eventually([&] {
    take<CycloneGraph>(cyclone.graph_reader(), [&](const CycloneGraph& got) {
      for (std::uint32_t i = 0; i < got.node_entities_info_seq._length; ++i) {
        const auto& other = got.node_entities_info_seq._buffer[i];
        if (std::string(other.node_name) != "tandem") continue;
        CHECK(std::string(other.node_namespace) == "/lab");
        CHECK(std::all_of(got.gid.data + 16, got.gid.data + GID_SIZE, [](std::uint8_t byte) { return byte == 0; }));
        seen = seen || (same(other.writer_gid_seq, writers) && same(other.reader_gid_seq, readers));
      }
    });
    return seen;
  }));
}

}  // namespace tandem::ros2
