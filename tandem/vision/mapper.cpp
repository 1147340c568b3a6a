// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/mapper.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/vision/two_view.hpp"

namespace tandem::vision {
namespace {

std::vector<Track> by_id(std::span<const Track> tracks) {
  std::vector<Track> sorted(tracks.begin(), tracks.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const Track& a, const Track& b) { return a.id < b.id; });
  const auto last =
      std::unique(sorted.begin(), sorted.end(), [](const Track& a, const Track& b) { return a.id == b.id; });
  sorted.erase(last, sorted.end());
  return sorted;
}

}  // namespace

const char* name(TrackingState state) {
  switch (state) {
    case TrackingState::not_ready:
      return "not ready";
    case TrackingState::no_images:
      return "no images";
    case TrackingState::not_initialised:
      return "not initialised";
    case TrackingState::ok:
      return "ok";
    case TrackingState::recently_lost:
      return "recently lost";
    case TrackingState::lost:
      return "lost";
  }
  return "unknown";
}

Mapper::Mapper(const Camera& camera, const MapperSettings& settings) : camera_(camera), settings_(settings) {
  rules_.tolerance = std::max(1.0, settings.tolerance * camera.width / 800);
  rules_.most_keyframes = std::max<std::size_t>(settings.most_keyframes, rules_.window + 1);
}

void Mapper::forget_map() {
  map_ = {};
  present_.clear();
  reference_ = -1;
  lost_ = 0;
  X_now_before_ = Pose::Identity();
  tracking_.points.clear();
  tracking_.X_world_camera = Pose::Identity();
}

void Mapper::reset() {
  if (has_map() || tracking_.state == TrackingState::lost) ++tracking_.map_id;
  forget_map();
  tracking_.map_changed = false;
  tracking_.state = TrackingState::not_initialised;
}

void Mapper::wait() {
  if (tracking_.state == TrackingState::lost) ++tracking_.map_id;
  forget_map();
  tracking_.map_changed = false;
  tracking_.state = TrackingState::not_initialised;
}

void Mapper::begin(std::span<const Track> tracks) {
  wait();
  map_.keyframes.push_back({next_keyframe_, Pose::Identity(), by_id(tracks)});
  reference_ = next_keyframe_++;
}

bool Mapper::initialise(std::span<const Track> tracks) {
  tracking_.state = TrackingState::not_initialised;
  tracking_.map_changed = false;
  std::vector<Eigen::Vector2d> first, second;
  std::vector<Track> both;
  for (const Track& track : by_id(tracks)) {
    const Eigen::Vector2d* pixel = map_.keyframes.front().pixel_of(track.id);
    if (pixel == nullptr) continue;
    first.push_back(*pixel);
    second.push_back(track.pixel);
    both.push_back(track);
  }
  if (both.size() < settings_.first_points) return false;
  const auto seen = two_view(camera_, first, second, rules_.tolerance);
  const bool enough = seen && seen->parallax >= settings_.first_parallax &&
                      seen->count >= static_cast<int>(std::max(settings_.first_points, 3 * both.size() / 4));
  if (!enough) return false;
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (seen->points[i]) map_.points.emplace(both[i].id, *seen->points[i]);
  }
  map_.keyframes.push_back({next_keyframe_, seen->X_second_first, both});
  adjust_newest(map_, camera_, rules_);
  const Keyframe& newest = map_.keyframes.back();
  PoseFit fit;
  fit.X_camera_world = newest.X_camera_world;
  fit.count = map_.points_of(newest);
  if (fit.count < static_cast<int>(settings_.first_points) || !fit.X_camera_world.matrix().allFinite()) {
    map_.points.clear();
    map_.keyframes.pop_back();
    return false;
  }
  fit.fits.assign(static_cast<std::size_t>(fit.count), true);
  const std::vector<Track> kept = newest.tracks;
  place(kept, fit, 0);
  reference_ = next_keyframe_++;
  tracking_.map_changed = true;
  return true;
}

Pose Mapper::predicted() const { return X_now_before_ * X_camera_world(); }

std::optional<PoseFit> Mapper::locate(std::span<const Track> tracks, const std::optional<Pose>& X_camera_world) const {
  std::vector<std::size_t> chosen;
  const std::vector<Sight> sights = sights_of(map_, tracks, chosen);
  const auto good = [&](const PoseFit& fit) {
    return fit.count >= settings_.fewest_points && 2 * fit.count > static_cast<int>(sights.size()) &&
           fit.X_camera_world.matrix().allFinite();
  };
  if (static_cast<int>(sights.size()) < settings_.fewest_points) return std::nullopt;
  if (X_camera_world) {
    PoseFit fit = refine_pose(camera_, sights, *X_camera_world, rules_.tolerance);
    if (good(fit)) return fit;
  }
  auto fit = find_pose(camera_, sights, rules_.tolerance);
  if (fit && good(*fit)) return fit;
  return std::nullopt;
}

void Mapper::place(std::span<const Track> tracks, const PoseFit& fit, double seconds) {
  const bool followed = tracking_.state == TrackingState::ok && seconds > 0 && seconds < 1;
  X_now_before_ = followed ? fit.X_camera_world * tracking_.X_world_camera : Pose::Identity();
  tracking_.map_changed = false;
  take(tracks, fit);
}

void Mapper::correct(std::span<const Track> tracks, const PoseFit& fit) {
  constexpr double jump = 0.01;  // of the depth at which the map was made
  const Pose X_now_then = fit.X_camera_world * tracking_.X_world_camera;
  tracking_.map_changed = X_now_then.translation().norm() > jump;
  take(tracks, fit);
}

void Mapper::take(std::span<const Track> tracks, const PoseFit& fit) {
  present_.clear();
  tracking_.points.clear();
  std::size_t sight = 0;
  for (const Track& track : tracks) {
    const Eigen::Vector3d* point = map_.point(track.id);
    if (point != nullptr && !fit.fits[sight++]) continue;
    if (point != nullptr) tracking_.points.push_back(*point);
    present_.push_back(track);
  }
  tracking_.X_world_camera = fit.X_camera_world.inverse();
  tracking_.state = TrackingState::ok;
  lost_ = 0;
}

void Mapper::miss(double seconds) {
  tracking_.points.clear();
  tracking_.map_changed = false;
  X_now_before_ = Pose::Identity();
  lost_ += seconds;
  tracking_.state = lost_ < settings_.lost_after ? TrackingState::recently_lost : TrackingState::lost;
  if (tracking_.state == TrackingState::lost) map_ = {};
}

bool Mapper::needs_keyframe() const {
  constexpr int few = 150, few_in_middle = 30;
  const Keyframe* from = map_.keyframe(reference_);
  if (from == nullptr) return true;
  const int present = static_cast<int>(tracking_.points.size());
  if (10 * present < 7 * map_.points_of(*from)) return true;
  // Points are few, or few where a sonar measures, and by now there is a base that gives more.
  const double base = (from->X_camera_world * tracking_.X_world_camera).translation().norm();
  const auto plane = floor_seen_by(map_, *from);
  if (!plane || base * plane->norm() < 0.12) return false;
  const Pose X_camera_world = this->X_camera_world();
  const auto middle =
      std::count_if(tracking_.points.begin(), tracking_.points.end(), [&](const Eigen::Vector3d& point) {
        const Eigen::Vector3d p = X_camera_world * point;
        return p.head<2>().norm() < 0.36 * p.z();  // within 20 degrees
      });
  return present < few || middle < few_in_middle;
}

void Mapper::add_keyframe(std::span<const Track> fresh) {
  map_.keyframes.push_back({next_keyframe_, X_camera_world(), by_id(present_)});
  reference_ = next_keyframe_++;
  add_points(map_, camera_, rules_);
  adjust_newest(map_, camera_, rules_);
  tracking_.X_world_camera = map_.keyframes.back().X_camera_world.inverse();
  add_tracks(fresh);
  forget_oldest(map_, rules_);
}

void Mapper::add_tracks(std::span<const Track> fresh) {
  std::vector<Track>& tracks = map_.keyframes.back().tracks;
  tracks.insert(tracks.end(), fresh.begin(), fresh.end());
  tracks = by_id(tracks);
}

}  // namespace tandem::vision
