// SPDX-License-Identifier: Apache-2.0
// `tandem ros` from outside, against nodes in this process, on loopback in a domain of its own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tandem/ros2/calls/action_server.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/messages/type_description_interfaces.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"
#include "tandem/ros2/types/dynamic.hpp"
#include "tests/app/process.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::app {

namespace {

using ros2::Qos;

struct Ran {
  int code = 0;
  std::string output;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A domain with a node in it, and the command line beside it.
struct Domain {
  ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context context{options};
  ros2::FullNode node{context, "peer", "/lab"};

  std::vector<std::string> arguments(std::vector<std::string> words) const {
    words.insert(words.begin(), "ros");
    words.insert(words.end(), {"--domain", std::to_string(options.domain)});
    return words;
  }
  Ran run(const std::vector<std::string>& words) const {
    Process process(TANDEM_PROGRAM, arguments(words));
    const int code = process.finish(40s);
    return {code, process.output()};
  }
  // Again while a machine under load was too slow to discover us.
  Ran until(const std::string& part, const std::vector<std::string>& words) const {
    Ran ran;
    for (int attempt = 0; attempt < 5 && !contains(ran.output, part); ++attempt) ran = run(words);
    CHECK_MESSAGE(contains(ran.output, part), ran.output);
    return ran;
  }
};

// Calls again and again, until it goes.
class Repeating {
 public:
  Repeating(Duration period, std::function<void()> task)
      : thread_([this, period, task = std::move(task)] {
          for (Instant next = system_clock().now(); !done_; next += period) {
            task();
            system_clock().sleep_until(next);
          }
        }) {}
  ~Repeating() {
    done_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace

TEST_CASE("every command of ros explains itself with examples") {
  const std::vector<std::vector<std::string>> commands = {
      {"topic", "list"},     {"topic", "info"},       {"topic", "type"},   {"topic", "find"},   {"topic", "echo"},
      {"topic", "hz"},       {"topic", "bw"},         {"topic", "delay"},  {"topic", "pub"},    {"node", "list"},
      {"node", "info"},      {"service", "list"},     {"service", "type"}, {"service", "call"}, {"action", "list"},
      {"action", "info"},    {"action", "send_goal"}, {"param", "list"},   {"param", "get"},    {"param", "set"},
      {"param", "describe"}, {"param", "dump"},       {"tf", "echo"},      {"tf", "tree"},      {"tf", "monitor"}};
  for (const auto& words : commands) {
    CAPTURE(words);
    Process process(TANDEM_PROGRAM, {"ros", words[0], words[1], "--help"});
    CHECK(process.finish(20s) == 0);
    CHECK(contains(process.output(), fmt::format("tandem ros {} {}", words[0], words[1])));
    CHECK(contains(process.output(), "--domain"));
  }
  Process help(TANDEM_PROGRAM, {"ros", "--help"});
  CHECK(help.finish(20s) == 0);
  CHECK(contains(help.output(), "range LOCALHOST"));
  Process wrong(TANDEM_PROGRAM, {"ros", "topic", "ehco"});
  CHECK(wrong.finish(20s) == 2);
  CHECK(contains(wrong.output(), "unknown command 'ehco'; did you mean 'echo'?"));
}

TEST_CASE("topics and nodes are listed as ros2 lists them") {
  Domain domain;
  const auto states = domain.node.advertise<ros2::sensor_msgs::JointState>("/joint_states", Qos::sensor_data());
  const auto latched = domain.node.advertise<ros2::std_msgs::String>("robot", Qos::latched());
  const auto hidden = domain.node.advertise<ros2::std_msgs::String>("/_secret");
  const auto heard =
      domain.node.subscribe<ros2::std_msgs::Float64>("/speed", Qos::standard(), [](const auto&, auto&) {});
  const ros2::Service<ros2::std_srvs::Trigger> service(domain.node, "home",
                                                       [](const auto&) { return ros2::std_srvs::Trigger::Response{}; });

  CHECK(contains(domain.until("/speed\n", {"topic", "list"}).output, "/joint_states\n/lab/robot\n/parameter_events\n"));
  CHECK_FALSE(contains(domain.run({"topic", "list"}).output, "secret"));
  CHECK(contains(domain.until("/_secret [std_msgs/msg/String]\n", {"topic", "list", "-a", "-t"}).output,
                 "/joint_states [sensor_msgs/msg/JointState]\n"));
  const Ran verbose = domain.until(" * /speed [std_msgs/msg/Float64] 1 subscriber\n", {"topic", "list", "-v"});
  CHECK(contains(verbose.output, " * /lab/robot [std_msgs/msg/String] 1 publisher\n"));
  CHECK(domain.until("Publisher", {"topic", "info", "/lab/robot"}).output ==
        "Type: std_msgs/msg/String\nPublisher count: 1\nSubscription count: 0\n");
  const Ran info = domain.until("Node name: peer\n", {"topic", "info", "lab/robot", "--verbose"});
  CHECK(info.code == 0);
  CHECK(contains(info.output,
                 "Type: std_msgs/msg/String\n\nPublisher count: 1\n\nNode name: peer\nNode namespace: /lab\n"
                 "Topic type: std_msgs/msg/String\nTopic type hash: "
                 "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18\n"
                 "Endpoint type: PUBLISHER\nGID: 01.0f."));
  CHECK(contains(info.output,
                 "QoS profile:\n  Reliability: RELIABLE\n  History (Depth): UNKNOWN\n  Durability: TRANSIENT_LOCAL\n"
                 "  Lifespan: Infinite\n  Deadline: Infinite\n  Liveliness: AUTOMATIC\n"
                 "  Liveliness lease duration: Infinite\n\nSubscription count: 0\n"));
  CHECK(domain.until("sensor", {"topic", "type", "/joint_states"}).output == "sensor_msgs/msg/JointState\n");
  CHECK(domain.until("/lab", {"topic", "find", "std_msgs/String"}).output == "/lab/robot\n");
  CHECK(domain.until("peer", {"node", "list"}).output == "/lab/peer\n");
  const Ran node = domain.until("/lab/home: std_srvs/srv/Trigger\n", {"node", "info", "/lab/peer"});
  CHECK(contains(node.output, "/lab/peer\n  Subscribers:\n"));
  CHECK(contains(node.output,
                 "    /speed: std_msgs/msg/Float64\n  Publishers:\n    /joint_states: sensor_msgs/msg/JointState\n"));
  CHECK(contains(node.output, "  Action Clients:\n\n"));

  const Ran unknown = domain.until("did you mean '/lab/robot'?", {"topic", "info", "/lab/robto"});
  CHECK(unknown.code == 1);
  CHECK(domain.until("did you mean '/lab/peer'?", {"node", "info", "/lab/pear"}).code == 1);
  CHECK(domain.run({"topic", "info", "/a b"}).code == 2);
}

TEST_CASE("messages are echoed whole or by field and an interrupt ends it cleanly") {
  Domain domain;
  const auto robot = domain.node.advertise<ros2::std_msgs::String>("/robot", Qos::latched());
  ros2::std_msgs::String text;
  text.data = "two: words";
  REQUIRE(robot.publish(text));
  CHECK(domain.until("data", {"topic", "echo", "/robot", "--once"}).output == "data: 'two: words'\n---\n");
  CHECK(domain.until("two", {"topic", "echo", "/robot", "--once", "--field", "data"}).output == "two: words\n---\n");
  CHECK(domain.until("two", {"topic", "echo", "/robot", "--once", "--csv"}).output == "two: words\n");
  CHECK(
      contains(domain.until("---", {"topic", "echo", "/robot", "--once", "--raw"}).output, "00000000  00 01 00 00 0b"));
  const Ran field = domain.until("did you mean 'data'?", {"topic", "echo", "/robot", "--field", "dta"});
  CHECK(field.code == 2);
  const Ran missing = domain.until("did you mean '/robot'?", {"topic", "echo", "/robto"});
  CHECK(missing.code == 1);
  CHECK(contains(missing.output, "tandem: unknown topic /robto; did you mean '/robot'? (available: "));

  // Best effort beside reliable: heard as best effort, so that both are.
  const auto first = domain.node.advertise<ros2::std_msgs::Float64>("/speed", Qos::sensor_data());
  const auto second = domain.node.advertise<ros2::std_msgs::Float64>("/speed");
  const Repeating sending(20ms, [&] {
    first.publish({1.0});
    second.publish({2.0});
  });
  Process echo(TANDEM_PROGRAM, domain.arguments({"topic", "echo", "/speed"}));
  CHECK_MESSAGE(echo.says("data: 1.0\n---\n", 40s), echo.output());
  CHECK_MESSAGE(echo.says("data: 2.0\n---\n", 40s), echo.output());
  // As rmw does, it gives the hash of the type that it reads.
  const std::string hash = ros2::type_support<ros2::std_msgs::Float64>().hash;
  CHECK(ros2::eventually([&] {
    return std::ranges::any_of(domain.context.graph().endpoints, [&](const ros2::GraphEndpoint& endpoint) {
      return endpoint.topic == "/speed" && !endpoint.writes && !endpoint.local && endpoint.type_hash == hash;
    });
  }));
  echo.signal(SIGINT);
  CHECK(echo.finish(10s) == 0);
  CHECK(contains(domain.until("---\n", {"topic", "echo", "/speed", "--times", "3"}).output, "---\n"));
}

TEST_CASE("rates and sizes and delays of messages are measured") {
  Domain domain;
  const auto states = domain.node.advertise<ros2::sensor_msgs::JointState>("/states");
  const Repeating sending(50ms, [&] {
    ros2::sensor_msgs::JointState state;
    state.header.stamp = ros2::message_from(system_clock().utc());
    state.position.resize(100);
    states.publish(state);
  });
  const Ran rate = domain.until("average rate: ", {"topic", "hz", "/states", "--for", "3.5"});
  const double average = std::strtod(rate.output.c_str() + rate.output.find("average rate: ") + 14, nullptr);
  CHECK(average > 5.0);
  CHECK(average < 80.0);
  CHECK(contains(rate.output, "\n\tmin: 0."));
  CHECK(contains(rate.output, "s window: "));
  const Ran bandwidth = domain.until("/s from ", {"topic", "bw", "/states", "--for", "2.5"});
  CHECK(contains(bandwidth.output, "Subscribed to [/states]\n"));
  CHECK(contains(bandwidth.output, "\tMessage size mean: 0.84 KB min: 0.84 KB max: 0.84 KB\n"));
  CHECK(contains(domain.until("average delay: ", {"topic", "delay", "/states", "--for", "2.5"}).output,
                 "average delay: 0."));
  const auto speed = domain.node.advertise<ros2::std_msgs::Float64>("/speed");
  CHECK(domain.until("std_msgs/msg/Float64 has no header", {"topic", "delay", "/speed"}).code == 1);
}

TEST_CASE("messages typed as YAML are published and wrong ones are refused") {
  Domain domain;
  std::atomic<int> heard = 0;
  std::mutex mutex;
  ros2::sensor_msgs::JointState last;
  const auto subscription = domain.node.subscribe<ros2::sensor_msgs::JointState>(
      "/states", Qos::standard(), [&](const ros2::sensor_msgs::JointState& state, const auto&) {
        const std::lock_guard lock(mutex);
        last = state;
        ++heard;
      });
  const Ran once = domain.run(
      {"topic", "pub", "--once", "/states", "sensor_msgs/JointState", "{header: auto, name: [a], position: [1]}"});
  CHECK(once.code == 0);
  CHECK_MESSAGE(contains(once.output, "publisher: beginning loop\npublishing #1: sensor_msgs.msg.JointState(header="),
                once.output);
  CHECK(ros2::eventually([&] { return heard > 0; }));
  {
    const std::lock_guard lock(mutex);
    CHECK(last.name == std::vector<std::string>{"a"});
    CHECK(last.position == std::vector<double>{1.0});
    CHECK(last.header.stamp.sec > 1'600'000'000);
  }
  const int before = heard;
  CHECK(domain.run({"topic", "pub", "-t", "3", "-r", "50", "-p", "0", "/states", "sensor_msgs/msg/JointState"}).code ==
        0);
  CHECK(ros2::eventually([&] { return heard == before + 3; }));

  const Ran wrong = domain.run({"topic", "pub", "/states", "sensor_msgs/msg/JointState", "{position: [1, abc]}"});
  CHECK(wrong.code == 2);
  CHECK(wrong.output == "tandem: position[1]: expected float64, got \"abc\"\n");
  const Ran type = domain.run({"topic", "pub", "/states", "sensor_msgs/msg/JointSate", "{}"});
  CHECK(type.code == 2);
  CHECK(type.output == "tandem: unknown type sensor_msgs/msg/JointSate; did you mean 'sensor_msgs/msg/JointState'?\n");
  const Ran nobody = domain.run({"topic", "pub", "--once", "--max-wait-time", "0.5", "/alone", "std_msgs/msg/Empty"});
  CHECK(nobody.code == 1);
  CHECK(contains(nobody.output, "/alone: 0 of 1 subscriptions matched within 0.5 s"));
}

TEST_CASE("a discovery server elsewhere contradicts a range that ends at this computer and is ignored") {
  Domain domain;
  setenv("ROS_DISCOVERY_SERVER", "198.51.100.7:11811", 1);
  setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
  const Ran listed = domain.until("/lab/peer\n", {"node", "list"});
  unsetenv("ROS_AUTOMATIC_DISCOVERY_RANGE");
  unsetenv("ROS_DISCOVERY_SERVER");
  CHECK(listed.code == 0);
  CHECK(contains(listed.output,
                 "tandem: discovery localhost and discovery server 0 at 198.51.100.7:11811 contradict each other"));
}

TEST_CASE("a discovery server on loopback that does not answer ends nothing") {
  Domain domain;
  setenv("ROS_DISCOVERY_SERVER", "127.0.0.1:9", 1);
  const Ran listed = domain.run({"node", "list"});
  unsetenv("ROS_DISCOVERY_SERVER");
  CHECK(listed.code == 0);
  CHECK_FALSE(contains(listed.output, "/lab/peer"));
}

TEST_CASE("a type that is not compiled in is asked of the node that publishes it") {
  Domain domain;
  namespace described = ros2::type_description_interfaces;
  const ros2::TypeDescription odd{"test_msgs/msg/Odd",
                                  {{.name = "number", .type_id = 11}, {.name = "names", .type_id = 17 + 144}}};
  const std::string hash = ros2::type_hash(odd, {});
  const auto type = ros2::make_dynamic_type(odd, {});
  REQUIRE(type.ok());
  ros2::Value value{ros2::Value::Kind::map, {}, false, {"number"}, {{ros2::Value::Kind::scalar, "2.5"}}};
  const auto bytes = write_message(*type, value);
  REQUIRE(bytes.ok());

  ros2::Node node(domain.context, "odd");
  const auto publisher = node.advertise_raw("/odd", odd.name, hash, Qos::latched());
  REQUIRE(publisher.publish(*bytes));
  const Ran hex = domain.until("bytes are shown", {"topic", "echo", "/odd", "--once"});
  CHECK(hex.code == 0);
  CHECK(contains(hex.output, "unknown type test_msgs/msg/Odd"));
  CHECK(contains(hex.output, "00000000  00 01 00 00 00 00 00 00 00 00 04 40 00 00 00 00\n---\n"));

  const ros2::Service<described::GetTypeDescription> service(
      node, "~/get_type_description", [&](const described::GetTypeDescription::Request& request) {
        described::GetTypeDescription::Response response;
        response.successful = request.described_name == odd.name && request.type_hash == hash;
        auto& told = response.type_description.type_description;
        told.described_name = odd.name;
        for (const ros2::FieldDescription& field : odd.fields) {
          described::Field one;
          one.name = field.name;
          one.type.type_id = static_cast<std::uint8_t>(field.type_id);
          told.described_fields.push_back(one);
        }
        return response;
      });
  const Ran echo = domain.until("number: 2.5\nnames: []\n---\n", {"topic", "echo", "/odd", "--once"});
  CHECK(echo.code == 0);
}

TEST_CASE("a service whose type is not compiled in is called as its node describes it") {
  Domain domain;
  namespace described = ros2::type_description_interfaces;
  const ros2::TypeDescription request{"test_msgs/srv/Odd_Request", {{.name = "number", .type_id = 11}}};
  const ros2::TypeDescription response{"test_msgs/srv/Odd_Response", {{.name = "half", .type_id = 11}}};
  ros2::Node node(domain.context, "odd");
  const auto answer = [&](Bytes cdr, const ros2::MessageInfo&, const ros2::AnyReply& reply) -> const char* {
    double number = 0;
    if (cdr.size() != 12) return "expected a number";
    std::memcpy(&number, cdr.data() + 4, 8);
    number /= 2;
    std::vector<std::uint8_t> bytes(cdr.begin(), cdr.end());
    std::memcpy(bytes.data() + 4, &number, 8);
    reply.send_raw(bytes);
    return nullptr;
  };
  const ros2::AnyService service(
      node, "/half", {"test_msgs/srv/Odd", ros2::type_hash(request, {}), ros2::type_hash(response, {})}, answer);
  const std::vector<std::string> call = {"service", "call", "/half", "test_msgs/srv/Odd", "{number: 5}"};
  const Ran unknown = domain.until("unknown type test_msgs/srv/Odd", call);
  CHECK(unknown.code == 2);

  const ros2::Service<described::GetTypeDescription> describing(
      node, "~/get_type_description", [&](const described::GetTypeDescription::Request& asked) {
        described::GetTypeDescription::Response told;
        for (const ros2::TypeDescription& type : {request, response}) {
          if (type.name != asked.described_name || ros2::type_hash(type, {}) != asked.type_hash) continue;
          told.successful = true;
          told.type_description.type_description.described_name = type.name;
          auto& field = told.type_description.type_description.described_fields.emplace_back();
          field.name = type.fields[0].name;
          field.type.type_id = static_cast<std::uint8_t>(type.fields[0].type_id);
        }
        return told;
      });
  const Ran called = domain.until("Odd_Response(half=2.5)", call);
  CHECK(called.code == 0);
}

// Nodes of rcl describe a service or an action only as a whole, by a hash that discovery does not give.
TEST_CASE("an action whose type is not compiled in is found in the ROS installation") {
  Domain domain;
  using ros2::TypeDescription;
  const std::string spin = "test_msgs/action/Spin", id = "unique_identifier_msgs/msg/UUID";
  const ros2::FieldDescription goal_id{.name = "goal_id", .type_id = 1, .nested = id};
  const TypeDescription uuid{id, {{.name = "uuid", .type_id = 51, .capacity = 16}}};
  const TypeDescription time{"builtin_interfaces/msg/Time",
                             {{.name = "sec", .type_id = 6}, {.name = "nanosec", .type_id = 7}}};
  const auto number = [&](const char* part, const char* name) {
    return TypeDescription{spin + part, {{.name = name, .type_id = 11}}};
  };
  const TypeDescription goal = number("_Goal", "angle"), result = number("_Result", "turned"),
                        feedback = number("_Feedback", "so_far");
  const TypeDescription send_request{spin + "_SendGoal_Request",
                                     {goal_id, {.name = "goal", .type_id = 1, .nested = goal.name}}};
  const TypeDescription send_response{
      spin + "_SendGoal_Response",
      {{.name = "accepted", .type_id = 15}, {.name = "stamp", .type_id = 1, .nested = time.name}}};
  const TypeDescription result_request{spin + "_GetResult_Request", {goal_id}};
  const TypeDescription result_response{
      spin + "_GetResult_Response",
      {{.name = "status", .type_id = 2}, {.name = "result", .type_id = 1, .nested = result.name}}};
  const TypeDescription message{spin + "_FeedbackMessage",
                                {goal_id, {.name = "feedback", .type_id = 1, .nested = feedback.name}}};

  ros2::Node node(domain.context, "spinner");
  double angle = 0;
  const ros2::AnyService send(
      node, "/spin/_action/send_goal",
      {spin + "_SendGoal", type_hash(send_request, {uuid, goal}), type_hash(send_response, {time})},
      [&](Bytes cdr, const ros2::MessageInfo&, const ros2::AnyReply& reply) -> const char* {
        if (cdr.size() != 4 + 16 + 8) return "expected a goal";
        std::memcpy(&angle, cdr.data() + 20, 8);
        reply.send_raw({0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
        return nullptr;
      });
  const ros2::AnyService get(
      node, "/spin/_action/get_result",
      {spin + "_GetResult", type_hash(result_request, {uuid}), type_hash(result_response, {result})},
      [&](Bytes, const ros2::MessageInfo&, const ros2::AnyReply& reply) -> const char* {
        std::vector<std::uint8_t> bytes{0, 1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        std::memcpy(bytes.data() + 12, &angle, 8);
        reply.send_raw(bytes);
        return nullptr;
      });
  const auto told = node.advertise_raw("/spin/_action/feedback", message.name, type_hash(message, {uuid, feedback}));

  const auto json = [](const TypeDescription& type) {
    std::string fields;
    for (const ros2::FieldDescription& field : type.fields) {
      fields += fmt::format(
          R"({}{{"name":"{}","type":{{"type_id":{},"capacity":{},"string_capacity":0,"nested_type_name":"{}"}},)"
          R"("default_value":""}})",
          fields.empty() ? "" : ",", field.name, field.type_id, field.capacity, field.nested);
    }
    return fmt::format(R"({{"type_name":"{}","fields":[{}]}})", type.name, fields);
  };
  std::string others;
  for (const TypeDescription& type :
       {uuid, time, goal, result, feedback, send_request, send_response, result_request, result_response, message}) {
    others += (others.empty() ? "" : ",") + json(type);
  }
  const std::filesystem::path prefix = std::filesystem::temp_directory_path() / fmt::format("tandem_ros_{}", getpid());
  std::filesystem::create_directories(prefix / "share/test_msgs/action");
  std::ofstream(prefix / "share/test_msgs/action/Spin.json")
      << fmt::format(R"({{"type_description_msg":{{"type_description":{},"referenced_type_descriptions":[{}]}}}})",
                     json({spin, {}}), others);
  const std::vector<std::string> command = {"action", "send_goal", "/spin", spin, "{angle: 1.25}"};
  unsetenv("AMENT_PREFIX_PATH");
  CHECK(domain.until("unknown type " + spin, command).code == 2);
  setenv("AMENT_PREFIX_PATH", ("/nowhere:" + prefix.string()).c_str(), 1);
  const Ran sent = domain.until("SUCCEEDED", command);
  unsetenv("AMENT_PREFIX_PATH");
  std::filesystem::remove_all(prefix);
  CHECK(sent.code == 0);
  CHECK(contains(sent.output, "turned: 1.25"));
}

TEST_CASE("services are listed and called with YAML") {
  Domain domain;
  const ros2::Service<ros2::std_srvs::SetBool> service(domain.node, "/light", [](const auto& request) {
    ros2::std_srvs::SetBool::Response response;
    response.success = request.data;
    response.message = request.data ? "on" : "off";
    return response;
  });
  CHECK(contains(domain.until("/light [std_srvs/srv/SetBool]\n", {"service", "list", "-t"}).output,
                 "/lab/peer/get_parameters [rcl_interfaces/srv/GetParameters]\n"));
  CHECK(domain.until("SetBool", {"service", "type", "light"}).output == "std_srvs/srv/SetBool\n");
  CHECK(domain.until("light", {"service", "find", "std_srvs/SetBool"}).output == "/light\n");
  const Ran called = domain.until("response", {"service", "call", "/light", "std_srvs/srv/SetBool", "{data: true}"});
  CHECK(called.code == 0);
  CHECK(called.output ==
        "requester: making request: std_srvs.srv.SetBool_Request(data=True)\n\n"
        "response:\nstd_srvs.srv.SetBool_Response(success=True, message='on')\n\n");
  const Ran type = domain.until("/light is of type std_srvs/srv/SetBool, not std_srvs/srv/Trigger",
                                {"service", "call", "/light", "std_srvs/srv/Trigger"});
  CHECK(type.code == 2);
  CHECK(domain
            .until("data: expected bool, got \"perhaps\"",
                   {"service", "call", "/light", "std_srvs/srv/SetBool", "{data: perhaps}"})
            .code == 2);
  const Ran nobody =
      domain.until("did you mean '/light'?", {"service", "call", "/ligth", "std_srvs/srv/SetBool", "--timeout", "2"});
  CHECK(nobody.code == 1);
}

TEST_CASE("goals are sent with feedback and an interrupt cancels them") {
  using Gripper = ros2::control_msgs::GripperCommandAction;
  Domain domain;
  std::mutex mutex;
  std::vector<ros2::ServerGoal<Gripper>> held;
  ros2::ActionServer<Gripper>::Handlers handlers;
  handlers.accept = [](const Gripper::Goal& goal) { return goal.command.position >= 0; };
  handlers.execute = [&](const ros2::ServerGoal<Gripper>& goal) {
    Gripper::Feedback feedback;
    feedback.position = 0.01;
    goal.publish_feedback(feedback);
    if (goal.goal().command.max_effort > 5) {
      const std::lock_guard lock(mutex);
      held.push_back(goal);
      return;
    }
    Gripper::Result result;
    result.position = goal.goal().command.position;
    result.reached_goal = true;
    goal.succeed(result);
  };
  const ros2::ActionServer<Gripper> server(domain.node, "/gripper", handlers);
  const std::string type = "control_msgs/action/GripperCommand";

  CHECK(domain.until("gripper", {"action", "list", "-t"}).output == "/gripper [control_msgs/action/GripperCommand]\n");
  CHECK(domain.until("/lab/peer", {"action", "info", "/gripper"}).output ==
        "Action: /gripper\nAction clients: 0\nAction servers: 1\n    /lab/peer\n");
  const Ran sent =
      domain.until("SUCCEEDED", {"action", "send_goal", "/gripper", type, "{command: {position: 0.5}}", "-f"});
  CHECK(sent.code == 0);
  CHECK(contains(sent.output,
                 "Sending goal:\n    command:\n      position: 0.5\n      max_effort: 0.0\n\nGoal accepted with ID: "));
  CHECK(contains(sent.output,
                 "Result:\n    position: 0.5\n    effort: 0.0\n    stalled: false\n    reached_goal: true\n\n"
                 "Goal finished with status: SUCCEEDED\n"));
  CHECK(domain.until("rejected", {"action", "send_goal", "/gripper", type, "{command: {position: -1}}"}).code == 1);
  CHECK(domain
            .until("command.position: expected float64, got \"x\"",
                   {"action", "send_goal", "/gripper", type, "{command: {position: x}}"})
            .code == 2);
  CHECK(domain.until("did you mean '/gripper'?", {"action", "send_goal", "/griper", type, "--timeout", "2"}).code == 1);

  Process running(TANDEM_PROGRAM,
                  domain.arguments({"action", "send_goal", "/gripper", type, "{command: {max_effort: 9}}", "-f"}));
  REQUIRE_MESSAGE(running.says("Goal accepted", 40s), running.output());
  REQUIRE(ros2::eventually([&] {
    const std::lock_guard lock(mutex);
    return !held.empty();
  }));
  running.signal(SIGINT);
  CHECK_MESSAGE(running.says("Goal canceled.\n", 20s), running.output());
  CHECK(running.finish(10s) == 130);
  const std::lock_guard lock(mutex);
  CHECK(ros2::eventually([&] { return held.front().canceling(); }));
  held.clear();
}

TEST_CASE("parameters are listed and read and set and described") {
  Domain domain;
  ros2::ParameterOptions speed;
  speed.description = "how fast";
  speed.range = {{0.0, 2.0, 0.0}};
  domain.node.parameters().declare("speed", 1.5, speed);
  domain.node.parameters().declare("arm.joints", std::vector<std::string>{"a", "b"});
  domain.node.parameters().declare("name", std::string("yes"));
  CHECK(domain.until("speed", {"param", "list"}).output ==
        "/lab/peer:\n  arm.joints\n  name\n  speed\n  use_sim_time\n");
  CHECK(domain.until("speed", {"param", "list", "/lab/peer", "--param-type"})
            .output.ends_with("  arm.joints (type: string array)\n  name (type: string)\n  speed (type: double)\n"
                              "  use_sim_time (type: boolean)\n"));
  // On a busy computer a line about waiting for the service may come first.
  CHECK(domain.until("value", {"param", "get", "/lab/peer", "speed"}).output.ends_with("Double value is: 1.5\n"));
  CHECK(
      domain.until("'a'", {"param", "get", "/lab/peer", "arm.joints", "--hide-type"}).output.ends_with("['a', 'b']\n"));
  CHECK(domain.until("successful", {"param", "set", "/lab/peer", "speed", "2"}).code == 0);
  CHECK(domain.node.parameters().value<double>("speed") == 2.0);
  const Ran range = domain.until("setting the parameter failed", {"param", "set", "/lab/peer", "speed", "3"});
  CHECK(range.code == 1);
  CHECK(domain.until("speed", {"param", "describe", "/lab/peer", "speed"})
            .output.ends_with("Parameter name: speed\n  Type: double\n  Description: how fast\n  Constraints:\n"
                              "    Min value: 0.0\n    Max value: 2.0\n"));
  CHECK(domain.until("ros__parameters", {"param", "dump", "/lab/peer"})
            .output.ends_with("/lab/peer:\n  ros__parameters:\n    arm:\n      joints: [a, b]\n    name: 'yes'\n"
                              "    speed: 2.0\n    use_sim_time: false\n"));
  CHECK(domain.until("did you mean 'speed'?", {"param", "get", "/lab/peer", "sped"}).code == 1);
  CHECK(domain
            .until("unknown node /lab/pear; did you mean '/lab/peer'?",
                   {"param", "get", "/lab/pear", "speed", "--timeout", "2"})
            .code == 1);
}

TEST_CASE("frames are shown as a tree and where one is in another") {
  Domain domain;
  ros2::StaticTfBroadcaster broadcaster(domain.node);
  ros2::geometry_msgs::TransformStamped camera;
  camera.header.frame_id = "base";
  camera.child_frame_id = "camera";
  camera.transform.translation.x = 1.5;
  camera.transform.rotation.z = camera.transform.rotation.w = 0.7071067811865476;
  REQUIRE(broadcaster.send(camera));
  const Ran echo = domain.until("At time", {"tf", "echo", "base", "camera", "--once"});
  CHECK(contains(
      echo.output,
      "- Translation: [1.500, 0.000, 0.000]\n- Rotation: in Quaternion (xyzw) [0.000, 0.000, 0.707, 0.707]\n"
      "- Rotation: in RPY (radian) [0.000, 0.000, 1.571]\n- Rotation: in RPY (degree) [0.000, 0.000, 90.000]\n"));
  CHECK(contains(domain.until("camera", {"tf", "tree"}).output, "base: root\n  camera: static"));
  CHECK(contains(domain.until("camera", {"tf", "monitor", "--for", "2.5"}).output, "---\n"));
  CHECK(domain.until("camra", {"tf", "echo", "base", "camra", "--for", "1"}).code == 1);
}

}  // namespace tandem::app
