// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/schedule/action.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace tandem::prove {
namespace {

constexpr std::array all_verbs{
    Verb{"arm", Kind::command, "by direct, socket or service"},
    Verb{"stop", Kind::command, "by direct, socket or service"},
    Verb{"reset", Kind::command, "by direct, socket or service"},
    Verb{"move", Kind::motion, "a and b: speed and turn, or the shares of a jog or a pose, -1 to 1"},
    Verb{"goal", Kind::motion, "an action's goal; a: joint (rad), b: 1 cancels it halfway"},
    Verb{"old_move", Kind::motion, "a motion with a stamp of 5 s ago, which must be ignored; a and b as of move"},
    Verb{"delay", Kind::fault, "answers are late by a (s), with a jitter of b (s)"},
    Verb{"loss", Kind::fault, "a: share of chunks that vanish, either way"},
    Verb{"black_hole", Kind::fault, "everything vanishes, either way"},
    Verb{"reset_link", Kind::fault, "connections are reset, and refused until it ends"},
    Verb{"half_open", Kind::fault, "commands arrive, answers vanish"},
    Verb{"slice", Kind::fault, "at most a bytes at a time"},
    Verb{"replay", Kind::fault, "a: share of answers after which an old one comes again"},
    Verb{"restart", Kind::device, "the device is made again; it is away until it ends"},
    Verb{"unplug", Kind::device, "nothing passes at the device until it ends; its physics goes on"},
};

Error wrong(std::string_view line, std::string_view what) {
  return {Fault::invalid, fmt::format("action '{}': {}", line.substr(0, 80), what)};
}

std::optional<double> number_from(std::string_view word) {
  double value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r"));
  rest.remove_prefix(word.size());
  return word;
}

Result<void> set(Action& action, std::string_view word, std::string_view line) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return wrong(line, fmt::format("expected KEY=VALUE, got '{}'", word));
  const std::string_view key = word.substr(0, equals), value = word.substr(equals + 1);
  if (key == "by") {
    if (value != "direct" && value != "socket" && value != "service")
      return wrong(line, fmt::format("by: expected direct, socket or service, got '{}'", value));
    action.by = value;
    return {};
  }
  const auto number = number_from(value);
  if (!number) return wrong(line, fmt::format("{}: expected a number, got '{}'", key, value));
  if (key == "lasts" && *number >= 0)
    action.lasts = *number;
  else if (key == "a")
    action.a = *number;
  else if (key == "b")
    action.b = *number;
  else
    return wrong(line, fmt::format("expected lasts (0 or more), a, b or by, got '{}'", word));
  return {};
}

}  // namespace

std::span<const Verb> verbs() { return all_verbs; }

const Verb* find_verb(std::string_view name) {
  for (const Verb& verb : all_verbs)
    if (verb.name == name) return &verb;
  return nullptr;
}

std::string text_of(const Action& action) {
  std::string text = fmt::format("{:.3f} {} {}", action.at, action.machine, action.verb);
  if (action.lasts != 0) text += fmt::format(" lasts={:.3f}", action.lasts);
  if (action.a != 0) text += fmt::format(" a={:.3f}", action.a);
  if (action.b != 0) text += fmt::format(" b={:.3f}", action.b);
  if (!action.by.empty()) text += " by=" + action.by;
  return text;
}

Result<Action> action_from(std::string_view line) {
  std::string_view rest = line;
  const auto at = number_from(next_word(rest));
  if (!at || *at < 0) return wrong(line, "expected seconds since the beginning first");
  Action action;
  action.at = *at;
  action.machine = next_word(rest);
  action.verb = next_word(rest);
  if (find_verb(action.verb) == nullptr) return wrong(line, fmt::format("unknown verb '{}'", action.verb));
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
    if (auto good = set(action, word, line); !good) return std::move(good).error();
  return action;
}

std::string text_of(std::span<const Action> actions) {
  std::string text;
  for (const Action& action : actions) text += text_of(action) + "\n";
  return text;
}

Result<std::vector<Action>> actions_from(std::string_view text) {
  std::vector<Action> actions;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::string_view rest = line;
    if (const std::string_view first = next_word(rest); first.empty() || first.front() == '#') continue;
    auto action = action_from(line);
    if (!action) return within(fmt::format("line {}", number), std::move(action).error());
    actions.push_back(*std::move(action));
  }
  return actions;
}

}  // namespace tandem::prove
