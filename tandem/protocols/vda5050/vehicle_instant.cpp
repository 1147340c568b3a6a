// SPDX-License-Identifier: Apache-2.0
// Instant actions of a vehicle.
#include <fmt/format.h>

#include "tandem/protocols/vda5050/problems.hpp"
#include "tandem/protocols/vda5050/read.hpp"
#include "tandem/protocols/vda5050/vehicle.hpp"

namespace tandem::vda5050 {

void Vehicle::receive_instant_actions(std::string_view json, bool retained, const Times&) {
  if (retained)
    return drop("instantActions", "instantActions: expected a new message, got a retained one; it is not obeyed");
  auto parsed = read_instant_actions(json);
  if (!parsed.message) return refuse(std::move(parsed.problem));
  if (auto wrong = check_owner(parsed.message->header)) {
    wrong->references.insert(
        wrong->references.begin(),
        {{"topic", "instantActions"}, {"headerId", std::to_string(parsed.message->header.header_id)}});
    return refuse(std::move(*wrong));
  }
  if (!parsed.problem.type.empty()) refuse(std::move(parsed.problem));
  for (const Action& action : parsed.message->actions) act(*parsed.message, action);
}

void Vehicle::act(const InstantActions& message, const Action& action) {
  changed_ = true;
  if (stops(action.type)) return stop(message, action);
  const auto refuse_used = [&] {
    refuse(action_problem(
        message, action, error_type::instant_action,
        fmt::format("{}: actionId '{}': expected a new one, got one that has ended", action.type, action.id)));
  };
  if (const ActionState* known = actions_.instant(action.id); known != nullptr && known->type == action.type) {
    if (action.type == "stopPause" && pause_wanted_) refuse_used();
    return;  // sent again, as QoS 0 may lose it
  }
  // One that comes late must not move or place the vehicle of today.
  if ((action.type == "stopPause" || action.type == "initPosition") && actions_.was_instant(action.id))
    return refuse_used();
  if (actions_.has(action.id)) {
    return refuse(action_problem(message, action, error_type::validation,
                                 fmt::format("actionId '{}': expected a new one, got one that is in use", action.id)));
  }
  if (auto flaw = flaw_of(action, Scope::instant, options_.factsheet.actions)) {
    std::vector<Reference> more;
    if (!flaw->key.empty()) more.push_back({"actionParameters", flaw->key});
    return refuse(action_problem(message, action, error_type::instant_action, std::move(flaw->text), std::move(more)));
  }
  if (action.type == "stopPause") return resume(action);
  if (action.type == "initPosition") return init_position(message, action);
  if (action.type == "factsheetRequest") factsheet_due_ = true;
  if (action.type == "factsheetRequest" || action.type == "stateRequest")
    return actions_.add_instant(action, ActionStatus::finished);
  refuse(action_problem(message, action, error_type::instant_action,
                        fmt::format("action '{}' ({}): not available as an instant action", action.id, action.type)));
}

// Done whatever its id is, and with malformed parameters too; only a cancelOrder that names another order is refused.
// An id that is used again may be a new request of its master; one that belongs to another action is reported, and the
// stop is not listed.
void Vehicle::stop(const InstantActions& message, const Action& action) {
  const ActionState* const known = actions_.instant(action.id);
  const bool again = known != nullptr && known->type == action.type;
  if (again && !is_terminal(known->status)) return;  // sent again, as QoS 0 may lose it
  const bool taken = !again && actions_.has(action.id);
  if (taken) {
    refuse(action_problem(
        message, action, error_type::validation,
        fmt::format("actionId '{}': expected a new one, got one that is in use; done all the same", action.id)));
  }
  const bool listed = !again && !taken;
  if (action.type == "cancelOrder") return cancel(message, action, listed, again);
  pause(action, listed);
}

void Vehicle::cancel(const InstantActions& message, const Action& action, bool listed, bool again) {
  const Value* const named = action.parameter("orderId");
  const bool other = named != nullptr && named->kind == Value::Kind::text && named->text != state_.order_id;
  if (idle() || other) {
    if (again) return;
    std::string text = other && !idle() ? fmt::format("cancelOrder: orderId: expected '{}', got '{}'", state_.order_id,
                                                      named->text.substr(0, 100))
                                        : "cancelOrder: there is no active order";
    if (listed) actions_.add_instant(action, ActionStatus::failed, "no order to cancel");
    return refuse(action_problem(message, action, error_type::no_order_to_cancel, std::move(text)));
  }
  if (listed) actions_.add_instant(action, ActionStatus::running);
  cancels_.push_back(action.id);
  withdrawn_ = true;
  actions_.fail_all("cancelled", truck_);
}

void Vehicle::pause(const Action& action, bool listed) {
  pause_wanted_ = true;
  held_ = false;
  const bool stands = state_.paused || !state_.driving;
  if (stands) state_.paused = true;
  if (!listed) return;
  actions_.add_instant(action, stands ? ActionStatus::finished : ActionStatus::running);
  if (!stands) pauses_.push_back(action.id);
}

void Vehicle::resume(const Action& action) {
  for (const std::string& id : pauses_)
    actions_.set_instant("startPause", id, ActionStatus::failed, "stopPause came first");
  pauses_.clear();
  pause_wanted_ = held_ = state_.paused = false;
  actions_.add_instant(action, ActionStatus::finished);
  enter_edge();
}

void Vehicle::init_position(const InstantActions& message, const Action& action) {
  const auto refuse_it = [&](std::string text) {
    refuse(action_problem(message, action, error_type::instant_action, std::move(text)));
  };
  if (!idle()) return refuse_it("initPosition: expected no active order; cancel it first");
  if (state_.driving) return refuse_it("initPosition: expected standstill");
  Position position;
  position.x = action.parameter("x")->number;
  position.y = action.parameter("y")->number;
  position.theta = action.parameter("theta")->number;
  position.map_id = action.parameter("mapId")->text;
  position.initialized = true;
  if (auto why = truck_.place(position)) return refuse_it(fmt::format("initPosition: {}", *why));
  const Value* node = action.parameter("lastNodeId");
  state_.last_node = node == nullptr ? "" : node->text;
  state_.last_sequence = 0;
  withdrawn_ = true;
  state_.position = position;
  actions_.add_instant(action, ActionStatus::finished);
}

}  // namespace tandem::vda5050
