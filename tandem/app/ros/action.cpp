// SPDX-License-Identifier: Apache-2.0
// action list, info, send_goal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <future>
#include <set>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/ros/call.hpp"
#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/graph_view.hpp"
#include "tandem/app/ros/text/message_text.hpp"
#include "tandem/app/ros/text/yaml_input.hpp"
#include "tandem/app/ros/topics/listen.hpp"
#include "tandem/app/ros/types.hpp"
#include "tandem/ros2/calls/action_goals.hpp"
#include "tandem/ros2/messages/action_msgs.hpp"

namespace tandem::app::ros {
namespace {

struct ActionOptions {
  std::string name, type, values;
  bool types = false, count = false, feedback = false;
  double timeout = 10;                   // s, to find the server and to hear whether it accepts
  std::optional<double> result_timeout;  // s; none: as long as it takes
};

int list_actions(Session& session, const ActionOptions& options) {
  const Names names = actions(session.discover());
  if (options.count) {
    session.print(fmt::format("{}\n", names.size()));
    return success;
  }
  for (const NamedTypes& each : names) {
    session.print(options.types ? fmt::format("{} {}\n", each.name, type_list(each)) : each.name + "\n");
  }
  return success;
}

int info(Session& session, const ActionOptions& options) {
  const std::string name = full_name(options.name);
  const ros2::Graph graph = session.discover();
  const Names known = actions(graph);
  const NamedTypes* action = find(known, name);
  if (action == nullptr) return fail(unknown_name("action", name, known));
  std::string out = fmt::format("Action: {}\n", name);
  for (const bool server : {false, true}) {
    const std::string topic = name + "/_action/feedback";
    const auto endpoints = server ? publishers(graph, topic) : subscriptions(graph, topic);
    std::multiset<std::string> nodes;
    for (const ros2::GraphEndpoint* each : endpoints) nodes.insert(each->node.empty() ? "unknown" : each->node);
    out += fmt::format("Action {}: {}\n", server ? "servers" : "clients", nodes.size());
    if (options.count) continue;
    for (const std::string& node : nodes) {
      out += options.types ? fmt::format("    {} {}\n", node, type_list(*action)) : fmt::format("    {}\n", node);
    }
  }
  session.print(out);
  return success;
}

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    out += "    " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return out;
}

// The types of an action that go over the wire.
struct ActionTypes {
  FoundType goal, send_request, send_response, result_request, result_response, feedback;

  static Result<ActionTypes> find(Session& session, const ros2::Graph& graph, const std::string& type) {
    ActionTypes types;
    const std::pair<FoundType*, const char*> parts[] = {{&types.send_request, "_SendGoal_Request"},
                                                        {&types.send_response, "_SendGoal_Response"},
                                                        {&types.result_request, "_GetResult_Request"},
                                                        {&types.result_response, "_GetResult_Response"},
                                                        {&types.feedback, "_FeedbackMessage"}};
    for (const auto& [part, ending] : parts) {
      Result<FoundType> found = find_type(session, graph, type + ending, type);
      if (!found) return found.error();
      *part = std::move(*found);
    }
    // No endpoint has it by itself.
    const std::string goal = type + "_Goal";
    Result<FoundType> found = types.send_request.described.empty() ? find_type(session, graph, goal, type)
                                                                   : nested_type(types.send_request, goal);
    if (!found) return found.error();
    types.goal = std::move(*found);
    return types;
  }
};

ros2::Value uuid_value(const ros2::GoalId& id) {
  ros2::Value list{ros2::Value::Kind::list};
  for (const std::uint8_t byte : id.uuid) list.items.push_back({ros2::Value::Kind::scalar, std::to_string(byte)});
  return {ros2::Value::Kind::map, {}, false, {"uuid"}, {std::move(list)}};
}

class GoalRun {
 public:
  GoalRun(Session& session, std::string name, const std::string& type, const ActionTypes& types,
          const ActionOptions& options)
      : session_(session),
        name_(std::move(name)),
        type_(type),
        types_(types),
        options_(options),
        send_(session.node(), name_ + "/_action/send_goal",
              {type + "_SendGoal", types.send_request.hash, types.send_response.hash}),
        result_(session.node(), name_ + "/_action/get_result",
                {type + "_GetResult", types.result_request.hash, types.result_response.hash}),
        feedback_(
            listen(session,
                   {name_ + "/_action/feedback", type + "_FeedbackMessage", ros2::Qos::standard(), types.feedback.hash},
                   inbox_)) {}

  int run(const ros2::Value& goal) {
    session_.print("Waiting for an action server to become available...\n");
    const std::pair<const ros2::AnyClient*, const char*> clients[] = {{&send_, "_SendGoal"}, {&result_, "_GetResult"}};
    for (const auto& [client, ending] : clients) {
      auto there = await_server(session_, *client, type_ + ending, duration_of(options_.timeout));
      if (!there) return session_.over() ? 130 : no_server(there.error());
    }
    const auto request = write_message(
        types_.send_request.type, {ros2::Value::Kind::map, {}, false, {"goal_id", "goal"}, {uuid_value(id_), goal}},
        system_clock().utc());
    if (!request) return fail(request.error().text, usage);
    session_.print(fmt::format("Sending goal:\n{}\n", part(types_.send_request, *request, "goal")));
    const auto response = call_raw(session_, send_, *request, {.timeout = duration_of(options_.timeout)});
    if (!response) return session_.over() ? cancel() : fail(response.error().text);
    if (response->size() < 5 || (*response)[4] == 0) {
      session_.print("Goal was rejected.\n");
      return failure;
    }
    session_.print(fmt::format("Goal accepted with ID: {:02x}\n\n", fmt::join(id_.uuid, "")));
    return wait_for_result();
  }

 private:
  int no_server(const Error& error) const {
    const Names known = actions(session_.context().graph(), Role::writer);
    const NamedTypes* there = find(known, name_);
    if (there == nullptr) return fail(unknown_name("action", name_, known));
    if (error.fault != Fault::unsupported) return fail(error.text);
    return fail(fmt::format("{} is of type {}, not {}", name_, fmt::join(there->types, ", "), type_), usage);
  }

  std::string part(const FoundType& type, Bytes cdr, const char* field) const {
    TextOptions options;
    options.field = {{field, std::nullopt}};
    const auto text = message_text(type.type, cdr, options);
    return text ? indented(*text) : text.error().text + "\n";
  }

  int wait_for_result() {
    const auto request =
        write_message(types_.result_request.type, {ros2::Value::Kind::map, {}, false, {"goal_id"}, {uuid_value(id_)}});
    if (!request) return fail(request.error().text);
    const auto answer = std::make_shared<std::promise<Result<std::vector<std::uint8_t>>>>();
    auto future = answer->get_future();
    const Duration timeout = options_.result_timeout ? duration_of(*options_.result_timeout) : Duration(24h * 365);
    result_.call_raw(*request, {.timeout = timeout, .idempotent = true},
                     [answer](Result<std::vector<std::uint8_t>> response) { answer->set_value(std::move(response)); });
    while (future.wait_for(0s) != std::future_status::ready) {
      tell_feedback();
      if (session_.wait(5ms)) return cancel();
    }
    tell_feedback();
    const auto response = future.get();
    if (!response) return fail(response.error().text);
    const auto status = ros2::goal_status_from(response->size() > 4 ? static_cast<std::int8_t>((*response)[4]) : 0);
    session_.print(fmt::format("Result:\n{}\n", part(types_.result_response, *response, "result")));
    std::string word = ros2::name(status);
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    session_.print(fmt::format("Goal finished with status: {}\n", word));
    return status == ros2::GoalStatus::succeeded ? success : failure;
  }

  void tell_feedback() {
    while (const auto heard = inbox_.take()) {
      // The goal's id is first, 16 bytes behind the header.
      const Bytes cdr = heard->cdr;
      if (!options_.feedback || cdr.size() < 20 || !std::ranges::equal(cdr.subspan(4, 16), id_.uuid)) continue;
      session_.print(fmt::format("Feedback:\n{}\n", part(types_.feedback, cdr, "feedback")));
    }
  }

  // After an interrupt: the goal must not go on unseen.
  int cancel() {
    session_.print("Canceling goal...\n");
    const ros2::Client<ros2::action_msgs::CancelGoal> client(session_.node(), name_ + "/_action/cancel_goal");
    ros2::action_msgs::CancelGoal::Request request;
    request.goal_info.goal_id = id_;
    const auto response = client.call(request, {.timeout = 3s, .idempotent = true});
    if (!response) return fail(response.error().text);
    if (response->goals_canceling.empty()) return fail("the server did not cancel the goal");
    session_.print("Goal canceled.\n");
    return 130;
  }

  Session& session_;
  std::string name_, type_;
  const ActionTypes& types_;
  const ActionOptions& options_;
  const ros2::GoalId id_ = ros2::random_goal_id();
  Inbox inbox_;
  ros2::AnyClient send_, result_;
  ros2::Subscription feedback_;
};

int send_goal(Session& session, const ActionOptions& options) {
  const std::string name = full_name(options.name), type = full_type_name(options.type, "action");
  const ros2::Graph graph = session.discover();
  const Result<ActionTypes> types = ActionTypes::find(session, graph, type);
  if (!types) return fail(types.error().text, usage);
  Result<ros2::Value> goal = value_from_yaml(options.values);
  if (!goal) return fail(goal.error().text, usage);
  if (goal->kind == ros2::Value::Kind::nothing) goal->kind = ros2::Value::Kind::map;
  const auto checked = write_message(types->goal.type, *goal, system_clock().utc());
  if (!checked) return fail(checked.error().text, usage);
  return GoalRun(session, name, type, *types, options).run(*goal);
}

}  // namespace

void add_action_commands(Commands& commands) {
  const auto options = std::make_shared<ActionOptions>();
  CLI::App* action = commands.group("action", "list, info, send_goal");
  CLI::App* command = commands.add(action, "list", "list all actions", "  tandem ros action list -t\n",
                                   [options](Session& session) { return list_actions(session, *options); });
  command->add_flag("-t,--show-types", options->types, "show types");
  command->add_flag("-c,--count-actions", options->count, "print only the count");

  command = commands.add(action, "info", "print servers and clients of an action",
                         "  tandem ros action info /hande_controller_left/gripper_cmd\n",
                         [options](Session& session) { return info(session, *options); });
  command->add_option("NAME", options->name, "such as /hande_controller_left/gripper_cmd")->required();
  command->add_flag("-t,--show-types", options->types, "show types");
  command->add_flag("-c,--count", options->count, "print only the count");

  command = commands.add(
      action, "send_goal", "send a goal and wait for its result; an interrupt cancels it",
      "  tandem ros action send_goal /hande_controller_left/gripper_cmd control_msgs/action/GripperCommand "
      "'{command: {position: 0.02}}' -f\n",
      [options](Session& session) { return send_goal(session, *options); });
  command->add_option("NAME", options->name, "such as /hande_controller_left/gripper_cmd")->required();
  command->add_option("TYPE", options->type, "such as control_msgs/action/GripperCommand")->required();
  command->add_option("YAML", options->values, "goal; omitted fields keep their defaults");
  command->add_flag("-f,--feedback", options->feedback, "print feedback");
  command->add_option("--timeout", options->timeout, "timeout until the goal is accepted (s)")
      ->type_name("SECONDS")
      ->check(seconds_check())
      ->capture_default_str();
  command->add_option("--result-timeout", options->result_timeout, "timeout until the result arrives (s)")
      ->type_name("SECONDS")
      ->check(seconds_check());
}

}  // namespace tandem::app::ros
