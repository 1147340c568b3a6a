// SPDX-License-Identifier: Apache-2.0
// What faults did to a machine, from samples of its link, its latch and the truth of its virtual device. Pure; time is
// passed in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/machines/machine.hpp"
#include "tandem/runtime/supervision/arm_latch.hpp"

namespace tandem::runtime::chaos {

// How a machine is at one moment.
struct Sample {
  Instant at{};
  bool live = false;                // its link, with fresh samples
  std::string_view state, quality;  // of the link
  double rate = 0;                  // live samples per second
  double age = -1;                  // of the newest live one, s; negative: there was none
  std::uint64_t count = 0;          // live ones since the start
  bool moves = false;               // has an arm latch
  ArmStatus arm;                    // of the latch
  std::optional<machines::TrueMotion> truth;
};

struct Measured {
  bool was_armed = false, lost = false, stopped = false, truth = false;
  bool armed_again = false;                // by somebody; then the motion is not that of the fault
  std::string cause;                       // why it was disarmed
  std::optional<double> lost_after;        // s since the beginning
  std::optional<double> disarmed_after;    // s since the beginning
  std::optional<double> back_after;        // live again, s since the end of the faults; negative: before that
  double distance = 0;                     // the way since the loss, m or rad
  std::optional<double> standstill_after;  // s since the loss
  std::string unit;                        // "m" or "rad"; empty: no truth
  double moved = 0, speed = 0;             // by truth: since the beginning, whatever moved it, and now
};

class Measurement {
 public:
  // `breaks_link`: the way counts from the beginning; otherwise from the disarm, since until then it follows commands.
  Measurement(Instant begun, bool breaks_link) : begun_(begun), from_begin_(breaks_link) {}

  void add(const Sample& sample);
  void faults_ended(Instant at) { ended_ = at; }
  // Nothing more will be learnt, or the faults are over for ten seconds.
  bool complete(Instant now) const;
  // True once the link was live after the faults, or was never lost.
  const Measured& result() const { return measured_; }

 private:
  void watch_link(const Sample& sample);
  void watch_latch(const Sample& sample);
  void watch_motion(const Sample& sample);
  void follow(const machines::TrueMotion& truth);

  static constexpr Duration patience = 10s;       // after the faults
  static constexpr Duration least = 1s;           // after the faults: what was late may still come
  static constexpr Duration stands = 500ms;       // below the speed of rest for this long
  static constexpr double slowest = 0.005;        // m/s or rad/s: below this nothing moves
  static constexpr double share_of_speed = 0.05;  // and below this share of the speed at the loss

  const Instant begun_;
  const bool from_begin_;
  std::optional<Instant> ended_;
  bool seen_ = false;  // a sample
  bool lost_now_ = false;
  std::uint64_t count_at_loss_ = 0;
  std::optional<Instant> from_;  // the way and the time count from here
  std::vector<double> place_;    // the last one
  std::vector<double> seen_at_;  // so, whether the motion is that of the fault or not
  double rest_ = slowest, way_ = 0;
  std::optional<Instant> below_;  // the speed of rest since then
  double way_below_ = 0;          // the way until then
  bool stood_ = false;
  Measured measured_;
};

// One line for people: "disarmed after 0.31 s (link lost: ...), moved 0.42 m until standstill after 0.9 s, ...".
std::string words_of(const Measured& measured, bool is_virtual, bool moves);

}  // namespace tandem::runtime::chaos
