// SPDX-License-Identifier: Apache-2.0
// The messages that we want from an autopilot, how often, and whether they come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tandem/protocols/mavlink/services/command_client.hpp"

namespace tandem::mavlink {

// Asks for each by SET_MESSAGE_INTERVAL, looks whether it then comes as often, and asks again if not: a ground station
// on the same link may have asked for less since. An autopilot that does not know the command is asked for the group of
// the message by REQUEST_DATA_STREAM; one that does not know the message is left alone for a while.
class StreamRequests {
 public:
  struct Wanted {
    std::uint32_t id = 0;
    Duration interval{};
  };
  struct Options {
    Address target{1, 1};
    Duration ask_again = 5s;      // at least this long between two requests for a message
    Duration least_silence = 2s;  // before a message that stopped is asked for again
    Duration after_denial = 60s;  // ArduPilot informs everybody each time that it does not know a message
    double least_share = 0.5;     // of the wanted rate; a stream that is slower is asked for again
  };
  struct Stream {
    Wanted wanted;
    std::uint64_t count = 0;
    Instant heard{};
    double rate = 0;  // Hz, smoothed over about ten messages
    CommandStatus answer = CommandStatus::unknown;
    // Not heard for three intervals, and at least 100 ms; or never.
    bool stale(Instant now) const;
  };

  StreamRequests(const Options& options, std::span<const Wanted> wanted);

  // Everything from the beginning, as after the autopilot came back.
  void restart();
  void handle(const Frame& frame, Instant now);
  void poll(Instant now, CommandClient& commands, Outlet& outlet);

  std::span<const Stream> streams() const { return streams_; }
  const Stream* find(std::uint32_t id) const;
  // None is stale.
  bool all_come(Instant now) const;

 private:
  struct Asking {
    std::uint32_t command = 0;  // number at the CommandClient, 0 for none
    bool asked = false;
    Instant at{};
  };
  bool has_to_ask(const Stream& stream, const Asking& asking, Instant now) const;
  void ask_for_group(const Wanted& wanted, Outlet& outlet) const;

  Options options_;
  std::vector<Stream> streams_;
  std::vector<Asking> asking_;
};

// The group of REQUEST_DATA_STREAM that ArduPilot sends a message in; 0, all of them, when it is in none.
std::uint8_t data_stream_of(std::uint32_t id);

}  // namespace tandem::mavlink
