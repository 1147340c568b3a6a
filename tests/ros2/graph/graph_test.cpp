// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/graph/graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tandem/base/sha256.hpp"
#include "tandem/ros2/graph/discovery_info.hpp"
#include "tandem/ros2/messages/rmw_dds_common.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

Gid gid(std::uint8_t seed, std::initializer_list<std::uint8_t> entity) {
  Gid gid{0x01, 0x0f, 0x7f, 0x01, seed, 0x64, 0x7c, 0xd7};
  std::copy(entity.begin(), entity.end(), gid.begin() + 12);
  return gid;
}

DiscoveryInfo one_node() {
  DiscoveryInfo info{gid(0x55, {0x00, 0x00, 0x01, 0xc1}), {}};
  GraphNode& node = info.nodes.emplace_back();
  node.name = "tandem";
  node.name_space = "/";
  node.writers = {gid(0x55, {0x00, 0x00, 0x03, 0x03})};
  return info;
}

// A peer of a given distribution: of Humble, without type hashes.
struct Stranger {
  Stranger(ContextOptions options, Distro distro)
      : context([&] {
          options.distro = distro;
          return options;
        }()),
        node(context, "stranger") {}
  Context context;
  Node node;
};

}  // namespace

TEST_CASE("the graph message has the bytes seen on the wire in its short form") {
  CHECK(hex(encode_discovery_info(one_node(), false)) ==
        "00010000"
        "010f7f0155647cd700000000000001c1"
        "01000000"
        "020000002f000000"
        "0700000074616e64656d0000"
        "00000000"
        "01000000"
        "010f7f0155647cd70000000000000303");
}

TEST_CASE("the graph message of Humble has eight zeros behind every GUID") {
  CHECK(hex(encode_discovery_info(one_node(), true)) ==
        "00010000"
        "010f7f0155647cd700000000000001c10000000000000000"
        "01000000"
        "020000002f000000"
        "0700000074616e64656d0000"
        "00000000"
        "01000000"
        "010f7f0155647cd700000000000003030000000000000000");
}

TEST_CASE("both forms of the graph message are told apart and read") {
  for (const bool humble : {false, true}) {
    for (std::size_t count = 0; count < 4; ++count) {
      DiscoveryInfo info = one_node();
      info.nodes.resize(count, info.nodes.front());
      const Result<DiscoveryInfo> read = decode_discovery_info(encode_discovery_info(info, humble));
      REQUIRE(read.ok());
      CHECK(read->participant == info.participant);
      REQUIRE(read->nodes.size() == count);
      for (const GraphNode& node : read->nodes) {
        CHECK(node.full_name() == "/tandem");
        CHECK(node.writers == info.nodes.front().writers);
      }
    }
  }
  CHECK_FALSE(decode_discovery_info({}).ok());
  CHECK_FALSE(decode_discovery_info(std::vector<std::uint8_t>(20, 0)).ok());
}

TEST_CASE("nodes and endpoints of another process are seen and vanish with it") {
  const ContextOptions options = loopback_options();
  Context here(options);
  Node own(here, "own", "/lab");
  {
    auto there = std::make_unique<Context>(options);
    Node first(*there, "first"), second(*there, "second", "/lab");
    const auto publisher = first.advertise<std_msgs::Float64>("level", Qos::sensor_data());
    const auto subscription = second.subscribe<std_msgs::String>("~/words", Qos::latched(), [](auto&, auto&) {});
    there.reset();
    REQUIRE(eventually([&] {
      const Graph graph = here.graph();
      return graph.node("/first") != nullptr && graph.node("/lab/second") != nullptr &&
             graph.count("/level", true) == 1 && graph.count("/lab/second/words", false) == 1 &&
             !graph.node("/first")->writers.empty() && !graph.node("/lab/second")->readers.empty();
    }));
    const Graph graph = here.graph();
    CHECK(graph.node("/lab/own")->local);
    CHECK_FALSE(graph.node("/first")->local);
    const auto level = std::ranges::find(graph.endpoints, "/level", &GraphEndpoint::topic);
    CHECK(level->type == "std_msgs/msg/Float64");
    CHECK(level->type_hash == type_support<std_msgs::Float64>().hash);
    CHECK(level->node == "/first");
    CHECK(level->qos.reliability == Reliability::best_effort);
    const auto words = std::ranges::find(graph.endpoints, "/lab/second/words", &GraphEndpoint::topic);
    CHECK(words->node == "/lab/second");
    CHECK(words->qos.durability == Durability::transient_local);
  }
  CHECK(eventually([&] {
    const Graph graph = here.graph();
    return graph.node("/first") == nullptr && graph.node("/lab/second") == nullptr && graph.count("/level", true) == 0;
  }));
}

TEST_CASE("a node that ends leaves the graph while its process goes on") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  const Node stays(there, "stays");
  {
    const Node goes(there, "goes");
    REQUIRE(eventually([&] { return here.graph().node("/goes") != nullptr; }));
  }
  CHECK(eventually([&] {
    const Graph graph = here.graph();
    return graph.node("/goes") == nullptr && graph.node("/stays") != nullptr;
  }));
}

TEST_CASE("the form that we send follows the peers we see") {
  const ContextOptions options = loopback_options();
  Context ours(options);
  const Node node(ours, "ours");
  const auto followed = [&](Distro distro) {
    Stranger stranger(options, distro);
    return eventually([&] {
      return stranger.context.graph().node("/ours") != nullptr && ours.graph().node("/stranger") != nullptr &&
             ours.distro() == distro;
    });
  };
  CHECK(ours.distro() == Distro::jazzy);
  CHECK(followed(Distro::humble));
  CHECK(eventually([&] { return ours.distro() == Distro::jazzy; }));
  CHECK(followed(Distro::jazzy));
  CHECK(followed(Distro::humble));
}

TEST_CASE("two that follow do not follow each other") {
  const ContextOptions options = loopback_options();
  Context first(options), second(options);
  const Node one(first, "one"), two(second, "two");
  const Stranger stranger(options, Distro::humble);
  CHECK(eventually([&] { return first.distro() == Distro::humble && second.distro() == Distro::humble; }));
  CHECK(eventually([&] { return first.graph().node("/two") != nullptr && second.graph().node("/one") != nullptr; }));
  CHECK(first.distro() == Distro::humble);
}

}  // namespace tandem::ros2
