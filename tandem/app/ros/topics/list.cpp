// SPDX-License-Identifier: Apache-2.0
// topic list, info, type, find.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/graph_view.hpp"
#include "tandem/app/ros/types.hpp"

namespace tandem::app::ros {
namespace {

using ros2::GraphEndpoint;

struct ListOptions {
  bool types = false, verbose = false, count = false, hidden = false;
};

std::string counted(const Names& names, const ros2::Graph& graph, bool writes) {
  std::string text = fmt::format("{} topics:\n", writes ? "Published" : "Subscribed");
  for (const NamedTypes& each : names) {
    const std::size_t count = (writes ? publishers(graph, each.name) : subscriptions(graph, each.name)).size();
    if (count == 0) continue;
    text += fmt::format(" * {} {} {} {}{}\n", each.name, type_list(each), count, writes ? "publisher" : "subscriber",
                        count > 1 ? "s" : "");
  }
  return text + "\n";
}

int list_topics(Session& session, const ListOptions& options) {
  const ros2::Graph graph = session.discover();
  const Names names = topics(graph, options.hidden);
  if (options.count) {
    session.print(fmt::format("{}\n", names.size()));
  } else if (options.verbose) {
    session.print(counted(names, graph, true) + counted(names, graph, false));
  } else {
    for (const NamedTypes& each : names) {
      session.print(options.types ? fmt::format("{} {}\n", each.name, type_list(each)) : each.name + "\n");
    }
  }
  return success;
}

std::string duration_text(Duration duration) {
  return duration == Duration::max() ? "Infinite" : fmt::format("{} nanoseconds", duration.count());
}

std::string endpoint_text(const GraphEndpoint& endpoint) {
  const std::size_t slash = endpoint.node.rfind('/');
  std::string name = "_NODE_NAME_UNKNOWN_", name_space = "_NODE_NAMESPACE_UNKNOWN_";
  if (slash != std::string::npos) {
    name = endpoint.node.substr(slash + 1);
    name_space = endpoint.node.substr(0, std::max<std::size_t>(slash, 1));
  }
  return fmt::format(
      "Node name: {}\nNode namespace: {}\nTopic type: {}\nTopic type hash: {}\nEndpoint type: {}\nGID: {:02x}\n"
      "QoS profile:\n  Reliability: {}\n  History (Depth): UNKNOWN\n  Durability: {}\n  Lifespan: {}\n  Deadline: {}\n"
      "  Liveliness: {}\n  Liveliness lease duration: {}\n",
      name, name_space, endpoint.type, endpoint.type_hash.empty() ? "INVALID" : endpoint.type_hash,
      endpoint.writes ? "PUBLISHER" : "SUBSCRIPTION", fmt::join(endpoint.gid, "."),
      endpoint.qos.reliability == ros2::Reliability::reliable ? "RELIABLE" : "BEST_EFFORT",
      endpoint.qos.durability == ros2::Durability::transient_local ? "TRANSIENT_LOCAL" : "VOLATILE",
      duration_text(endpoint.qos.lifespan), duration_text(endpoint.qos.deadline),
      endpoint.qos.liveliness == ros2::Liveliness::automatic ? "AUTOMATIC" : "MANUAL_BY_TOPIC",
      duration_text(endpoint.qos.liveliness_lease));
}

int topic_info(Session& session, const std::string& text, bool verbose) {
  const std::string name = full_name(text);
  const ros2::Graph graph = session.discover();
  const Names all = topics(graph, true);
  const NamedTypes* topic = find(all, name);
  if (topic == nullptr) return fail(unknown_name("topic", name, topics(graph, is_hidden(name))));
  const char* end = verbose ? "\n\n" : "\n";
  std::string out = fmt::format("Type: {}{}", topic->types.size() == 1 ? topic->types.front() : type_list(*topic), end);
  for (const bool writes : {true, false}) {
    const auto endpoints = writes ? publishers(graph, name) : subscriptions(graph, name);
    out += fmt::format("{} count: {}{}", writes ? "Publisher" : "Subscription", endpoints.size(), end);
    if (!verbose) continue;
    for (const GraphEndpoint* each : endpoints) out += endpoint_text(*each) + "\n";
  }
  session.print(out);
  return success;
}

int topic_type(Session& session, const std::string& text) {
  const std::string name = full_name(text);
  const ros2::Graph graph = session.discover();
  const Names all = topics(graph, true);
  const NamedTypes* topic = find(all, name);
  if (topic == nullptr) return fail(unknown_name("topic", name, topics(graph, is_hidden(name))));
  session.print(fmt::format("{}\n", fmt::join(topic->types, "\n")));
  return success;
}

int topics_of_type(Session& session, const std::string& text) {
  const std::string type = full_type_name(text, "msg");
  for (const NamedTypes& each : topics(session.discover(), false)) {
    if (std::ranges::count(each.types, type) > 0) session.print(each.name + "\n");
  }
  return success;
}

}  // namespace

void add_topic_list(Commands& commands, CLI::App* topic) {
  const auto options = std::make_shared<ListOptions>();
  const auto word = std::make_shared<std::string>();
  CLI::App* command =
      commands.add(topic, "list", "list all topics", "  tandem ros topic list\n  tandem ros topic list -t\n",
                   [options](Session& session) { return list_topics(session, *options); });
  command->add_flag("-t,--show-types", options->types, "show types");
  command->add_flag("-v,--verbose", options->verbose, "show types and counts of publishers and subscribers");
  command->add_flag("-c,--count-topics", options->count, "print only the count");
  command->add_flag("-a,--all,--include-hidden-topics", options->hidden, "include hidden topics (/_action, /a/_b)");

  command = commands.add(topic, "info", "print type, publishers and subscriptions of a topic",
                         "  tandem ros topic info /tf\n  tandem ros topic info /tf -v\n",
                         [options, word](Session& session) { return topic_info(session, *word, options->verbose); });
  command->add_option("NAME", *word, "such as /tf")->required();
  command->add_flag("-v,--verbose", options->verbose, "show node, type hash, GID and QoS of each");

  command = commands.add(topic, "type", "print the type of a topic", "  tandem ros topic type /tf\n",
                         [word](Session& session) { return topic_type(session, *word); });
  command->add_option("NAME", *word, "such as /tf")->required();

  command =
      commands.add(topic, "find", "list the topics of a type", "  tandem ros topic find sensor_msgs/msg/JointState\n",
                   [word](Session& session) { return topics_of_type(session, *word); });
  command->add_option("TYPE", *word, "such as std_msgs/msg/String")->required();
}

void add_topic_commands(Commands& commands) {
  CLI::App* topic = commands.group("topic", "list, echo, hz, bw, delay, info, type, find, pub");
  add_topic_list(commands, topic);
  add_topic_echo(commands, topic);
  add_topic_rates(commands, topic);
  add_topic_pub(commands, topic);
}

}  // namespace tandem::app::ros
