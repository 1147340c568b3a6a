// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/image_message.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <thread>

#include "tandem/machines/orca/companion/newest_image.hpp"

namespace {

using namespace tandem;
using namespace tandem::orca;
using ros2::sensor_msgs::CameraInfo;
using ros2::sensor_msgs::Image;

// Two rows of three pixels with three bytes of padding each.
Image small_image(const std::string& encoding, std::uint32_t bytes) {
  Image image;
  image.width = 3;
  image.height = 2;
  image.encoding = encoding;
  image.step = 3 * bytes + 3;
  image.data.assign(2 * image.step, 77);
  for (std::uint32_t y = 0; y < 2; ++y) {
    for (std::uint32_t i = 0; i < 3 * bytes; ++i)
      image.data[y * image.step + i] = static_cast<std::uint8_t>(100 * y + 10 * (i / bytes) + i % bytes);
  }
  return image;
}

}  // namespace

TEST_CASE("gray images are read row by row") {
  vision::GrayImage gray;
  REQUIRE(read_image(small_image("mono8", 1), gray).ok());
  CHECK(gray.width == 3);
  CHECK(gray.height == 2);
  CHECK(gray.pixels == std::vector<std::uint8_t>{0, 10, 20, 100, 110, 120});
  Image back;
  fill(back, gray);
  CHECK(back.encoding == "mono8");
  CHECK(back.step == 3);
  CHECK(back.data == gray.pixels);
}

TEST_CASE("colours become gray by their brightness") {
  vision::GrayImage gray;
  Image image;
  image.width = 4;
  image.height = 1;
  image.step = 12;
  image.encoding = "rgb8";
  image.data = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
  REQUIRE(read_image(image, gray).ok());
  CHECK(gray.pixels == std::vector<std::uint8_t>{76, 150, 29, 255});  // BT.601: 0.299, 0.587, 0.114
  image.encoding = "bgr8";
  REQUIRE(read_image(image, gray).ok());
  CHECK(gray.pixels == std::vector<std::uint8_t>{29, 150, 76, 255});
}

TEST_CASE("images that cannot be read say why") {
  vision::GrayImage gray;
  const auto why = [&gray](const Image& image) {
    const auto read = read_image(image, gray);
    return read ? std::string() : read.error().text;
  };
  CHECK(why(small_image("mono16", 2)) == "image: encoding: expected mono8, rgb8 or bgr8, got 'mono16'");
  CHECK(why(small_image(std::string(1000, 'x'), 1)).size() < 200);
  Image image = small_image("rgb8", 3);
  image.data.pop_back();
  CHECK(why(image).empty());  // padding of the last row may be missing
  image.data.resize(image.step + 8);
  CHECK(why(image).find("expected rows of at least 9 bytes") != std::string::npos);
  image = small_image("rgb8", 3);
  image.step = 8;
  CHECK_FALSE(why(image).empty());
  image = small_image("mono8", 1);
  image.width = 0;
  CHECK_FALSE(why(image).empty());
  image.width = image.height = image.step = std::numeric_limits<std::uint32_t>::max();
  CHECK_FALSE(why(image).empty());
}

TEST_CASE("any image message is read or refused") {
  std::mt19937_64 dice(7);
  vision::GrayImage gray;
  const auto below = [&dice](std::uint64_t n) { return static_cast<std::uint32_t>(dice() % n); };
  int read = 0;
  for (int i = 0; i < 2000; ++i) {
    Image image;
    image.width = below(20);
    image.height = below(20);
    image.step = below(80);
    image.encoding = below(2) == 0 ? "mono8" : "bgr8";
    image.data.resize(below(2000));
    if (!read_image(image, gray)) continue;
    ++read;
    CHECK(gray.pixels.size() == image.width * image.height);
  }
  CHECK(read > 100);
}

TEST_CASE("a camera survives its message and others are refused with a reason") {
  const vision::Camera camera;
  const CameraInfo message = camera_info_from(camera, "camera_sensor");
  CHECK(message.header.frame_id == "camera_sensor");
  const auto back = camera_from(message);
  REQUIRE(back.ok());
  CHECK(back->width == 800);
  CHECK(back->height == 600);
  CHECK(back->matrix() == camera.matrix());

  const auto why = [&message](auto change) {
    CameraInfo changed = message;
    change(changed);
    const auto read = camera_from(changed);
    return read ? std::string() : read.error().text;
  };
  CHECK(why([](CameraInfo& info) { info.d = {0.1, 0, 0, 0, 0}; }).find("rectify the images") != std::string::npos);
  CHECK_FALSE(why([](CameraInfo& info) { info.binning_x = 2; }).empty());
  CHECK(why([](CameraInfo& info) { info.binning_x = info.binning_y = 1; }).empty());
  CHECK_FALSE(why([](CameraInfo& info) { info.roi.width = 100; }).empty());
  CHECK_FALSE(why([](CameraInfo& info) { info.roi.x_offset = 1; }).empty());
  CHECK_FALSE(why([](CameraInfo& info) { info.width = 0; }).empty());
  CHECK_FALSE(why([](CameraInfo& info) { info.k = {}; }).empty());
  CHECK_FALSE(why([](CameraInfo& info) { info.k[0] = std::numeric_limits<double>::quiet_NaN(); }).empty());
  CHECK_FALSE(why([](CameraInfo& info) { info.k[1] = 3; }).empty());
}

TEST_CASE("between two threads the newest image arrives whole") {
  NewestImage images;
  CHECK(images.take() == nullptr);
  constexpr int count = 20000;
  int dropped = 0;
  std::jthread receiver([&] {
    for (int i = 1; i <= count; ++i) {
      images.next().image.pixels.assign(64, static_cast<std::uint8_t>(i));
      images.next().stamp = UtcTime(Duration(i));
      dropped += images.post() ? 1 : 0;
    }
  });
  int seen = 0;
  Duration last{};
  while (last.count() < count) {
    const StampedImage* image = images.take();
    if (image == nullptr) continue;
    ++seen;
    REQUIRE(image->stamp.time_since_epoch() > last);
    last = image->stamp.time_since_epoch();
    for (const std::uint8_t pixel : image->image.pixels) REQUIRE(pixel == static_cast<std::uint8_t>(last.count()));
  }
  receiver.join();
  CHECK(seen + dropped == count);
  CHECK(images.take() == nullptr);
}
