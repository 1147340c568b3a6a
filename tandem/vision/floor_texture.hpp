// SPDX-License-Identifier: Apache-2.0
// The sea floor from above as an endless picture, made and kept in square tiles.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <opencv2/core.hpp>
#include <utility>

namespace tandem::vision {

// A part of the floor: pixel (column, row) of `picture` is the spot (x, y) + size * (column, row), in metres.
struct FloorPatch {
  cv::Mat picture;  // 8 bit gray
  double x = 0;
  double y = 0;
  double size = 0;  // of a pixel, m
};

class FloorTexture {
 public:
  static constexpr double texel = 0.005;  // m
  static constexpr int tile = 256;        // texels a side

  explicit FloorTexture(std::uint64_t seed) : seed_(seed) {}

  // Everything from (x0, y0) to (x1, y1), m; each level halves the number of pixels a side.
  // Valid until the next call.
  const FloorPatch& cover(double x0, double y0, double x1, double y1, int level);

 private:
  using Place = std::pair<int, int>;  // column, row
  struct Kept {
    cv::Mat picture;
    std::list<Place>::iterator use;
  };

  const cv::Mat& tile_at(Place place);

  std::uint64_t seed_;
  std::map<Place, Kept> tiles_;
  std::list<Place> uses_;  // last used first
  cv::Rect covered_;       // tiles
  int level_ = -1;
  FloorPatch patch_;
};

}  // namespace tandem::vision
