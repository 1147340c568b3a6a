// SPDX-License-Identifier: Apache-2.0
// Motions of the joints as functions of time: movej, stopj, speedj.
#pragma once

#include "tandem/kinematics/trajectory/profile.hpp"
#include "tandem/kinematics/ur/ur.hpp"

namespace tandem::kinematics::trajectory {

using ur::Joints;
using ur::Model;

struct JointState {
  Joints q = Joints::Zero(), qd = Joints::Zero(), qdd = Joints::Zero();  // rad, rad/s, rad/s^2
};

// All joints start and stop together; speed and acceleration are those of the joint with the longest way, the others
// are scaled. What exceeds the model's limits is slowed down; a time that is too short is an error.
class JointMove {
 public:
  static Result<JointMove> make(const Model& model, const Joints& from, const Joints& to, const Pace& pace);

  JointState sample(double t) const;
  double duration() const { return profile_.duration(); }
  const Profile& profile() const { return profile_; }
  const Joints& start() const { return from_; }
  const Joints& end() const { return to_; }

 private:
  Joints from_ = Joints::Zero(), to_ = Joints::Zero(), way_ = Joints::Zero();  // way: of one unit of progress
  Profile profile_;
};

// From any speed to rest, all joints together, the fastest with this deceleration (rad/s^2).
class JointStop {
 public:
  static Result<JointStop> make(const Joints& q, const Joints& qd, double deceleration);

  JointState sample(double t) const;
  double duration() const { return duration_; }

 private:
  Joints q_ = Joints::Zero(), qd_ = Joints::Zero();
  double duration_ = 0;
};

// From any speed to another, then on with it: the joint with the largest change has this acceleration. Speeds beyond
// the model's are an error.
class JointRamp {
 public:
  static Result<JointRamp> make(const Model& model, const Joints& q, const Joints& qd, const Joints& wanted,
                                double acceleration);

  JointState sample(double t) const;
  double ramp() const { return ramp_; }  // s until the wanted speed

 private:
  Joints q_ = Joints::Zero(), qd_ = Joints::Zero(), wanted_ = Joints::Zero();
  double ramp_ = 0;
};

}  // namespace tandem::kinematics::trajectory
