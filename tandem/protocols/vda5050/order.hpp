// SPDX-License-Identifier: Apache-2.0
// Whether a vehicle takes an order: the tests of VDA 5050 2.1 figure 8 and section 6.6.4, in that order, as functions
// of the order and of where the vehicle stands with the present one. Whether its path can be driven is the vehicle's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::vda5050 {

// 1: nodes and edges alternate, their numbers go up by one from an even one, edges join their nodes, the released part
// comes first. A new order counts from 0; an update continues the count, which decide() checks.
std::optional<Problem> check_structure(const Order& order);

// 2: every action is known where it is asked for, with these parameters and this blocking type.
std::optional<Problem> check_actions(const Order& order, std::span<const ActionFact> known);
// What is wrong with one action; none if nothing is. `key` is the parameter it is about, if it is about one.
struct ActionFlaw {
  std::string text, key;
};
std::optional<ActionFlaw> flaw_of(const Action& action, Scope scope, std::span<const ActionFact> known);

// Where the vehicle stands with the order it has.
struct Standing {
  OperatingMode mode = OperatingMode::manual;
  EStop e_stop = EStop::none;
  bool charging = false, cancelling = false, positioned = false;
  std::string order_id;  // "" if there was none
  std::uint32_t update = 0;
  bool idle = true;       // no node left, not even of the horizon, and all actions ended
  bool withdrawn = true;  // the order was cancelled or cleared: it cannot be continued
  std::string last_node, base_end;
  std::uint32_t last_sequence = 0, base_end_sequence = 0;
};

enum class Verdict : std::uint8_t { new_order, update, duplicate, refused };
struct Decision {
  Verdict verdict = Verdict::refused;
  Problem problem;  // if refused
};
// 3, 4 and 6 to 9.
Decision decide(const Order& order, const Standing& standing);

struct Tolerance {
  double distance = 0.3;  // m
  double angle = 0.2;     // rad
};
// 5: the first node of a new order is where the vehicle is.
std::optional<Problem> check_start(const Order& order, const Position& position, const Tolerance& own);

}  // namespace tandem::vda5050
