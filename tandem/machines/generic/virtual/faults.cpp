// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/faults.hpp"

#include <limits>

namespace tandem::generic {

FaultState faults_at(const Declaration& declaration, double period, double t) {
  FaultState state;
  for (const TimedFault& fault : declaration.faults) {
    double length = fault.length > 0 ? fault.length : std::numeric_limits<double>::infinity();
    if (fault.kind == TimedFault::Kind::exception && fault.length <= 0) length = declaration.every.value_or(period);
    if (t < fault.at || t >= fault.at + length) continue;
    switch (fault.kind) {
      case TimedFault::Kind::exception:
        state.exception = fault.code;
        break;
      case TimedFault::Kind::drop:
        state.silent = true;
        break;
      case TimedFault::Kind::freeze:
        state.frozen = true;
        break;
      case TimedFault::Kind::value:
        state.value = fault.value;
        break;
    }
  }
  return state;
}

}  // namespace tandem::generic
