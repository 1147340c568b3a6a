// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 8
#include "tandem/kinematics/cable/kernel_body.hpp"

namespace tandem::cables::kernel {

const Kernels avx512 = {"avx512", lanes, cable_lengths, cable_margins};

}  // namespace tandem::cables::kernel
