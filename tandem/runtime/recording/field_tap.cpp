// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/recording/field_tap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "tandem/ros2/types/cdr.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tandem/ros2/types/type_support.hpp"

namespace tandem::runtime {
namespace {

using ros2::tandem_msgs::FieldFrame;

// CDR from front to back into a buffer that is always large enough for a head.
class HeadWriter {
 public:
  explicit HeadWriter(std::span<std::uint8_t, largest_field_head> into) : into_(into) { put({0, 1, 0, 0}); }

  void byte(std::uint8_t value) { into_[at_++] = value; }
  void word(std::uint32_t value) {
    while (at_ % 4 != 0) byte(0);
    for (int shift = 0; shift < 32; shift += 8) byte(static_cast<std::uint8_t>(value >> shift));
  }
  void text(std::string_view text) {
    const std::string_view kept = text.substr(0, 200);
    word(static_cast<std::uint32_t>(kept.size() + 1));
    for (const char letter : kept) byte(static_cast<std::uint8_t>(letter));
    byte(0);
  }
  void endpoint(const net::Endpoint& end) {
    std::array<char, 32> words;
    char* at = words.data();
    const auto number = [&](std::uint32_t value, char behind) {
      at = std::to_chars(at, words.data() + words.size(), value).ptr;
      *at++ = behind;
    };
    number(end.address >> 24, '.'), number(end.address >> 16 & 255, '.'), number(end.address >> 8 & 255, '.');
    number(end.address & 255, ':'), number(end.port, '\0');
    text({words.data(), static_cast<std::size_t>(at - 1 - words.data())});
  }
  Bytes written() const { return into_.first(at_); }

 private:
  void put(std::initializer_list<std::uint8_t> bytes) {
    for (const std::uint8_t one : bytes) byte(one);
  }

  std::span<std::uint8_t, largest_field_head> into_;
  std::size_t at_ = 0;  // the header of four bytes does not change what is aligned
};

template <ros2::Message M>
record::ChannelInfo own_channel(const std::string& topic) {
  return {.topic = topic,
          .encoding = "cdr",
          .schema_name = std::string(M::type_name),
          .schema_encoding = "ros2msg",
          .schema = ros2::type_support<M>().definition,
          .metadata = {{"topic_type_hash", ros2::type_support<M>().hash}}};
}

template <ros2::Message M>
void put_message(record::Sink& sink, const std::string& topic, M& message, UtcTime stamp) {
  message.stamp = ros2::message_from(stamp);
  std::vector<std::uint8_t> bytes;
  if (ros2::encode(message, bytes)) sink.put(sink.channel(own_channel<M>(topic)), stamp, stamp, bytes);
}

record::ChannelInfo field_channel(std::string_view machine, std::string_view type, std::string_view device) {
  record::ChannelInfo info = own_channel<FieldFrame>(field_topic(machine));
  info.complete = true;
  info.metadata["machine"] = machine;
  info.metadata["machine_type"] = type;
  info.metadata["device"] = device;
  return info;
}

}  // namespace

std::string field_topic(std::string_view machine) { return fmt::format("/tandem/{}/field", machine); }
std::string events_topic(std::string_view machine) { return fmt::format("/tandem/{}/events", machine); }

Bytes field_head(const net::Flow& flow, std::uint8_t kind, std::size_t data_size, UtcTime stamp,
                 std::span<std::uint8_t, largest_field_head> into) {
  HeadWriter writer(into);
  const auto time = ros2::message_from(stamp);
  writer.word(static_cast<std::uint32_t>(time.sec));
  writer.word(time.nanosec);
  writer.word(flow.connection);
  writer.byte(kind);
  writer.byte(flow.datagram ? 1 : 0);
  if (flow.device.empty()) {
    writer.endpoint(flow.peer);
    writer.endpoint(flow.local);
  } else {
    writer.text(flow.device);
    writer.text({});
  }
  writer.word(static_cast<std::uint32_t>(data_size));
  return writer.written();
}

FieldTap::FieldTap(record::Sink& sink, const FileClock& clock, std::string_view machine, std::string_view type,
                   std::string_view device)
    : sink_(sink), clock_(clock), channel_(sink.channel(field_channel(machine, type, device))) {}

void FieldTap::opened(const net::Flow& flow, Instant stamp) noexcept {
  put(flow, FieldFrame::OPENED, {}, stamp, record::Part::begins);
}

void FieldTap::passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept {
  const bool in = direction == net::Direction::in;
  put(flow, in ? FieldFrame::IN : FieldFrame::OUT, bytes, stamp, in ? record::Part::continues : record::Part::asks);
}

void FieldTap::closed(const net::Flow& flow, net::Ending ending, Instant stamp) noexcept {
  static_assert(static_cast<int>(net::Ending::theirs) == FieldFrame::ENDED - FieldFrame::CLOSED &&
                static_cast<int>(net::Ending::broken) == FieldFrame::BROKEN - FieldFrame::CLOSED);
  put(flow, static_cast<std::uint8_t>(FieldFrame::CLOSED + static_cast<int>(ending)), {}, stamp, record::Part::ends);
}

// Datagrams can be entered in the middle, so how they began need not be kept.
void FieldTap::put(const net::Flow& flow, std::uint8_t kind, Bytes data, Instant stamp, record::Part part) noexcept {
  std::array<std::uint8_t, largest_field_head> buffer;
  const UtcTime utc = clock_.utc(stamp);
  sink_.put(channel_, utc, utc, field_head(flow, kind, data.size(), utc, buffer), data,
            static_cast<std::uint16_t>(flow.connection), flow.datagram ? record::Part::none : part);
  frames_.fetch_add(1, std::memory_order_relaxed);
}

void record_event(record::Sink& sink, const FileClock& clock, const Event& event, Instant stamp) {
  ros2::tandem_msgs::LinkEvent message;
  message.machine = event.machine;
  message.kind = event.kind;
  message.text = event.text;
  message.bad = event.bad;
  put_message(sink, event.machine.empty() ? std::string(events_topic_of_all) : events_topic(event.machine), message,
              clock.utc(stamp));
}

void record_command(record::Sink& sink, const FileClock& clock, ros2::tandem_msgs::Command command, Instant stamp) {
  put_message(sink, std::string(commands_topic), command, clock.utc(stamp));
}

void record_residual(record::Sink& sink, const FileClock& clock, ros2::tandem_msgs::Residual residual, Instant stamp) {
  std::string topic = fmt::format("/tandem/{}/residual", residual.machine);
  put_message(sink, topic, residual, clock.utc(stamp));
}

record::ChannelId truth_channel(record::Sink& sink, std::string_view machine) {
  return sink.channel(own_channel<ros2::tandem_msgs::Truth>(fmt::format("/tandem/{}/truth", machine)));
}

void record_truth(record::Sink& sink, const FileClock& clock, record::ChannelId channel, ros2::tandem_msgs::Truth truth,
                  Instant stamp) {
  const UtcTime utc = clock.utc(stamp);
  truth.stamp = ros2::message_from(utc);
  std::vector<std::uint8_t> bytes;
  if (ros2::encode(truth, bytes)) sink.put(channel, utc, utc, bytes);
}

// Behind the header of four bytes, which says that what follows is little-endian.
void restamp_message(std::span<std::uint8_t> cdr, std::uint64_t time) {
  const auto stamp = ros2::message_from(UtcTime(Duration(static_cast<std::int64_t>(time))));
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) cdr[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
  };
  if (cdr.size() < 12) return;
  put(4, static_cast<std::uint32_t>(stamp.sec));
  put(8, stamp.nanosec);
}

}  // namespace tandem::runtime
