// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <future>
#include <set>

#include "tandem/ros2/calls/action_client.hpp"
#include "tandem/ros2/calls/action_server.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using Action = control_msgs::GripperCommandAction;
using Server = ActionServer<Action>;
using Asker = ActionClient<Action>;
using CancelResponse = action_msgs::CancelGoal::Response;

Action::Goal going_to(double position) {
  Action::Goal goal;
  goal.command.position = position;
  return goal;
}

Action::Result at(double position) {
  Action::Result result;
  result.position = position;
  return result;
}

GoalId numbered(std::uint8_t number) {
  GoalId id;
  id.uuid[0] = number;
  return id;
}

// Two participants with a server whose goals wait in a list for the test to end them.
struct Fixture {
  explicit Fixture(Preemption preemption = Preemption::several) {
    Server::Handlers handlers;
    handlers.accept = [](const Action::Goal& goal) { return goal.command.position >= 0.0; };
    handlers.execute = [this](const ServerGoal<Action>& goal) {
      const std::lock_guard lock(mutex);
      goals.push_back(goal);
    };
    handlers.cancel = [](const ServerGoal<Action>& goal) { return goal.goal().command.max_effort < 100.0; };
    handlers.preempted = [] { return at(-7.0); };
    server = std::make_unique<Server>(server_node, "gripper_cmd", handlers, Server::Options{preemption, {}});
    REQUIRE(client.wait_for_server(20s));
  }
  bool wait_for_goals(std::size_t count) {
    return eventually([&] {
      const std::lock_guard lock(mutex);
      return goals.size() == count;
    });
  }

  ContextOptions options = loopback_options();
  Context here{options}, there{options};
  Node server_node{here, "gripper", "/hand"}, client_node{there, "client"};
  std::mutex mutex;
  std::vector<ServerGoal<Action>> goals;
  std::unique_ptr<Server> server;
  Asker client{client_node, "/hand/gripper_cmd"};
};

}  // namespace

TEST_CASE("a goal is accepted and gives feedback and a result") {
  Fixture fixture;
  std::atomic<int> heard = 0;
  Asker::Options options;
  options.on_feedback = [&](const Action::Feedback& feedback) { heard = static_cast<int>(feedback.position); };
  const auto goal = fixture.client.send(going_to(0.5), options);
  REQUIRE_MESSAGE(goal.ok(), goal.error().text);
  REQUIRE(fixture.wait_for_goals(1));
  CHECK(fixture.goals[0].id() == goal->id());
  CHECK(fixture.goals[0].goal().command.position == 0.5);
  CHECK(eventually([&] { return goal->status() == GoalStatus::executing; }));
  CHECK_FALSE(goal->wait(20ms).ok());

  Action::Feedback feedback;
  feedback.position = 42.0;
  CHECK(eventually([&] {
    CHECK(fixture.goals[0].publish_feedback(feedback));
    return heard == 42;
  }));
  CHECK(fixture.goals[0].succeed(at(0.25)));
  CHECK_FALSE(fixture.goals[0].succeed(at(0.0)));
  CHECK_FALSE(fixture.goals[0].publish_feedback(feedback));
  const auto outcome = goal->wait(20s);
  REQUIRE_MESSAGE(outcome.ok(), outcome.error().text);
  CHECK(outcome->status == GoalStatus::succeeded);
  CHECK(outcome->result.position == 0.25);
}

TEST_CASE("a goal that the server does not want is refused") {
  Fixture fixture;
  const auto goal = fixture.client.send(going_to(-1.0));
  REQUIRE_FALSE(goal.ok());
  CHECK(goal.error().fault == Fault::refused);
  CHECK(goal.error().text == "/hand/gripper_cmd: the server refused the goal");
  CHECK(fixture.goals.empty());
}

TEST_CASE("a goal is canceled when the server agrees") {
  Fixture fixture;
  Action::Goal stubborn = going_to(1.0);
  stubborn.command.max_effort = 200.0;
  const auto first = fixture.client.send(going_to(0.5)), second = fixture.client.send(stubborn);
  REQUIRE((first.ok() && second.ok()));
  REQUIRE(fixture.wait_for_goals(2));
  CHECK_FALSE(fixture.goals[0].canceled(at(0.0)));  // nobody asked for it

  const auto refused = fixture.client.cancel(*second);
  REQUIRE(refused.ok());
  CHECK(refused->return_code == CancelResponse::ERROR_REJECTED);
  const auto agreed = fixture.client.cancel(*first);
  REQUIRE(agreed.ok());
  CHECK(agreed->return_code == CancelResponse::ERROR_NONE);
  REQUIRE(agreed->goals_canceling.size() == 1);
  CHECK(agreed->goals_canceling[0].goal_id == first->id());
  CHECK(fixture.goals[0].canceling());
  CHECK(fixture.goals[0].canceled(at(0.125)));
  const auto outcome = first->wait(20s);
  REQUIRE(outcome.ok());
  CHECK(outcome->status == GoalStatus::canceled);
  CHECK(outcome->result.position == 0.125);
  const auto late = fixture.client.cancel(*first);
  REQUIRE(late.ok());
  CHECK(late->return_code == CancelResponse::ERROR_GOAL_TERMINATED);
}

TEST_CASE("the newest goal takes over where the server says so") {
  Fixture fixture(Preemption::newest);
  const auto first = fixture.client.send(going_to(0.1));
  REQUIRE(first.ok());
  REQUIRE(fixture.wait_for_goals(1));
  const auto second = fixture.client.send(going_to(0.2));
  REQUIRE(second.ok());
  const auto outcome = first->wait(20s);
  REQUIRE(outcome.ok());
  CHECK(outcome->status == GoalStatus::aborted);
  CHECK(outcome->result.position == -7.0);
  REQUIRE(fixture.wait_for_goals(2));
  CHECK_FALSE(fixture.goals[0].active());
  CHECK(fixture.goals[1].succeed(at(0.2)));
  CHECK(second->wait(20s).ok());
}

TEST_CASE("a busy server refuses a second goal until the first has ended") {
  Fixture fixture(Preemption::busy);
  REQUIRE(fixture.client.send(going_to(0.1)).ok());
  CHECK_FALSE(fixture.client.send(going_to(0.2)).ok());
  REQUIRE(fixture.wait_for_goals(1));
  fixture.goals[0].abort({});
  CHECK(fixture.client.send(going_to(0.2)).ok());
}

TEST_CASE("a goal that its worker forgets is aborted") {
  Fixture fixture;
  const auto goal = fixture.client.send(going_to(0.1));
  REQUIRE(goal.ok());
  REQUIRE(fixture.wait_for_goals(1));
  fixture.goals.clear();
  const auto outcome = goal->wait(20s);
  REQUIRE(outcome.ok());
  CHECK(outcome->status == GoalStatus::aborted);
}

TEST_CASE("a server that goes ends the wait for its results") {
  Fixture fixture;
  const auto goal = fixture.client.send(going_to(0.1));
  REQUIRE(goal.ok());
  REQUIRE(fixture.wait_for_goals(1));
  fixture.server.reset();
  const auto outcome = goal->wait(20s);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().fault == Fault::closed);
  CHECK(fixture.goals[0].succeed({}));  // answers nobody
}

TEST_CASE("what a dismissed task holds may post when it ends") {
  const std::shared_ptr<Executor> executor = Executor::start();
  const Executor::Owner owner = executor->enroll(), other = executor->enroll();
  std::promise<void> begun, leave;
  executor->post(other, [&] {
    begun.set_value();
    leave.get_future().wait();
  });
  begun.get_future().wait();
  // What a task holds may post again when it ends.
  int posted = 0;
  auto held = std::shared_ptr<int>(new int(0), [&](const int* value) {
    delete value;
    posted = executor->post(owner, [] {}) ? 1 : 2;
  });
  executor->post(owner, [held] {});
  executor->post_at(owner, std::chrono::steady_clock::now() + 1h, [held] {});
  held.reset();
  executor->dismiss(owner);
  CHECK(posted == 2);  // refused, as its owner is gone
  leave.set_value();
  executor->stop();
}

TEST_CASE("results are forgotten although no other goal comes") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node node(here, "hand"), watcher(there, "watcher");
  Server::Handlers handlers;
  handlers.execute = [](const ServerGoal<Action>& goal) { goal.succeed(at(1)); };
  Server::Options brief;
  brief.limits.keep_result = 200ms;
  const Server server(node, "gripper_cmd", handlers, brief);
  std::atomic<int> listed = -1, most = 0;
  const auto status = watcher.subscribe<action_msgs::GoalStatusArray>(
      "/gripper_cmd/_action/status", Qos::latched(),
      [&](const action_msgs::GoalStatusArray& array, const MessageInfo&) {
        listed = static_cast<int>(array.status_list.size());
        most = std::max(most.load(), listed.load());
      });
  Asker client(node, "gripper_cmd");
  REQUIRE(client.wait_for_server(20s));
  REQUIRE(client.send(going_to(1)).ok());
  CHECK(eventually([&] { return most == 1 && listed == 0; }));
}

TEST_CASE("a hundred goals at once each get their own result") {
  Fixture fixture;
  constexpr int count = 100;
  std::mutex mutex;
  std::multiset<double> results;
  std::atomic<int> accepted = 0, failed = 0;
  for (int i = 0; i < count; ++i) {
    Asker::Options options;
    options.accept_timeout = 30s;
    options.on_outcome = [&](const Result<Asker::Outcome>& outcome) {
      if (!outcome || outcome->status != GoalStatus::succeeded) return void(++failed);
      const std::lock_guard lock(mutex);
      results.insert(outcome->result.position);
    };
    fixture.client.send(going_to(i), options, [&](const Result<ClientGoal<Action>>& goal) {
      if (!goal) ++failed;
      ++accepted;
    });
  }
  REQUIRE(fixture.wait_for_goals(count));
  CHECK(eventually([&] { return accepted == count; }));
  for (const auto& goal : fixture.goals) CHECK(goal.succeed(at(goal.goal().command.position)));
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return results.size() == count;
  }));
  CHECK(failed == 0);
  const std::lock_guard lock(mutex);
  CHECK(std::set(results.begin(), results.end()).size() == count);
}

TEST_CASE("cancel requests mean what rcl_action means by them") {
  const auto yes = [](const std::shared_ptr<GoalRecord>&) { return true; };
  const auto goals_of = [] {
    auto goals = std::make_unique<ActionGoals>(ActionGoals::Limits{});
    for (std::uint8_t i = 1; i <= 4; ++i) REQUIRE(goals->add(numbered(i), {i, 0}) != nullptr);
    return goals;
  };
  const auto canceled = [](const CancelResponse& response) {
    std::string numbers;
    for (const auto& info : response.goals_canceling) numbers += std::to_string(info.goal_id.uuid[0]);
    return numbers;
  };
  CHECK(canceled(goals_of()->cancel({}, yes)) == "1234");
  CHECK(canceled(goals_of()->cancel({{}, {2, 0}}, yes)) == "12");
  CHECK(canceled(goals_of()->cancel({numbered(3), {}}, yes)) == "3");
  CHECK(canceled(goals_of()->cancel({numbered(4), {2, 0}}, yes)) == "124");
  CHECK(goals_of()->cancel({numbered(9), {}}, yes).return_code == CancelResponse::ERROR_UNKNOWN_GOAL_ID);
  CHECK(ActionGoals(ActionGoals::Limits{}).cancel({}, yes).return_code == CancelResponse::ERROR_NONE);
}

TEST_CASE("results are kept for late askers and then forgotten") {
  ActionGoals goals({.keep_result = 10s, .most_active = 2, .most_ended = 2, .most_askers = 1});
  const Instant start{100s};
  std::vector<std::vector<std::uint8_t>> answers;
  const auto keep = [&](Bytes bytes) { answers.emplace_back(bytes.begin(), bytes.end()); };
  const auto first = goals.add(numbered(1), {});
  REQUIRE(first);
  CHECK(goals.add(numbered(1), {}) == nullptr);
  REQUIRE(goals.add(numbered(2), {}));
  CHECK(goals.add(numbered(3), {}) == nullptr);  // too many
  CHECK(goals.ask_result(numbered(1), keep));
  CHECK_FALSE(goals.ask_result(numbered(1), keep));  // too many ask
  CHECK_FALSE(goals.ask_result(numbered(9), keep));
  CHECK(first->end(GoalStatus::succeeded));
  goals.keep_result(numbered(1), {1, 2}, start);
  CHECK(answers == std::vector<std::vector<std::uint8_t>>{{1, 2}});
  CHECK(goals.ask_result(numbered(1), keep));
  CHECK(answers.size() == 2);
  goals.expire(start + 9s);
  CHECK(goals.statuses().status_list.size() == 2);
  goals.expire(start + 10s);
  REQUIRE(goals.statuses().status_list.size() == 1);
  CHECK(goals.statuses().status_list[0].goal_info.goal_id == numbered(2));
}

TEST_CASE("goal ids are random and read as people know them") {
  std::set<GoalId> seen;
  for (int i = 0; i < 1000; ++i) {
    const GoalId id = random_goal_id();
    CHECK((id.uuid[6] >> 4) == 4);
    CHECK((id.uuid[8] >> 6) == 2);
    seen.insert(id);
  }
  CHECK(seen.size() == 1000);
  GoalId id;
  for (std::uint8_t i = 0; i < 16; ++i) id.uuid[i] = static_cast<std::uint8_t>(0xf0 + i);
  CHECK(to_text(id) == "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
}

}  // namespace tandem::ros2
