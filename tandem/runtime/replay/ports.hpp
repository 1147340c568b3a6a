// SPDX-License-Identifier: Apache-2.0
// Where a replayed device listens, or whom it calls. Only for replay_device.cpp.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tandem/net/frame_rules.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/runtime/replay/device.hpp"

namespace tandem::runtime {

enum class ReplayRole : std::uint8_t {
  listens,   // TCP: the machine calls us
  calls,     // TCP: the machine listens
  receives,  // UDP: the machine speaks first
  sends,     // UDP: the device speaks first, to a port that the machine has
};

struct ReplayPort {
  ReplayRole role = ReplayRole::listens;
  std::uint16_t recorded = 0;                 // the device's port, or the machine's where we call it; 0: a serial line
  std::string key;                            // of the URL
  const net::FrameRules* protocol = nullptr;  // never null
  std::deque<std::size_t> waiting;            // conversations that no one has begun
  Instant away_until{};   // the device was not there between two conversations: refuses, says and receives nothing
  net::Endpoint machine;  // where it listens, when we call it
  net::TcpListener listener{};
  std::uint16_t served = 0;  // where it listens, also while it is closed
  net::UdpSocket udp{};
};

Result<std::vector<ReplayPort>> replay_ports(const FieldRecording& recording, const ReplayOptions& options);
// Whether the device is there; opens the port again once it is. An error: another client has the port.
Result<bool> is_there(ReplayPort& port, const ReplayOptions& options, Instant now);
// Puts the conversations back into the ports, in their order.
void refill(std::vector<ReplayPort>& ports, const FieldRecording& recording);
std::string replay_url(const FieldRecording& recording, const ReplayOptions& options,
                       const std::vector<ReplayPort>& ports);

}  // namespace tandem::runtime
