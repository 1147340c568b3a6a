// SPDX-License-Identifier: Apache-2.0
// Where the virtual vehicle truly is, told on ROS: model/orca/odometry, as a simulator would. A real vehicle has no
// such topic, and nothing that steers listens to it.
#pragma once

#include <memory>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/virtual/device.hpp"

namespace tandem::orca {

// `device` is, or holds, the vehicle. As it is without ROS or without the option `truth`.
std::unique_ptr<machines::VirtualDevice> with_truth(std::unique_ptr<machines::VirtualDevice> device,
                                                    const VirtualDevice& vehicle, const machines::VirtualSetup& setup);

// make_virtual of the machine's type: vehicle, eye and truth, as the options say.
std::unique_ptr<machines::VirtualDevice> make_device_with_truth(const machines::VirtualSetup& setup);
// virtual_on_ros of the machine's type.
bool has_part_on_ros(const machines::Options& options);

}  // namespace tandem::orca
