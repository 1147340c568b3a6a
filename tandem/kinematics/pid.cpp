// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/pid.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::kinematics {

double Pid::step(double target, double measured, double dt) {
  saturated_ = false;
  if (!(dt > 0) || !std::isfinite(dt) || !std::isfinite(target) || !std::isfinite(measured)) return 0;
  const double error = target - measured;
  const double rate = seeded_ ? (measured - last_measured_) / dt : 0;
  const double integral = std::clamp(integral_ + error * dt, -gains_.integral_limit, gains_.integral_limit);
  const double output = gains_.proportional * error + gains_.integral * integral - gains_.derivative * rate;
  if (!std::isfinite(output)) return 0;
  last_measured_ = measured;
  seeded_ = true;
  saturated_ = std::abs(output) >= gains_.output_limit;
  // While the output is at its limit the error must not pile up in that direction; the other way it may shrink.
  const bool piles_up = saturated_ && error * output > 0;
  if (!piles_up) integral_ = integral;
  return std::clamp(output, -gains_.output_limit, gains_.output_limit);
}

void Pid::reset() { *this = Pid(gains_); }

}  // namespace tandem::kinematics
