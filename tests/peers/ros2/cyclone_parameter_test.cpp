// SPDX-License-Identifier: Apache-2.0
// What rmw_cyclonedds sees of our nodes' parameters: the six services and the events.
#include "tandem/ros2/full_node.hpp"
#include "tests/peers/ros2/cyclone_service.hpp"

namespace tandem::ros2 {
namespace {

using CycloneEvent = rcl_interfaces_msg_dds__ParameterEvent_;
using CycloneParameter = rcl_interfaces_msg_dds__Parameter_;
using CycloneValue = rcl_interfaces_msg_dds__ParameterValue_;

// Text for C structs, which lend it.
std::string words[] = {"speed", "gains", "label", "serial", "nothing", "camera.left.gain"};
char* speed = words[0].data();
char* gains = words[1].data();
char* label = words[2].data();
char* serial = words[3].data();
char* nothing = words[4].data();
char* camera_gain = words[5].data();
std::string no_text;

template <typename Sequence>
std::vector<std::string> texts(const Sequence& sequence) {
  return {sequence._buffer, sequence._buffer + sequence._length};
}

// A value that Cyclone can write: its pointers must not be null.
CycloneValue value_of(std::uint8_t type) {
  CycloneValue value{};
  value.type = type;
  value.string_value = no_text.data();
  return value;
}
CycloneValue value_of_double(double number) {
  CycloneValue value = value_of(3);
  value.double_value = number;
  return value;
}

struct Fixture {
  Fixture() {
    auto& parameters = node.parameters();
    parameters.declare("speed", 0.5, {.description = "how fast", .range = ParameterOptions::Range{0.0, 2.0, 0.0}});
    parameters.declare("gains", std::vector<double>{1.0, -2.0, 3.5});
    parameters.declare("label", std::string("left"));
    parameters.declare("serial", std::int64_t{77}, {.read_only = true});
    parameters.declare("camera.left.gain", true);
  }
  ContextOptions options = loopback_options();
  Context context{options};
  FullNode node{context, "tandem", "/lab"};
  Cyclone cyclone{options.domain};
};

template <typename S>
struct ParameterClient : CycloneClient<S> {
  ParameterClient(Cyclone& cyclone, const std::string& service)
      : CycloneClient<S>(cyclone, "/lab/tandem/" + service, Marks::given, Qos::parameters()) {
    REQUIRE(eventually([this] { return this->ready(); }));
  }
};

}  // namespace

TEST_CASE("Cyclone lists and reads and describes our parameters") {
  Fixture fixture;
  ParameterClient<cyclone::ListParameters> list(fixture.cyclone, "list_parameters");
  CHECK(list.call({}, [](const auto& response) {
    CHECK(texts(response.result.names) ==
          std::vector<std::string>{"camera.left.gain", "gains", "label", "serial", "speed", "use_sim_time"});
    CHECK(texts(response.result.prefixes) == std::vector<std::string>{"camera.left"});
  }));
  std::string camera = "camera";
  std::vector<char*> prefixes{camera.data()};
  cyclone::ListParameters::Request below{};
  below.prefixes = lent<decltype(below.prefixes)>(prefixes);
  CHECK(list.call(below, [](const auto& response) {
    CHECK(texts(response.result.names) == std::vector<std::string>{"camera.left.gain"});
  }));

  std::vector<char*> names{speed, gains, label, serial, camera_gain, nothing};
  ParameterClient<cyclone::GetParameters> get(fixture.cyclone, "get_parameters");
  cyclone::GetParameters::Request some{};
  some.names = lent<decltype(some.names)>(names);
  CHECK(get.call(some, [](const auto& response) {
    REQUIRE(response.values._length == 6);
    const CycloneValue* values = response.values._buffer;
    CHECK(values[0].type == 3);
    CHECK(values[0].double_value == 0.5);
    CHECK(values[1].type == 8);
    CHECK(std::vector<double>(values[1].double_array_value._buffer,
                              values[1].double_array_value._buffer + values[1].double_array_value._length) ==
          std::vector<double>{1.0, -2.0, 3.5});
    CHECK(std::string(values[2].string_value) == "left");
    CHECK(values[3].type == 2);
    CHECK(values[3].integer_value == 77);
    CHECK(values[4].type == 1);
    CHECK(values[4].bool_value);
    CHECK(values[5].type == 0);
  }));

  ParameterClient<cyclone::GetParameterTypes> types(fixture.cyclone, "get_parameter_types");
  cyclone::GetParameterTypes::Request same{};
  same.names = lent<decltype(same.names)>(names);
  CHECK(types.call(same, [](const auto& response) {
    CHECK(std::vector<int>(response.types._buffer, response.types._buffer + response.types._length) ==
          std::vector<int>{3, 8, 4, 2, 1, 0});
  }));

  ParameterClient<cyclone::DescribeParameters> describe(fixture.cyclone, "describe_parameters");
  cyclone::DescribeParameters::Request two{};
  names = {speed, serial};
  two.names = lent<decltype(two.names)>(names);
  CHECK(describe.call(two, [](const auto& response) {
    REQUIRE(response.descriptors._length == 2);
    const auto& first = response.descriptors._buffer[0];
    CHECK(std::string(first.name) == "speed");
    CHECK(std::string(first.description) == "how fast");
    CHECK(first.type == 3);
    CHECK_FALSE(first.read_only);
    REQUIRE(first.floating_point_range._length == 1);
    CHECK(first.floating_point_range._buffer[0].to_value == 2.0);
    CHECK(first.integer_range._length == 0);
    CHECK(response.descriptors._buffer[1].read_only);
    CHECK(response.descriptors._buffer[1].type == 2);
  }));
}

TEST_CASE("Cyclone changes our parameters within their limits and hears the events") {
  Fixture fixture;
  const dds_entity_t events =
      fixture.cyclone.reader(rcl_interfaces_msg_dds__ParameterEvent__desc, "rt/parameter_events", Qos::parameters());
  ParameterClient<cyclone::SetParameters> set(fixture.cyclone, "set_parameters");
  CHECK(eventually([&] { return matched_user_data(events, true).size() == 1; }));
  while (take<CycloneEvent>(events, [](const auto&) {})) {
  }

  CycloneValue number = value_of(2);
  number.integer_value = 1;
  std::vector<CycloneParameter> wishes{{speed, value_of_double(1.5)},
                                       {speed, value_of_double(9.0)},
                                       {serial, number},
                                       {nothing, number},
                                       {label, number}};
  cyclone::SetParameters::Request request{};
  request.parameters = lent<decltype(request.parameters)>(wishes);
  CHECK(set.call(request, [](const auto& response) {
    REQUIRE(response.results._length == 5);
    CHECK(response.results._buffer[0].successful);
    for (std::uint32_t i = 1; i < 5; ++i) {
      CHECK_FALSE(response.results._buffer[i].successful);
      CHECK_FALSE(std::string(response.results._buffer[i].reason).empty());
    }
  }));
  CHECK(fixture.node.parameters().value<double>("speed") == 1.5);
  CHECK(fixture.node.parameters().value<std::int64_t>("serial") == 77);
  CHECK(eventually([&] {
    return take<CycloneEvent>(events, [](const CycloneEvent& event) {
      CHECK(std::string(event.node) == "/lab/tandem");
      CHECK(event.stamp.sec > 0);
      REQUIRE(event.changed_parameters._length == 1);
      CHECK(std::string(event.changed_parameters._buffer[0].name) == "speed");
      CHECK(event.changed_parameters._buffer[0].value.double_value == 1.5);
    });
  }));

  ParameterClient<cyclone::SetParametersAtomically> set_all(fixture.cyclone, "set_parameters_atomically");
  std::vector<double> numbers{4.0, 5.0};
  CycloneValue list = value_of(8);
  list.double_array_value = lent<decltype(list.double_array_value)>(numbers);
  wishes = {{gains, list}, {speed, value_of_double(-1.0)}};
  cyclone::SetParametersAtomically::Request all{};
  all.parameters = lent<decltype(all.parameters)>(wishes);
  CHECK(set_all.call(all, [](const auto& response) { CHECK_FALSE(response.result.successful); }));
  CHECK(fixture.node.parameters().value<std::vector<double>>("gains").size() == 3);
  wishes[1].value.double_value = 0.25;
  CHECK(set_all.call(all, [](const auto& response) { CHECK(response.result.successful); }));
  CHECK(fixture.node.parameters().value<std::vector<double>>("gains") == numbers);
  CHECK(fixture.node.parameters().value<double>("speed") == 0.25);
  CHECK(eventually([&] {
    return take<CycloneEvent>(events, [](const CycloneEvent& event) { CHECK(event.changed_parameters._length == 2); });
  }));
}

}  // namespace tandem::ros2
