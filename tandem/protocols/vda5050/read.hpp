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
  // If there is no message. With instant actions it is also what was wrong with a part that was left out; then it has
  // a type.
  Problem problem;
};

// Types and ranges only; what belongs together is looked at by check_structure() in order.hpp. Reads
// allowedDeviationXY and allowedDeviationXy (2.0's schema).
Parsed<Order> read_order(std::string_view json);
// Reads "actions" (the document) and "instantActions" (a widespread library); both at once are refused. Actions that
// are malformed are left out. What stops a vehicle is kept even then, and from a message that is refused otherwise, as
// long as its type can be read and the message names its vehicle.
Parsed<InstantActions> read_instant_actions(std::string_view json);

// Of a message on the topic `connection`; none if it is not one.
std::optional<ConnectionState> read_connection(std::string_view json);

}  // namespace tandem::vda5050
