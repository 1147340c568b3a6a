// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/recordings/incident/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

namespace tandem::app::incident {

namespace {

constexpr double shortly_before = 0.5;  // s: what began this much earlier belongs to the incident

std::string title_of(const Moment& moment, bool of_all) {
  static const std::map<std::string_view, std::string_view> titles = {
      {"stopped", "a stop latched"},
      {"lost", "the link was lost while armed"},
      {"disarmed", "disarmed"},
      {"residual", "the twin's residual rose above its alarm"},
      {"protective_stop", "protective stop"},
      {"snapshot", "a snapshot was asked for"},
      {"chosen", "the moment that was chosen"},
  };
  const auto known = titles.find(moment.cause);
  return fmt::format("{}: {}", of_all || moment.machine.empty() ? "all machines" : moment.machine,
                     known == titles.end() ? std::string_view(moment.cause) : known->second);
}

bool happens(double t, double from, double to) { return t >= from && t <= to; }

std::vector<std::string> because_of(const History& history, const Numbers& numbers) {
  std::vector<std::string> because;
  if (!history.moment.text.empty()) because.push_back(history.moment.text);
  for (const Event& event : history.events) {
    const double t = history.since(event.time);
    if (event.kind == "chaos" && happens(t, -history.before, 0))
      because.push_back(fmt::format("chaos {}: {}", when_text(t), event.text));
  }
  for (const Command& command : history.commands) {
    const double t = history.since(command.time);
    if (command.ok && (command.what == "unplug" || command.what == "stop") && happens(t, -history.before, 0.05))
      because.push_back(fmt::format("{} by {}, {}", command.what == "stop" ? "stop commanded" : "unplugged", command.by,
                                    when_text(t)));
  }
  for (const Frame& frame : history.frames) {
    const double t = history.since(frame.time);
    if (frame.kind == Frame::Kind::ended && happens(t, -shortly_before, 0.05))
      because.push_back(fmt::format("the device closed its connection, {}", when_text(t)));
    if (frame.kind == Frame::Kind::broken && happens(t, -shortly_before, 0.05))
      because.push_back(fmt::format("the connection broke, {}", when_text(t)));
  }
  constexpr double silent = 0.05;  // s: for longer than most pauses between two answers
  if (numbers.last_from_device && *numbers.last_from_device < -silent)
    because.push_back(fmt::format("last bytes from the device {}", when_text(*numbers.last_from_device)));
  return because;
}

void find_bytes(const History& history, Numbers& numbers) {
  for (const Frame& frame : history.frames) {
    const double t = history.since(frame.time);
    if (frame.kind == Frame::Kind::out && t <= 0) numbers.last_to_device = t;
    if (frame.kind != Frame::Kind::in) continue;
    if (t <= 0) numbers.last_from_device = t;
    if (t > 0 && !numbers.next_from_device) numbers.next_from_device = t;
  }
}

void find_link(const History& history, Numbers& numbers) {
  std::optional<double> lost;
  const auto is_lost = [](const std::string& kind) { return kind == "lost" || kind == "stale" || kind == "faulted"; };
  for (const Event& event : history.events) {
    const double t = history.since(event.time);
    if (!lost && t >= -shortly_before && t <= history.after && is_lost(event.kind)) lost = t;
    const bool is_back = event.kind == "live" || event.kind == "fresh";
    if (lost && t > *lost && is_back && !numbers.live_again) numbers.live_again = t;
  }
  for (const State& state : history.states) {
    const double t = history.since(state.time);
    if (!lost && t >= 0 && state.link != "live") lost = t;
    if (lost && t > *lost && state.link == "live" && !numbers.live_again) numbers.live_again = t;
  }
  numbers.link_lost = lost.has_value();
}

void find_arm(const History& history, Numbers& numbers) {
  const auto take = [&](double t, const std::string& by) {
    if (t > 0 && (!numbers.armed_again || t < numbers.armed_again->t)) numbers.armed_again = Numbers::Armed{t, by};
  };
  for (const Command& command : history.commands)
    if (command.ok && command.what == "arm") take(history.since(command.time), command.by);
  for (const Event& event : history.events)
    if (event.kind == "armed")
      take(history.since(event.time), event.text.substr(event.text.starts_with("by ") ? 3 : 0));
}

template <typename Count>
void add_refusals(const History& history, const std::string& what, Count count, Numbers& numbers) {
  if (history.states.empty()) return;
  const auto after = std::ranges::upper_bound(history.states, history.moment.at, {}, &State::time);
  const State& at = after == history.states.begin() ? *after : *std::prev(after);
  const auto grown = [](double from, double to) { return static_cast<std::uint64_t>(std::max(0.0, to - from)); };
  const Refusals refusals{what, grown(count(history.states.front()), count(at)),
                          grown(count(at), count(history.states.back()))};
  if (refusals.before + refusals.after > 0) numbers.refusals.push_back(refusals);
}

void count_refusals(const History& history, Numbers& numbers) {
  add_refusals(
      history, "invalid samples", [](const State& state) { return static_cast<double>(state.invalid); }, numbers);
  add_refusals(
      history, "stale episodes", [](const State& state) { return static_cast<double>(state.stale_episodes); }, numbers);
  std::map<std::string, bool> names;
  for (const State& state : history.states)
    for (const auto& [name, count] : state.counters) names[name] = true;
  for (const auto& [name, known] : names) {
    const auto count = [&name = name](const State& state) {
      const auto found = state.counters.find(name);
      return found == state.counters.end() ? 0.0 : found->second;
    };
    add_refusals(history, name, count, numbers);
  }
  Refusals commands{"refused commands"};
  for (const Command& command : history.commands) {
    const double t = history.since(command.time);
    if (!command.ok && happens(t, -history.before, history.after)) ++(t <= 0 ? commands.before : commands.after);
  }
  if (commands.before + commands.after > 0) numbers.refusals.push_back(commands);
}

// As a shell takes it for one word.
std::string word(const std::string& text) {
  const auto is_plain = [](char c) {
    return (std::isalnum(static_cast<unsigned char>(c)) != 0) ||
           std::string_view("/._-+:,=@").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::vector<Step> steps_of(const History& history) {
  const std::string file = word(history.file), machine = word(history.moment.machine);
  std::vector<Step> steps = {
      {fmt::format("tandem replay {}", file),
       history.from_black_box ? "see it on the page, with a mark in the time bar" : "see it on the page"}};
  if (history.has_opening) {
    steps.push_back({fmt::format("tandem replay {} --as device --machine {}", file, machine),
                     "repeat it: this device again, byte for byte; point `device:` at the URL that it prints"});
  } else {
    steps.push_back({"", "replay as the device is not possible: no connection begins within this file"});
  }
  if (!history.speed_signal.empty()) {
    const double start = static_cast<double>(history.moment.at - history.start) * 1e-9;
    const double length = static_cast<double>(history.end - history.start) * 1e-9;
    const std::string out = std::filesystem::path(history.file).stem().string() + ".svg";
    steps.push_back(
        {fmt::format("tandem plot {} {} --from {:.1f} --to {:.1f} --out {}", file, word(history.speed_signal),
                     std::max(0.0, start - history.before), std::min(start + history.after, length), word(out)),
         "its speed"});
  }
  steps.push_back({fmt::format("tandem plot {} --list", file), "everything else that can be plotted"});
  return steps;
}

}  // namespace

double state_interval(const History& history) {
  constexpr double usual = 0.1;  // s
  std::vector<double> intervals;
  for (std::size_t i = 1; i < history.states.size(); ++i)
    intervals.push_back(static_cast<double>(history.states[i].time - history.states[i - 1].time) * 1e-9);
  if (intervals.empty()) return usual;
  const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
  std::nth_element(intervals.begin(), middle, intervals.end());
  return std::max(*middle, 0.01);
}

std::string when_text(double t) {
  if (std::abs(t) < 0.0005) return "at the incident";
  return fmt::format("{:.3f} s {}", std::abs(t), t < 0 ? "before" : "after");
}

std::vector<Beside> machines_of(const History& history) {
  std::vector<Beside> machines;
  for (const History& one : history.all) {
    Beside beside{one.moment.machine, one.type, "", "", motion_of(one)};
    for (const State& state : one.states) {
      std::string text = state.arm.empty() ? state.link : fmt::format("{}, {}", state.link, state.arm);
      if (state.time < one.moment.at) {
        beside.before = std::move(text);
      } else if (beside.after.empty()) {
        beside.after = std::move(text);
      }
    }
    machines.push_back(std::move(beside));
  }
  std::ranges::stable_sort(machines, std::greater{}, [](const Beside& each) {
    return each.motion && each.motion->speed ? *each.motion->speed : 0.0;
  });
  return machines;
}

Numbers numbers_of(const History& history) {
  Numbers numbers;
  numbers.motion = motion_of(history);
  find_bytes(history, numbers);
  find_link(history, numbers);
  find_arm(history, numbers);
  count_refusals(history, numbers);
  return numbers;
}

Incident explain(const History& history) {
  Incident incident;
  incident.title = title_of(history.moment, !history.all.empty());
  incident.machines = machines_of(history);
  incident.numbers = numbers_of(history);
  incident.because = because_of(history, incident.numbers);
  incident.timeline = timeline_of(history);
  incident.next = steps_of(history);
  return incident;
}

}  // namespace tandem::app::incident
