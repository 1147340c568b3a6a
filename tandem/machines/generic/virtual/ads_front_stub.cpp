// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "tandem/machines/generic/virtual/front.hpp"

namespace tandem::generic {

std::unique_ptr<Front> make_ads_front(std::shared_ptr<const Description>, const machines::VirtualSetup&) {
  throw std::invalid_argument("the virtual device of an ADS machine is not there yet");
}

}  // namespace tandem::generic
