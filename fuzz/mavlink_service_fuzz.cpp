// SPDX-License-Identifier: Apache-2.0
// Any frames to everything that answers MAVLink: what it sends are whole frames, and it never sends without end.
#include <cstdlib>

#include "fuzz/mavlink_mutator.hpp"
#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tandem/protocols/mavlink/link/boot_clock.hpp"
#include "tandem/protocols/mavlink/link/channel.hpp"
#include "tandem/protocols/mavlink/link/heartbeat.hpp"
#include "tandem/protocols/mavlink/link/time_sync.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"
#include "tandem/protocols/mavlink/services/command_client.hpp"
#include "tandem/protocols/mavlink/services/command_server.hpp"
#include "tandem/protocols/mavlink/services/mission_client.hpp"
#include "tandem/protocols/mavlink/services/mission_server.hpp"
#include "tandem/protocols/mavlink/services/parameter_client.hpp"
#include "tandem/protocols/mavlink/services/parameter_server.hpp"
#include "tandem/protocols/mavlink/services/status_text.hpp"
#include "tandem/protocols/mavlink/services/stream_requests.hpp"

namespace {

using namespace tandem;
using namespace tandem::mavlink;

void require(bool holds) {
  if (!holds) std::abort();
}

class Checked final : public Outlet {
 public:
  bool send_payload(const MessageInfo& info, Bytes payload) override {
    FrameBuffer buffer;
    Parser parser;
    parser.feed(channel_.make(buffer, info, payload));
    const auto frame = parser.next();
    require(frame && frame->verified && frame->id == info.id);
    ++sent;
    return true;
  }
  std::size_t sent = 0;

 private:
  Channel channel_{ChannelOptions{.own = {1, 1}}};
};

struct Everything {
  // True for every frame that changed something; what it was does not matter here.
  void handle(const Frame& frame, Instant now) {
    (void)watch.handle(frame, now);
    (void)watch.presence(now);
    (void)answer_time_sync(frame, now, out);
    (void)sync.handle(frame, now);
    (void)client.handle(frame, now);
    (void)server.handle(frame, out);
    (void)commands.handle(frame, now);
    if (const auto request = executor.handle(frame, now, out))
      executor.acknowledge(*request, CommandResult::denied, out);
    streams.handle(frame, now);
    if (const auto line = texts.handle(frame, now)) require(line->text.size() <= 16 * 50 + 16 * 5);
    (void)pilot.handle(frame, now, out);
    (void)mission.handle(frame, now, out);
    if (const auto attitude = frame.as<Attitude>()) (void)boot.observe(attitude->time_boot_ms, now);
  }
  void poll(Instant now) {
    sync.poll(now, out);
    client.poll(now, out);
    server.poll(out);
    streams.poll(now, commands, out);
    commands.poll(now, out);
    pilot.poll(now, out);
    mission.poll(now, out);
    while (texts.overdue(now)) continue;
  }

  Checked out;
  HeartbeatWatch watch;
  TimeSyncClient sync;
  ParameterClient client;
  ParameterServer server{{}, {{.parameter = {"ALPHA", 1}}, {.parameter = {"BETA", 2}, .lowest = 0, .highest = 3}}};
  CommandClient commands;
  CommandServer executor{Address{1, 1}};
  StreamRequests streams{{}, std::array{StreamRequests::Wanted{30, 100ms}}};
  StatusTextReader texts;
  MissionClient pilot;
  MissionServer mission;
  BootClock boot;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Everything all;
  Instant now{1h};
  switch (data[0] % 4) {
    case 0:
      all.client.list(now);
      break;
    case 1:
      all.pilot.download(now);
      break;
    case 2:
      all.pilot.upload(std::vector<MissionItemInt>(3), now);
      break;
    default:
      (void)all.client.write("ALPHA", 2, now);
      break;
  }
  Parser parser;
  Bytes stream(data + 1, size - 1);
  std::size_t frames = 0;
  while (!stream.empty()) {
    stream = stream.subspan(parser.feed(stream));
    while (const auto frame = parser.next()) {
      ++frames;
      all.handle(*frame, now);
      now += std::chrono::milliseconds(1 + frame->sequence);
      all.poll(now);
    }
  }
  for (int i = 0; i < 50; ++i) all.poll(now += 500ms);
  require(all.out.sent <= 40 * (frames + 60));
  return 0;
}
