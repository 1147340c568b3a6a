// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/pose_fit.hpp"

#include <cmath>
#include <opencv2/calib3d.hpp>

#include "tandem/base/linear.hpp"

namespace tandem::vision {
namespace {

constexpr double nearest_depth = 1e-3;

using Matrix6 = Eigen::Matrix<double, 6, 6>;

double pose_cost(const Camera& camera, std::span<const Sight> sights, const Pose& X_camera_world, double limit) {
  double cost = 0;
  for (const Sight& sight : sights) {
    const Eigen::Vector3d p = X_camera_world * sight.point;
    const double error = p.z() > nearest_depth ? (camera.pixel_of(p) - sight.pixel).norm() : 1e3;
    cost += huber_cost(error, limit);
  }
  return cost;
}

Pose pose_from_vectors(const cv::Vec3d& rotation, const cv::Vec3d& translation) {
  const Eigen::Vector3d vector(rotation[0], rotation[1], rotation[2]);
  return pose_from({translation[0], translation[1], translation[2]},
                   quaternion_from_rotation_vector(vector).toRotationMatrix());
}

// Levenberg and Marquardt from a guess to the lowest sum of Huber's errors.
Pose descend(const Camera& camera, std::span<const Sight> sights, Pose X_camera_world, double limit) {
  constexpr int most_steps = 12;
  double cost = pose_cost(camera, sights, X_camera_world, limit);
  double damping = 1e-4;
  for (int i = 0; i < most_steps; ++i) {
    Matrix6 curvature = Matrix6::Zero();
    Vector6 slope = Vector6::Zero();
    for (const Sight& sight : sights) {
      const Projection seen = project(camera, X_camera_world, sight.point);
      if (!seen.in_front) continue;
      const Eigen::Vector2d error = seen.pixel - sight.pixel;
      const double weight = huber_weight(error.norm(), limit);
      curvature.noalias() += weight * seen.by_pose.transpose() * seen.by_pose;
      slope.noalias() += weight * seen.by_pose.transpose() * error;
    }
    curvature.diagonal() *= 1 + damping;
    curvature.diagonal().array() += 1e-9;
    const Vector6 step = solve_positive(curvature, -slope);
    if (!step.allFinite()) break;
    const Pose next = moved(X_camera_world, step);
    const double next_cost = pose_cost(camera, sights, next, limit);
    if (next_cost <= cost) {
      X_camera_world = next;
      cost = next_cost;
      damping *= 0.1;
      if (step.norm() < 1e-7) break;
    } else {
      damping *= 100;
      if (damping > 1e3) break;
    }
  }
  return X_camera_world;
}

std::vector<Sight> sights_within(const Camera& camera, std::span<const Sight> sights, const Pose& X_camera_world,
                                 double distance) {
  std::vector<Sight> close;
  for (const Sight& sight : sights) {
    const Eigen::Vector3d p = X_camera_world * sight.point;
    if (p.z() > nearest_depth && (camera.pixel_of(p) - sight.pixel).norm() < distance) close.push_back(sight);
  }
  return close;
}

}  // namespace

Projection project(const Camera& camera, const Pose& X_camera_world, const Eigen::Vector3d& p_world) {
  Projection result;
  const Eigen::Vector3d p = X_camera_world * p_world;
  if (!(p.z() > nearest_depth)) return result;
  result.in_front = true;
  result.pixel = camera.pixel_of(p);
  Matrix23 by_camera;
  by_camera << camera.fx / p.z(), 0, -camera.fx * p.x() / (p.z() * p.z()), 0, camera.fy / p.z(),
      -camera.fy * p.y() / (p.z() * p.z());
  Eigen::Matrix3d turn;
  turn << 0, p.z(), -p.y(), -p.z(), 0, p.x(), p.y(), -p.x(), 0;
  result.by_pose.leftCols<3>() = by_camera;
  result.by_pose.rightCols<3>() = by_camera * turn;
  result.by_point = by_camera * X_camera_world.linear();
  return result;
}

Pose moved(const Pose& X_camera_world, const Vector6& step) {
  const Eigen::Quaterniond turn = quaternion_from_rotation_vector(step.tail<3>());
  const Eigen::Quaterniond attitude = (turn * Eigen::Quaterniond(X_camera_world.linear())).normalized();
  return pose_from(turn * X_camera_world.translation() + step.head<3>(), attitude.toRotationMatrix());
}

double huber_weight(double error, double limit) { return error <= limit ? 1 : limit / error; }

double huber_cost(double error, double limit) {
  return error <= limit ? error * error : 2 * limit * error - limit * limit;
}

PoseFit refine_pose(const Camera& camera, std::span<const Sight> sights, const Pose& X_camera_world, double tolerance) {
  PoseFit fit;
  fit.X_camera_world = descend(camera, sights, X_camera_world, tolerance / 2);
  fit.fits.assign(sights.size(), false);
  for (const double trim : {10.0, 3.0}) {  // even weighed down, many wrong sights pull; go on without them
    const std::vector<Sight> close = sights_within(camera, sights, fit.X_camera_world, trim * tolerance);
    if (close.size() < 6 || close.size() == sights.size()) continue;
    fit.X_camera_world = descend(camera, close, fit.X_camera_world, tolerance / 2);
  }
  double sum = 0;
  for (std::size_t i = 0; i < sights.size(); ++i) {
    const Eigen::Vector3d p = fit.X_camera_world * sights[i].point;
    if (!(p.z() > nearest_depth)) continue;
    const double error = (camera.pixel_of(p) - sights[i].pixel).norm();
    if (!(error < tolerance)) continue;
    fit.fits[i] = true;
    ++fit.count;
    sum += error * error;
  }
  fit.error = fit.count > 0 ? std::sqrt(sum / fit.count) : 0;
  return fit;
}

std::optional<PoseFit> find_pose(const Camera& camera, std::span<const Sight> sights, double tolerance) {
  if (sights.size() < 6) return std::nullopt;
  std::vector<cv::Point3d> points;
  std::vector<cv::Point2d> pixels;
  for (const Sight& sight : sights) {
    points.emplace_back(sight.point.x(), sight.point.y(), sight.point.z());
    pixels.emplace_back(sight.pixel.x(), sight.pixel.y());
  }
  const cv::Matx33d matrix(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1);
  cv::Vec3d rotation, translation;
  std::vector<int> chosen;
  const bool found = cv::solvePnPRansac(points, pixels, matrix, cv::noArray(), rotation, translation, false, 100,
                                        static_cast<float>(2 * tolerance), 0.999, chosen, cv::SOLVEPNP_AP3P);
  const Pose guess = pose_from_vectors(rotation, translation);
  if (!found || chosen.size() < 6 || !guess.matrix().allFinite()) return std::nullopt;
  return refine_pose(camera, sights, guess, tolerance);
}

}  // namespace tandem::vision
