// SPDX-License-Identifier: Apache-2.0
// What an image costs to draw and to follow, and how far the followed way is off after a box of 4 m sides.
//   bench_vision [SECONDS]      69 s is once round at 0.3 m/s, ten images a second
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "bench/report.hpp"
#include "tandem/vision/features.hpp"
#include "tandem/vision/odometry.hpp"
#include "tandem/vision/sea_floor.hpp"
#include "tests/vision/flight.hpp"

namespace {

using namespace tandem;
using namespace tandem::vision;

double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Times {
  std::vector<double> ms;
  void print(const std::string& where, const char* what) {
    std::sort(ms.begin(), ms.end());
    fmt::print("  {:10} {:6.2f} ms median, {:6.2f} ms p99, {:6.2f} ms worst\n", what, ms[ms.size() / 2],
               ms[ms.size() * 99 / 100], ms.back());
    bench::report_at_most(fmt::format("{}, {}, median", where, what), ms[ms.size() / 2], "ms");
  }
};

constexpr double metres_per_image = 0.3 * 0.1;

void images(double size, int count) {
  OdometrySettings settings;
  settings.camera = scaled(Camera{}, size);
  SeaFloor floor(SeaFloorSettings{});
  Odometry odometry(settings);
  GrayImage image;
  flight::Course course;
  Times draw, follow;
  for (int i = 0; i < count; ++i) {
    const Pose truth = flight::on_box(metres_per_image * i);
    const double start = processor_ms();
    floor.render(settings.camera, truth, image);
    const double drawn = processor_ms();
    if (!odometry.add(image.view(), 0.1 * i)) std::exit(1);
    draw.ms.push_back(drawn - start);
    follow.ms.push_back(processor_ms() - drawn);
    course.add(truth, odometry.tracking());
  }
  fmt::print("{} x {}, {} images, {} of them placed, {} keyframes\n", settings.camera.width, settings.camera.height,
             count, course.size(), odometry.map().keyframes.size());
  const std::string where = fmt::format("image of {} x {}", settings.camera.width, settings.camera.height);
  draw.print(where, "drawn");
  follow.print(where, "followed");
  fmt::print("  {:.1f} m flown, {:.1f} mm off ({:.3f} %), {:.2f} degrees, scale {:+.2f} %\n", course.path(),
             1e3 * course.error(), 100 * course.error() / course.path(), course.turn_error() * 57.29578,
             100 * (course.last_scale() / course.scale() - 1));
}

void features(int count) {
  FeatureOdometry odometry(FeatureSettings{});
  flight::Course course;
  Times follow;
  for (int i = 0; i < count; ++i) {
    const Pose truth = flight::on_box(metres_per_image * i);
    const double start = processor_ms();
    course.add(truth, odometry.add(truth, 0.1 * i));
    follow.ms.push_back(processor_ms() - start);
  }
  fmt::print("features without images, {} of {} placed\n", course.size(), count);
  follow.print("features without images", "followed");
  fmt::print("  {:.1f} m flown, {:.1f} mm off ({:.3f} %)\n", course.path(), 1e3 * course.error(),
             100 * course.error() / course.path());
}

}  // namespace

int main(int count, char** words) {
  const int images_flown = std::max(30, static_cast<int>(10 * (count > 1 ? std::atof(words[1]) : 69.3)));
  images(1, images_flown);
  images(0.5, images_flown);
  features(images_flown);
}
