// SPDX-License-Identifier: Apache-2.0
// What a running tandem shows on a terminal of a given size: a pure function, so that it can be tested.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tandem/runtime/supervision/status.hpp"

namespace tandem::app {

struct ScreenSize {
  std::size_t columns = 80, rows = 24;
};

// At most `rows` lines of at most `columns`. The head and `kept` (the page's address, wrapped and never cut) are always
// there. Below them every machine with all its values where there is room, else one line each; then the newest of
// `recent`.
std::vector<std::string> screen_lines(const runtime::SystemStatus& status, const std::string& kept,
                                      const std::deque<std::string>& recent, const ScreenSize& size);

}  // namespace tandem::app
