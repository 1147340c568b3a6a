// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 2
#include "tandem/kinematics/stewart/kernel_body.hpp"

namespace tandem::stewart::kernel {

const Kernels baseline = {"baseline", lanes, lengths_one, pose_one, lengths_many, pose_many};

}  // namespace tandem::stewart::kernel
