// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/topics/listen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/app/ros/graph_view.hpp"
#include "tandem/app/ros/types.hpp"
#include "tandem/ros2/messages/registry.hpp"

namespace tandem::app::ros {
namespace {

Result<std::string> type_of(const ros2::Graph& graph, const std::string& name) {
  const Names published = topics(graph, true, Role::writer), all = topics(graph, true);
  const NamedTypes* found = find(published, name);
  if (found == nullptr) found = find(all, name);
  if (found == nullptr) return Error{Fault::not_found, unknown_name("topic", name, topics(graph, is_hidden(name)))};
  if (found->types.size() > 1) {
    return Error{Fault::invalid,
                 fmt::format("{} has more than one type, {}: name one of them", name, type_list(*found))};
  }
  return found->types.front();
}

}  // namespace

Result<Topic> find_topic(Session& session, ros2::Graph& graph, const std::string& name, const std::string& type,
                         bool patient) {
  Topic topic{full_name(name), full_type_name(type, "msg"), {}};
  if (topic.type.empty()) {
    Result<std::string> found = type_of(graph, topic.name);
    if (!found && patient && found.error().fault == Fault::not_found) {
      session.remark(found.error().text + "; waiting for it");
      while (!found && !session.wait(50ms)) {
        graph = session.context().graph();
        found = type_of(graph, topic.name);
      }
    }
    if (!found) return found.error();
    topic.type = *found;
  }
  const auto there = publishers(graph, topic.name);
  if (there.empty()) session.remark(fmt::format("no publisher on {} yet; waiting", topic.name));
  topic.qos = matching_qos(there);
  const ros2::TypeSupport* ours = ros2::find_type(topic.type);
  if (ours != nullptr) topic.hash = ours->hash;
  for (const ros2::GraphEndpoint* each : there) {
    if (each->type == topic.type && !each->type_hash.empty()) topic.hash = each->type_hash;
  }
  return topic;
}

void Inbox::put(Bytes cdr, const ros2::MessageInfo& info) {
  Heard heard{{cdr.begin(), cdr.end()}, info, system_clock().utc()};
  const std::lock_guard lock(mutex_);
  bytes_ += cdr.size();
  waiting_.push_back(std::move(heard));
  while (waiting_.size() > most || (bytes_ > most_bytes && waiting_.size() > 1)) {
    bytes_ -= waiting_.front().cdr.size();
    waiting_.pop_front();
    ++dropped_;
  }
}

std::optional<Heard> Inbox::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  Heard heard = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= heard.cdr.size();
  return heard;
}

std::size_t Inbox::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

ros2::Subscription listen(Session& session, const Topic& topic, Inbox& inbox) {
  return session.node().subscribe_raw(topic.name, topic.type, topic.hash, topic.qos,
                                      [&inbox](Bytes cdr, const ros2::MessageInfo& info) { inbox.put(cdr, info); });
}

}  // namespace tandem::app::ros
