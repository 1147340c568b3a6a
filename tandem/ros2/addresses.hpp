// The IPv4 addresses of this computer.
#pragma once

#include <set>
#include <string>

namespace tandem::ros2 {

// Of all interfaces that are up, without loopback.
std::set<std::string> own_addresses();

}  // namespace tandem::ros2
