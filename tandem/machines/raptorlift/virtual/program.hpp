// SPDX-License-Identifier: Apache-2.0
// The program of the virtual PLC: which torques reach the motors, and when it brakes by itself. SI and the joints' own
// signs; it knows no registers and no clock.
#pragma once

#include <array>
#include <cstddef>

#include "tandem/base/clock.hpp"
#include "tandem/machines/raptorlift/virtual/truck.hpp"

namespace tandem::raptorlift {

// What a client asks of the drives.
struct PlcCommands {
  std::array<double, 2> speed_limits{};  // rad/s, of the driven wheels, either way
  std::array<double, 2> positions{};     // rad, of the steering: told to the drives, which follow the torque
  Axes torques{};                        // N m
};

// Why it stopped by itself.
enum class PlcTrip {
  none,
  watchdog,
  restart,  // the wheels turned at power-up
  physics
};

class VirtualProgram {
 public:
  struct Setup {
    Duration watchdog = 500ms;        // commands older than this stop an enabled truck
    bool heartbeat_required = false;  // only a new heartbeat feeds the watchdog, commands do not
    double traction_torque = 150;     // N m, the most that a motor gives
    double steering_torque = 100;     // N m
    double brake_torque = 30;         // N m, on each driven wheel
  };

  explicit VirtualProgram(const Setup& setup) : setup_(setup) {}

  void command(const PlcCommands& commands);
  void beat();  // the client's heartbeat has a new value
  // An enable while a trip is latched has no effect. Commands older than the watchdog's time are forgotten when the
  // first axis is enabled: only what is commanded now moves anything.
  void enable(std::size_t axis, bool on);
  // Its rising edge releases a latched trip; the axes stay disabled until they are enabled again.
  void reset(bool level);
  void trip(PlcTrip cause);

  // One scan: time goes on by `dt`, above zero, and these are the torques until the next.
  Axes scan(Duration dt, const Axes& speeds);

  const PlcCommands& commands() const { return commands_; }
  bool enabled(std::size_t axis) const { return enabled_[axis]; }
  bool any_enabled() const;
  bool reset_level() const { return reset_level_; }
  PlcTrip tripped() const { return tripped_; }
  bool braking() const { return tripped_ != PlcTrip::none; }
  bool stale() const { return unfed_ >= setup_.watchdog; }

 private:
  double driven_torque(std::size_t axis, double speed) const;

  Setup setup_;
  PlcCommands commands_;
  std::array<bool, 4> enabled_{};
  bool reset_level_ = false;
  bool scanned_ = false;  // since power-up
  PlcTrip tripped_ = PlcTrip::none;
  Duration unfed_ = Duration::max() / 2;  // since the watchdog was fed
};

}  // namespace tandem::raptorlift
