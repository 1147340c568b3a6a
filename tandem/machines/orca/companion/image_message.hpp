// SPDX-License-Identifier: Apache-2.0
// Images and cameras between ROS messages and ours: any message gives a value, or an error that says why not.
#pragma once

#include <string_view>

#include "tandem/base/result.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/vision/camera.hpp"

namespace tandem::orca {

// Gray as it comes (mono8), or from colours (rgb8, bgr8) by ITU-R BT.601. `gray` keeps its memory.
Result<void> read_image(const ros2::sensor_msgs::Image& message, vision::GrayImage& gray);
// As mono8; header and memory stay.
void fill(ros2::sensor_msgs::Image& message, const vision::GrayImage& gray);

// Of the whole unbinned image, and without distortion: an image with it has to be rectified before.
Result<vision::Camera> camera_from(const ros2::sensor_msgs::CameraInfo& message);
ros2::sensor_msgs::CameraInfo camera_info_from(const vision::Camera& camera, std::string_view frame);

}  // namespace tandem::orca
