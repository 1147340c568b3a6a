// SPDX-License-Identifier: Apache-2.0
// PID controller: error to output, the derivative taken of the measurement, the integral kept from winding up.
#pragma once

namespace tandem::kinematics {

struct PidGains {
  double proportional = 0;      // output per unit
  double integral = 0;          // output per unit and second
  double derivative = 0;        // output per unit a second
  double integral_limit = 100;  // unit times second, each way: the most that the integral of the error grows to
  double output_limit = 1;      // each way
};

// Nothing throws or allocates, and the output is a number within the limit whatever comes in.
class Pid {
 public:
  Pid() = default;
  explicit Pid(const PidGains& gains) : gains_(gains) {}

  // The output `dt` seconds after the last step. The first measurement has no derivative. Without time (dt not above 0)
  // and with numbers that are not finite the output is 0 and nothing is learned.
  double step(double target, double measured, double dt);
  // Forgets the integral and the last measurement, as after a stop.
  void reset();

  const PidGains& gains() const { return gains_; }
  double integral() const { return integral_; }  // of the error
  bool saturated() const { return saturated_; }  // the last output is the limit

 private:
  PidGains gains_;
  double integral_ = 0;
  double last_measured_ = 0;
  bool seeded_ = false;
  bool saturated_ = false;
};

}  // namespace tandem::kinematics
