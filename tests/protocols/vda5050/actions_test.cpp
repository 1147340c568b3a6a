// SPDX-License-Identifier: Apache-2.0
// Blocking types by the table of VDA 5050 2.1 section 6.8 and its figure 17, and the transitions of figure 16.
#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

struct Stage {
  FakeTruck truck;
  Actions actions;

  void list(const std::vector<std::pair<std::string, Blocking>>& all) {
    for (const auto& [id, blocking] : all) actions.add(action("beep", id, blocking), Scope::node, 0);
    actions.reach(Scope::node, 0);
  }
  void advance(bool standing = true, bool paused = false) { actions.advance(standing, paused, truck); }
  void finish(const std::string& id, ActionStatus status = ActionStatus::finished) {
    truck.reports[id].status = status;
  }
};

constexpr auto none = Blocking::none, soft = Blocking::soft, hard = Blocking::hard;

TEST_CASE("NONE and SOFT run side by side; a HARD waits for them and runs alone") {
  Stage stage;
  stage.list({{"n1", none}, {"s1", soft}, {"h", hard}, {"n2", none}});
  stage.advance();
  CHECK(stage.truck.log == Texts{"begin n1", "begin s1"});
  stage.finish("n1");
  stage.advance();
  CHECK(stage.truck.log.size() == 2);
  stage.finish("s1");
  stage.advance();
  CHECK(stage.truck.log.back() == "begin h");
  stage.advance();
  CHECK(stage.truck.log.size() == 3);
  stage.finish("h");
  stage.advance();
  CHECK(stage.truck.log.back() == "begin n2");
}

TEST_CASE("only NONE starts while the vehicle drives, and only SOFT and HARD hold it") {
  Stage stage;
  SUBCASE("NONE") {
    stage.list({{"n", none}});
    stage.advance(false);
    CHECK(stage.truck.log == Texts{"begin n"});
    CHECK_FALSE(stage.actions.hold());
  }
  SUBCASE("SOFT") {
    stage.list({{"s", soft}});
    CHECK(stage.actions.hold());
    stage.advance(false);
    CHECK(stage.truck.log.empty());
    stage.advance(true);
    CHECK(stage.truck.log == Texts{"begin s"});
    CHECK(stage.actions.hold());
    stage.finish("s");
    stage.advance(true);
    CHECK_FALSE(stage.actions.hold());
  }
  SUBCASE("HARD") {
    stage.list({{"h", hard}});
    stage.advance(false);
    CHECK(stage.truck.log.empty());
    CHECK(stage.actions.hold());
  }
}

TEST_CASE("nothing is held by actions that are not reached, and nothing new starts while paused") {
  Stage stage;
  stage.actions.add(action("beep", "later", hard), Scope::node, 2);
  CHECK_FALSE(stage.actions.hold());
  stage.list({{"now", none}});
  stage.advance(true, true);
  CHECK(stage.truck.log.empty());
  stage.advance(true, false);
  CHECK(stage.truck.log == Texts{"begin now"});
}

TEST_CASE("actions of an edge end when it is left") {
  Stage stage;
  stage.actions.add(action("beep", "runs", none), Scope::edge, 1);
  stage.actions.add(action("beep", "ended", none), Scope::edge, 1);
  stage.actions.reach(Scope::edge, 1);
  stage.advance(false);
  stage.finish("ended");
  stage.advance(false);
  stage.actions.leave_edge(1, stage.truck);
  CHECK(stage.truck.log == Texts{"begin runs", "begin ended", "interrupt runs"});
  for (const ActionState& state : stage.actions.states()) CHECK(state.status == ActionStatus::finished);
}

TEST_CASE("what ends keeps its status") {
  Stage stage;
  stage.list({{"x", none}});
  stage.finish("x", ActionStatus::failed);
  stage.advance();
  stage.finish("x", ActionStatus::failed);
  stage.advance();
  CHECK(stage.actions.take_failed().size() == 1);
  stage.finish("x", ActionStatus::finished);
  stage.advance();
  CHECK(stage.actions.states()[0].status == ActionStatus::failed);
}

TEST_CASE("at most a hundred ended instant actions are kept, the newest") {
  Stage stage;
  for (int i = 0; i < 250; ++i)
    stage.actions.add_instant(action("stateRequest", std::to_string(i)), ActionStatus::finished);
  REQUIRE(stage.actions.states().size() == 100);
  CHECK(stage.actions.states().front().id == "150");
  CHECK(stage.actions.states().back().id == "249");
}

}  // namespace
}  // namespace tandem::vda5050::test
