// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/sea_floor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

#include "tandem/vision/floor_texture.hpp"

namespace tandem::vision {
namespace {

constexpr int light_columns = 40, light_rows = 30;  // light is calculated at these places and smooth between them
constexpr double haze_gray = 70;                    // of water without end
constexpr double closest = 0.02;                    // m above the floor
constexpr int noise_play = 97;  // the sensor's noise is moved by up to this many pixels, frame by frame

// Where the camera's rays meet the floor.
struct FloorSight {
  const Camera& camera;
  const Pose& X_world_camera;
  double drop;  // m from the camera to the plane of the floor along z; negative
  double far;   // m

  // Distance along the ray through a pixel, m; beyond `far` when there is nothing.
  double distance(double u, double v, Eigen::Vector3d& hit) const {
    const Eigen::Vector3d ray = X_world_camera.linear() * camera.ray_through({u, v});
    const double depth = drop / ray.z();
    if (ray.z() >= 0 || !(depth < 1e3)) return std::numeric_limits<double>::infinity();
    hit = X_world_camera.translation() + depth * ray;
    return depth * ray.norm();
  }
};

struct SeenArea {
  double x0 = std::numeric_limits<double>::infinity(), y0 = x0, x1 = -x0, y1 = -x0;  // m
  double nearest = x0;                                                               // m
  bool empty() const { return !(x0 <= x1); }
};

SeenArea area_of(const FloorSight& sight) {
  SeenArea area;
  Eigen::Vector3d hit;
  for (int row = 0; row <= light_rows; ++row) {
    for (int column = 0; column <= light_columns; ++column) {
      const double u = static_cast<double>(column) * sight.camera.width / light_columns;
      const double v = static_cast<double>(row) * sight.camera.height / light_rows;
      const double distance = sight.distance(u, v, hit);
      if (!(distance <= sight.far)) continue;
      area.x0 = std::min(area.x0, hit.x());
      area.y0 = std::min(area.y0, hit.y());
      area.x1 = std::max(area.x1, hit.x());
      area.y1 = std::max(area.y1, hit.y());
      area.nearest = std::min(area.nearest, distance);
    }
  }
  return area;
}

// Patch pixels from image pixels: the homography of the floor's plane.
cv::Matx33d patch_from_image(const FloorSight& sight, const FloorPatch& patch) {
  const Eigen::Matrix3d rays = sight.X_world_camera.linear() * sight.camera.matrix().inverse();
  const Eigen::Vector3d eye = sight.X_world_camera.translation();
  cv::Matx33d result;
  for (int i = 0; i < 3; ++i) {
    result(0, i) = ((eye.x() - patch.x) * rays(2, i) + sight.drop * rays(0, i)) / patch.size;
    result(1, i) = ((eye.y() - patch.y) * rays(2, i) + sight.drop * rays(1, i)) / patch.size;
    result(2, i) = rays(2, i);
  }
  return result;
}

// How much of the floor's light arrives (0 to 255), and how much light the water adds, at each place of the image.
void light_of(const FloorSight& sight, const SeaFloorSettings& settings, cv::Mat& arriving, cv::Mat& added) {
  arriving.create(light_rows, light_columns, CV_8U);
  added.create(light_rows, light_columns, CV_8U);
  Eigen::Vector3d hit;
  for (int row = 0; row < light_rows; ++row) {
    for (int column = 0; column < light_columns; ++column) {
      const double x = (column + 0.5) / light_columns, y = (row + 0.5) / light_rows;
      const double distance = sight.distance(x * sight.camera.width - 0.5, y * sight.camera.height - 0.5, hit);
      const double fade = std::clamp((settings.far - distance) / (0.15 * settings.far), 0.0, 1.0);
      const double passed = fade > 0 ? fade * std::exp(-settings.attenuation * distance) : 0;
      const double corner = 2 * ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5));  // 1 in the corners
      const double lens = 1 - settings.vignette * corner;
      arriving.at<std::uint8_t>(row, column) = cv::saturate_cast<std::uint8_t>(255 * lens * passed);
      added.at<std::uint8_t>(row, column) = cv::saturate_cast<std::uint8_t>(haze_gray * lens * (1 - passed));
    }
  }
}

void require_floor(const SeaFloorSettings& settings) {
  const auto require = [](const char* what, double value, double low, double high) {
    if (value >= low && value <= high) return;
    throw std::invalid_argument(fmt::format("sea floor: {}: expected {} to {}, got {}", what, low, high, value));
  };
  require("height", settings.height, -1e4, 1e4);
  require("far", settings.far, 0.1, 10);
  require("attenuation", settings.attenuation, 0, 100);
  require("vignette", settings.vignette, 0, 1);
  require("noise", settings.noise, 0, 100);
}

}  // namespace

struct SeaFloor::Impl {
  explicit Impl(const SeaFloorSettings& chosen) : settings(chosen), texture(chosen.seed), dice(chosen.seed + 1) {
    require_floor(chosen);
    cv::setNumThreads(1);
  }

  void draw(const FloorSight& sight, cv::Mat& image) {
    const SeenArea area = area_of(sight);
    if (area.empty()) {
      image.setTo(0);
    } else {
      const double seen = area.nearest / sight.camera.fx;  // m per pixel where it is sharpest
      const int level = std::clamp(cvRound(std::log2(seen / FloorTexture::texel)), 0, 3);
      constexpr double margin = 0.1;  // m, for what lies between the rays that were asked
      const FloorPatch& patch =
          texture.cover(area.x0 - margin, area.y0 - margin, area.x1 + margin, area.y1 + margin, level);
      cv::warpPerspective(patch.picture, image, patch_from_image(sight, patch), image.size(),
                          cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    }
    light_of(sight, settings, arriving, added);
    cv::resize(arriving, arriving_full, image.size(), 0, 0, cv::INTER_LINEAR);
    cv::resize(added, added_full, image.size(), 0, 0, cv::INTER_LINEAR);
    cv::multiply(image, arriving_full, image, 1 / 255.0);
    cv::add(image, added_full, image);
  }

  void add_noise(cv::Mat& image) {
    const cv::Size size(image.cols + noise_play, image.rows + noise_play);
    if (noise.size() != size) {
      noise.create(size, CV_16S);
      dice.fill(noise, cv::RNG::NORMAL, 0, settings.noise);
    }
    const cv::Point from(dice.uniform(0, noise_play), dice.uniform(0, noise_play));
    cv::add(image, noise(cv::Rect(from, image.size())), image, cv::noArray(), CV_8U);
  }

  SeaFloorSettings settings;
  FloorTexture texture;
  cv::RNG dice;
  cv::Mat noise, arriving, added, arriving_full, added_full;
};

SeaFloor::SeaFloor(const SeaFloorSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}
SeaFloor::SeaFloor(SeaFloor&&) noexcept = default;
SeaFloor& SeaFloor::operator=(SeaFloor&&) noexcept = default;
SeaFloor::~SeaFloor() = default;

void SeaFloor::render(const Camera& camera, const Pose& X_world_camera, GrayImage& image) {
  if (!check(camera)) {
    image = {};
    return;
  }
  image.width = camera.width;
  image.height = camera.height;
  image.pixels.resize(static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height));
  cv::Mat pixels(camera.height, camera.width, CV_8U, image.pixels.data());
  const double drop = impl_->settings.height - X_world_camera.translation().z();
  const bool in_place = X_world_camera.matrix().allFinite() && drop < -closest &&
                        X_world_camera.translation().head<2>().cwiseAbs().maxCoeff() < 1e5;
  if (in_place) {
    impl_->draw({camera, X_world_camera, drop, impl_->settings.far}, pixels);
  } else {
    pixels.setTo(haze_gray);
  }
  if (impl_->settings.noise > 0) impl_->add_noise(pixels);
}

}  // namespace tandem::vision
