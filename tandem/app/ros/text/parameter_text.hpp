// SPDX-License-Identifier: Apache-2.0
// Values of parameters as people write and read them.
#pragma once

#include <string>

#include "tandem/base/result.hpp"
#include "tandem/ros2/parameters/store.hpp"

namespace tandem::app::ros {

// As YAML reads it: true, 5, 0.5, text, [1, 2]. Where the parameter has a type already, a whole number may be a double
// and anything may be text. An empty list takes that type too.
Result<ros2::ParameterValue> parameter_from_text(const std::string& text, std::size_t type);

// As YAML writes it in one line.
std::string yaml_from_parameter(const ros2::ParameterValue& value);

// "Double value is: 0.5", as ros2 says it.
std::string sentence_from_parameter(const ros2::ParameterValue& value);
// The value alone, as Python prints it.
std::string python_from_parameter(const ros2::ParameterValue& value);

}  // namespace tandem::app::ros
