// Whether ArduSub is set up so that vision can help it and our sticks count, by reading its settings. Writes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tandem/protocols/mavlink/parameter_client.hpp"

namespace tandem::orca {

struct SetupOptions {
  std::uint8_t own_system = 200;
  bool absolute = false;  // vision tells where the vehicle is, and not only how it moved
  bool switched = true;   // source set 2 is for the time without vision
};

class SetupCheck {
 public:
  explicit SetupCheck(const SetupOptions& options) : options_(options) {}

  // Asks for everything once more, as after the autopilot was restarted.
  void restart();
  // Asks for what has not been asked for yet, a few at a time. What it does not answer, this ArduSub does not know.
  void poll(Instant now, mavlink::ParameterClient& client);
  bool finished() const { return finished_; }
  // Whether a setting has come, or is another one, since this was last asked.
  bool changed(const mavlink::ParameterClient& client);

  // "set VISO_TYPE=1 (is 0), EK3_SRC1_VELXY=6 (is 3)"; empty when nothing is wrong, as far as is known. Settings that
  // change count as soon as the autopilot tells them.
  std::string advice(const mavlink::ParameterClient& client) const;

  // The system whose sticks the autopilot obeys: ours if it does, else its ground station's, which is 255 unless it
  // says otherwise.
  std::uint8_t pilot_system(const mavlink::ParameterClient& client) const;

  static constexpr std::size_t asked = 18;

 private:
  struct Question {
    std::uint32_t request = 0;  // number at the ParameterClient, 0 for none yet
    bool done = false;
  };

  SetupOptions options_;
  std::array<Question, asked> questions_{};
  std::array<double, asked> seen_{};  // as when changed() was last asked
  bool finished_ = false;
};

}  // namespace tandem::orca
