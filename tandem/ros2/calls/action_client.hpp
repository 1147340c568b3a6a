// SPDX-License-Identifier: Apache-2.0
// Actions, the side that asks: sends a goal, receives feedback, waits for the result or cancels.
#pragma once

#include <future>
#include <map>
#include <mutex>

#include "tandem/ros2/calls/action_goals.hpp"
#include "tandem/ros2/calls/service.hpp"

namespace tandem::ros2 {

inline constexpr Duration no_deadline = 24h * 365;

template <ActionType A>
class ActionClient;

// A goal that a server accepted. Copies are the same goal; it may outlive its client, which then knows no more of it.
template <ActionType A>
class ClientGoal {
 public:
  struct Outcome {
    GoalStatus status = GoalStatus::unknown;
    typename A::Result result;
  };

  const GoalId& id() const { return state_->id; }
  // As the server last told it.
  GoalStatus status() const { return state_->status; }

  // The error says why no result will come: the server went away, the time is over.
  Result<Outcome> wait(Duration timeout = no_deadline) const {
    if (state_->executor->runs_here() && state_->outcome.wait_for(0s) != std::future_status::ready) {
      return Error{Fault::invalid, state_->action + ": waiting inside a callback, where no result can arrive"};
    }
    if (state_->outcome.wait_for(timeout) == std::future_status::ready) return state_->outcome.get();
    return Error{Fault::timeout, state_->action + ": no result within the timeout"};
  }

 private:
  friend class ActionClient<A>;
  struct State {
    GoalId id;
    std::string action;
    std::shared_ptr<const Executor> executor;
    std::atomic<GoalStatus> status = GoalStatus::accepted;
    std::function<void(const typename A::Feedback&)> on_feedback;
    std::function<void(const Result<Outcome>&)> on_outcome;
    std::promise<Result<Outcome>> promise;
    std::shared_future<Result<Outcome>> outcome = promise.get_future().share();
  };
  explicit ClientGoal(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

template <ActionType A>
class ActionClient {
 public:
  using Goal = typename A::Goal;
  using Outcome = typename ClientGoal<A>::Outcome;
  using CancelResponse = action_msgs::CancelGoal::Response;

  struct Options {
    Duration accept_timeout = 5s;
    Duration result_timeout = no_deadline;
    // Both run in threads of this folder; return soon.
    std::function<void(const typename A::Feedback&)> on_feedback;
    std::function<void(const Result<Outcome>&)> on_outcome;
  };

  ActionClient(Node& node, const std::string& name)
      : get_result_(node, name + "/_action/get_result"),
        cancel_(node, name + "/_action/cancel_goal"),
        goals_(std::make_shared<Goals>()),
        feedback_(node.subscribe<FeedbackMessage<A>>(
            name + "/_action/feedback", Qos::standard(),
            [goals = goals_](const FeedbackMessage<A>& message, const MessageInfo&) {
              if (const auto state = goals->find(message.goal_id); state && state->on_feedback) {
                state->on_feedback(message.feedback);
              }
            })),
        status_(node.subscribe<action_msgs::GoalStatusArray>(
            name + "/_action/status", Qos::latched(),
            [goals = goals_](const action_msgs::GoalStatusArray& array, const MessageInfo&) {
              for (const action_msgs::GoalStatus& status : array.status_list) {
                const auto state = goals->find(status.goal_info.goal_id);
                if (state && !is_terminal(state->status)) state->status = goal_status_from(status.status);
              }
            })),
        send_goal_(node, name + "/_action/send_goal") {}

  bool ready() const { return send_goal_.ready() && get_result_.ready() && cancel_.ready(); }
  bool wait_for_server(Duration timeout) const {
    const auto left = counted_down(timeout);
    return send_goal_.wait_for_server(left()) && get_result_.wait_for_server(left()) && cancel_.wait_for_server(left());
  }
  // Until a server receives us as well, so that a goal with a short timeout can be accepted.
  bool wait_until_callable(Duration timeout) const {
    const auto left = counted_down(timeout);
    return send_goal_.wait_until_callable(left()) && get_result_.wait_until_callable(left()) &&
           cancel_.wait_until_callable(left());
  }

  // Waits until the server has accepted the goal; one without an answer in time is canceled. Not inside a callback of
  // this folder.
  Result<ClientGoal<A>> send(const Goal& goal, Options options = {}) {
    const auto state = prepare(options);
    const auto response = send_goal_.call(request(state->id, goal), {.timeout = options.accept_timeout});
    return accepted(state, response, options.result_timeout);
  }
  // Answers through `on_accepted` instead.
  void send(const Goal& goal, Options options, std::function<void(Result<ClientGoal<A>>)> on_accepted) {
    const auto state = prepare(options);
    send_goal_.call(request(state->id, goal), {.timeout = options.accept_timeout},
                    [this, state, on_accepted = std::move(on_accepted), result_timeout = options.result_timeout](
                        const Result<Response>& response) { on_accepted(accepted(state, response, result_timeout)); });
  }

  Result<CancelResponse> cancel(const ClientGoal<A>& goal, Duration timeout = 5s) const {
    return cancel(action_msgs::GoalInfo{goal.id(), {}}, timeout);
  }
  Result<CancelResponse> cancel_all(Duration timeout = 5s) const { return cancel(action_msgs::GoalInfo{}, timeout); }
  // Returns at once.
  void request_cancel(const ClientGoal<A>& goal, Duration timeout = 5s) const { request_cancel(goal.id(), timeout); }

 private:
  using State = typename ClientGoal<A>::State;
  using Response = typename SendGoal<A>::Response;

  struct Goals {
    std::shared_ptr<State> find(const GoalId& id) {
      const std::lock_guard lock(mutex);
      const auto found = by_id.find(id);
      return found == by_id.end() ? nullptr : found->second.lock();
    }
    std::mutex mutex;
    std::map<GoalId, std::weak_ptr<State>> by_id;
  };

  static auto counted_down(Duration timeout) {
    return [deadline = std::chrono::steady_clock::now() + timeout] {
      return std::max<Duration>(deadline - std::chrono::steady_clock::now(), 0s);
    };
  }

  std::shared_ptr<State> prepare(const Options& options) {
    auto state = std::make_shared<State>();
    state->id = random_goal_id();
    state->action = send_goal_.name().substr(0, send_goal_.name().rfind("/_action/"));
    state->executor = send_goal_.executor();
    state->on_feedback = options.on_feedback;
    state->on_outcome = options.on_outcome;
    const std::lock_guard lock(goals_->mutex);
    std::erase_if(goals_->by_id, [](const auto& entry) { return entry.second.expired(); });
    goals_->by_id[state->id] = state;
    return state;
  }

  static typename SendGoal<A>::Request request(const GoalId& id, const Goal& goal) {
    typename SendGoal<A>::Request request;
    request.goal_id = id;
    request.goal = goal;
    return request;
  }

  Result<ClientGoal<A>> accepted(const std::shared_ptr<State>& state, const Result<Response>& response,
                                 Duration result_timeout) {
    if (!response) {
      // Without an answer the server may still have taken it.
      if (response.error().fault == Fault::timeout) request_cancel(state->id, 5s);
      return response.error();
    }
    if (!response->accepted) return Error{Fault::refused, state->action + ": the server refused the goal"};
    typename GetResult<A>::Request ask;
    ask.goal_id = state->id;
    get_result_.call(ask, {.timeout = result_timeout, .idempotent = true},
                     [state](const Result<typename GetResult<A>::Response>& answer) {
                       const Result<Outcome> outcome = outcome_from(answer);
                       if (outcome) state->status = outcome->status;
                       state->promise.set_value(outcome);
                       if (state->on_outcome) state->on_outcome(outcome);
                     });
    return ClientGoal<A>(state);
  }

  static Result<Outcome> outcome_from(const Result<typename GetResult<A>::Response>& answer) {
    if (!answer) return answer.error();
    return Outcome{goal_status_from(answer->status), answer->result};
  }

  Result<CancelResponse> cancel(const action_msgs::GoalInfo& which, Duration timeout) const {
    action_msgs::CancelGoal::Request ask;
    ask.goal_info = which;
    return cancel_.call(ask, {.timeout = timeout, .idempotent = true});
  }

  void request_cancel(const GoalId& id, Duration timeout) const {
    action_msgs::CancelGoal::Request ask;
    ask.goal_info.goal_id = id;
    cancel_.call(ask, {.timeout = timeout, .idempotent = true}, [](const Result<CancelResponse>&) {});
  }

  Client<GetResult<A>> get_result_;
  Client<action_msgs::CancelGoal> cancel_;
  std::shared_ptr<Goals> goals_;
  Subscription feedback_;
  Subscription status_;
  Client<SendGoal<A>> send_goal_;  // last: its answers use the others
};

}  // namespace tandem::ros2
