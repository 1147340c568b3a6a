// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "tandem/machines/generic/control/machine.hpp"
#include "tandem/machines/generic/schema/read.hpp"

namespace tandem::generic {

std::unique_ptr<machines::Machine> make_machine(const machines::Setup& setup) {
  const auto* own = dynamic_cast<const OwnDescription*>(setup.own.get());
  if (own == nullptr || own->description == nullptr)
    throw std::invalid_argument(setup.name + ": expected the description of a device, got none");
  const LinkSetup link{own->description, setup.device, setup.tap};
  return std::make_unique<Machine>(
      setup, own->description,
      own->description->protocol == Protocol::ads ? make_ads_link(link) : make_modbus_link(link));
}

}  // namespace tandem::generic
