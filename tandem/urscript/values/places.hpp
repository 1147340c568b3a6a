// SPDX-License-Identifier: Apache-2.0
// Elements and members: reading them, changing them in place, and the methods of lists.
#pragma once

#include <span>

#include "tandem/urscript/link/code.hpp"

namespace tandem::urscript {

Result<Value> element(const Value& value, std::span<const Value> indices);
Result<Value> member(const Value& value, std::string_view name);

Result<void> store(Value& variable, const Place& place, std::span<const Value> indices, Value value);
Result<Value> call_method(Value& variable, const MethodCall& method, std::span<const Value> indices,
                          std::span<const Value> arguments);

}  // namespace tandem::urscript
