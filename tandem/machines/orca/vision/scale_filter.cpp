// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/vision/scale_filter.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::orca {

double ScaleFilter::Scale::spread() const { return std::sqrt(variance); }

bool ScaleFilter::hear(double range, Instant at) {
  if (!std::isfinite(range) || range < options_.least || range >= options_.most) return false;
  sonar_ = {range, at};
  return true;
}

bool ScaleFilter::sonar_fresh(Instant now) const {
  return sonar_.at != Instant{} && now - sonar_.at <= options_.oldest_sonar;
}

bool ScaleFilter::observe(std::uint32_t map, double visual, double metres, Instant now) {
  if (!std::isfinite(visual) || visual <= options_.least_visual || !sonar_fresh(now)) return false;
  const double ratio = metres / visual;
  if (!(ratio > 0) || !std::isfinite(ratio)) return false;
  Scale& scale = place_for(map, now);
  if (scale.ratios == 0) {
    scale.value = ratio;
  } else {
    const double off = ratio / scale.value - 1;
    scale.variance += options_.weight * (std::min(off * off, 1.0) - scale.variance);
    scale.value += options_.weight * (ratio - scale.value);
  }
  ++scale.ratios;
  scale.at = now;
  return true;
}

ScaleFilter::Scale ScaleFilter::scale(std::uint32_t map) const {
  const auto* end = scales_.begin() + count_;
  const auto* known = std::find_if(scales_.begin(), end, [map](const Scale& scale) { return scale.map == map; });
  return known != end ? *known : Scale{.map = map};
}

void ScaleFilter::forget() { count_ = 0; }

ScaleFilter::Scale& ScaleFilter::place_for(std::uint32_t map, Instant now) {
  auto* const end = scales_.begin() + count_;
  auto* place = std::find_if(scales_.begin(), end, [map](const Scale& scale) { return scale.map == map; });
  if (place != end) return *place;
  if (count_ < most_maps) {
    place = scales_.begin() + count_++;
  } else {
    place =
        std::min_element(scales_.begin(), scales_.end(), [](const Scale& a, const Scale& b) { return a.at < b.at; });
  }
  *place = {.map = map, .at = now};
  return *place;
}

}  // namespace tandem::orca
