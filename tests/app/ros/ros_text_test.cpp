// SPDX-License-Identifier: Apache-2.0
// Messages as text. The expectations are what Python's YAML 6.0 and ros2 topic echo print.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>

#include "tandem/app/ros/text/message_text.hpp"
#include "tandem/app/ros/text/parameter_text.hpp"
#include "tandem/app/ros/text/yaml_input.hpp"
#include "tandem/app/ros/text/yaml_text.hpp"
#include "tandem/app/ros/topics/statistics.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/types/cdr.hpp"

namespace tandem::app::ros {

namespace {

ros2::DynamicType type_of(const char* name) {
  auto type = make_dynamic_type(*ros2::find_type(name));
  REQUIRE(type.ok());
  return *type;
}

// A message from YAML, and its text.
std::string echoed(const char* type, const std::string& yaml, TextOptions options = {}) {
  const ros2::DynamicType dynamic = type_of(type);
  const auto message = message_from_yaml(dynamic, yaml);
  REQUIRE_MESSAGE(message.ok(), (message ? "" : message.error().text));
  const auto text = message_text(dynamic, *message, options);
  return text ? *text : text.error().text;
}

TextOptions only(const char* type, const char* field, TextFormat format = TextFormat::yaml) {
  TextOptions options;
  options.format = format;
  const auto path = field_path(type_of(type), field);
  REQUIRE_MESSAGE(path.ok(), (path ? "" : path.error().text));
  options.field = *path;
  return options;
}

constexpr const char* joints = "sensor_msgs/msg/JointState";
constexpr const char* transforms = "tf2_msgs/msg/TFMessage";

}  // namespace

TEST_CASE("numbers are printed as Python and its YAML print them") {
  const struct {
    double value;
    const char *python, *yaml;
  } rows[] = {{0, "0.0", "0.0"},
              {-0.0, "-0.0", "-0.0"},
              {1, "1.0", "1.0"},
              {0.1, "0.1", "0.1"},
              {1e-4, "0.0001", "0.0001"},
              {1e-5, "1e-05", "1.0e-05"},
              {1.5e-9, "1.5e-09", "1.5e-09"},
              {123456789.125, "123456789.125", "123456789.125"},
              {1e15, "1000000000000000.0", "1000000000000000.0"},
              {1e16, "1e+16", "1.0e+16"},
              {-1.25e300, "-1.25e+300", "-1.25e+300"},
              {double{0.1f}, "0.10000000149011612", "0.10000000149011612"},
              {std::numeric_limits<double>::infinity(), "inf", ".inf"},
              {-std::numeric_limits<double>::infinity(), "-inf", "-.inf"},
              {std::numeric_limits<double>::quiet_NaN(), "nan", ".nan"}};
  for (const auto& row : rows) {
    CHECK(python_number(row.value) == row.python);
    CHECK(yaml_number(row.value) == row.yaml);
  }
}

TEST_CASE("text is quoted exactly where Python's YAML quotes it") {
  const std::pair<std::string, const char*> rows[] = {
      {"", "''"},
      {"plain words", "plain words"},
      {"base_link", "base_link"},
      {"true", "'true'"},
      {"Off", "'Off'"},
      {"y", "y"},
      {"null", "'null'"},
      {"~", "'~'"},
      {"1", "'1'"},
      {"-1_000", "'-1_000'"},
      {"0x1F", "'0x1F'"},
      {"0o17", "0o17"},
      {"1.5", "'1.5'"},
      {"1e5", "1e5"},
      {"1.0e+5", "'1.0e+5'"},
      {".inf", "'.inf'"},
      {"1:30", "'1:30'"},
      {"2024-01-31", "'2024-01-31'"},
      {"=", "'='"},
      {"<<", "'<<'"},
      {"a: b", "'a: b'"},
      {"a:b", "a:b"},
      {"a #b", "'a #b'"},
      {"a#b", "a#b"},
      {"#a", "'#a'"},
      {"- a", "'- a'"},
      {"-a", "-a"},
      {"[a]", "'[a]'"},
      {"a, b", "a, b"},
      {"it's", "it's"},
      {"'quoted'", "'''quoted'''"},
      {"%x", "'%x'"},
      {"@x", "'@x'"},
      {"...", "'...'"},
      {"---", "'---'"},
      {"?x", "?x"},
      {"? x", "'? x'"},
      {" a", "' a'"},
      {"a ", "'a '"},
      {"tab\there", "\"tab\\there\""},
      {"bell\a", "\"bell\\a\""},
      {std::string("nul\0", 4), "\"nul\\0\""},
      {"\x1b[31m", "\"\\e[31m\""},
      {"two\nlines", "'two\n\n  lines'"},
      {"end\n", "'end\n\n  '"},
      {"a\n\nb", "'a\n\n\n  b'"},
      {"space \nbreak", "\"space \\nbreak\""},
      {"caf\u00e9", "caf\u00e9"},
      {"\U0001F600", "\U0001F600"},
      {"\U0001F600\t", "\"\\U0001F600\\t\""},
      {"caf\u00e9\t", "\"caf\u00e9\\t\""},
      {"bad \xff", "bad \uFFFD"},
      {"\u007f", "\"\\x7F\""},
      {"back\\slash", "back\\slash"},
      {"\\\"\t", "\"\\\\\\\"\\t\""},
  };
  for (const auto& [text, expected] : rows) {
    CAPTURE(expected);
    CHECK(yaml_text(text, 2) == expected);
  }
}

TEST_CASE("a message is echoed as block YAML with lists at the indent of their key") {
  CHECK(echoed(joints, "{header: {stamp: {sec: 5, nanosec: 7}, frame_id: base}, name: [a, ''], position: [1, 0.5]}") ==
        "header:\n"
        "  stamp:\n"
        "    sec: 5\n"
        "    nanosec: 7\n"
        "  frame_id: base\n"
        "name:\n"
        "- a\n"
        "- ''\n"
        "position:\n"
        "- 1.0\n"
        "- 0.5\n"
        "velocity: []\n"
        "effort: []\n");
  CHECK(echoed(transforms, "{transforms: [{child_frame_id: a}, {header: {frame_id: 'yes'}}]}") ==
        "transforms:\n"
        "- header:\n"
        "    stamp:\n"
        "      sec: 0\n"
        "      nanosec: 0\n"
        "    frame_id: ''\n"
        "  child_frame_id: a\n"
        "  transform:\n"
        "    translation:\n"
        "      x: 0.0\n"
        "      y: 0.0\n"
        "      z: 0.0\n"
        "    rotation:\n"
        "      x: 0.0\n"
        "      y: 0.0\n"
        "      z: 0.0\n"
        "      w: 1.0\n"
        "- header:\n"
        "    stamp:\n"
        "      sec: 0\n"
        "      nanosec: 0\n"
        "    frame_id: 'yes'\n"
        "  child_frame_id: ''\n"
        "  transform:\n"
        "    translation:\n"
        "      x: 0.0\n"
        "      y: 0.0\n"
        "      z: 0.0\n"
        "    rotation:\n"
        "      x: 0.0\n"
        "      y: 0.0\n"
        "      z: 0.0\n"
        "      w: 1.0\n");
  CHECK(echoed("std_msgs/msg/Empty", "") == "{}\n");
  CHECK(echoed("std_msgs/msg/Bool", "{data: yes}") == "data: true\n");
  CHECK(echoed("std_msgs/msg/Byte", "{data: 0}") == "data: \"\\0\"\n");
  CHECK(echoed("std_msgs/msg/Byte", "{data: 65}") == "data: A\n");
  CHECK(echoed("std_msgs/msg/Char", "{data: 65}") == "data: 65\n");
  CHECK(echoed("std_msgs/msg/String", "{data: \"a\\nb\"}") == "data: 'a\n\n  b'\n");
}

TEST_CASE("long lists and texts are cut unless all is asked for") {
  std::string numbers = "0";
  std::string lines = "- 0\n";
  for (int i = 1; i < 128; ++i) {
    numbers += fmt::format(", {}", i);
    lines += fmt::format("- {}\n", i);
  }
  constexpr const char* type = "std_msgs/msg/UInt16MultiArray";
  const TextOptions data = only(type, "data");
  CHECK(echoed(type, "{data: [" + numbers + "]}", data) == lines);
  CHECK(echoed(type, "{data: [" + numbers + ", 128]}", data) == lines + "- '...'\n");
  TextOptions full = data;
  full.longest.reset();
  CHECK(echoed(type, "{data: [" + numbers + ", 128]}", full) == lines + "- 128\n");

  const std::string text(128, 'x');
  CHECK(echoed("std_msgs/msg/String", "{data: " + text + "}") == "data: " + text + "\n");
  CHECK(echoed("std_msgs/msg/String", "{data: " + text + "yz}") == "data: " + text + "...\n");
  TextOptions short_ones;
  short_ones.longest = 3;
  CHECK(echoed("std_msgs/msg/String", "{data: \u00e9\u00e9\u00e9\u00e9}", short_ones) ==
        "data: \u00e9\u00e9\u00e9...\n");
  CHECK(echoed(type, "{data: [1, 2, 3, 4]}", short_ones).ends_with("data:\n- 1\n- 2\n- 3\n- '...'\n"));
}

TEST_CASE("arrays and texts can be left out with a note of their length") {
  TextOptions options;
  options.no_arrays = options.no_strings = true;
  CHECK(echoed(joints, "{name: [a], position: [1, 2]}", options) ==
        "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: '<string length: <0>>'\n"
        "name: '<sequence type: string, length: 1>'\n"
        "position: '<sequence type: double, length: 2>'\n"
        "velocity: '<sequence type: double, length: 0>'\n"
        "effort: '<sequence type: double, length: 0>'\n");
  CHECK(echoed("geometry_msgs/msg/PoseWithCovariance", "", options)
            .ends_with("covariance: '<array type: double[36]>'\n"));
  CHECK(echoed(transforms, "", options) ==
        "transforms: '<sequence type: geometry_msgs/msg/TransformStamped, length: 0>'\n");
}

TEST_CASE("one field is chosen by its path") {
  const char* message = "{header: {frame_id: base}, name: [a, b c], position: [1.5, 1e-9]}";
  CHECK(echoed(joints, message, only(joints, "header.frame_id")) == "base\n");
  CHECK(echoed(joints, message, only(joints, "header.stamp")) == "sec: 0\nnanosec: 0\n");
  CHECK(echoed(joints, message, only(joints, "name")) == "- a\n- b c\n");
  CHECK(echoed(joints, message, only(joints, "velocity")) == "[]\n");
  CHECK(echoed(joints, message, only(joints, "name[1]")) == "b c\n");
  CHECK(echoed(joints, message, only(joints, "position[1]")) == "1e-09\n");
  CHECK(echoed(joints, message, only(joints, "position[2]")) == "position[2]: the list has 2 elements");
  const char* two = "{transforms: [{child_frame_id: a}, {child_frame_id: b, header: {stamp: {sec: 3}}}]}";
  CHECK(echoed(transforms, two, only(transforms, "transforms[1].child_frame_id")) == "b\n");
  CHECK(echoed(transforms, two, only(transforms, "transforms[1].header.stamp.sec")) == "3\n");
  CHECK(echoed(transforms, two, only(transforms, "transforms[0].transform.translation")) == "x: 0.0\ny: 0.0\nz: 0.0\n");

  const auto said = [](const char* type, const char* field) { return field_path(type_of(type), field).error().text; };
  CHECK(said(joints, "postion") ==
        "sensor_msgs/msg/JointState has no field 'postion'; did you mean 'position'? (known: header, name, position, "
        "velocity, effort)");
  CHECK(said(joints, "header.frame_id.x") == "'frame_id' has no fields of its own");
  CHECK(said(joints, "header[0]") == "'header' is not a list");
  CHECK(said(joints, "name[x]") == "'name[x]': expected an index such as name[0]");
  CHECK(said(transforms, "transforms.header") == "'transforms' is a list: choose an element, transforms[0]");
  CHECK(said(joints, "") != "");
}

TEST_CASE("messages are also told in one line") {
  TextOptions csv;
  csv.format = TextFormat::csv;
  CHECK(echoed(joints, "{header: {frame_id: base}, name: [a, b], position: [1, 2.5]}", csv) ==
        "0,0,base,a,b,1.0,2.5,,\n");
  csv.longest = 1;
  CHECK(echoed(joints, "{name: [a, b]}", csv) == "0,0,,a,...,,,\n");
  CHECK(echoed("std_msgs/msg/String", "{data: \"\\e[31m\"}", csv) == "\\x1B...\n");
  TextOptions python;
  python.format = TextFormat::python;
  CHECK(echoed("std_msgs/msg/String", "{data: it's}", python) == "std_msgs.msg.String(data=\"it's\")\n");
  CHECK(echoed("std_msgs/msg/Bool", "{data: true}", python) == "std_msgs.msg.Bool(data=True)\n");
  CHECK(echoed("std_msgs/msg/Empty", "{}", python) == "std_msgs.msg.Empty()\n");
  CHECK(echoed("std_msgs/msg/Byte", "{data: 7}", python) == "std_msgs.msg.Byte(data=b'\\x07')\n");
  CHECK(echoed(joints, "{name: [a, b], position: [1]}", python) ==
        "sensor_msgs.msg.JointState(header=std_msgs.msg.Header(stamp=builtin_interfaces.msg.Time(sec=0, nanosec=0), "
        "frame_id=''), name=['a', 'b'], position=[1.0], velocity=[], effort=[])\n");
}

TEST_CASE("messages typed as YAML are refused with the field that is wrong") {
  const auto said = [](const char* type, const std::string& yaml) {
    const auto message = message_from_yaml(type_of(type), yaml);
    return message ? std::string("fine") : message.error().text;
  };
  CHECK(said("std_msgs/msg/Float64", "{data: 1.5}") == "fine");
  CHECK(said("std_msgs/msg/Float64", "data: 1.5") == "fine");
  CHECK(said("std_msgs/msg/Float64", "") == "fine");
  CHECK(said("std_msgs/msg/Float64", "{data: abc}") == "data: expected float64, got \"abc\"");
  CHECK(said("std_msgs/msg/Float64", "{dta: 1}") ==
        "dta: unknown field of std_msgs/msg/Float64; did you mean 'data'? (known: data)");
  CHECK(said("std_msgs/msg/Float64", "1.5") == "expected std_msgs/msg/Float64 {data}, got \"1.5\"");
  CHECK(said("std_msgs/msg/Int8", "{data: 300}") == "data: expected int8 from -128 to 127, got 300");
  CHECK(said("std_msgs/msg/Float64", "{data: [}").starts_with("message:1:"));
}

TEST_CASE("values of parameters are read and told as ros2 has them") {
  using ros2::ParameterValue;
  const auto read = [](const char* text, std::size_t type = 0) {
    const auto value = parameter_from_text(text, type);
    return value ? *value : ParameterValue(std::string("error: " + value.error().text));
  };
  CHECK(read("true") == ParameterValue(true));
  CHECK(read("5") == ParameterValue(std::int64_t{5}));
  CHECK(read("5", 3) == ParameterValue(5.0));
  CHECK(read("5", 4) == ParameterValue(std::string("5")));
  CHECK(read("'5'") == ParameterValue(std::string("5")));
  CHECK(read("-.5e1") == ParameterValue(-5.0));
  CHECK(read("slow") == ParameterValue(std::string("slow")));
  CHECK(read("infra") == ParameterValue(std::string("infra")));
  CHECK(read("[1, 2]") == ParameterValue(std::vector<std::int64_t>{1, 2}));
  CHECK(read("[1, 2.5]") == ParameterValue(std::vector<double>{1, 2.5}));
  CHECK(read("[1, 2]", 8) == ParameterValue(std::vector<double>{1, 2}));
  CHECK(read("[a, 2]") == ParameterValue(std::vector<std::string>{"a", "2"}));
  CHECK(read("[true, false]") == ParameterValue(std::vector<bool>{true, false}));
  CHECK(read("[]", 7) == ParameterValue(std::vector<std::int64_t>{}));
  CHECK(read("[1, 255]", 5) == ParameterValue(std::vector<std::byte>{std::byte{1}, std::byte{255}}));
  CHECK(read("[]") == ParameterValue(std::string("error: an empty list may be of any type")));
  CHECK(read("{a: 1}") == ParameterValue(std::string("error: expected a value or a list of values, got {a: 1}")));

  CHECK(sentence_from_parameter(0.5) == "Double value is: 0.5");
  CHECK(sentence_from_parameter(true) == "Boolean value is: True");
  CHECK(sentence_from_parameter(std::string("a b")) == "String value is: a b");
  CHECK(sentence_from_parameter(std::vector<std::string>{"a"}) == "String values are: ['a']");
  CHECK(sentence_from_parameter({}) == "Parameter not set.");
  CHECK(yaml_from_parameter(1e-9) == "1.0e-09");
  CHECK(yaml_from_parameter(std::string("no")) == "'no'");
  CHECK(yaml_from_parameter(std::vector<std::string>{"a, b", "c"}) == "['a, b', c]");
}

TEST_CASE("statistics are over the newest values of the window") {
  Statistics values(4);
  CHECK(values.mean() == 0);
  for (const double value : {100.0, 2.0, 4.0, 4.0, 6.0}) values.add(value);
  CHECK(values.count() == 4);
  CHECK(values.mean() == 4);
  CHECK(values.least() == 2);
  CHECK(values.most() == 6);
  CHECK(values.deviation() == doctest::Approx(1.4142135623730951).epsilon(1e-12));
}

}  // namespace tandem::app::ros
