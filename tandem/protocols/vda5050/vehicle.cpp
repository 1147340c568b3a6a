// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/vehicle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/protocols/vda5050/problems.hpp"
#include "tandem/protocols/vda5050/read.hpp"
#include "tandem/protocols/vda5050/time.hpp"

namespace tandem::vda5050 {
namespace {

constexpr std::size_t most_rejections = 32;  // the oldest go first

bool blocks(const std::vector<Action>& actions) {
  return std::ranges::any_of(actions, [](const Action& action) { return action.blocking != Blocking::none; });
}

bool same_loads(const std::optional<std::vector<Load>>& a, const std::optional<std::vector<Load>>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || std::ranges::equal(*a, *b, [](const Load& one, const Load& other) {
    return one.id == other.id && one.type == other.type && one.position == other.position && one.weight == other.weight;
  });
}

bool master_controls(OperatingMode mode) {
  return mode == OperatingMode::automatic || mode == OperatingMode::semiautomatic;
}

}  // namespace

Vehicle::Vehicle(VehicleOptions options, Truck& truck) : options_(std::move(options)), truck_(truck) {}

void Vehicle::refuse(Problem problem) {
  ++refused_;
  if (rejections_.size() == most_rejections) rejections_.pop_front();
  rejections_.push_back(std::move(problem));
  changed_ = true;
}

// Only its topic is known of it. The same ones again, as after each reconnect, are listed once.
void Vehicle::drop(std::string_view topic, std::string text) {
  Problem dropped = problem(error_type::message_dropped, std::move(text), {{"topic", std::string(topic)}});
  std::erase(rejections_, dropped);
  refuse(std::move(dropped));
}

void Vehicle::note_lost(std::string_view topic, std::uint64_t count) {
  if (count == 0) return;
  if (topic == "order") orders_refused_ += count;
  drop(topic, fmt::format("{}: {} messages were lost, as they came faster than they could be read; send them again",
                          topic, count));
}

// With the field as its only reference.
std::optional<Problem> Vehicle::check_owner(const Header& header) const {
  const auto differs = [&](std::string_view field, const std::string& expected, const std::string& got) {
    return problem(error_type::validation, fmt::format("{}: expected '{}', got '{}'", field, expected, got),
                   {{std::string(field), got}});
  };
  const Identity& own = options_.identity;
  if (header.manufacturer != own.manufacturer) return differs("manufacturer", own.manufacturer, header.manufacturer);
  if (header.serial_number != own.serial_number)
    return differs("serialNumber", own.serial_number, header.serial_number);
  return std::nullopt;
}

// No action may have the id of one that is still listed; those of the node where an update begins are known.
std::optional<Problem> Vehicle::check_known_ids(const Order& order) const {
  const bool fresh = order.id != state_.order_id;
  const auto find = [&](const std::vector<Action>& actions) {
    return std::ranges::find_if(actions, [&](const Action& action) {
      return fresh ? actions_.instant(action.id) != nullptr : actions_.has(action.id);
    });
  };
  const auto taken = [&](const Action& action) {
    return order_problem(order, error_type::validation,
                         fmt::format("actionId '{}': expected a new one, got one that is in use", action.id),
                         {{"actionId", action.id}});
  };
  for (std::size_t i = fresh ? 0 : 1; i < order.nodes.size(); ++i) {
    if (const auto found = find(order.nodes[i].actions); found != order.nodes[i].actions.end()) return taken(*found);
  }
  for (const Edge& edge : order.edges) {
    if (const auto found = find(edge.actions); found != edge.actions.end()) return taken(*found);
  }
  return std::nullopt;
}

Standing Vehicle::standing() const {
  Standing standing;
  standing.mode = state_.mode;
  standing.e_stop = state_.safety.e_stop;
  standing.charging = state_.battery.charging;
  standing.cancelling = !cancels_.empty();
  standing.positioned = state_.position && state_.position->initialized;
  standing.order_id = state_.order_id;
  standing.update = state_.order_update;
  standing.idle = idle();
  standing.withdrawn = withdrawn_;
  standing.last_node = standing.base_end = state_.last_node;
  standing.last_sequence = standing.base_end_sequence = state_.last_sequence;
  for (const Node& node : state_.nodes) {
    if (!node.released) break;
    standing.base_end = node.id;
    standing.base_end_sequence = node.sequence;
  }
  return standing;
}

void Vehicle::receive_order(std::string_view json, bool retained, const Times& times, bool outdated) {
  const std::uint64_t refused = refused_;
  take_order(json, retained, times, outdated);
  if (refused_ != refused) ++orders_refused_;
}

void Vehicle::take_order(std::string_view json, bool retained, const Times& times, bool outdated) {
  if (retained) return drop("order", "order: expected a new message, got a retained one; it is not obeyed");
  auto parsed = read_order(json);
  if (!parsed.message) return refuse(std::move(parsed.problem));
  const Order& order = *parsed.message;
  if (auto wrong = check_owner(order.header))
    return refuse(order_problem(order, wrong->type, std::move(wrong->description), std::move(wrong->references)));
  if (auto wrong = check_structure(order)) return refuse(std::move(*wrong));
  if (auto wrong = check_actions(order, options_.factsheet.actions)) return refuse(std::move(*wrong));
  if (auto wrong = truck_.check(order)) return refuse(std::move(*wrong));
  Standing now = standing();
  if (outdated) now.mode = OperatingMode::manual;
  Decision decision = decide(order, now);
  if (decision.verdict == Verdict::refused) return refuse(std::move(decision.problem));
  changed_ = true;  // also for a duplicate: its sender has not seen the state
  if (decision.verdict == Verdict::duplicate) return;
  if (auto wrong = check_known_ids(order)) return refuse(std::move(*wrong));
  const bool fresh = decision.verdict == Verdict::new_order;
  if (fresh) {
    if (auto wrong = check_start(order, *state_.position, options_.tolerance)) return refuse(std::move(*wrong));
  }
  if (auto wrong = truck_.plan(order, fresh)) return refuse(std::move(*wrong));
  accept(order, fresh);
  ++orders_accepted_;
  note_clock(order, times);
}

// Without references to the order: masters take an error that has them for a refusal.
void Vehicle::note_clock(const Order& order, const Times& times) {
  const auto sent = utc_from(order.header.timestamp);
  const Duration age = sent ? times.utc - *sent : Duration{0};
  if (sent && age <= options_.clock_tolerance && age >= -options_.clock_tolerance) return;
  const std::string name = fmt::format("order '{}', update {}: timestamp", order.id, order.update);
  std::string text =
      sent ? fmt::format("{}: expected within {:.0f} s of this clock, got {:+.0f} s", name,
                         seconds(options_.clock_tolerance), -seconds(age))
           : fmt::format("{}: expected ISO 8601 in UTC, got '{}'", name, order.header.timestamp.substr(0, 40));
  Problem warning = problem(error_type::clock_difference, std::move(text),
                            {{"topic", "order"}, {"headerId", std::to_string(order.header.header_id)}});
  warning.hint = "synchronise the clocks of master and vehicle; the order is carried out";
  rejections_.push_back(std::move(warning));
}

void Vehicle::accept(const Order& order, bool fresh) {
  const bool was_idle = idle();
  truck_.adopt();
  rejections_.clear();
  withdrawn_ = false;
  if (was_idle) failed_ = false;
  state_.order_update = order.update;
  if (fresh) {
    state_.order_id = order.id;
    actions_.begin_order();
    state_.nodes.clear();
    state_.edges.clear();
    entered_.reset();
    const Node& first = order.nodes[0];
    state_.last_node = first.id;
    state_.last_sequence = first.sequence;
    for (const Action& action : first.actions) actions_.add(action, Scope::node, first.sequence);
    append(order);
    actions_.reach(Scope::node, first.sequence);
    return enter_edge();
  }
  // The first version of the node where both meet counts. Only on a vehicle that has come to its end and has done all
  // there, actions that are new are added.
  const Node& first = order.nodes[0];
  const bool reached = first.sequence == state_.last_sequence && actions_.ended();
  actions_.drop_horizon();
  std::erase_if(state_.nodes, [](const Node& node) { return !node.released; });
  std::erase_if(state_.edges, [](const Edge& edge) { return !edge.released; });
  if (reached) {
    for (const Action& action : first.actions) {
      if (!actions_.has(action.id)) actions_.add(action, Scope::node, first.sequence);
    }
    actions_.reach(Scope::node, first.sequence);
  }
  append(order);
  enter_edge();
}

// All of the order behind its first node.
void Vehicle::append(const Order& order) {
  for (std::size_t i = 0; i < order.edges.size(); ++i) {
    const Edge& edge = order.edges[i];
    const Node& node = order.nodes[i + 1];
    state_.edges.push_back(edge);
    state_.nodes.push_back(node);
    for (const Action& action : edge.actions) actions_.add(action, Scope::edge, edge.sequence, edge.released);
    for (const Action& action : node.actions) actions_.add(action, Scope::node, node.sequence, node.released);
  }
}

// The edge behind the last node is entered as soon as nothing holds the vehicle there.
void Vehicle::enter_edge() {
  if (state_.edges.empty() || !state_.edges[0].released || entered_ == state_.edges[0].sequence) return;
  if (state_.edges[0].sequence != state_.last_sequence + 1 || actions_.hold() || failed_ || pause_wanted_ ||
      !cancels_.empty())
    return;
  entered_ = state_.edges[0].sequence;
  actions_.reach(Scope::edge, *entered_);
}

void Vehicle::pass_node() {
  if (state_.nodes.empty() || !state_.nodes[0].released) return;
  const Node node = std::move(state_.nodes[0]);
  state_.nodes.erase(state_.nodes.begin());
  if (!state_.edges.empty()) {
    actions_.leave_edge(state_.edges[0].sequence, truck_);
    state_.edges.erase(state_.edges.begin());
  }
  state_.last_node = node.id;
  state_.last_sequence = node.sequence;
  entered_.reset();
  actions_.reach(Scope::node, node.sequence);
  enter_edge();
  changed_ = true;
}

Goal Vehicle::goal() const {
  Goal goal;
  std::size_t i = 0;
  for (; i < state_.nodes.size() && state_.nodes[i].released; ++i) {
    goal.nodes = i + 1;
    const bool next = i + 1 < state_.edges.size() && state_.edges[i + 1].released;
    if (blocks(state_.nodes[i].actions) || (next && blocks(state_.edges[i + 1].actions))) break;
  }
  goal.at_horizon = goal.nodes < state_.nodes.size() && !state_.nodes[goal.nodes].released;
  goal.hold = goal.nodes == 0 || pause_wanted_ || failed_ || !cancels_.empty() || actions_.hold() ||
              !master_controls(state_.mode) || state_.safety.e_stop != EStop::none;
  return goal;
}

void Vehicle::drop_path() {
  state_.nodes.clear();
  state_.edges.clear();
  entered_.reset();
  withdrawn_ = true;
  failed_ = false;
  changed_ = true;
}

void Vehicle::clear(std::string_view why) {
  actions_.fail_all(why, truck_);
  drop_path();
  finish_cancel();
}

void Vehicle::observe(const Observation& seen) {
  const bool was_initialized = state_.position && state_.position->initialized;
  const bool is_initialized = seen.position && seen.position->initialized;
  const bool same_map = state_.position.has_value() == seen.position.has_value() &&
                        (!seen.position || state_.position->map_id == seen.position->map_id);
  const bool stopped = seen.safety.e_stop != EStop::none && state_.safety.e_stop == EStop::none;
  const bool mode_changed = seen.mode != state_.mode;
  const bool base_request = seen.base_ends_soon && goal().at_horizon && master_controls(seen.mode);
  changed_ = changed_ || mode_changed || seen.safety != state_.safety || seen.driving != state_.driving ||
             seen.battery.charging != state_.battery.charging || was_initialized != is_initialized || !same_map ||
             base_request != state_.new_base_request || own_ != seen.errors || !same_loads(state_.loads, seen.loads);
  const bool clears = stopped || (mode_changed && (master_controls(seen.mode) != master_controls(state_.mode)));
  state_.mode = seen.mode;
  state_.safety = seen.safety;
  state_.driving = seen.driving;
  state_.battery = seen.battery;
  state_.position = seen.position;
  state_.velocity = seen.velocity;
  state_.loads = seen.loads;
  state_.new_base_request = base_request;
  own_ = seen.errors;
  if (clears) clear(stopped ? "a stop is latched" : "the operating mode changed");
  actions_.advance(!state_.driving, pause_wanted_, truck_);
  note_failures();
  finish_cancel();
  finish_pause();
  enter_edge();
}

// The vehicle stands until the master cancels: 2.1 has no failed orders.
void Vehicle::note_failures() {
  for (const ActionState& action : actions_.take_failed()) {
    failed_ = true;
    refuse(problem(
        error_type::action_failed, fmt::format("action '{}' ({}) failed: {}", action.id, action.type, action.result),
        {{"topic", "order"}, {"orderId", state_.order_id}, {"actionId", action.id}, {"actionType", action.type}}));
  }
}

void Vehicle::finish_cancel() {
  if (cancels_.empty() || state_.driving || !actions_.ended()) return;
  drop_path();
  for (const std::string& id : cancels_) actions_.set_instant("cancelOrder", id, ActionStatus::finished);
  cancels_.clear();
  if (std::exchange(held_, false)) pause_wanted_ = state_.paused = false;
}

void Vehicle::hold() {
  held_ = held_ || !pause_wanted_;
  pause_wanted_ = changed_ = true;
}

void Vehicle::finish_pause() {
  if (!pause_wanted_ || state_.driving) return;
  changed_ = changed_ || !state_.paused;
  state_.paused = true;
  for (const std::string& id : pauses_) actions_.set_instant("startPause", id, ActionStatus::finished);
  pauses_.clear();
}

}  // namespace tandem::vda5050
