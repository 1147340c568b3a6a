// The bridge's link to the truck's PLC: sets it up, exchanges commands for measurements, looks whether the PLC has what
// it was told, and leaves it in order. For one thread; every call ends by its deadline.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/raptorlift/plc_registers.hpp"
#include "tandem/protocols/modbus/client.hpp"

namespace tandem::raptorlift {

struct PlcLinkOptions {
  modbus::Peer peer;
  Description description;
  Times times;
  bool truth = false;        // ask a virtual PLC where the truck really is
  bool one_request = false;  // write and read with function 23 instead of 16 and 3
  net::Tap* tap = nullptr;
};

class PlcLink {
 public:
  explicit PlcLink(const PlcLinkOptions& options);

  // Connects, puts M0 low (a pulse may have been cut off), looks at the coils, and resets the PLC's errors. Enables
  // nothing and commands nothing.
  Result<void> connect(Instant deadline);
  // Zeros, all motors disabled, closed; what no longer works is left out.
  void leave() noexcept;
  void close() { client_.reset(); }
  bool open() const { return client_ && client_->open(); }

  // Zeros, a reset pulse, then M1 to M4, each looked at afterwards. When one of them does not come on, all are taken
  // back, and the error names it.
  Result<void> enable();
  // Zeros, then all four off, whatever becomes of each; the error names the first that failed.
  Result<void> disable();
  // As far as we know: switched on by us, or found so.
  bool enabled() const { return enabled_; }

  struct Outcome {
    std::optional<Wheels> measured;
    Instant received{};
    Quality quality = Quality::live;  // of the above: invalid when the PLC sent nonsense, stale when nothing in time
    ShortText<160> why;               // when not live
    bool distrust = false;            // a write failed, or the PLC has not what it was told; `cause` says which
    ShortText<160> cause;
    bool saturated = false;
    std::optional<kinematics::ackermann::PlanarPose> truth;  // now and then, of a virtual PLC: X_start_axle
  };
  // Writes the commands, if any, and reads the measurements. An error means that the link is lost; a request that
  // fails is an Outcome that says so and costs this exchange alone.
  Result<Outcome> exchange(const AxisCommands* commands);

  // What the PLC had at the last look; M0 first.
  const std::array<bool, coils::count>& coil_levels() const { return coils_; }
  std::uint64_t timeouts() const { return counters().timeouts; }
  std::uint64_t late() const { return counters().dropped; }  // answers that came too late or to nobody

 private:
  using Words = PlcRegisters::CommandWords;
  struct Look {
    std::optional<modbus::RequestId> coils, words, beat, truth;
  };

  Instant answer_deadline() const { return now() + answer_time_; }
  Result<void> write_coil(std::size_t coil, bool value, Instant deadline);
  Result<void> write_enables(bool level);
  Result<void> pulse_reset(Duration answer_time);
  Result<void> read_coils(Instant deadline);
  Result<Look> begin_look(bool writes, Instant deadline);
  void finish_look(const Look& look, Outcome& outcome);
  void compare_words(std::span<const std::uint16_t> words, Outcome& outcome) const;
  void write_failed(const Error& error, Outcome& outcome);
  void take(const Result<const modbus::Answer*>& answer, Outcome& outcome);
  void watch_heartbeat(std::uint16_t beat, Outcome& outcome);
  Error lost() const;
  modbus::ClientSession::Counters counters() const;

  PlcLinkOptions options_;
  PlcRegisters registers_;
  Duration answer_time_;
  std::optional<modbus::Client> client_;
  modbus::ClientSession::Counters past_;  // of earlier connections
  std::array<bool, coils::count> coils_{};
  bool enabled_ = false;
  std::optional<Words> written_;  // what the PLC has said to have taken
  Instant next_look_{};
  std::uint16_t own_beat_ = 0;
  std::optional<std::uint16_t> plc_beat_;
  Instant beat_changed_{};
};

}  // namespace tandem::raptorlift
