// SPDX-License-Identifier: Apache-2.0
// Which of a set of kernels this processor runs. Included only by sources that are built for every processor.
#pragma once

namespace tandem::kinematics {

template <typename Kernels>
class KernelChoice {
 public:
  explicit KernelChoice(const Kernels& baseline) : set_{&baseline} {}
  KernelChoice(const Kernels& baseline, const Kernels& avx2, const Kernels& avx512) : set_{&baseline} {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) add(avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) add(avx512);
#endif
  }

  // The widest last; ends with null.
  const Kernels* const* available() const { return set_; }
  const Kernels& best() const { return *set_[count_ - 1]; }

 private:
  void add(const Kernels& kernels) { set_[count_++] = &kernels; }

  const Kernels* set_[4];
  int count_ = 1;
};

}  // namespace tandem::kinematics
