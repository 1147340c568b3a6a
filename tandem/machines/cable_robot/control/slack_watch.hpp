// SPDX-License-Identifier: Apache-2.0
// Looks after the cables: slack is wound in, a cut cable, a stuck winch, an overload are named.
#pragma once

#include <array>
#include <limits>

#include "tandem/machines/cable_robot/control/border.hpp"
#include "tandem/machines/cable_robot/winches.hpp"

namespace tandem::cable_robot {

// What was found; from `cut` on it ends the motion and stays until the next start.
enum class Finding : std::uint8_t {
  fine,
  slack,     // and being wound in
  cut,       // or its load cell is dead: no tension although the cable is too short to hang
  stuck,     // a drum does not follow
  overload,  // a tension above what the cable bears
  sensor,    // a device says its encoder or load cell is broken
  feedback,  // NaN or infinity
};
const char* name(Finding finding);

struct SlackOptions {
  double slack_time = 0.02;      // s below the least tension
  double wind_in = 0.05;         // m/s
  double cut_length = 0.01;      // m wound in without any tension, which it lost at once
  double lost_length = 0.03;     // m, where it lost it bit by bit
  double at_once = 0.02;         // s from well taut to no tension
  double cut_time = 0.03;        // s without tension while the others say that it must be taut
  double cut_stretch = 2e-4;     // m that it must be stretched by their word, at least
  double following = 0.01;       // m a drum may be from its command
  double following_time = 0.05;  // s
  double overload = 1.2;         // times the most tension of the robot
  double overload_time = 0.02;   // s
};

struct CableExpectation {
  cables::PerCable commanded;  // m, unwound: what the winches were last commanded; empty when they follow tensions
  cables::PerCable lengths;    // m: stretched, by the pose of the other cables; comparable with the encoders
  cables::PerCable tensions;   // N wanted
  bool lengths_told = false;   // the pose is that of the taut cables, and says something of a slack one
};

class SlackWatch {
 public:
  struct Verdict {
    Finding finding = Finding::fine;
    int cable = -1;
    std::uint16_t slack = 0;  // one bit for each cable
    Reason why;
  };

  SlackWatch(const cables::Robot& robot, const SlackOptions& options);
  void restart();
  // Nothing throws or allocates.
  Verdict step(const WinchFeedback& feedback, const CableExpectation& expected, double dt);
  // No longer looked after: it is known to be cut. The others may hang with so little, N.
  void give_up(int cable, double least);

  // Only the cable that was slack first is wound in: what others lack may come of it, and comes back with it.
  // m, positive: by how much each cable is to be shorter than it would be, since it was slack.
  const cables::PerCable& wound_in() const { return wound_in_; }
  std::uint16_t slack() const { return slack_; }
  std::uint16_t gone() const { return gone_; }              // given up
  std::uint64_t recoveries() const { return recoveries_; }  // cables that were slack and became taut

 private:
  struct Timers {
    double slack = 0, collapsed = 0, following = 0, overload = 0;  // s that it has been so
    double loosened = std::numeric_limits<double>::infinity();     // s since it was well taut
    bool at_once = false;                                          // it lost its tension
  };
  Finding look_at(int i, const WinchFeedback& feedback, const CableExpectation& expected, double dt);
  void look_for_slack(int i, double tension, double dt);
  bool first_slack(int i) const;  // no other is slack for longer
  void tend(int i, const WinchFeedback& feedback, const CableExpectation& expected, double dt);
  Reason words(Finding finding, int i, const WinchFeedback& feedback, const CableExpectation& expected) const;

  cables::Robot robot_;
  SlackOptions options_;
  std::array<Timers, cables::most_cables> timers_{};
  cables::PerCable wound_in_;
  double least_;  // N
  std::uint16_t slack_ = 0, gone_ = 0;
  std::uint64_t recoveries_ = 0;
};

}  // namespace tandem::cable_robot
