// SPDX-License-Identifier: Apache-2.0
// A fleet master for demonstrations: sends trucks from bay to bay, and releases to each only what no other truck is
// near. Pure logic: reports in, contents of VDA 5050 orders out; knows no broker and no clock.
//
// No deadlock, by construction. A trip has its goal to itself before it begins: a bay is given to one truck at a time,
// and only when the one before has left it. On its way a truck takes elements of growing height (MapNode::height) and
// waits only at nodes where it may; what it waits for is held by trucks of greater height. So of all trucks on their
// way the highest one waits for nobody, and whoever waits in a bay is in nobody's way.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tandem/app/warehouse/reservations.hpp"

namespace tandem::warehouse {

struct OrderNode {
  std::size_t node = 0;  // of the map
  std::uint32_t sequence = 0;
  bool released = false;
};
struct OrderEdge {
  std::size_t edge = 0;  // of the map
  std::uint32_t sequence = 0;
  bool released = false;
};

// Ids, places, trajectories and speeds are the map's.
struct Order {
  std::size_t truck = 0;
  std::string id;
  std::uint32_t update = 0;
  std::vector<OrderNode> nodes;  // the first one is where the truck is or where the last release ends
  std::vector<OrderEdge> edges;
};

// From a truck's state message.
struct Report {
  bool ready = false;  // online, AUTOMATIC, no stop
  std::string order;   // of the state; "" for none
  std::uint32_t update = 0;
  std::uint32_t last_node = 0;  // its sequence id
  bool idle = false;            // no nodes or edges are left
  std::optional<Point> position = {};
};

struct MasterOptions {
  double ahead = 7;      // m of released path before a truck
  double rest = 2;       // s in a bay
  double repeat = 2;     // s: an order that the state does not show is sent again
  double patience = 20;  // s: whoever has waited longer is let in before others
  std::uint64_t seed = 1;
};

struct TruckView {
  std::size_t at = 0, goal = 0;  // nodes
  bool travelling = false;
  std::string order;
  std::size_t trips = 0;          // ended
  double waiting = 0;             // s, since it last got what it asked for
  std::vector<std::size_t> held;  // elements
  // Edges before it: released, and those that its order shows beyond them.
  std::vector<std::size_t> base, horizon;
};

class Master {
 public:
  // One truck in each of the first bays. Throws std::invalid_argument unless a bay is left free.
  Master(const Map& map, std::size_t trucks, const MasterOptions& options = {});

  void report(std::size_t truck, const Report& report);
  void report_away(std::size_t truck) { trucks_.at(truck).ready = false; }
  // The orders and updates to send now, `now` seconds after any origin; never going back.
  std::vector<Order> step(double now);

  TruckView view(std::size_t truck) const;
  bool is_travelling(std::size_t truck) const { return trucks_.at(truck).travelling; }
  double waiting(std::size_t truck) const { return now_ - trucks_.at(truck).since; }  // s
  std::size_t trucks() const { return trucks_.size(); }
  const Map& map() const { return map_; }

 private:
  struct Truck {
    std::size_t at = 0, goal = 0;  // nodes
    std::vector<std::size_t> way;  // edges of the trip
    std::size_t passed = 0;        // of them
    std::size_t released = 0;      // of them
    std::string order;
    std::uint32_t update = 0;
    bool travelling = false, ready = false, known = false;
    bool lost = false;  // the truck has dropped its order on the way
    double since = 0;   // s, when it last got what it asked for
    double sent = 0;    // s
    Order last;         // sent last
    std::size_t trips = 0;
  };

  void begin_trip(std::size_t i, double now);
  void arrive(std::size_t i);
  void pass(std::size_t i, std::size_t passed);
  std::size_t passed_at(const Truck& truck, const Point& position) const;
  bool extend(std::size_t i, double now);
  bool held_up(std::size_t i, const std::vector<std::size_t>& wanted) const;
  std::vector<std::size_t> next_stretch(const Truck& truck, std::size_t& until) const;
  double released_length(const Truck& truck) const;
  Order order_of(std::size_t i, std::size_t first) const;
  void send(std::size_t i, std::size_t first, double now, std::vector<Order>& orders);

  const Map& map_;
  MasterOptions options_;
  Reservations reservations_;
  std::vector<std::vector<Point>> places_;  // of each edge
  std::vector<Truck> trucks_;
  std::vector<bool> promised_;  // bays, by node: some truck's place or goal
  std::mt19937_64 random_;
  std::uint64_t orders_ = 0;
  double now_ = 0;
  std::size_t first_ = Reservations::nobody;  // the truck whose turn it is after long waiting
  std::vector<std::size_t> first_wanted_;     // what it waits for
};

}  // namespace tandem::warehouse
