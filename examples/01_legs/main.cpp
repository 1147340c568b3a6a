// SPDX-License-Identifier: Apache-2.0
// The six leg lengths of the EM1500 for one pose, and the pose back from the lengths.
#include <cstdio>

#include "tandem/kinematics/stewart/stewart.hpp"
#include "tandem/machines/em1500/description.hpp"

int main() {
  using namespace tandem;
  const stewart::Coordinates pose{0.05, -0.03, 1.305, 0.05, -0.04, 0.03};  // m, rad; the top in the base frame
  const stewart::Lengths lengths = stewart::leg_lengths(em1500::platform(), pose);
  for (std::size_t leg = 0; leg < 6; ++leg) std::printf("leg %zu: %.5f m\n", leg + 1, lengths[leg]);

  const auto back = stewart::pose_from_lengths(em1500::platform(), lengths);
  if (!back) return std::printf("%s\n", back.error().text.c_str()), 1;
  std::printf("pose found again within %.1e m after %d steps\n", back->residual, back->iterations);
}
