#include "tandem/python/device.hpp"

#include <algorithm>

#include "tandem/machines/ur3e/virtual_ur.hpp"

namespace tandem::python {
namespace {

std::unique_ptr<machines::VirtualDevice> make_twin() {
  static SystemClock clock;
  ur3e::VirtualUrSetup setup;
  setup.clock = &clock;
  return ur3e::make_virtual_ur(setup);
}

std::unique_ptr<ur3e::Robot> opened(const ur3e::RobotOptions& options) {
  auto robot = ur3e::Robot::open(options);
  if (!robot) throw Failure(std::move(robot).error(), true);
  return std::move(robot).value();
}

}  // namespace

Device::Device(const std::string& device, double opened_gripper_mm, bool join_virtual, double patience) {
  ur3e::RobotOptions options;
  options.device = device;
  options.opened_gripper_mm = opened_gripper_mm;
  options.join_virtual = join_virtual;
  options.make_virtual = make_twin;
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
}

Device::~Device() {
  if (robot_) close();
}

void Device::close() {
  const pybind11::gil_scoped_release released;
  {
    const std::shared_lock open(mutex_);
    if (!robot_) return;
    // Whoever waits for a move learns that it has ended; whether the arm heard it shows when it is closed below.
    static_cast<void>(robot_->disarm(300ms));
  }
  const std::unique_lock alone(mutex_);
  if (robot_) robot_->close();
  robot_.reset();
}

void Device::halt() noexcept {
  const std::shared_lock open(mutex_);
  // When this fails the link is down or not armed, and the move has ended with it.
  if (robot_) static_cast<void>(robot_->stopj(2.0, false));
}

}  // namespace tandem::python
