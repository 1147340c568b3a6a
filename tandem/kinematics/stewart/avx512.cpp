// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 8
#include "tandem/kinematics/stewart/kernel_body.hpp"

namespace tandem::stewart::kernel {

const Kernels avx512 = {"avx512", lanes, lengths_one, pose_one, lengths_many, pose_many};

}  // namespace tandem::stewart::kernel
