// SPDX-License-Identifier: Apache-2.0
// Where an axis has its numbers, and how they are written.
#pragma once

#include <string>
#include <vector>

#include "tandem/plot/figure.hpp"

namespace tandem::plot {

struct Tick {
  double value = 0;
  std::string text;
};

// At most `most` (2 or more) round numbers within the range: multiples of 1, 2 or 5 times a power of ten, all with the
// same digits behind the point.
std::vector<Tick> ticks(const Range& range, int most);

// The range a little wider, and never without extent: for axes that follow their data.
Range padded(const Range& range, double share = 0.04);

}  // namespace tandem::plot
