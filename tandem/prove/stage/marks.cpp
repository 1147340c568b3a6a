// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/stage/marks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tandem/ros2/messages/tandem_msgs.hpp"
#include "tandem/ros2/types/type_support.hpp"

namespace tandem::prove {
namespace {

using ros2::tandem_msgs::FieldFrame;

record::ChannelInfo json_channel(std::string_view topic, std::map<std::string, std::string> about = {}) {
  record::ChannelInfo info;
  info.topic = fmt::format("/tandem/prove/{}", topic);
  info.encoding = "json";
  info.schema_name = fmt::format("tandem/prove/{}", topic);
  info.schema_encoding = "jsonschema";
  info.schema = R"({"type": "object"})";
  info.metadata = std::move(about);
  return info;
}

record::ChannelInfo device_channel(const std::string& machine) {
  record::ChannelInfo info;
  info.topic = fmt::format("/tandem/{}/device_field", machine);
  info.encoding = "cdr";
  info.schema_name = std::string(FieldFrame::type_name);
  info.schema_encoding = "ros2msg";
  info.schema = ros2::type_support<FieldFrame>().definition;
  return info;
}

}  // namespace

Marks::Marks(record::Recorder& recorder, std::map<std::string, std::string> about)
    : recorder_(recorder),
      clock_(system_clock()),
      marks_(recorder.channel(json_channel("marks", std::move(about)))),
      truth_(recorder.channel(json_channel("truth"))),
      goals_(recorder.channel(json_channel("goals"))) {}

void Marks::put(record::ChannelId channel, const std::string& json) {
  const UtcTime stamp = clock_.utc(system_clock().now());
  recorder_.put(channel, stamp, stamp, as_bytes(json));
}

std::uint64_t Marks::begin(const Action& action) {
  const std::uint64_t number = next_++;
  put(marks_, fmt::format(R"({{"number":{},"phase":"begin","machine":"{}","verb":"{}","by":"{}","lasts":{:.3f},)"
                          R"("a":{:.3f},"b":{:.3f}}})",
                          number, action.machine, action.verb, action.by, action.lasts, action.a, action.b));
  return number;
}

void Marks::end(std::uint64_t number, bool ok) {
  put(marks_, fmt::format(R"({{"number":{},"phase":"end","ok":{}}})", number, ok));
}

void Marks::say(std::string_view verb, double lasts) {
  put(marks_, fmt::format(R"({{"verb":"{}","lasts":{:.4f}}})", verb, lasts));
}

void Marks::truth(const std::string& machine, const machines::TrueMotion& motion) {
  put(truth_, fmt::format(R"({{"machine":"{}","position":[{:.7f}],"speed":{:.6f},"unit":"{}"}})", machine,
                          fmt::join(motion.position, ","), motion.speed, motion.unit));
}

void Marks::goal(const std::string& machine, std::string_view goal, std::string_view state) {
  put(goals_, fmt::format(R"({{"machine":"{}","goal":"{}","state":"{}"}})", machine, goal, state));
}

DeviceTap::DeviceTap(Marks& marks, const std::string& machine)
    : marks_(marks), channel_(marks.recorder().channel(device_channel(machine))) {}

void DeviceTap::opened(const net::Flow& flow, Instant stamp) noexcept { put(flow, FieldFrame::OPENED, {}, stamp); }
void DeviceTap::passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept {
  put(flow, direction == net::Direction::in ? FieldFrame::IN : FieldFrame::OUT, bytes, stamp);
}
void DeviceTap::closed(const net::Flow& flow, net::Ending ending, Instant stamp) noexcept {
  put(flow, static_cast<std::uint8_t>(FieldFrame::CLOSED + static_cast<int>(ending)), {}, stamp);
}

void DeviceTap::put(const net::Flow& flow, std::uint8_t kind, Bytes data, Instant stamp) noexcept {
  std::array<std::uint8_t, runtime::largest_field_head> buffer;
  const UtcTime utc = marks_.clock().utc(stamp);
  marks_.recorder().put(channel_, utc, utc, runtime::field_head(flow, kind, data.size(), utc, buffer), data);
}

}  // namespace tandem::prove
