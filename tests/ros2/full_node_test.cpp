// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/full_node.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <mutex>

#include "tandem/ros2/messages/registry.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using rcl_interfaces::DescribeParameters, rcl_interfaces::GetParameters, rcl_interfaces::GetParameterTypes,
    rcl_interfaces::ListParameters, rcl_interfaces::Log, rcl_interfaces::ParameterEvent, rcl_interfaces::ParameterType,
    rcl_interfaces::SetParameters, rcl_interfaces::SetParametersAtomically;

ParameterOptions between(double least, double most, double step = 0.0) {
  ParameterOptions options;
  options.range = {least, most, step};
  return options;
}

// The messages of a topic, as they come.
template <Message M>
struct Heard {
  Heard(Node& node, const std::string& topic, const Qos& qos)
      : subscription(node.subscribe<M>(topic, qos, [this](const M& message, const MessageInfo&) {
          const std::lock_guard lock(mutex);
          messages.push_back(message);
        })) {}
  template <typename Predicate>
  bool eventually_has(Predicate predicate) {
    return eventually([&] {
      const std::lock_guard lock(mutex);
      return std::ranges::any_of(messages, predicate);
    });
  }
  std::mutex mutex;
  std::vector<M> messages;
  Subscription subscription;
};

}  // namespace

TEST_CASE("a parameter keeps its type and range and word") {
  ParameterStore store;
  store.declare("gain", 2.5, between(0.0, 10.0));
  store.declare("count", std::int64_t{4}, between(0, 10, 2));
  store.declare("frame", std::string("base"));
  ParameterOptions fixed;
  fixed.read_only = true;
  store.declare("device", std::string("ads://"), fixed);
  ParameterOptions even;
  even.check = [](const ParameterValue& value) -> Result<void> {
    if (std::get<std::int64_t>(value) % 2 == 0) return {};
    return Error{Fault::invalid, "must be even"};
  };
  store.declare("even", std::int64_t{0}, even);

  const auto refusal = [&](const char* name, ParameterValue value) {
    const auto result = store.set(name, std::move(value));
    return result.ok() ? "" : result.error().text;
  };
  CHECK(refusal("gain", 7.5).empty());
  CHECK(store.value<double>("gain") == 7.5);
  CHECK(refusal("gain", std::int64_t{3}).empty());  // people write 3 and mean 3.0
  CHECK(store.value<double>("gain") == 3.0);
  CHECK(refusal("gain", 10.5) == "parameter 'gain': 10.5 is not between 0 and 10");
  CHECK(refusal("gain", std::nan("")) == "parameter 'gain': nan is not between 0 and 10");
  CHECK(refusal("gain", std::string("high")) ==
        "parameter 'gain' is of type double; it cannot be set to one of type string");
  CHECK(refusal("count", std::int64_t{5}) == "parameter 'count': 5 is no whole step of 2 from 0");
  CHECK(refusal("count", std::int64_t{6}).empty());
  CHECK(refusal("count", 6.0) == "parameter 'count' is of type integer; it cannot be set to one of type double");
  CHECK(refusal("device", std::string("x")) == "parameter 'device' is read-only");
  CHECK(refusal("even", std::int64_t{1}) == "must be even");
  CHECK(refusal("frame", {}) == "parameter 'frame' is of type string; it cannot be set to one of type not set");
  CHECK(refusal("gian", 1.0).starts_with("parameter 'gian' is not declared; did you mean 'gain'?"));
  CHECK(store.value<double>("gain") == 3.0);

  CHECK_FALSE(store.set_all({{"gain", 1.0}, {"count", std::int64_t{99}}}).ok());
  CHECK(store.value<double>("gain") == 3.0);  // all or none
  CHECK(store.set_all({{"gain", 1.0}, {"count", std::int64_t{10}}}).ok());
  CHECK(store.value<double>("gain") == 1.0);
}

TEST_CASE("a declaration that cannot be is refused at once") {
  ParameterStore store;
  store.declare("gain", 1.0);
  CHECK_THROWS_WITH(store.declare("gain", 2.0), "parameter 'gain' is declared twice");
  CHECK_THROWS_WITH(store.declare("", 2.0), "a parameter needs a name");
  CHECK_THROWS_WITH(store.declare("none", {}), "parameter 'none' needs a value");
  CHECK_THROWS_WITH(store.declare("far", 5.0, between(0.0, 1.0)), "parameter 'far': 5 is not between 0 and 1");
  CHECK_THROWS_WITH(store.declare("text", std::string("a"), between(0.0, 1.0)),
                    "parameter 'text': a string has no range");
  CHECK_FALSE(store.find("far").has_value());
}

TEST_CASE("parameters are listed by prefix and depth as rcl does") {
  ParameterStore store;
  for (const char* name : {"a", "a.b", "a.b.c", "a.b.d.e", "ab.c", "z"}) store.declare(name, true);
  const auto names = [&](std::vector<std::string> prefixes, std::uint64_t depth) {
    std::string text;
    for (const std::string& name : store.list(prefixes, depth).names) text += name + " ";
    return text;
  };
  CHECK(names({}, 0) == "a a.b a.b.c a.b.d.e ab.c z ");
  CHECK(names({}, 1) == "a z ");
  CHECK(names({}, 2) == "a a.b ab.c z ");
  CHECK(names({"a"}, 0) == "a a.b a.b.c a.b.d.e ");
  CHECK(names({"a.b"}, 1) == "a.b a.b.c ");
  CHECK(names({"q"}, 0).empty());
  CHECK(store.list({}, 0).prefixes == std::vector<std::string>{"a", "a.b", "a.b.d", "ab"});
}

TEST_CASE("every parameter value becomes a message and comes back") {
  const std::vector<ParameterValue> values = {true,
                                              std::int64_t{-3},
                                              2.5,
                                              std::string("text"),
                                              std::vector<std::byte>{std::byte{7}},
                                              std::vector<bool>{true, false},
                                              std::vector<std::int64_t>{1, -2},
                                              std::vector<double>{0.5},
                                              std::vector<std::string>{"a", ""}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const rcl_interfaces::ParameterValue message = message_from(values[i]);
    CHECK(message.type == i + 1);
    CHECK(value_from(message) == values[i]);
  }
  rcl_interfaces::ParameterValue strange;
  strange.type = 77;
  CHECK(value_from(strange).index() == 0);
}

TEST_CASE("parameters are read and described and set from another process") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  FullNode node(here, "platform", "/lab");
  node.parameters().declare("gain", 2.5, between(0.0, 10.0));
  Node tool(there, "tool");
  Heard<ParameterEvent> events(tool, "/parameter_events", Qos::parameters());
  const CallOptions patient{.timeout = 20s, .idempotent = true};

  const auto listed = Client<ListParameters>(tool, "/lab/platform/list_parameters").call({}, patient);
  REQUIRE_MESSAGE(listed.ok(), listed.error().text);
  CHECK(listed->result.names == std::vector<std::string>{"gain", "use_sim_time"});

  GetParameters::Request get;
  get.names = {"gain", "nothing"};
  const auto got = Client<GetParameters>(tool, "/lab/platform/get_parameters").call(get, patient);
  REQUIRE(got.ok());
  REQUIRE(got->values.size() == 2);
  CHECK(got->values[0].double_value == 2.5);
  CHECK(got->values[1].type == ParameterType::PARAMETER_NOT_SET);

  GetParameterTypes::Request types;
  types.names = get.names;
  const auto kinds = Client<GetParameterTypes>(tool, "/lab/platform/get_parameter_types").call(types, patient);
  REQUIRE(kinds.ok());
  CHECK(kinds->types == std::vector<std::uint8_t>{3, 0});

  DescribeParameters::Request describe;
  describe.names = {"gain"};
  const auto described = Client<DescribeParameters>(tool, "/lab/platform/describe_parameters").call(describe, patient);
  REQUIRE(described.ok());
  REQUIRE(described->descriptors.size() == 1);
  REQUIRE(described->descriptors[0].floating_point_range.size() == 1);
  CHECK(described->descriptors[0].floating_point_range[0].to_value == 10.0);

  const Client<SetParameters> setter(tool, "/lab/platform/set_parameters");
  SetParameters::Request set;
  set.parameters = {{"gain", message_from(ParameterValue(4.0))}, {"gain", message_from(ParameterValue(40.0))}};
  const auto results = setter.call(set, patient);
  REQUIRE(results.ok());
  REQUIRE(results->results.size() == 2);
  CHECK(results->results[0].successful);
  CHECK_FALSE(results->results[1].successful);
  CHECK(results->results[1].reason == "parameter 'gain': 40 is not between 0 and 10");
  CHECK(node.parameters().value<double>("gain") == 4.0);
  CHECK(events.eventually_has([](const ParameterEvent& event) {
    return event.node == "/lab/platform" && event.changed_parameters.size() == 1 &&
           event.changed_parameters[0].name == "gain" && event.changed_parameters[0].value.double_value == 4.0;
  }));

  SetParametersAtomically::Request both;
  both.parameters = {{"gain", message_from(ParameterValue(5.0))}, {"gain", message_from(ParameterValue(50.0))}};
  const auto none =
      Client<SetParametersAtomically>(tool, "/lab/platform/set_parameters_atomically").call(both, patient);
  REQUIRE(none.ok());
  CHECK_FALSE(none->result.successful);
  CHECK(node.parameters().value<double>("gain") == 4.0);
}

TEST_CASE("use_sim_time makes a node's stamps follow the clock topic") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  FullNode node(here, "platform");
  Node world(there, "world");
  const ClockPublisher clock(world);
  CHECK(node.clock().utc() > UtcTime(1h));
  REQUIRE(node.parameters().set("use_sim_time", true).ok());
  CHECK(node.clock().utc() == UtcTime{});
  CHECK(eventually([&] {
    clock.publish(UtcTime(42s));
    return node.clock().utc() == UtcTime(42s);
  }));
  REQUIRE(node.parameters().set("use_sim_time", false).ok());
  CHECK(node.clock().utc() > UtcTime(1h));
}

TEST_CASE("what a node says is heard on rosout by a late listener too") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  FullNode node(here, "platform", "/lab");
  node.log(LogLevel::warn, "the cable is out");
  Node tool(there, "tool");
  Heard<Log> heard(tool, "/rosout", Qos::rosout());
  CHECK(heard.eventually_has([](const Log& log) {
    return log.level == Log::WARN && log.name == "lab.platform" && log.msg == "the cable is out" && log.stamp.sec > 0;
  }));
}

TEST_CASE("a node describes its types to those who do not know them") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  FullNode node(here, "platform");
  Node tool(there, "tool");
  using type_description_interfaces::GetTypeDescription;
  const Client<GetTypeDescription> client(tool, "/platform/get_type_description");
  GetTypeDescription::Request request;
  request.described_name = "geometry_msgs/msg/PoseStamped";
  request.type_hash = find_type("geometry_msgs/msg/PoseStamped")->hash;
  request.include_type_sources = true;
  const auto answer = client.call(request, {.timeout = 20s, .idempotent = true});
  REQUIRE_MESSAGE(answer.ok(), answer.error().text);
  CHECK(answer->successful);
  const auto& described = answer->type_description;
  CHECK(described.type_description.described_name == "geometry_msgs/msg/PoseStamped");
  REQUIRE(described.type_description.described_fields.size() == 2);
  CHECK(described.type_description.described_fields[1].type.type_id == 1);
  CHECK(described.type_description.described_fields[1].type.nested_type_name == "geometry_msgs/msg/Pose");
  std::vector<std::string> others;
  for (const auto& other : described.referenced_type_descriptions) others.push_back(other.described_name);
  CHECK(others == std::vector<std::string>{"builtin_interfaces/msg/Time", "geometry_msgs/msg/Point",
                                           "geometry_msgs/msg/Pose", "geometry_msgs/msg/Quaternion",
                                           "std_msgs/msg/Header"});
  std::vector<std::string> sources;
  for (const auto& source : answer->type_sources) {
    CHECK(source.encoding == "msg");
    sources.push_back(source.described_name);
  }
  REQUIRE(sources.size() == 6);  // its own file, and that of each type which it refers to
  CHECK(sources[0] == "geometry_msgs/msg/PoseStamped");
  CHECK(answer->type_sources[0].raw_file_contents == "std_msgs/Header header\ngeometry_msgs/Pose pose\n");
  std::ranges::sort(sources);
  CHECK(std::ranges::includes(sources, others));

  request.type_hash = "RIHS01_00";
  CHECK_FALSE(describe_type(request).successful);
  request.described_name = "made_up/msg/Thing";
  CHECK(describe_type(request).failure_reason == "unknown type 'made_up/msg/Thing'");

  request.type_hash = "";
  request.described_name = "std_srvs/srv/SetBool";
  const auto service = describe_type(request);
  REQUIRE(service.type_sources.size() == service.type_description.referenced_type_descriptions.size() + 1);
  CHECK(service.type_sources[0].encoding == "srv");
  CHECK(service.type_sources[0].raw_file_contents == "bool data\n---\nbool success\nstring message\n");
}

}  // namespace tandem::ros2
