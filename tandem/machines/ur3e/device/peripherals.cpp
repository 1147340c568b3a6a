// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/device/peripherals.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/base/stepped_time.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

using ur::gripper::Variable;

constexpr Duration look_every = 40ms;
constexpr Duration try_every = 1s;
constexpr Duration begin_within = 150ms;  // of a move: what the gripper says until then may be about the one before
constexpr Duration answer_within = 500ms;
constexpr Duration dashboard_within = 3s;
constexpr Duration look_for_orders = 10ms;  // to the hand
constexpr std::size_t most_jobs = 64;

Instant soon() { return system_clock().now() + answer_within; }

HandState state_from(const ur::gripper::Status& status, std::uint32_t moves, bool just_begun) {
  HandState seen;
  seen.known = true;
  seen.active = status.is_active();
  seen.moving = just_begun || status.object == 0;
  seen.object = !just_begun && (status.object == 1 || status.object == 2);
  seen.position = status.position;
  seen.requested = status.requested;
  seen.finger = hand::finger_from_position(status.position);
  seen.effort = seen.object ? hand::most_force * (0.01 * status.current) / hand::most_current : 0;
  seen.moves = moves;
  return seen;
}

}  // namespace

Peripherals::Peripherals(const ControllerAddress& address, bool has_hand, net::Tap* tap)
    : address_(address),
      has_hand_(has_hand),
      tap_(tap),
      thread_("peripherals", [this](const std::stop_token& stop) { run(stop); }) {}

Peripherals::~Peripherals() {
  thread_.request_stop();
  thread_.join();
}

bool Peripherals::post(Job job) {
  const std::lock_guard lock(mutex_);
  if (jobs_.size() >= most_jobs) return false;
  jobs_.push_back(std::move(job));
  signal_.notify_all();
  return true;
}

bool Peripherals::dashboard(ur::dashboard::Command command, Answer answer) {
  return post([this, command = std::move(command), answer = std::move(answer)] { answer(ask_dashboard(command)); });
}

bool Peripherals::speed_slider(double fraction, Answer answer) {
  return post([this, fraction, answer = std::move(answer)] { answer(slide(fraction)); });
}

void Peripherals::move_hand(int position, int speed, int force) {
  hand_commands_.post({false, position, speed, force});
}

void Peripherals::halt_hand() { hand_commands_.post({}); }

void Peripherals::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    do_jobs(stop);
    if (has_hand_) serve_hand(system_clock().now());
    const auto has_job = [this] { return !jobs_.empty(); };
    if (SteppedTime::takes_part()) {
      SteppedTime::wait({}, now() + look_for_orders, [&] {
        const std::lock_guard lock(mutex_);
        return stop.stop_requested() || has_job();
      });
    } else {
      std::unique_lock lock(mutex_);
      signal_.wait_for(lock, stop, look_for_orders, has_job);
    }
  }
}

void Peripherals::do_jobs(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Job job;
    {
      const std::lock_guard lock(mutex_);
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

void Peripherals::serve_hand(Instant now) {
  if (!gripper_) {
    if (now < next_attempt_) return;
    next_attempt_ = now + try_every;
    auto client = ur::gripper::Client::connect(address_.host, address_.gripper, soon(), tap_);
    if (!client) return;
    gripper_.emplace(std::move(*client));
    activating_ = false;
  }
  if (converse(now)) return;
  gripper_.reset();
  wanted_.reset();
  hand_.put({});
}

Result<void> Peripherals::converse(Instant now) {
  if (const auto command = hand_commands_.take()) {
    wanted_ = *command;
    next_look_ = now;
  }
  if (now < next_look_) return {};
  next_look_ = now + look_every;
  if (wanted_ && wanted_->halt) {
    wanted_.reset();
    if (auto stopped = gripper_->write({{{Variable::gto, 0}}}, soon()); !stopped) return stopped;
  }
  auto status = gripper_->status(soon());
  if (!status) return std::move(status).error();
  if (wanted_ && status->is_active()) {
    const HandCommand command = *std::exchange(wanted_, std::nullopt);
    activating_ = false;
    ++moves_;
    moved_at_ = now;
    if (auto moved = gripper_->move(command.position, command.speed, command.force, soon()); !moved) return moved;
    status = gripper_->status(soon());
    if (!status) return std::move(status).error();
  } else if (wanted_ && !std::exchange(activating_, true)) {
    if (auto begun = gripper_->write({{{Variable::act, 1}, {Variable::gto, 1}}}, soon()); !begun) return begun;
  }
  hand_.put(state_from(*status, moves_, now - moved_at_ < begin_within));
  return {};
}

Result<std::string> Peripherals::ask_dashboard(const ur::dashboard::Command& command) const {
  const Instant deadline = system_clock().now() + dashboard_within;
  auto client = ur::dashboard::Client::connect(address_.host, address_.dashboard, deadline, tap_);
  if (!client) return within("dashboard", std::move(client).error());
  if (ur::dashboard::only_asks(command.verb)) return client->ask(ur::dashboard::words(command.verb), deadline);
  auto done = command.verb == ur::dashboard::Verb::load ? client->load(command.argument, deadline)
                                                        : client->perform(command, deadline);
  if (!done) return std::move(done).error();
  return fmt::format("{}: done", ur::dashboard::words(command.verb));
}

// A connection of its own, which holds the slider's inputs only as long as it takes.
Result<std::string> Peripherals::slide(double fraction) const {
  const Instant deadline = system_clock().now() + 1s;
  auto rtde = ur::RtdeClient::connect(address_.host, address_.rtde, deadline, tap_);
  if (!rtde) return std::move(rtde).error();
  const std::vector<std::string> outputs = {"timestamp", "target_speed_fraction"};
  if (auto ready = rtde->setup_outputs(outputs, 125, deadline); !ready) return std::move(ready).error();
  const std::vector<std::string> inputs = {"speed_slider_mask", "speed_slider_fraction"};
  const auto recipe = rtde->setup_inputs(inputs, deadline);
  if (!recipe) return recipe.error();
  if (auto begun = rtde->start(deadline); !begun) return std::move(begun).error();
  ur::Variables variables;
  variables.inputs.speed_slider_mask = 1;
  variables.inputs.speed_slider_fraction = fraction;
  if (auto sent = rtde->send(*recipe, variables, deadline); !sent) return std::move(sent).error();
  constexpr double near = 1e-3;
  do {
    auto received = rtde->receive_newest(variables, deadline);
    if (!received) return within("the speed slider does not follow", std::move(received).error());
  } while (std::abs(variables.state.target_speed_fraction - fraction) > near);
  return fmt::format("speed slider at {:.0f} %", 100 * fraction);
}

}  // namespace tandem::ur3e
