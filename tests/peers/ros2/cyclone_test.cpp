// Our node and Cyclone DDS, another vendor's, with types made by its own compiler. Built twice, for the two forms
// of the graph message: GID_SIZE is 16 as in Jazzy, or 24 as in Humble.
#include <dds/dds.h>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "messages.h"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using CycloneArray = std_msgs_msg_dds__Float64MultiArray_;
using CyclonePose = geometry_msgs_msg_dds__PoseStamped_;
using CycloneGraph = rmw_dds_common_msg_dds__ParticipantEntitiesInfo_;

constexpr bool humble = GID_SIZE == 24;

struct CycloneQos {
  explicit CycloneQos(const Qos& ours, const std::string& user_data = "") : qos(dds_create_qos()) {
    dds_qset_reliability(
        qos, ours.reliability == Reliability::reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
        DDS_SECS(1));
    dds_qset_durability(
        qos, ours.durability == Durability::transient_local ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, ours.history == History::keep_all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST, ours.depth);
    dds_data_representation_id_t plain[] = {DDS_DATA_REPRESENTATION_XCDR1};
    dds_qset_data_representation(qos, 1, plain);
    if (!user_data.empty()) dds_qset_userdata(qos, user_data.data(), user_data.size());
  }
  ~CycloneQos() { dds_delete_qos(qos); }
  CycloneQos(const CycloneQos&) = delete;
  CycloneQos& operator=(const CycloneQos&) = delete;
  dds_qos_t* qos;
};

// A participant on loopback, found by unicast, as rmw_cyclonedds is with ROS_LOCALHOST_ONLY=1.
struct Cyclone {
  explicit Cyclone(int domain) {
    const std::string uri =
        "<General><Interfaces><NetworkInterface address='127.0.0.1' multicast='false'/></Interfaces>"
        "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address='127.0.0.1'/></Peers></Discovery>";
    setenv("CYCLONEDDS_URI", uri.c_str(), 1);
    const std::string enclave = "enclave=/;";
    dds_qos_t* qos = dds_create_qos();
    dds_qset_userdata(qos, enclave.data(), enclave.size());
    participant = dds_create_participant(static_cast<dds_domainid_t>(domain), qos, nullptr);
    dds_delete_qos(qos);
    REQUIRE(participant > 0);
  }
  ~Cyclone() { dds_delete(participant); }
  Cyclone(const Cyclone&) = delete;
  Cyclone& operator=(const Cyclone&) = delete;

  dds_entity_t topic(const dds_topic_descriptor_t& type, const char* name) const {
    const dds_entity_t topic = dds_create_topic(participant, &type, name, nullptr, nullptr);
    REQUIRE(topic > 0);
    return topic;
  }
  dds_entity_t reader(const dds_topic_descriptor_t& type, const char* name, const Qos& qos,
                      const std::string& user_data = "") const {
    const dds_entity_t reader =
        dds_create_reader(participant, topic(type, name), CycloneQos(qos, user_data).qos, nullptr);
    REQUIRE(reader > 0);
    return reader;
  }
  dds_entity_t writer(const dds_topic_descriptor_t& type, const char* name, const Qos& qos,
                      const std::string& user_data = "") const {
    const dds_entity_t writer =
        dds_create_writer(participant, topic(type, name), CycloneQos(qos, user_data).qos, nullptr);
    REQUIRE(writer > 0);
    return writer;
  }
  dds_entity_t participant = 0;
};

// Takes one valid sample and looks at it; false when there is none.
template <typename T, typename Look>
bool take(dds_entity_t reader, Look look) {
  void* sample = nullptr;
  dds_sample_info_t info;
  if (dds_take(reader, &sample, &info, 1, 1) != 1) return false;
  const bool valid = info.valid_data;
  if (valid) look(*static_cast<const T*>(sample));
  dds_return_loan(reader, &sample, 1);
  return valid;
}

std::array<std::uint8_t, 16> guid_of(dds_entity_t entity) {
  dds_guid_t guid;
  REQUIRE(dds_get_guid(entity, &guid) == DDS_RETCODE_OK);
  std::array<std::uint8_t, 16> bytes;
  std::memcpy(bytes.data(), guid.v, bytes.size());
  return bytes;
}

// What Iron and later put beside each endpoint, and Humble does not.
std::string graph_user_data() {
  return humble ? "" : "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;";
}

// The USER_DATA of the one publisher that the reader matched.
std::string publisher_user_data(dds_entity_t reader) {
  dds_instance_handle_t handle = 0;
  if (dds_get_matched_publications(reader, &handle, 1) != 1) return "";
  dds_builtintopic_endpoint_t* endpoint = dds_get_matched_publication_data(reader, handle);
  if (endpoint == nullptr) return "";
  void* data = nullptr;
  std::size_t size = 0;
  std::string text;
  if (dds_qget_userdata(endpoint->qos, &data, &size)) text.assign(static_cast<const char*>(data), size);
  dds_free(data);
  dds_builtintopic_free_endpoint(endpoint);
  return text;
}

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

  const Cyclone cyclone(options.domain);
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
  CHECK(publisher_user_data(legs_reader) ==
        "typehash=RIHS01_1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f;");
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
  const Cyclone cyclone(options.domain);
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

  const Cyclone cyclone(options.domain);
  const auto& type = rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc;
  const dds_entity_t graph_reader =
      cyclone.reader(type, "ros_discovery_info", Qos::discovery_reader(), graph_user_data());
  const dds_entity_t graph_writer =
      cyclone.writer(type, "ros_discovery_info", Qos::discovery_writer(), graph_user_data());
  const dds_entity_t writer =
      cyclone.writer(geometry_msgs_msg_dds__PoseStamped__desc, "rt/desired_pose", Qos::standard());

  rmw_dds_common_msg_dds__Gid_ writer_gid{};
  std::ranges::copy(guid_of(writer), writer_gid.data);
  std::string name = "storm", name_space = "/sea";
  rmw_dds_common_msg_dds__NodeEntitiesInfo_ entry{};
  std::ranges::copy(name, entry.node_name);
  std::ranges::copy(name_space, entry.node_namespace);
  entry.writer_gid_seq._buffer = &writer_gid;
  entry.writer_gid_seq._length = entry.writer_gid_seq._maximum = 1;
  CycloneGraph info{};
  std::ranges::copy(guid_of(cyclone.participant), info.gid.data);
  info.node_entities_info_seq._buffer = &entry;
  info.node_entities_info_seq._length = info.node_entities_info_seq._maximum = 1;
  REQUIRE(dds_write(graph_writer, &info) == DDS_RETCODE_OK);

  CHECK(eventually([&] {
    const Graph graph = context.graph();
    const auto endpoint = std::ranges::find(graph.endpoints, "/desired_pose", &GraphEndpoint::topic);
    return graph.node("/sea/storm") != nullptr && endpoint != graph.endpoints.end() && endpoint->node == "/sea/storm" &&
           endpoint->type == "geometry_msgs/msg/PoseStamped";
  }));
  CHECK(eventually([&] { return context.distro() == (humble ? Distro::humble : Distro::jazzy); }));
  bool seen = false;
  CHECK(eventually([&] {
    take<CycloneGraph>(graph_reader, [&](const CycloneGraph& got) {
      for (std::uint32_t i = 0; i < got.node_entities_info_seq._length; ++i) {
        const auto& other = got.node_entities_info_seq._buffer[i];
        if (std::string(other.node_name) != "tandem" || other.writer_gid_seq._length != 1) continue;
        const Graph graph = context.graph();
        const auto ours = std::ranges::find(graph.endpoints, "/stewart/legs_em1500", &GraphEndpoint::topic);
        CHECK(std::string(other.node_namespace) == "/lab");
        CHECK(std::equal(ours->gid.begin(), ours->gid.end(), other.writer_gid_seq._buffer[0].data));
        CHECK(std::all_of(got.gid.data + 16, got.gid.data + GID_SIZE, [](std::uint8_t byte) { return byte == 0; }));
        seen = true;
      }
    });
    return seen;
  }));
}

}  // namespace tandem::ros2
