// SPDX-License-Identifier: Apache-2.0
// The first words between us and a Cyclone peer that speaks at once. A Cyclone reader discards what comes before the
// first heartbeat of a writer, so an answer that goes out too early is lost for ever.
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/peers/ros2/cyclone_action.hpp"

namespace tandem::ros2 {
namespace {

using std_srvs::SetBool;

// Without a pause: real clients are woken by the match itself.
template <typename Client>
void wait_for_service(const Client& client) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  bool late = false;
  while (!client.ready() && !late) {
    std::this_thread::yield();
    late = std::chrono::steady_clock::now() > end;
  }
  REQUIRE_FALSE(late);
}

bool answers(CycloneClient<cyclone::SetBool>& client, bool data) {
  bool right = false;
  const auto look = [&](const cyclone::SetBool::Response& response) { right = response.success == data; };
  return client.call({0, 0, data}, look) && right;
}

}  // namespace

TEST_CASE("a hundred Cyclone clients that call at once after discovery all get their answer") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  std::atomic<int> executed = 0;
  const Service<SetBool> service(node, "light", [&](const SetBool::Request& request) {
    ++executed;
    return mirror(request);
  });
  Cyclone cyclone(options.domain);
  int answered = 0;
  constexpr int calls = 100;
  for (int i = 0; i < calls; ++i) {
    CycloneClient<cyclone::SetBool> client(cyclone, "/light");
    wait_for_service(client);
    answered += answers(client, i % 3 == 0) ? 1 : 0;
  }
  CHECK(answered == calls);
  CHECK(executed == calls);
}

TEST_CASE("Cyclone processes that have just come up get the answer to their first call") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  const Service<SetBool> service(node, "light", mirror);
  int answered = 0;
  constexpr int processes = 30;
  for (int i = 0; i < processes; ++i) {
    Cyclone cyclone(options.domain, fmt::format("storm{}", i));
    CycloneClient<cyclone::SetBool> client(cyclone, "/light");
    wait_for_service(client);
    answered += answers(client, true) ? 1 : 0;
  }
  CHECK(answered == processes);
}

TEST_CASE("a Cyclone client that asks a node for its parameters at once gets them") {
  const ContextOptions options = loopback_options();
  Context context(options);
  const FullNode node(context, "tandem");
  Cyclone cyclone(options.domain);
  int answered = 0;
  constexpr int calls = 20;
  for (int i = 0; i < calls; ++i) {
    CycloneClient<cyclone::ListParameters> client(cyclone, "/tandem/list_parameters", Marks::given, Qos::parameters());
    wait_for_service(client);
    bool listed = false;
    client.call({}, [&](const auto& response) { listed = response.result.names._length > 0; });
    answered += listed ? 1 : 0;
  }
  CHECK(answered == calls);
}

TEST_CASE("a Cyclone client that sends a goal at once hears of all of it") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "gripper");
  ActionServer<Action>::Handlers handlers;
  handlers.execute = [](const ServerGoal<Action>& goal) {
    Action::Feedback feedback;
    feedback.position = goal.goal().command.position;
    CHECK(goal.publish_feedback(feedback));
    Action::Result result;
    result.position = feedback.position;
    CHECK(goal.succeed(result));
  };
  const ActionServer<Action> server(node, "gripper_cmd", handlers);
  Cyclone cyclone(options.domain);
  constexpr int goals = 20;
  for (int i = 1; i <= goals; ++i) {
    CAPTURE(i);
    CycloneActionClient client(cyclone, "/gripper_cmd");
    REQUIRE(client.send(numbered(i), i));
    bool fed = false;
    CHECK(eventually([&] {
      take<CycloneFeedback>(client.feedback, [&](const CycloneFeedback& message) {
        fed = id_from(message.goal_id) == id_from(numbered(i)) && message.feedback.position == i;
      });
      return fed;
    }));
    double position = 0;
    CHECK(client.get_result.call({0, 0, numbered(i)},
                                 [&](const auto& response) { position = response.result.position; }));
    CHECK(position == i);
    CHECK(client.becomes(numbered(i), GoalStatus::succeeded));
  }
}

TEST_CASE("one message for Cyclone subscriptions that have just come is heard by all of them") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  Cyclone cyclone(options.domain);
  constexpr int rounds = 30;
  int heard = 0;
  for (int i = 0; i < rounds; ++i) {
    // Fast DDS keeps the readers that Cyclone has taken back, so each round has a topic of its own.
    const std::string topic = fmt::format("legs{}", i);
    const dds_entity_t reader =
        cyclone.reader(std_msgs_msg_dds__Float64MultiArray__desc, "rt/" + topic, Qos::standard());
    const auto publisher = node.advertise<std_msgs::Float64MultiArray>(topic);
    REQUIRE(eventually([&] { return publisher.reached() == 1; }));
    std_msgs::Float64MultiArray message;
    message.data = {static_cast<double>(i)};
    REQUIRE(publisher.publish(message));
    bool right = false;
    const auto look = [&](const std_msgs_msg_dds__Float64MultiArray_& got) {
      right = got.data._length == 1 && got.data._buffer[0] == i;
    };
    const auto arrives = [&] {
      take<std_msgs_msg_dds__Float64MultiArray_>(reader, look);
      return right;
    };
    eventually(arrives, 5s);
    heard += right ? 1 : 0;
    cyclone.remove(reader);
  }
  CHECK(heard == rounds);
}

TEST_CASE("our first call to Cyclone servers that have just come up is answered without a long wait") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  std::string on = "on";
  Duration quickest = 20s;
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    const Client<SetBool> client(node, "/sea/horn");
    Cyclone cyclone(options.domain, fmt::format("storm{}", i));
    CycloneServer<cyclone::SetBool> server(cyclone, "/sea/horn");
    const std::jthread serving = server.serve([&](const auto&, auto& response) { response.message = on.data(); });
    REQUIRE(client.wait_for_server(20s));
    const auto called = std::chrono::steady_clock::now();
    const auto answer = client.call({}, {.timeout = 20s});
    REQUIRE_MESSAGE(answer.ok(), answer.error().text);
    CHECK(answer->message == "on");
    quickest = std::min<Duration>(quickest, std::chrono::steady_clock::now() - called);
  }
  CHECK(quickest < 2s);  // 3.2 s and more where calls wait until the server must have heard a heartbeat
}

}  // namespace tandem::ros2
