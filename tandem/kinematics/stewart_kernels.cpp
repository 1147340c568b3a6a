#include "tandem/kinematics/stewart_kernels.hpp"

#include <cmath>

namespace tandem::stewart::kernel {

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

void lengths_of_large_angles(const Legs& legs, const double* pose, bool zyx, double* lengths) {
  const double sr = std::sin(pose[3]), cr = std::cos(pose[3]);
  const double sp = std::sin(pose[4]), cp = std::cos(pose[4]);
  const double sy = std::sin(pose[5]), cy = std::cos(pose[5]);
  for (int i = 0; i < 6; ++i) {
    // Turn the joint about one axis after the other.
    double x = legs.bx[i], y = legs.by[i], z = legs.bz[i];
    const auto turn = [](double& u, double& v, double s, double c) {
      const double before = u;
      u = c * u - s * v;
      v = s * before + c * v;
    };
    if (zyx) {
      turn(y, z, sr, cr);
      turn(z, x, sp, cp);
      turn(x, y, sy, cy);
    } else {
      turn(x, y, sy, cy);
      turn(z, x, sp, cp);
      turn(y, z, sr, cr);
    }
    x += pose[0] - legs.ax[i];
    y += pose[1] - legs.ay[i];
    z += pose[2] - legs.az[i];
    lengths[i] = std::sqrt(x * x + y * y + z * z);
  }
}

}  // namespace tandem::stewart::kernel
