// SPDX-License-Identifier: Apache-2.0
// The laboratory's platform without the laboratory: its state machine and motions over simulated physics.
//
// What it reports is what the physics does, passed through the inverse of the configured profile, so that the reader
// it with the same profile gets the legs that really moved. A consequence: SETTLED is the pose with the legs short,
// 0.4663845 m below neutral. A PLC whose heave points down (profile frd, as the laboratory's frame does) reports it
// as +0.4663845; under profile original, which takes heave as pointing up, the same pose is -0.4663845. The body
// decides, not the sign: legs of a platform at rest are short in both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tandem/machines/em1500/pose_map.hpp"
#include "tandem/machines/em1500/virtual/body.hpp"
#include "tandem/machines/em1500/virtual/motion.hpp"

namespace tandem::em1500 {

// The numbers of the laboratory's controller.
enum class LabState : std::int32_t {
  transit = 0,  // on the way between two of the others
  off = 1,
  settled = 2,
  oil_heating = 3,
  neutral = 4,
  neutral_freeze = 5,
  engaged = 8,
  engaged_freeze = 9,
};
enum class LabStatus : std::int32_t {
  ok = 0,
  warning = 4,  // a set-point was beyond what is allowed and has been limited
  error = 8,    // the physics tripped; ack_fault starts again from off
};
enum class LabCommand : std::int32_t { to_off = 0, to_settled = 1, to_neutral = 3, to_engaged = 7, ack_fault = 0x11 };
enum class LabMode : std::int32_t { settled = 0, neutral = 1, simulation = 2, generator = 3, remote = 4 };

struct RemoteSetpoint {
  Axes position{};  // m, rad, the PLC's axes
  Axes velocity{};  // m/s, rad/s
};

class VirtualPlatform {
 public:
  struct Setup {
    PoseMap map{};
    ModelOptions model = {};
    LabState start = LabState::neutral;  // off, settled or neutral
    double heating = 2;                  // s in oil_heating when coming from off
    double engaging = 3;                 // s to blend a motion in, and out
  };

  explicit VirtualPlatform(const Setup& setup);

  // One after the other it goes through the states on the way to the one that is asked for.
  void command(LabCommand command);
  // settled and neutral go there; the three others engage with that source of set-points.
  void mode(LabMode mode);
  // False slows all motion down to rest within half a second, wherever it is; true lets it go on.
  void enable(bool enabled) { enabled_ = enabled; }
  void generator(const GeneratorParameters& parameters) { generator_parameters_ = parameters; }
  void remote(const RemoteSetpoint& setpoint) { remote_ = setpoint; }

  // One step of the physics.
  void step();

  double timestep() const { return body_.timestep(); }
  LabState state() const;
  LabStatus status() const;
  LabMode mode() const { return mode_; }
  const std::string& cause() const { return body_.cause(); }  // of status error
  PlcPose pose() const;                                       // measured, as the PLC reports it
  PlcPose commanded() const;                                  // where the controller wants it
  const Body& body() const { return body_; }

 private:
  enum class Phase { off, settled, oil_heating, neutral, engaging, engaged, disengaging, transit };

  bool engaged_mode() const { return mode_ >= LabMode::simulation; }
  void proceed();  // towards the goal, when the phase allows it
  void travel(const stewart::Coordinates& to, Phase then);
  stewart::Coordinates wanted(double time);
  stewart::Coordinates engaged_at(double time);
  Axes setpoint(double time);
  Axes remote_setpoint(double time);

  Setup setup_;
  Body body_;
  PoseLimiter limiter_;
  Phase phase_;
  LabState goal_;
  LabMode mode_;
  LabMode active_;  // the source of set-points while engaged
  bool enabled_ = true;
  bool limited_ = false;
  double rate_ = 1;         // how fast the controller's time passes: 0 frozen, 1 normal
  double elapsed_ = 0;      // s in this phase, of the controller's time
  double motion_time_ = 0;  // s since it began to engage, of the controller's time
  std::optional<Transit> transit_;
  Phase after_transit_ = Phase::neutral;
  stewart::Coordinates target_;  // wanted last
  GeneratorParameters generator_parameters_;
  MotionGenerator generator_;
  RemoteSetpoint remote_;
  RemoteSetpoint followed_;  // the remote set-point, made smooth
};

}  // namespace tandem::em1500
