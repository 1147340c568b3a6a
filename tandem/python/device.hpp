// SPDX-License-Identifier: Apache-2.0
// A robot as Python holds it: calls come from any thread, and may still be under way when it is closed.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/ur3e/api/robot.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/failure.hpp"
#include "tandem/python/interruptible.hpp"
#include "tandem/python/viewer.hpp"

namespace tandem::python {

class Device {
 public:
  // Opens and arms it, or throws. `patience` stretches the time limits of the link, for a virtual arm on a busy
  // computer. `page` is where a page of a virtual arm is served, "127.0.0.1:8088"; empty: nowhere.
  Device(const std::string& device, double opened_gripper_mm, bool join_virtual, double patience,
         const std::string& page);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Ends the moves that others wait for, then the connection. Needs Python's lock.
  void close();

  // What "virtual" has become, in words, and where it can be watched; empty for other devices.
  const std::string& joined() const { return joined_; }
  const std::string& page() const { return page_; }
  // Where the physics of a virtual arm of our own has its cubes: centres in the base frame (m). Throws Failure for
  // another arm.
  std::array<std::array<double, 3>, 3> cubes() const;

  // For calls that return at once or nearly so; throws Failure. Needs Python's lock, and gives it up for the call.
  template <typename Call>
  auto quick(Call call) {
    const pybind11::gil_scoped_release released;
    return run(call);
  }
  // For calls that wait; on Ctrl-C the arm stops.
  template <typename Call>
  auto patient(Call call) {
    return interruptible([this, &call] { return run(call); }, [this] { halt(); });
  }
  // One thread at a time, as the gripper wants it.
  template <typename Call>
  auto gripper(Call call) {
    return interruptible([this, &call] { return run_gripper(call); });
  }
  template <typename Call>
  auto quick_gripper(Call call) {
    const pybind11::gil_scoped_release released;
    return run_gripper(call);
  }

 private:
  template <typename Call>
  auto run(Call& call) {
    const std::shared_lock open(mutex_);
    if (!robot_) throw Failure({Fault::closed, "the robot has been closed: make a new ISCoin", 0});
    return unwrapped(call(*robot_));
  }
  template <typename Call>
  auto run_gripper(Call& call) {
    auto alone = [this, &call](ur3e::Robot& robot) {
      if (robot.gripper() == nullptr) throw Failure({Fault::unsupported, "this robot has no gripper", 0});
      const std::scoped_lock one(gripper_mutex_);
      return call(*robot.gripper());
    };
    return run(alone);
  }
  void halt() noexcept;
  void open_virtual(ur3e::RobotOptions& options);
  void serve_page(const std::string& listen);

  using Cubes = std::array<std::array<double, 3>, 3>;
  std::shared_ptr<Latest<Cubes>> cubes_;  // null: not our own virtual arm
  std::string joined_, page_, controller_;
  std::unique_ptr<Viewer> viewer_;
  std::shared_mutex mutex_;  // shared: in use; exclusive: ends
  std::mutex gripper_mutex_;
  std::unique_ptr<ur3e::Robot> robot_;
};

}  // namespace tandem::python
