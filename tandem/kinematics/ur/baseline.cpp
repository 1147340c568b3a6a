// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 2
#include "tandem/kinematics/ur/kernel_body.hpp"

namespace tandem::kinematics::ur::kernel {

const Kernels baseline = {"baseline", lanes, all_many};

}  // namespace tandem::kinematics::ur::kernel
