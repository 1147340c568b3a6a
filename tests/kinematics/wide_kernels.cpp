// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 8
#include "tests/kinematics/wide_kernels.hpp"

#include "tandem/kinematics/stewart/kernel_body.hpp"

namespace tandem::stewart::kernel {

const Kernels wide_without_avx512 = {"eight-plain-lanes", lanes, lengths_one, pose_one, lengths_many, pose_many};

}  // namespace tandem::stewart::kernel
