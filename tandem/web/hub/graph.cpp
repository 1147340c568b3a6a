// SPDX-License-Identifier: Apache-2.0
// The connection graph: the whole to anyone who begins to follow it, then what changed.
#include <algorithm>
#include <map>
#include <set>

#include "tandem/web/hub/impl.hpp"

namespace tandem::web {

namespace {

// Sorted, every name once, every node once: two graphs that say the same are the same.
std::vector<GraphTopic> tidy_topics(const std::vector<GraphTopic>& topics) {
  std::map<std::string, std::set<std::string>> merged;
  for (const GraphTopic& topic : topics) merged[topic.name].insert(topic.ids.begin(), topic.ids.end());
  std::vector<GraphTopic> tidy;
  for (const auto& [name, ids] : merged)
    if (!ids.empty()) tidy.push_back({name, {ids.begin(), ids.end()}});
  return tidy;
}

const GraphTopic* find_topic(const std::vector<GraphTopic>& topics, const std::string& name) {
  const auto place = std::lower_bound(topics.begin(), topics.end(), name,
                                      [](const GraphTopic& topic, const std::string& key) { return topic.name < key; });
  return place != topics.end() && place->name == name ? &*place : nullptr;
}

std::vector<GraphTopic> changed_topics(const std::vector<GraphTopic>& before, const std::vector<GraphTopic>& after) {
  std::vector<GraphTopic> changed;
  for (const GraphTopic& topic : after) {
    const GraphTopic* old = find_topic(before, topic.name);
    if (old == nullptr || old->ids != topic.ids) changed.push_back(topic);
  }
  return changed;
}

bool says_nothing(const foxglove::GraphUpdate& update) {
  return update.changed.published.empty() && update.changed.subscribed.empty() && update.changed.services.empty() &&
         update.removed_topics.empty() && update.removed_services.empty();
}

// A topic that lost all its publishers and still has subscribers is listed without publishers; and the other way round.
foxglove::GraphUpdate graph_update(const ConnectionGraph& before, const ConnectionGraph& after) {
  foxglove::GraphUpdate update;
  update.changed = {changed_topics(before.published, after.published),
                    changed_topics(before.subscribed, after.subscribed),
                    changed_topics(before.services, after.services)};
  std::set<std::string> removed;
  const auto ended = [&](const std::vector<GraphTopic>& had, const std::vector<GraphTopic>& has,
                         const std::vector<GraphTopic>& others, std::vector<GraphTopic>& changed) {
    for (const GraphTopic& topic : had) {
      if (find_topic(has, topic.name) != nullptr) continue;
      if (find_topic(others, topic.name) != nullptr) {
        changed.push_back({topic.name, {}});
      } else {
        removed.insert(topic.name);
      }
    }
  };
  ended(before.published, after.published, after.subscribed, update.changed.published);
  ended(before.subscribed, after.subscribed, after.published, update.changed.subscribed);
  update.removed_topics.assign(removed.begin(), removed.end());
  for (const GraphTopic& service : before.services)
    if (find_topic(after.services, service.name) == nullptr) update.removed_services.push_back(service.name);
  return update;
}

}  // namespace

void Hub::Impl::handle(ClientState& client, const foxglove::FollowGraph& message) {
  if (client.follows_graph == message.follow)
    return complain(
        client, 2,
        message.follow ? "subscribeConnectionGraph: already subscribed" : "unsubscribeConnectionGraph: not subscribed");
  client.follows_graph = message.follow;
  if (message.follow) send_text(client.client.id, foxglove::connection_graph_update({graph, {}, {}}));
}

void Hub::Impl::change_graph(ConnectionGraph next) {
  next = {tidy_topics(next.published), tidy_topics(next.subscribed), tidy_topics(next.services)};
  const foxglove::GraphUpdate update = graph_update(graph, next);
  graph = std::move(next);
  if (says_nothing(update)) return;
  const std::string text = foxglove::connection_graph_update(update);
  for (const auto& [id, client] : clients)
    if (client.follows_graph) send_text(id, text);
}

void Hub::set_graph(ConnectionGraph graph) { impl_->change_graph(std::move(graph)); }

}  // namespace tandem::web
