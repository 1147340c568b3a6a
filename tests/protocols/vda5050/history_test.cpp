// SPDX-License-Identifier: Apache-2.0
// Random histories of orders, updates, cancels, pauses, mode changes and drives against a model that knows the rules by
// other means: lists of names, and what a state may never do.
#include <fmt/format.h>

#include <random>
#include <set>

#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

struct Model {
  std::string id;
  int update = 0;
  bool withdrawn = true;
  std::vector<std::string> base, horizon;  // of the order: all nodes ever released, and those ahead that are not
  std::size_t passed = 0;                  // of the base
  std::size_t left() const { return base.size() - passed; }
};

class History {
 public:
  explicit History(unsigned seed) : random_(seed) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const std::string what = step();
      INFO(what);
      check();
    }
  }

 private:
  int any(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  bool chance(int percent) { return any(1, 100) <= percent; }
  bool stuck() const { return !rig_.vehicle.idle(); }

  std::vector<Action> some_actions() {
    std::vector<Action> actions;
    if (!chance(30)) return actions;
    constexpr std::array all{Blocking::none, Blocking::soft, Blocking::hard};
    for (int i = any(1, 2); i > 0; --i)
      actions.push_back(action("beep", fmt::format("x{}", next_action_++), all[static_cast<std::size_t>(any(0, 2))]));
    return actions;
  }

  // A first node, then some more, of which the last few are not released.
  Order build(const std::string& id, int update, std::uint32_t sequence, const std::string& first) {
    std::vector<NodeAt> nodes{{first, 0}};
    const int more = any(0, 4), released = any(0, more);
    for (int i = 0; i < more; ++i) nodes.push_back({fmt::format("n{}", next_node_++), 0, i < released, some_actions()});
    return order(id, static_cast<std::uint32_t>(update), sequence, nodes);
  }

  void take_over(const Order& wanted, bool fresh) {
    if (fresh) {
      model_ = {};
      model_.base = {wanted.nodes[0].id};
      model_.passed = 1;
    }
    model_.id = wanted.id;
    model_.update = static_cast<int>(wanted.update);
    model_.withdrawn = false;
    model_.horizon.clear();
    for (std::size_t i = 1; i < wanted.nodes.size(); ++i)
      (wanted.nodes[i].released ? model_.base : model_.horizon).push_back(wanted.nodes[i].id);
  }

  void withdraw() {
    model_.withdrawn = true;
    model_.horizon.clear();
    model_.base.resize(model_.passed);
  }

  std::string new_order() {
    const Order wanted = build(fmt::format("o{}", next_order_++), any(0, 3), 0, fmt::format("n{}", next_node_++));
    const bool expected =
        automatic_ && !cancelling_ && model_.left() == 0 && model_.horizon.empty() && unfinished().empty();
    rig_.give(wanted);
    if (expected) take_over(wanted, true);
    return "new order";
  }

  std::string update() {
    if (model_.id.empty()) return "nothing to update";
    const int number = model_.update + any(-1, 2);
    const bool wrong = chance(20);
    const std::string first = wrong ? "elsewhere" : model_.base.back();
    const auto sequence = static_cast<std::uint32_t>(2 * (model_.base.size() - 1));
    const Order wanted = build(model_.id, std::max(number, 0), sequence, first);
    const bool expected = automatic_ && !cancelling_ && number > model_.update && !wrong && !model_.withdrawn;
    rig_.give(wanted);
    if (expected) take_over(wanted, false);
    return fmt::format("update {}", number);
  }

  std::string cancel() {
    const bool active = model_.left() > 0 || !model_.horizon.empty() || !unfinished().empty();
    rig_.act({action("cancelOrder", fmt::format("c{}", next_action_++))});
    if (active && driving_) cancelling_ = true;
    if (active) {
      rig_.step();
      withdraw_later_ = driving_;
      if (!driving_) withdraw();
      model_.withdrawn = true;
    }
    return "cancel";
  }

  std::string drive() {
    const Goal goal = rig_.vehicle.goal();
    driving_ = !goal.hold && chance(80);
    if (driving_ && chance(60)) {
      REQUIRE(goal.nodes <= model_.left());
      const std::string next = rig_.vehicle.nodes()[0].id;
      CHECK(next == model_.base[model_.passed]);
      rig_.vehicle.pass_node();
      ++model_.passed;
    }
    observe();
    return "drive";
  }

  std::string finish_actions() {
    for (auto& [id, report] : rig_.truck.reports) {
      if (is_terminal(report.status)) continue;
      report.status = chance(85) ? ActionStatus::finished : ActionStatus::failed;
    }
    observe();
    return "finish actions";
  }

  std::string change_mode() {
    automatic_ = !automatic_;
    driving_ = driving_ && automatic_;
    withdraw();
    observe();
    return "mode";
  }

  void observe() {
    Observation observation = seen(0, driving_);
    observation.mode = automatic_ ? OperatingMode::automatic : OperatingMode::manual;
    rig_.step(observation);
    if (!driving_ && (cancelling_ || withdraw_later_)) {
      cancelling_ = withdraw_later_ = false;
      withdraw();
    }
  }

  std::string step() {
    switch (any(0, 11)) {
      case 0:
      case 1:
        return new_order();
      case 2:
      case 3:
        return update();
      case 4:
        return chance(40) ? cancel() : drive();
      case 5:
        return finish_actions();
      case 6:
        return chance(20) ? change_mode() : drive();
      case 7:
        rig_.act({action(chance(50) ? "startPause" : "stopPause", fmt::format("p{}", next_action_++))});
        return "pause";
      default:
        return drive();
    }
  }

  std::vector<std::string> unfinished() const {
    std::vector<std::string> ids;
    for (const Json& each : rig_.state["actionStates"]) {
      const std::string id = each["actionId"], status = each["actionStatus"];
      const bool horizon = horizon_actions_.contains(id);
      if (each["actionType"] == "beep" && !horizon && status != "FINISHED" && status != "FAILED") ids.push_back(id);
    }
    return ids;
  }

  void check() {
    const Json& state = rig_.state;
    CHECK(state["orderId"] == model_.id);
    if (!model_.id.empty()) CHECK(state["orderUpdateId"] == model_.update);
    Texts ahead;
    if (!withdraw_later_) {
      for (std::size_t i = model_.passed; i < model_.base.size(); ++i) ahead.push_back(model_.base[i]);
      for (const std::string& id : model_.horizon) ahead.push_back(id + "?");
      CHECK(rig_.nodes() == ahead);
    }
    CHECK(state["edgeStates"].size() == state["nodeStates"].size());
    CHECK(rig_.vehicle.goal().nodes <= model_.left());
    horizon_actions_.clear();
    for (const Node& node : rig_.vehicle.nodes())
      for (const Action& each : node.actions)
        if (!node.released) horizon_actions_.insert(each.id);
    std::set<std::string> listed;
    for (const Json& each : state["actionStates"]) {
      const std::string id = each["actionId"], status = each["actionStatus"];
      CHECK(listed.insert(id).second);
      const auto [known, added] = statuses_.emplace(id, status);
      const bool was_terminal = known->second == "FINISHED" || known->second == "FAILED";
      if (was_terminal) CHECK(known->second == status);
      if (!was_terminal && known->second != "WAITING") CHECK(status != "WAITING");
      known->second = status;
    }
  }

  std::mt19937 random_;
  Rig rig_;
  Model model_;
  bool automatic_ = true, driving_ = false, cancelling_ = false, withdraw_later_ = false;
  int next_action_ = 0, next_node_ = 0, next_order_ = 0;
  std::map<std::string, std::string> statuses_;
  std::set<std::string> horizon_actions_;
};

TEST_CASE("in random histories the base shrinks by cancels only, the horizon is never entered, and actions end once") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    INFO("seed ", seed);
    History(seed).run(150);
  }
}

}  // namespace
}  // namespace tandem::vda5050::test
