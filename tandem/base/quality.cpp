// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/quality.hpp"

namespace tandem {

const char* name(Quality quality) {
  switch (quality) {
    case Quality::invalid:
      return "invalid";
    case Quality::stale:
      return "stale";
    case Quality::live:
      return "live";
  }
  return "unknown";
}

}  // namespace tandem
