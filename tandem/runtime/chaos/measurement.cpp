// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::runtime::chaos {
namespace {

// Of an arm the joint that went furthest counts, of all others the way in space.
double step_between(const std::vector<double>& a, const std::vector<double>& b, bool joints) {
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double by = b[i] - a[i];
    sum += by * by;
    most = std::max(most, std::abs(by));
  }
  return joints ? most : std::sqrt(sum);
}

}  // namespace

void Measurement::add(const Sample& sample) {
  if (!seen_) {
    measured_.was_armed = sample.moves && sample.arm.state == ArmState::armed;
    measured_.truth = sample.truth.has_value();
    if (sample.truth) measured_.unit = sample.truth->unit;
    seen_ = true;
  }
  watch_link(sample);
  watch_latch(sample);
  watch_motion(sample);
  if (sample.truth) follow(*sample.truth);
}

void Measurement::follow(const machines::TrueMotion& truth) {
  if (!seen_at_.empty()) measured_.moved += step_between(seen_at_, truth.position, truth.unit == "rad");
  measured_.speed = truth.speed;
  seen_at_ = truth.position;
}

void Measurement::watch_link(const Sample& sample) {
  if (!sample.live && !lost_now_) {
    lost_now_ = measured_.lost = true;
    count_at_loss_ = sample.count;
    measured_.back_after.reset();
    if (!measured_.lost_after) measured_.lost_after = seconds(sample.at - begun_);
  } else if (sample.live && lost_now_ && sample.count > count_at_loss_) {
    lost_now_ = false;
    measured_.back_after = seconds(sample.at - ended_.value_or(sample.at));
  }
}

void Measurement::watch_latch(const Sample& sample) {
  if (!measured_.was_armed) return;
  const bool armed = sample.arm.state == ArmState::armed;
  if (armed && measured_.disarmed_after) measured_.armed_again = true;
  if (armed || measured_.disarmed_after) return;
  measured_.disarmed_after = seconds(sample.at - begun_);
  measured_.stopped = sample.arm.state == ArmState::stopped;
  measured_.cause = sample.arm.cause.view();
}

void Measurement::watch_motion(const Sample& sample) {
  if (!sample.truth || !measured_.was_armed || stood_ || measured_.armed_again) return;
  const machines::TrueMotion& truth = *sample.truth;
  if (!from_ && (from_begin_ || measured_.disarmed_after)) {
    from_ = from_begin_ ? begun_ : sample.at;
    rest_ = std::max(slowest, share_of_speed * truth.speed);
  } else if (from_) {
    way_ += step_between(place_, truth.position, truth.unit == "rad");
  }
  place_ = truth.position;
  if (!from_ || !measured_.disarmed_after) return;
  measured_.distance = way_;
  if (truth.speed > rest_) {
    below_.reset();
    return;
  }
  if (!below_) {
    below_ = sample.at;
    way_below_ = way_;
  }
  measured_.standstill_after = seconds(*below_ - *from_);
  measured_.distance = way_below_;
  stood_ = sample.at - *below_ >= stands;
}

bool Measurement::complete(Instant now) const {
  if (!ended_) return false;
  if (now - *ended_ >= patience) return true;
  if (now - *ended_ < least || lost_now_) return false;
  const bool moving = measured_.disarmed_after && measured_.truth && !stood_ && !measured_.armed_again;
  return !moving;
}

std::string words_of(const Measured& measured, bool is_virtual, bool moves) {
  std::string words;
  if (measured.disarmed_after) {
    words = fmt::format("{} after {:.2f} s ({})", measured.stopped ? "stopped" : "disarmed", *measured.disarmed_after,
                        measured.cause);
    if (!measured.truth) {
      words += is_virtual ? ", motion not measured: its virtual device has no physics"
                          : ", motion not measured: a real device has no truth";
    } else if (measured.standstill_after) {
      words += fmt::format(", moved {:#.3g} {} until standstill after {:.2f} s", measured.distance, measured.unit,
                           *measured.standstill_after);
    } else {
      words += fmt::format(", moved {:#.3g} {} and {}", measured.distance, measured.unit,
                           measured.armed_again ? "was armed again" : "was still moving at the end");
    }
  } else {
    words = measured.was_armed ? "stayed armed" : moves ? "was not armed" : "is read-only";
  }
  if (!measured.lost) return words + ", link stayed live";
  words += fmt::format(", link lost after {:.2f} s", *measured.lost_after);
  if (!measured.back_after) return words + ", not live again";
  return words + (*measured.back_after > 0 ? fmt::format(", live again {:.2f} s after the faults", *measured.back_after)
                                           : std::string(", live again during the faults"));
}

}  // namespace tandem::runtime::chaos
