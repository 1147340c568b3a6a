// SPDX-License-Identifier: Apache-2.0
// UDP for Fast DDS on which static peers, discovery servers and their clients that do not answer hold up nothing. Only
// sources of this folder include this header.
#pragma once

#include <fastdds/rtps/transport/TransportDescriptorInterface.h>

#include <memory>
#include <set>

#include "tandem/ros2/transport/neighbours.hpp"

namespace tandem::ros2 {

std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> peers_transport(
    std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> udp, std::set<Ipv4> peers,
    std::shared_ptr<const Relayed> relayed);

}  // namespace tandem::ros2
