// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/slack_watch.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/machines/cable_robot/control/reason.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double give_back_rate = 5;  // 1/s: what was wound in too far is given back so fast
constexpr double no_tension = 0.5;    // times the least: as good as none
constexpr double well_taut = 2;       // times the least
constexpr double clearly_taut = 0.5;  // times the wanted tension
constexpr double same_moment = 1e-4;  // s: cables slack for as long as this became so together

std::uint16_t bit_of(int i) { return static_cast<std::uint16_t>(1U << static_cast<unsigned>(i)); }

bool lasted(double& timer, bool is_so, double dt, double limit) {
  timer = is_so ? timer + dt : 0;
  return is_so && timer >= limit;
}

bool sound_feedback(const WinchFeedback& feedback, int cables) {
  return feedback.lengths.size() == cables && feedback.tensions.size() == cables && feedback.lengths.allFinite() &&
         feedback.tensions.allFinite() && (feedback.lengths.array() > 0).all();
}

}  // namespace

const char* name(Finding finding) {
  switch (finding) {
    case Finding::fine:
      return "fine";
    case Finding::slack:
      return "slack";
    case Finding::cut:
      return "cut";
    case Finding::stuck:
      return "stuck";
    case Finding::overload:
      return "overload";
    case Finding::sensor:
      return "sensor";
    case Finding::feedback:
      return "feedback";
  }
  return "unknown";
}

SlackWatch::SlackWatch(const cables::Robot& robot, const SlackOptions& options) : robot_(robot), options_(options) {
  restart();
}

void SlackWatch::restart() {
  timers_.fill({});
  wound_in_ = cables::PerCable::Zero(robot_.cables());
  least_ = robot_.design().tension.least;
  slack_ = gone_ = 0;
}

void SlackWatch::give_up(int cable, double least) {
  if (cable < 0 || cable >= robot_.cables()) return;
  gone_ |= bit_of(cable);
  slack_ |= bit_of(cable);
  least_ = std::min(least_, least);
}

void SlackWatch::look_for_slack(int i, double tension, double dt) {
  const bool was_slack = (slack_ & bit_of(i)) != 0;
  Timers& timers = timers_[static_cast<std::size_t>(i)];
  timers.loosened = tension > well_taut * least_ ? 0 : timers.loosened + dt;
  if (tension >= least_) timers.at_once = false;
  if (tension < no_tension * least_ && timers.loosened <= options_.at_once) timers.at_once = true;
  if (lasted(timers.slack, tension < least_, dt, options_.slack_time)) {
    slack_ |= bit_of(i);
  } else if (was_slack && tension >= least_) {
    slack_ &= static_cast<std::uint16_t>(~bit_of(i));
    ++recoveries_;
  }
}

bool SlackWatch::first_slack(int i) const {
  const double mine = timers_[static_cast<std::size_t>(i)].slack;
  for (int k = 0; k < robot_.cables(); ++k) {
    if ((gone_ & bit_of(k)) == 0 && timers_[static_cast<std::size_t>(k)].slack > mine + same_moment) return false;
  }
  return true;
}

Finding SlackWatch::look_at(int i, const WinchFeedback& feedback, const CableExpectation& expected, double dt) {
  Timers& timers = timers_[static_cast<std::size_t>(i)];
  const std::uint16_t flags = feedback.flags[static_cast<std::size_t>(i)];
  const double tension = feedback.tensions[i], unwound = feedback.lengths[i];
  if (has(flags, WinchFlag::sensor)) return Finding::sensor;

  const bool behind = expected.commanded.size() > i && std::abs(expected.commanded[i] - unwound) > options_.following;
  if (lasted(timers.following, behind, dt, options_.following_time) || has(flags, WinchFlag::following))
    return Finding::stuck;

  const bool overloaded = tension > options_.overload * robot_.design().tension.most;
  if (lasted(timers.overload, overloaded, dt, options_.overload_time) || has(flags, WinchFlag::overload))
    return Finding::overload;

  // With one cut the platform swings, and others are slack by turns: that says nothing of them.
  const bool none = tension < no_tension * least_ && first_slack(i) && gone_ == 0;
  // What the tension must be when the cable is where the others say it is.
  const double stretch = expected.lengths_told && expected.lengths.size() > i ? expected.lengths[i] - unwound : 0;
  const double must_be = stretch / unwound * robot_.design().stiffness;
  const bool taut =
      stretch > options_.cut_stretch && must_be > std::max(well_taut * least_, clearly_taut * expected.tensions[i]);
  if (lasted(timers.collapsed, none && taut, dt, options_.cut_time)) return Finding::cut;
  if (none && wound_in_[i] >= (timers.at_once ? options_.cut_length : options_.lost_length)) return Finding::cut;
  return (slack_ & bit_of(i)) != 0 ? Finding::slack : Finding::fine;
}

void SlackWatch::tend(int i, const WinchFeedback& feedback, const CableExpectation& expected, double dt) {
  double& wound_in = wound_in_[i];
  const double wanted = expected.tensions[i], excess = feedback.tensions[i] - wanted;
  const double longest = std::max(options_.cut_length, options_.lost_length);
  if ((slack_ & bit_of(i)) != 0) {
    if (!first_slack(i) || gone_ != 0) return;
    // Where next to no tension is wanted, as while tensions are built up, there is nothing to be made good.
    if (wanted >= least_) wound_in = std::min(wound_in + options_.wind_in * dt, longest);
  } else if (wound_in > 0 && excess > 0) {
    const double stretch = excess * feedback.lengths[i] / robot_.design().stiffness;
    wound_in = std::max(wound_in - std::min(options_.wind_in * dt, give_back_rate * stretch * dt), 0.0);
  }
}

SlackWatch::Verdict SlackWatch::step(const WinchFeedback& feedback, const CableExpectation& expected, double dt) {
  Verdict verdict;
  if (!sound_feedback(feedback, robot_.cables()) || expected.tensions.size() != robot_.cables()) {
    verdict.finding = Finding::feedback;
    verdict.why = "winch feedback contains NaN or infinity";
    return verdict;
  }
  for (int i = 0; i < robot_.cables(); ++i) {
    if ((gone_ & bit_of(i)) == 0) look_for_slack(i, feedback.tensions[i], dt);
  }
  for (int i = 0; i < robot_.cables(); ++i) {
    if ((gone_ & bit_of(i)) != 0) continue;
    const Finding found = look_at(i, feedback, expected, dt);
    const bool first = found == Finding::slack && verdict.finding == found && first_slack(i);
    if (found != Finding::fine && (found > verdict.finding || first)) {
      verdict.finding = found;
      verdict.cable = i;
    }
    tend(i, feedback, expected, dt);
  }
  verdict.slack = slack_;
  if (verdict.cable >= 0) verdict.why = words(verdict.finding, verdict.cable, feedback, expected);
  return verdict;
}

Reason SlackWatch::words(Finding finding, int i, const WinchFeedback& feedback,
                         const CableExpectation& expected) const {
  const double tension = feedback.tensions[i];
  switch (finding) {
    case Finding::slack:
      return reason("cable{} is slack ({:.2f} N, minimum {:g} N): winding in", i, tension, least_);
    case Finding::cut:
      return reason("cable{0} is cut or its load cell failed: expected {2:.1f} N, got {1:.2f} N", i, tension,
                    expected.tensions[i]);
    case Finding::stuck:
      if (expected.commanded.size() > i)
        return reason("winch {} is stuck: {:.4f} m unwound, commanded {:.4f} m", i, feedback.lengths[i],
                      expected.commanded[i]);
      return reason("winch {} is stuck: it reports that its drum does not follow", i);
    case Finding::overload:
      return reason("cable{} is overloaded: {:.1f} N, maximum {:g} N", i, tension, robot_.design().tension.most);
    case Finding::sensor:
      return reason("winch {} reports a failed encoder or load cell", i);
    case Finding::fine:
    case Finding::feedback:
      break;
  }
  return {};
}

}  // namespace tandem::cable_robot
