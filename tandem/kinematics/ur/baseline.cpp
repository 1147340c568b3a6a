// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 2
#include "tandem/kinematics/ur/one_pose.hpp"

namespace tandem::kinematics::ur::kernel {

const Kernels baseline = {"baseline", lanes, all_many, all_one, flange};

}  // namespace tandem::kinematics::ur::kernel
