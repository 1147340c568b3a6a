// SPDX-License-Identifier: Apache-2.0
// ROS messages as Python has them, by a type that is known only by its description.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::python {

// tandem/_messages.py makes the objects: make(type name, dict), array(bytes, dtype), pack(array, dtype, field).
struct MessageTools {
  pybind11::object make, array, pack;
};
const MessageTools& message_tools();

// numpy's name of a number: "<f8"; empty for texts and messages.
const char* dtype_of(ros2::DynamicKind kind);

pybind11::object message_from(const ros2::DynamicType& type, Bytes cdr);
// A dict or a Message. What does not fit is an error that names the field.
std::vector<std::uint8_t> bytes_from(const ros2::DynamicType& type, pybind11::handle message);

}  // namespace tandem::python
