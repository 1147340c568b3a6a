// SPDX-License-Identifier: Apache-2.0
// The gripper of the API: positions from 0 (open) to 255 (closed), and the opening in millimetres as its users count
// it. One thread at a time.
#pragma once

#include <memory>
#include <optional>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/machines/ur3e/device/link.hpp"
#include "tandem/protocols/ur/gripper/client.hpp"

namespace tandem::ur3e {

using GripperStatus = ur::gripper::Status;

// Whatever moves the fingers.
class Fingers {
 public:
  virtual ~Fingers() = default;
  virtual Result<void> activate(Instant deadline) = 0;  // and waits until it is
  virtual Result<void> deactivate(Instant deadline) = 0;
  // Starts a movement; each from 0 to 255.
  virtual Result<void> move(int position, int speed, int force, Instant deadline) = 0;
  virtual Result<GripperStatus> status(Instant deadline) = 0;
};

// Fingers behind the gripper's own socket. Connects when it is first needed, and again after a failure.
std::unique_ptr<Fingers> make_socket_fingers(const ControllerAddress& address, net::Tap* tap = nullptr);

class Gripper {
 public:
  Gripper(std::unique_ptr<Fingers> fingers, double opened_mm) : fingers_(std::move(fingers)), opened_mm_(opened_mm) {}

  Result<void> activate(Duration within = 10s);
  Result<void> deactivate(Duration within = 2s);
  // True when the gripper has taken it; false when it is not active. It moves on by itself.
  Result<bool> move(int position, int speed = 255, int force = 50);
  Result<bool> open(int speed = 255, int force = 50) { return move(0, speed, force); }
  Result<bool> close(int speed = 255, int force = 50) { return move(255, speed, force); }

  Result<GripperStatus> status();
  Result<bool> is_active();
  Result<int> fault();
  Result<int> position();                  // 0 open to 255 closed
  Result<double> estimated_position_mm();  // opening
  Result<int> current();                   // 10 mA
  Result<int> estimated_current_ma();
  Result<bool> is_moving();
  Result<bool> has_detected_object();
  // True when it has, false when the time is over first.
  Result<bool> wait_until_stopped(Duration within = 10s);
  Result<bool> wait_until_active(Duration within = 10s);
  // Closes (opens) fully, and tells whether it stopped at an opening from expected - minus to expected + plus, mm.
  Result<bool> close_and_check_size(double expected_mm, double plus_mm, double minus_mm, int speed = 255,
                                    int force = 50);
  Result<bool> open_and_check_size(double expected_mm, double plus_mm, double minus_mm, int speed = 255,
                                   int force = 50);

  double opened_mm() const { return opened_mm_; }

 private:
  Result<bool> move_and_check(int position, double expected_mm, double plus_mm, double minus_mm, int speed, int force);

  std::unique_ptr<Fingers> fingers_;
  double opened_mm_;
};

// The opening for a position of the gripper: 3 reads when quite open, 250 when closed.
double opening_mm(int position, double opened_mm);

}  // namespace tandem::ur3e
