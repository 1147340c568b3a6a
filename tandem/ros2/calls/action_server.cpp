// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/calls/action_server.hpp"

#include <stdexcept>

#include "tandem/ros2/dds/participant.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::ros2 {
namespace {

std::string full_name(const Node& node, std::string_view name) {
  Result<std::string> full = full_topic_name(name, node.entry()->name_space, node.entry()->name);
  if (!full) throw std::invalid_argument("action: " + full.error().text);
  return *full;
}

}  // namespace

ActionServerCore::ActionServerCore(Node& node, std::string_view action, ActionGoals::Limits limits,
                                   const Clock* stamp_clock)
    : name(full_name(node, action)),
      clock(stamp_clock != nullptr ? *stamp_clock : *node.entry()->clock),
      goals(limits),
      status_(node.advertise<action_msgs::GoalStatusArray>(name + "/_action/status", Qos::latched())),
      executor_(node.entry()->participant->executor()),
      owner_(executor_->enroll()),
      keep_result_(limits.keep_result) {}

ActionServerCore::~ActionServerCore() { close(); }

void ActionServerCore::close() {
  cancel_.reset();
  executor_->dismiss(owner_);
}

void ActionServerCore::serve_cancel(Node& node, std::function<bool(const std::shared_ptr<GoalRecord>&)> allow) {
  cancel_ = std::make_unique<Service<action_msgs::CancelGoal>>(
      node, name + "/_action/cancel_goal",
      [this, allow = std::move(allow)](const action_msgs::CancelGoal::Request& request) {
        const auto response = goals.cancel(request.goal_info, allow);
        if (!response.goals_canceling.empty()) publish_status();
        return response;
      });
}

void ActionServerCore::ended(const std::shared_ptr<GoalRecord>& record, std::vector<std::uint8_t> result_response) {
  later([this, record, bytes = std::move(result_response)]() mutable {
    const Instant now = std::chrono::steady_clock::now();
    goals.keep_result(record->id, std::move(bytes), now);
    publish_status();
    const Instant old = now + keep_result_ + 1ms;
    executor_->post_at(owner_, old, [this, old] {
      goals.expire(old);
      publish_status();
    });
  });
}

void ActionServerCore::publish_status() const { status_.publish(goals.statuses()); }

}  // namespace tandem::ros2
