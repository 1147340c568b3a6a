// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::plot {

std::vector<Tick> ticks(const Range& range, int most) {
  std::vector<Tick> found;
  const double extent = range.extent();
  if (!(extent > 0) || !std::isfinite(extent)) return found;
  const int wanted = std::clamp(most, 2, 100);
  const auto within = [&range](double step) {
    return std::floor(range.high / step + 1e-9) - std::ceil(range.low / step - 1e-9) + 1;
  };
  const int power = static_cast<int>(std::floor(std::log10(extent / wanted)));
  double step = std::pow(10.0, power);
  for (int i = 0; i < 9 && within(step) > wanted; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  const int digits = std::clamp(-static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 12);
  const bool long_numbers = std::max(std::abs(range.low), std::abs(range.high)) >= 1e6 || step < 1e-6;
  for (double k = std::ceil(range.low / step - 1e-9); k <= std::floor(range.high / step + 1e-9); ++k) {
    const double value = k == 0 ? 0 : k * step;
    found.push_back({value, long_numbers ? fmt::format("{:.6g}", value) : fmt::format("{:.{}f}", value, digits)});
    if (found.size() > 200) break;
  }
  return found;
}

Range padded(const Range& range, double share) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.low > range.high) return {0, 1};
  const double extent = range.extent();
  const double more = extent > 0 ? share * extent : std::max(std::abs(range.low) * 0.1, 0.5);
  return {range.low - more, range.high + more};
}

}  // namespace tandem::plot
