// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string_view>
#include <tuple>

#include "tandem/protocols/vda5050/problems.hpp"
#include "tandem/protocols/vda5050/write.hpp"

namespace tandem::vda5050 {
namespace {

// The first flaw of the list of nodes and edges, found in the order of their sequence ids.
class Structure {
 public:
  explicit Structure(const Order& order) : order_(order) {}

  std::optional<Problem> check() {
    const auto& [nodes, edges] = std::tie(order_.nodes, order_.edges);
    if (nodes.empty()) return wrong("nodes: expected at least one, got none");
    if (edges.size() + 1 != nodes.size())
      return wrong(fmt::format("edges: expected one less than the {} nodes, got {}", nodes.size(), edges.size()));
    if (nodes[0].sequence % 2 != 0)
      return wrong(fmt::format("nodes[0].sequenceId: expected an even number, got {}", nodes[0].sequence), node(0));
    if (!nodes[0].released) return wrong("nodes[0].released: expected true, got false", node(0));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (auto problem = check_part(i)) return problem;
    }
    return std::nullopt;
  }

 private:
  std::optional<Problem> wrong(std::string text, std::vector<Reference> more = {}) const {
    return order_problem(order_, error_type::validation, std::move(text), std::move(more));
  }
  std::vector<Reference> node(std::size_t i) const { return {{"nodeId", order_.nodes[i].id}}; }
  std::vector<Reference> edge(std::size_t i) const { return {{"edgeId", order_.edges[i].id}}; }

  // Node i and the edge behind it.
  std::optional<Problem> check_part(std::size_t i) {
    const Node& at = order_.nodes[i];
    const std::uint64_t expected = std::uint64_t{order_.nodes[0].sequence} + 2 * i;
    if (at.sequence != expected)
      return wrong(fmt::format("nodes[{}].sequenceId: expected {}, got {}", i, expected, at.sequence), node(i));
    if (auto problem = check_ids(at.actions, node(i))) return problem;
    if (i == order_.edges.size()) return std::nullopt;
    const Edge& next = order_.edges[i];
    const Node& end = order_.nodes[i + 1];
    if (next.sequence != expected + 1)
      return wrong(fmt::format("edges[{}].sequenceId: expected {}, got {}", i, expected + 1, next.sequence), edge(i));
    if (next.start_node != at.id)
      return wrong(fmt::format("edges[{}].startNodeId: expected '{}', got '{}'", i, at.id, next.start_node), edge(i));
    if (next.end_node != end.id)
      return wrong(fmt::format("edges[{}].endNodeId: expected '{}', got '{}'", i, end.id, next.end_node), edge(i));
    if (next.released && !at.released)
      return wrong(fmt::format("edges[{}].released: expected false behind an unreleased node, got true", i), edge(i));
    if (next.released != end.released)
      return wrong(
          fmt::format("edges[{}].released: expected {} as its end node has it, got {}", i, end.released, next.released),
          edge(i));
    return check_ids(next.actions, edge(i));
  }

  std::optional<Problem> check_ids(const std::vector<Action>& actions, std::vector<Reference> where) {
    for (const Action& action : actions) {
      if (ids_.insert(action.id).second) continue;
      where.push_back({"actionId", action.id});
      return wrong(fmt::format("actionId '{}': expected a unique one, got it twice", action.id), std::move(where));
    }
    return std::nullopt;
  }

  const Order& order_;
  std::set<std::string_view> ids_;
};

bool fits(const Value& value, std::string_view type) {
  using Kind = Value::Kind;
  if (type == "BOOL") return value.kind == Kind::boolean;
  if (type == "STRING") return value.kind == Kind::text;
  if (type == "INTEGER") return value.kind == Kind::number && value.number == std::floor(value.number);
  if (type == "NUMBER" || type == "FLOAT") return value.kind == Kind::number;
  const char open = type == "OBJECT" ? '{' : '[';
  return value.kind == Kind::json && !value.text.empty() && value.text[0] == open;
}

std::optional<Problem> check_all(const Order& order, const std::vector<Action>& actions, Scope scope,
                                 const Reference& where, std::span<const ActionFact> known) {
  for (const Action& action : actions) {
    auto flaw = flaw_of(action, scope, known);
    if (!flaw) continue;
    std::vector<Reference> more{where, {"actionId", action.id}, {"actionType", action.type}};
    if (!flaw->key.empty()) more.push_back({"actionParameters", flaw->key});
    return order_problem(order, error_type::order, std::move(flaw->text), std::move(more));
  }
  return std::nullopt;
}

Decision refused(const Order& order, std::string_view type, std::string text, std::vector<Reference> more = {}) {
  return {Verdict::refused, order_problem(order, type, std::move(text), std::move(more))};
}

// The difference of two angles, 0 to pi.
double between(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

}  // namespace

std::optional<Problem> check_structure(const Order& order) { return Structure(order).check(); }

std::optional<ActionFlaw> flaw_of(const Action& action, Scope scope, std::span<const ActionFact> known) {
  const auto fact = std::ranges::find_if(known, [&](const ActionFact& each) {
    return each.type == action.type && std::ranges::find(each.scopes, scope) != each.scopes.end();
  });
  const std::string name = fmt::format("action '{}' ({})", action.id, action.type);
  if (fact == known.end())
    return ActionFlaw{fmt::format("{}: expected an action of scope {} from the factsheet", name, text_of(scope)), ""};
  if (std::ranges::find(fact->blocking, action.blocking) == fact->blocking.end())
    return ActionFlaw{fmt::format("{}: blocking type {} is not supported", name, text_of(action.blocking)), ""};
  for (const Parameter& parameter : action.parameters) {
    const auto row =
        std::ranges::find_if(fact->parameters, [&](const auto& each) { return each.key == parameter.key; });
    if (row == fact->parameters.end())
      return ActionFlaw{fmt::format("{}: unknown parameter '{}'", name, parameter.key), parameter.key};
    if (!fits(parameter.value, row->type))
      return ActionFlaw{fmt::format("{}: parameter '{}': expected {}", name, parameter.key, row->type), parameter.key};
  }
  for (const ActionParameterFact& row : fact->parameters) {
    if (!row.optional && action.parameter(row.key) == nullptr)
      return ActionFlaw{fmt::format("{}: missing parameter '{}'", name, row.key), row.key};
  }
  return std::nullopt;
}

std::optional<Problem> check_actions(const Order& order, std::span<const ActionFact> known) {
  for (const Node& node : order.nodes) {
    if (auto problem = check_all(order, node.actions, Scope::node, {"nodeId", node.id}, known)) return problem;
  }
  for (const Edge& edge : order.edges) {
    if (auto problem = check_all(order, edge.actions, Scope::edge, {"edgeId", edge.id}, known)) return problem;
  }
  return std::nullopt;
}

Decision decide(const Order& order, const Standing& standing) {
  using namespace error_type;
  if (standing.e_stop != EStop::none)
    return refused(order, error_type::order,
                   fmt::format("emergency stop: expected NONE, got {}", text_of(standing.e_stop)),
                   {{"eStop", std::string(text_of(standing.e_stop))}});
  if (standing.mode != OperatingMode::automatic && standing.mode != OperatingMode::semiautomatic)
    return refused(order, error_type::order,
                   fmt::format("operating mode: expected AUTOMATIC, got {}", text_of(standing.mode)),
                   {{"operatingMode", std::string(text_of(standing.mode))}});
  if (standing.charging)
    return refused(order, error_type::order, "the battery is being charged", {{"charging", "true"}});
  if (standing.cancelling)
    return refused(order, error_type::order, "a cancelOrder is in progress", {{"cancelOrder", "RUNNING"}});
  if (!standing.positioned)
    return refused(order, error_type::order, "position: expected an initialized one; send initPosition",
                   {{"positionInitialized", "false"}});

  const Node& first = order.nodes[0];
  if (order.id != standing.order_id) {
    if (!standing.idle)
      return refused(order, error_type::order,
                     fmt::format("order '{}' is active; cancel or finish it first", standing.order_id));
    if (first.sequence != 0)
      return refused(order, validation,
                     fmt::format("nodes[0].sequenceId: expected 0 in a new order, got {}", first.sequence),
                     {{"nodeId", first.id}});
    return {Verdict::new_order, {}};
  }
  if (order.update < standing.update)
    return refused(order, order_update,
                   fmt::format("orderUpdateId: expected more than {}, got {}", standing.update, order.update));
  if (order.update == standing.update) return {Verdict::duplicate, {}};
  if (standing.withdrawn)
    return refused(order, order_update, fmt::format("order '{}' was cancelled; send a new orderId", order.id));
  const bool idle = standing.idle;
  const std::string& expected = idle ? standing.last_node : standing.base_end;
  const std::uint32_t sequence = idle ? standing.last_sequence : standing.base_end_sequence;
  if (first.id != expected || first.sequence != sequence)
    return refused(order, order_update,
                   fmt::format("nodes[0]: expected '{}' with sequenceId {}, got '{}' with {}", expected, sequence,
                               first.id, first.sequence),
                   {{"nodeId", first.id}});
  return {Verdict::update, {}};
}

std::optional<Problem> check_start(const Order& order, const Position& position, const Tolerance& own) {
  const Node& first = order.nodes[0];
  if (!first.position) return std::nullopt;
  const NodePosition& wanted = *first.position;
  const auto refuse = [&](std::string text, std::string field, double value) {
    return order_problem(order, error_type::no_route, std::move(text),
                         {{"nodeId", first.id}, {std::move(field), fmt::format("{}", value)}});
  };
  const double distance = std::hypot(wanted.x - position.x, wanted.y - position.y);
  const double most = wanted.deviation > 0 ? wanted.deviation : own.distance;
  if (!(distance <= most))
    return refuse(fmt::format("first node '{}': expected at most {} m away, got {:.2f} m", first.id, most, distance),
                  "nodePosition.allowedDeviationXy", most);
  if (!wanted.theta) return std::nullopt;
  const double angle = between(*wanted.theta, position.theta);
  const double widest = wanted.theta_deviation > 0 ? wanted.theta_deviation : own.angle;
  if (!(angle <= widest))
    return refuse(
        fmt::format("first node '{}': expected a heading within {} rad, got {:.2f} rad", first.id, widest, angle),
        "nodePosition.allowedDeviationTheta", widest);
  return std::nullopt;
}

}  // namespace tandem::vda5050
