// SPDX-License-Identifier: Apache-2.0
// In which order the behaviours of a virtual device are evaluated, so that a chain of them has no lag.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::generic {

struct OrderNode {
  std::string name;                // for errors
  std::vector<std::size_t> reads;  // other nodes, or itself
  bool breaks_loops = false;       // may read values of the step before, where it has to
};

struct Order {
  std::vector<std::size_t> sorted;      // a node comes behind all that it reads, except:
  std::vector<std::vector<bool>> late;  // for each node and each of its reads: reads the step before
};

// Fails for a loop in which every node needs values of the same step; the error names the loop.
Result<Order> evaluation_order(std::span<const OrderNode> nodes);

}  // namespace tandem::generic
