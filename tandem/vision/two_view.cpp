// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/two_view.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>

namespace tandem::vision {
namespace {

constexpr std::size_t fewest_pairs = 12;

struct Motion {
  Pose X_second_first = Pose::Identity();
  double facing = 0;  // of a plane across the view: 1
};

Motion motion_from(const cv::Mat& rotation, const cv::Mat& translation, double facing) {
  Motion motion{.facing = facing};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      motion.X_second_first.linear()(row, column) = rotation.at<double>(row, column);
    }
    motion.X_second_first.translation()(row) = translation.at<double>(row);
  }
  return motion;
}

std::vector<cv::Point2d> cv_points(std::span<const Eigen::Vector2d> pixels) {
  std::vector<cv::Point2d> points;
  for (const Eigen::Vector2d& pixel : pixels) points.emplace_back(pixel.x(), pixel.y());
  return points;
}

double middle_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The points that a motion makes of the pairs.
TwoView seen_after(const Camera& camera, const Motion& motion, std::span<const Eigen::Vector2d> first,
                   std::span<const Eigen::Vector2d> second, double tolerance) {
  TwoView result;
  result.X_second_first = motion.X_second_first;
  std::vector<double> angles;
  const Eigen::Vector3d eye = motion.X_second_first.inverse().translation();
  for (std::size_t i = 0; i < first.size(); ++i) {
    result.points.push_back(triangulate(camera, motion.X_second_first, first[i], second[i], tolerance, 0));
    if (!result.points.back()) continue;
    const Eigen::Vector3d& p = *result.points.back();
    angles.push_back(std::atan2(p.cross(p - eye).norm(), p.dot(p - eye)));
    ++result.count;
  }
  if (!angles.empty()) result.parallax = middle_of(angles);
  return result;
}

// Every motion that the pairs allow.
std::vector<Motion> motions(const Camera& camera, std::span<const Eigen::Vector2d> first,
                            std::span<const Eigen::Vector2d> second, double tolerance) {
  const auto from = cv_points(first), to = cv_points(second);
  const cv::Matx33d matrix(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1);
  std::vector<Motion> result;
  std::vector<unsigned char> fits;
  const cv::Mat homography = cv::findHomography(from, to, cv::RANSAC, 1.5 * tolerance, fits, 500, 0.999);
  const auto flat = static_cast<std::size_t>(std::count(fits.begin(), fits.end(), 1));
  if (!homography.empty() && flat > 3 * from.size() / 4) {
    std::vector<cv::Mat> rotations, translations, normals;
    cv::decomposeHomographyMat(homography, matrix, rotations, translations, normals);
    for (std::size_t i = 0; i < rotations.size(); ++i) {
      result.push_back(motion_from(rotations[i], translations[i], std::abs(normals[i].at<double>(2))));
    }
    return result;
  }
  const cv::Mat essential = cv::findEssentialMat(from, to, matrix, cv::RANSAC, 0.999, tolerance);
  if (essential.rows != 3 || essential.cols != 3) return result;
  cv::Mat rotation, translation;
  cv::recoverPose(essential, from, to, matrix, rotation, translation);
  result.push_back(motion_from(rotation, translation, 0));
  return result;
}

}  // namespace

std::optional<Eigen::Vector3d> triangulate(const Camera& camera, const Pose& X_second_first,
                                           const Eigen::Vector2d& first, const Eigen::Vector2d& second,
                                           double tolerance, double parallax) {
  const Pose X_first_second = X_second_first.inverse();
  const Eigen::Vector3d a = camera.ray_through(first);
  const Eigen::Vector3d b = X_first_second.linear() * camera.ray_through(second);
  const Eigen::Vector3d eye = X_first_second.translation();
  // Depths along both rays where they come closest: |s a - (eye + t b)| at its lowest.
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > 1e-12)) return std::nullopt;
  const double s = (bb * a.dot(eye) - ab * b.dot(eye)) / determinant;
  const double t = (ab * a.dot(eye) - aa * b.dot(eye)) / determinant;
  if (!(s > 1e-3) || !(t > 1e-3)) return std::nullopt;
  if (std::atan2(a.cross(b).norm(), ab) < parallax) return std::nullopt;
  const Eigen::Vector3d p = (s * a + eye + t * b) / 2;
  const Eigen::Vector3d q = X_second_first * p;
  if (!(p.z() > 1e-3) || !(q.z() > 1e-3)) return std::nullopt;
  if (!((camera.pixel_of(p) - first).norm() < tolerance)) return std::nullopt;
  if (!((camera.pixel_of(q) - second).norm() < tolerance)) return std::nullopt;
  return p;
}

std::optional<TwoView> two_view(const Camera& camera, std::span<const Eigen::Vector2d> first,
                                std::span<const Eigen::Vector2d> second, double tolerance) {
  if (first.size() < fewest_pairs || first.size() != second.size()) return std::nullopt;
  std::optional<TwoView> best;
  double best_score = 0;
  for (const Motion& motion : motions(camera, first, second, tolerance)) {
    if (!motion.X_second_first.matrix().allFinite()) continue;
    TwoView seen = seen_after(camera, motion, first, second, tolerance);
    const double score = seen.count * (1 + 0.2 * motion.facing);
    if (seen.count < static_cast<int>(fewest_pairs) || score <= best_score) continue;
    best_score = score;
    best = std::move(seen);
  }
  if (!best) return std::nullopt;
  std::vector<double> depths;
  for (const auto& point : best->points) {
    if (point) depths.push_back(point->z());
  }
  const double depth = middle_of(depths);
  best->X_second_first.translation() /= depth;
  for (auto& point : best->points) {
    if (point) *point /= depth;
  }
  return best;
}

}  // namespace tandem::vision
