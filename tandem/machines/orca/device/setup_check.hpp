// SPDX-License-Identifier: Apache-2.0
// Whether ArduSub is set up so that vision can help it, our sticks count, and it stops when they end, by reading its
// settings. Writes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/protocols/mavlink/services/parameter_client.hpp"

namespace tandem::orca {

struct SetupOptions {
  std::uint8_t own_system = 200;
  bool absolute = false;  // vision reports where the vehicle is, and not only how it moved
  bool switched = true;   // source set 2 is for the time without vision
};

// Settings that ArduPilot reads when it starts, and not again.
bool needs_reboot(std::string_view name);

class SetupCheck {
 public:
  explicit SetupCheck(const SetupOptions& options) : options_(options) {}

  // Asks for everything once more, as after the autopilot was restarted.
  void restart();
  // Asks for what has not been asked for yet, a few at a time. What it does not answer, this ArduSub does not know.
  void poll(Instant now, mavlink::ParameterClient& client);
  bool finished() const { return finished_; }
  // Whether the answer for this one has come, or never will; true for names that are not asked for.
  bool settled(std::string_view name) const;
  static bool asks_for(std::string_view name);
  // Whether a setting or an answer has come, or is another one, since this was last asked.
  bool changed(const mavlink::ParameterClient& client);

  // "set VISO_TYPE=1 (is 0, needs a reboot), EK3_SRC1_VELXY=6 (is 3)"; empty when nothing is wrong, as far as is known.
  // Settings that change count as soon as the autopilot reports them, but for those that it reads when it starts: until
  // then they stay part of the advice.
  std::string advice(const mavlink::ParameterClient& client) const;
  // The same for what would let it thrust on once nothing is received from us any more.
  std::string failsafe_advice(const mavlink::ParameterClient& client) const;

  // The system whose sticks the autopilot obeys: ours if it does, else its ground station's, which is 255 unless it
  // says otherwise.
  std::uint8_t pilot_system(const mavlink::ParameterClient& client) const;

  static constexpr std::size_t asked = 23;

 private:
  struct Question {
    std::uint32_t request = 0;  // number at the ParameterClient, 0 for none yet
    bool done = false;
    std::optional<double> answer{};  // the first since the autopilot started, as far as is known
  };

  SetupOptions options_;
  std::array<Question, asked> questions_{};
  std::array<std::optional<double>, asked> seen_{};  // as when changed() was last asked
  bool answered_ = false;                            // one more since then
  bool finished_ = false;
};

}  // namespace tandem::orca
