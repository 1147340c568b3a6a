// A robot as Python holds it: calls come from any thread, and may still be under way when it is closed.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "tandem/machines/ur3e/robot.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/failure.hpp"
#include "tandem/python/interruptible.hpp"

namespace tandem::python {

class Device {
 public:
  // Opens and arms it, or throws. `patience` stretches the time limits of the link, for a twin on a busy machine.
  Device(const std::string& device, double opened_gripper_mm, bool join_virtual, double patience);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Ends the moves that others wait for, then the connection. Needs Python's lock.
  void close();

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

  std::shared_mutex mutex_;  // shared: in use; exclusive: ends
  std::mutex gripper_mutex_;
  std::unique_ptr<ur3e::Robot> robot_;
};

}  // namespace tandem::python
