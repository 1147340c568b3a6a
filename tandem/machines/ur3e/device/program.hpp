// SPDX-License-Identifier: Apache-2.0
// Our control program on the controller: uploaded when armed, fed through registers, ended when disarmed. The machine
// and the arm of the API both drive it. For one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tandem/machines/ur3e/device/link.hpp"

namespace tandem::ur3e {

// In real time, not by the machine's clock: its deadlines are those of sockets.
class ControlProgram {
 public:
  enum class Phase : std::uint8_t { absent, claiming, starting, running };

  // `start_within`: from the upload to its first sign of life.
  explicit ControlProgram(const script::Timing& timing, Duration start_within = 3s);

  // Claims the controller's inputs and uploads it. Nothing of the past is done again: it begins from the sequence that
  // it finds. While it is claiming, as it is at first and while another client has the inputs, it is to be called again
  // with every sample, if the arm may still move then.
  Result<void> start(Link& link, Instant now);
  // Stops the arm and ends the program; does its best, as the heartbeat that falls silent does the same.
  void end(Link& link);
  // The link is gone, or the robot ended it.
  void forget() { phase_ = Phase::absent; }

  // With every sample. An answer is the reason why it ended by itself or never began; it is then absent.
  std::optional<std::string> look(Link& link, Instant now);
  // Keeps it alive.
  Result<void> beat(Link& link);

  Phase phase() const { return phase_; }
  bool running() const { return phase_ == Phase::running; }

  // Writes a command; gives the number that it has in `taken` and `finished`.
  Result<std::int32_t> write(Link& link, const script::Write& write);
  bool taken(std::int32_t sequence) const { return taken_ == sequence; }
  bool finished(std::int32_t sequence) const { return finished_ == sequence; }
  bool still() const { return motion_ == 0; }  // no motion runs in it

 private:
  script::Timing timing_;
  Duration start_within_;
  Phase phase_ = Phase::absent;
  Instant since_{};  // of the first claim, then of the upload
  Instant next_claim_{};
  bool claimed_ = false;     // the inputs are ours, the upload comes next
  std::string refused_;      // why they are not
  Instant untaken_since_{};  // the oldest command that it has not taken yet
  std::int32_t sequence_ = 0, identity_ = 0;
  std::int32_t taken_ = 0, finished_ = 0, motion_ = 0;
};

}  // namespace tandem::ur3e
