// SPDX-License-Identifier: Apache-2.0
// The judgements of `tandem doctor` on facts that are given to it.
#include <doctest/doctest.h>
#include <sched.h>

#include <algorithm>
#include <thread>

#include "tandem/app/doctor/computer.hpp"
#include "tandem/app/doctor/doctor.hpp"
#include "tandem/app/doctor/network.hpp"
#include "tandem/app/doctor/ros_graph.hpp"
#include "tandem/app/doctor/ros_servers.hpp"
#include "tandem/net/own_address.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::app::doctor {

namespace {

ComputerFacts good_computer() {
  ComputerFacts facts;
  facts.cores = 8;
  facts.load = 0.5;
  facts.real_time = true;
  facts.descriptors = 1024;
  facts.preempt_rt = true;
  facts.governor = "performance";
  facts.clock_source = "tsc";
  facts.clock_synchronised = true;
  facts.receive_buffer = 4 << 20;
  facts.free_disk = 100'000'000'000;
  facts.control_folder = "/run/user/1000/tandem";
  return facts;
}

int count_of(const Findings& findings, Grade grade) {
  return static_cast<int>(
      std::count_if(findings.begin(), findings.end(), [&](const Finding& each) { return each.grade == grade; }));
}

bool told(const Findings& findings, Grade grade, const std::string& part) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& each) {
    return each.grade == grade && each.text.find(part) != std::string::npos &&
           (grade == Grade::fine || !each.fix.empty());
  });
}

ros2::GraphEndpoint endpoint_on(const std::string& node, bool writes, ros2::Qos qos, std::string type = "String") {
  ros2::GraphEndpoint endpoint;
  endpoint.writes = writes;
  endpoint.topic = "/chatter";
  endpoint.type = "std_msgs/msg/" + type;
  endpoint.dds_type = "std_msgs::msg::dds_::" + type + "_";
  endpoint.node = node;
  endpoint.qos = qos;
  return endpoint;
}

}  // namespace

TEST_CASE("a good computer gets no advice") {
  const Findings findings = judge(good_computer());
  CHECK(all_well(findings));
  CHECK(count_of(findings, Grade::note) == 0);
  CHECK(findings_text(findings).find("->") == std::string::npos);
}

TEST_CASE("each thing that is amiss with a computer is told with what to do") {
  struct Row {
    void (*spoil)(ComputerFacts&);
    Grade grade;
    const char* says;
  };
  const Row rows[] = {
      {[](ComputerFacts& f) { f.real_time = false; }, Grade::note, "no real-time priority"},
      {[](ComputerFacts& f) { f.preempt_rt = false; }, Grade::note, "no PREEMPT_RT"},
      {[](ComputerFacts& f) { f.load = 20; }, Grade::note, "load 20.0 on 8 cores"},
      {[](ComputerFacts& f) { f.cores = 1; }, Grade::note, "one core"},
      {[](ComputerFacts& f) { f.governor = "powersave"; }, Grade::note, "'powersave'"},
      {[](ComputerFacts& f) { f.clock_source = "hpet"; }, Grade::note, "'hpet'"},
      {[](ComputerFacts& f) { f.clock_synchronised = false; }, Grade::note, "not synchronised"},
      {[](ComputerFacts& f) { f.descriptors = 64; }, Grade::wrong, "limit of 64 open files"},
      {[](ComputerFacts& f) { f.receive_buffer = 212992; }, Grade::note, "208 kB"},
      {[](ComputerFacts& f) { f.free_disk = 50'000'000; }, Grade::note, "50 MB free"},
      {[](ComputerFacts& f) { f.dead_shared_memory = 3; }, Grade::note, "3 files fastrtps_"},
      {[](ComputerFacts& f) { f.control_trouble = "/run cannot be written"; }, Grade::wrong, "control socket"},
  };
  for (const Row& row : rows) {
    ComputerFacts facts = good_computer();
    row.spoil(facts);
    CAPTURE(row.says);
    const Findings findings = judge(facts);
    CHECK(told(findings, row.grade, row.says));
    CHECK(count_of(findings, Grade::note) + count_of(findings, Grade::wrong) == 1);
    CHECK(all_well(findings) == (row.grade != Grade::wrong));
  }
}

TEST_CASE("clocks that are read in nanoseconds are no reason for advice on any processor") {
  for (const char* source :
       {"tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "riscv_clocksource"}) {
    ComputerFacts facts = good_computer();
    facts.clock_source = source;
    CAPTURE(source);
    CHECK(count_of(judge(facts), Grade::note) == 0);
  }
}

TEST_CASE("a control socket without a folder is in this one") {
  const ComputerFacts facts = look_at_computer("tandem.sock");
  CHECK(facts.control_folder == ".");
  CHECK(facts.control_trouble.empty());
  CHECK(look_at_computer("not/there/yet/tandem.sock").control_trouble.empty());
}

TEST_CASE("real time is what a thread of this process gets") {
  const sched_param parameters{.sched_priority = 50};
  bool may = false;
  std::thread([&] { may = ::sched_setscheduler(0, SCHED_FIFO, &parameters) == 0; }).join();
  CHECK(look_at_computer("tandem.sock").real_time == may);
}

TEST_CASE("discovery is judged by how far it is asked for and what carries it") {
  const std::vector<InterfaceFacts> home = {{"lo", "127.0.0.1", true, false}, {"eth0", "10.0.0.2", false, true}};
  const std::vector<InterfaceFacts> mute = {{"lo", "127.0.0.1", true, false}, {"tun0", "10.8.0.2", false, false}};
  const std::vector<InterfaceFacts> alone = {{"lo", "127.0.0.1", true, false}};
  ros2::ContextOptions options;
  CHECK(all_well(judge_discovery(options, alone)));
  options.range = ros2::DiscoveryRange::subnet;
  CHECK(all_well(judge_discovery(options, home)));
  CHECK(told(judge_discovery(options, mute), Grade::wrong, "tun0"));
  CHECK(told(judge_discovery(options, alone), Grade::wrong, "no network"));
  options.range = ros2::DiscoveryRange::off;
  CHECK(told(judge_discovery(options, home), Grade::note, "off"));
  options = {};
  options.domain = 120;
  options.shared_memory = true;
  CHECK(told(judge_discovery(options, home), Grade::note, "domain 120"));
  CHECK(told(judge_discovery(options, home), Grade::note, "shared memory"));
}

TEST_CASE("endpoints that do not fit and names used twice are told once") {
  ros2::Graph graph;
  CHECK(told(judge_graph(graph), Grade::fine, "no other ROS 2 nodes"));
  graph.nodes.push_back({"talker", "/", false, "10.0.0.1", {}, {}, {}});
  graph.endpoints = {
      endpoint_on("/talker", true, ros2::Qos::sensor_data()), endpoint_on("/listener", false, ros2::Qos::standard()),
      endpoint_on("/listener", false, ros2::Qos::standard()), endpoint_on("/other", false, ros2::Qos::sensor_data())};
  const Findings qos = judge_graph(graph);
  CHECK(told(qos, Grade::wrong, "/talker does not match /listener"));
  CHECK(count_of(qos, Grade::wrong) == 1);
  graph.endpoints = {endpoint_on("/talker", true, ros2::Qos::standard()),
                     endpoint_on("/listener", false, ros2::Qos::standard(), "Int32")};
  CHECK(told(judge_graph(graph), Grade::wrong, "publishes std_msgs/msg/String"));
  graph.endpoints.clear();
  graph.nodes.push_back(graph.nodes.front());
  CHECK(told(judge_graph(graph), Grade::wrong, "2 nodes are named /talker"));
}

TEST_CASE("discovery servers are told apart as connected, silent, with another id and unknown") {
  using Kind = ros2::ServerState::Kind;
  const auto at = [](int id, const char* host, Kind kind, bool resolved = true) {
    return ros2::ServerState{{id, host}, kind, {}, resolved};
  };
  const Findings good = judge_servers({at(0, "127.0.0.1", Kind::connected), at(1, "127.0.0.2", Kind::connected)}, {});
  CHECK(all_well(good));
  CHECK(count_of(good, Grade::note) == 0);
  CHECK(told(judge_servers({at(0, "127.0.0.1", Kind::connected)}, {}), Grade::note, "one discovery server"));
  CHECK(told(judge_servers({at(0, "127.0.0.1", Kind::searching)}, {}), Grade::wrong, "no answer"));
  CHECK(told(judge_servers({at(0, "127.0.0.1", Kind::lost)}, {}), Grade::wrong, "no answer"));
  CHECK(told(judge_servers({at(0, "127.0.0.1", Kind::searching)}, {{0, 3}}), Grade::wrong, "expected id 0, got id 3"));
  CHECK(told(judge_servers({at(0, "nobody", Kind::searching, false)}, {}), Grade::wrong, "unknown host"));
}

TEST_CASE("nodes of another domain at a server and servers that are not used are told") {
  ros2::Graph graph;
  ros2::GraphNode talker;
  talker.name = "talker", talker.name_space = "/", talker.domain = 5;
  graph.nodes.push_back(talker);
  CHECK(told(judge_domains(0, graph), Grade::note, "nodes of domain 5"));
  CHECK(judge_domains(5, graph).empty());
  ros2::ContextOptions options;
  const auto variable = [](const char*) { return "10.9.0.1"; };
  CHECK(told(judge_unused_servers(options, variable), Grade::note, "is set but not used"));
  options.servers = {{0, "10.9.0.1"}};
  CHECK(judge_unused_servers(options, variable).empty());
  options.servers = {{0, "10.9.0.2"}};
  CHECK(told(judge_unused_servers(options, variable), Grade::note, "other servers are configured"));
  CHECK(judge_unused_servers(options, [](const char*) -> const char* { return nullptr; }).empty());
}

TEST_CASE("the way to a device and its port are tried") {
  CHECK(*net::own_address_towards("127.0.0.1", now() + 3s) == "127.0.0.1");
  CHECK_FALSE(net::own_address_towards("no-such-host.invalid", now() + 3s));
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  runtime::MachineConfig machine;
  machine.name = "lift";
  machine.type = runtime::all_machines().find("raptorlift");
  machine.device = "modbus://127.0.0.1:" + std::to_string(listener->local().port);
  CHECK(told(look_at_device(machine, 5s), Grade::fine, "is open"));
  listener->close();
  const Findings refused = look_at_device(machine, 5s);
  CHECK_FALSE(all_well(refused));
  CHECK(told(refused, Grade::wrong, "127.0.0.1"));
  machine.is_virtual = true;
  CHECK(told(look_at_device(machine, 5s), Grade::fine, "virtual"));
}

TEST_CASE("a port that is taken is told") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  runtime::Config config;
  config.web.listen = listener->local().text();
  CHECK(told(look_at_ports(config), Grade::note, "page"));
  listener->close();
  CHECK(told(look_at_ports(config), Grade::fine, "is free"));
}

TEST_CASE("a vehicle that calls us needs our port, and a serial line must be there") {
  runtime::MachineConfig machine;
  machine.name = "sub";
  machine.type = runtime::all_machines().find("orca");
  auto taken = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(taken);
  machine.device = "mavlink://127.0.0.1:" + std::to_string(taken->local().port) + "?link=udpin";
  CHECK(told(look_at_device(machine, 1s), Grade::note, "UDP 127.0.0.1"));
  taken->close();
  CHECK(told(look_at_device(machine, 1s), Grade::fine, "is free"));
  machine.device = "mavlink://line?link=serial&device=/dev/no-such-line";
  CHECK(told(look_at_device(machine, 1s), Grade::wrong, "/dev/no-such-line does not exist"));
}

TEST_CASE("a robot whose RTDE answers is asked for its other ports too") {
  auto rtde = net::TcpListener::listen("127.0.0.1", 0), gone = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(rtde);
  REQUIRE(gone);
  const std::string open = std::to_string(rtde->local().port), closed = std::to_string(gone->local().port);
  gone->close();
  runtime::MachineConfig machine;
  machine.name = "arm";
  machine.type = runtime::all_machines().find("ur3e");
  machine.device = "rtde://127.0.0.1:" + open + "?primary=" + open + "&dashboard=" + closed + "&gripper=" + closed;
  const Findings findings = look_at_device(machine, 5s);
  CHECK(all_well(findings));
  CHECK(told(findings, Grade::fine, "primary"));
  CHECK(told(findings, Grade::note, "dashboard"));
  CHECK(told(findings, Grade::note, "gripper"));
}

TEST_CASE("why a machine does not move is told with what would let it") {
  runtime::MachineStatus machine;
  machine.name = "lift", machine.state = "live", machine.quality = "live", machine.moves = true;
  const auto said = [&](const char* arm, const char* cause, const char* by) {
    machine.arm = arm, machine.arm_cause = cause, machine.arm_by = by;
    return findings_text(judge_machine(machine));
  };
  CHECK(said("armed", "armed", "you").find("does not move") == std::string::npos);
  CHECK(said("disarmed", "never armed", "")
            .find("disarmed: never armed; it does not move by itself\n       -> tandem arm lift\n") !=
        std::string::npos);
  CHECK(said("stopped", "stop requested", "the page").find("-> tandem reset lift; tandem arm lift\n") !=
        std::string::npos);
  machine.quality = "stale";
  machine.cause = "no live sample for 900 ms";
  CHECK(said("disarmed", "link lost", "link").find("-> once it is live: tandem arm lift") != std::string::npos);
  CHECK(told(judge_machine(machine), Grade::wrong, "stale: no live sample"));
  machine.state = "faulted";
  CHECK(findings_text(judge_machine(machine)).find("does not recover by itself") != std::string::npos);
}

}  // namespace tandem::app::doctor
