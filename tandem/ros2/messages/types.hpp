// A list of types. Every package of messages ends with three: its messages, its services, its actions.
#pragma once

namespace tandem::ros2 {

template <typename... T>
struct Types {};

}  // namespace tandem::ros2
