// SPDX-License-Identifier: Apache-2.0
// Lines on the script ports that are not URScript: the controller's own words, such as "power on".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tandem::ur3e {

enum class Word : std::uint8_t {
  power_on,
  power_off,
  run,        // "set robotmode run": power on if needed, release the brakes, leave freedrive
  freedrive,  // "set robotmode freedrive"
  unlock,     // "set unlock protective stop"
  stop,       // the main program
  pause,
  resume,
  speed,  // "set speed 0.5": the slider
  simulation,
  real,
};

struct ControllerWord {
  Word word{};
  double number = 0;  // speed: 0 to 1
};

// Nothing if the text is anything but exactly one such line; blanks around and between its words do not count.
std::optional<ControllerWord> controller_word(std::string_view text);

}  // namespace tandem::ur3e
