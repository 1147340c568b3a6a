// SPDX-License-Identifier: Apache-2.0
// The actions of an order and the instant ones: which may run now, by their blocking types (VDA 5050 2.1 figure 17),
// and what became of them (figure 16).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::vda5050 {

struct ActionReport {
  ActionStatus status = ActionStatus::running;
  std::string result;
};

// Who does the actions of orders.
class Performer {
 public:
  virtual ~Performer() = default;
  virtual ActionReport begin(const Action& action) = 0;
  // How far it is; asked until it is FINISHED or FAILED.
  virtual ActionReport poll(const Action& action) = 0;
  // Ends it now: it was cancelled, or the edge it belongs to is left.
  virtual void interrupt(const Action& action) = 0;
};

class Actions {
 public:
  // An order was accepted: what is left of the one before goes, and so do instant actions that have ended.
  void begin_order();
  // WAITING until the node or edge with this sequence id is reached. One that is not released is of the horizon: it is
  // only listed, and goes with it.
  void add(const Action& action, Scope scope, std::uint32_t sequence, bool released = true);
  void drop_horizon();
  void add_instant(const Action& action, ActionStatus status, std::string result = {});
  void set_instant(std::string_view type, std::string_view id, ActionStatus status, std::string result = {});

  // The node was traversed, or the edge entered: its actions are next.
  void reach(Scope scope, std::uint32_t sequence);
  // The edge is left: its actions end with it.
  void leave_edge(std::uint32_t sequence, Performer& performer);
  // Starts what may start and asks those that run. Nothing new starts while `paused`.
  void advance(bool standing, bool paused, Performer& performer);
  // Of the order: what waits fails, what runs is interrupted and fails.
  void fail_all(std::string_view why, Performer& performer);

  // Whether one that was reached and has not ended wants the vehicle to stand.
  bool hold() const;
  bool ended() const;                   // all of the base
  bool has(std::string_view id) const;  // but for the horizon's
  const ActionState* instant(std::string_view id) const;
  // Whether an instant action had this id that has ended and is not listed any more; so many are remembered.
  bool was_instant(std::string_view id) const;
  // Those that failed since the last call.
  std::vector<ActionState> take_failed();
  // Whether anything has changed since the last call.
  bool take_changed();
  std::vector<ActionState> states() const;

 private:
  struct Run {
    Action action;
    ActionState state;
    Scope scope = Scope::node;
    std::uint32_t sequence = 0;
    bool released = true, reached = false, begun = false;
    bool ended() const { return is_terminal(state.status); }
    bool blocks() const { return reached && !ended() && action.blocking != Blocking::none; }
  };

  void enter(Run& run, ActionReport report);
  void remember(const Run& run);

  std::vector<Run> runs_;
  std::deque<std::string> past_;  // ids of instant actions
  std::vector<ActionState> failed_;
  bool changed_ = false;
};

}  // namespace tandem::vda5050
