// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/stewart/kernels.hpp"

#include <cmath>

#include "tandem/kinematics/kernel_choice.hpp"

namespace tandem::stewart::kernel {

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
