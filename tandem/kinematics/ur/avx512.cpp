// SPDX-License-Identifier: Apache-2.0
#define TANDEM_LANES 8
#include "tandem/kinematics/ur/one_pose.hpp"

namespace tandem::kinematics::ur::kernel {

namespace {

// To gather six angles in one vector of eight takes longer than two of four.
void narrow_flange(const Numbers& numbers, const double* q, double* pose) { avx2.flange(numbers, q, pose); }

}  // namespace

const Kernels avx512 = {"avx512", lanes, all_many, all_one, narrow_flange};

}  // namespace tandem::kinematics::ur::kernel
