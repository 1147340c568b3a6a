// SPDX-License-Identifier: Apache-2.0
// A connection to the primary or secondary port as the controller serves it: the version first, then the robot's state
// ten times a second; the text of programs is handed on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ur/primary/primary.hpp"
#include "tandem/protocols/ur/primary/script_sink.hpp"

namespace tandem::ur {

// What the connections of these ports share. Must outlive them.
struct PrimarySource {
  const Variables& variables;
  primary::RobotDescription description;
  primary::Version version;
  int cycles = 50;  // controller cycles from one state to the next: 10 Hz
};

class PrimarySession final : public net::Session {
 public:
  // `full`: the primary port. Without a sink the port is read-only.
  PrimarySession(const PrimarySource& source, bool full, std::unique_ptr<ScriptSink> scripts)
      : source_(source), full_(full), scripts_(std::move(scripts)) {}

  void begin(net::Outbox& out) override;
  bool receive(Bytes bytes, net::Outbox&) override { return !scripts_ || scripts_->receive(bytes); }
  void cycle(net::Outbox& out) override;
  // A program may take its time from one line to the next: only its size is bounded.
  Progress progress() const override { return {scripts_ ? scripts_->programs() : 0, false}; }
  bool lossy() const override { return true; }

 private:
  const PrimarySource& source_;
  bool full_;
  std::unique_ptr<ScriptSink> scripts_;
  int waited_ = 0;  // cycles since the last state
  std::vector<std::uint8_t> packet_;
};

}  // namespace tandem::ur
