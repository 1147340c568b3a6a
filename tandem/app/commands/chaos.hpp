// SPDX-License-Identifier: Apache-2.0
// tandem chaos: faults on the links of a running tandem.
#pragma once

#include <functional>
#include <utility>

namespace CLI {
class App;
}

namespace tandem::app {

std::pair<CLI::App*, std::function<int()>> add_chaos(CLI::App& program);

}  // namespace tandem::app
