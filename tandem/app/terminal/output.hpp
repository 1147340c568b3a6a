// SPDX-License-Identifier: Apache-2.0
// Standard output that may not take what is written: a full disk, a pipe that was closed.
#pragma once

#include <functional>

namespace tandem::app {

// The exit code of `command`; or `failure`, with the reason on standard error, if its output could not be written. A
// reader that left early, as `head` does, is no failure.
int with_whole_output(const std::function<int()>& command);

}  // namespace tandem::app
