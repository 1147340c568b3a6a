// SPDX-License-Identifier: Apache-2.0
// How commands travel: one write at a time into the registers, each acknowledged by the control program.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/ur3e/api/arm_rtde.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"

namespace tandem::ur3e {
namespace {

constexpr Duration oldest_command = 2s;  // that still leaves

bool is_motion(const Request& request) {
  const auto* command = std::get_if<command::Any>(&request.what);
  return command != nullptr && command::is_motion(*command);
}

}  // namespace

// Armed when the control program runs; `trouble` is why it does not.
Result<void> RtdeArm::follow_start(Link& link, const std::optional<std::string>& trouble, Instant at) {
  if (program_.phase() == ControlProgram::Phase::claiming) return start_program(link, at);
  if (!trouble && !program_.running()) return {};
  status_.armed = program_.running();
  status_.why = trouble.value_or("");
  tell();
  outcomes_.put(*std::exchange(starting_, std::nullopt), status_.armed ? Outcome::done : Outcome::failed);
  return {};
}

Result<void> RtdeArm::follow_reports(Link& link, Instant at) {
  if (!status_.armed) return {};
  if (work_ && work_->sent > 0 && program_.taken(work_->sequence)) {
    if (work_->sent < work_->writes.size()) {
      if (auto sent = send_next(link); !sent) return sent;
    } else {
      accepted(at);
    }
  }
  if (motion_ && program_.finished(motion_->sequence)) {
    if (!is_over(outcomes_.of(motion_->ticket))) outcomes_.put(motion_->ticket, Outcome::done);
    motion_.reset();
  }
  return {};
}

// The program has taken the last write of the command in work.
void RtdeArm::accepted(Instant at) {
  const script::Code code = work_->writes.back().code;
  if (!command::is_motion(work_->command)) {
    outcomes_.put(work_->ticket, Outcome::done);
  } else {
    if (motion_ && !is_over(outcomes_.of(motion_->ticket))) outcomes_.put(motion_->ticket, Outcome::interrupted);
    motion_ = Motion{work_->ticket, work_->sequence, code, at};
    outcomes_.put(work_->ticket, command::is_open_ended(work_->command) ? Outcome::done : Outcome::running);
  }
  work_.reset();
}

bool RtdeArm::replaces_stream(const Request& request) const {
  const auto* command = std::get_if<command::Any>(&request.what);
  return work_ && command != nullptr && command::is_open_ended(*command) && command->index() == work_->command.index();
}

Result<void> RtdeArm::hand_over(Link& link, Instant at) {
  while (!pending_.empty()) {
    if (work_) {
      // Targets of a stream need no acknowledgement: the newest counts. A stop waits for nothing either.
      const auto* next = std::get_if<command::Any>(&pending_.front().what);
      const bool stops = next != nullptr && command::is_stop(*next) && command::is_motion(work_->command);
      if (!replaces_stream(pending_.front()) && !stops) return {};
      outcomes_.put(work_->ticket, stops ? Outcome::interrupted : Outcome::done);
      work_.reset();
    }
    Request request = std::move(pending_.front());
    pending_.pop_front();
    const bool replaced = is_motion(request) && std::ranges::any_of(pending_, is_motion);
    if (replaced) {
      outcomes_.put(request.ticket, Outcome::interrupted);
      continue;
    }
    if (auto begun = begin(link, std::move(request), at); !begun) return begun;
  }
  return {};
}

Result<void> RtdeArm::begin(Link& link, Request request, Instant at) {
  if (const auto* what = std::get_if<Control>(&request.what)) return control(link, request.ticket, *what, at);
  if (!status_.armed || at - request.posted > oldest_command) {
    outcomes_.put(request.ticket, Outcome::failed);
    return {};
  }
  auto& command = std::get<command::Any>(request.what);
  Work work{request.ticket, std::move(command), {}, 0, 0};
  work.writes = script::writes_for(work.command);
  if (motion_ && motion_->code == work.writes.back().code) motion_->fed = at;
  work_ = std::move(work);
  return send_next(link);
}

Result<void> RtdeArm::send_next(Link& link) {
  const auto sequence = program_.write(link, work_->writes[work_->sent++]);
  if (!sequence) return sequence.error();
  work_->sequence = *sequence;
  return {};
}

Result<void> RtdeArm::control(Link& link, Ticket ticket, Control what, Instant at) {
  const ur::ControllerState& state = link.variables().state;
  const auto hindered = status_.live ? hindrance(state) : std::optional<std::string>("no fresh samples from the robot");
  if (what == Control::disarm) {
    if (status_.armed || starting_) {  // an arm that is under way is withdrawn
      program_.end(link);
      status_.armed = false;
      fail_everything();
    }
    if (!status_.faulted) status_.why = "disarmed";
  } else if (what == Control::reset) {
    if (!hindered) status_.faulted = false;
    if (!status_.armed && !hindered) status_.why = "arm() has not been called";
    if (!status_.armed && hindered) tell_hindrance(*hindered);
  } else if (!status_.armed && (hindered || status_.faulted)) {
    if (hindered) tell_hindrance(*hindered);
  } else if (!status_.armed) {
    starting_ = ticket;
    return start_program(link, at);
  }
  tell();
  const bool done = what == Control::disarm || (what == Control::reset ? !hindered : status_.armed);
  outcomes_.put(ticket, done ? Outcome::done : Outcome::failed);
  return {};
}

Result<void> RtdeArm::start_program(Link& link, Instant at) {
  auto started = program_.start(link, at);
  sampled_ = now();  // samples pause while the inputs are claimed
  return started;
}

// What the controller has said of the same cause is worth keeping.
void RtdeArm::tell_hindrance(const std::string& why) {
  if (!status_.why.view().starts_with(why)) status_.why = why;
}

// The one side of a stream that we can see: the caller's. The controller watches the other.
Result<void> RtdeArm::watch_stream(Link& link, Instant at) {
  if (!motion_ || motion_->code != script::Code::servoj || !status_.armed) return {};
  if (at - motion_->fed <= options_.watchdog.streamed) return {};
  if (work_ && work_->writes.back().code != script::Code::servoj) return {};
  status_.why = fmt::format("servoj: no new target for {} ms from this side, the limit is {} ms: the arm was stopped",
                            milliseconds(at - motion_->fed), milliseconds(options_.watchdog.streamed));
  tell();
  motion_.reset();
  work_.reset();
  const auto stopped = program_.write(link, {.code = script::Code::stopj, .third = {2.0}});
  return stopped ? Result<void>{} : Result<void>(stopped.error());
}

}  // namespace tandem::ur3e
