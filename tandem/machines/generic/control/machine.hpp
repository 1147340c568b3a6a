// SPDX-License-Identifier: Apache-2.0
// A device that a file describes as a machine of the runtime: reads its signals, publishes them, and writes its outputs
// while armed.
#pragma once

#include <memory>

#include "tandem/machines/machine.hpp"

namespace tandem::generic {

class Link;

// Of Setup::own, an OwnDescription. Throws std::invalid_argument if the device URL is invalid.
std::unique_ptr<machines::Machine> make_machine(const machines::Setup& setup);
// The same over another link, for tests.
std::unique_ptr<machines::Machine> make_machine(const machines::Setup& setup, std::unique_ptr<Link> link);

}  // namespace tandem::generic
