// SPDX-License-Identifier: Apache-2.0
// Behaviours of the virtual device: {first_order: valve, gain: 3, tau: 0.4 s}, {sine: {amplitude: 2, period: 5 s}}.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "tandem/base/nearest.hpp"
#include "tandem/base/utf8.hpp"
#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/schema/entries.hpp"
#include "tandem/machines/generic/schema/table_file.hpp"
#include "tandem/machines/generic/text_file.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

constexpr std::array<std::string_view, 14> behaviour_kinds = {
    "constant",     "ramp",      "sine",  "square",  "step",       "follow", "first_order",
    "second_order", "integrate", "table", "counter", "expression", "joint",  "recording"};
constexpr double longest_sim_time = 1e6;   // s
constexpr double longest_sim_delay = 600;  // s; its values are kept

bool has_text(const Node& node) { return node.kind == Node::Kind::scalar && !node.scalar.empty(); }

// Where the key of the behaviour has [a, b].
bool take_pair(const Node& node, double& a, double& b) {
  const auto numbers = numbers_in(node);
  if (!numbers || numbers->size() != 2) return false;
  a = (*numbers)[0], b = (*numbers)[1];
  return true;
}

bool take_one(const Node& node, double& value) {
  const auto number = number_in(node);
  value = number.value_or(value);
  return number.has_value();
}

bool take_signal(const Node& node, std::string& signal) {
  if (!has_text(node) || number_in(node)) return false;
  signal = node.scalar;
  return true;
}

void take_rows(Keys& keys, const Node& node, Sim& sim, const Problems& problems) {
  if (has_text(node)) {
    auto rows = table_file(node.scalar, problems.file());
    if (!rows) return keys.wrong(node, "table", rows.error().text);
    sim.rows = std::move(*rows);
    return;
  }
  constexpr std::string_view what = "[[s, value], ...] with rising times, or a CSV file";
  if (node.kind != Node::Kind::sequence || node.items.empty() || node.items.size() > most_table_rows)
    return keys.expected(node, "table", what);
  for (const Node& item : node.items) {
    double t = 0, value = 0;
    const auto time =
        item.kind == Node::Kind::sequence && item.items.size() == 2 ? number_in(item.items[0]) : std::nullopt;
    t = time.value_or(-1);
    if (!time || !take_one(item.items[1], value) || t < 0 || (!sim.rows.empty() && t <= sim.rows.back().first))
      return keys.expected(item, "table", "[s, value] with a time above the one before");
    sim.rows.emplace_back(t, value);
  }
}

// What the key of the behaviour itself says.
void take_main(Keys& keys, const Node& node, Sim& sim, const Problems& problems) {
  const std::string_view key = behaviour_kinds[static_cast<std::size_t>(sim.kind)];
  switch (sim.kind) {
    case Sim::Kind::constant:
      if (!take_one(node, sim.value)) keys.expected(node, key, "a number");
      return;
    case Sim::Kind::ramp:
      if (!take_one(node, sim.to) && !take_pair(node, sim.from, sim.to)) keys.expected(node, key, "[from, to]");
      return;
    case Sim::Kind::sine:
      if (!take_one(node, sim.amplitude)) keys.expected(node, key, "its amplitude");
      return;
    case Sim::Kind::square:
    case Sim::Kind::step:
      if (!take_pair(node, sim.low, sim.high)) keys.expected(node, key, "[low, high]");
      return;
    case Sim::Kind::follow:
    case Sim::Kind::first_order:
    case Sim::Kind::second_order:
    case Sim::Kind::integrate:
      if (!take_signal(node, sim.signal)) keys.expected(node, key, "the name of a signal");
      return;
    case Sim::Kind::table:
      return take_rows(keys, node, sim, problems);
    case Sim::Kind::counter:
      if (!take_one(node, sim.per_second) && !take_signal(node, sim.signal))
        keys.expected(node, key, "a number per second, or the signal whose edges count");
      return;
    case Sim::Kind::expression: {
      if (!has_text(node)) return keys.expected(node, key, "an expression");
      sim.text = node.scalar;
      const auto parsed = Expression::parse(sim.text);
      if (!parsed) keys.wrong(node, key, parsed.error().text);
      return;
    }
    case Sim::Kind::joint:
      if (!take_signal(node, sim.signal)) keys.expected(node, key, "a joint of the URDF");
      return;
    case Sim::Kind::recording:
      if (!has_text(node)) return keys.expected(node, key, "an MCAP file");
      sim.text = node.scalar;
      return;
  }
}

void take_parameters(Keys& keys, Sim& sim) {
  const auto number = [&](const char* key, double& value, double low = -1e300) { keys.take_number(key, value, low); };
  const auto time = [&](const char* key, double& value, double low = 1e-3) {
    keys.take_duration(key, value, low, longest_sim_time);
  };
  switch (sim.kind) {
    case Sim::Kind::ramp: {
      number("from", sim.from), number("to", sim.to), time("time", sim.time);
      if (const auto repeat = keys.take_choice("repeat", {"once", "saw", "triangle"}))
        sim.repeat = static_cast<Sim::Repeat>(*repeat);
      return;
    }
    case Sim::Kind::sine:
      return number("mean", sim.mean), number("amplitude", sim.amplitude), time("period", sim.period),
             number("phase", sim.phase);
    case Sim::Kind::square:
      number("low", sim.low), number("high", sim.high), time("period", sim.period);
      keys.take_number("duty", sim.duty, 0, 1);
      return;
    case Sim::Kind::step:
      return number("low", sim.low), number("high", sim.high), time("at", sim.at, 0);
    case Sim::Kind::follow:
      number("gain", sim.gain), number("offset", sim.offset),
          keys.take_duration("delay", sim.delay, 0, longest_sim_delay);
      if (const Node* rate = keys.take("rate")) {
        sim.rate = per_second_in(*rate);
        if (!sim.rate || *sim.rate <= 0) keys.expected(*rate, "rate", "a rate above 0 such as 200 /s");
      }
      return;
    case Sim::Kind::first_order:
      return number("gain", sim.gain), time("tau", sim.tau);
    case Sim::Kind::second_order:
      number("gain", sim.gain);
      keys.take_number("w", sim.w, 1e-6, 1e6);
      keys.take_number("zeta", sim.zeta, 0, 1000);
      return;
    case Sim::Kind::integrate:
      number("gain", sim.gain), number("start", sim.start), keys.take_flag("wrap", sim.wrap);
      if (const Node* limits = keys.take("limits")) {
        sim.limits = range_in(*limits);
        if (!sim.limits || sim.limits->lowest == sim.limits->highest) keys.expected(*limits, "limits", "[low, high]");
      }
      if (sim.wrap && !sim.limits) keys.wrong(keys.node(), "wrap", "expected `limits`, got none");
      return;
    case Sim::Kind::table:
      keys.take_flag("hold", sim.hold), keys.take_flag("repeat", sim.again);
      return;
    case Sim::Kind::counter:
      return number("start", sim.start);
    case Sim::Kind::joint:
      if (const auto value = keys.take_choice("value", {"position", "velocity", "effort"}))
        sim.joint = static_cast<Sim::JointValue>(*value);
      return;
    default:
      return;
  }
}

// Of the long form, {follow: {signal: valve, gain: 2}}: the key of what the short one says first.
std::string_view main_key(Sim::Kind kind) {
  switch (kind) {
    case Sim::Kind::constant:
      return "value";
    case Sim::Kind::follow:
    case Sim::Kind::first_order:
    case Sim::Kind::second_order:
    case Sim::Kind::integrate:
      return "signal";
    case Sim::Kind::table:
      return "rows";
    case Sim::Kind::counter:
      return "of";
    case Sim::Kind::expression:
      return "text";
    case Sim::Kind::joint:
      return "name";
    case Sim::Kind::recording:
      return "file";
    default:
      return {};
  }
}

// The behaviour's key and its node; null where there is none.
const Node* behaviour(Keys& keys, const Node& node, Sim& sim) {
  const Node* chosen = nullptr;
  for (std::size_t i = 0; i < behaviour_kinds.size(); ++i) {
    const Node* value = keys.take(behaviour_kinds[i]);
    if (value == nullptr) continue;
    if (chosen != nullptr) {
      keys.wrong(
          *value, behaviour_kinds[i],
          fmt::format("expected one behaviour, got {} as well", behaviour_kinds[static_cast<std::size_t>(sim.kind)]));
      continue;
    }
    chosen = value;
    sim.kind = static_cast<Sim::Kind>(i);
  }
  const bool noise =
      std::any_of(node.keys.begin(), node.keys.end(), [](const Node& key) { return key.scalar == "noise"; });
  if (chosen == nullptr && !noise && node.kind == Node::Kind::map)
    keys.wrong(node, "constant", fmt::format("expected one of {}", fmt::join(behaviour_kinds, ", ")));
  return chosen;
}

}  // namespace

bool is_behaviour(const Node& node) {
  return std::any_of(node.keys.begin(), node.keys.end(), [](const Node& key) {
    return key.scalar == "noise" ||
           std::find(behaviour_kinds.begin(), behaviour_kinds.end(), key.scalar) != behaviour_kinds.end();
  });
}

Sim read_text_sim(const Node& node, const std::string& owner, std::size_t room, Problems& problems) {
  Sim sim;
  const Node* text = &node;
  if (node.kind == Node::Kind::map && node.keys.size() == 1 && node.keys[0].scalar == "constant") text = &node.items[0];
  if (text->kind != Node::Kind::scalar || !is_utf8(text->scalar)) {
    problems.add(node, fmt::format("{}: expected {{constant: TEXT}}, as a string has no other behaviour, got {}", owner,
                                   yaml::seen(node)));
  } else if (text->scalar.size() > room) {
    problems.add(*text, fmt::format("{}: expected at most {} bytes, got {}", owner, room, text->scalar.size()));
  } else {
    sim.text = text->scalar;
  }
  return sim;
}

Sim read_sim(const Node& node, const std::string& owner, Problems& problems) {
  Sim sim;
  if (take_one(node, sim.value)) return sim;
  if (const auto flag = flag_in(node)) return sim.value = *flag ? 1 : 0, sim;
  if (has_text(node)) {
    constexpr std::array<std::string_view, 4> alone = {"ramp", "sine", "square", "step"};
    const auto known = std::find(alone.begin(), alone.end(), node.scalar);
    if (known != alone.end()) return sim.kind = static_cast<Sim::Kind>(known - alone.begin() + 1), sim;
    problems.add(node, fmt::format("{}: expected a number, one of {}, or a behaviour with its keys, got {}", owner,
                                   fmt::join(alone, ", "), yaml::seen(node)));
    return sim;
  }
  Keys keys(node, owner, problems);
  const Node* chosen = behaviour(keys, node, sim);
  keys.take_number("noise", sim.noise, 0);
  int seed = 1;
  keys.take_whole("seed", seed, 0, 1'000'000'000);
  sim.seed = static_cast<std::uint64_t>(seed);
  if (chosen != nullptr && chosen->kind == Node::Kind::map) {
    const std::string inner = fmt::format("{}.{}", owner, behaviour_kinds[static_cast<std::size_t>(sim.kind)]);
    Keys nested(*chosen, inner, problems);
    const std::string_view key = main_key(sim.kind);
    const Node* main = key.empty() ? nullptr : nested.take(key);
    if (main != nullptr) take_main(nested, *main, sim, problems);
    if (main == nullptr && !key.empty()) nested.wrong(*chosen, key, "missing");
    take_parameters(nested, sim);
    nested.finish();
  } else {
    if (chosen != nullptr) take_main(keys, *chosen, sim, problems);
    take_parameters(keys, sim);
  }
  keys.finish();
  return sim;
}

}  // namespace tandem::generic
