// SPDX-License-Identifier: Apache-2.0
// Spots of images: chosen, followed from a keyframe into the present image, recognised after a loss.
#pragma once

#include <opencv2/features2d.hpp>
#include <optional>
#include <span>
#include <vector>

#include "tandem/vision/map.hpp"
#include "tandem/vision/patch_match.hpp"

namespace tandem::vision {

// What is kept of an image: itself, and its ORB corners to know it again by.
struct View {
  cv::Mat image;
  std::vector<cv::KeyPoint> corners;
  cv::Mat descriptors;
};

class ImageTracker {
 public:
  explicit ImageTracker(const Camera& camera);

  // The present image from here on; it is copied.
  void look(const GrayView& image);
  const View& present();

  // The keyframe's tracks in the present image, whose pixels are roughly those of the keyframe moved by a homography.
  // The keyframe is first drawn as it should look from here, so nothing adds up from image to image.
  std::vector<Track> follow(const View& keyframe, std::span<const Track> tracks,
                            const Eigen::Matrix3d& image_from_keyframe) const;

  // The homography by which the corners of a keyframe are found in the present image.
  std::optional<Eigen::Matrix3d> recognise(const View& keyframe);

  // The strongest corner of every part of the image where there is no track yet.
  std::vector<Eigen::Vector2d> spots_beside(std::span<const Track> taken);

 private:
  Camera camera_;
  cv::Ptr<cv::ORB> orb_;
  Pyramid pyramid_;
  View present_;
  bool has_corners_ = false;
};

// The homography that most tracks agree on.
std::optional<Eigen::Matrix3d> homography_between(std::span<const Eigen::Vector2d> from,
                                                  std::span<const Eigen::Vector2d> to, double tolerance);

}  // namespace tandem::vision
