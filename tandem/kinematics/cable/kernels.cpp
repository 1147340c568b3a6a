// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/kernels.hpp"

#include "tandem/kinematics/kernel_choice.hpp"

namespace tandem::cables::kernel {

namespace {

const kinematics::KernelChoice<Kernels>& cable_choice() {
#if defined(__x86_64__)
  static const kinematics::KernelChoice<Kernels> chosen(baseline, avx2, avx512);
#else
  static const kinematics::KernelChoice<Kernels> chosen(baseline);
#endif
  return chosen;
}

}  // namespace

const Kernels* const* available() { return cable_choice().available(); }
const Kernels& best() { return cable_choice().best(); }

}  // namespace tandem::cables::kernel
