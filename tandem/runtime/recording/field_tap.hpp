// SPDX-License-Identifier: Apache-2.0
// Field frames, events and commands of machines, on their way into a recording.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>

#include "tandem/net/tap.hpp"
#include "tandem/record/sink.hpp"
#include "tandem/ros2/messages/tandem_msgs.hpp"
#include "tandem/runtime/supervision/event.hpp"

namespace tandem::runtime {

// One clock for a whole file: the monotonic one, called UTC by one offset. UTC that is set while we record moves
// nothing in the file.
class FileClock {
 public:
  explicit FileClock(const Clock& clock) : offset_(clock.utc().time_since_epoch() - clock.now().time_since_epoch()) {}
  UtcTime utc(Instant instant) const { return UtcTime(instant.time_since_epoch() + offset_); }

 private:
  Duration offset_;
};

std::string field_topic(std::string_view machine);   // "/tandem/<machine>/field"
std::string events_topic(std::string_view machine);  // "/tandem/<machine>/events"
inline constexpr std::string_view commands_topic = "/tandem/commands";
inline constexpr std::string_view events_topic_of_all = "/tandem/events";  // of the program itself

// Everything of a FieldFrame's CDR but its data, which follows as it is; the part of `into` that was written.
inline constexpr std::size_t largest_field_head = 512;
Bytes field_head(const net::Flow& flow, std::uint8_t kind, std::size_t data_size, UtcTime stamp,
                 std::span<std::uint8_t, largest_field_head> into);

// Puts what passes on a machine's sockets into the recording. Any thread; neither waits nor allocates.
class FieldTap final : public net::Tap {
 public:
  // `type` and `device` as the configuration has them: a replay learns from them what is spoken here, and where.
  FieldTap(record::Sink& sink, const FileClock& clock, std::string_view machine, std::string_view type,
           std::string_view device);

  void opened(const net::Flow& flow, Instant stamp) noexcept override;
  void passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept override;
  void closed(const net::Flow& flow, net::Ending ending, Instant stamp) noexcept override;

  std::uint64_t frames() const { return frames_.load(std::memory_order_relaxed); }

 private:
  void put(const net::Flow& flow, std::uint8_t kind, Bytes data, Instant stamp, record::Part part) noexcept;

  record::Sink& sink_;
  const FileClock clock_;
  const record::ChannelId channel_;
  std::atomic<std::uint64_t> frames_{0};
};

// A message of ours as one of a recording. Any thread; allocates.
void record_event(record::Sink& sink, const FileClock& clock, const Event& event, Instant stamp);
void record_command(record::Sink& sink, const FileClock& clock, ros2::tandem_msgs::Command command, Instant stamp);
void record_residual(record::Sink& sink, const FileClock& clock, ros2::tandem_msgs::Residual residual, Instant stamp);
// Often, so the channel is asked for once.
record::ChannelId truth_channel(record::Sink& sink, std::string_view machine);
void record_truth(record::Sink& sink, const FileClock& clock, record::ChannelId channel, ros2::tandem_msgs::Truth truth,
                  Instant stamp);

// Puts another stamp (ns since 1970) into a message of ours; all of them begin with theirs.
void restamp_message(std::span<std::uint8_t> cdr, std::uint64_t time);

}  // namespace tandem::runtime
