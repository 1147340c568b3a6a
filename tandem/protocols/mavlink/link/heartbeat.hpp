// SPDX-License-Identifier: Apache-2.0
// Heartbeats: sending ours, and watching those of the one that matters.
#pragma once

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/constants.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::mavlink {

enum class Presence : std::uint8_t { never, live, stale, lost };
const char* name(Presence presence);

class HeartbeatWatch {
 public:
  struct Options {
    Address of{};  // system 0: the first autopilot that is received
    Duration stale = 3s;
    Duration lost = 5s;
  };
  HeartbeatWatch() : HeartbeatWatch(Options{}) {}
  explicit HeartbeatWatch(const Options& options) : options_(options), of_(options.of) {}

  // True when the frame was the heartbeat that is waited for.
  bool handle(const Frame& frame, Instant now);
  Presence presence(Instant now) const;

  // Whose; system 0 as long as that is not known.
  const Address& of() const { return of_; }
  const Heartbeat& last() const { return last_; }
  bool armed() const { return (last_.base_mode & base_mode::armed) != 0; }
  // How often it came again: the first time, and after having been lost.
  std::uint64_t arrivals() const { return arrivals_; }

 private:
  Options options_;
  Address of_;
  Heartbeat last_;
  Instant heard_{};
  std::uint64_t arrivals_ = 0;
};

// Once a second, however often poll() is called; not in bursts after a pause.
class HeartbeatSender {
 public:
  explicit HeartbeatSender(const Heartbeat& first) : heartbeat(first) {}
  void poll(Instant now, Outlet& outlet);

  Heartbeat heartbeat;

 private:
  Instant next_{};
};

}  // namespace tandem::mavlink
