// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/batch.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/kinematics/ur/samples.hpp"

using namespace tandem;
using namespace tandem::kinematics::ur;
using namespace ur_samples;

namespace {

struct Batch {
  explicit Batch(std::size_t count) : in(7 * count), out(48 * count), found(count) {}
  void put(std::size_t i, const Pose& pose) {
    const Eigen::Quaterniond r(pose.linear());
    const double values[7] = {
        pose.translation().x(), pose.translation().y(), pose.translation().z(), r.w(), r.x(), r.y(), r.z()};
    for (std::size_t k = 0; k < 7; ++k) in[k * found.size() + i] = values[k];
  }
  void solve(const kernel::Kernels& kernels) {
    PoseColumns from;
    SolutionColumns to;
    for (std::size_t k = 0; k < 7; ++k) from[k] = {in.data() + k * found.size(), found.size()};
    for (std::size_t k = 0; k < 48; ++k) to[k] = {out.data() + k * found.size(), found.size()};
    all_solutions(ur3e, from, to, found, {}, kernels);
  }
  Joints solution(std::size_t i, std::size_t k) const {
    Joints q;
    for (std::size_t j = 0; j < 6; ++j) q[static_cast<int>(j)] = out[(k * 6 + j) * found.size() + i];
    return q;
  }
  std::vector<double> in, out;
  std::vector<unsigned char> found;
};

}  // namespace

TEST_CASE("UR batch: every kernel gives the solutions of the scalar closed form") {
  for (const auto* const* set = kernel::available(); *set != nullptr; ++set) {
    CAPTURE((*set)->name);
    Random random(31);
    const std::size_t size = 2003;  // leaves a rest for every width
    Batch batch(size);
    std::vector<Joints> truth(size);
    for (std::size_t i = 0; i < size; ++i) {
      truth[i] = random.joints();
      if (i % 10 == 0) truth[i][4] = 0;
      if (i % 10 == 1) truth[i][2] = 0;
      batch.put(i, chain(ur3e, truth[i]));
    }
    batch.solve(**set);
    for (std::size_t i = 0; i < size; ++i) {
      const Pose pose = chain(ur3e, truth[i]);
      Solutions scalar;
      all_solutions(ur3e, pose, scalar);
      int number = 0;
      for (std::size_t k = 0; k < 8; ++k) {
        const Joints q = batch.solution(i, k);
        REQUIRE(((batch.found[i] >> k) & 1) == (q.allFinite() ? 1 : 0));
        if (!q.allFinite()) continue;
        ++number;
        REQUIRE((chain(ur3e, q).translation() - pose.translation()).norm() < 1e-9);
        REQUIRE(angle_between(chain(ur3e, q), pose) < 1e-9);
        double least = 10;
        for (int s = 0; s < scalar.count; ++s)
          least = std::min(least, distance(q, scalar.q[static_cast<std::size_t>(s)]));
        CHECK(least < (i % 10 < 2 ? 1e-6 : 1e-9));
      }
      if (i % 10 >= 2) CHECK(number == scalar.count);
    }
  }
}

TEST_CASE("UR batch: what is no pose or out of reach has no solution") {
  for (const auto* const* set = kernel::available(); *set != nullptr; ++set) {
    CAPTURE((*set)->name);
    Batch batch(9);
    for (std::size_t i = 0; i < 9; ++i) batch.put(i, chain(ur3e, Joints::Constant(0.5)));
    const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200, 5};
    for (std::size_t k = 0; k < 4; ++k) batch.in[k % 3 * 9 + k] = bad[k];
    for (std::size_t k = 3; k < 7; ++k) batch.in[k * 9 + 5] = 0;  // no quaternion
    for (std::size_t k = 3; k < 7; ++k) batch.in[k * 9 + 6] *= 3;
    batch.solve(**set);
    for (std::size_t i = 0; i < 9; ++i) CHECK((batch.found[i] != 0) == (i == 4 || i >= 6));
    CHECK((batch.solution(6, 0) - batch.solution(7, 0)).norm() < 1e-12);
    CHECK_THROWS_AS(all_solutions(ur3e, PoseColumns{}, SolutionColumns{}, batch.found), std::invalid_argument);
  }
}
