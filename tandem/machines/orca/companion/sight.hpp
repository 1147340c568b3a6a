// SPDX-License-Identifier: Apache-2.0
// The virtual vehicle with an eye: what the option `slam` asks for runs beside it.
//
//   none      neither camera nor SLAM (also without ROS)
//   features  slam_status from spots that the camera would see, without any image
//   camera    image_raw and camera_info; the SLAM is another client's (ORB_SLAM3, `tandem slam`)
//   images    the same; beside the machine runs our own SLAM (make_slam), which receives these images only
#pragma once

#include <memory>
#include <span>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/virtual/device.hpp"

namespace tandem::orca {

// Keys: slam, camera_scale, floor_seed.
std::span<const machines::Option> sight_options();

// Whether there is an eye, which needs ROS.
bool sees_on_ros(const machines::Options& options);

// The vehicle as it is, when nothing is to be seen. Throws std::invalid_argument for invalid options.
std::unique_ptr<machines::VirtualDevice> with_sight(std::unique_ptr<VirtualDevice> vehicle,
                                                    const machines::VirtualSetup& setup);

// make_companion of the machine's type: our SLAM for `slam: images`, null otherwise.
std::unique_ptr<machines::Companion> make_slam(const machines::Setup& setup);

}  // namespace tandem::orca
