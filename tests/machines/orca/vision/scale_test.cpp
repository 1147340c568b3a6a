// SPDX-License-Identifier: Apache-2.0
// The scale of a SLAM map from sonar and camera.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tandem/machines/orca/vision/scale_filter.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {
constexpr Instant scale_start{100s};
}

TEST_CASE("The first ratio is the scale and later ones move it by a tenth") {
  ScaleFilter filter;
  CHECK_FALSE(filter.scale(4).known());
  CHECK(filter.scale(4).value == 1);
  REQUIRE(filter.hear(3, scale_start));
  CHECK(filter.observe(4, 1.5, 3, scale_start));
  CHECK(filter.scale(4).value == doctest::Approx(2));
  filter.hear(4.5, scale_start);
  CHECK(filter.observe(4, 1.5, 4.5, scale_start));
  CHECK(filter.scale(4).value == doctest::Approx(0.9 * 2 + 0.1 * 3));
  CHECK(filter.scale(5).value == 1);
}

TEST_CASE("Each map has a scale of its own and the oldest makes room") {
  ScaleFilter filter;
  filter.hear(3, scale_start);
  for (std::uint32_t map = 0; map < ScaleFilter::most_maps + 1; ++map)
    filter.observe(map, 1 + map, 3, scale_start + std::chrono::milliseconds(map));
  CHECK_FALSE(filter.scale(0).known());
  for (std::uint32_t map = 1; map < ScaleFilter::most_maps + 1; ++map)
    CHECK(filter.scale(map).value == doctest::Approx(3.0 / (1 + map)));
}

TEST_CASE("V16 sonar readings that are none leave the last standing until it is too old") {
  ScaleFilter filter;
  CHECK_FALSE(filter.observe(1, 2, 4, scale_start));
  filter.hear(4, scale_start);
  for (const double bad : {0.0, -1.0, 0.1, 50.0, 1e30, std::numeric_limits<double>::infinity(), std::nan("")})
    CHECK_FALSE(filter.hear(bad, scale_start + 900ms));
  CHECK(filter.observe(1, 2, 4, scale_start + 1s));
  CHECK(filter.scale(1).value == doctest::Approx(2));
  CHECK_FALSE(filter.observe(1, 2, 4, scale_start + 1001ms));
  for (const double bad : {0.0, 0.05, -3.0, std::nan("")}) CHECK_FALSE(filter.observe(1, bad, 4, scale_start));
  CHECK(filter.scale(1).ratios == 1);
}

TEST_CASE("The scale is within three percent with the noise of sonar and camera") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> sonar(0, 0.005), camera(0, 0.01);
  const double truth = 2.2, ahead = 0.095;
  ScaleFilter filter;
  double worst = 0;
  for (int i = 0; i < 600; ++i) {
    const Instant now = scale_start + i * 100ms;
    const double height = 2.5 + std::sin(0.1 * i);  // m, of the camera over ground
    const double heard = height - ahead + sonar(random);
    filter.hear(heard, now);
    filter.observe(1, height / truth * (1 + camera(random)), heard + ahead, now);
    if (i > 20) worst = std::max(worst, std::abs(filter.scale(1).value / truth - 1));
  }
  CHECK(worst < 0.03);
  CHECK(filter.scale(1).spread() < 0.03);
  CHECK(filter.scale(1).spread() > 0.003);
}
