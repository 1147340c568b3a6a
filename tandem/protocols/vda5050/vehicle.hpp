// SPDX-License-Identifier: Apache-2.0
// The vehicle's side of VDA 5050 without a network, a clock or a machine: takes orders and instant actions, knows base,
// horizon and actions, and says which messages are due. The machine tells it what it sees and asks how far it may
// drive.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/vda5050/actions.hpp"
#include "tandem/protocols/vda5050/messages.hpp"
#include "tandem/protocols/vda5050/order.hpp"
#include "tandem/protocols/vda5050/write.hpp"

namespace tandem::vda5050 {

// What a vehicle can do itself. Called by the functions of Vehicle only.
class Truck : public Performer {
 public:
  // Whether every field of the order can be obeyed and every map is known.
  virtual std::optional<Problem> check(const Order& order) = 0;
  // Whether it can drive along the order: from where it is if `fresh`, else on from the node of its present path at
  // which the order begins; what that path has behind this node is replaced. The path becomes its own by the adopt()
  // that follows at once, or is forgotten.
  virtual std::optional<Problem> plan(const Order& order, bool fresh) = 0;
  virtual void adopt() = 0;
  // Where it is, as initPosition says; or why it cannot take that.
  virtual std::optional<std::string> place(const Position& position) = 0;
};

struct VehicleOptions {
  Identity identity;
  Factsheet factsheet;  // its actions are those that are known
  Tolerance tolerance;
  Duration state_interval = 30s;         // at most, between two states
  Duration repeat_state = 2s;            // a changed state is sent once more after this, as QoS 0 may lose it
  Duration visualization_interval = 1s;  // 0: none
  Duration clock_tolerance = 60s;        // orders that are older or newer are taken with a warning
};

// What the machine knows of itself now.
struct Observation {
  OperatingMode mode = OperatingMode::manual;
  Safety safety;
  bool driving = false;
  bool base_ends_soon = false;  // braking for the end of the base is near
  std::optional<Position> position;
  std::optional<Velocity> velocity;
  std::optional<std::vector<Load>> loads;
  Battery battery;
  std::vector<Problem> errors;
};

struct Times {
  Instant now{};
  UtcTime utc{};
};

struct Outgoing {
  std::string topic, payload;
  int qos = 0;
  bool retain = false;
};

// How far the vehicle may drive on its path.
struct Goal {
  std::size_t nodes = 0;    // of those ahead; it stops at the last of them
  bool hold = true;         // stand now: paused, cancelled, an action blocks, no order
  bool at_horizon = false;  // the last of them is the decision point: more nodes follow, but are not released
};

class Vehicle {
 public:
  Vehicle(VehicleOptions options, Truck& truck);

  // Retained messages are not obeyed: they are orders of the past. `outdated`: since it came the vehicle was in another
  // operating mode, be it for a moment; then it is refused.
  void receive_order(std::string_view json, bool retained, const Times& times, bool outdated = false);
  void receive_instant_actions(std::string_view json, bool retained, const Times& times);
  // On its own topic: who says there that it is not connected, as an older connection's will does, is answered with
  // online(), which is due then.
  void receive_connection(std::string_view json, bool retained);
  // So many messages of this topic ("order") were lost before they could be received.
  void note_lost(std::string_view topic, std::uint64_t count);
  // Every few milliseconds to every few hundred. Goes on with actions, pause and cancel.
  void observe(const Observation& observation);
  // The first node ahead was traversed. Only if the goal has one.
  void pass_node();
  // The order ends here, as by a mode change: what the machine did not survive.
  void clear(std::string_view why);
  // Stands, paused, as by a startPause: until stopPause, or until a cancelOrder has ended the order.
  void hold();

  Goal goal() const;
  // Nodes ahead, base first.
  std::span<const Node> nodes() const { return state_.nodes; }
  std::span<const Edge> edges() const { return state_.edges; }
  bool idle() const { return state_.nodes.empty() && actions_.ended(); }
  bool withdrawn() const { return withdrawn_; }  // the order was cancelled or cleared
  const State& state() const { return state_; }  // actions and errors as of the last take()
  std::uint64_t refused() const { return refused_; }
  // Of orders and updates; duplicates are neither.
  std::uint64_t orders_accepted() const { return orders_accepted_; }
  std::uint64_t orders_refused() const { return orders_refused_; }

  // state, visualization, factsheet and, after a foreign state on its topic, connection, that are due. Call it after
  // each of the above, so that no change is skipped.
  std::vector<Outgoing> take(const Times& times);
  // For one connection: the will first, then ONLINE when connected, OFFLINE before leaving in order. After ONLINE state
  // and factsheet are due. The will from any thread.
  Outgoing will(const Times& times);
  Outgoing online(const Times& times);
  Outgoing offline(const Times& times);
  std::vector<std::string> subscriptions() const;
  // Without it receive_connection() is not called; the rest works.
  std::string own_connection_topic() const;

 private:
  Standing standing() const;
  void take_order(std::string_view json, bool retained, const Times& times, bool outdated);
  void accept(const Order& order, bool fresh);
  void append(const Order& order);
  void refuse(Problem problem);
  void drop(std::string_view topic, std::string text);
  void note_clock(const Order& order, const Times& times);
  std::optional<Problem> check_owner(const Header& header) const;
  std::optional<Problem> check_known_ids(const Order& order) const;
  void act(const InstantActions& message, const Action& action);
  void stop(const InstantActions& message, const Action& action);
  void cancel(const InstantActions& message, const Action& action, bool listed, bool again);
  void pause(const Action& action, bool listed);
  void resume(const Action& action);
  void init_position(const InstantActions& message, const Action& action);
  void drop_path();
  void enter_edge();
  void finish_pause();
  void finish_cancel();
  void note_failures();
  Outgoing connection(ConnectionState state, std::uint32_t header_id, const Times& times) const;
  Outgoing send(std::string_view topic, std::string payload, bool retain = false) const;

  const VehicleOptions options_;
  Truck& truck_;
  State state_;
  Actions actions_;
  std::deque<Problem> rejections_;  // until the next order that is accepted
  std::vector<Problem> own_;        // of the machine
  bool changed_ = true, factsheet_due_ = true;
  bool withdrawn_ = true;                 // cancelled or cleared: nothing continues it
  bool failed_ = false;                   // an action of the order failed: stand until it is cancelled
  bool pause_wanted_ = false;             // by startPause or hold()
  bool held_ = false;                     // by hold() alone
  std::optional<std::uint32_t> entered_;  // the edge the vehicle is on
  std::vector<std::string> cancels_;      // actionIds of cancelOrders that run
  std::vector<std::string> pauses_;       // of startPauses that run
  std::uint32_t state_id_ = 0, visualization_id_ = 0, factsheet_id_ = 0;
  std::atomic<std::uint32_t> connection_id_{0};
  std::optional<Instant> state_at_, visualization_at_;
  bool repeat_ = false;
  std::uint64_t refused_ = 0, orders_accepted_ = 0, orders_refused_ = 0;
  bool online_due_ = false;
  std::optional<Instant> answered_at_;  // by an ONLINE in place of another's state
};

}  // namespace tandem::vda5050
