// SPDX-License-Identifier: Apache-2.0
#include "tandem/python/device.hpp"

#include <algorithm>

#include "tandem/machines/ur3e/virtual/device.hpp"

namespace tandem::python {
namespace {

// A virtual controller that reports where its cubes are with every cycle.
template <typename Cubes>
std::unique_ptr<ur3e::VirtualDevice> make_controller(std::shared_ptr<Latest<Cubes>> cubes) {
  static SystemClock clock;
  const auto made = std::make_shared<ur3e::VirtualDevice*>(nullptr);
  ur3e::VirtualDeviceSetup setup;
  setup.clock = &clock;
  setup.cycle_begins = [made, cubes = std::move(cubes)](Instant, Instant) {
    Cubes at{};
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Eigen::Vector3d centre = (*made)->controller().body.cube(i).translation();
      at[i] = {centre.x(), centre.y(), centre.z()};
    }
    cubes->put(at);
  };
  auto device = std::make_unique<ur3e::VirtualDevice>(setup);
  *made = device.get();
  return device;
}

std::unique_ptr<ur3e::Robot> opened(const ur3e::RobotOptions& options) {
  auto robot = ur3e::Robot::open(options);
  if (!robot) throw Failure(std::move(robot).error(), true);
  return std::move(robot).value();
}

}  // namespace

Device::Device(const std::string& device, double opened_gripper_mm, bool join_virtual, double patience,
               const std::string& page) {
  ur3e::RobotOptions options;
  options.device = device;
  options.opened_gripper_mm = opened_gripper_mm;
  options.join_virtual = join_virtual;
  if (device == "virtual") open_virtual(options);
  for (Duration* limit : {&options.link.watchdog.streamed, &options.link.watchdog.other, &options.link.stale_after,
                          &options.link.lost_after})
    *limit = duration_of(seconds(*limit) * patience);
  // An address where nothing listens is reported in bearable time.
  const auto stretched = [patience](Duration limit) {
    return std::min(duration_of(seconds(limit) * patience), 3 * limit);
  };
  if (!device.starts_with("ros2:")) options.connect_within = stretched(5s);
  for (Duration* limit : {&options.link.connect_within, &options.link.start_within}) *limit = stretched(*limit);
  robot_ = interruptible([&options] { return opened(options); });
  if (device == "virtual" && page_.empty() && !page.empty()) serve_page(page);
}

// The one on the standard ports, that of a running tandem which does not move it, or one of our own.
void Device::open_virtual(ur3e::RobotOptions& options) {
  joined_ = "joined the virtual controller on 127.0.0.1:30004";
  controller_ = "rtde://127.0.0.1";
  const auto why_not = std::make_shared<std::string>();
  options.running_virtual = [this, why_not] {
    const RunningArm running = find_running_arm();
    joined_ = "joined the virtual arm of the running tandem";
    *why_not = running.why_not;
    controller_ = running.controller;
    page_ = running.page;
    return running.controller;
  };
  options.make_virtual = [this, why_not] {
    joined_ = why_not->empty()
                  ? "started a virtual controller"
                  : "the virtual arm of the running tandem was not joined: " + *why_not + "; started another";
    cubes_ = std::make_shared<Latest<Cubes>>();
    auto device = make_controller(cubes_);
    controller_ = device->url();
    return device;
  };
}

// A script runs without its page as well.
void Device::serve_page(const std::string& listen) {
  const pybind11::gil_scoped_release released;
  try {
    viewer_ = std::make_unique<Viewer>(controller_, listen);
    page_ = viewer_->address();
  } catch (const std::exception& error) {
    joined_ += std::string("; it cannot be watched: ") + error.what();
  }
}

std::array<std::array<double, 3>, 3> Device::cubes() const {
  const auto at = cubes_ ? cubes_->get() : std::nullopt;
  if (!at) throw Failure({Fault::unsupported, "cubes: only a virtual arm of this process reports them", 0});
  return *at;
}

Device::~Device() {
  if (robot_) close();
}

void Device::close() {
  const pybind11::gil_scoped_release released;
  {
    const std::shared_lock open(mutex_);
    if (!robot_) return;
    // Anyone who waits for a move learns that it has ended; whether the arm heard it shows when it is closed below.
    static_cast<void>(robot_->disarm(300ms));
  }
  const std::unique_lock alone(mutex_);
  viewer_.reset();
  if (robot_) robot_->close();
  robot_.reset();
}

void Device::halt() noexcept {
  const std::shared_lock open(mutex_);
  // When this fails the link is down or not armed, and the move has ended with it.
  if (robot_) static_cast<void>(robot_->stopj(2.0, false));
}

}  // namespace tandem::python
