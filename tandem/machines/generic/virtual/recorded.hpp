// SPDX-License-Identifier: Apache-2.0
// What a recording has of a signal, as the virtual device's.
#pragma once

#include "tandem/machines/generic/virtual/table.hpp"

namespace tandem::generic {

// The values of the signal's topic, in any namespace, in SI as published; times count from the recording's beginning.
// At most a million. Throws std::invalid_argument for a file that has none.
Rows recorded_rows(const std::string& file, const std::string& name, const std::string& node);

// Repeats the recording's own steps; with `again` from the beginning once it has ended.
std::unique_ptr<Behaviour> make_recorded(const Sim& sim, const BehaviourSetup& setup);

}  // namespace tandem::generic
