// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/command_server.hpp"

namespace tandem::mavlink {
namespace {

// Wants a message: home, an interval, any, the version.
bool only_asks(std::uint16_t command) {
  return command == 410 || command == 510 || command == command::request_message || command == 520;
}

}  // namespace

std::optional<CommandRequest> CommandServer::handle(const Frame& frame, Instant now, Outlet& outlet) {
  if (!frame.meant_for(own_)) return std::nullopt;
  CommandRequest request;
  request.from = frame.source;
  bool repeated = false;
  if (const auto command = frame.as<CommandLong>()) {
    request.command = command->command;
    request.params = {command->param1, command->param2, command->param3, command->param4,
                      command->param5, command->param6, command->param7};
    repeated = command->confirmation > 0 && !only_asks(command->command);
  } else if (const auto place = frame.as<CommandInt>()) {
    request.command = place->command;
    request.params = {place->param1,
                      place->param2,
                      place->param3,
                      place->param4,
                      static_cast<double>(place->x),
                      static_cast<double>(place->y),
                      place->z};
    request.frame = place->frame;
  } else {
    return std::nullopt;
  }
  Done* const known = find(request);
  if (repeated && known != nullptr && now - known->at < remembered && !known->refused()) {
    if (known->ack) outlet.send(*known->ack);
    return std::nullopt;
  }
  forget_others(request);
  Done& place = known != nullptr ? *known : done_[next_];
  if (known == nullptr) next_ = (next_ + 1) % done_.size();
  place = {request, std::nullopt, now};
  return request;
}

void CommandServer::acknowledge(const CommandRequest& request, CommandResult result, Outlet& outlet,
                                std::uint8_t progress, std::int32_t result_param2) {
  const CommandAck ack{.command = request.command,
                       .result = static_cast<std::uint8_t>(result),
                       .progress = progress,
                       .result_param2 = result_param2,
                       .target_system = request.from.system,
                       .target_component = request.from.component};
  if (Done* const known = find(request)) known->ack = ack;
  outlet.send(ack);
}

// To arm, to disarm and to arm again is no repetition, whatever the confirmation says.
void CommandServer::forget_others(const CommandRequest& request) {
  const Done* const same = find(request);
  for (Done& done : done_)
    if (&done != same && done.request.command == request.command && done.request.from == request.from) done = {};
}

bool CommandServer::Done::refused() const {
  return ack && ack->result != static_cast<std::uint8_t>(CommandResult::accepted) &&
         ack->result != static_cast<std::uint8_t>(CommandResult::in_progress);
}

// Bits are compared, so that a NaN ("as it is") equals itself.
CommandServer::Done* CommandServer::find(const CommandRequest& request) {
  for (Done& done : done_) {
    if (done.at == Instant{} || done.request.command != request.command || done.request.from != request.from) continue;
    bool same = done.request.frame == request.frame;
    for (std::size_t i = 0; i < request.params.size(); ++i)
      same = same &&
             std::bit_cast<std::uint64_t>(done.request.params[i]) == std::bit_cast<std::uint64_t>(request.params[i]);
    if (same) return &done;
  }
  return nullptr;
}

}  // namespace tandem::mavlink
