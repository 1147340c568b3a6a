// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/calls/action_goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace tandem::ros2 {
namespace {

using action_msgs::CancelGoal;

bool is_zero(const builtin_interfaces::Time& time) { return time.sec == 0 && time.nanosec == 0; }

bool not_after(const builtin_interfaces::Time& a, const builtin_interfaces::Time& b) {
  return std::pair(a.sec, a.nanosec) <= std::pair(b.sec, b.nanosec);
}

}  // namespace

GoalId random_goal_id() {
  static thread_local std::random_device source;
  GoalId id;
  for (std::uint8_t& byte : id.uuid) byte = static_cast<std::uint8_t>(source());
  id.uuid[6] = static_cast<std::uint8_t>((id.uuid[6] & 0x0F) | 0x40);
  id.uuid[8] = static_cast<std::uint8_t>((id.uuid[8] & 0x3F) | 0x80);
  return id;
}

std::string to_text(const GoalId& id) {
  std::string text;
  for (std::size_t i = 0; i < id.uuid.size(); ++i) {
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id.uuid[i]);
  }
  return text;
}

const char* name(GoalStatus status) {
  constexpr const char* names[] = {"unknown", "accepted", "executing", "canceling", "succeeded", "canceled", "aborted"};
  const auto index = static_cast<std::size_t>(status);
  return index < std::size(names) ? names[index] : "unknown";
}

bool GoalRecord::end(GoalStatus terminal) {
  GoalStatus now = status;
  do {
    if (is_terminal(now) || (terminal == GoalStatus::canceled && now != GoalStatus::canceling)) return false;
  } while (!status.compare_exchange_weak(now, terminal));
  return true;
}

bool GoalRecord::begin() {
  GoalStatus expected = GoalStatus::accepted;
  return status.compare_exchange_strong(expected, GoalStatus::executing);
}

bool GoalRecord::begin_cancel() {
  GoalStatus now = status;
  do {
    if (now == GoalStatus::canceling || is_terminal(now)) return false;
  } while (!status.compare_exchange_weak(now, GoalStatus::canceling));
  return true;
}

ActionGoals::Entry* ActionGoals::find(const GoalId& id) {
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.record->id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

std::shared_ptr<GoalRecord> ActionGoals::add(const GoalId& id, const builtin_interfaces::Time& stamp) {
  if (find(id) != nullptr || active().size() >= limits_.most_active) return nullptr;
  auto record = std::make_shared<GoalRecord>();
  record->id = id;
  record->stamp = stamp;
  entries_.push_back({record, {}, {}, {}});
  return record;
}

std::vector<std::shared_ptr<GoalRecord>> ActionGoals::active() const {
  std::vector<std::shared_ptr<GoalRecord>> found;
  for (const Entry& entry : entries_) {
    if (!is_terminal(entry.record->status)) found.push_back(entry.record);
  }
  return found;
}

CancelGoal::Response ActionGoals::cancel(const action_msgs::GoalInfo& which,
                                         const std::function<bool(const std::shared_ptr<GoalRecord>&)>& allow) {
  const bool by_id = which.goal_id != GoalId{}, by_stamp = !is_zero(which.stamp);
  CancelGoal::Response response;
  if (by_id && !by_stamp) {
    const Entry* entry = find(which.goal_id);
    if (entry == nullptr || is_terminal(entry->record->status)) {
      response.return_code =
          entry == nullptr ? CancelGoal::Response::ERROR_UNKNOWN_GOAL_ID : CancelGoal::Response::ERROR_GOAL_TERMINATED;
      return response;
    }
  }
  bool asked = false;
  for (const auto& record : active()) {
    const bool meant = (by_id && record->id == which.goal_id) || (by_stamp && not_after(record->stamp, which.stamp)) ||
                       (!by_id && !by_stamp);
    if (!meant) continue;
    asked = true;
    // Asked a second time, a goal is still on its way out.
    if (record->status != GoalStatus::canceling && !(allow(record) && record->begin_cancel())) continue;
    response.goals_canceling.push_back({record->id, record->stamp});
  }
  if (asked && response.goals_canceling.empty()) response.return_code = CancelGoal::Response::ERROR_REJECTED;
  return response;
}

void ActionGoals::keep_result(const GoalId& id, std::vector<std::uint8_t> result_response, Instant now) {
  Entry* entry = find(id);
  if (entry == nullptr) return;
  entry->result = std::move(result_response);
  entry->ended = now;
  for (const Answer& answer : entry->askers) answer(entry->result);
  entry->askers.clear();
}

bool ActionGoals::ask_result(const GoalId& id, Answer answer) {
  Entry* entry = find(id);
  if (entry == nullptr) return false;
  if (!entry->result.empty()) {
    answer(entry->result);
    return true;
  }
  if (entry->askers.size() >= limits_.most_askers) return false;
  entry->askers.push_back(std::move(answer));
  return true;
}

void ActionGoals::expire(Instant now) {
  auto ended = static_cast<std::size_t>(
      std::ranges::count_if(entries_, [](const Entry& entry) { return !entry.result.empty(); }));
  std::erase_if(entries_, [&](const Entry& entry) {
    if (entry.result.empty()) return false;
    const bool old = entry.ended + limits_.keep_result <= now || ended > limits_.most_ended;
    if (old) --ended;
    return old;
  });
}

action_msgs::GoalStatusArray ActionGoals::statuses() const {
  action_msgs::GoalStatusArray array;
  for (const Entry& entry : entries_) {
    action_msgs::GoalStatus& status = array.status_list.emplace_back();
    status.goal_info = {entry.record->id, entry.record->stamp};
    status.status = static_cast<std::int8_t>(entry.record->status.load());
  }
  return array;
}

}  // namespace tandem::ros2
