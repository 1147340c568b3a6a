// SPDX-License-Identifier: Apache-2.0
// Actions between us and rmw_cyclonedds, in both directions.
#include "tests/peers/ros2/cyclone_action.hpp"

namespace tandem::ros2 {

TEST_CASE("a Cyclone client sends our action server a goal and hears feedback and status and a result") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "gripper", "/hand");
  OurServer server(node);
  Cyclone cyclone(options.domain);
  CycloneActionClient client(cyclone, "/hand/gripper_cmd");

  CHECK_FALSE(client.send(numbered(1), -1.0));
  const CycloneId id = numbered(2);
  CHECK(client.send(id, 0.5));
  REQUIRE(server.has(1));
  CHECK(server.goals[0].id() == id_from(id));
  CHECK(server.goals[0].goal().command.position == 0.5);
  CHECK(server.goals[0].goal().command.max_effort == 10.0);
  CHECK(client.becomes(id, GoalStatus::executing));
  CHECK_FALSE(client.send(id, 0.5));  // the id is taken

  const std::int64_t asked = client.get_result.send({0, 0, id});
  Action::Feedback feedback;
  feedback.position = 0.25;
  feedback.reached_goal = true;
  CHECK(eventually([&] {
    CHECK(server.goals[0].publish_feedback(feedback));
    return take<CycloneFeedback>(client.feedback, [&](const CycloneFeedback& heard) {
      CHECK(id_from(heard.goal_id) == id_from(id));
      CHECK(heard.feedback.position == 0.25);
      CHECK(heard.feedback.reached_goal);
      CHECK_FALSE(heard.feedback.stalled);
    });
  }));
  CHECK_FALSE(client.get_result.take([](const auto&) {}));  // not before there is one

  Action::Result result;
  result.position = 0.5;
  result.effort = 3.0;
  result.reached_goal = true;
  CHECK(server.goals[0].succeed(result));
  const auto right = [](const cyclone::GetResult::Response& response) {
    CHECK(response.status == static_cast<std::int8_t>(GoalStatus::succeeded));
    CHECK(response.result.position == 0.5);
    CHECK(response.result.effort == 3.0);
    CHECK(response.result.reached_goal);
    CHECK_FALSE(response.result.stalled);
  };
  std::int64_t answered = 0;
  CHECK(eventually([&] {
    return client.get_result.take([&](const cyclone::GetResult::Response& response) {
      answered = response.seq;
      right(response);
    });
  }));
  CHECK(answered == asked);
  CHECK(client.becomes(id, GoalStatus::succeeded));
  CHECK(client.get_result.call({0, 0, id}, right));  // kept for those who ask late
  CHECK(client.get_result.call({0, 0, numbered(3)}, [](const auto& response) { CHECK(response.status == 0); }));
}

TEST_CASE("a Cyclone client cancels goals of our action server") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "gripper", "/hand");
  OurServer server(node);
  Cyclone cyclone(options.domain);
  CycloneActionClient client(cyclone, "/hand/gripper_cmd");
  for (int i = 1; i <= 3; ++i) CHECK(client.send(numbered(i), i));
  REQUIRE(server.has(3));
  CHECK(client.cancel(numbered(9)) == CancelResponse::ERROR_UNKNOWN_GOAL_ID);
  std::uint32_t canceling = 0;
  CHECK(client.cancel(numbered(2), &canceling) == CancelResponse::ERROR_NONE);
  CHECK(canceling == 1);
  CHECK(client.becomes(numbered(2), GoalStatus::canceling));
  Action::Result result;
  result.position = 0.125;
  CHECK(server.goals[1].canceled(result));
  CHECK(client.becomes(numbered(2), GoalStatus::canceled));
  CHECK(client.get_result.call({0, 0, numbered(2)}, [](const auto& response) {
    CHECK(response.status == static_cast<std::int8_t>(GoalStatus::canceled));
    CHECK(response.result.position == 0.125);
  }));
  CHECK(client.cancel(numbered(2)) == CancelResponse::ERROR_GOAL_TERMINATED);
  CHECK(client.cancel(numbered(0), &canceling) == CancelResponse::ERROR_NONE);  // all that are left
  CHECK(canceling == 2);
  CHECK(server.goals[0].canceling());
  CHECK(server.goals[2].canceling());
}

TEST_CASE("our action client sends a Cyclone server a goal and hears feedback and status and a result") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  ActionClient<Action> client(node, "/sea/claw");
  Cyclone cyclone(options.domain);
  CycloneActionServer server(cyclone, "/sea/claw");
  std::atomic<double> heard = 0.0;
  ActionClient<Action>::Options wishes;
  wishes.accept_timeout = 20s;
  wishes.on_feedback = [&](const Action::Feedback& feedback) { heard = feedback.position; };
  Action::Goal goal;
  goal.command = {0.5, 20.0};
  auto sending = std::async(std::launch::async, [&] { return client.send(goal, wishes); });
  const auto asked = server.send_goal.wait();
  REQUIRE(asked.has_value());
  CHECK(asked->request.goal.position == 0.5);
  CHECK(asked->request.goal.max_effort == 20.0);
  const CycloneId id = asked->request.goal_id;
  CHECK(server.send_goal.answer(*asked, {0, 0, true, {5, 6}}));
  const auto accepted = sending.get();
  REQUIRE_MESSAGE(accepted.ok(), accepted.error().text);
  CHECK(accepted->id() == id_from(id));
  server.tell(id, GoalStatus::executing);
  CHECK(eventually([&] { return accepted->status() == GoalStatus::executing; }));
  CHECK(eventually([&] {
    server.tell_feedback(id, 0.375);
    return heard == 0.375;
  }));

  // Asked again when the first request may have been lost; whichever is answered counts.
  const auto result_asked = server.get_result.wait();
  REQUIRE(result_asked.has_value());
  CHECK(id_from(result_asked->request.goal_id) == accepted->id());
  CHECK_FALSE(accepted->wait(50ms).ok());
  CHECK(server.get_result.answer(*result_asked, CycloneActionServer::result(GoalStatus::succeeded, 0.5)));
  const auto outcome = accepted->wait(20s);
  REQUIRE_MESSAGE(outcome.ok(), outcome.error().text);
  CHECK(outcome->status == GoalStatus::succeeded);
  CHECK(outcome->result.position == 0.5);
  CHECK(outcome->result.effort == 0.5);
  CHECK(outcome->result.stalled);
}

TEST_CASE("our action client cancels a goal of a Cyclone server and hears when it refuses one or goes") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  ActionClient<Action> client(node, "/sea/claw");
  Cyclone cyclone(options.domain);
  auto server = std::make_unique<CycloneActionServer>(cyclone, "/sea/claw");
  std::atomic<bool> accept = false;
  std::jthread goals =
      server->send_goal.serve([&](const auto&, cyclone::SendGoal::Response& response) { response.accepted = accept; });
  ActionClient<Action>::Options wishes;
  wishes.accept_timeout = 20s;
  const auto refused = client.send({}, wishes);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().fault == Fault::refused);

  accept = true;
  const auto goal = client.send({}, wishes), other = client.send({}, wishes);
  REQUIRE((goal.ok() && other.ok()));
  auto canceling = std::async(std::launch::async, [&] { return client.cancel(*goal, 20s); });
  const auto cancel = server->cancel_goal.wait();
  REQUIRE(cancel.has_value());
  CHECK(id_from(cancel->request.goal_info.goal_id) == goal->id());
  std::vector<action_msgs_msg_dds__GoalInfo_> list{cancel->request.goal_info};
  cyclone::CancelGoal::Response agreed{};
  agreed.goals_canceling = lent<decltype(agreed.goals_canceling)>(list);
  CHECK(server->cancel_goal.answer(*cancel, agreed));
  const auto response = canceling.get();
  REQUIRE_MESSAGE(response.ok(), response.error().text);
  REQUIRE(response->goals_canceling.size() == 1);
  CHECK(response->goals_canceling[0].goal_id == goal->id());
  for (bool answered = false; !answered;) {
    const auto asked = server->get_result.wait();
    REQUIRE(asked.has_value());
    if (id_from(asked->request.goal_id) != goal->id()) continue;
    answered = server->get_result.answer(*asked, CycloneActionServer::result(GoalStatus::canceled, 0.75));
  }
  const auto outcome = goal->wait(20s);
  REQUIRE(outcome.ok());
  CHECK(outcome->status == GoalStatus::canceled);
  CHECK(outcome->result.position == 0.75);

  goals = {};
  server.reset();
  const auto lost = other->wait(20s);
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().fault == Fault::closed);
}

}  // namespace tandem::ros2
