// SPDX-License-Identifier: Apache-2.0
// The real-time packet of ports 30003 and 30013: sent every cycle, without a request.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ur/primary/script_sink.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur {

constexpr std::uint16_t realtime_port = 30003;
constexpr std::uint16_t realtime_read_only_port = 30013;
constexpr std::size_t realtime_size = 1220;           // software 5.10 and later
constexpr std::size_t smallest_realtime_size = 1044;  // software 3.0

// Appends the packet of 1220 bytes.
void encode_realtime(const ControllerState& state, std::vector<std::uint8_t>& out);

// One whole packet with its length, of any software from 3.0 on: what a shorter packet does not have stays as it is.
// Fault::invalid: a length that is not the packet's or that no software sends.
Result<void> decode_realtime(Bytes packet, ControllerState& into);

// Sends a packet each cycle and hands the text of programs on. Without a sink the port is read-only.
class RealtimeSession final : public net::Session {
 public:
  RealtimeSession(const ControllerState& state, std::unique_ptr<ScriptSink> scripts)
      : state_(state), scripts_(std::move(scripts)) {}

  bool receive(Bytes bytes, net::Outbox&) override { return !scripts_ || scripts_->receive(bytes); }
  void cycle(net::Outbox& out) override;
  Progress progress() const override { return {scripts_ ? scripts_->programs() : 0, false}; }
  bool lossy() const override { return true; }

 private:
  const ControllerState& state_;
  std::unique_ptr<ScriptSink> scripts_;
  std::vector<std::uint8_t> packet_;
};

}  // namespace tandem::ur
