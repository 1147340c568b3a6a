// SPDX-License-Identifier: Apache-2.0
// What a file's timed faults make of a virtual device at one moment. Pure.
#pragma once

#include <optional>

#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

struct FaultState {
  std::uint8_t exception = 0;   // requests that touch the signal get this; 0: none
  bool frozen = false;          // clients read what they read before
  std::optional<double> value;  // what clients read in the place of the behaviour's
  bool silent = false;          // the whole device answers nothing
  friend bool operator==(const FaultState&, const FaultState&) = default;
};

// Those of one signal, `t` seconds after the device began. An exception without a length lasts one reading period.
FaultState faults_at(const Declaration& declaration, double period, double t);

}  // namespace tandem::generic
