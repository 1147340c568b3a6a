// SPDX-License-Identifier: Apache-2.0
// The goals of an action server: their states, who waits for their results, and which of them a cancel request means.
// No DDS here. One thread, but for a goal's status, which anyone may read and end.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/ros2/messages/action_msgs.hpp"

namespace tandem::ros2 {

using GoalId = unique_identifier_msgs::UUID;

// A new one, as clients make them: random, version 4.
GoalId random_goal_id();
// "b0f1c9e2-...", as people know it.
std::string to_text(const GoalId& id);

// Values of action_msgs/msg/GoalStatus.
enum class GoalStatus : std::int8_t { unknown, accepted, executing, canceling, succeeded, canceled, aborted };

const char* name(GoalStatus status);
// What a peer sends; values that mean nothing are unknown.
constexpr GoalStatus goal_status_from(std::int8_t value) {
  return value >= 0 && value <= 6 ? static_cast<GoalStatus>(value) : GoalStatus::unknown;
}
constexpr bool is_terminal(GoalStatus status) { return status >= GoalStatus::succeeded; }

struct GoalRecord {
  GoalId id;
  builtin_interfaces::Time stamp;
  std::atomic<GoalStatus> status = GoalStatus::accepted;

  // From accepted, executing or canceling to a terminal state, once; `canceled` only from canceling.
  bool end(GoalStatus terminal);
  bool begin();         // accepted to executing
  bool begin_cancel();  // accepted or executing to canceling
};

class ActionGoals {
 public:
  using Answer = std::function<void(Bytes result_response)>;

  struct Limits {
    Duration keep_result = 15min;
    std::size_t most_active = 1000;
    std::size_t most_ended = 128;  // kept for late askers
    std::size_t most_askers = 16;  // that wait for one result
  };

  explicit ActionGoals(Limits limits) : limits_(limits) {}

  // Null: the id is known already, or there are too many.
  std::shared_ptr<GoalRecord> add(const GoalId& id, const builtin_interfaces::Time& stamp);
  std::vector<std::shared_ptr<GoalRecord>> active() const;

  // What rcl_action makes of a request: no id and no stamp mean all goals, a stamp those accepted until then, an id
  // that one. `allow` decides each.
  action_msgs::CancelGoal::Response cancel(const action_msgs::GoalInfo& which,
                                           const std::function<bool(const std::shared_ptr<GoalRecord>&)>& allow);

  // Keeps the encoded answer to get_result and reports it to all who wait.
  void keep_result(const GoalId& id, std::vector<std::uint8_t> result_response, Instant now);
  // Answers now or when the result is there. False: no such goal, or too many ask.
  bool ask_result(const GoalId& id, Answer answer);
  // Forgets what is old.
  void expire(Instant now);

  action_msgs::GoalStatusArray statuses() const;

 private:
  struct Entry {
    std::shared_ptr<GoalRecord> record;
    std::vector<std::uint8_t> result;
    Instant ended{};
    std::vector<Answer> askers;
  };
  Entry* find(const GoalId& id);

  Limits limits_;
  std::vector<Entry> entries_;  // oldest first
};

}  // namespace tandem::ros2
