// SPDX-License-Identifier: Apache-2.0
// Any bytes as a recording that is to be the device: its conversations are played to a client that says what was
// recorded, byte by byte or at once; and it is played on a clock that is paused, sped up and sent elsewhere.
//
// An input is sixteen bytes for what happens to the clock, and the file.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "tandem/base/bytes.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/runtime/replay/conversation_player.hpp"
#include "tandem/runtime/replay/device.hpp"
#include "tandem/runtime/replay/file.hpp"
#include "tandem/runtime/replay/playback.hpp"
#include "tandem/runtime/replay/show.hpp"

namespace {

using namespace tandem;
using namespace tandem::runtime;

constexpr record::ReadLimits tight{.chunk = 1u << 20, .open = 4u << 20, .problems = 10};
constexpr std::size_t clock_steps = 16;

void require(bool holds) {
  if (!holds) std::abort();
}

// The client is the recorded one, in pieces of this size.
void play(const Conversation& conversation, const net::FrameRules& protocol, std::size_t piece) {
  Instant time{1h};
  ConversationPlayer player(conversation, protocol, {.speed = 2, .fast = piece % 2 == 0}, time);
  ByteReader client{Bytes(conversation.out)};
  std::size_t said = 0;
  for (int i = 0; i < 500 && !player.done(); ++i) {
    if (client.remaining() > 0) player.hear(client.bytes(std::min(piece, client.remaining())));
    const auto act = player.next(time);
    said += act.bytes.size();
    require(!(act.says && act.ends));
    time += act.says ? Duration{} : Duration(50ms);
    (void)player.due();
  }
  require(said == player.said());
  require(said <= conversation.in.size() || !player.in_order());
  if (player.difference()) require(!player.difference()->text().empty());
}

void be_the_device(const record::McapReader& reader) {
  for (const RecordedMachine& machine : recorded_machines(reader)) {
    const auto recording = read_field_recording(reader, machine.name);
    if (!recording) {
      require(!recording.error().text.empty());
      continue;
    }
    const auto ports = field_ports(*recording, all_machines());
    static const net::FrameRules unframed{};
    for (const Conversation& conversation : recording->conversations) {
      (void)port_of(conversation.peer);
      const net::FrameRules* rules = ports.empty() ? nullptr : ports.front().rules;
      for (const std::size_t piece : {1, 64}) play(conversation, rules == nullptr ? unframed : *rules, piece);
    }
  }
}

void play_by_clock(const record::McapReader& reader, Bytes steps) {
  const auto range = playback_range(reader);
  if (!range) return require(!range.error().text.empty());
  std::set<std::uint16_t> channels;
  PlaybackFeed::Lasting lasting;
  for (const auto& [id, channel] : reader.contents().channels) {
    channels.insert(id);
    if (id % 2 == 1) lasting.emplace(id, 2);
  }
  Instant now{1h};
  PlaybackClock clock(*range, 1, (steps[0] & 1) != 0, now);
  std::uint64_t given = 0;
  PlaybackFeed feed(reader, channels, lasting, [&](const record::mcap::Message& message) {
    require(channels.count(message.channel) == 1);
    ++given;
  });
  const std::uint64_t length = range->end - range->start;
  for (const std::uint8_t step : steps) {
    if (step % 4 == 1) clock.play((step & 4) != 0, now);
    if (step % 4 == 2) clock.run_at(step / 16.0, now);
    if (step % 4 == 3) clock.seek(range->start + length / 255 * step, now);
    now += Duration(static_cast<std::int64_t>(std::min<std::uint64_t>(length / 8, 3'600'000'000'000)));
    const auto stand = clock.stand(now);
    require(stand.time >= range->start && stand.time <= range->end);
    feed.poll(stand);
    require(feed.given() <= given);
    if (given > 100'000) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < clock_steps) return 0;
  const Bytes all(data, size);
  record::ReadOptions options;
  options.limits = tight;
  const auto reader = record::McapReader::read(record::Source(all.subspan(clock_steps), "fuzz"), options);
  if (!reader) return 0;
  be_the_device(*reader);
  play_by_clock(*reader, all.first(clock_steps));
  return 0;
}
