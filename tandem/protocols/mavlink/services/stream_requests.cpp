// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/stream_requests.hpp"

#include <algorithm>

namespace tandem::mavlink {
namespace {

struct GroupedMessage {
  std::uint32_t id;
  std::uint8_t group;
};
// 1 raw sensors, 2 extended status, 3 channels, 6 position, 10 to 12 extra 1 to 3.
constexpr GroupedMessage grouped_messages[] = {
    {27, 1},  {116, 1},  {129, 1},  {29, 1}, {137, 1},  {143, 1},  {1, 2},    {24, 2},   {42, 2},   {62, 2},
    {125, 2}, {152, 2},  {36, 3},   {65, 3}, {35, 3},   {32, 6},   {33, 6},   {30, 10},  {164, 10}, {178, 10},
    {74, 11}, {163, 12}, {165, 12}, {2, 12}, {173, 12}, {132, 12}, {147, 12}, {193, 12}, {241, 12},
};

}  // namespace

std::uint8_t data_stream_of(std::uint32_t id) {
  for (const GroupedMessage& message : grouped_messages)
    if (message.id == id) return message.group;
  return 0;
}

bool StreamRequests::Stream::stale(Instant now) const {
  return count == 0 || now - heard > std::max<Duration>(3 * wanted.interval, 100ms);
}

StreamRequests::StreamRequests(const Options& options, std::span<const Wanted> wanted) : options_(options) {
  for (const Wanted& one : wanted) streams_.push_back({.wanted = one});
  asking_.resize(streams_.size());
}

void StreamRequests::restart() {
  for (Stream& stream : streams_) stream = {.wanted = stream.wanted};
  for (Asking& asking : asking_) asking = {};
}

void StreamRequests::handle(const Frame& frame, Instant now) {
  if (frame.source.system != options_.target.system) return;
  for (Stream& stream : streams_) {
    if (stream.wanted.id != frame.id) continue;
    const double interval = seconds(now - stream.heard);
    if (stream.count > 0 && interval > 0) {
      const double rate = 1 / interval;
      // The mean of intervals, not of rates: two that come together must not look like a fast stream.
      stream.rate = stream.rate > 0 ? 1 / (0.9 / stream.rate + 0.1 / rate) : rate;
    }
    stream.heard = now;
    ++stream.count;
    return;
  }
}

void StreamRequests::poll(Instant now, CommandClient& commands, Outlet& outlet) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& stream = streams_[i];
    Asking& asking = asking_[i];
    if (asking.command != 0) {
      const CommandOutcome outcome = commands.outcome(asking.command);
      if (!outcome.finished() && outcome.status != CommandStatus::unknown) continue;
      stream.answer = outcome.status;
      asking.command = 0;
      asking.at = now;
      if (outcome.status == CommandStatus::unsupported) ask_for_group(stream.wanted, outlet);
    }
    if (!has_to_ask(stream, asking, now)) continue;
    asking.asked = true;
    asking.at = now;
    asking.command = commands.start(command_to(
        options_.target, command::message_interval, static_cast<float>(stream.wanted.id),
        static_cast<float>(std::chrono::duration_cast<std::chrono::microseconds>(stream.wanted.interval).count())));
  }
}

bool StreamRequests::has_to_ask(const Stream& stream, const Asking& asking, Instant now) const {
  if (!asking.asked) return true;
  const bool unknown_there = stream.answer == CommandStatus::denied || stream.answer == CommandStatus::failed;
  if (now - asking.at < (unknown_there ? options_.after_denial : options_.ask_again)) return false;
  const Duration interval = stream.wanted.interval;
  if (stream.count == 0 || now - stream.heard > std::max<Duration>(3 * interval, options_.least_silence)) return true;
  return interval > Duration::zero() && stream.count > 10 && stream.rate * seconds(interval) < options_.least_share;
}

void StreamRequests::ask_for_group(const Wanted& wanted, Outlet& outlet) const {
  const double rate = wanted.interval > Duration::zero() ? 1 / seconds(wanted.interval) : 0;
  outlet.send(RequestDataStream{.target_system = options_.target.system,
                                .target_component = options_.target.component,
                                .req_stream_id = data_stream_of(wanted.id),
                                .req_message_rate = static_cast<std::uint16_t>(std::clamp(rate + 0.5, 1.0, 1000.0)),
                                .start_stop = 1});
}

const StreamRequests::Stream* StreamRequests::find(std::uint32_t id) const {
  for (const Stream& stream : streams_)
    if (stream.wanted.id == id) return &stream;
  return nullptr;
}

bool StreamRequests::all_come(Instant now) const {
  return std::none_of(streams_.begin(), streams_.end(), [&](const Stream& stream) { return stream.stale(now); });
}

}  // namespace tandem::mavlink
