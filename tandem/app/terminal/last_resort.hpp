// SPDX-License-Identifier: Apache-2.0
// Puts the terminal back into order when a signal ends the process.
#pragma once

namespace tandem::app {

// `restore` is called before a crash or an ending signal that is neither blocked nor handled by anything else (a
// sanitizer, nohup) ends the process as it would have done. It may do only what a signal handler may. Null: no longer.
// One per process.
void restore_before_death(void (*restore)());
// Calls it now: for a signal handler that ends the process itself.
void restore_terminal();

}  // namespace tandem::app
