// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/floor_texture.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

namespace tandem::vision {
namespace {

constexpr int floor_tile = FloorTexture::tile;
constexpr std::size_t most_tiles = 256;

// A well mixed number for a place of the endless lattice.
std::uint64_t mixed(std::uint64_t seed, int layer, int column, int row) {
  std::uint64_t value = seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(layer) * 0xd1b54a32d192ed03u;
  value ^= static_cast<std::uint64_t>(static_cast<std::uint32_t>(column)) << 32 | static_cast<std::uint32_t>(row);
  for (int i = 0; i < 2; ++i) {
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    value ^= value >> 31;
  }
  return value;
}

// Fractions within [0, 1) from one mixed number, one after the other.
class Fractions {
 public:
  explicit Fractions(std::uint64_t state) : state_(state) {}
  double next() {
    state_ = mixed(state_, 99, 1, 2);
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  double within(double low, double high) { return low + (high - low) * next(); }

 private:
  std::uint64_t state_;
};

// Smooth noise within about +-1: random values on a lattice of `cell` texels, cubic between them.
cv::Mat value_noise(std::uint64_t seed, int layer, int cell, int tile_column, int tile_row) {
  constexpr int margin = 2;  // lattice points that cubic interpolation needs beyond the tile
  const int points = floor_tile / cell + 2 * margin + 1;
  cv::Mat lattice(points, points, CV_32F);
  for (int row = 0; row < points; ++row) {
    for (int column = 0; column < points; ++column) {
      const std::uint64_t bits = mixed(seed, layer, tile_column * (floor_tile / cell) + column - margin,
                                       tile_row * (floor_tile / cell) + row - margin);
      lattice.at<float>(row, column) = static_cast<float>(bits >> 40) * 0x1p-23f - 1;
    }
  }
  const double scale = 1.0 / cell;
  const cv::Matx23d lattice_from_tile(scale, 0, margin, 0, scale, margin);
  cv::Mat noise;
  cv::warpAffine(lattice, noise, lattice_from_tile, {floor_tile, floor_tile}, cv::INTER_CUBIC | cv::WARP_INVERSE_MAP);
  return noise;
}

// Crests of sand 14 cm apart, bent by slow noise.
cv::Mat ripples(const cv::Mat& bend, int tile_column, int tile_row) {
  constexpr double wave = 0.14 / FloorTexture::texel;  // texels
  constexpr double turn = 2 * std::numbers::pi;
  const double across = std::cos(0.5) / wave * turn, along = std::sin(0.5) / wave * turn;
  cv::Mat phase(floor_tile, floor_tile, CV_32F);
  for (int row = 0; row < floor_tile; ++row) {
    for (int column = 0; column < floor_tile; ++column) {
      const double x = static_cast<double>(tile_column) * floor_tile + column;
      const double y = static_cast<double>(tile_row) * floor_tile + row;
      const double angle = across * x + along * y + 7 * bend.at<float>(row, column);
      phase.at<float>(row, column) = static_cast<float>(angle - turn * std::floor(angle / turn));
    }
  }
  cv::Mat cosine, sine;
  cv::polarToCart(cv::Mat(), phase, cosine, sine);
  return sine;
}

// A pebble with its shadow and its bright side. `at` and `radius` are texels of the tile.
void draw_pebble(cv::Mat& picture, cv::Point2d at, double radius, Fractions& fractions) {
  constexpr int shift = 4;  // fractional bits of the drawing's coordinates
  const double shade = fractions.within(45, 215);
  const double flat = fractions.within(0.55, 1), angle = fractions.within(0, 180);
  const auto ellipse = [&](double dx, double dy, double size, double gray) {
    const cv::Point centre(cvRound((at.x + dx) * (1 << shift)), cvRound((at.y + dy) * (1 << shift)));
    const cv::Size axes(cvRound(size * (1 << shift)), cvRound(size * flat * (1 << shift)));
    cv::ellipse(picture, centre, axes, angle, 0, 360, cv::Scalar(gray), cv::FILLED, cv::LINE_AA, shift);
  };
  ellipse(0.25 * radius, 0.25 * radius, radius, 35);
  ellipse(0, 0, radius, shade);
  ellipse(-0.25 * radius, -0.25 * radius, 0.45 * radius, std::min(250.0, shade + 30));
}

// Pebbles belong to squares of the floor and are drawn wherever they reach, in the same order in every tile.
void draw_pebbles(cv::Mat& picture, std::uint64_t seed, int tile_column, int tile_row) {
  constexpr int square = 64;  // texels
  constexpr int squares = floor_tile / square;
  for (int row = -1; row <= squares; ++row) {
    for (int column = -1; column <= squares; ++column) {
      Fractions fractions(mixed(seed, 50, tile_column * squares + column, tile_row * squares + row));
      const int count = static_cast<int>(fractions.within(2, 9));
      for (int i = 0; i < count; ++i) {
        const double x = (column + fractions.next()) * square, y = (row + fractions.next()) * square;
        const double big = fractions.next();
        draw_pebble(picture, {x, y}, 2.5 + 14 * big * big * big, fractions);
      }
    }
  }
}

cv::Mat make_tile(std::uint64_t seed, int column, int row) {
  struct Octave {
    int cell;
    double gray;
  };
  constexpr std::array<Octave, 7> octaves{{{2, 12}, {4, 14}, {8, 12}, {16, 10}, {32, 9}, {64, 9}, {128, 12}}};
  cv::Mat sum(floor_tile, floor_tile, CV_32F, cv::Scalar(112));
  for (std::size_t i = 0; i < octaves.size(); ++i) {
    cv::scaleAdd(value_noise(seed, static_cast<int>(i), octaves[i].cell, column, row), octaves[i].gray, sum, sum);
  }
  const cv::Mat bend = value_noise(seed, 20, 256, column, row);
  cv::scaleAdd(bend, 14, sum, sum);
  cv::scaleAdd(ripples(bend, column, row), 13, sum, sum);
  cv::Mat picture;
  sum.convertTo(picture, CV_8U);
  draw_pebbles(picture, seed, column, row);
  return picture;
}

int tile_of(double metres) { return cvFloor(metres / (FloorTexture::texel * floor_tile)); }

}  // namespace

const cv::Mat& FloorTexture::tile_at(Place place) {
  if (const auto found = tiles_.find(place); found != tiles_.end()) {
    uses_.splice(uses_.begin(), uses_, found->second.use);
    return found->second.picture;
  }
  if (tiles_.size() >= most_tiles) {
    tiles_.erase(uses_.back());
    uses_.pop_back();
  }
  uses_.push_front(place);
  return tiles_.emplace(place, Kept{make_tile(seed_, place.first, place.second), uses_.begin()}).first->second.picture;
}

const FloorPatch& FloorTexture::cover(double x0, double y0, double x1, double y1, int level) {
  const cv::Point first(tile_of(x0), tile_of(y0));
  const cv::Rect wanted(first, cv::Size(tile_of(x1) - first.x + 1, tile_of(y1) - first.y + 1));
  if (level == level_ && wanted == covered_) return patch_;
  cv::Mat picture(wanted.height * tile, wanted.width * tile, CV_8U);
  for (int row = 0; row < wanted.height; ++row) {
    for (int column = 0; column < wanted.width; ++column) {
      tile_at({wanted.x + column, wanted.y + row}).copyTo(picture(cv::Rect(column * tile, row * tile, tile, tile)));
    }
  }
  for (int i = 0; i < level; ++i) {
    cv::Mat half;
    cv::pyrDown(picture, half);
    picture = half;
  }
  patch_ = {picture, wanted.x * tile * texel, wanted.y * tile * texel, texel * (1 << level)};
  covered_ = wanted;
  level_ = level;
  return patch_;
}

}  // namespace tandem::vision
