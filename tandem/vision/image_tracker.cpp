// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/image_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

namespace tandem::vision {
namespace {

constexpr int spot_columns = 26;          // parts of the image with one spot each
constexpr double spot_margin = 12;        // pixels from the edges
constexpr std::size_t fewest_alike = 15;  // corners that make a place known

cv::Matx33d cv_matrix(const Eigen::Matrix3d& matrix) {
  cv::Matx33d result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) result(row, column) = matrix(row, column);
  }
  return result;
}

}  // namespace

std::optional<Eigen::Matrix3d> homography_between(std::span<const Eigen::Vector2d> from,
                                                  std::span<const Eigen::Vector2d> to, double tolerance) {
  if (from.size() < fewest_alike || from.size() != to.size()) return std::nullopt;
  std::vector<cv::Point2d> source, target;
  for (std::size_t i = 0; i < from.size(); ++i) {
    source.emplace_back(from[i].x(), from[i].y());
    target.emplace_back(to[i].x(), to[i].y());
  }
  std::vector<unsigned char> fits;
  const cv::Mat found = cv::findHomography(source, target, cv::RANSAC, tolerance, fits, 500, 0.995);
  if (found.empty()) return std::nullopt;
  if (static_cast<std::size_t>(std::count(fits.begin(), fits.end(), 1)) < fewest_alike) return std::nullopt;
  Eigen::Matrix3d result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) result(row, column) = found.at<double>(row, column);
  }
  // Neither mirrored nor much nearer or farther.
  const double area = result.topLeftCorner<2, 2>().determinant();
  if (!result.allFinite() || !(area > 0.1) || !(area < 10)) return std::nullopt;
  return result;
}

ImageTracker::ImageTracker(const Camera& camera) : camera_(camera) {
  cv::setNumThreads(1);
  orb_ = cv::ORB::create(camera.width >= 640 ? 1500 : 1000, 1.2f, camera.width >= 640 ? 6 : 4, 19, 0, 2,
                         cv::ORB::HARRIS_SCORE, 31, 10);
}

void ImageTracker::look(const GrayView& image) {
  cv::Mat copy(image.height, image.width, CV_8U);
  for (int row = 0; row < image.height; ++row) {
    const std::uint8_t* first = image.pixels + static_cast<std::size_t>(row) * image.stride;
    std::copy(first, first + image.width, copy.ptr<std::uint8_t>(row));
  }
  present_ = {.image = copy, .corners = {}, .descriptors = {}};
  has_corners_ = false;
  pyramid_ = pyramid_of(copy);
}

const View& ImageTracker::present() {
  if (!has_corners_) orb_->detectAndCompute(present_.image, cv::noArray(), present_.corners, present_.descriptors);
  has_corners_ = true;
  return present_;
}

std::vector<Track> ImageTracker::follow(const View& keyframe, std::span<const Track> tracks,
                                        const Eigen::Matrix3d& image_from_keyframe) const {
  cv::Mat expected;
  cv::warpPerspective(keyframe.image, expected, cv_matrix(image_from_keyframe), present_.image.size(), cv::INTER_LINEAR,
                      cv::BORDER_REPLICATE);
  const Pyramid reference = pyramid_of(expected);
  std::vector<Track> found;
  for (const Track& track : tracks) {
    const Eigen::Vector3d there = image_from_keyframe * track.pixel.homogeneous();
    if (!(there.z() > 1e-6)) continue;
    const Eigen::Vector2d pixel = there.hnormalized();
    if (!camera_.shows(pixel, spot_margin - 2)) continue;
    const auto seen = match_patch(reference, pyramid_, {pixel.x(), pixel.y()});
    if (seen) found.push_back({track.id, {seen->x, seen->y}});
  }
  return found;
}

std::optional<Eigen::Matrix3d> ImageTracker::recognise(const View& keyframe) {
  const View& now = present();
  if (keyframe.descriptors.rows < static_cast<int>(fewest_alike) ||
      now.descriptors.rows < static_cast<int>(fewest_alike)) {
    return std::nullopt;
  }
  std::vector<std::vector<cv::DMatch>> matches;
  cv::BFMatcher(cv::NORM_HAMMING).knnMatch(keyframe.descriptors, now.descriptors, matches, 2);
  std::vector<Eigen::Vector2d> from, to;
  for (const auto& pair : matches) {
    if (pair.size() < 2 || pair[0].distance > 64 || pair[0].distance > 0.8f * pair[1].distance) continue;
    const cv::Point2f a = keyframe.corners[pair[0].queryIdx].pt, b = now.corners[pair[0].trainIdx].pt;
    from.emplace_back(a.x, a.y);
    to.emplace_back(b.x, b.y);
  }
  return homography_between(from, to, 4.0 * camera_.width / 800);
}

std::vector<Eigen::Vector2d> ImageTracker::spots_beside(std::span<const Track> taken) {
  const double side = static_cast<double>(camera_.width) / spot_columns;
  const int rows = static_cast<int>(std::ceil(camera_.height / side));
  const auto part_of = [&](double x, double y) {
    return std::clamp(static_cast<int>(y / side), 0, rows - 1) * spot_columns +
           std::clamp(static_cast<int>(x / side), 0, spot_columns - 1);
  };
  std::vector<bool> full(static_cast<std::size_t>(rows) * spot_columns, false);
  for (const Track& track : taken) full[part_of(track.pixel.x(), track.pixel.y())] = true;
  std::vector<const cv::KeyPoint*> best(full.size(), nullptr);
  for (const cv::KeyPoint& corner : present().corners) {
    const int part = part_of(corner.pt.x, corner.pt.y);
    if (full[part] || !camera_.shows({corner.pt.x, corner.pt.y}, spot_margin)) continue;
    if (best[part] == nullptr || corner.response > best[part]->response) best[part] = &corner;
  }
  std::vector<Eigen::Vector2d> spots;
  for (const cv::KeyPoint* corner : best) {
    if (corner != nullptr) spots.emplace_back(corner->pt.x, corner->pt.y);
  }
  return spots;
}

}  // namespace tandem::vision
