// SPDX-License-Identifier: Apache-2.0
// What the keyboard's driver sees: a line that is redrawn below what happened, or one line per event where there is no
// terminal.
#pragma once

#include <optional>
#include <string>

#include "tandem/app/teleop/drive.hpp"
#include "tandem/app/teleop/watch.hpp"

namespace tandem::app {

// As /odom reports it.
struct TeleopMeasured {
  double v = 0, w = 0;           // m/s, rad/s
  double x = 0, y = 0, yaw = 0;  // m, rad
  Instant at{};
};

struct TeleopView {
  std::optional<TeleopWatch::Machine> machine;
  std::size_t listeners = 0;  // of our topic
  int gear = 1;
  double gear_speed = 0;  // m/s
  bool held = false;
  TeleopDrive::Twist wanted;
  std::optional<TeleopMeasured> measured;  // none: nothing came lately
};
std::string status_line(const TeleopView& view);
// "forward 0.53 m/s, left 0.50 rad/s", "stand"
std::string motion_text(const TeleopDrive::Twist& twist);

class TeleopScreen {
 public:
  TeleopScreen();
  ~TeleopScreen();

  bool terminal() const { return terminal_; }
  bool closed() const { return closed_; }  // no one reads any more
  void event(const std::string& text);
  void status(const std::string& line);  // nothing where there is no terminal

 private:
  void write(const std::string& text);

  const bool terminal_;
  bool closed_ = false;
  std::string drawn_;
};

}  // namespace tandem::app
