// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/schema/entries.hpp"
#include "tandem/machines/generic/schema/places.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

constexpr std::array<std::string_view, 8> reserved = {"t", "dt", "pi", "true", "false", "and", "or", "not"};
constexpr std::size_t longest_name = 64;

// By member of a structure: {fSpeed: m/s, fCurrent: A}.
bool is_by_member(const Node& node, std::string_view key) {
  if (node.kind != Node::Kind::map) return false;
  if (key == "names" || key == "bits") return !node.items.empty() && node.items.front().kind == Node::Kind::map;
  return key == "sim" ? !is_behaviour(node) : true;
}

void take_unit(const Node& node, const std::string& owner, std::string& unit, Problems& problems) {
  if (node.kind == Node::Kind::scalar && is_unit_text(node.scalar)) {
    unit = node.scalar;
  } else {
    problems.add(node, fmt::format("{}: expected a unit such as mm/s, got {}", owner, yaml::seen(node)));
  }
}

void take_expect(const Node& node, const std::string& owner, std::optional<Range>& expect, Problems& problems) {
  expect = range_in(node);
  if (!expect) problems.add(node, fmt::format("{}: expected [low, high], got {}", owner, yaml::seen(node)));
}

// Raw values; 0x8000 of an int16 is -32768.
std::vector<double> read_invalid(const Node& node, const std::string& owner, Type type, Problems& problems) {
  auto values = numbers_in(node);
  if (const auto one = number_in(node)) values = {*one};
  const auto expected = [&](const std::string& what) {
    problems.add(node, fmt::format("{}: expected {}, got {}", owner, what, yaml::seen(node)));
  };
  if (!values) return expected("raw values such as [0x8000]"), std::vector<double>();
  const Range fits = range_of_type(type);
  const bool is_signed = is_integer_type(type) && fits.lowest < 0;
  std::vector<double> invalid;
  for (double value : *values) {
    if (is_signed && value > fits.highest && value <= fits.highest - fits.lowest) value += 2 * fits.lowest;
    if (type != Type::unknown && (value < fits.lowest || value > fits.highest)) {
      expected(fmt::format("values that {} can hold", name(type)));
      break;
    }
    if (std::find(invalid.begin(), invalid.end(), value) == invalid.end()) invalid.push_back(value);
  }
  return invalid;
}

void member_value(const Node& node, std::string_view key, const std::string& owner, Declaration::Member& member,
                  Problems& problems) {
  if (key == "unit") return take_unit(node, owner, member.unit, problems);
  if (key == "names") return void(member.names = read_names(node, owner, problems));
  if (key == "bits") return void(member.bits = read_bits(node, owner, Type::unknown, problems));
  if (key == "expect") return take_expect(node, owner, member.expect, problems);
  if (key == "sim") return void(member.sim = read_sim(node, owner, problems));
  if (key == "invalid") return void(member.invalid = read_invalid(node, owner, Type::unknown, problems));
  if (key == "range") {
    double scale = member.scale.value_or(1), offset = member.offset.value_or(0);
    read_range(node, owner, scale, offset, problems);
    member.scale = scale, member.offset = offset;
    return;
  }
  if (key == "critical") {
    member.critical = flag_in(node);
    if (!member.critical)
      problems.add(node, fmt::format("{}: expected true or false, got {}", owner, yaml::seen(node)));
    return;
  }
  const auto number = number_in(node);
  const bool wrong = !number || (key == "scale" && *number == 0) || (key == "deadband" && *number < 0);
  if (wrong) {
    const char* const what = key == "scale" ? " that is not 0" : key == "deadband" ? " of at least 0" : "";
    problems.add(node, fmt::format("{}: expected a number{}, got {}", owner, what, yaml::seen(node)));
  } else if (key == "deadband") {
    member.deadband = number;
  } else if (key == "scale") {
    member.scale = number;
  } else {
    member.offset = number;
  }
}

// Whether the key was given by member, and so is done.
bool take_members(const Node& node, std::string_view key, Declaration& declaration, const Context& context) {
  if (!is_by_member(node, key)) return false;
  if (context.protocol != Protocol::ads || declaration.type != Type::unknown) {
    if (key == "sim") return false;  // its own words say more
    context.problems.add(node, fmt::format("{}.{}: expected one value, got keys by member; only structures have them",
                                           declaration.name, key));
    return true;
  }
  Keys keys(node, fmt::format("{}.{}", declaration.name, key), context.problems);
  for (const Node& member : node.keys) {
    const Node* value = keys.take(member.scalar);
    if (value == nullptr) continue;  // twice
    const std::string owner = fmt::format("{}.{}.{}", declaration.name, key, printable(member.scalar));
    member_value(*value, key, owner, declaration.members[member.scalar], context.problems);
  }
  return true;
}

void take_numbers(Keys& keys, Declaration& declaration, const Context& context) {
  const auto take = [&](std::string_view key) -> const Node* {
    const Node* node = keys.take(key);
    return node == nullptr || take_members(*node, key, declaration, context) ? nullptr : node;
  };
  const auto owner = [&](std::string_view key) { return fmt::format("{}.{}", declaration.name, key); };
  if (const Node* node = take("unit")) take_unit(*node, owner("unit"), declaration.unit, context.problems);
  if (const Node* node = take("names")) declaration.names = read_names(*node, owner("names"), context.problems);
  if (const Node* node = take("bits"))
    declaration.bits = read_bits(*node, owner("bits"), declaration.type, context.problems);
  if (const Node* node = take("expect")) take_expect(*node, owner("expect"), declaration.expect, context.problems);
  if (declaration.type == Type::text) {
    if (const Node* node = keys.take("sim"))
      declaration.sim = read_text_sim(*node, owner("sim"), declaration.text_length, context.problems);
  } else if (const Node* node = take("sim")) {
    declaration.sim = read_sim(*node, owner("sim"), context.problems);
  }
  for (const std::string_view key : {"scale", "offset"}) {
    const Node* node = take(key);
    if (node == nullptr) continue;
    Declaration::Member value;
    member_value(*node, key, owner(key), value, context.problems);
    declaration.scale = value.scale.value_or(declaration.scale);
    declaration.offset = value.offset.value_or(declaration.offset);
  }
  if (const Node* node = take("range"))
    read_range(*node, owner("range"), declaration.scale, declaration.offset, context.problems);
  if (const Node* node = take("invalid"))
    declaration.invalid = read_invalid(*node, owner("invalid"), declaration.type, context.problems);
}

void take_presentation(Keys& keys, Declaration& declaration, const Context& context) {
  double every = 0;
  if (keys.take_duration("every", every, context.cycle, 86400)) declaration.every = every;
  const auto by_member = [&](std::string_view key) {
    const Node* node = item_of(keys.node(), key);
    if (node == nullptr || !is_by_member(*node, key)) return false;
    return take_members(*keys.take(key), key, declaration, context);
  };
  if (!by_member("deadband")) keys.take_number("deadband", declaration.deadband, 0);
  bool critical = false;
  if (!by_member("critical") && keys.take_flag("critical", critical)) declaration.critical = critical;
  keys.take_flag("optional", declaration.optional);
  keys.take_flag("alias", declaration.alias);
  if (const auto show = keys.take_choice("show", {"plot", "lamp", "gauge", "slider", "button", "none"}))
    declaration.show = static_cast<Show>(*show + 1);
  keys.take_text("group", declaration.group);
}

// Keys that make no sense for this type.
void check_kind(const Declaration& declaration, const Node& map, const Context& context) {
  const auto refuse = [&](std::string_view key, std::string_view of) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      if (map.keys[i].scalar == key)
        context.problems.add(map.keys[i], fmt::format("{}.{}: not for {}", declaration.name, key, of));
    }
  };
  const bool is_text = declaration.type == Type::text, is_bit = declaration.type == Type::bit;
  const bool is_float = declaration.type == Type::float32 || declaration.type == Type::float64;
  if (is_text || is_bit) {
    for (const char* key : {"scale", "offset", "range", "unit", "expect", "invalid", "deadband", "bits"})
      refuse(key, is_text ? "a string" : "a bit");
  }
  if (is_text) {
    for (const char* key : {"names", "write"}) refuse(key, "a string");
  }
  if (is_float) {
    for (const char* key : {"names", "bits"}) refuse(key, name(declaration.type));
  }
  if (!declaration.names.empty() && !declaration.bits.empty()) refuse("bits", "an enumeration (names)");
  if (!declaration.names.empty() || !declaration.bits.empty()) {
    for (const char* key : {"scale", "offset", "range", "unit"})
      refuse(key, declaration.names.empty() ? "a bit field" : "an enumeration");
  }
}

}  // namespace

bool is_signal_name(std::string_view name) {
  const auto in_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= longest_name && name.front() >= 'a' && name.front() <= 'z' &&
         std::all_of(name.begin(), name.end(), in_name) &&
         std::find(reserved.begin(), reserved.end(), name) == reserved.end();
}

std::optional<At> take_place(Keys& keys, std::string_view key, const Context& context) {
  const Node* node = keys.take(key);
  if (node == nullptr) return std::nullopt;
  if (node->kind != Node::Kind::scalar) {
    keys.expected(
        *node, key,
        context.protocol == Protocol::modbus ? "a place such as 'holding 16'" : "a symbol such as \"MAIN.fSpeed\"");
    return std::nullopt;
  }
  auto place = place_from(node->scalar, context.protocol, context.base);
  if (place) return std::move(*place);
  keys.wrong(*node, key, place.error().text);
  return std::nullopt;
}

Declaration read_signal(const Node& name, const Node& map, const Context& context) {
  Declaration declaration;
  declaration.name = name.scalar;
  declaration.place = context.problems.place(name);
  if (!is_signal_name(name.scalar)) {
    const bool taken = std::find(reserved.begin(), reserved.end(), name.scalar) != reserved.end();
    context.problems.add(name, fmt::format("signal '{}': expected {}", printable(name.scalar),
                                           taken ? "another name; expressions have this word"
                                                 : "up to 64 of a-z, 0-9 and _, a letter first"));
  }
  Keys keys(map, printable(name.scalar, longest_name), context.problems);
  const std::size_t before = context.problems.count();
  if (auto at = take_place(keys, "at", context)) {
    declaration.at = std::move(*at);
  } else {
    if (context.protocol == Protocol::ads) declaration.at = AdsPlace{};
    if (context.problems.count() == before && map.kind == Node::Kind::map)
      context.problems.add(name, fmt::format("{}: missing key 'at', its place on the device", keys.owner()));
  }
  read_type(keys, declaration, context);
  take_numbers(keys, declaration, context);
  take_presentation(keys, declaration, context);
  if (const Node* node = keys.take("fault"))
    declaration.faults = read_faults(*node, declaration.name + ".fault", context.problems);
  if (const Node* node = keys.take("write"); node != nullptr && declaration.type != Type::text)
    declaration.write = read_output(*node, declaration, context);
  keys.finish();
  check_kind(declaration, map, context);
  return declaration;
}

}  // namespace tandem::generic
