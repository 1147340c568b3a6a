// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/path_log.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace tandem::orca {
namespace {

using Columns = Eigen::Matrix<double, 3, Eigen::Dynamic>;

constexpr double one_place = 1e-9;  // of either path, own units

double spread_of(const Columns& points) {
  return (points.colwise() - points.rowwise().mean().eval()).colwise().norm().maxCoeff();
}

std::optional<Alignment> align(std::uint32_t map, const std::vector<PathPoint>& points, const Path& truth) {
  std::vector<PathPoint> inside;
  std::vector<Eigen::Vector3d> places;
  for (const PathPoint& point : points) {
    const auto place = truth.at(point.time);
    if (!place) continue;
    inside.push_back(point);
    places.push_back(*place);
  }
  if (inside.size() < 3) return std::nullopt;
  Columns from(3, static_cast<Eigen::Index>(inside.size()));
  Columns to(3, from.cols());
  for (Eigen::Index i = 0; i < from.cols(); ++i) {
    from.col(i) = inside[static_cast<std::size_t>(i)].position;
    to.col(i) = places[static_cast<std::size_t>(i)];
  }
  if (spread_of(from) < one_place || spread_of(to) < one_place) return std::nullopt;
  const Eigen::Matrix4d X = Eigen::umeyama(from, to, true);
  const Columns laid = (X.topLeftCorner<3, 3>() * from).colwise() + X.topRightCorner<3, 1>();
  Alignment alignment;
  alignment.map = map;
  alignment.scale = X.topLeftCorner<3, 1>().norm();
  alignment.rms = std::sqrt((laid - to).colwise().squaredNorm().mean());
  alignment.worst = (laid - to).colwise().norm().maxCoeff();
  for (Eigen::Index i = 0; i < laid.cols(); ++i)
    alignment.path.push_back({inside[static_cast<std::size_t>(i)].time, laid.col(i), map});
  return alignment;
}

void write_rows(std::string& text, std::string_view name, std::span<const PathPoint> points) {
  for (const PathPoint& point : points) {
    fmt::format_to(std::back_inserter(text), "{},{:.3f},{:.4f},{:.4f},{:.4f},{}\n", name, point.time,
                   point.position.x(), point.position.y(), point.position.z(), point.map);
  }
}

}  // namespace

void Path::add(const PathPoint& point) {
  if (!std::isfinite(point.time) || !point.position.allFinite()) return;
  if (!points_.empty() && point.time <= points_.back().time) return;
  if (seen_++ % stride_ != 0) return;
  if (points_.size() == capacity_) {
    for (std::size_t i = 0; 2 * i < capacity_; ++i) points_[i] = points_[2 * i];
    points_.resize((capacity_ + 1) / 2);
    stride_ *= 2;
  }
  points_.push_back(point);
}

double Path::length() const {
  double sum = 0;
  for (std::size_t i = 1; i < points_.size(); ++i) sum += (points_[i].position - points_[i - 1].position).norm();
  return sum;
}

std::optional<Eigen::Vector3d> Path::at(double time) const {
  const auto after = std::ranges::lower_bound(points_, time, {}, [](const PathPoint& point) { return point.time; });
  if (after == points_.end()) return std::nullopt;
  if (after->time == time) return after->position;
  if (after == points_.begin()) return std::nullopt;
  const PathPoint& before = *std::prev(after);
  const double share = (time - before.time) / (after->time - before.time);
  return Eigen::Vector3d(before.position + share * (after->position - before.position));
}

void PathLog::add(double time, const Pose& X_map_base, const Pose& X_map_estimate) {
  truth.add({time, X_map_base.translation()});
  estimate.add({time, X_map_estimate.translation()});
}

void PathLog::add_slam(double time, std::uint32_t map, const Pose& X_world_camera) {
  slam.add({time, X_world_camera.translation(), map});
}

std::vector<Alignment> PathLog::aligned() const {
  std::map<std::uint32_t, std::vector<PathPoint>> by_map;
  for (const PathPoint& point : slam.points()) by_map[point.map].push_back(point);
  std::vector<Alignment> all;
  for (const auto& [map, points] : by_map) {
    if (auto alignment = align(map, points, truth.points().empty() ? estimate : truth))
      all.push_back(std::move(*alignment));
  }
  return all;
}

std::optional<double> PathLog::drift() const {
  std::optional<Eigen::Vector3d> first, last;  // of the estimate from the truth
  for (const PathPoint& point : estimate.points()) {
    const auto place = truth.at(point.time);
    if (!place) continue;
    last = point.position - *place;
    if (!first) first = last;
  }
  if (!first) return std::nullopt;
  return (*last - *first).norm();
}

std::string PathLog::csv() const {
  std::string text = "path,time_s,x_m,y_m,z_m,map\n";
  write_rows(text, "truth", truth.points());
  write_rows(text, "estimate", estimate.points());
  for (const Alignment& alignment : aligned()) write_rows(text, "slam", alignment.path);
  return text;
}

}  // namespace tandem::orca
