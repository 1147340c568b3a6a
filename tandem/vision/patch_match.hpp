// SPDX-License-Identifier: Apache-2.0
// Small squares of one image, found again in another to a fraction of a pixel.
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <optional>

namespace tandem::vision {

// An image, and the same at a half and at a quarter of its size.
using Pyramid = std::array<cv::Mat, 3>;
Pyramid pyramid_of(const cv::Mat& image);

// Where in `now` is what `reference` shows around a pixel, looked for around that same pixel (up to about 25 pixels
// away). Brightness and contrast may differ. Nothing where there is no texture, or no likeness.
std::optional<cv::Point2d> match_patch(const Pyramid& reference, const Pyramid& now, cv::Point2d pixel);

}  // namespace tandem::vision
