// SPDX-License-Identifier: Apache-2.0
// The eight-lane kernels of the cable robot built for any processor: slow, but the same source as the AVX-512 ones.
#pragma once

#include "tandem/kinematics/cable/kernels.hpp"

namespace tandem::cables::kernel {

extern const Kernels wide_without_avx512;

}  // namespace tandem::cables::kernel
