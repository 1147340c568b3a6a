// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/featureless_slam.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tandem::orca {
namespace {

using ros2::std_srvs::Empty;

const VirtualSlamOptions& checked_slam(const VirtualSlamOptions& options) {
  if (!(options.rate >= 0.1 && options.rate <= 200))
    throw std::invalid_argument(fmt::format("slam: rate: expected 0.1 to 200 Hz, got {}", options.rate));
  return options;
}

}  // namespace

VirtualSlam::VirtualSlam(ros2::Context& context, const VirtualSlamOptions& options, TruePose truth, Clock& clock)
    : options_(checked_slam(options)),
      truth_(std::move(truth)),
      clock_(clock),
      started_(clock.now()),
      odometry_(options.features),
      node_(context, options.node, options.name_space),
      publisher_(node_),
      reset_service_(node_, "reset_slam", [this](const Empty::Request&) {
        reset_.store(true, std::memory_order_release);
        return Empty::Response{};
      }) {}

void VirtualSlam::run(std::stop_token stop) {
  repeat(std::move(stop), clock_, options_.rate, [this] {
    if (options_.plug == nullptr || !options_.plug->pulled()) look();
  });
}

const vision::Tracking& VirtualSlam::look() {
  if (reset_.exchange(false, std::memory_order_acq_rel)) odometry_.reset();
  const UtcTime stamp = clock_.utc();
  const vision::Tracking& tracking = odometry_.add(X_map_camera(truth_()), seconds(clock_.now() - started_));
  publisher_.publish(tracking, stamp);
  return tracking;
}

}  // namespace tandem::orca
