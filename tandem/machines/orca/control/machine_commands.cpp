// SPDX-License-Identifier: Apache-2.0
// What others want of the bridge: sticks and set points go to the helm, modes and missions to the autopilot, and who
// asked is answered.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/ros/topics.hpp"

namespace tandem::orca {

using MissionStatus = mavlink::MissionClient::Status;
using ParameterStatus = mavlink::ParameterClient::Status;

namespace {

constexpr Duration arming_begins_within = 1s;  // of the latch
constexpr Duration arming_ends_within = 10s;
constexpr std::uint8_t result_denied = 2, result_failed = 4;

TwistCommand level_body_from(TwistCommand order, const Vehicle& vehicle) {
  if (!std::exchange(order.in_map, false)) return order;
  const double c = std::cos(vehicle.yaw()), s = std::sin(vehicle.yaw());
  const auto [east, north, up] = order.linear;
  order.linear = {c * east + s * north, c * north - s * east, up};
  return order;
}

GoalCommand with_heading(GoalCommand order, const Vehicle& vehicle) {
  if (std::exchange(order.keep_yaw, false)) order.yaw = vehicle.yaw();
  return order;
}

// Commands that move nothing: they ask for a message, or how often one is sent.
bool only_asks(std::uint16_t command) { return (command >= 510 && command <= 512) || command == 519 || command == 520; }

std::uint8_t result_from(mavlink::CommandStatus status) {
  switch (status) {
    case mavlink::CommandStatus::accepted:
      return 0;
    case mavlink::CommandStatus::temporarily_rejected:
      return 1;
    case mavlink::CommandStatus::denied:
      return result_denied;
    case mavlink::CommandStatus::unsupported:
      return 3;
    case mavlink::CommandStatus::cancelled:
      return 6;
    default:
      return result_failed;
  }
}

}  // namespace

bool Machine::flown_by_others() const { return autopilot_->vehicle().armed && helm_.activity() != Activity::armed; }

void Machine::take_orders(Instant now) {
  if (const auto order = commands_.twist.take()) helm_.take(level_body_from(*order, autopilot_->vehicle()));
  if (const auto order = commands_.goal.take()) helm_.take(with_heading(*order, autopilot_->vehicle()));
  if (const auto order = commands_.mode.take()) {
    helm_.take(order->mode);
    order_mode(*order);
  }
  if (const auto order = commands_.arming.take()) order_arming(*order, now);
  if (const auto order = commands_.disarming.take()) order_disarming(*order);
  if (const auto order = commands_.command.take()) order_command(*order);
  if (const auto order = commands_.parameter.take()) order_parameter(*order, now);
  if (const auto order = commands_.mission.take()) order_mission(*order, now);
}

void Machine::refuse_orders(const char* why) {
  commands_.sightings.take();
  commands_.twist.take();
  commands_.goal.take();
  if (const auto order = commands_.mode.take()) answer({order->number, false, why});
  if (const auto order = commands_.arming.take()) answer({order->number, false, why});
  if (const auto order = commands_.command.take()) answer({order->number, false, why});
  if (const auto order = commands_.parameter.take()) answer({order->number, false, why});
  if (const auto order = commands_.mission.take()) answer({order->number, false, why});
  for (auto* question :
       {&mode_question_, &mission_question_, &arming_question_, &command_question_, &parameter_question_}) {
    if (*question) answer({(*question)->number, false, why});
    question->reset();
  }
}

// A vehicle that another client flies keeps its mode; one that rests may be given any.
void Machine::order_mode(const ModeCommand& order) {
  if (flown_by_others()) return answer({order.number, false, "the vehicle was armed by another client"});
  if (mode_question_) answer({mode_question_->number, false, "superseded by a newer mode request"});
  mode_question_ = {order.number,
                    autopilot_->commands().start(mavlink::command_to(
                        autopilot_options_.vehicle, mavlink::command::do_mode, 1, static_cast<float>(order.mode)))};
}

void Machine::order_mission(const MissionCommand& order, Instant now) {
  const bool changes = order.kind != MissionCommand::Kind::download;
  if (changes && flown_by_others()) return answer({order.number, false, "the vehicle was armed by another client"});
  if (changes) helm_.yield();
  if (mission_question_) answer({mission_question_->number, false, "superseded by a newer transfer"});
  mission_question_ = {order.number, 0};
  switch (order.kind) {
    case MissionCommand::Kind::upload:
      return autopilot_->missions().upload(order.items, now);
    case MissionCommand::Kind::download:
      return autopilot_->missions().download(now);
    case MissionCommand::Kind::clear:
      return autopilot_->missions().clear(now);
    case MissionCommand::Kind::choose:
      return autopilot_->missions().choose(order.item, now);
  }
}

void Machine::order_arming(const ArmingCommand& order, Instant now) {
  if (arming_question_) answer({arming_question_->number, false, "another client armed the vehicle meanwhile"});
  arming_question_ = {order.number, 0};
  arming_since_ = now;
  trouble_.clear();
}

// Never refused but for a vehicle that another client flies. The latch is informed in any case: it may have been armed
// while the autopilot is not asked to arm yet.
void Machine::order_disarming(const DisarmingCommand& order) {
  helm_.refuse();
  disarm_ = "disarmed by a request on ROS";
  if (autopilot_->vehicle().armed && helm_.activity() == Activity::idle) {
    return answer({.number = order.number,
                   .text = "the vehicle was armed by another client",
                   .items = {},
                   .result = result_denied});
  }
  answer({.number = order.number, .good = true, .text = "disarmed", .items = {}, .result = 0});
}

// While no one has armed, only what asks for something is passed on.
void Machine::order_command(const LongCommand& order) {
  const bool mode = order.command.command == mavlink::command::do_mode;
  const bool may =
      only_asks(order.command.command) || helm_.activity() == Activity::armed || (mode && !autopilot_->vehicle().armed);
  if (order.command.command == mavlink::command::arm || !may) {
    return answer({.number = order.number,
                   .text = order.command.command == mavlink::command::arm ? "arming is done by the arm latch only"
                                                                          : "not armed: only queries are forwarded",
                   .items = {},
                   .result = result_denied});
  }
  if (!only_asks(order.command.command)) helm_.yield();
  if (command_question_) answer({command_question_->number, false, "superseded by a newer command"});
  mavlink::CommandLong command = order.command;
  command.target_system = autopilot_options_.vehicle.system;
  command.target_component = autopilot_options_.vehicle.component;
  command_question_ = {order.number, autopilot_->commands().start(command)};
}

void Machine::order_parameter(const ParameterCommand& order, Instant now) {
  if (order.value && flown_by_others()) return answer({order.number, false, "the vehicle was armed by another client"});
  if (parameter_question_) answer({parameter_question_->number, false, "superseded by a newer request"});
  parameter_asked_ = order.name;
  auto& parameters = autopilot_->parameters();
  parameter_question_ = {
      order.number, order.value ? parameters.write(order.name, *order.value, now) : parameters.read(order.name, now)};
}

void Machine::answer_arming(Instant now) {
  const bool under_way = helm_.activity() == Activity::arming || helm_.waits_to_arm();
  const Duration since = now - arming_since_;
  if (helm_.activity() == Activity::armed) {
    answer({.number = arming_question_->number, .good = true, .text = "armed", .items = {}, .result = 0});
  } else if (since > arming_ends_within || (!under_way && since > arming_begins_within)) {
    answer({arming_question_->number, false, trouble_.empty() ? "the vehicle did not arm" : trouble_});
  } else {
    return;
  }
  arming_question_.reset();
}

void Machine::answer_questions(Instant now) {
  if (arming_question_) answer_arming(now);
  if (command_question_) {
    const auto outcome = autopilot_->commands().outcome(command_question_->command);
    if (outcome.finished() || outcome.status == mavlink::CommandStatus::unknown) {
      answer({.number = command_question_->number,
              .good = outcome.status == mavlink::CommandStatus::accepted,
              .text = mavlink::name(outcome.status),
              .items = {},
              .result = result_from(outcome.status)});
      command_question_.reset();
    }
  }
  if (parameter_question_) {
    const ParameterStatus status = autopilot_->parameters().status(parameter_question_->command);
    if (status != ParameterStatus::pending) {
      const mavlink::Parameter* known = autopilot_->parameters().find(parameter_asked_);
      CommandAnswer told{.number = parameter_question_->number,
                         .good = status == ParameterStatus::done && known != nullptr};
      told.text = told.good ? "done" : "name: expected at most 16 characters";
      if (status == ParameterStatus::refused) told.text = "the autopilot keeps another value";
      if (status == ParameterStatus::timed_out) told.text = "no answer: the parameter may not exist";
      if (known != nullptr) told.value = known->value;
      answer(told);
      parameter_question_.reset();
    }
  }
  if (mode_question_) {
    const auto outcome = autopilot_->commands().outcome(mode_question_->command);
    if (outcome.finished() || outcome.status == mavlink::CommandStatus::unknown) {
      const bool good = outcome.status == mavlink::CommandStatus::accepted;
      answer({mode_question_->number, good, mavlink::name(outcome.status)});
      mode_question_.reset();
    }
  }
  const mavlink::MissionClient& missions = autopilot_->missions();
  if (!mission_question_ || missions.busy()) return;
  const bool good = missions.status() == MissionStatus::done;
  answer({mission_question_->number, good, good ? "done" : missions.why(), missions.items()});
  mission_question_.reset();
}

void Machine::answer(const CommandAnswer& answer) {
  if (ros_) ros_->answer(answer);
}

}  // namespace tandem::orca
