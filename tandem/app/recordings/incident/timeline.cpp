// SPDX-License-Identifier: Apache-2.0
// The timeline: what changed around the incident, each change once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tandem/app/recordings/incident/explain.hpp"

namespace tandem::app::incident {

namespace {

constexpr double same_moment = 0.1;  // s between a command and the event that says the same
constexpr std::size_t restless = 8;  // a text that changes more often says nothing
constexpr std::size_t most_log_lines = 20;

// A change of the states was told by an event or a command if that came within this time before, s.
double told_within(const History& history) { return 2.5 * state_interval(history); }

bool in_window(const History& history, Time time) {
  const double t = history.since(time);
  return t >= -history.before && t <= history.after;
}

struct Pair {
  std::string_view command, event;
};
constexpr std::array<Pair, 5> told_by_command = {
    {{"arm", "armed"}, {"stop", "stopped"}, {"reset", "reset"}, {"unplug", "unplugged"}, {"plug", "plugged"}}};

// The command that says the same as this event.
bool is_told_by_command(const History& history, const Event& event) {
  if (!event.text.starts_with("by ")) return false;
  return std::ranges::any_of(history.commands, [&](const Command& command) {
    const double apart = history.since(command.time) - history.since(event.time);
    return command.ok && std::abs(apart) < same_moment && std::ranges::any_of(told_by_command, [&](const Pair& pair) {
             return pair.command == command.what && pair.event == event.kind;
           });
  });
}

std::string_view source_of(const Event& event) {
  static const std::set<std::string_view> link = {"live", "fresh", "lost", "stale", "away", "slow", "faulted"};
  static const std::set<std::string_view> arm = {"armed", "disarmed", "stopped", "reset"};
  if (event.kind == "chaos") return "chaos";
  if (event.kind == "gate") return "gate";
  if (link.contains(event.kind)) return "link";
  return arm.contains(event.kind) ? "arm" : "event";
}

void add_events(const History& history, std::vector<Entry>& entries) {
  for (const Event& event : history.events) {
    // The black box tells by an event that it has written this very file.
    if (!in_window(history, event.time) || is_told_by_command(history, event) || event.kind == "incident") continue;
    entries.push_back({history.since(event.time), std::string(source_of(event)),
                       event.kind == "gate" ? "refused: " + event.text : fmt::format("{}: {}", event.kind, event.text),
                       event.bad});
  }
}

// One line, without the machine that all of it is of.
std::string answer_text(const History& history, const Command& command) {
  std::string text = command.text;
  const std::string head = history.moment.machine + ": ";
  if (text.starts_with(head)) text.erase(0, head.size());
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "; ");
  return text;
}

void add_commands(const History& history, std::vector<Entry>& entries) {
  for (const Command& command : history.commands) {
    if (!in_window(history, command.time)) continue;
    entries.push_back({history.since(command.time), "command",
                       fmt::format("{} by {}: {}: {}", command.what, command.by, command.ok ? "done" : "refused",
                                   answer_text(history, command)),
                       !command.ok});
  }
}

bool told_before(const History& history, double t, const std::set<std::string_view>& kinds) {
  const double within = told_within(history);
  return std::ranges::any_of(history.events, [&](const Event& event) {
    const double before = t - history.since(event.time);
    return before >= 0 && before < within && kinds.contains(event.kind);
  });
}

// Whether an event told this cause of the latch shortly before; the latch says in front of it what kind it is.
bool cause_is_told(const History& history, double t, std::string_view cause) {
  constexpr std::size_t enough = 40;  // characters: causes are cut
  const double within = told_within(history);
  for (const std::string_view kind : {"stale: ", "link lost: "})
    if (cause.starts_with(kind)) cause.remove_prefix(kind.size());
  return std::ranges::any_of(history.events, [&](const Event& event) {
    const double before = t - history.since(event.time);
    return before >= 0 && before < within && event.text.find(cause.substr(0, enough)) != std::string::npos;
  });
}

// The arm latch tells its author, which the events do not always; a command tells it itself.
void add_arm_change(const History& history, const State& before, const State& now, std::vector<Entry>& entries) {
  if (before.arm == now.arm && before.arm_cause == now.arm_cause) return;
  const double t = history.since(now.time);
  const double within = told_within(history);
  const bool commanded = std::ranges::any_of(history.commands, [&](const Command& command) {
    const double earlier = t - history.since(command.time);
    return command.ok && earlier >= 0 && earlier < within && command.by == now.arm_by;
  });
  if (commanded || now.arm.empty()) return;
  const std::string change = before.arm == now.arm ? now.arm : fmt::format("{} -> {}", before.arm, now.arm);
  const std::string why = cause_is_told(history, t, now.arm_cause) ? "" : ": " + now.arm_cause;
  entries.push_back({t, "arm", fmt::format("{} by {}{}", change, now.arm_by, why), now.arm != "armed"});
}

void add_link_change(const History& history, const State& before, const State& now, std::set<std::string>& causes,
                     std::vector<Entry>& entries) {
  const double t = history.since(now.time);
  const bool changed = before.link != now.link || before.quality != now.quality;
  const bool is_new_cause = !now.cause.empty() && causes.insert(now.cause).second;
  if (now.link == "live") causes.clear();
  if (!changed && !is_new_cause) return;
  // Between two attempts a link that is away is down, then connecting: no news without a new cause.
  const auto is_away = [](const State& state) { return state.link == "down" || state.link == "connecting"; };
  if (is_away(before) && is_away(now) && !is_new_cause) return;
  static const std::set<std::string_view> kinds = {"live", "fresh", "lost", "stale", "away", "faulted"};
  if (told_before(history, t, kinds)) return;
  const std::string change = before.link == now.link ? now.link : fmt::format("{} -> {}", before.link, now.link);
  entries.push_back({t, "link",
                     fmt::format("{}, samples {}{}{}", change, now.quality, now.cause.empty() ? "" : ": ", now.cause),
                     now.link != "live"});
}

// Runs of refusals, each told once with its number.
struct Run {
  double from = 0, to = 0;
  double count = 0;
  std::string cause;
};

void end_run(const std::string& what, std::optional<Run>& run, std::vector<Entry>& entries) {
  if (!run) return;
  entries.push_back({run->from, "gate",
                     fmt::format("{:.0f} {} until {:+.3f} s{}{}", run->count, what, run->to,
                                 run->cause.empty() ? "" : ": ", run->cause),
                     true});
  run.reset();
}

template <typename Count>
void add_runs(const History& history, const std::string& what, Count count, std::vector<Entry>& entries) {
  const double same_run = 5 * state_interval(history);  // s
  std::optional<Run> run;
  for (std::size_t i = 1; i < history.states.size(); ++i) {
    const double more = count(history.states[i]) - count(history.states[i - 1]);
    const double t = history.since(history.states[i].time);
    if (run && t - run->to > same_run) end_run(what, run, entries);
    if (more <= 0) continue;
    if (!run) run = Run{t, t, 0, history.states[i].cause};
    run->to = t, run->count += more;
  }
  end_run(what, run, entries);
}

void add_gates(const History& history, std::vector<Entry>& entries) {
  add_runs(
      history, "samples refused as invalid", [](const State& state) { return static_cast<double>(state.invalid); },
      entries);
  std::set<std::string> names;
  for (const State& state : history.states)
    for (const auto& [name, count] : state.counters) names.insert(name);
  for (const std::string& name : names) {
    const auto count = [&](const State& state) {
      const auto found = state.counters.find(name);
      return found == state.counters.end() ? 0.0 : found->second;
    };
    add_runs(history, name == "timeouts" ? "answers timed out" : "refused by the machine's own gate", count, entries);
  }
}

// What the machine says of itself, where that changed and does not change all the time.
void add_texts(const History& history, std::vector<Entry>& entries) {
  std::map<std::string, std::vector<Entry>> found;
  for (std::size_t i = 1; i < history.states.size(); ++i) {
    const State &before = history.states[i - 1], &now = history.states[i];
    for (const auto& [name, text] : now.texts) {
      const auto old = before.texts.find(name);
      if (text.empty() || (old != before.texts.end() && old->second == text)) continue;
      if (old == before.texts.end() && before.texts.empty()) continue;  // the first that is known is no change
      found[name].push_back({history.since(now.time), "state", fmt::format("{}: {}", name, text), false});
    }
  }
  for (const auto& [name, changes] : found)
    if (changes.size() <= restless) entries.insert(entries.end(), changes.begin(), changes.end());
}

// The largest residual of the twin before and after.
void add_residuals(const History& history, std::vector<Entry>& entries) {
  for (const bool after : {false, true}) {
    const Residual* largest = nullptr;
    std::pair<std::string, double> most{"", 0};
    for (const Residual& residual : history.residuals) {
      if ((residual.time > history.moment.at) != after) continue;
      for (const auto& value : residual.values) {
        if (largest != nullptr && std::abs(value.second) <= std::abs(most.second)) continue;
        largest = &residual, most = value;
      }
    }
    if (largest == nullptr) continue;
    entries.push_back({history.since(largest->time), "twin",
                       fmt::format("largest residual {} the incident: {} {:.4g}", after ? "after" : "before",
                                   most.first, most.second),
                       false});
  }
}

void add_log(const History& history, std::vector<Entry>& entries) {
  std::string last;
  std::size_t lines = 0;
  for (const LogLine& line : history.log) {
    if (line.text == last || ++lines > most_log_lines) continue;
    last = line.text;
    // The events say the same of the link, in the same words.
    const bool same = std::ranges::any_of(history.events, [&](const Event& event) {
      return std::abs(event.time - line.time) < 100'000'000 && line.text.find(event.text) != std::string::npos;
    });
    if (!same) entries.push_back({history.since(line.time), "log", line.text, true});
  }
}

}  // namespace

std::vector<Entry> timeline_of(const History& history) {
  std::vector<Entry> entries = traffic_of(history);
  add_events(history, entries);
  add_commands(history, entries);
  std::set<std::string> causes;
  for (std::size_t i = 1; i < history.states.size(); ++i) {
    add_link_change(history, history.states[i - 1], history.states[i], causes, entries);
    add_arm_change(history, history.states[i - 1], history.states[i], entries);
  }
  add_gates(history, entries);
  add_texts(history, entries);
  add_residuals(history, entries);
  add_log(history, entries);
  // To the millisecond that is shown, so that what is the incident itself is not before it.
  for (Entry& entry : entries) entry.t = std::round(entry.t * 1e3) / 1e3 + 0.0;
  std::ranges::stable_sort(entries, {}, &Entry::t);
  return entries;
}

}  // namespace tandem::app::incident
