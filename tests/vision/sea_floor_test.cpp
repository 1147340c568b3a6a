// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/sea_floor.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "tests/vision/flight.hpp"

namespace {

using namespace tandem;
using namespace tandem::vision;

SeaFloorSettings clear_water() {
  SeaFloorSettings settings;
  settings.attenuation = 0;
  settings.vignette = 0;
  settings.noise = 0;
  return settings;
}

double gray_at(const GrayImage& image, const Eigen::Vector2d& pixel) {
  const int x = static_cast<int>(pixel.x()), y = static_cast<int>(pixel.y());
  const double right = pixel.x() - x, down = pixel.y() - y;
  const auto at = [&](int column, int row) {
    return static_cast<double>(image.pixels[static_cast<std::size_t>(row) * image.width + column]);
  };
  return (1 - down) * ((1 - right) * at(x, y) + right * at(x + 1, y)) +
         down * ((1 - right) * at(x, y + 1) + right * at(x + 1, y + 1));
}

double likeness(const std::vector<double>& a, const std::vector<double>& b) {
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i];
    sb += b[i];
    saa += a[i] * a[i];
    sbb += b[i] * b[i];
    sab += a[i] * b[i];
  }
  return (sab - sa * sb / n) / std::sqrt((saa - sa * sa / n) * (sbb - sb * sb / n));
}

std::vector<double> grays_of(const GrayImage& image) { return {image.pixels.begin(), image.pixels.end()}; }

double spread_of(const GrayImage& image) {
  const auto [low, high] = std::minmax_element(image.pixels.begin(), image.pixels.end());
  return *high - *low;
}

}  // namespace

TEST_CASE("a spot of the floor has the same gray from everywhere") {
  const Camera camera = scaled(Camera{}, 0.5);
  SeaFloor floor(clear_water());
  const Pose here = flight::looking_down(1, 2, -2.6);
  const Pose there = flight::looking_down(1.2, 1.9, -2.55, 1.1, 0.15, -0.1);
  GrayImage first, second;
  floor.render(camera, here, first);
  floor.render(camera, there, second);
  std::mt19937_64 dice(4);
  std::uniform_real_distribution<double> within(-1.5, 1.5);
  std::vector<double> a, b, shifted;
  while (a.size() < 4000) {
    const Eigen::Vector3d spot(1 + within(dice), 2 + within(dice), -4);
    const Eigen::Vector2d p = camera.pixel_of(here.inverse() * spot), q = camera.pixel_of(there.inverse() * spot);
    if (!camera.shows(p, 2) || !camera.shows(q, 10)) continue;
    a.push_back(gray_at(first, p));
    b.push_back(gray_at(second, q));
    shifted.push_back(gray_at(second, q + Eigen::Vector2d(3, 3)));
  }
  CHECK(likeness(a, b) > 0.93);
  CHECK(likeness(a, shifted) < 0.83);  // three pixels beside is another gray
}

TEST_CASE("the same calls draw the same images and another seed another floor") {
  const Camera camera = scaled(Camera{}, 0.25);
  const auto draw = [&](std::uint64_t seed, double x) {
    SeaFloorSettings settings;
    settings.seed = seed;
    SeaFloor floor(settings);
    GrayImage image;
    floor.render(camera, flight::looking_down(x, 0, -2.5), image);
    return image;
  };
  CHECK(draw(1, 0).pixels == draw(1, 0).pixels);
  CHECK(std::abs(likeness(grays_of(draw(1, 0)), grays_of(draw(2, 0)))) < 0.5);
  CHECK(std::abs(likeness(grays_of(draw(1, 0)), grays_of(draw(1, 30)))) < 0.5);
}

TEST_CASE("what was seen before looks the same after a long way") {
  const Camera camera = scaled(Camera{}, 0.25);
  SeaFloor floor(clear_water());
  GrayImage before, image, after;
  floor.render(camera, flight::looking_down(0, 0, -1), before);
  for (int i = 1; i <= 14; ++i) floor.render(camera, flight::looking_down(8.0 * i, 0, -1), image);
  floor.render(camera, flight::looking_down(0, 0, -1), after);
  CHECK(before.pixels == after.pixels);
}

TEST_CASE("too far or under the floor or nowhere there is only water") {
  const Camera camera = scaled(Camera{}, 0.25);
  SeaFloor floor(clear_water());
  GrayImage image;
  floor.render(camera, flight::looking_down(0, 0, 2), image);  // 6 m above, 5 m of sight
  CHECK(spread_of(image) == 0);
  floor.render(camera, flight::looking_down(0, 0, -5), image);
  CHECK(spread_of(image) == 0);
  Pose up = flight::looking_down(0, 0, -2);
  up.linear().col(2) *= -1;
  up.linear().col(0) *= -1;
  floor.render(camera, up, image);
  CHECK(spread_of(image) == 0);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    Pose nowhere = flight::looking_down(0, 0, -2);
    nowhere.translation().x() = bad;
    floor.render(camera, nowhere, image);
    CHECK(spread_of(image) == 0);
  }
  floor.render(camera, flight::looking_down(0, 0, -2), image);
  CHECK(spread_of(image) > 100);
  CHECK(image.pixels.size() == static_cast<std::size_t>(camera.width * camera.height));
  Camera none;
  none.width = -1;
  floor.render(none, flight::looking_down(0, 0, -2), image);
  CHECK(image.pixels.empty());
  SeaFloorSettings endless;
  endless.far = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(SeaFloor{endless}, "sea floor: far: expected 0.1 to 10, got inf");
}

TEST_CASE("a camera tells what is wrong with its numbers") {
  CHECK(check(Camera{}).ok());
  CHECK(check(scaled(Camera{}, 0.5)).ok());
  Camera camera;
  camera.width = 0;
  CHECK(check(camera).error().text.find("0 x 600") != std::string::npos);
  camera = {};
  camera.fx = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(check(camera).ok());
  camera = {};
  camera.cx = -5;
  CHECK_FALSE(check(camera).ok());
}

TEST_CASE("a scaled camera sees the same rays") {
  const Camera camera, half = scaled(camera, 0.5);
  CHECK(half.width == 400);
  CHECK(half.height == 300);
  // The centre of a pixel of the half image is the corner between four pixels of the whole.
  const Eigen::Vector3d a = camera.ray_through({200.5, 100.5}), b = half.ray_through({100, 50});
  CHECK((a - b).norm() < 1e-12);
}
