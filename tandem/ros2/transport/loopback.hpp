// SPDX-License-Identifier: Apache-2.0
// UDP for Fast DDS that stays on loopback and yet reaches every process of this computer. Only sources of this folder
// include this header.
#pragma once

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <memory>

namespace tandem::ros2 {

// Listens and sends on 127.0.0.1 alone. Most processes tell the computer's other addresses and not that one: Fast DDS
// would take them for unreachable from here, this takes them for 127.0.0.1. Addresses of other computers do not count.
std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> loopback_transport(
    std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor> udp);

}  // namespace tandem::ros2
