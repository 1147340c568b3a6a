// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/truth.hpp"

#include <thread>

#include "tandem/machines/orca/companion/camera.hpp"
#include "tandem/machines/orca/companion/path_recorder.hpp"
#include "tandem/machines/orca/companion/sight.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::orca {
namespace {

constexpr double truth_rate = 20;  // Hz

class TruthfulVehicle final : public machines::VirtualDevice {
 public:
  TruthfulVehicle(std::unique_ptr<machines::VirtualDevice> device, const orca::VirtualDevice& vehicle,
                  const machines::VirtualSetup& setup)
      : device_(std::move(device)),
        vehicle_(vehicle),
        clock_(setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock())),
        node_(*setup.ros, "truth", setup.options.text("namespace")),
        publisher_(node_.advertise<ros2::nav_msgs::Odometry>(truth_topic, ros2::Qos::sensor_data())) {
    message_.header.frame_id = frames::map;
    message_.child_frame_id = frames::base;
  }

  std::string url() const override { return device_->url(); }
  std::string listening() const override { return device_->listening(); }
  std::optional<machines::TrueMotion> true_motion() const override { return device_->true_motion(); }

  void run(std::stop_token stop) override {
    const std::jthread teller(
        [this](std::stop_token ending) { repeat(std::move(ending), clock_, truth_rate, [this] { tell(); }); });
    device_->run(std::move(stop));
  }

 private:
  void tell() {
    const Truth truth = vehicle_.truth();
    const Eigen::Vector3d velocity = truth.X_map_base.linear().transpose() * truth.velocity;  // as nav_msgs wants it
    message_.header.stamp = ros2::message_from(clock_.utc());
    message_.pose.pose = ros2::message_from(truth.X_map_base);
    message_.twist.twist.linear = ros2::vector3_from(velocity);
    message_.twist.twist.angular = ros2::vector3_from(truth.angular);
    (void)publisher_.publish(message_);
  }

  std::unique_ptr<machines::VirtualDevice> device_;
  const orca::VirtualDevice& vehicle_;
  Clock& clock_;
  ros2::nav_msgs::Odometry message_;
  ros2::FullNode node_;
  ros2::Publisher<ros2::nav_msgs::Odometry> publisher_;
};

}  // namespace

std::unique_ptr<machines::VirtualDevice> with_truth(std::unique_ptr<machines::VirtualDevice> device,
                                                    const VirtualDevice& vehicle, const machines::VirtualSetup& setup) {
  if (setup.ros == nullptr || !setup.options.flag("truth")) return device;
  return std::make_unique<TruthfulVehicle>(std::move(device), vehicle, setup);
}

std::unique_ptr<machines::VirtualDevice> make_device_with_truth(const machines::VirtualSetup& setup) {
  const VirtualDeviceSetup made = vehicle_setup_from(setup);
  auto vehicle = setup.options.flag("sitl") ? make_virtual_sitl(made) : make_virtual_device(made);
  const VirtualDevice& seen = *vehicle;
  return with_truth(with_sight(std::move(vehicle), setup), seen, setup);
}

bool has_part_on_ros(const machines::Options& options) { return sees_on_ros(options) || options.flag("truth"); }

}  // namespace tandem::orca
