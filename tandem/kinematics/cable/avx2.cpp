// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 4
#include "tandem/kinematics/cable/kernel_body.hpp"

namespace tandem::cables::kernel {

const Kernels avx2 = {"avx2", lanes, cable_lengths, cable_margins};

}  // namespace tandem::cables::kernel
