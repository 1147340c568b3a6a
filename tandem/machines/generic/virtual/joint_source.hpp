// SPDX-License-Identifier: Apache-2.0
// The joints of a URDF as the virtual device moves them: MuJoCo behind an interface, so that behaviours are tested
// without it. One thread. All values in SI: m, rad, m/s, rad/s, N, N.m.
#pragma once

#include <memory>
#include <string_view>

#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

class JointSource {
 public:
  virtual ~JointSource() = default;
  // NaN for a name that is no joint.
  virtual double value(std::string_view joint, Sim::JointValue what) const = 0;
  // Where the joint's drive is to go from now on; it holds its first position before that.
  virtual void target(std::string_view joint, double position) = 0;
  virtual void step(double dt) = 0;  // s
};

// Physics of the robot in the description; null where it has none. Throws std::invalid_argument for a URDF that is
// invalid.
std::unique_ptr<JointSource> make_joint_source(const Description& description);

}  // namespace tandem::generic
