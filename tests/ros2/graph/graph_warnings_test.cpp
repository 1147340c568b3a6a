// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/graph/graph_warnings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/owner_gate.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using std_msgs::Float64;

Duration in_seconds(double value) { return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(value)); }
Instant at(double second) { return Instant{} + in_seconds(second); }

Gid gid(std::uint8_t number) {
  Gid gid{};
  gid[0] = number;
  return gid;
}

GraphNode node(const std::string& name, bool local, const std::string& address = "") {
  GraphNode node;
  node.name = name;
  node.name_space = "/";
  node.local = local;
  node.address = address;
  return node;
}

GraphEndpoint endpoint(std::uint8_t number, bool writes, bool local, const std::string& owner) {
  GraphEndpoint endpoint;
  endpoint.gid = gid(number);
  endpoint.writes = writes;
  endpoint.local = local;
  endpoint.topic = "/cmd";
  endpoint.dds_topic = "rt/cmd";
  endpoint.type = "std_msgs/msg/Float64";
  endpoint.dds_type = "std_msgs::msg::dds_::Float64_";
  endpoint.node = owner;
  return endpoint;
}

// The texts of one kind that a context has told by now.
class Told {
 public:
  Told(Context& context, Event::Kind kind) : context_(context), kind_(kind) {}
  std::size_t count() {
    for (Event& event : context_.take_events()) {
      if (event.kind == kind_) texts.push_back(event.text);
    }
    return texts.size();
  }
  bool has(const std::string& part) {
    static_cast<void>(count());
    return std::ranges::any_of(texts, [&](const auto& text) { return text.find(part) != std::string::npos; });
  }
  std::vector<std::string> texts;

 private:
  Context& context_;
  Event::Kind kind_;
};

}  // namespace

TEST_CASE("a name that two nodes share is told once until it is over") {
  GraphWarnings warnings;
  Graph graph;
  graph.nodes = {node("arm", true), node("arm", false, "10.0.0.7"), node("lift", false)};
  CHECK(warnings.look(graph, at(0)).empty());  // it may have been killed and started again
  CHECK(warnings.look(graph, at(10)).empty());
  const auto events = warnings.look(graph, at(11));
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == Event::Kind::duplicate_node);
  CHECK(events[0].text == "2 nodes are named /arm: one in this process, another at 10.0.0.7; give each its own name");
  CHECK(warnings.look(graph, at(12)).empty());
  const Graph both = std::exchange(graph, Graph{{node("arm", true)}, {}});
  CHECK(warnings.look(graph, at(13)).empty());
  CHECK(warnings.look(both, at(14)).empty());
  CHECK(warnings.look(both, at(25)).size() == 1);
}

TEST_CASE("two strangers of one name on two computers are told at once") {
  GraphWarnings warnings;
  Graph graph;
  graph.nodes = {node("arm", false, "10.0.0.7"), node("arm", false, "10.0.0.8")};
  const auto events = warnings.look(graph, at(0));
  REQUIRE(events.size() == 1);
  CHECK(events[0].text.find("one at 10.0.0.7, another at 10.0.0.8") != std::string::npos);
}

TEST_CASE("QoS that does not match is told with the name of the node and waits for it") {
  GraphWarnings warnings;
  Graph graph;
  graph.endpoints = {endpoint(1, false, true, "/ours"), endpoint(2, true, false, "")};
  graph.endpoints[1].qos.reliability = Reliability::best_effort;
  CHECK(warnings.look(graph, at(0)).empty());
  CHECK(warnings.waits());
  graph.endpoints[1].node = "/camera";
  const auto events = warnings.look(graph, at(0.1));
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == Event::Kind::incompatible_qos);
  CHECK(events[0].text ==
        "/cmd: our subscriber asks for reliable, the publisher /camera offers best effort; they do not connect");
  CHECK_FALSE(warnings.waits());
}

TEST_CASE("a peer that never tells its name is called unknown after a while") {
  GraphWarnings warnings;
  Graph graph;
  graph.endpoints = {endpoint(1, true, true, "/ours"), endpoint(2, false, false, "")};
  graph.endpoints[1].qos.durability = Durability::transient_local;
  CHECK(warnings.look(graph, at(0)).empty());
  CHECK(warnings.look(graph, at(1.9)).empty());
  const auto events = warnings.look(graph, at(2.1));
  REQUIRE(events.size() == 1);
  CHECK(events[0].text ==
        "/cmd: the subscriber of an unknown node asks for transient local, our publisher offers volatile; they do "
        "not connect");
}

TEST_CASE("another type and another definition of the same type are told apart") {
  Graph graph;
  graph.endpoints = {endpoint(1, false, true, "/ours"), endpoint(2, true, false, "/theirs")};
  graph.endpoints[0].type_hash = "RIHS01_a";
  CHECK(troubles(graph).empty());  // Humble gives no hash
  graph.endpoints[1].type_hash = "RIHS01_a";
  CHECK(troubles(graph).empty());
  graph.endpoints[1].type_hash = "RIHS01_b";
  REQUIRE(troubles(graph).size() == 1);
  CHECK(troubles(graph)[0].event.text ==
        "/cmd: the publisher /theirs has another definition of std_msgs/msg/Float64 than this subscriber (RIHS01_b, "
        "here RIHS01_a); they connect, but fields will be read wrongly");
  graph.endpoints[1].dds_type = "std_msgs::msg::dds_::String_";
  REQUIRE(troubles(graph).size() == 1);
  CHECK(troubles(graph)[0].event.text ==
        "/cmd: this subscriber has type std_msgs/msg/Float64, the publisher /theirs has std_msgs/msg/String; they do "
        "not connect");
}

TEST_CASE("a second publisher is told only where a topic belongs to one") {
  Graph graph;
  graph.endpoints = {endpoint(1, false, true, "/ours"), endpoint(2, true, false, "/joy"),
                     endpoint(3, true, false, "/nav")};
  CHECK(troubles(graph).empty());
  graph.endpoints[0].qos.ownership = Ownership::exclusive;
  REQUIRE(troubles(graph).size() == 1);
  CHECK(troubles(graph)[0].event.kind == Event::Kind::second_publisher);
  CHECK(troubles(graph)[0].event.text ==
        "/cmd: published by /joy and /nav; only the first one is obeyed, until it is gone");
  graph.endpoints.pop_back();
  CHECK(troubles(graph).empty());
  graph.endpoints[0].writes = true;
  REQUIRE(troubles(graph).size() == 1);
  CHECK(troubles(graph)[0].event.text == "/cmd: published by /ours (ours) and /joy; subscribers receive both");
}

TEST_CASE("a topic stays with its first publisher until that is gone or silent") {
  std::vector<Gid> there = {gid(1), gid(2)};
  const auto is_there = [&](const Gid& who) { return std::ranges::find(there, who) != there.end(); };
  OwnerGate gate(in_seconds(0.5));
  CHECK(gate.admit(gid(1), at(0), is_there));
  CHECK_FALSE(gate.admit(gid(2), at(0.1), is_there));
  CHECK(gate.admit(gid(1), at(0.2), is_there));
  CHECK_FALSE(gate.take_replaced().has_value());
  CHECK_FALSE(gate.admit(gid(2), at(0.6), is_there));
  CHECK(gate.admit(gid(2), at(0.8), is_there));  // silent since 0.2
  CHECK(gate.take_replaced() == gid(1));
  CHECK_FALSE(gate.admit(gid(1), at(0.9), is_there));
  there = {gid(1)};
  CHECK(gate.admit(gid(1), at(1.0), is_there));  // gone
}

TEST_CASE("two processes with one node name learn of it") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  const Node ours(here, "arm"), theirs(there, "arm");
  Told told(here, Event::Kind::duplicate_node);
  REQUIRE(eventually([&] { return told.count() > 0; }, 30s));
  CHECK(told.texts.back().find("/arm: one in this process, another at 127.0.0.1") != std::string::npos);
  std::this_thread::sleep_for(1200ms);
  CHECK(told.count() == 1);
}

TEST_CASE("an exclusive subscription obeys one publisher and the next after that is gone") {
  const ContextOptions options = loopback_options();
  Context here(options), first_process(options), second_process(options);
  Node ours(here, "machine"), joy(first_process, "joy"), nav(second_process, "nav");
  std::atomic<int> of_joy = 0, of_nav = 0;
  Qos command = Qos::standard();
  command.ownership = Ownership::exclusive;
  const Subscription subscription = ours.subscribe<Float64>(
      "/cmd", command, [&](const Float64& value, const auto&) { ++(value.data == 1 ? of_joy : of_nav); });
  Told told(here, Event::Kind::second_publisher);
  auto joystick = std::make_unique<Publisher<Float64>>(joy.advertise<Float64>("/cmd"));
  REQUIRE(eventually([&] { return joystick->publish({1.0}), of_joy > 0; }));
  const auto navigation = nav.advertise<Float64>("/cmd");
  REQUIRE(eventually([&] { return navigation.publish({2.0}), subscription.refused() > 2; }));
  CHECK(of_nav == 0);
  CHECK(eventually([&] { return told.has("/cmd: published by "); }));
  // By name as soon as the graph knows both nodes, which the first samples may outrun.
  CHECK(eventually([&] {
    joystick->publish({1.0});
    navigation.publish({2.0});
    return told.has("/nav is ignored, as the topic is owned by /joy");
  }));
  CHECK(of_nav == 0);
  joystick.reset();
  REQUIRE(eventually([&] { return navigation.publish({2.0}), of_nav > 0; }));
  CHECK(eventually([&] { return told.has("/nav is now the publisher"); }));
}

TEST_CASE("the same type name with another definition is told in words") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node ours(here, "ours"), theirs(there, "theirs");
  const auto subscription = ours.subscribe<Float64>("/level", Qos::standard(), [](const auto&, const auto&) {});
  const auto publisher = theirs.advertise_raw("/level", "std_msgs/msg/Float64", "RIHS01_" + std::string(64, '0'));
  Told told(here, Event::Kind::incompatible_type);
  CHECK(eventually([&] { return told.has("the publisher /theirs has another definition of std_msgs/msg/Float64"); }));
  CHECK(eventually([&] { return publisher.matched() == 1; }));
}

}  // namespace tandem::ros2
