// SPDX-License-Identifier: Apache-2.0
// The bridge's link to the winches: sets them up, exchanges commands for measurements, looks whether they do what they
// were commanded, and leaves them in order. For one thread; every call ends by its deadline.
#pragma once

#include <array>
#include <optional>

#include "tandem/machines/cable_robot/device/registers.hpp"
#include "tandem/machines/kit/modbus_link.hpp"
#include "tandem/net/round_trips.hpp"

namespace tandem::cable_robot {

struct LinkOptions {
  modbus::Peer peer;
  int winches = 8;  // as many as the geometry has cables
  WinchLimits limits;
  Times times;
  double reset_pulse = 0.005;       // s, the coil stays high
  bool truth = false;               // ask virtual winches where the platform really is
  double truth_interval = 0.1;      // s
  double readback_interval = 0.02;  // s, between looks at the command that the winches have
  net::Tap* tap = nullptr;
};

class Link : public machines::ModbusLink {
 public:
  explicit Link(const LinkOptions& options);

  // Connects, looks at version and number of winches, disables what is found enabled, writes the limits and reads them
  // back. Enables nothing and commands nothing.
  Result<void> connect(Instant deadline);
  // Closed; before that hold and all winches disabled, repeated until they say so for half a second at most, if they
  // may be enabled.
  void leave() noexcept;

  // Hold, a reset pulse, then all enable bits, looked at afterwards. When one of them does not come on, all are taken
  // back, and the error names the winch and its fault.
  Result<void> enable();
  // Hold and all enable bits off in one request. Whether they are off, the next report says.
  Result<void> disable();
  // One of them may be: switched on by us, or found so when connecting, and no report since then has all of them off.
  bool enabled() const { return enabled_; }

  struct Outcome : machines::Exchange {
    std::optional<WinchReport> report;
    std::optional<WinchTruth> truth;  // now and then, of virtual winches
  };
  // Writes the command, if any, and reads the measurements. An error means that the link is lost; a request that
  // fails is an Outcome that says so and costs this exchange alone.
  Result<Outcome> exchange(const WinchCommand* command);

 private:
  Result<void> disable_found(const net::RoundTrips& trips);
  Result<void> write_hold(std::uint16_t enable, Instant deadline);
  Result<void> write_limits(const net::RoundTrips& trips);
  Result<WinchReport> read_report(Instant deadline);
  Result<void> await_enabled();
  struct Look {
    std::optional<modbus::RequestId> command, truth;
  };
  Look begin_look(bool commanding, Instant deadline);
  void finish_look(const Look& look, const std::array<std::uint16_t, 3>& expected, Outcome& outcome);
  void write_failed(const Error& error, Outcome& outcome);
  void take(const Result<void>& read, const WinchCommand* command, Outcome& outcome);
  void watch_obedience(const WinchReport& report, const WinchCommand& command, Outcome& outcome);

  const Coil reset_coil_{coils::reset, "reset coil"};
  LinkOptions options_;
  WinchRegisters registers_;
  WinchRegisters::Words command_words_{}, feedback_words_{};
  std::uint16_t counter_ = 0;  // of the last command
  std::optional<std::array<std::uint16_t, 3>>
      written_;  // counter, mode and enables that the winches said to have taken
  bool enabled_ = false;
  Instant next_truth_{}, next_readback_{};
  Instant obeyed_{};  // when the winches last did what they were commanded
};

}  // namespace tandem::cable_robot
