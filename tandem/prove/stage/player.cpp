// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/stage/player.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tandem/runtime/control/client.hpp"

namespace tandem::prove {
namespace {

constexpr Duration motion_period = 50ms, truth_period = 10ms, answers_within = 3s, callable_within = 10s;

ros2::ContextOptions options_of(int domain) {
  ros2::ContextOptions options;
  options.domain = domain;
  options.range = ros2::DiscoveryRange::localhost;
  options.range_is_asked_for = true;
  return options;
}

Kind kind_of(const Action& action) {
  const Kind kind = find_verb(action.verb)->kind;
  return kind == Kind::device ? Kind::fault : kind;
}

const char* name_of(Kind kind) {
  return kind == Kind::command ? "commands" : kind == Kind::motion ? "motions" : "faults";
}

}  // namespace

Player::Player(runtime::System& system, std::string control, std::optional<int> domain,
               const std::vector<std::unique_ptr<Rig>>& rigs, Marks& marks)
    : system_(system), control_(std::move(control)), marks_(marks) {
  if (domain) node_.emplace(context_.emplace(options_of(*domain)), "prove");
  const runtime::SystemStatus status = system.status();
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    auto part = std::make_unique<Part>();
    part->rig = rigs[i].get();
    if (!node_) {
      machines::Machine* const machine = system.machine(part->rig->name());
      if (machine == nullptr) throw std::logic_error("prove: expected a machine " + part->rig->name() + ", got none");
      part->moves = make_inside_operator(*machine);
    } else if ((part->moves = make_operator(part->rig->type().name, part->rig->name(), *node_))) {
      const std::string& node = status.machines[i].node;
      part->arm = std::make_unique<Trigger>(*node_, node + "/arm");
      part->stop = std::make_unique<Trigger>(*node_, node + "/stop");
      part->reset = std::make_unique<Trigger>(*node_, node + "/reset");
    }
    parts_.push_back(std::move(part));
  }
}

Player::~Player() = default;

void Player::get_ready() {
  truth_ = Thread("truth", [this](const std::stop_token& stop) { watch_truth(stop); });
  for (const auto& part : parts_) {
    if (!part->arm) continue;
    for (const Trigger* client : {part->arm.get(), part->stop.get(), part->reset.get()})
      (void)client->wait_until_callable(callable_within);
    (void)part->moves->wait_until_callable(callable_within);
  }
}

void Player::watch_truth(const std::stop_token& stop) {
  for (Instant next = now(); !stop.stop_requested(); next = std::max(next + truth_period, now())) {
    for (const auto& part : parts_)
      if (const auto truth = part->rig->truth()) marks_.truth(part->rig->name(), *truth);
    system_clock().sleep_until(next);
  }
}

void Player::play(const std::vector<Action>& schedule, double length) {
  const Instant begun = now(), end = begun + duration_of(length);
  {
    std::vector<Thread> strands;
    for (const auto& part : parts_)
      for (const Kind kind : {Kind::command, Kind::motion, Kind::fault})
        strands.emplace_back(part->rig->name() + " " + name_of(kind), [this, &part, kind, &schedule, begun, end](auto) {
          try {
            strand(*part, kind, schedule, begun, end);
          } catch (const std::exception& error) {
            const std::lock_guard lock(mutex_);
            failure_ = part->rig->name() + ": " + error.what();
          }
        });
  }
  system_clock().sleep_until(end);
  const std::lock_guard lock(mutex_);
  if (!failure_.empty()) throw std::runtime_error(failure_);
}

void Player::strand(Part& part, Kind kind, const std::vector<Action>& schedule, Instant begun, Instant end) {
  for (const Action& action : schedule) {
    if (action.machine != part.rig->name() || kind_of(action) != kind) continue;
    system_clock().sleep_until(begun + duration_of(action.at));
    perform(part, kind, action, end);
  }
}

void Player::perform(Part& part, Kind kind, const Action& action, Instant end) {
  if (action.verb == "goal") return send_goal(part, action, end);
  const std::uint64_t number = marks_.begin(action);
  bool ok = true;
  if (kind == Kind::command) ok = command(part, action);
  if (kind == Kind::motion) move(part, action, end);
  if (kind == Kind::fault) {
    const Instant lifted = now() + duration_of(action.lasts);
    part.rig->strike(action);
    system_clock().sleep_until(lifted);
    part.rig->lift(action);
  }
  marks_.end(number, ok);
}

bool Player::command(Part& part, const Action& action) {
  const std::string& machine = part.rig->name();
  if (action.by == "socket") return runtime::ask_text(control_, action.verb, machine, answers_within).ok();
  if (action.by != "service" || !part.arm) return system_.command(action.verb, machine, "prove").ok();
  const Trigger& client = action.verb == "arm" ? *part.arm : action.verb == "stop" ? *part.stop : *part.reset;
  const auto answer = client.call({}, {.timeout = answers_within});
  return answer && answer->success;
}

void Player::move(Part& part, const Action& action, Instant end) {
  const Instant until = std::min(end, now() + duration_of(action.lasts));
  for (Instant next = now(); now() < until; system_clock().sleep_until(next += motion_period)) {
    if (action.verb == "old_move")
      part.moves->move_as_of_old(action.a, action.b);
    else
      part.moves->move(action.a, action.b);
  }
}

void Player::send_goal(Part& part, const Action& action, Instant end) {
  const auto truth = part.rig->truth();
  if (!truth) return;
  const std::uint64_t number = marks_.begin(action);
  ++*goals_;
  part.moves->send_goal(
      *truth, action,
      // An answer may come when this player is gone; the marks are not.
      [&marks = marks_, name = part.rig->name()](std::string_view goal, std::string_view state) {
        marks.goal(name, goal, state);
      },
      [&marks = marks_, number, goals = goals_] {
        marks.end(number, true);
        --*goals;
      });
  const Instant until = std::min(end, now() + duration_of(action.lasts));
  if (action.b > 0) {
    system_clock().sleep_until(now() + (until - now()) / 2);
    part.moves->cancel_goal();
  }
  system_clock().sleep_until(until);
}

void Player::await_goals(Duration limit) {
  for (const Instant until = now() + limit; *goals_ > 0 && now() < until;) system_clock().sleep_until(now() + 10ms);
}

}  // namespace tandem::prove
