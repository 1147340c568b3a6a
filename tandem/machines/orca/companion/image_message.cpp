// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/image_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/nearest.hpp"

namespace tandem::orca {
namespace {

using ros2::sensor_msgs::CameraInfo;
using ros2::sensor_msgs::Image;

constexpr std::uint32_t longest_side = 8192;  // pixels

// How many bytes a pixel has, and which of them is red; a gray one has one byte.
struct Encoding {
  std::size_t bytes = 0;  // 0: not one of ours
  std::size_t red = 0;
};

Encoding encoding_of(std::string_view name) {
  if (name == "mono8" || name == "8UC1") return {1, 0};
  if (name == "rgb8") return {3, 0};
  if (name == "bgr8") return {3, 2};
  return {};
}

void gray_row(const std::uint8_t* from, std::uint8_t* to, std::size_t width, const Encoding& encoding) {
  if (encoding.bytes == 1) {
    std::copy_n(from, width, to);
    return;
  }
  for (std::size_t i = 0; i < width; ++i, from += 3) {
    const unsigned sum = 299U * from[encoding.red] + 587U * from[1] + 114U * from[2 - encoding.red];
    to[i] = static_cast<std::uint8_t>((sum + 500U) / 1000U);
  }
}

Error camera_error(std::string text) { return {Fault::unsupported, "camera_info: " + std::move(text)}; }

}  // namespace

Result<void> read_image(const Image& message, vision::GrayImage& gray) {
  const Encoding encoding = encoding_of(message.encoding);
  if (encoding.bytes == 0) {
    return Error{Fault::unsupported, fmt::format("image: encoding: expected mono8, rgb8 or bgr8, got '{}'",
                                                 printable(std::string_view(message.encoding).substr(0, 32)))};
  }
  const auto side = [](std::uint32_t pixels) { return pixels >= 1 && pixels <= longest_side; };
  if (!side(message.width) || !side(message.height)) {
    return Error{Fault::invalid, fmt::format("image: expected 1 to {} pixels per side, got {} x {}", longest_side,
                                             message.width, message.height)};
  }
  const std::size_t row = message.width * encoding.bytes;
  const std::size_t least = static_cast<std::size_t>(message.step) * (message.height - 1) + row;
  if (message.step < row || message.data.size() < least) {
    return Error{
        Fault::invalid,
        fmt::format("image: {} x {} {}: expected rows of at least {} bytes, got a step of {} and {} bytes in all",
                    message.width, message.height, message.encoding, row, message.step, message.data.size())};
  }
  gray.width = static_cast<int>(message.width);
  gray.height = static_cast<int>(message.height);
  gray.pixels.resize(static_cast<std::size_t>(message.width) * message.height);
  for (std::size_t y = 0; y < message.height; ++y)
    gray_row(&message.data[y * message.step], &gray.pixels[y * message.width], message.width, encoding);
  return {};
}

void fill(Image& message, const vision::GrayImage& gray) {
  message.width = static_cast<std::uint32_t>(gray.width);
  message.height = static_cast<std::uint32_t>(gray.height);
  message.encoding = "mono8";
  message.is_bigendian = 0;
  message.step = message.width;
  message.data.assign(gray.pixels.begin(), gray.pixels.end());
}

Result<vision::Camera> camera_from(const CameraInfo& message) {
  if (message.width < 1 || message.width > longest_side || message.height < 1 || message.height > longest_side) {
    return camera_error(
        fmt::format("expected 1 to {} pixels per side, got {} x {}", longest_side, message.width, message.height));
  }
  if (std::ranges::any_of(message.d, [](double number) { return number != 0; })) {
    return camera_error(fmt::format("distortion ({}): expected none; rectify the images first (image_proc)",
                                    printable(std::string_view(message.distortion_model).substr(0, 32))));
  }
  if (message.binning_x > 1 || message.binning_y > 1) {
    return camera_error(fmt::format("expected no binning, got {} x {}", message.binning_x, message.binning_y));
  }
  const auto& part = message.roi;
  const bool whole = part.width == 0 || (part.width == message.width && part.height == message.height);
  if (part.x_offset != 0 || part.y_offset != 0 || !whole)
    return camera_error(fmt::format("expected the full image, got a region of {} x {}", part.width, part.height));
  if (message.k[1] != 0) return camera_error(fmt::format("expected no skew, got {}", message.k[1]));
  const vision::Camera camera{.width = static_cast<int>(message.width),
                              .height = static_cast<int>(message.height),
                              .fx = message.k[0],
                              .fy = message.k[4],
                              .cx = message.k[2],
                              .cy = message.k[5]};
  if (auto good = vision::check(camera); !good) return within("camera_info", std::move(good).error());
  return camera;
}

CameraInfo camera_info_from(const vision::Camera& camera, std::string_view frame) {
  CameraInfo message;
  message.header.frame_id = frame;
  message.width = static_cast<std::uint32_t>(camera.width);
  message.height = static_cast<std::uint32_t>(camera.height);
  message.distortion_model = "plumb_bob";
  message.d.assign(5, 0.0);
  message.k = {camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1};
  message.r = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  message.p = {camera.fx, 0, camera.cx, 0, 0, camera.fy, camera.cy, 0, 0, 0, 1, 0};
  return message;
}

}  // namespace tandem::orca
