// SPDX-License-Identifier: Apache-2.0
// Entries of state.errors with the references by which masters find what they are about.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::vda5050 {

inline Problem problem(std::string_view type, std::string description, std::vector<Reference> references = {}) {
  return {std::string(type), ErrorLevel::warning, std::move(description), "", std::move(references)};
}

// About an order: topic, headerId, orderId and orderUpdateId come first, as a master needs all four.
Problem order_problem(const Order& order, std::string_view type, std::string description,
                      std::vector<Reference> more = {});
Problem action_problem(const InstantActions& message, const Action& action, std::string_view type,
                       std::string description, std::vector<Reference> more = {});

}  // namespace tandem::vda5050
