// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 8
#include "tests/kinematics/cable/wide_kernels.hpp"

#include "tandem/kinematics/cable/kernel_body.hpp"

namespace tandem::cables::kernel {

const Kernels wide_without_avx512 = {"eight-plain-lanes", lanes, cable_lengths, cable_margins};

}  // namespace tandem::cables::kernel
