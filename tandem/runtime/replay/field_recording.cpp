// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/field_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tandem/ros2/types/conversions.hpp"

namespace tandem::runtime {
namespace {

using ros2::tandem_msgs::FieldFrame;

Error recording_error(const FieldFrame& frame, std::string_view what) {
  return {Fault::invalid, fmt::format("field frame of connection {}: {}", frame.connection, what)};
}

}  // namespace

Result<void> ConversationBuilder::open(const FieldFrame& frame, UtcTime stamp) {
  if (open_.contains(frame.connection)) return recording_error(frame, "opened twice");
  Conversation conversation;
  conversation.connection = frame.connection;
  conversation.datagram = frame.datagram;
  conversation.peer = frame.peer;
  conversation.local = frame.local;
  conversation.opened = stamp;
  open_[frame.connection] = conversations_.size();
  conversations_.push_back(std::move(conversation));
  return {};
}

Result<void> ConversationBuilder::add(const FieldFrame& frame) {
  if (frame.kind > FieldFrame::BROKEN)
    return recording_error(frame, fmt::format("kind {} is unknown; expected 0 to 5", frame.kind));
  if (frame.stamp.nanosec >= 1'000'000'000U)
    return recording_error(frame, fmt::format("its stamp has {} ns in a second", frame.stamp.nanosec));
  const UtcTime stamp = ros2::utc_from(frame.stamp);
  if (frame.kind == FieldFrame::OPENED) return open(frame, stamp);

  if (!open_.contains(frame.connection)) {
    // A stream cannot be entered in its middle; datagrams can.
    if (!frame.datagram) {
      Error error = recording_error(frame, "not open; the recording does not contain its beginning");
      error.fault = Fault::not_found;
      return error;
    }
    if (auto opened = open(frame, stamp); !opened) return opened;
  }
  Conversation& conversation = conversations_[open_[frame.connection]];
  if (frame.datagram != conversation.datagram) return recording_error(frame, "both stream and datagram");
  // Never back, even if a file says so.
  conversation.length = std::max(conversation.length, stamp - conversation.opened);

  if (frame.kind >= FieldFrame::CLOSED) {
    conversation.end = static_cast<RecordedEnd>(frame.kind - FieldFrame::CLOSED + 1);
    open_.erase(frame.connection);
    return {};
  }
  if (frame.data.empty() && !frame.datagram) return {};
  const bool in = frame.kind == FieldFrame::IN;
  if (conversation.datagram && port_of(conversation.peer) == 0) conversation.peer = frame.peer;
  auto& bytes = in ? conversation.in : conversation.out;
  conversation.pieces.push_back(
      {in ? net::Direction::in : net::Direction::out, conversation.length, bytes.size(), frame.data.size()});
  bytes.insert(bytes.end(), frame.data.begin(), frame.data.end());
  return {};
}

std::size_t ConversationBuilder::tear() {
  return std::erase_if(open_, [this](const auto& each) {
    Conversation& conversation = conversations_[each.second];
    if (!conversation.datagram) conversation.end = RecordedEnd::broken;
    return !conversation.datagram;
  });
}

std::vector<Conversation> ConversationBuilder::take() {
  open_.clear();
  return std::move(conversations_);
}

std::uint16_t port_of(std::string_view endpoint) {
  const std::size_t colon = endpoint.rfind(':');
  if (colon == std::string_view::npos) return 0;
  std::uint16_t port = 0;
  const char* end = endpoint.data() + endpoint.size();
  const auto [stop, fault] = std::from_chars(endpoint.data() + colon + 1, end, port);
  return fault == std::errc() && stop == end ? port : std::uint16_t{0};
}

}  // namespace tandem::runtime
