// SPDX-License-Identifier: Apache-2.0
// What may be written: limits and rate are compulsory, nothing is clamped or guessed.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/generic/schema/entries.hpp"
#include "tandem/machines/generic/units.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

bool is_speed(const std::string& text) {
  const auto unit = unit_named(text);
  return unit && (unit->dimension == Dimension::speed || unit->dimension == Dimension::angular_speed);
}

void take_level(Keys& keys, Output& output) {
  bool level = false;
  keys.take_flag("level", level);
  keys.take_duration("pulse", output.pulse, 0.001, 60);
  output.level = output.pulse > 0 ? Output::Level::pulse : Output::Level::level;
  if (level && output.pulse > 0) keys.wrong(keys.node(), "pulse", "expected either `pulse` or `level: true`, got both");
  if (!level && output.pulse <= 0)
    keys.wrong(keys.node(), "pulse", "missing: a bit needs `pulse: 0.2 s` or `level: true`");
  for (const char* key : {"limits", "rate", "tolerance"}) {
    if (const Node* node = keys.take(key)) keys.wrong(*node, key, "not for a bit");
  }
}

void take_limits(Keys& keys, Output& output, const Declaration& declaration) {
  const Node* node = keys.take("limits");
  if (node == nullptr)
    return keys.wrong(keys.node(), "limits", "missing: a number that can be written needs [lowest, highest]");
  const auto limits = range_in(*node);
  if (!limits || limits->lowest == limits->highest) return keys.expected(*node, "limits", "[lowest, highest]");
  output.limits = *limits;
  const Range raw = range_of_type(declaration.type);
  const double a = raw.lowest * declaration.scale + declaration.offset;
  const double b = raw.highest * declaration.scale + declaration.offset;
  if (limits->lowest < std::min(a, b) || limits->highest > std::max(a, b))
    keys.wrong(*node, "limits",
               fmt::format("expected within {} to {}, which {} with this scale can hold, got {} to {}",
                           number_text(std::min(a, b)), number_text(std::max(a, b)), name(declaration.type),
                           number_text(limits->lowest), number_text(limits->highest)));
}

void take_rate(Keys& keys, Output& output) {
  const Node* node = keys.take("rate");
  if (node == nullptr)
    return keys.wrong(keys.node(), "rate", "missing: most change per second such as 200 /s, or none for no limit");
  if (node->kind == Node::Kind::scalar && node->scalar == "none") return;
  output.rate = per_second_in(*node);
  if (!output.rate || *output.rate <= 0) {
    output.rate.reset();
    keys.expected(*node, "rate", "a rate above 0 such as 200 /s, or none");
  }
}

void take_number(Keys& keys, Output& output, const Declaration& declaration) {
  output.level = Output::Level::number;
  take_limits(keys, output, declaration);
  take_rate(keys, output);
  keys.take_number("tolerance", output.tolerance, 0);
  for (const char* key : {"pulse", "level"}) {
    if (const Node* node = keys.take(key)) keys.wrong(*node, key, "only for bits");
  }
}

void take_idle(Keys& keys, Output& output) {
  const Node* node = keys.take("idle");
  if (node == nullptr) return;
  const std::string_view text = node->kind == Node::Kind::scalar ? std::string_view(node->scalar) : std::string_view();
  if (text == "hold") {
    output.idle = Output::Idle::hold;
  } else if (text == "zero") {
    output.idle = Output::Idle::zero;
    const bool number = output.level == Output::Level::number && output.limits.lowest < output.limits.highest;
    if (number && (output.limits.lowest > 0 || output.limits.highest < 0))
      keys.wrong(*node, "idle",
                 fmt::format("expected a value within the limits {} to {}, got zero", output.limits.lowest,
                             output.limits.highest));
  } else if (text == "leave") {
    output.idle = Output::Idle::leave;
  } else if (text.starts_with("follow ") && text.size() > 7) {
    output.idle = Output::Idle::follow;
    output.follow = text.substr(text.find_first_not_of(' ', 6));
  } else {
    keys.expected(*node, "idle", "one of hold, zero, leave, follow SIGNAL");
  }
}

void check_place(const Node& node, const Declaration& declaration, const Context& context) {
  const auto* place = std::get_if<ModbusPlace>(&declaration.at);
  if (place == nullptr) return;
  const bool input = place->table == ModbusTable::input, discrete = place->table == ModbusTable::discrete;
  if (input || discrete)
    context.problems.add(node, fmt::format("{}.write: expected a place in holding or coil, got {}", declaration.name,
                                           place_text(declaration.at, 1, context.base)));
  if (declaration.count > 1)
    context.problems.add(node, fmt::format("{}.write: expected a single value, got {}; declare those that are written "
                                           "one by one",
                                           declaration.name, declaration.count));
}

}  // namespace

Output read_output(const Node& node, const Declaration& declaration, const Context& context) {
  Output output;
  const std::string owner = declaration.name + ".write";
  check_place(node, declaration, context);
  if (node.kind == Node::Kind::scalar && node.scalar == "level" && declaration.type == Type::bit) {
    output.level = Output::Level::level;
    return output;
  }
  Keys keys(node, owner, context.problems);
  const auto has = [&](std::string_view key) {
    return std::any_of(node.keys.begin(), node.keys.end(), [&](const Node& each) { return each.scalar == key; });
  };
  if (node.kind == Node::Kind::map) {
    const bool unknown_bit = declaration.type == Type::unknown && (has("pulse") || has("level"));
    if (declaration.type == Type::bit || unknown_bit) {
      take_level(keys, output);
    } else {
      take_number(keys, output, declaration);
    }
  }
  take_idle(keys, output);
  const bool speed = is_speed(declaration.unit);
  if (speed) output.watchdog = context.watchdog;
  if (const Node* watchdog = keys.take("watchdog")) {
    const auto age = duration_in(*watchdog);
    if (watchdog->kind == Node::Kind::scalar && watchdog->scalar == "none") {
      output.watchdog.reset();
    } else if (!age || *age < 0.01 || *age > 3600) {
      keys.expected(*watchdog, "watchdog", "a duration from 10 ms to 1 h such as 500 ms, or none");
    } else {
      output.watchdog = *age;
    }
  }
  if (speed && output.watchdog && !has("idle")) output.idle = Output::Idle::zero;
  if (auto at = take_place(keys, "confirm", context)) output.confirm = std::move(*at);
  keys.take_flag("shared", output.shared);
  if (output.shared && (declaration.type != Type::bit || context.protocol != Protocol::modbus))
    keys.wrong(node, "shared", "only for a bit of a register");
  keys.finish();
  return output;
}

}  // namespace tandem::generic
