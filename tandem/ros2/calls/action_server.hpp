// SPDX-License-Identifier: Apache-2.0
// Actions, the side that does the work: goals come in, feedback and a result go out.
//
// Callbacks run on the process' executor thread and return soon. A ServerGoal may be kept and worked on in any thread;
// when its last copy goes without a result, the goal is aborted.
#pragma once

#include <mutex>

#include "tandem/ros2/calls/action_goals.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {

// What happens when a goal comes while another is active.
enum class Preemption {
  several,  // they are worked on side by side
  newest,   // the new one takes over, the others are aborted
  busy,     // the new one is refused
};

// The parts of an action server that do not depend on its type.
class ActionServerCore : public std::enable_shared_from_this<ActionServerCore> {
 public:
  ActionServerCore(Node& node, std::string_view name, ActionGoals::Limits limits, const Clock* clock);
  ~ActionServerCore();
  ActionServerCore(const ActionServerCore&) = delete;
  ActionServerCore& operator=(const ActionServerCore&) = delete;

  // Any thread: the goal has ended in its record; keeps the answer, informs the askers and the status topic.
  void ended(const std::shared_ptr<GoalRecord>& record, std::vector<std::uint8_t> result_response);
  // Any thread: runs in the executor's.
  void later(Executor::Task task) const { executor_->post(owner_, std::move(task)); }
  // No callback of the server runs afterwards.
  void close();
  // In the executor's thread.
  void publish_status() const;
  void serve_cancel(Node& node, std::function<bool(const std::shared_ptr<GoalRecord>&)> allow);

  const std::string name;
  const Clock& clock;
  ActionGoals goals;

 private:
  Publisher<action_msgs::GoalStatusArray> status_;
  std::shared_ptr<Executor> executor_;
  Executor::Owner owner_;
  Duration keep_result_;
  std::unique_ptr<Service<action_msgs::CancelGoal>> cancel_;
};

template <ActionType A>
class ServerGoal {
 public:
  const GoalId& id() const { return state_->record->id; }
  const typename A::Goal& goal() const { return state_->goal; }
  GoalStatus status() const { return state_->record->status; }
  bool active() const { return !is_terminal(status()); }
  bool canceling() const { return status() == GoalStatus::canceling; }

  bool publish_feedback(const typename A::Feedback& feedback) const {
    if (!active()) return false;
    FeedbackMessage<A> message;
    message.goal_id = id();
    message.feedback = feedback;
    return state_->publish(message);
  }
  // Each ends the goal, once; false when it had ended already. `canceled` needs a cancel request before.
  bool succeed(const typename A::Result& result) const { return state_->end(GoalStatus::succeeded, result); }
  bool abort(const typename A::Result& result) const { return state_->end(GoalStatus::aborted, result); }
  bool canceled(const typename A::Result& result) const { return state_->end(GoalStatus::canceled, result); }

 private:
  template <ActionType>
  friend class ActionServer;

  struct State {
    State(std::weak_ptr<ActionServerCore> server, std::shared_ptr<GoalRecord> goal_record,
          const typename A::Goal& asked, const Publisher<FeedbackMessage<A>>& publisher)
        : core(std::move(server)), record(std::move(goal_record)), goal(asked), feedback(publisher) {}
    ~State() { end(GoalStatus::aborted, {}); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    bool end(GoalStatus terminal, const typename A::Result& result) const {
      if (!record->end(terminal)) return false;
      typename GetResult<A>::Response response;
      response.status = static_cast<std::int8_t>(terminal);
      response.result = result;
      std::vector<std::uint8_t> cdr;
      if (!encode(response, cdr)) {
        response.result = {};
        encode(response, cdr);
      }
      if (const auto server = core.lock()) server->ended(record, std::move(cdr));
      return true;
    }

    // A client passes over the feedback of a goal that it does not know to be accepted, so it waits for that answer.
    bool publish(const FeedbackMessage<A>& message) {
      const std::lock_guard lock(mutex);
      if (released) return feedback.publish(message);
      if (early.size() == most_early) early.erase(early.begin());
      early.push_back(message);
      return true;
    }
    void release_feedback() {
      const std::lock_guard lock(mutex);
      released = true;
      for (const FeedbackMessage<A>& message : early) feedback.publish(message);
      early.clear();
    }

    std::weak_ptr<ActionServerCore> core;
    std::shared_ptr<GoalRecord> record;
    typename A::Goal goal;
    Publisher<FeedbackMessage<A>> feedback;
    static constexpr std::size_t most_early = 10;  // as many as a reader keeps
    std::mutex mutex;                              // of what follows
    bool released = false;
    std::vector<FeedbackMessage<A>> early;
  };
  explicit ServerGoal(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

template <ActionType A>
class ActionServer {
 public:
  using Work = std::function<void(const ServerGoal<A>&)>;
  struct Handlers {
    std::function<bool(const typename A::Goal&)> accept;  // none: every goal
    Work execute;                                         // begins the work
    // Instead of both, for goals that are read but once: what begins the work; null when the goal is refused.
    std::function<Work(const typename A::Goal&)> prepare;
    std::function<bool(const ServerGoal<A>&)> cancel;  // whether a goal may be canceled; none: always
    std::function<typename A::Result()> preempted;     // the result of one that a newer goal replaces
  };
  struct Options {
    Preemption preemption = Preemption::several;
    ActionGoals::Limits limits{};
    const Clock* clock = nullptr;  // of the stamps; null: the node's
  };

  ActionServer(Node& node, std::string_view name, Handlers handlers, Options options = {})
      : core_(std::make_shared<ActionServerCore>(node, name, options.limits, options.clock)),
        handlers_(std::move(handlers)),
        preemption_(options.preemption),
        feedback_(node.advertise<FeedbackMessage<A>>(core_->name + "/_action/feedback")) {
    core_->serve_cancel(node, [this](const std::shared_ptr<GoalRecord>& record) { return may_cancel(record); });
    get_result_ = std::make_unique<Service<GetResult<A>>>(
        node, core_->name + "/_action/get_result",
        [this](const auto& request, const Reply<GetResult<A>>& reply) { answer_result(request.goal_id, reply); },
        Qos::services(), ReplyPace::gentle());
    // A client that knows its goal is accepted receives all feedback from the first on.
    ReplyPace pace = ReplyPace::gentle();
    pace.follows = feedback_.writer();
    send_goal_ = std::make_unique<Service<SendGoal<A>>>(
        node, core_->name + "/_action/send_goal",
        [this](const auto& request, const Reply<SendGoal<A>>& reply) { take(request, reply); }, Qos::services(), pace);
  }
  // Goals that are still active end with it: their clients see the server go.
  ~ActionServer() {
    send_goal_.reset();
    get_result_.reset();
    core_->close();
  }
  ActionServer(const ActionServer&) = delete;
  ActionServer& operator=(const ActionServer&) = delete;

  const std::string& name() const { return core_->name; }

 private:
  using Response = typename SendGoal<A>::Response;

  void take(const typename SendGoal<A>::Request& request, const Reply<SendGoal<A>>& reply) {
    core_->goals.expire(std::chrono::steady_clock::now());
    const auto before = live_goals();
    Work work = preemption_ != Preemption::busy || before.empty() ? work_for(request.goal) : nullptr;
    const auto stamp = message_from(core_->clock.utc());
    const auto record = work ? core_->goals.add(request.goal_id, stamp) : nullptr;
    Response response;
    response.accepted = record != nullptr;
    response.stamp = stamp;
    if (!record) {
      reply.send(response);
      return;
    }
    if (preemption_ == Preemption::newest) {
      for (const auto& goal : before) goal.abort(handlers_.preempted ? handlers_.preempted() : typename A::Result{});
    }
    record->begin();
    const ServerGoal<A> goal(std::make_shared<typename ServerGoal<A>::State>(core_, record, request.goal, feedback_));
    goals_.push_back(goal.state_);
    core_->publish_status();
    const auto released = [state = goal.state_] { state->release_feedback(); };
    if (!reply.send(response, released)) released();
    // Behind the reply, which waits in the same queue.
    core_->later([goal, work = std::move(work)] { work(goal); });
  }

  // Null when the goal is refused.
  Work work_for(const typename A::Goal& goal) const {
    if (handlers_.prepare) return handlers_.prepare(goal);
    return !handlers_.accept || handlers_.accept(goal) ? handlers_.execute : nullptr;
  }

  std::vector<ServerGoal<A>> live_goals() {
    std::vector<ServerGoal<A>> live;
    std::erase_if(goals_, [&](const auto& weak) {
      const auto state = weak.lock();
      if (!state || is_terminal(state->record->status)) return true;
      live.push_back(ServerGoal<A>(state));
      return false;
    });
    return live;
  }

  bool may_cancel(const std::shared_ptr<GoalRecord>& record) {
    for (const ServerGoal<A>& goal : live_goals()) {
      if (goal.state_->record == record) return !handlers_.cancel || handlers_.cancel(goal);
    }
    return false;
  }

  void answer_result(const GoalId& id, const Reply<GetResult<A>>& reply) {
    const bool known = core_->goals.ask_result(id, [reply](Bytes cdr) { reply.send_raw({cdr.begin(), cdr.end()}); });
    if (!known) reply.send({});  // status unknown
  }

  std::shared_ptr<ActionServerCore> core_;
  Handlers handlers_;
  Preemption preemption_;
  Publisher<FeedbackMessage<A>> feedback_;
  std::vector<std::weak_ptr<typename ServerGoal<A>::State>> goals_;  // executor's thread
  std::unique_ptr<Service<GetResult<A>>> get_result_;
  std::unique_ptr<Service<SendGoal<A>>> send_goal_;
};

}  // namespace tandem::ros2
