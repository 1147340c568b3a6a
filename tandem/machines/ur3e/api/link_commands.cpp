// How commands travel: one write at a time into the registers, each acknowledged by the control program.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/ur3e/api/link.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"

namespace tandem::ur3e {
namespace {

constexpr Duration program_answers_within = 1s;  // of the control program, while it is not paused
constexpr Duration oldest_command = 2s;          // that still leaves
// A connection of ours that the controller has not seen the end of may still hold the inputs for a moment.
constexpr Duration claim_again_after = 200ms, free_within = 2s;

bool is_motion(const Request& request) {
  const auto* command = std::get_if<command::Any>(&request.what);
  return command != nullptr && command::is_motion(*command);
}

}  // namespace

Result<void> Link::follow_reports(LinkSession& session, Instant at) {
  const auto& registers = session.variables().state.output_int_register;
  if (starting_ && !starting_->uploaded && at >= starting_->next_claim)
    if (auto started = start_program(session, at); !started) return started;
  if (starting_) {
    if (starting_->uploaded && registers[script::outputs::identity] == identity_ &&
        !program_end(session.variables().state) && registers[script::outputs::taken] == sequence_) {
      status_.armed = true;
      status_.why = {};
      tell();
      outcomes_.put(starting_->ticket, Outcome::done);
      starting_.reset();
    } else if (at - starting_->since > (starting_->uploaded ? options_.start_within : free_within)) {
      const std::string complaint = session.take_complaint();
      if (starting_->uploaded)
        status_.why =
            complaint.empty()
                ? "the controller did not start the control program: is it in remote control, and the robot on?"
                : fmt::format("the controller did not start the control program: {}", complaint);
      tell();
      outcomes_.put(starting_->ticket, Outcome::failed);
      starting_.reset();
    }
  }
  if (!status_.armed) return {};
  if (work_ && work_->sent > 0 && registers[script::outputs::taken] == work_->sequence) {
    if (work_->sent < work_->writes.size()) {
      if (auto sent = send_next(session, at); !sent) return sent;
    } else {
      accepted(at);
    }
  }
  if (motion_ && registers[script::outputs::finished] == motion_->sequence) {
    if (!is_over(outcomes_.of(motion_->ticket))) outcomes_.put(motion_->ticket, Outcome::done);
    motion_.reset();
  }
  return watch_answers(at);
}

// The program has taken the last write of the command in work.
void Link::accepted(Instant at) {
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

Result<void> Link::watch_answers(Instant at) {
  if (!work_ || work_->sent == 0) return {};
  const auto newest = state_.get();
  if (newest && newest->paused) work_->since = at;  // held, and taken when the program goes on
  if (at - work_->since > program_answers_within)
    latch(fmt::format("{}: the control program did not accept the command within {} ms", command::name(work_->command),
                      milliseconds(program_answers_within)));
  return {};
}

bool Link::replaces_stream(const Request& request) const {
  const auto* command = std::get_if<command::Any>(&request.what);
  return work_ && command != nullptr && command::is_open_ended(*command) && command->index() == work_->command.index();
}

Result<void> Link::hand_over(LinkSession& session, Instant at) {
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
    if (auto begun = begin(session, std::move(request), at); !begun) return begun;
  }
  return {};
}

Result<void> Link::begin(LinkSession& session, Request request, Instant at) {
  if (const auto* what = std::get_if<Control>(&request.what)) return control(session, request.ticket, *what, at);
  if (!status_.armed || at - request.posted > oldest_command) {
    outcomes_.put(request.ticket, Outcome::failed);
    return {};
  }
  auto& command = std::get<command::Any>(request.what);
  Work work{request.ticket, std::move(command), {}, 0, 0, at};
  work.writes = script::writes_for(work.command);
  if (motion_ && motion_->code == work.writes.back().code) motion_->fed = at;
  work_ = std::move(work);
  return send_next(session, at);
}

Result<void> Link::send_next(LinkSession& session, Instant at) {
  work_->sequence = ++sequence_;
  work_->since = at;
  return session.write(work_->writes[work_->sent++], work_->sequence, at + write_within);
}

Result<void> Link::control(LinkSession& session, Ticket ticket, Control what, Instant at) {
  const ur::ControllerState& state = session.variables().state;
  const auto hindered = status_.live ? hindrance(state) : std::optional<std::string>("no fresh samples from the robot");
  if (what == Control::disarm) {
    if (status_.armed || starting_) {  // an arm that is under way is withdrawn
      if (has_program()) end_program(session);
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
    starting_ = Start{.ticket = ticket, .since = at};
    return start_program(session, at);
  }
  tell();
  const bool done = what == Control::disarm || (what == Control::reset ? !hindered : status_.armed);
  outcomes_.put(ticket, done ? Outcome::done : Outcome::failed);
  return {};
}

Result<void> Link::start_program(LinkSession& session, Instant at) {
  auto refused = session.claim(at + 1s);
  if (!refused) return std::move(refused).error();
  sampled_ = now();  // samples paused meanwhile
  if (*refused) {
    status_.why = **refused;
    tell();
    starting_->next_claim = at + claim_again_after;
    return {};
  }
  // The program begins from the sequence it finds: nothing of the past is done again.
  if (auto cleared = session.write({}, ++sequence_, at + write_within); !cleared) return cleared;
  [[maybe_unused]] const std::string forgotten = session.take_complaint();
  if (auto beaten = session.beat(at + write_within); !beaten) return beaten;
  starting_->uploaded = true;
  starting_->since = at;
  return session.upload(script::text(++identity_, options_.watchdog), at + 1s);
}

// What the controller has said of the same cause is worth keeping.
void Link::tell_hindrance(const std::string& why) {
  if (!status_.why.view().starts_with(why)) status_.why = why;
}

// The one side of a stream that we can see: the caller's. The controller watches the other.
Result<void> Link::watch_stream(LinkSession& session, Instant at) {
  if (!motion_ || motion_->code != script::Code::servoj || !status_.armed) return {};
  if (at - motion_->fed <= options_.watchdog.streamed) return {};
  if (work_ && work_->writes.back().code != script::Code::servoj) return {};
  status_.why = fmt::format("servoj: no new target for {} ms (limit {} ms): the arm was stopped",
                            milliseconds(at - motion_->fed), milliseconds(options_.watchdog.streamed));
  tell();
  motion_.reset();
  work_.reset();
  return session.write({.code = script::Code::stopj, .third = {2.0}}, ++sequence_, at + write_within);
}

void Link::end_program(LinkSession& session) {
  // When this does not get through, the silence of the heartbeat does the same.
  session.end_program(++sequence_, identity_);
}

}  // namespace tandem::ur3e
