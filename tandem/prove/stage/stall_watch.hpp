// SPDX-License-Identifier: Apache-2.0
// Notices when the host is late: one thread on each core wants to run every 5 ms and marks when it could not for more
// than 20 ms. What a history shows of such a moment is nobody's fault.
#pragma once

#include <thread>
#include <vector>

#include "tandem/prove/stage/marks.hpp"

namespace tandem::prove {

class StallWatch {
 public:
  explicit StallWatch(Marks& marks);

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace tandem::prove
