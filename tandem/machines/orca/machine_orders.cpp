// What others want of the bridge: sticks and set points go to the helm, modes and missions to the autopilot, and who
// asked is answered.
#include <fmt/format.h>

#include "tandem/machines/orca/machine.hpp"
#include "tandem/machines/orca/ros.hpp"

namespace tandem::orca {

using MissionStatus = mavlink::MissionClient::Status;

void Bridge::take_orders(Instant now) {
  if (const auto order = orders_.twist.take()) helm_.take(*order);
  if (const auto order = orders_.goal.take()) helm_.take(*order);
  if (const auto order = orders_.mode.take()) helm_.yield(), order_mode(*order);
  if (const auto order = orders_.mission.take()) order_mission(*order, now);
}

// A vehicle that somebody else flies keeps its mode; one that rests may be given any.
void Bridge::order_mode(const ModeOrder& order) {
  if (autopilot_->vehicle().armed && helm_.activity() != Activity::armed)
    return answer({order.number, false, "the vehicle was armed by somebody else"});
  if (mode_question_) answer({mode_question_->number, false, "another mode was asked for meanwhile"});
  mode_question_ = {order.number,
                    autopilot_->commands().start(mavlink::command_to(
                        autopilot_options_.vehicle, mavlink::command::do_mode, 1, static_cast<float>(order.mode)))};
}

void Bridge::order_mission(const MissionOrder& order, Instant now) {
  const bool changes = order.kind != MissionOrder::Kind::download;
  if (changes && autopilot_->vehicle().armed && helm_.activity() != Activity::armed)
    return answer({order.number, false, "the vehicle was armed by somebody else"});
  if (changes) helm_.yield();
  if (mission_question_) answer({mission_question_->number, false, "another transfer was asked for meanwhile"});
  mission_question_ = {order.number, 0};
  switch (order.kind) {
    case MissionOrder::Kind::upload:
      return autopilot_->missions().upload(order.items, now);
    case MissionOrder::Kind::download:
      return autopilot_->missions().download(now);
    case MissionOrder::Kind::clear:
      return autopilot_->missions().clear(now);
    case MissionOrder::Kind::choose:
      return autopilot_->missions().choose(order.item, now);
  }
}

void Bridge::answer_questions() {
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

void Bridge::answer(const OrderAnswer& answer) {
  if (ros_) ros_->answer(answer);
}

}  // namespace tandem::orca
