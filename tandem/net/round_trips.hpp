// SPDX-License-Identifier: Apache-2.0
// The deadline of a set-up that takes many round trips.
#pragma once

#include "tandem/base/clock.hpp"

namespace tandem::net {

// Each round trip may take as long as the first one, which has from now until `first`: a slow device can be set up, and
// a silent one is left after a single unanswered request.
class RoundTrips {
 public:
  explicit RoundTrips(Instant first) : each_(first - now()) {}
  Instant next() const { return now() + each_; }
  Duration each() const { return each_; }

 private:
  Duration each_;
};

}  // namespace tandem::net
