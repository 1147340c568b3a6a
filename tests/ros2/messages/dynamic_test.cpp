// SPDX-License-Identifier: Apache-2.0
// Messages by description against the static codec, and what is said when they do not fit.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/types/dynamic.hpp"
#include "tests/ros2/messages/any_message.hpp"
#include "tests/ros2/messages/tree_builder.hpp"

namespace tandem::ros2 {

namespace {

DynamicType type_of(std::string_view name) {
  const TypeSupport* support = find_type(name);
  REQUIRE(support != nullptr);
  Result<DynamicType> type = make_dynamic_type(*support);
  REQUIRE_MESSAGE(type.ok(), (type ? "" : type.error().text));
  return *type;
}

Value scalar(std::string text, bool quoted = false) { return {Value::Kind::scalar, std::move(text), quoted}; }
Value list(std::vector<Value> items) { return {Value::Kind::list, {}, false, {}, std::move(items)}; }
Value map(std::vector<std::pair<std::string, Value>> entries) {
  Value value{Value::Kind::map};
  for (auto& [name, item] : entries) {
    value.names.push_back(name);
    value.items.push_back(item);
  }
  return value;
}

// Every kind of field that a description can have.
TypeDescription everything() {
  TypeDescription type{"test_msgs/msg/Everything", {}};
  const auto add = [&](const char* name, int id, std::size_t capacity = 0, std::size_t string_capacity = 0) {
    type.fields.push_back({.name = name, .type_id = id, .capacity = capacity, .string_capacity = string_capacity});
  };
  add("flag", 15);
  add("small", 2);
  add("octet", 16);
  add("word", 5);
  add("big", 9);
  add("single", 10);
  add("short_text", 21, 0, 3);
  add("wide", 18);
  add("three", 11 + 48, 3);
  add("few", 4 + 96, 2);
  add("texts", 17 + 144);
  add("flags", 15 + 144);
  return type;
}

std::string failure(const DynamicType& type, const Value& value) {
  const auto written = write_message(type, value);
  return written ? "written" : written.error().text;
}

}  // namespace

TEST_CASE("random messages of every type are walked and written as the static codec has them") {
  Random random(7);
  for (const auto& message : all_messages()) {
    CAPTURE(message->name());
    const DynamicType type = type_of(message->name());
    for (int round = 0; round < 20; ++round) {
      message->fill(random);
      std::vector<std::uint8_t> expected;
      if (!message->write(expected)) continue;  // longer than a bound
      for (const bool big_endian : {false, true}) {
        TreeBuilder tree;
        const auto walked = walk(type, message->plain(big_endian), tree);
        REQUIRE_MESSAGE(walked.ok(), (walked ? "" : walked.error().text));
        const auto written = write_message(type, tree.root);
        REQUIRE_MESSAGE(written.ok(), (written ? "" : written.error().text));
        CHECK(*written == expected);
      }
    }
  }
}

TEST_CASE("a message without values has the defaults of its type") {
  for (const auto& message : all_messages()) {
    CAPTURE(message->name());
    const auto written = write_message(type_of(message->name()), {});
    REQUIRE(written.ok());
    CHECK(*written == message->fresh()->plain(false));
  }
}

TEST_CASE("every cut and every flipped byte of a message is walked to an end") {
  Random random(11);
  for (const auto& message : all_messages()) {
    CAPTURE(message->name());
    const DynamicType type = type_of(message->name());
    const auto fresh = message->fresh();
    message->fill(random);
    const std::vector<std::uint8_t> good = message->plain(false);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::uint8_t> bad = good;
      if (round % 2 == 0) bad.resize(below(random, bad.size()));
      for (int flips = 0; flips < round % 5 && !bad.empty(); ++flips) {
        bad[below(random, bad.size())] = static_cast<std::uint8_t>(random());
      }
      Visitor nobody;
      const bool walked = walk(type, bad, nobody).ok();
      CHECK(walked == (fresh->read(bad) == nullptr));
    }
  }
}

TEST_CASE("a walk leaves out what the visitor does not ask for") {
  struct Names final : Visitor {
    std::vector<std::string> seen;
    std::vector<double> numbers;
    bool field(const DynamicField& field) override {
      seen.push_back(field.name);
      return field.name != "header";
    }
    std::size_t begin_list(const DynamicField&, std::size_t) override { return 2; }
    void real(double value) override { numbers.push_back(value); }
  } names;
  sensor_msgs::JointState state;
  state.header.frame_id = "base";
  state.name = {"a", "b", "c"};
  state.position = {1, 2, 3};
  state.effort = {4};
  std::vector<std::uint8_t> cdr;
  REQUIRE(encode(state, cdr));
  REQUIRE(walk(type_of("sensor_msgs/msg/JointState"), cdr, names).ok());
  CHECK(names.seen == std::vector<std::string>{"header", "name", "position", "velocity", "effort"});
  CHECK(names.numbers == std::vector<double>{1, 2, 4});
}

TEST_CASE("bytes that are no such message are refused with the place") {
  const DynamicType type = type_of("sensor_msgs/msg/JointState");
  Visitor nobody;
  const auto said = [&](std::vector<std::uint8_t> bytes) { return walk(type, bytes, nobody).error().text; };
  CHECK(said({0, 1}) == "sensor_msgs/msg/JointState of 2 bytes: it is shorter than its header");
  CHECK(said({0, 2, 0, 0, 0}) == "sensor_msgs/msg/JointState of 5 bytes: its encapsulation is not plain CDR");
  std::vector<std::uint8_t> bytes;
  REQUIRE(encode(sensor_msgs::JointState{}, bytes));
  CHECK(said({bytes.begin(), bytes.begin() + 20}) ==
        "sensor_msgs/msg/JointState of 20 bytes: it is shorter than its fields");
  bytes[4 + 12 + 4] = 0xFF;  // the count of names
  bytes[4 + 12 + 5] = 0xFF;
  CHECK(said(bytes) == "sensor_msgs/msg/JointState of 36 bytes: name: sequence length exceeds the remaining bytes");
}

TEST_CASE("descriptions that cannot be are refused") {
  const auto nested = [](const char* name, const char* inner, int id = 1, std::size_t capacity = 0) {
    return TypeDescription{name, {{.name = "inner", .type_id = id, .capacity = capacity, .nested = inner}}};
  };
  const auto said = [](const TypeDescription& root, std::vector<TypeDescription> referenced) {
    const auto made = make_dynamic_type(root, referenced);
    return made ? std::string("made") : made.error().text;
  };
  CHECK(said(nested("a/msg/A", "a/msg/B"), {}) == "description of a/msg/A: inner: its type a/msg/B is not described");
  CHECK(said(nested("a/msg/A", "a/msg/B"), {nested("a/msg/A", "a/msg/B"), nested("a/msg/B", "a/msg/A")}) ==
        "description of a/msg/A: inner: inner: a/msg/A contains itself");
  CHECK(said({"a/msg/A", {{.name = "x", .type_id = 12}}}, {}) ==
        "description of a/msg/A: x: type id 12 is not used by ROS");
  for (const int id : {-5, 0, 49 + 144, 1000}) CHECK(said({"a/msg/A", {{.name = "x", .type_id = id}}}, {}) != "made");
  CHECK(said({"a/msg/A", {{.name = "x", .type_id = 3 + 48}}}, {}) ==
        "description of a/msg/A: x: an array of no elements");
  // A chain told from its end, so that each link is known when it is used.
  std::vector<TypeDescription> chain{{"c/msg/C0", {}}};
  TypeDescription whole{"c/msg/Whole", {}};
  for (int i = 1; i < 60; ++i) {
    chain.push_back(nested(("c/msg/C" + std::to_string(i)).c_str(), chain.back().name.c_str()));
    whole.fields.push_back({.name = "f", .type_id = 1, .nested = chain.back().name});
  }
  CHECK(said(whole, chain) == "description of c/msg/Whole: f: inner: c/msg/C30 nests deeper than 32 messages");
  // Arrays of arrays beyond all memory are a fine description that no bytes and no value fit.
  std::vector<TypeDescription> huge{{"h/msg/H0", {{.name = "x", .type_id = 3}}}};
  for (int i = 1; i < 9; ++i) {
    huge.push_back(nested(("h/msg/H" + std::to_string(i)).c_str(), huge.back().name.c_str(), 1 + 48, 1'000'000));
  }
  const auto type = make_dynamic_type(huge.back(), huge);
  REQUIRE(type.ok());
  Visitor nobody;
  CHECK(walk(*type, std::vector<std::uint8_t>(1000, 1), nobody).ok() == false);
  CHECK(failure(*type, {}).ends_with("the message is larger than 64 MiB"));
}

TEST_CASE("an empty message is one byte whether its description tells of it or not") {
  const TypeDescription ours{"std_msgs/msg/Empty", {}};
  const TypeDescription theirs{"std_msgs/msg/Empty", {{.name = "structure_needs_at_least_one_member", .type_id = 3}}};
  for (const TypeDescription& description : {ours, theirs}) {
    const auto type = make_dynamic_type(description, {});
    REQUIRE(type.ok());
    CHECK(type->root().fields.empty());
    CHECK(*write_message(*type, map({})) == std::vector<std::uint8_t>{0, 1, 0, 0, 0});
  }
}

TEST_CASE("values of every kind are written as the rules of CDR say") {
  const auto type = make_dynamic_type(everything(), {});
  REQUIRE(type.ok());
  const auto written = write_message(*type, map({{"flag", scalar("yes")},
                                                 {"small", scalar("-0x10")},
                                                 {"octet", scalar("A")},
                                                 {"word", scalar("1_000")},
                                                 {"big", scalar("18446744073709551615")},
                                                 {"single", scalar(".5")},
                                                 {"short_text", scalar("abc")},
                                                 {"wide", scalar("\u00e9\U0001F600")},
                                                 {"three", list({scalar("1"), scalar("-.inf"), scalar("1e-400")})},
                                                 {"few", list({scalar("-1"), scalar("2.0")})},
                                                 {"texts", list({scalar(""), scalar("1.5")})},
                                                 {"flags", list({scalar("off")})}}));
  REQUIRE_MESSAGE(written.ok(), (written ? "" : written.error().text));
  PlainCdr plain(false);
  plain.add(true);
  plain.add(std::int8_t{-16});
  plain.add(std::uint8_t{'A'});
  plain.add(std::uint16_t{1000});
  plain.add(std::uint64_t{18446744073709551615u});
  plain.add(0.5f);
  plain.add(std::string("abc"));
  plain.add(std::u16string(u"\u00e9\U0001F600"));
  plain.add(std::array<double, 3>{1, -INFINITY, 0});
  plain.add(std::vector<std::int16_t>{-1, 2});
  plain.add(std::vector<std::string>{"", "1.5"});
  plain.add(std::vector<bool>{false});
  CHECK(*written == plain.bytes);
  TreeBuilder tree;
  REQUIRE(walk(*type, *written, tree).ok());
  CHECK(*write_message(*type, tree.root) == *written);
}

TEST_CASE("packed numbers are written as the list of them is") {
  const auto type = make_dynamic_type(everything(), {});
  REQUIRE(type.ok());
  const auto packed = [](const auto& numbers) {
    return Value{Value::Kind::packed, {reinterpret_cast<const char*>(numbers.data()), sizeof numbers}};
  };
  const std::array<double, 3> three = {1.5, -2, 1e300};
  const std::array<std::int16_t, 2> few = {-7, 300};
  const auto listed = write_message(*type, map({{"three", list({scalar("1.5"), scalar("-2"), scalar("1e300")})},
                                                {"few", list({scalar("-7"), scalar("300")})}}));
  CHECK(*write_message(*type, map({{"three", packed(three)}, {"few", packed(few)}})) == *listed);
  CHECK(failure(*type, map({{"three", packed(few)}})) == "three: expected float64[3], got 4 bytes of numbers");
  CHECK(failure(*type, map({{"few", packed(three)}})).starts_with("few: expected at most 2 elements"));
  CHECK(failure(*type, map({{"texts", packed(few)}})).starts_with("texts: expected string[]"));
  CHECK(failure(*type, map({{"word", packed(few)}})).starts_with("word: expected uint16"));
}

TEST_CASE("values that do not fit are refused with the field and what was expected and got") {
  const auto type = make_dynamic_type(everything(), {});
  REQUIRE(type.ok());
  const auto said = [&](const char* name, Value value) { return failure(*type, map({{name, std::move(value)}})); };
  CHECK(said("flag", scalar("maybe")) == "flag: expected bool, got \"maybe\"");
  CHECK(said("small", scalar("128")) == "small: expected int8 from -128 to 127, got 128");
  CHECK(said("small", scalar("-129")) == "small: expected int8 from -128 to 127, got -129");
  CHECK(said("small", scalar("1.5")) == "small: expected int8, got \"1.5\"");
  CHECK(said("small", scalar("")) == "small: expected int8, got \"\"");
  CHECK(said("octet", scalar("256")) == "octet: expected byte from 0 to 255, got 256");
  CHECK(said("word", scalar("-1")) == "word: expected uint16 from 0 to 65535, got -1");
  CHECK(said("big", scalar("18446744073709551616")) ==
        "big: expected uint64 from 0 to 18446744073709551615, got 18446744073709551616");
  CHECK(said("single", scalar("1e39")) == "single: expected float32 up to 3.4e+38, got 1e39");
  CHECK(said("single", scalar("--1")) == "single: expected float32, got \"--1\"");
  CHECK(said("single", {}) == "single: expected float32, got nothing");
  CHECK(said("short_text", scalar("abcd")) == "short_text: expected at most 3 characters, got 4");
  CHECK(said("short_text", list({})) == "short_text: expected string<=3, got a list of 0");
  CHECK(said("three", list({scalar("1")})) == "three: expected 3 elements, got 1");
  CHECK(said("three", scalar("1")) == "three: expected float64[3], a list, got \"1\"");
  CHECK(said("three", list({scalar("1"), scalar("2"), scalar("x")})) == "three[2]: expected float64, got \"x\"");
  CHECK(said("few", list({scalar("1"), scalar("2"), scalar("3")})) == "few: expected at most 2 elements, got 3");
  CHECK(said("wdie", scalar("x")).starts_with("wdie: unknown field of test_msgs/msg/Everything; did you mean 'wide'?"));
  CHECK(failure(*type, map({{"flag", scalar("1")}, {"flag", scalar("0")}})) == "flag: given twice");
  CHECK(failure(*type, scalar("5")).starts_with("expected test_msgs/msg/Everything {flag, small,"));

  const DynamicType pose = type_of("geometry_msgs/msg/PoseStamped");
  CHECK(failure(pose, map({{"pose", map({{"position", map({{"x", scalar("abc")}})}})}})) ==
        "pose.position.x: expected float64, got \"abc\"");
  CHECK(failure(pose, map({{"pose", map({{"positon", map({})}})}})) ==
        "pose.positon: unknown field of geometry_msgs/msg/Pose; did you mean 'position'? (known: position, "
        "orientation)");
  CHECK(failure(pose, map({{"pose", map({{"position", list({})}})}})) ==
        "pose.position: expected geometry_msgs/msg/Point {x, y, z}, got a list of 0");
}

TEST_CASE("auto and now stand for the time of writing") {
  const DynamicType type = type_of("geometry_msgs/msg/PoseStamped");
  const UtcTime now(1'700'000'000'123'456'789ns);
  geometry_msgs::PoseStamped read;
  REQUIRE(decode(*write_message(type, map({{"header", scalar("auto")}}), now), read).ok());
  CHECK(read.header.stamp.sec == 1'700'000'000);
  CHECK(read.header.stamp.nanosec == 123'456'789);
  CHECK(read.pose.orientation.w == 1.0);
  REQUIRE(decode(*write_message(type, map({{"header", map({{"stamp", scalar("now")}})}}), now), read).ok());
  CHECK(read.header.stamp.nanosec == 123'456'789);
  CHECK(failure(type, map({{"header", scalar("auto")}})) ==
        "header: expected std_msgs/msg/Header {stamp, frame_id}, got \"auto\"");
}

}  // namespace tandem::ros2
