// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/command_client.hpp"

#include <algorithm>

namespace tandem::mavlink {
namespace {

CommandStatus status_from_result(std::uint8_t result) {
  switch (static_cast<CommandResult>(result)) {
    case CommandResult::accepted:
      return CommandStatus::accepted;
    case CommandResult::temporarily_rejected:
      return CommandStatus::temporarily_rejected;
    case CommandResult::denied:
      return CommandStatus::denied;
    case CommandResult::unsupported:
      return CommandStatus::unsupported;
    case CommandResult::in_progress:
      return CommandStatus::in_progress;
    case CommandResult::cancelled:
      return CommandStatus::cancelled;
    case CommandResult::failed:
      break;
  }
  return CommandStatus::failed;  // whatever newer peers may add is no success
}

}  // namespace

const char* name(CommandStatus status) {
  switch (status) {
    case CommandStatus::unknown:
      return "unknown";
    case CommandStatus::waiting:
      return "waiting";
    case CommandStatus::in_progress:
      return "in progress";
    case CommandStatus::accepted:
      return "accepted";
    case CommandStatus::temporarily_rejected:
      return "temporarily rejected";
    case CommandStatus::denied:
      return "denied";
    case CommandStatus::unsupported:
      return "unsupported";
    case CommandStatus::failed:
      return "failed";
    case CommandStatus::cancelled:
      return "cancelled";
    case CommandStatus::timed_out:
      return "timed out";
  }
  return "unknown";
}

CommandLong command_to(const Address& target, std::uint16_t command, float param1, float param2) {
  return {.target_system = target.system,
          .target_component = target.component,
          .command = command,
          .param1 = param1,
          .param2 = param2};
}

std::uint32_t CommandClient::start(const CommandLong& command) {
  Job job;
  job.message = command;
  job.command = command.command;
  job.target = {command.target_system, command.target_component};
  return add(std::move(job));
}

std::uint32_t CommandClient::start(const CommandInt& command) {
  Job job;
  job.message = command;
  job.command = command.command;
  job.target = {command.target_system, command.target_component};
  return add(std::move(job));
}

std::uint32_t CommandClient::add(Job job) {
  if (jobs_.size() >= options_.most) {
    const auto old =
        std::find_if(jobs_.begin(), jobs_.end(), [](const Job& known) { return known.outcome.finished(); });
    jobs_.erase(old == jobs_.end() ? jobs_.begin() : old);
  }
  job.number = next_number_++;
  jobs_.push_back(std::move(job));
  return jobs_.back().number;
}

CommandOutcome CommandClient::outcome(std::uint32_t number) const {
  for (const Job& job : jobs_)
    if (job.number == number) return job.outcome;
  return {};
}

void CommandClient::abandon() {
  for (Job& job : jobs_)
    if (!job.outcome.finished()) job.outcome.status = CommandStatus::timed_out;
}

bool CommandClient::waits_for_another(std::size_t index) const {
  for (std::size_t i = 0; i < index; ++i)
    if (!jobs_[i].outcome.finished() && jobs_[i].command == jobs_[index].command &&
        jobs_[i].target == jobs_[index].target)
      return true;
  return false;
}

void CommandClient::poll(Instant now, Outlet& outlet) {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    Job& job = jobs_[i];
    if (job.outcome.finished() || waits_for_another(i)) continue;
    if (job.outcome.status == CommandStatus::in_progress) {
      if (now >= job.until) job.outcome.status = CommandStatus::timed_out;
      continue;
    }
    if (job.tries > 0 && now < job.next) continue;
    if (job.tries == options_.tries) {
      job.outcome.status = CommandStatus::timed_out;
      continue;
    }
    if (auto* command = std::get_if<CommandLong>(&job.message)) {
      command->confirmation = static_cast<std::uint8_t>(job.tries);
      outlet.send(*command);
    } else {
      outlet.send(std::get<CommandInt>(job.message));
    }
    ++job.tries;
    job.next = now + options_.retry;
  }
}

bool CommandClient::handle(const Frame& frame, Instant now) {
  const auto ack = frame.as<CommandAck>();
  if (!ack || !frame.meant_for(options_.own)) return false;
  for (Job& job : jobs_) {
    const bool from_target = (job.target.system == 0 || job.target.system == frame.source.system) &&
                             (job.target.component == 0 || job.target.component == frame.source.component);
    if (job.outcome.finished() || job.tries == 0 || job.command != ack->command || !from_target) continue;
    const bool was_in_progress = job.outcome.status == CommandStatus::in_progress;
    job.outcome = {status_from_result(ack->result), ack->progress, ack->result_param2};
    if (job.outcome.status == CommandStatus::in_progress && !was_in_progress) job.until = now + options_.longest;
    return true;
  }
  ++strays_;
  return false;
}

}  // namespace tandem::mavlink
