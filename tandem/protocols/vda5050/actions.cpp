// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/actions.hpp"

#include <algorithm>
#include <utility>

namespace tandem::vda5050 {
namespace {

constexpr std::size_t most_instant = 100;  // ended ones that are kept until the next order; the oldest go first
constexpr std::size_t most_past = 100;     // ids of those that went

}  // namespace

void Actions::remember(const Run& run) {
  if (run.scope != Scope::instant || !run.ended()) return;
  if (past_.size() == most_past) past_.pop_front();
  past_.push_back(run.state.id);
}

void Actions::begin_order() {
  for (const Run& run : runs_) remember(run);
  std::erase_if(runs_, [](const Run& run) { return run.scope != Scope::instant || run.ended(); });
  failed_.clear();
  changed_ = true;
}

void Actions::add(const Action& action, Scope scope, std::uint32_t sequence, bool released) {
  const ActionState waiting{action.id, action.type, action.description, ActionStatus::waiting, ""};
  runs_.push_back({action, waiting, scope, sequence, released});
  changed_ = true;
}

void Actions::drop_horizon() {
  changed_ = std::erase_if(runs_, [](const Run& run) { return !run.released; }) > 0 || changed_;
}

void Actions::add_instant(const Action& action, ActionStatus status, std::string result) {
  const auto is_old = [](const Run& run) { return run.scope == Scope::instant && run.ended(); };
  if (static_cast<std::size_t>(std::ranges::count_if(runs_, is_old)) >= most_instant) {
    const auto oldest = std::ranges::find_if(runs_, is_old);
    remember(*oldest);
    runs_.erase(oldest);
  }
  runs_.push_back({action, {action.id, action.type, action.description, status, std::move(result)}, Scope::instant, 0});
  changed_ = true;
}

void Actions::set_instant(std::string_view type, std::string_view id, ActionStatus status, std::string result) {
  for (Run& run : runs_) {
    if (run.scope == Scope::instant && run.state.type == type && run.state.id == id && !run.ended())
      enter(run, {status, result});
  }
}

void Actions::reach(Scope scope, std::uint32_t sequence) {
  for (Run& run : runs_) run.reached = run.reached || (run.scope == scope && run.sequence == sequence);
}

void Actions::leave_edge(std::uint32_t sequence, Performer& performer) {
  for (Run& run : runs_) {
    if (run.scope != Scope::edge || run.sequence != sequence || run.ended()) continue;
    if (run.begun) performer.interrupt(run.action);
    enter(run, run.begun ? ActionReport{ActionStatus::finished, "the edge was left"}
                         : ActionReport{ActionStatus::failed, "the edge was left before it began"});
  }
}

void Actions::enter(Run& run, ActionReport report) {
  if (run.ended() || (run.state.status == report.status && run.state.result == report.result)) return;
  run.state.status = report.status;
  run.state.result = std::move(report.result);
  changed_ = true;
  if (report.status == ActionStatus::failed && run.scope != Scope::instant) failed_.push_back(run.state);
}

// In the order in which they were listed and reached. NONE and SOFT run side by side, SOFT once the vehicle stands; a
// HARD waits for all before it, then runs alone, and nothing behind it starts before its end.
void Actions::advance(bool standing, bool paused, Performer& performer) {
  bool running = false;
  bool closed = false;  // nothing that has not begun may begin
  for (Run& run : runs_) {
    if (run.scope == Scope::instant || !run.reached || run.ended()) continue;
    const bool hard = run.action.blocking == Blocking::hard;
    if (run.begun) {
      enter(run, performer.poll(run.action));
    } else if (!paused && !closed && (standing || run.action.blocking == Blocking::none) && !(hard && running)) {
      run.begun = true;
      enter(run, performer.begin(run.action));
    } else {
      closed = closed || !run.ended();
    }
    running = running || !run.ended();
    closed = closed || (hard && !run.ended());
  }
}

void Actions::fail_all(std::string_view why, Performer& performer) {
  for (Run& run : runs_) {
    if (run.scope == Scope::instant || run.ended()) continue;
    if (run.begun) performer.interrupt(run.action);
    enter(run, {ActionStatus::failed, std::string(why)});
  }
  failed_.clear();
}

bool Actions::hold() const {
  return std::ranges::any_of(runs_, [](const Run& run) { return run.scope != Scope::instant && run.blocks(); });
}

bool Actions::ended() const {
  return std::ranges::all_of(
      runs_, [](const Run& run) { return run.scope == Scope::instant || !run.released || run.ended(); });
}

bool Actions::has(std::string_view id) const {
  return std::ranges::any_of(runs_, [&](const Run& run) { return run.released && run.state.id == id; });
}

const ActionState* Actions::instant(std::string_view id) const {
  const auto found =
      std::ranges::find_if(runs_, [&](const Run& run) { return run.scope == Scope::instant && run.state.id == id; });
  return found == runs_.end() ? nullptr : &found->state;
}

bool Actions::was_instant(std::string_view id) const { return std::ranges::find(past_, id) != past_.end(); }

std::vector<ActionState> Actions::take_failed() { return std::exchange(failed_, {}); }
bool Actions::take_changed() { return std::exchange(changed_, false); }

std::vector<ActionState> Actions::states() const {
  std::vector<ActionState> states;
  states.reserve(runs_.size());
  for (const Run& run : runs_) states.push_back(run.state);
  return states;
}

}  // namespace tandem::vda5050
