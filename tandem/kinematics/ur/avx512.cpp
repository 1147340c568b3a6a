// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 8
#include "tandem/kinematics/ur/kernel_body.hpp"

namespace tandem::kinematics::ur::kernel {

const Kernels avx512 = {"avx512", lanes, all_many};

}  // namespace tandem::kinematics::ur::kernel
