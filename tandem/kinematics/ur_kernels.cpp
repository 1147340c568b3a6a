#include "tandem/kinematics/ur_kernels.hpp"

namespace tandem::kinematics::ur::kernel {

const Kernels* const* available() {
  struct List {
    const Kernels* set[4] = {&baseline, nullptr, nullptr, nullptr};
    List() {
#if defined(__x86_64__)
      int count = 1;
      if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) set[count++] = &avx2;
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) set[count++] = &avx512;
#endif
    }
  };
  static const List list;
  return list.set;
}

const Kernels& best() {
  static const Kernels* const chosen = [] {
    const Kernels* const* last = available();
    while (last[1] != nullptr) ++last;
    return *last;
  }();
  return *chosen;
}

}  // namespace tandem::kinematics::ur::kernel
