// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/kernels.hpp"

#include "tandem/kinematics/kernel_choice.hpp"

namespace tandem::kinematics::ur::kernel {

namespace {

const kinematics::KernelChoice<Kernels>& choice() {
#if defined(__x86_64__)
  static const kinematics::KernelChoice<Kernels> chosen(baseline, avx2, avx512);
#else
  static const kinematics::KernelChoice<Kernels> chosen(baseline);
#endif
  return chosen;
}

}  // namespace

const Kernels* const* available() { return choice().available(); }
const Kernels& best() { return choice().best(); }

}  // namespace tandem::kinematics::ur::kernel
