// SPDX-License-Identifier: Apache-2.0
// JSON of VDA 5050 2.x as messages. Total: any bytes give a message or the problem for state.errors, which names the
// field, what was expected and what came, with the references by which a master finds its message again.
#pragma once

#include <optional>
#include <string_view>

#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::vda5050 {

template <typename Message>
struct Parsed {
  std::optional<Message> message;
  Problem problem;  // if there is no message
};

// Types and ranges only; what belongs together is looked at by check_structure() in order.hpp. Reads
// allowedDeviationXY and allowedDeviationXy (2.0's schema).
Parsed<Order> read_order(std::string_view json);
// Reads "actions" (the document) and "instantActions" (a widespread library); both at once are refused.
Parsed<InstantActions> read_instant_actions(std::string_view json);

}  // namespace tandem::vda5050
