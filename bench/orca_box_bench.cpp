// SPDX-License-Identifier: Apache-2.0
// How good the Orca's position by vision is: a box at 0.3 m/s flown by what the autopilot believes, against the truth.
// First in simulated time, then with sockets, bridge and SLAM in real time; by features, by rendered images, with
// tracking lost for five seconds, and without any vision.
//   bench_orca_box [simulated | real]      both unless told
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <thread>

#include "bench/cycles.hpp"
#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tandem/vision/odometry.hpp"
#include "tandem/vision/sea_floor.hpp"
#include "tests/machines/orca/control/box_flight.hpp"

namespace bench {
namespace {

using namespace tandem::orca;
using tandem::orca::VirtualDevice;  // not that of another machine

constexpr double wanted_error = 0.05, wanted_scale = 0.03;  // shares
constexpr double side = 4, box_depth = 1.5;                 // m
constexpr double lost_for = 5;                              // s
constexpr double image_share = 0.5;                         // of 800 x 600, a side

std::string part;  // of the rows to come

bool print_row(const char* what, const BoxResult& result, bool judged) {
  const double share = result.error / std::max(result.distance, 1e-3);
  fmt::print("{:<34} {:>6.1f} s {:>6.2f} m {:>7.3f} m {:>6.2f} % {:>8.2f} % {:>+7.2f} %", what, result.length,
             result.distance, result.error, 100 * share, 100 * result.scale_worst, 100 * result.scale_mean);
  if (result.told > 0)
    fmt::print("   told after {:.2f} s, back {:.2f} s after the SLAM", result.told, result.recovered);
  fmt::print("{}\n", result.flown ? "" : "   NOT FLOWN");
  std::fflush(stdout);  // the next row takes minutes
  report_at_most(fmt::format("{}: {}, error", part, what), 100 * share, "% of the way",
                 judged ? 100 * wanted_error : 0);
  report_at_most(fmt::format("{}: {}, scale, worst", part, what), 100 * result.scale_worst, "%",
                 judged ? 100 * wanted_scale : 0);
  return !judged || (result.flown && share <= wanted_error && result.scale_worst <= wanted_scale);
}

void print_head(const char* what) {
  part = std::string(what).substr(0, std::string(what).find(':'));
  fmt::print("\n{}\n{:<34} {:>8} {:>8} {:>9} {:>8} {:>10} {:>9}\n", what, "", "time", "way", "error", "of way",
             "scale off", "in mean");
}

// Sees images only. A camera that is darkened sees nothing.
class ImageSlam {
 public:
  ImageSlam()
      : camera_(vision::scaled(vision::Camera{}, image_share)), floor_(floor_settings()), odometry_({camera_, {}}) {}

  LoopView look(const Pose& X_map_camera, double time, bool dark = false) {
    floor_.render(camera_, X_map_camera, image_);
    if (dark) std::fill(image_.pixels.begin(), image_.pixels.end(), std::uint8_t{0});
    if (!odometry_.add(image_.view(), time)) give_up("the SLAM refused an image");
    return view_from(odometry_.tracking());
  }

 private:
  static vision::SeaFloorSettings floor_settings() { return {}; }

  vision::Camera camera_;
  vision::SeaFloor floor_;
  vision::Odometry odometry_;
  vision::GrayImage image_;
};

vision::FeatureSettings feature_settings(std::uint64_t seed) {
  vision::FeatureSettings features;
  features.seed = seed;
  return features;
}

BoxResult simulate(std::uint64_t seed, LoopSlam slam) {
  LoopOptions options;
  options.seed = seed;
  BoxFlight flight(options, std::move(slam), {.side = side, .depth = box_depth});
  return flight.dive() ? flight.fly() : BoxResult{};
}

bool in_simulated_time() {
  print_head("simulated time: body, sensors, autopilot, streams, SLAM, gate, delta");
  bool good = true;
  for (const std::uint64_t seed : {1U, 2U, 3U})
    good &= print_row(fmt::format("features, seed {}", seed).c_str(),
                      simulate(seed, feature_slam(feature_settings(seed))), true);
  const auto images = std::make_shared<ImageSlam>();
  good &=
      print_row("images", simulate(1, [images](const Pose& X, double time) { return images->look(X, time); }), true);
  vision::FeatureSettings interrupted = feature_settings(1);
  interrupted.blackouts = {{30, 30 + lost_for}};
  print_row("features, lost for 5 s", simulate(1, feature_slam(interrupted)), false);
  return good;
}

enum class Eyes { none, features, images };

// The virtual vehicle on its sockets, the bridge, and a SLAM that is shown ten views a second.
class Swim {
 public:
  explicit Swim(Eyes eyes) : eyes_(eyes), vehicle_(make_virtual_device(setup())), bridge_(bridge_setup(*vehicle_)) {
    if (eyes == Eyes::features) features_ = std::make_unique<vision::FeatureOdometry>(feature_settings(1));
    if (eyes == Eyes::images) images_ = std::make_unique<ImageSlam>();
    vehicle_thread_ = std::jthread([this](const std::stop_token& stop) { vehicle_->run(stop); });
    if (auto connected = bridge_.connect(in(10s)); !connected) give_up(connected.error().text);
    if (eyes != Eyes::none) slam_thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  }

  // Down and along until vision is trusted, then to the depth of the box.
  bool dive() {
    until(3s, [] { return false; });
    bridge_.commands().mode.post({Mode::alt_hold, 0});
    armed_ = true;
    const bool trusted = until(60s, [&] {
      bridge_.commands().twist.post({{0.3, 0, -0.4}, 0, system_clock().now()});
      return bridge_.state().waiting.empty() && bridge_.state().vehicle.estimates_position;
    });
    if (!trusted) return false;
    bridge_.commands().mode.post({Mode::guided, 0});
    if (!until(10s, [&] { return bridge_.state().vehicle.mode == static_cast<std::uint32_t>(Mode::guided); }))
      return false;
    Eigen::Vector3d here = believed();
    here.z() = -box_depth;
    go_to(here, std::numbers::pi / 2);
    until(6s, [] { return false; });
    return true;
  }
  BoxResult box(bool lose) {
    begin();
    const Eigen::Vector3d first = believed();
    const std::array<Eigen::Vector2d, 4> corners{{{0, side}, {side, side}, {side, 0}, {0, 0}}};
    result_.flown = true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Eigen::Vector3d corner(first.x() + corners[i].x(), first.y() + corners[i].y(), -box_depth);
      go_to(corner, std::numbers::pi / 2 * (1 - static_cast<double>(i)));
      if (lose && i == 1) darken();
      result_.flown &= until(40s, [&] { return (believed() - corner).norm() < 0.15; });
    }
    return end();
  }
  // A minute straight on by sticks, with nobody who sees.
  BoxResult blind() {
    until(3s, [] { return false; });
    bridge_.commands().mode.post({Mode::alt_hold, 0});
    armed_ = true;
    begin();
    const Instant start = system_clock().now();
    result_.flown = !until(60s, [&] {
      const bool sinks = system_clock().now() - start < 5s;
      bridge_.commands().twist.post({{0.08, 0, sinks ? -0.4 : 0}, 0, system_clock().now()});
      return false;
    });
    return end();
  }

 private:
  static VirtualDeviceSetup setup() {
    VirtualDeviceSetup setup;
    setup.clock = &system_clock();
    return setup;
  }
  static machines::Setup bridge_setup(const VirtualDevice& vehicle) {
    const std::vector<std::string> settings{"parameters=[SYSID_MYGCS=200]"};
    return {"sub",   vehicle.url(),   runtime::options_from_settings(bridge_options(), settings),
            nullptr, &system_clock(), nullptr};
  }

  Eigen::Vector3d believed() const { return vehicle_->estimate().translation(); }
  Eigen::Vector3d truth() const { return vehicle_->truth().X_map_base.translation(); }
  void go_to(const Eigen::Vector3d& place, double yaw) {
    bridge_.commands().goal.post({{place.x(), place.y(), place.z()}, yaw, system_clock().now()});
  }
  void darken() {
    dark_until_ = in(duration_of(lost_for));
    lost_at_ = system_clock().now();
  }

  template <typename Condition>
  bool until(Duration limit, Condition condition) {
    const Instant end = in(limit);
    while (system_clock().now() < end) {
      const auto cycle = bridge_.cycle(machines::Permit(armed_, system_clock(), Instant::max()));
      if (!cycle) give_up(cycle.error().text);
      if (cycle->disarm) give_up(std::string(cycle->why.view()));
      note();
      if (condition()) return true;
    }
    return false;
  }
  void begin() {
    result_ = {};
    offset_ = (believed() - truth()).head<2>();
    last_ = truth();
    began_ = system_clock().now();
    noting_ = true;
  }
  BoxResult end() {
    noting_ = false;
    result_.length = seconds(system_clock().now() - began_);
    result_.error = ((believed() - truth()).head<2>() - offset_).norm();
    if (scales_ > 0) result_.scale_mean = scale_sum_ / scales_;
    return result_;
  }
  void note() {
    if (!noting_) return;
    const Eigen::Vector3d here = truth();
    if ((here - last_).norm() > 0.01) {
      result_.distance += (here - last_).norm();
      last_ = here;
    }
    const State state = bridge_.state();
    const Instant now = system_clock().now();
    const bool lost = state.tracking != Tracking::ok;
    if (lost_at_ != Instant{} && result_.told == 0 && state.source_set == 2) result_.told = seconds(now - lost_at_);
    if (result_.told > 0 && !lost && found_at_ == Instant{}) found_at_ = now;
    const bool aided = state.source_set == 1 && state.waiting.empty();
    if (found_at_ != Instant{} && result_.recovered == 0 && aided) result_.recovered = seconds(now - found_at_);
    const double scale = true_scale_.load();
    if (scale <= 0 || lost || !state.scale_known) return;
    const double off = state.scale / scale - 1;
    result_.scale_worst = std::max(result_.scale_worst, std::abs(off));
    scale_sum_ += off;
    ++scales_;
  }

  void watch(const std::stop_token& stop) {
    ScaleWitness witness;
    VisualRangefinder finder;
    for (Instant next = system_clock().now(); !stop.stop_requested(); next += 100ms) {
      system_clock().sleep_until(next);
      const Truth truth = vehicle_->truth();
      Sighting sighting;
      sighting.taken = system_clock().now();
      const Pose X_map_camera = truth.X_map_base * X_base_link() * X_link_camera();
      const bool dark = sighting.taken < dark_until_.load();
      const LoopView view = look(X_map_camera, truth.time, dark);
      sighting.received = system_clock().now();
      sighting.stamp = duration_of(truth.time);
      sighting.tracking = view.state;
      sighting.map = view.map;
      sighting.map_changed = view.map_changed;
      sighting.X_world_camera = plain_from(view.X_world_camera);
      if (view.state == Tracking::ok) sighting.visual = finder.measure(view.X_world_camera, view.points);
      bridge_.commands().sightings.post(sighting);
      if (view.state != Tracking::ok || view.map_changed) witness.lose();
      if (view.state == Tracking::ok)
        witness.see(view.map, X_map_camera.translation(), view.X_world_camera.translation());
      true_scale_ = witness.scale().value_or(0);
    }
  }
  LoopView look(const Pose& X_map_camera, double time, bool dark) {
    if (images_) return images_->look(X_map_camera, time, dark);
    const Pose out_of_sight = Pose(Eigen::Translation3d(0, 0, 100)) * X_map_camera;
    return view_from(features_->add(dark ? out_of_sight : X_map_camera, time));
  }

  Eyes eyes_;
  std::unique_ptr<VirtualDevice> vehicle_;
  Machine bridge_;
  std::unique_ptr<vision::FeatureOdometry> features_;
  std::unique_ptr<ImageSlam> images_;
  std::atomic<bool> armed_{false};
  std::atomic<Instant> dark_until_{Instant{}};
  std::atomic<double> true_scale_{0};
  BoxResult result_;
  Eigen::Vector2d offset_ = Eigen::Vector2d::Zero();
  Eigen::Vector3d last_ = Eigen::Vector3d::Zero();
  Instant began_{}, lost_at_{}, found_at_{};
  bool noting_ = false;
  double scale_sum_ = 0;
  int scales_ = 0;
  std::jthread vehicle_thread_, slam_thread_;
};

BoxResult swim(Eyes eyes, bool lose) {
  Swim swim(eyes);
  return swim.dive() ? swim.box(lose) : BoxResult{};
}

bool in_real_time() {
  print_head("real time: the same with sockets, the virtual vehicle and the bridge");
  bool good = print_row("features", swim(Eyes::features, false), true);
  good &= print_row("images", swim(Eyes::images, false), true);
  print_row("features, lost for 5 s", swim(Eyes::features, true), false);
  Swim alone(Eyes::none);
  print_row("no vision, by sticks", alone.blind(), false);
  return good;
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
  const std::string_view word = count > 1 ? words[1] : "";
  bool good = true;
  if (word != "real") good &= bench::in_simulated_time();
  if (word != "simulated") good &= bench::in_real_time();
  fmt::print("\n{} (wanted: position within {:.0f} % of the way, scale within {:.0f} %)\n", good ? "good" : "NOT GOOD",
             100 * bench::wanted_error, 100 * bench::wanted_scale);
  return good ? 0 : 1;
}
