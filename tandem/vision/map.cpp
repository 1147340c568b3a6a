// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/map.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "tandem/vision/bundle.hpp"
#include "tandem/vision/two_view.hpp"

namespace tandem::vision {
namespace {

// The keyframes to adjust together, as places in the map, oldest first.
std::vector<std::size_t> window_of(const Map& map, std::size_t size) {
  struct Share {
    std::size_t place;
    int points;
  };
  const Keyframe& newest = map.keyframes.back();
  std::vector<Share> shares;
  for (std::size_t i = 0; i + 1 < map.keyframes.size(); ++i) {
    int shared = 0;
    for (const Track& track : map.keyframes[i].tracks) {
      if (map.point(track.id) != nullptr && newest.pixel_of(track.id) != nullptr) ++shared;
    }
    if (shared > 0) shares.push_back({i, shared});
  }
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.points > b.points; });
  std::vector<std::size_t> window{map.keyframes.size() - 1};
  for (std::size_t i = 0; i < shares.size() && window.size() < size; ++i) window.push_back(shares[i].place);
  std::sort(window.begin(), window.end());
  return window;
}

Bundle bundle_of(const Map& map, const std::vector<std::size_t>& window, std::size_t fixed, std::vector<int>& ids) {
  struct Seen {
    int id;
    BundleSight sight;
  };
  Bundle bundle;
  std::vector<Seen> seen;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const Keyframe& keyframe = map.keyframes[window[i]];
    bundle.views.push_back({keyframe.X_camera_world, i < fixed});
    for (const Track& track : keyframe.tracks) {
      if (map.point(track.id) != nullptr) seen.push_back({track.id, {static_cast<int>(i), 0, track.pixel}});
    }
  }
  std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return a.id < b.id; });
  for (std::size_t first = 0, last = 0; first < seen.size(); first = last) {
    while (last < seen.size() && seen[last].id == seen[first].id) ++last;
    if (last - first < 2) continue;  // one sight alone reports nothing
    for (std::size_t i = first; i < last; ++i) {
      bundle.sights.push_back(seen[i].sight);
      bundle.sights.back().point = static_cast<int>(bundle.points.size());
    }
    bundle.points.push_back(*map.point(seen[first].id));
    ids.push_back(seen[first].id);
  }
  return bundle;
}

void forget_tracks(Map& map, const std::vector<int>& ids) {  // sorted
  for (Keyframe& keyframe : map.keyframes) {
    std::erase_if(keyframe.tracks,
                  [&](const Track& track) { return std::binary_search(ids.begin(), ids.end(), track.id); });
  }
  for (const int id : ids) map.points.erase(id);
}

}  // namespace

const Eigen::Vector2d* Keyframe::pixel_of(int track) const {
  const auto found =
      std::lower_bound(tracks.begin(), tracks.end(), track, [](const Track& a, int wanted) { return a.id < wanted; });
  return found != tracks.end() && found->id == track ? &found->pixel : nullptr;
}

const Keyframe* Map::keyframe(int id) const {
  const auto found = std::find_if(keyframes.begin(), keyframes.end(), [&](const Keyframe& k) { return k.id == id; });
  return found != keyframes.end() ? &*found : nullptr;
}

const Eigen::Vector3d* Map::point(int track) const {
  const auto found = points.find(track);
  return found != points.end() ? &found->second : nullptr;
}

int Map::points_of(const Keyframe& keyframe) const {
  return static_cast<int>(std::count_if(keyframe.tracks.begin(), keyframe.tracks.end(),
                                        [&](const Track& track) { return point(track.id) != nullptr; }));
}

std::vector<Sight> sights_of(const Map& map, std::span<const Track> tracks, std::vector<std::size_t>& chosen) {
  std::vector<Sight> sights;
  chosen.clear();
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Eigen::Vector3d* point = map.point(tracks[i].id);
    if (point == nullptr) continue;
    sights.push_back({*point, tracks[i].pixel});
    chosen.push_back(i);
  }
  return sights;
}

void add_points(Map& map, const Camera& camera, const MapRules& rules) {
  const Keyframe& newest = map.keyframes.back();
  const std::size_t before = map.keyframes.size() - 1;
  const std::size_t oldest = before > rules.window ? before - rules.window : 0;
  for (const Track& track : newest.tracks) {
    if (map.point(track.id) != nullptr) continue;
    for (std::size_t i = oldest; i < before; ++i) {  // the oldest is usually farthest away, and so the best
      const Keyframe& other = map.keyframes[i];
      const Eigen::Vector2d* pixel = other.pixel_of(track.id);
      if (pixel == nullptr) continue;
      const Pose X_newest_other = newest.X_camera_world * other.X_camera_world.inverse();
      const auto p = triangulate(camera, X_newest_other, *pixel, track.pixel, rules.tolerance, rules.parallax);
      if (!p) continue;
      map.points.emplace(track.id, other.X_camera_world.inverse() * *p);
      break;
    }
  }
}

void adjust_newest(Map& map, const Camera& camera, const MapRules& rules) {
  const std::vector<std::size_t> window = window_of(map, rules.window);
  // A young map finds its shape as a whole; later, two keyframes hold the place and the scale.
  const std::size_t fixed = window.size() == map.keyframes.size() || window.size() < 3 ? 1 : 2;
  std::vector<int> ids;
  Bundle bundle = bundle_of(map, window, fixed, ids);
  adjust(camera, bundle, 8, rules.tolerance / 2);
  for (std::size_t i = 0; i < window.size(); ++i) {
    map.keyframes[window[i]].X_camera_world = bundle.views[i].X_camera_world;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) map.points[ids[i]] = bundle.points[i];
  std::vector<int> wrong;
  for (const BundleSight& sight : bundle.sights) {
    const Eigen::Vector3d p = bundle.views[sight.view].X_camera_world * bundle.points[sight.point];
    const bool fits = p.z() > 1e-3 && (camera.pixel_of(p) - sight.pixel).norm() < rules.tolerance;
    if (!fits && (wrong.empty() || wrong.back() != ids[sight.point])) wrong.push_back(ids[sight.point]);
  }
  forget_tracks(map, wrong);
}

void forget_oldest(Map& map, const MapRules& rules) {
  while (map.keyframes.size() > rules.most_keyframes) {
    const Keyframe gone = std::move(map.keyframes.front());
    map.keyframes.erase(map.keyframes.begin());
    for (const Track& track : gone.tracks) {
      const bool seen = std::any_of(map.keyframes.begin(), map.keyframes.end(),
                                    [&](const Keyframe& keyframe) { return keyframe.pixel_of(track.id) != nullptr; });
      if (!seen) map.points.erase(track.id);
    }
  }
}

std::optional<Eigen::Vector3d> floor_seen_by(const Map& map, const Keyframe& keyframe) {
  std::vector<Eigen::Vector3d> points;
  for (const Track& track : keyframe.tracks) {
    const Eigen::Vector3d* point = map.point(track.id);
    if (point == nullptr) continue;
    const Eigen::Vector3d p = keyframe.X_camera_world * *point;
    if (p.z() > 1e-3) points.push_back(p);
  }
  if (points.size() < 6) return std::nullopt;
  Eigen::Vector3d plane(0, 0, 0);
  for (int round = 0; round < 3; ++round) {  // twice without those far from the plane of the round before
    Eigen::Matrix3d curvature = Eigen::Matrix3d::Identity() * 1e-6;
    Eigen::Vector3d slope = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& p : points) {
      if (round > 0 && std::abs(plane.dot(p) - 1) > 0.1) continue;
      curvature += p * p.transpose() / p.squaredNorm();
      slope += p / p.squaredNorm();
    }
    plane = curvature.inverse() * slope;
  }
  if (!plane.allFinite()) return std::nullopt;
  return plane;
}

std::optional<Eigen::Matrix3d> view_from_keyframe(const Map& map, const Keyframe& keyframe, const Camera& camera,
                                                  const Pose& X_camera_world) {
  const auto plane = floor_seen_by(map, keyframe);
  if (!plane) return std::nullopt;
  const Pose X_camera_keyframe = X_camera_world * keyframe.X_camera_world.inverse();
  const Eigen::Matrix3d matrix = camera.matrix();
  const Eigen::Matrix3d result =
      matrix * (X_camera_keyframe.linear() + X_camera_keyframe.translation() * plane->transpose()) * matrix.inverse();
  if (!result.allFinite()) return std::nullopt;
  return result;
}

}  // namespace tandem::vision
