// SPDX-License-Identifier: Apache-2.0
// Judges whether the PLC's feedback may be believed.
#pragma once

#include <fmt/format.h>

#include <optional>

#include "description.hpp"
#include "tandem/machines/machine.hpp"

namespace gantry {

struct Feedback {
  bool enabled = false;
  Axes position{}, velocity{};  // m, m/s
};

class Gate {
 public:
  // Quality, reason and stop of the cycle; `feedback` changes only if it is live.
  void judge(std::span<const std::uint16_t, feedback_words> words, Feedback& feedback, tandem::machines::Cycle& cycle) {
    std::array<double, feedback_words> value{};
    for (std::size_t row = enabled; row <= vy; ++row) {
      const auto decoded = registers().decode(row, {feedback_at, words});
      if (!decoded) return void(cycle.why = decoded.error().text);  // names the register, its range and the value
      value[row] = *decoded;
    }
    cycle.stop = value[fault] != 0;
    if (cycle.stop) return void(cycle.why = fmt::format("PLC fault: expected 0, got {}", value[fault]));
    if (beat_ != value[beat]) beat_changed_ = cycle.readable;
    beat_ = value[beat];
    const bool runs = cycle.readable - beat_changed_ <= tandem::duration_of(0.1);  // it counts every 10 ms
    cycle.quality = runs ? tandem::Quality::live : tandem::Quality::stale;
    if (!runs) return void(cycle.why = "the PLC answers, but its program does not run");
    feedback = {value[enabled] != 0, {value[x], value[y]}, {value[vx], value[vy]}};
  }

 private:
  std::optional<double> beat_;
  tandem::Instant beat_changed_{};
};

}  // namespace gantry
