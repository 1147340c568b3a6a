// SPDX-License-Identifier: Apache-2.0
// The UR3e's body in MuJoCo: arm, Hand-E, table and cubes, with the joint servo that the real joints have built in.
// Everything is in the controller's `base` frame.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/virtual/gripper.hpp"
#include "tandem/machines/ur3e/virtual/model.hpp"
#include "tandem/sim/world.hpp"

namespace tandem::ur3e {

enum class Drive : std::uint8_t {
  off,        // no power: brakes hold the arm, the fingers are blocked
  braked,     // power on, brakes on
  servo,      // follow position and velocity
  freedrive,  // gravity is compensated, a hand may guide the arm
  torque,     // gravity is compensated, torque is added
};

struct Command {
  Drive drive = Drive::off;
  Joints position = home();          // rad, at the end of the coming step; servo
  Joints velocity = Joints::Zero();  // rad/s, then; servo
  Joints torque = Joints::Zero();    // N m, beyond gravity compensation; torque
  GripperCommand gripper;
};

struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   // N
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  // N m
};

// What the controller believes to hang on tool0.
struct Payload {
  double mass = hand::mass();               // kg
  Eigen::Vector3d centre = hand::centre();  // tool0, m
};

// Part of the arm touches something. Names are those of the model's bodies.
struct Touch {
  std::string_view part;                               // of the arm or hand
  std::string_view other;                              // another part, a cube, "table", "ground"
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     // N, on the part
  double normal = 0;                                   // N
};

// What a controller would stop for. It is only told here; the controller decides.
struct Finding {
  enum class Kind : std::uint8_t { none, collision, overload } kind = Kind::none;
  int joint = -1;          // 0 to 5, or -1 when it is about a touch
  std::string_view part;   // joint name, or the part that is touched
  std::string_view other;  // what touches it, if known
  double value = 0;        // N m or N
  double limit = 0;
};

struct Guards {
  std::array<double, 6> external_torque = {27, 27, 14, 8, 8, 8};  // N m: more is a collision
  double tool_force = 150;                                        // N, on the hand, grip excluded
  double touch_force = 150;                                       // N, on a link
  double overload_time = 0.020;                                   // s of a motor at its limit
};

struct Measured {
  Joints position = Joints::Zero();         // rad
  Joints velocity = Joints::Zero();         // rad/s
  Joints acceleration = Joints::Zero();     // rad/s^2
  Joints torque = Joints::Zero();           // N m, of the motors
  Joints current = Joints::Zero();          // A
  Joints external_torque = Joints::Zero();  // N m, as estimated: what neither motors nor the believed payload explain
  Pose tool0 = Pose::Identity();            // X_base_tool0
  Wrench tool_force;                        // on the tool from outside, at tool0's origin, base axes
  Eigen::Vector3d tool_acceleration = Eigen::Vector3d::Zero();  // tool0 axes, m/s^2, with gravity, as an accelerometer
  Wrench flange;                                                // raw: what wrist 3 bears of the hand, tool0 axes
  GripperState gripper;
  Finding finding;
};

class Body {
 public:
  // At home, brakes on, fingers open, cubes on the table, as far as there are any. Throws std::runtime_error only if
  // the model is wrong.
  explicit Body(const ModelOptions& options = {});

  // One time step. False when the physics has tripped; the state is then the last good one.
  bool step(const Command& command);
  const std::string& cause() const { return world_.cause(); }  // of the trip
  const Measured& measured() const { return measured_; }
  std::span<const Touch> touches() const { return touches_; }

  double timestep() const { return world_.timestep(); }
  double time() const { return world_.time(); }      // s, simulated
  double energy() const { return world_.energy(); }  // J, mechanical, of all that is in the scene

  void payload(const Payload& payload) { payload_ = payload; }
  void guards(const Guards& guards) { guards_ = guards; }
  // The present tool force becomes zero, in tool0 axes.
  void zero_force();
  // A client pushes the tool: at tool0's origin, base axes; stays until changed.
  void push(const Wrench& wrench) { push_ = wrench; }

  // The arm at rest in these angles; the scene stays.
  void stand(const Joints& position);
  // The scene and the arm as at the start; a trip is forgotten, payload and guards stay.
  void reset();
  // What hangs on the flange.
  double hand_mass() const { return hand_mass_; }                      // kg
  const Eigen::Vector3d& hand_centre() const { return hand_centre_; }  // tool0, m
  // Only in surroundings with cubes.
  Pose cube(std::size_t cube) const { return world_.pose(cubes_[cube]); }
  void place_cube(std::size_t cube, const Pose& X_base_cube) { world_.place(cubes_[cube], X_base_cube); }

 private:
  Joints wanted_acceleration(const Command& command);
  Joints brake_acceleration();
  Joints payload_torque() const;
  Joints torque_of(const Eigen::Vector3d& point, const Wrench& wrench) const;
  void apply(const Command& command);
  void apply_push();
  void forget_motion();
  void measure();
  void measure_touches();
  void find_trouble();

  sim::World world_;
  std::array<sim::Joint, 6> joints_;
  std::array<sim::Actuator, 6> motors_;
  std::array<sim::Body, 6> links_;
  std::array<sim::Body, 3> cubes_;
  sim::Body hand_;
  sim::Sensor flange_force_, flange_torque_, accelerometer_;
  std::vector<int> parts_;  // per body of the model: link 0 to 5, hand_part and above, or -1
  std::optional<VirtualGripper> gripper_;
  double hand_mass_;
  Eigen::Vector3d hand_centre_;

  Payload payload_;
  Guards guards_;
  Wrench push_;
  Wrench zero_;  // tool0 axes
  Drive drive_ = Drive::off;
  Joints reference_ = Joints::Zero();        // rad, where the servo should be now
  Joints reference_speed_ = Joints::Zero();  // rad/s, as given
  Joints step_speed_ = Joints::Zero();       // rad/s, the mean over the step that ended
  Joints locked_ = Joints::Zero();           // rad, where the brakes grip
  Joints saturated_ = Joints::Zero();        // s at the limit
  Joints motor_torque_ = Joints::Zero();     // N m
  std::vector<Touch> touches_;
  Wrench contact_on_hand_;  // at tool0's origin, base axes
  Measured measured_;
};

}  // namespace tandem::ur3e
