// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 2
#include "tandem/kinematics/cable/kernel_body.hpp"

namespace tandem::cables::kernel {

const Kernels baseline = {"baseline", lanes, cable_lengths, cable_margins};

}  // namespace tandem::cables::kernel
