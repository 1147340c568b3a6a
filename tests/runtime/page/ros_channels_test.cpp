// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_channels.hpp"

#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/types/message_text.hpp"
#include "tests/runtime/ros_bench.hpp"

namespace tandem::runtime {
namespace {

using ros2::Qos;

ros2::std_msgs::String text_message(const std::string& text) {
  ros2::std_msgs::String message;
  message.data = text;
  return message;
}

std::string text_of_payload(const web::test::MessageData& data) {
  ros2::std_msgs::String message;
  REQUIRE(ros2::decode(data.payload, message));
  return message.data;
}

template <ros2::Message M>
std::vector<std::uint8_t> cdr_of(const M& message) {
  std::vector<std::uint8_t> cdr;
  REQUIRE(ros2::encode(message, cdr));
  return cdr;
}

}  // namespace

TEST_CASE("own topics become channels and reach who subscribes through the tap") {
  RosBench bench;
  ros2::Node node(*bench.here, "ours");
  std::optional publisher = node.advertise<ros2::std_msgs::String>("chatter");
  REQUIRE(bench.until([&] { return bench.has_channel("/chatter"); }));
  const Json& channel = bench.viewer.channels.at("/chatter");
  CHECK(channel["encoding"] == "cdr");
  CHECK(channel["schemaName"] == "std_msgs/msg/String");
  CHECK(channel["schemaEncoding"] == "ros2msg");
  CHECK(channel["schema"] == *ros2::ros2msg_text("std_msgs/msg/String"));

  publisher->publish(text_message("before anybody listens"));
  bench.hub->tick();
  bench.subscribe("/chatter");
  const auto before = static_cast<std::uint64_t>(system_clock().utc().time_since_epoch().count());
  publisher->publish(text_message("one"));
  publisher->publish(text_message("two"));
  bench.hub->tick();
  REQUIRE(bench.heard("/chatter") == 2);  // once each, whatever DDS does
  CHECK(text_of_payload(bench.viewer.messages["/chatter"][0]) == "one");
  CHECK(bench.viewer.messages["/chatter"][0].payload == cdr_of(text_message("one")));
  CHECK(text_of_payload(bench.viewer.messages["/chatter"][1]) == "two");
  CHECK(bench.viewer.messages["/chatter"][0].stamp >= before);

  bench.unsubscribe(1);
  publisher->publish(text_message("three"));
  bench.hub->tick();
  CHECK(bench.heard("/chatter") == 2);
  publisher.reset();
  CHECK(bench.until([&] { return !bench.has_channel("/chatter"); }));
  CHECK(bench.channels.dropped() == 0);
}

TEST_CASE("topics of others are subscribed while somebody listens and with their own QoS") {
  RosBench bench;
  ros2::Node node(bench.there, "theirs");
  const auto publisher = node.advertise<ros2::std_msgs::String>("far", Qos::sensor_data());
  const auto unknown = node.advertise_raw("strange", "nobody_msgs/msg/Knows", "");
  const auto hidden = node.advertise<ros2::std_msgs::String>("/a/_hidden");
  REQUIRE(bench.until([&] { return bench.has_channel("/far"); }));
  CHECK(publisher.matched() == 0);
  CHECK_FALSE(bench.has_channel("/strange"));
  CHECK_FALSE(bench.has_channel("/a/_hidden"));
  bench.subscribe("/far");
  REQUIRE(bench.until([&] { return publisher.matched() == 1; }));
  REQUIRE(bench.until([&] {
    publisher.publish(text_message("hello"));
    return bench.heard("/far") > 3;
  }));
  CHECK(text_of_payload(bench.viewer.messages["/far"][0]) == "hello");
  bench.unsubscribe(1);
  CHECK(bench.until([&] { return publisher.matched() == 0; }));
}

TEST_CASE("who comes and goes quickly makes no subscriptions come and go") {
  RosBench bench;
  ros2::Node node(bench.there, "theirs");
  const auto publisher = node.advertise<ros2::std_msgs::String>("far");
  REQUIRE(bench.until([&] { return bench.has_channel("/far"); }));
  bench.subscribe("/far");
  REQUIRE(bench.until([&] { return publisher.matched() == 1; }));
  const Instant end = now() + 1s;  // several times as long as it lingers
  for (std::uint32_t i = 1; now() < end; ++i) {
    bench.unsubscribe(i);
    bench.hub->tick();
    std::this_thread::sleep_for(5ms);
    REQUIRE(publisher.matched() == 1);
    bench.subscribe("/far");
  }
  bench.unsubscribe(static_cast<std::uint32_t>(bench.viewer.subscribed.size()));
  CHECK(bench.until([&] { return publisher.matched() == 0; }));
}

TEST_CASE("many topics of others are subscribed a few at a time and all in the end") {
  RosBench bench;
  ros2::Node node(bench.there, "theirs");
  std::vector<ros2::Publisher<ros2::std_msgs::String>> publishers;
  for (int i = 0; i < 30; ++i)
    publishers.push_back(node.advertise<ros2::std_msgs::String>("/many/t" + std::to_string(i)));
  REQUIRE(bench.until([&] {
    return std::ranges::all_of(publishers, [&](const auto& one) { return bench.has_channel(one.topic()); });
  }));
  for (const auto& one : publishers) bench.subscribe(one.topic());
  const auto matched = [&] {
    return std::ranges::count_if(publishers, [](const auto& one) { return one.matched() == 1; });
  };
  bench.hub->tick();
  std::this_thread::sleep_for(200ms);
  CHECK(matched() <= 8);
  CHECK(bench.until([&] { return matched() == 30; }));
}

TEST_CASE("a topic that we and others publish is heard once from each") {
  RosBench bench;
  ros2::Node ours(*bench.here, "ours"), theirs(bench.there, "theirs");
  const auto own = ours.advertise<ros2::std_msgs::String>("both");
  const auto foreign = theirs.advertise<ros2::std_msgs::String>("both");
  REQUIRE(bench.until([&] { return bench.has_channel("/both"); }));
  bench.subscribe("/both");
  REQUIRE(bench.until([&] { return foreign.matched() == 1 && own.matched() == 1; }));
  own.publish(text_message("own"));
  foreign.publish(text_message("foreign"));
  REQUIRE(bench.until([&] { return bench.heard("/both") >= 2; }));
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(5ms);
    bench.hub->tick();
  }
  CHECK(bench.heard("/both") == 2);
}

TEST_CASE("latched topics are kept for who comes later") {
  RosBench bench;
  ros2::Node ours(*bench.here, "ours"), theirs(bench.there, "theirs");
  const auto own = ours.advertise<ros2::std_msgs::String>("map", Qos::latched());
  own.publish(text_message("old"));
  own.publish(text_message("new"));
  const auto foreign = theirs.advertise<ros2::std_msgs::String>("far_map", Qos::latched());
  foreign.publish(text_message("far"));
  REQUIRE(bench.until([&] { return bench.has_channel("/map") && bench.has_channel("/far_map"); }));
  bench.subscribe("/map");
  REQUIRE(bench.heard("/map") == 1);
  CHECK(text_of_payload(bench.viewer.messages["/map"][0]) == "new");
  bench.subscribe("/far_map");
  REQUIRE(bench.until([&] { return bench.heard("/far_map") == 1; }));
  CHECK(text_of_payload(bench.viewer.messages["/far_map"][0]) == "far");
}

TEST_CASE("who listens again hears no latched sample that others have replaced meanwhile") {
  RosBench bench;
  ros2::Node theirs(bench.there, "theirs");
  const auto foreign = theirs.advertise<ros2::std_msgs::String>("far_map", Qos::latched());
  foreign.publish(text_message("old"));
  REQUIRE(bench.until([&] { return bench.has_channel("/far_map"); }));
  bench.subscribe("/far_map");
  REQUIRE(bench.until([&] { return bench.heard("/far_map") == 1; }));
  bench.unsubscribe(1);
  REQUIRE(bench.until([&] { return foreign.matched() == 0; }));
  foreign.publish(text_message("new"));
  bench.subscribe("/far_map");
  REQUIRE(bench.until([&] { return bench.heard("/far_map") == 2; }));
  CHECK(text_of_payload(bench.viewer.messages["/far_map"][1]) == "new");
}

TEST_CASE("the description of a robot is an asset and nothing else is") {
  RosBench bench;
  ros2::Node ours(*bench.here, "ours");
  const auto description = ours.advertise<ros2::std_msgs::String>("/arm/robot_description", Qos::latched());
  description.publish(text_message("<robot/>"));
  const auto secret = ours.advertise<ros2::std_msgs::String>("/arm/secret", Qos::latched());
  secret.publish(text_message("no"));
  REQUIRE(bench.until([&] { return bench.has_channel("/arm/robot_description") && bench.has_channel("/arm/secret"); }));
  const auto fetch = [&](const std::string& uri) {
    bench.say({{"op", "fetchAsset"}, {"uri", uri}, {"requestId", 5}});
    return bench.viewer.assets.back();
  };
  CHECK(fetch("package://tandem/arm/robot_description.urdf") == "<robot/>");
  for (const char* uri : {"package://tandem/arm/secret.urdf", "package://tandem/../arm/robot_description.urdf",
                          "package://tandem/arm/robot_description", "file:///etc/passwd", "/etc/passwd", ""}) {
    CAPTURE(uri);
    CHECK(fetch(uri) == std::string("no asset ") + uri + "; there is package://tandem/arm/robot_description.urdf");
  }
}

TEST_CASE("what a viewer publishes as JSON or CDR arrives on ROS and what is wrong is refused in words") {
  RosBench bench;
  ros2::Node ours(*bench.here, "machine"), theirs(bench.there, "other");
  std::mutex mutex;
  std::vector<double> speeds;
  std::vector<std::string> texts;
  const auto twist = ours.subscribe<ros2::geometry_msgs::Twist>(
      "/cmd_vel", Qos::standard(), [&](const ros2::geometry_msgs::Twist& message, const ros2::MessageInfo&) {
        const std::lock_guard lock(mutex);
        speeds.push_back(message.linear.x);
      });
  const auto text = theirs.subscribe<ros2::std_msgs::String>(
      "/words", Qos::standard(), [&](const ros2::std_msgs::String& message, const ros2::MessageInfo&) {
        const std::lock_guard lock(mutex);
        texts.push_back(message.data);
      });
  bench.advertise(7, "/cmd_vel", "geometry_msgs/msg/Twist", "json");
  bench.advertise(8, "/words", "std_msgs/String", "cdr");
  // At once: the first must not be lost while the subscription is being found.
  bench.hub->binary(1, web::test::client_message(7, as_bytes(R"({"linear":{"x":0.25}})")));
  bench.hub->binary(1, web::test::client_message(8, cdr_of(text_message("hello"))));
  CHECK(bench.until([&] {
    const std::lock_guard lock(mutex);
    return speeds == std::vector{0.25} && texts == std::vector<std::string>{"hello"};
  }));
  CHECK(bench.viewer.complaints.empty());
  CHECK(bench.has_channel("/cmd_vel"));  // it is published here now

  bench.hub->binary(1, web::test::client_message(7, as_bytes(R"({"linear":{"x":"fast"}})")));
  const std::vector<std::uint8_t> torn{0, 1, 0, 0, 200, 0, 0, 0, 'a'};
  bench.hub->binary(1, web::test::client_message(8, torn));
  bench.advertise(9, "/no", "nobody_msgs/msg/Knows", "json");
  bench.advertise(10, "/no such name", "std_msgs/msg/String", "json");
  bench.advertise(11, "/words", "std_msgs/msg/Bool", "json");  // the topic has another type here
  REQUIRE(bench.viewer.complaints.size() == 5);
  CHECK(bench.viewer.complaints[0] == "/cmd_vel: geometry_msgs/msg/Twist: linear.x: expected float64, got \"fast\"");
  CHECK(bench.viewer.complaints[1].find("/words: std_msgs/msg/String of 9 bytes") == 0);
  CHECK(bench.viewer.complaints[2].find("unknown message type") != std::string::npos);
  CHECK(bench.viewer.complaints[3].find("/no such name") != std::string::npos);
  bench.say({{"op", "unadvertise"}, {"channelIds", {7, 8}}});
  CHECK(bench.until([&] { return !bench.has_channel("/cmd_vel") && text.matched() == 0; }));
}

namespace {

// Who listens to /cmd_vel, and what it has heard.
class Driven {
 public:
  explicit Driven(ros2::Context& context) : node_(context, "machine") {
    twist_ = node_.subscribe<ros2::geometry_msgs::Twist>(
        "/cmd_vel", Qos::standard(), [this](const ros2::geometry_msgs::Twist& message, const ros2::MessageInfo&) {
          const std::lock_guard lock(mutex_);
          speeds_.push_back(message.linear.x);
        });
  }
  std::vector<double> speeds() {
    const std::lock_guard lock(mutex_);
    return speeds_;
  }

 private:
  ros2::Node node_;
  std::mutex mutex_;
  std::vector<double> speeds_;
  std::optional<ros2::Subscription> twist_;
};

}  // namespace

TEST_CASE("what waits for its subscription is not sent for a viewer that has gone") {
  RosBench bench;
  Driven truck(*bench.here);
  bench.open_second();
  bench.advertise(7, "/cmd_vel", "geometry_msgs/msg/Twist", "json");
  bench.advertise(7, "/cmd_vel", "geometry_msgs/msg/Twist", "json", 2);
  bench.hub->binary(2, web::test::client_message(7, as_bytes(R"({"linear":{"x":0.75}})")));
  bench.hub->closed(2);  // before a tick
  bench.hub->binary(1, web::test::client_message(7, as_bytes(R"({"linear":{"x":0.25}})")));
  CHECK(bench.until([&] { return !truck.speeds().empty(); }));
  bench.hub->binary(1, web::test::client_message(7, as_bytes(R"({"linear":{"x":0.5}})")));
  CHECK(bench.until([&] { return truck.speeds().size() > 1; }));
  CHECK(truck.speeds() == std::vector{0.25, 0.5});
  CHECK(bench.viewer.complaints.empty());
}

TEST_CASE("one viewer at a time drives a topic and the next one when it is silent or has gone") {
  RosBench bench;
  Driven truck(*bench.here);
  bench.open_second();
  bench.advertise(7, "/cmd_vel", "geometry_msgs/msg/Twist", "json");
  bench.advertise(8, "/cmd_vel", "geometry_msgs/Twist", "json", 2);  // the same type, as others write it
  const auto drive = [&](web::ClientId client, double speed) {
    bench.hub->binary(
        client, web::test::client_message(client == 1 ? 7 : 8, as_bytes(Json{{"linear", {{"x", speed}}}}.dump())));
  };
  const auto complaints = [&] { return std::exchange(bench.viewer.complaints, {}); };
  drive(2, 0.5);
  drive(1, -0.5);
  const auto told = complaints();
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("/cmd_vel: not sent: another client") == 0);
  std::this_thread::sleep_for(600ms);  // longer than a command holds
  drive(1, 0.25);
  drive(2, 0.75);
  CHECK(complaints().size() == 1);
  bench.say({{"op", "unadvertise"}, {"channelIds", {7}}});
  drive(2, 1.0);
  CHECK(complaints().empty());
  CHECK(bench.until([&] { return truck.speeds().size() >= 2 && truck.speeds().back() == 1.0; }));
  const std::vector<double> speeds = truck.speeds();
  for (const double refused : {-0.5, 0.75}) CHECK(std::ranges::count(speeds, refused) == 0);
}

TEST_CASE("services of the graph are offered and answer while those of unknown types are not") {
  RosBench bench;
  ros2::Node ours(*bench.here, "ours"), theirs(bench.there, "theirs");
  const auto handle = [](const ros2::std_srvs::SetBool::Request& request) {
    ros2::std_srvs::SetBool::Response response;
    response.success = request.data;
    response.message = "done";
    return response;
  };
  const ros2::Service<ros2::std_srvs::SetBool> own(ours, "near", handle);
  std::optional<ros2::Service<ros2::std_srvs::SetBool>> foreign(std::in_place, theirs, "far", handle);
  REQUIRE(
      bench.until([&] { return bench.viewer.services.contains("/near") && bench.viewer.services.contains("/far"); }));
  const Json& offered = bench.viewer.services.at("/far");
  CHECK(offered["type"] == "std_srvs/srv/SetBool");
  CHECK(offered["request"]["schema"] == "bool data\n");
  CHECK(offered["response"]["schemaName"] == "std_srvs/srv/SetBool_Response");
  ros2::std_srvs::SetBool::Request request;
  request.data = true;
  bench.call(1, "/near", cdr_of(request));
  bench.call(2, "/far", cdr_of(request));
  bench.hub->binary(1, web::test::service_call(bench.viewer.services.at("/far")["id"], 4, "json",
                                               as_bytes(std::string_view(R"({"data":true})"))));
  const std::vector<std::uint8_t> torn{0, 1, 0, 0};
  bench.call(3, "/far", torn);
  CHECK(bench.viewer.failures.at(3)["message"].get<std::string>().find("/far: ") == 0);
  REQUIRE(bench.until([&] { return bench.viewer.answers.size() == 3; }));
  const auto& told = bench.viewer.answers.at(4);
  CHECK(told.encoding == "json");
  CHECK(Json::parse(told.payload.begin(), told.payload.end()) == Json{{"success", true}, {"message", "done"}});
  for (const std::uint32_t call : {1u, 2u}) {
    ros2::std_srvs::SetBool::Response response;
    REQUIRE(ros2::decode(bench.viewer.answers.at(call).payload, response));
    CHECK(response.success);
    CHECK(response.message == "done");
    CHECK(bench.viewer.answers.at(call).encoding == "cdr");
  }
  foreign.reset();
  CHECK(bench.until([&] { return !bench.viewer.services.contains("/far"); }));
}

TEST_CASE("parameters of our nodes are told as JSON and set with their checks and changes are told") {
  RosBench bench;
  ros2::FullNode node(*bench.here, "machine");
  node.parameters().declare("rate", 50.0, {.range = {{1, 100, 0}}});
  node.parameters().declare("limits.names", std::vector<std::string>{"a", "b"});
  node.parameters().declare("count", std::int64_t{3});
  node.parameters().declare("serial", std::string("x"), {.read_only = true});
  // The page's own node has parameters as well: tools that list those of all nodes would wait for it.
  CHECK(std::ranges::any_of(bench.here->graph().endpoints, [](const ros2::GraphEndpoint& endpoint) {
    return endpoint.dds_topic == "rq/tandem_web/list_parametersRequest" && endpoint.local;
  }));
  bench.say({{"op", "getParameters"}, {"parameterNames", Json::array()}, {"id", "all"}});
  const auto& values = bench.viewer.parameters;
  CHECK(values.at("/machine.rate")["value"] == 50);
  CHECK(values.at("/machine.rate")["type"] == "float64");
  CHECK(values.at("/machine.limits.names")["value"] == Json{"a", "b"});
  CHECK(values.at("/machine.count")["value"] == 3);
  CHECK(values.at("/machine.serial")["readOnly"] == true);
  CHECK(!values.at("/machine.count").contains("readOnly"));

  bench.say({{"op", "subscribeParameterUpdates"}, {"parameterNames", Json::array()}});
  const auto set = [&](const char* name, const Json& value) {
    bench.say({{"op", "setParameters"}, {"parameters", {{{"name", name}, {"value", value}}}}, {"id", "x"}});
  };
  set("/machine.rate", 60);
  set("/machine.count", 4.0);
  CHECK(node.parameters().value<double>("rate") == 60.0);
  CHECK(node.parameters().value<std::int64_t>("count") == 4);
  CHECK(values.at("/machine.rate")["value"] == 60);
  CHECK(bench.viewer.complaints.empty());
  set("/machine.rate", 500);
  set("/machine.serial", "y");
  set("/machine.count", "many");
  set("/nobody.count", 1);
  CHECK(bench.viewer.complaints.size() == 4);
  CHECK(node.parameters().value<double>("rate") == 60.0);
  CHECK(node.parameters().value<std::string>("serial") == "x");

  REQUIRE(node.parameters().set("rate", 70.0));
  bench.hub->tick();
  CHECK(values.at("/machine.rate")["value"] == 70);
}

TEST_CASE("what others say of parameters is looked up and not believed") {
  RosBench bench;
  ros2::FullNode node(*bench.here, "machine");
  node.parameters().declare("rate", 50.0);
  ros2::Node theirs(bench.there, "liar");
  const auto events = theirs.advertise<ros2::rcl_interfaces::ParameterEvent>("/parameter_events");
  bench.say({{"op", "subscribeParameterUpdates"}, {"parameterNames", Json::array()}});
  REQUIRE(bench.until([&] { return bench.has_channel("/parameter_events"); }));
  bench.subscribe("/parameter_events");
  REQUIRE(bench.until([&] { return events.matched() == 1; }));
  const std::size_t before = bench.heard("/parameter_events");
  ros2::rcl_interfaces::ParameterEvent event;
  event.changed_parameters.resize(2);
  for (auto& each : event.changed_parameters) {
    each.value.type = 3;  // rcl_interfaces/msg/ParameterType: PARAMETER_DOUBLE
    each.value.double_value = 999;
  }
  event.changed_parameters[0].name = "rate";
  event.changed_parameters[1].name = "made_up";
  for (const char* of : {"/machine", "/ghost"}) {
    event.node = of;
    events.publish(event);
  }
  REQUIRE(bench.until([&] { return bench.heard("/parameter_events") >= before + 2; }));
  const auto& values = bench.viewer.parameters;
  CHECK_FALSE(values.contains("/machine.made_up"));
  CHECK_FALSE(values.contains("/ghost.rate"));
  if (values.contains("/machine.rate")) CHECK(values.at("/machine.rate")["value"] == 50);
  REQUIRE(node.parameters().set("rate", 70.0));
  bench.hub->tick();
  CHECK(values.at("/machine.rate")["value"] == 70);
}

TEST_CASE("the connection graph names nodes and what they publish and serve") {
  RosBench bench;
  ros2::Node ours(*bench.here, "ours"), theirs(bench.there, "theirs");
  const auto own = ours.advertise<ros2::std_msgs::String>("chatter");
  const auto listener =
      theirs.subscribe<ros2::std_msgs::String>("chatter", Qos::standard(), [](const auto&, const auto&) {});
  bench.say({{"op", "subscribeConnectionGraph"}});
  const auto told = [&](const char* list, const char* name, const char* ids, const char* node) {
    for (const Json& graph : bench.viewer.graphs) {
      for (const Json& each : graph[list]) {
        if (each["name"] == name && each[ids] == Json{node}) return true;
      }
    }
    return false;
  };
  CHECK(bench.until([&] {
    return told("publishedTopics", "/chatter", "publisherIds", "/ours") &&
           told("subscribedTopics", "/chatter", "subscriberIds", "/theirs");
  }));
}

TEST_CASE("what the world had before is asked for what is not ROS") {
  std::vector<web::ChannelId> edges;
  std::vector<std::string> called, set;
  int ticks = 0;
  web::World world;
  world.wanted = [&](web::ChannelId channel, bool) { edges.push_back(channel); };
  world.call = [&](web::ClientId, std::uint32_t, std::string_view, Bytes request, const web::ServiceAnswer& answer) {
    called.emplace_back(request.begin(), request.end());
    answer(std::vector<std::uint8_t>{'o', 'k'});
  };
  world.parameters = [](const std::vector<std::string>&) { return std::vector<web::Parameter>{{"own", "1", ""}}; };
  world.set_parameter = [&](const web::Parameter& parameter) {
    set.push_back(parameter.name);
    return Result<void>();
  };
  world.tick = [&] { ++ticks; };
  RosBench bench(std::move(world));
  const web::ChannelId id = bench.hub->add_channel({"/tandem/status", "json", "", "", "", 0});
  bench.hub->add_service({"/tandem/command", "t", {"json", "", "", ""}, {}});
  bench.subscribe("/tandem/status");
  CHECK(edges == std::vector<web::ChannelId>{id});
  bench.hub->binary(
      1, web::test::service_call(bench.viewer.services.at("/tandem/command")["id"], 1, "json", as_bytes("{}")));
  CHECK(called == std::vector<std::string>{"{}"});
  CHECK(bench.viewer.answers.at(1).payload.size() == 2);
  bench.say({{"op", "getParameters"}, {"parameterNames", Json::array()}});
  CHECK(bench.viewer.parameters.contains("own"));
  bench.say({{"op", "setParameters"}, {"parameters", {{{"name", "own"}, {"value", 1}}}}});
  CHECK(set == std::vector<std::string>{"own"});
  bench.hub->tick();
  CHECK(ticks == 1);
}

}  // namespace tandem::runtime
