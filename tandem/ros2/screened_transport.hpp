// UDP for Fast DDS without the messages that would harm it. Only sources of this folder include this header.
#pragma once

#include <fastdds/rtps/transport/TransportDescriptorInterface.h>

#include <functional>
#include <memory>
#include <string>

namespace tandem::ros2 {

// Messages with an fault for the screen are dropped. `tell` gets a sentence at the first, second, fourth ... of them,
// from a receive thread; it must not block.
std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> screened_transport(
    std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> udp, std::function<void(std::string)> tell);

}  // namespace tandem::ros2
