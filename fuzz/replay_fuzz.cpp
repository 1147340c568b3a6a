// SPDX-License-Identifier: Apache-2.0
// Any recorded frames, and any client: a replay neither reads outside its recording nor says more than was recorded
// unless asked more often.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ads/codec/frame_rules.hpp"
#include "tandem/protocols/mavlink/codec/frame_rules.hpp"
#include "tandem/protocols/modbus/frame_rules.hpp"
#include "tandem/protocols/ur/frame_rules.hpp"
#include "tandem/runtime/replay/conversation_player.hpp"

using namespace tandem;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<runtime::Conversation> any_conversations(ByteReader& reader) {
  runtime::ConversationBuilder builder;
  ros2::tandem_msgs::FieldFrame frame;
  std::int32_t milliseconds = 0;
  for (int i = 0; i < 200 && reader.remaining() > 3; ++i) {
    const std::uint8_t head = reader.byte();
    if (head == 0xFF) break;
    frame.kind = head % 8;
    frame.datagram = (head & 0x40) != 0;
    frame.connection = (head >> 3) % 2;
    milliseconds += static_cast<std::int8_t>(reader.byte());
    frame.stamp.sec = milliseconds / 1000;
    frame.stamp.nanosec = milliseconds < 0 ? static_cast<std::uint32_t>(-milliseconds) * 100'000'000U
                                           : static_cast<std::uint32_t>(milliseconds % 1000) * 1'000'000U;
    const Bytes data = reader.bytes(std::min<std::size_t>(reader.byte(), reader.remaining()));
    frame.data.assign(data.begin(), data.end());
    (void)builder.add(frame);
  }
  return builder.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader reader(Bytes(data, size));
  const std::uint8_t choice = reader.byte();
  // Nine, in the order that the corpus counts on.
  static const std::array<const net::FrameRules*, 9> rules = {
      &ads::frame_rules(),       &modbus::frame_rules(),    &mavlink::frame_rules(),
      &ur::rtde_frame_rules(),   &ur::line_frame_rules(),   &ur::line_frame_rules(),
      &ur::packet_frame_rules(), &ur::packet_frame_rules(), &ur::packet_frame_rules()};
  const net::FrameRules& protocol = *rules[choice % rules.size()];
  const runtime::PlayerOptions options{.speed = (choice & 0x40) != 0 ? 3.0 : 0.5, .fast = (choice & 0x80) != 0};
  for (const runtime::Conversation& conversation : any_conversations(reader)) {
    Instant time{1h};
    runtime::ConversationPlayer player(conversation, protocol, options, time);
    ByteReader client = reader;
    std::size_t said = 0;
    for (int i = 0; i < 2000 && !player.done(); ++i) {
      if (client.remaining() > 1)
        player.hear(client.bytes(std::min<std::size_t>(client.byte() % 64, client.remaining())));
      const auto act = player.next(time);
      said += act.bytes.size();
      require(!(act.says && act.ends));
      time += act.says ? Duration{} : Duration(5ms);
      (void)player.due();
    }
    require(said == player.said());
    require(said <= conversation.in.size() || !player.in_order());
    if (player.difference()) (void)player.difference()->text();
  }
  return 0;
}
