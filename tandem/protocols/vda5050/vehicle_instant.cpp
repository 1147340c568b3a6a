// SPDX-License-Identifier: Apache-2.0
// Instant actions of a vehicle.
#include <fmt/format.h>

#include "tandem/protocols/vda5050/problems.hpp"
#include "tandem/protocols/vda5050/read.hpp"
#include "tandem/protocols/vda5050/vehicle.hpp"

namespace tandem::vda5050 {

void Vehicle::receive_instant_actions(std::string_view json, bool retained, const Times&) {
  if (retained) return;
  auto parsed = read_instant_actions(json);
  if (!parsed.message) return refuse(std::move(parsed.problem));
  if (auto wrong = check_owner(parsed.message->header, "instantActions")) return refuse(std::move(*wrong));
  for (const Action& action : parsed.message->actions) act(*parsed.message, action);
}

void Vehicle::act(const InstantActions& message, const Action& action) {
  changed_ = true;
  if (const ActionState* known = actions_.instant(action.id); known != nullptr && known->type == action.type) {
    if (is_terminal(known->status)) stop_again(action);
    return;  // sent again, as QoS 0 may lose it
  }
  if (actions_.has(action.id)) {
    return refuse(action_problem(message, action, error_type::validation,
                                 fmt::format("actionId '{}': expected a new one, got one that is in use", action.id)));
  }
  if (auto flaw = flaw_of(action, Scope::instant, options_.factsheet.actions)) {
    std::vector<Reference> more;
    if (!flaw->key.empty()) more.push_back({"actionParameters", flaw->key});
    return refuse(action_problem(message, action, error_type::instant_action, std::move(flaw->text), std::move(more)));
  }
  if (action.type == "cancelOrder") return cancel(message, action);
  if (action.type == "startPause") return pause(action);
  if (action.type == "stopPause") return resume(action);
  if (action.type == "initPosition") return init_position(message, action);
  if (action.type == "factsheetRequest") factsheet_due_ = true;
  if (action.type == "factsheetRequest" || action.type == "stateRequest")
    return actions_.add_instant(action, ActionStatus::finished);
  refuse(action_problem(message, action, error_type::instant_action,
                        fmt::format("action '{}' ({}): not available as an instant action", action.id, action.type)));
}

// An id that is used again may be a new wish of its master: what stops the vehicle is never ignored.
void Vehicle::stop_again(const Action& action) {
  if (action.type == "startPause") {
    pause_wanted_ = true;
    held_ = false;
  }
  if (action.type != "cancelOrder" || idle()) return;
  cancels_.push_back(action.id);
  withdrawn_ = true;
  actions_.fail_all("cancelled", truck_);
}

void Vehicle::cancel(const InstantActions& message, const Action& action) {
  if (idle()) {
    actions_.add_instant(action, ActionStatus::failed, "no order to cancel");
    return refuse(
        action_problem(message, action, error_type::no_order_to_cancel, "cancelOrder: there is no active order"));
  }
  actions_.add_instant(action, ActionStatus::running);
  cancels_.push_back(action.id);
  withdrawn_ = true;
  actions_.fail_all("cancelled", truck_);
}

void Vehicle::pause(const Action& action) {
  pause_wanted_ = true;
  held_ = false;
  const bool stands = state_.paused || !state_.driving;
  actions_.add_instant(action, stands ? ActionStatus::finished : ActionStatus::running);
  if (stands) {
    state_.paused = true;
  } else {
    pauses_.push_back(action.id);
  }
}

void Vehicle::resume(const Action& action) {
  for (const std::string& id : pauses_) actions_.set_instant(id, ActionStatus::failed, "stopPause came first");
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
