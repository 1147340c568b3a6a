// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 4
#include "tandem/kinematics/ur/kernel_body.hpp"

namespace tandem::kinematics::ur::kernel {

const Kernels avx2 = {"avx2", lanes, all_many};

}  // namespace tandem::kinematics::ur::kernel
