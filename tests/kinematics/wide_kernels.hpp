// SPDX-License-Identifier: Apache-2.0
// The eight-lane kernels built for any processor: slow, but the same source as the AVX-512 ones.
#pragma once

#include "tandem/kinematics/stewart/kernels.hpp"

namespace tandem::stewart::kernel {

extern const Kernels wide_without_avx512;

}  // namespace tandem::stewart::kernel
