// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/patch_match.hpp"

#include <cmath>
#include <opencv2/imgproc.hpp>

namespace tandem::vision {
namespace {

constexpr int patch_radius = 7;
constexpr int patch_side = 2 * patch_radius + 1;
constexpr int patch_size = patch_side * patch_side;
constexpr int wide_side = patch_side + 2;  // with a border for slopes
constexpr float least_texture = 6;  // gray levels per pixel, root mean square slope in the weaker direction, halved
constexpr float least_likeness = 0.75f;  // correlation, 1 is the same

// A square of `side` pixels around a place between pixels; false when it is not all in the image.
bool sample_square(const cv::Mat& image, cv::Point2f centre, int side, float* out) {
  const float left = centre.x - static_cast<float>(side / 2), top = centre.y - static_cast<float>(side / 2);
  if (!(left >= 0) || !(top >= 0)) return false;
  const int column = static_cast<int>(left), row = static_cast<int>(top);
  if (column + side >= image.cols || row + side >= image.rows) return false;
  const float right = left - static_cast<float>(column), down = top - static_cast<float>(row);
  const float a = (1 - right) * (1 - down), b = right * (1 - down), c = (1 - right) * down, d = right * down;
  for (int i = 0; i < side; ++i) {
    const auto* here = image.ptr<unsigned char>(row + i) + column;
    const auto* below = image.ptr<unsigned char>(row + i + 1) + column;
    for (int j = 0; j < side; ++j) {
      *out++ = a * static_cast<float>(here[j]) + b * static_cast<float>(here[j + 1]) +
               c * static_cast<float>(below[j]) + d * static_cast<float>(below[j + 1]);
    }
  }
  return true;
}

void take_mean(std::array<float, patch_size>& values) {
  float sum = 0;
  for (const float value : values) sum += value;
  const float mean = sum / patch_size;
  for (float& value : values) value -= mean;
}

float product(const std::array<float, patch_size>& a, const std::array<float, patch_size>& b) {
  float sum = 0;
  for (int i = 0; i < patch_size; ++i) sum += a[i] * b[i];
  return sum;
}

// What is looked for at one level of the pyramids: gray and slopes without their means, so that brightness is no
// matter.
struct Patch {
  std::array<float, patch_size> gray, across, along;
  float xx = 0, xy = 0, yy = 0;  // products of slopes

  bool cut(const cv::Mat& image, cv::Point2f centre) {
    std::array<float, static_cast<std::size_t>(wide_side * wide_side)> wide;
    if (!sample_square(image, centre, wide_side, wide.data())) return false;
    for (int row = 0, i = 0; row < patch_side; ++row) {
      for (int column = 0; column < patch_side; ++column, ++i) {
        const float* middle = wide.data() + (row + 1) * wide_side + column + 1;
        gray[i] = *middle;
        across[i] = (middle[1] - middle[-1]) / 2;
        along[i] = (middle[wide_side] - middle[-wide_side]) / 2;
      }
    }
    take_mean(gray);
    take_mean(across);
    take_mean(along);
    xx = product(across, across);
    xy = product(across, along);
    yy = product(along, along);
    const float weaker = (xx + yy - std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy)) / 2;
    return weaker > least_texture * patch_size / 4;
  }

  // Moves `at` to where the image is most alike; returns how alike.
  std::optional<float> find(const cv::Mat& image, cv::Point2f& at) const {
    constexpr int most_steps = 10;
    constexpr float far = 8;  // pixels of this level
    const cv::Point2f start = at;
    const float determinant = xx * yy - xy * xy;
    std::array<float, patch_size> seen;
    float likeness = 0;
    for (int i = 0; i < most_steps; ++i) {
      if (!sample_square(image, at, patch_side, seen.data())) return std::nullopt;
      take_mean(seen);
      const float both = product(gray, seen), own = product(gray, gray), other = product(seen, seen);
      if (!(other > 0)) return std::nullopt;
      likeness = both / std::sqrt(own * other);
      const float gain = std::sqrt(own / other);
      float x = 0, y = 0;
      for (int k = 0; k < patch_size; ++k) {
        const float error = gain * seen[k] - gray[k];
        x += across[k] * error;
        y += along[k] * error;
      }
      const cv::Point2f step((yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant);
      at -= step;
      if (!(std::abs(at.x - start.x) < far) || !(std::abs(at.y - start.y) < far)) return std::nullopt;
      if (step.dot(step) < 0.01f * 0.01f) break;
    }
    return likeness;
  }
};

}  // namespace

Pyramid pyramid_of(const cv::Mat& image) {
  Pyramid pyramid{image};
  for (std::size_t i = 1; i < pyramid.size(); ++i) cv::pyrDown(pyramid[i - 1], pyramid[i]);
  return pyramid;
}

std::optional<cv::Point2d> match_patch(const Pyramid& reference, const Pyramid& now, cv::Point2d pixel) {
  const cv::Point2f from(pixel);
  cv::Point2f moved(0, 0);  // pixels of the full image
  Patch patch;
  for (int level = static_cast<int>(reference.size()) - 1; level >= 0; --level) {
    const float scale = 1.0f / static_cast<float>(1 << level);
    cv::Point2f at = (from + moved) * scale;
    if (!patch.cut(reference[level], from * scale)) {
      if (level == 0) return std::nullopt;
      continue;  // too near the edge, or nothing to hold on to at this size
    }
    const auto likeness = patch.find(now[level], at);
    if (level == 0 && (!likeness || *likeness < least_likeness)) return std::nullopt;
    if (likeness && *likeness > least_likeness / 2) moved = at / scale - from;
  }
  return cv::Point2d(from + moved);
}

}  // namespace tandem::vision
