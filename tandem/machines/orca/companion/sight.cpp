// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/sight.hpp"

#include <array>
#include <exception>
#include <thread>

#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/machines/orca/companion/featureless_slam.hpp"
#include "tandem/machines/orca/companion/slam_node.hpp"

namespace tandem::orca {
namespace {

using machines::choice_key;
using machines::number_key;
using machines::Option;

constexpr std::array<std::string_view, 4> slam_words{"none", "features", "camera", "images"};
constexpr std::array sight_table{
    choice_key("slam", "none",
               "virtual vehicle: source of SLAM poses: none, features without images, camera only, or images and "
               "Tandem's SLAM",
               slam_words),
    number_key("camera_scale", "1", "virtual vehicle: camera resolution as a fraction of 800 x 600 per side", 0.2, 1),
    number_key("floor_seed", "1", "virtual vehicle: seed of the sea floor's texture", 0, 1e9),
};

CameraOptions camera_options_from(const machines::Options& options) {
  CameraOptions camera;
  camera.name_space = options.text("namespace");
  camera.camera = vehicle_camera(options.number("camera_scale"));
  camera.floor.seed = static_cast<std::uint64_t>(options.number("floor_seed"));
  camera.floor.height = options.number("seafloor");
  camera.floor.far = Eye{}.far;
  camera.rate = Eye{}.rate;
  return camera;
}

VirtualSlamOptions feature_options_from(const machines::Options& options) {
  VirtualSlamOptions slam;
  slam.name_space = options.text("namespace");
  slam.features.camera = vehicle_camera();
  slam.features.seed = static_cast<std::uint64_t>(options.number("floor_seed"));
  slam.features.floor = options.number("seafloor");
  slam.features.far = Eye{}.far;
  slam.rate = Eye{}.rate;
  return slam;
}

// Both run until a stop is requested; when one fails the other ends too, and the failure goes on.
class SeeingVehicle final : public machines::VirtualDevice {
 public:
  SeeingVehicle(std::unique_ptr<orca::VirtualDevice> vehicle, const machines::VirtualSetup& setup)
      : vehicle_(std::move(vehicle)) {
    Clock& clock = setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock());
    const TruePose truth = [vehicle = vehicle_.get()] { return vehicle->truth().X_map_base; };
    if (setup.options.text("slam") == "features") {
      VirtualSlamOptions slam = feature_options_from(setup.options);
      slam.plug = setup.plug;
      slam_ = std::make_unique<VirtualSlam>(*setup.ros, slam, truth, clock);
    } else {
      CameraOptions camera = camera_options_from(setup.options);
      camera.plug = setup.plug;
      camera_ = std::make_unique<VirtualCamera>(*setup.ros, camera, truth, clock);
    }
  }

  std::string url() const override { return vehicle_->url(); }
  std::string listening() const override { return vehicle_->listening(); }
  std::optional<machines::TrueMotion> true_motion() const override { return vehicle_->true_motion(); }

  void run(std::stop_token stop) override {
    std::exception_ptr failure;
    std::stop_source both;
    const std::stop_callback passed_on(stop, [&both] { both.request_stop(); });
    {
      const std::jthread eye([&] {
        try {
          see(both.get_token());
        } catch (const std::exception&) {
          failure = std::current_exception();
          both.request_stop();
        }
      });
      const Ending ending{both};
      vehicle_->run(both.get_token());
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  // The camera is stopped however the vehicle ends.
  struct Ending {
    std::stop_source& source;
    ~Ending() { source.request_stop(); }
  };

  void see(std::stop_token stop) {
    if (slam_) return slam_->run(std::move(stop));
    camera_->run(std::move(stop));
  }

  std::unique_ptr<orca::VirtualDevice> vehicle_;
  std::unique_ptr<VirtualSlam> slam_;  // one of the two
  std::unique_ptr<VirtualCamera> camera_;
};

}  // namespace

std::span<const Option> sight_options() { return sight_table; }

bool sees_on_ros(const machines::Options& options) { return options.text("slam") != "none"; }

std::unique_ptr<machines::VirtualDevice> with_sight(std::unique_ptr<VirtualDevice> vehicle,
                                                    const machines::VirtualSetup& setup) {
  if (setup.ros == nullptr || !sees_on_ros(setup.options)) return vehicle;
  return std::make_unique<SeeingVehicle>(std::move(vehicle), setup);
}

std::unique_ptr<machines::Companion> make_slam(const machines::Setup& setup) {
  if (setup.ros == nullptr || setup.options.text("slam") != "images") return nullptr;
  SlamOptions options;
  options.name_space = setup.options.text("namespace");
  Clock& clock = setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock());
  return std::make_unique<SlamNode>(*setup.ros, options, clock);
}

}  // namespace tandem::orca
