// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/link/heartbeat.hpp"

namespace tandem::mavlink {

const char* name(Presence presence) {
  switch (presence) {
    case Presence::never:
      return "never";
    case Presence::live:
      return "live";
    case Presence::stale:
      return "stale";
    case Presence::lost:
      return "lost";
  }
  return "unknown";
}

bool HeartbeatWatch::handle(const Frame& frame, Instant now) {
  const auto heartbeat = frame.as<Heartbeat>();
  if (!heartbeat || !frame.verified) return false;
  if (of_.system == 0) {
    if (heartbeat->autopilot == autopilot::none || heartbeat->type == vehicle_type::ground_station) return false;
    of_ = frame.source;
  }
  if (frame.source.system != of_.system) return false;
  if (of_.component != 0 && frame.source.component != of_.component) return false;
  const Presence before = presence(now);
  if (before == Presence::never || before == Presence::lost) ++arrivals_;
  last_ = *heartbeat;
  heard_ = now;
  return true;
}

Presence HeartbeatWatch::presence(Instant now) const {
  if (arrivals_ == 0) return Presence::never;
  const Duration age = now - heard_;
  if (age >= options_.lost) return Presence::lost;
  return age >= options_.stale ? Presence::stale : Presence::live;
}

void HeartbeatSender::poll(Instant now, Outlet& outlet) {
  if (now < next_) return;
  outlet.send(heartbeat);
  next_ = next_ + 1s > now ? next_ + 1s : now + 1s;
}

}  // namespace tandem::mavlink
