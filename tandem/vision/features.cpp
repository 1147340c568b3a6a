// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace tandem::vision {
namespace {

constexpr std::size_t most_known_squares = 1'000'000;
constexpr std::size_t fewest_features = 30;  // to begin a map with

void require_numbers(const FeatureSettings& settings) {
  if (const auto fits = check(settings.camera); !fits) throw std::invalid_argument(fits.error().text);
  const auto require = [](const char* what, double value, double low, double high) {
    if (value >= low && value <= high) return;
    throw std::invalid_argument(fmt::format("features: {}: expected {} to {}, got {}", what, low, high, value));
  };
  require("floor", settings.floor, -1e4, 1e4);
  require("spacing", settings.spacing, 0.02, 10);
  require("relief", settings.relief, 0, 10);
  require("far", settings.far, 0.1, 50);
  require("noise", settings.noise, 0, 100);
  require("dropout", settings.dropout, 0, 1);
}

}  // namespace

FeatureOdometry::FeatureOdometry(const FeatureSettings& settings)
    : settings_((require_numbers(settings), settings)),
      mapper_(settings.camera, settings.mapping),
      dice_(settings.seed) {}

// The spot of a square, true world.
Eigen::Vector3d FeatureOdometry::spot_in(int column, int row) const {
  std::seed_seq seeds{settings_.seed, static_cast<std::uint64_t>(column) & 0xffffffffu,
                      static_cast<std::uint64_t>(row) & 0xffffffffu};
  std::array<std::uint32_t, 3> bits{};
  seeds.generate(bits.begin(), bits.end());
  const auto fraction = [&](std::size_t i) { return bits[i] * 0x1p-32; };
  return {(column + fraction(0)) * settings_.spacing, (row + fraction(1)) * settings_.spacing,
          settings_.floor + settings_.relief * (2 * fraction(2) - 1)};
}

// As with images: what comes into view again is a new spot, unless it is in the keyframe that is followed; only one
// who is lost compares with all there is.
int FeatureOdometry::id_of(int column, int row) {
  const auto [found, added] = ids_.try_emplace({column, row}, next_id_);
  const Keyframe* from = mapper_.map().keyframe(mapper_.reference());
  const bool left = !added && mapper_.tracking().state == TrackingState::ok && from != nullptr &&
                    from->pixel_of(found->second) == nullptr && mapper_.map().point(found->second) != nullptr;
  if (left) found->second = next_id_;
  if (added || left) ++next_id_;
  return found->second;
}

std::vector<Track> FeatureOdometry::tracks_from(const Pose& X_world_camera) {
  std::vector<Track> tracks;
  const Pose X_camera_world = X_world_camera.inverse();
  const Eigen::Vector3d eye = X_world_camera.translation();
  const double height = std::abs(eye.z() - settings_.floor);
  const bool in_place = X_world_camera.matrix().allFinite() && eye.head<2>().cwiseAbs().maxCoeff() < 1e6;
  if (!in_place || height > settings_.far) return tracks;
  const double reach = std::sqrt(settings_.far * settings_.far - height * height);
  const auto square = [&](double metres) { return static_cast<int>(std::floor(metres / settings_.spacing)); };
  std::normal_distribution<double> noise(0, 1);
  std::uniform_real_distribution<double> chance(0, 1);
  for (int row = square(eye.y() - reach); row <= square(eye.y() + reach); ++row) {
    for (int column = square(eye.x() - reach); column <= square(eye.x() + reach); ++column) {
      const Eigen::Vector3d middle = X_camera_world * Eigen::Vector3d((column + 0.5) * settings_.spacing,
                                                                      (row + 0.5) * settings_.spacing, settings_.floor);
      const double margin = settings_.camera.fx * (settings_.spacing + settings_.relief) / middle.z();
      if (!(middle.z() > 0.01) || !settings_.camera.shows(settings_.camera.pixel_of(middle), -2 * margin)) continue;
      const Eigen::Vector3d p = X_camera_world * spot_in(column, row);
      if (!(p.z() > 0.05) || p.norm() > settings_.far) continue;
      const Eigen::Vector2d exact = settings_.camera.pixel_of(p);
      if (!settings_.camera.shows(exact) || chance(dice_) < settings_.dropout) continue;
      const Eigen::Vector2d pixel = exact + settings_.noise * Eigen::Vector2d(noise(dice_), noise(dice_));
      tracks.push_back({id_of(column, row), pixel});
    }
  }
  return tracks;
}

const Tracking& FeatureOdometry::add(const Pose& X_world_camera, double stamp) {
  double seconds = started_ ? stamp - stamp_before_ : 0;
  seconds = seconds > 0 ? std::min(seconds, 1.0) : 0;
  if (std::isfinite(stamp)) stamp_before_ = stamp;
  started_ = true;
  if (ids_.size() > most_known_squares) {
    ids_.clear();
    mapper_.reset();
  }
  const bool dark = std::any_of(settings_.blackouts.begin(), settings_.blackouts.end(),
                                [&](const Blackout& b) { return stamp >= b.from && stamp < b.until; });
  const std::vector<Track> tracks = dark ? std::vector<Track>() : tracks_from(X_world_camera);
  if (!mapper_.has_map()) {
    if (tracks.size() < fewest_features) {
      mapper_.wait();
    } else if (!mapper_.begun()) {
      mapper_.begin(tracks);
    } else if (!mapper_.initialise(tracks)) {
      int shared = 0;
      for (const Track& track : tracks) shared += mapper_.map().keyframes.front().pixel_of(track.id) != nullptr ? 1 : 0;
      if (2 * shared < static_cast<int>(mapper_.map().keyframes.front().tracks.size())) mapper_.begin(tracks);
    }
    return tracking();
  }
  const auto fit = mapper_.locate(
      tracks, mapper_.tracking().state == TrackingState::ok ? std::optional<Pose>(mapper_.predicted()) : std::nullopt);
  if (!fit) {
    mapper_.miss(seconds);
  } else {
    mapper_.place(tracks, *fit, seconds);
    if (mapper_.needs_keyframe()) mapper_.add_keyframe({});
  }
  return tracking();
}

}  // namespace tandem::vision
