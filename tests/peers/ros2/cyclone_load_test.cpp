// SPDX-License-Identifier: Apache-2.0
// Many calls and goals at once between us and rmw_cyclonedds, and the first ones after a start.
#include <set>

#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/peers/ros2/cyclone_action.hpp"

namespace tandem::ros2 {
namespace {

using std_srvs::SetBool;

std::string yes = "on", no = "off";

void mirror_there(const cyclone::SetBool::Request& request, cyclone::SetBool::Response& response) {
  response.success = request.data;
  response.message = request.data ? yes.data() : no.data();
}

SetBool::Request asking(bool data) {
  SetBool::Request request;
  request.data = data;
  return request;
}

}  // namespace

TEST_CASE("a burst of calls to a Cyclone service is answered in full") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  const Client<SetBool> client(node, "/sea/horn");
  Cyclone cyclone(options.domain);
  CycloneServer<cyclone::SetBool> server(cyclone, "/sea/horn");
  const std::jthread serving = server.serve(mirror_there);
  std::atomic<int> right = 0, ended = 0;
  constexpr int calls = 200;
  for (int i = 0; i < calls; ++i) {
    client.call(asking(i % 3 == 0), {.timeout = 15s}, [&, i](const Result<SetBool::Response>& answer) {
      if (answer && answer->success == (i % 3 == 0)) ++right;
      ++ended;
    });
  }
  CHECK(eventually([&] { return ended == calls; }));
  CHECK(right == calls);
}

TEST_CASE("the first request to a Cyclone service that was just found is not lost") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  for (int start = 0; start < 4; ++start) {
    CAPTURE(start);
    const bool idempotent = start % 2 == 1;
    const Client<SetBool> client(node, "/sea/horn");
    Cyclone cyclone(options.domain);
    CycloneServer<cyclone::SetBool> server(cyclone, "/sea/horn");
    std::atomic<int> asked = 0;
    const std::jthread serving = server.serve([&](const auto& request, auto& response) {
      ++asked;
      mirror_there(request, response);
    });
    const auto answer = client.call(asking(true), {.timeout = 20s, .idempotent = idempotent});
    REQUIRE_MESSAGE(answer.ok(), answer.error().text);
    CHECK(answer->success);
    CHECK(asked >= 1);
    if (!idempotent) CHECK(asked == 1);
  }
}

TEST_CASE("a hundred goals of a Cyclone client at once each get their own result from us") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "gripper", "/hand");
  OurServer server(node);
  Cyclone cyclone(options.domain);
  CycloneActionClient client(cyclone, "/hand/gripper_cmd");
  constexpr int count = 100;
  std::map<std::int64_t, int> asked;
  for (int i = 1; i <= count; ++i) {
    REQUIRE(client.send(numbered(i), i));
    asked[client.get_result.send({0, 0, numbered(i)})] = i;
  }
  REQUIRE(server.has(count));
  const std::jthread worker([&] {
    for (const ServerGoal<Action>& goal : server.goals) {
      Action::Result result;
      result.position = goal.goal().command.position;
      goal.succeed(result);
    }
  });
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!asked.empty() && std::chrono::steady_clock::now() < end) {
    const bool taken = client.get_result.take([&](const cyclone::GetResult::Response& response) {
      CHECK(response.result.position == asked[response.seq]);
      CHECK(response.status == static_cast<std::int8_t>(GoalStatus::succeeded));
      asked.erase(response.seq);
    });
    if (!taken) std::this_thread::yield();
  }
  CHECK(asked.empty());
}

TEST_CASE("a hundred goals of ours at once each get their own result from a Cyclone server") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  ActionClient<Action> client(node, "/sea/claw");
  Cyclone cyclone(options.domain);
  CycloneActionServer server(cyclone, "/sea/claw");
  std::mutex mutex;
  std::map<GoalId, double> positions;
  const std::jthread goals = server.send_goal.serve([&](const auto& request, cyclone::SendGoal::Response& response) {
    const std::lock_guard lock(mutex);
    positions[id_from(request.goal_id)] = request.goal.position;
    response.accepted = true;
  });
  const std::jthread results =
      server.get_result.serve([&](const auto& request, cyclone::GetResult::Response& response) {
        const std::lock_guard lock(mutex);
        response = CycloneActionServer::result(GoalStatus::succeeded, positions[id_from(request.goal_id)]);
      });
  constexpr int count = 100;
  std::set<double> got;
  std::atomic<int> ended = 0, failed = 0;
  for (int i = 0; i < count; ++i) {
    ActionClient<Action>::Options wishes;
    wishes.accept_timeout = wishes.result_timeout = 20s;
    wishes.on_outcome = [&](const Result<ActionClient<Action>::Outcome>& outcome) {
      if (outcome) got.insert(outcome->result.position);  // in one thread
      ++ended;
    };
    Action::Goal goal;
    goal.command.position = i;
    client.send(goal, wishes, [&](const Result<ClientGoal<Action>>& accepted) {
      if (!accepted) ++failed;
    });
  }
  CHECK(eventually([&] { return ended + failed == count; }, 30s));
  CHECK(failed == 0);
  CHECK(got.size() == count);
}

}  // namespace tandem::ros2
