// SPDX-License-Identifier: Apache-2.0
// The bridge's link to the truck's PLC: sets it up, exchanges commands for measurements, looks whether the PLC has what
// it was commanded, and leaves it in order. For one thread; every call ends by its deadline.
#pragma once

#include <array>
#include <optional>

#include "tandem/machines/kit/modbus_link.hpp"
#include "tandem/machines/raptorlift/device/registers.hpp"

namespace tandem::raptorlift {

struct LinkOptions {
  modbus::Peer peer;
  Description description;
  Times times;
  bool truth = false;        // ask a virtual PLC where the truck really is
  bool one_request = false;  // write and read with function 23 instead of 16 and 3
  net::Tap* tap = nullptr;
};

class Link : public machines::ModbusLink {
 public:
  explicit Link(const LinkOptions& options);

  // Connects, puts M0 low (a pulse may have been cut off), and looks at the coils. Resets nothing: a PLC that has put
  // its brake on keeps it.
  Result<void> connect(Instant deadline);

  // Pulses M0 if the PLC reports that it has not tripped; true if it did. Without such a report there is no pulse.
  Result<bool> reset_untripped();
  // Zeros, a reset pulse, then M1 to M4, each looked at afterwards. When one of them does not come on, all are taken
  // back, and the error names it. For a truck at standstill: the pulse releases the PLC's brake.
  Result<void> enable();
  // Zeros, then all four off, one request at a time and whatever becomes of each. Done when they are read back as off;
  // the error names what failed first. For a truck at standstill: without its motors it rolls freely.
  Result<void> disable();
  // As far as we know: switched on by us, or found so.
  bool enabled() const { return enabled_; }
  // All motors were read back as off after `instant`, whether or not we switched them off.
  bool seen_off_since(Instant instant) const { return coils_read_ > instant && !any_enabled(); }

  struct Outcome : machines::Exchange {
    std::optional<Wheels> measured;
    std::optional<kinematics::ackermann::PlanarPose> truth;  // now and then, of a virtual PLC: X_start_axle
  };
  // Writes the commands, if any, and reads the measurements. Without commands nothing feeds the PLC's watchdog while
  // motors are enabled. An error means that the link is lost; a request that fails is an Outcome that says so and costs
  // this exchange alone.
  Result<Outcome> exchange(const AxisCommands* commands);
  // The same in two halves: what begins it sends, what finishes it waits for nothing once the answers are there.
  Result<void> begin_exchange(const AxisCommands* commands);
  bool is_answered() { return !pending_ || ModbusLink::is_answered(pending_->read); }
  Instant patience() const { return pending_ ? client().patience(pending_->read) : Instant{}; }
  Result<Outcome> finish_exchange();
  // Whether the next exchange is one, with nothing to make up for first.
  bool calm() const { return open() && !pulsing(); }
  // The same, one request in flight at a time even with a pipelining client: for braking and switching off, which must
  // work with servers that drop the second of two requests. With `hold` it waits that long in all, so that the
  // next command can be written then; answers that come later are lost.
  Result<Outcome> exchange_singly(const AxisCommands* commands, std::optional<Duration> hold);

  // What the PLC had at the last look; M0 first.
  const std::array<bool, coils::count>& coil_levels() const { return coils_; }

 private:
  using Words = PlcRegisters::CommandWords;
  struct Look {
    std::optional<modbus::RequestId> coils, words, beat, truth;
  };

  struct Pending {
    Look look;
    std::optional<modbus::RequestId> write;
    modbus::RequestId read;
    bool both = false;  // the read is the write as well
    Words words{};
    Outcome outcome;
  };

  Coil coil(std::size_t index) const;
  Result<void> write_zeros();
  bool any_enabled() const;
  Result<void> pulse_reset() { return pulse(coil(coils::error_reset), options_.times.reset_pulse, answer_deadline()); }
  Result<void> read_coils(Instant deadline);
  void encode(const AxisCommands& commands, Words& words, Outcome& outcome) const;
  Result<Look> begin_look(bool writes, Instant deadline);
  void finish_look(const Look& look, Outcome& outcome);
  void compare_words(std::span<const std::uint16_t> words, Outcome& outcome) const;
  void write_failed(const Error& error, Outcome& outcome);
  void take(const Result<const modbus::Answer*>& answer, Outcome& outcome);

  LinkOptions options_;
  PlcRegisters registers_;
  std::array<bool, coils::count> coils_{};
  Instant coils_read_{};
  bool enabled_ = false;
  std::optional<Words> written_;    // what the PLC has said to have taken
  std::optional<Pending> pending_;  // an exchange that has begun
  Instant next_look_{};
  std::uint16_t own_beat_ = 0;
};

}  // namespace tandem::raptorlift
