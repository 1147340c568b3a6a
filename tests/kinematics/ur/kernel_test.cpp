// SPDX-License-Identifier: Apache-2.0
// Each instruction set alone, beside the scalar closed form and the plain chain of matrices.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "tandem/kinematics/ur/batch.hpp"
#include "tandem/kinematics/ur/closed_form.hpp"
#include "tests/kinematics/instruction_set.hpp"
#include "tests/kinematics/ur/samples.hpp"

using namespace tandem;
using namespace tandem::kinematics::ur;
using namespace ur_samples;

namespace {

// Angles that mix the ordinary with all that is singular, also by little.
Joints some_joints(Random& random, int n) {
  Joints q = random.joints();
  if (n % 5 == 1) q[4] = std::pow(10, random.within(-14, -3));
  if (n % 5 == 2) q[2] = std::pow(10, random.within(-14, -3));
  if (n % 5 == 3) q[2] = pi - std::pow(10, random.within(-14, -3));
  return q;
}

void check_one_pose(const kernel::Kernels& kernels) {
  Random random(71);
  for (int n = 0; n < count(20'000, 500'000); ++n) {
    const Model& model = *models[n % 6];
    const Joints truth = some_joints(random, n);
    const Pose pose = chain(model, truth);
    Solutions found, scalar;
    const Tolerance tolerance = n % 7 == 0 ? Tolerance{1e-5, 1e-5} : Tolerance{};
    closed_form(model, pose, scalar, 0.3, tolerance);
    REQUIRE(all_solutions(model, pose, found, 0.3, tolerance, kernels) > 0);
    CHECK(found.wrist_singular == scalar.wrist_singular);
    CHECK(found.shoulder_singular == scalar.shoulder_singular);
    if (n % 5 == 0) CHECK(found.elbow_singular == scalar.elbow_singular);
    if (n % 5 == 0) REQUIRE(found.count == scalar.count);  // else rounding may part or join two elbows
    for (int k = 0; k < found.count; ++k) {
      const Joints& q = found.q[static_cast<std::size_t>(k)];
      REQUIRE((chain(model, q).translation() - pose.translation()).norm() < 1.5 * tolerance.position);
      REQUIRE(angle_between(chain(model, q), pose) < tolerance.orientation);
      if (n % 5 == 0) CHECK(distance(q, scalar.q[static_cast<std::size_t>(k)]) < 1e-6);
    }
  }
}

void check_forward(const kernel::Kernels& kernels) {
  Random random(72);
  for (int n = 0; n < 2000; ++n) {
    const Model& model = *models[n % 6];
    const Joints q = random.joints(n % 2 == 0 ? 2 * pi : 9e3);
    const double worst = (forward(model, q, kernels).matrix() - chain(model, q).matrix()).cwiseAbs().maxCoeff();
    CHECK(worst < (n % 2 == 0 ? 1e-14 : 1e-11));  // a sum of large angles has fewer digits left
  }
  Joints large = Joints::Constant(0.5);
  large[3] = 1e9;
  CHECK((forward(ur3e, large, kernels).matrix() - chain(ur3e, large).matrix()).cwiseAbs().maxCoeff() < 1e-6);
  large[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK(!finite(forward(ur3e, large, kernels)));
}

// Every size of the last vector, against one pose at a time.
void check_tails(const kernel::Kernels& kernels) {
  Random random(73);
  for (std::size_t size = 0; size <= 18; ++size) {
    std::vector<double> in(7 * size), out(48 * size);
    std::vector<unsigned char> found(size);
    std::vector<Pose> poses;
    PoseColumns from;
    SolutionColumns to;
    for (std::size_t k = 0; k < 7; ++k) from[k] = {in.data() + k * size, size};
    for (std::size_t k = 0; k < 48; ++k) to[k] = {out.data() + k * size, size};
    for (std::size_t i = 0; i < size; ++i) {
      poses.push_back(chain(ur3e, random.joints()));
      const Eigen::Quaterniond r(poses[i].linear());
      const Eigen::Vector3d p = poses[i].translation();
      const double values[7] = {p.x(), p.y(), p.z(), r.w(), r.x(), r.y(), r.z()};
      for (std::size_t k = 0; k < 7; ++k) in[k * size + i] = values[k];
    }
    all_solutions(ur3e, from, to, found, {}, kernels);
    for (std::size_t i = 0; i < size; ++i) {
      Solutions one;
      closed_form(ur3e, poses[i], one, 0, {});
      int next = 0;
      for (std::size_t k = 0; k < 8; ++k) {
        if (((found[i] >> k) & 1) == 0) continue;
        REQUIRE(next < one.count);
        for (std::size_t j = 0; j < 6; ++j)
          CHECK(std::abs(to[k * 6 + j][i] - one.q[static_cast<std::size_t>(next)][static_cast<int>(j)]) < 1e-9);
        ++next;
      }
      CHECK(next == one.count);
    }
  }
}

void check_set(const std::string& name) {
  const kernel::Kernels* const kernels = instruction_set(kernel::available(), name);
  if (kernels == nullptr) return;
  check_one_pose(*kernels);
  check_forward(*kernels);
  check_tails(*kernels);
}

}  // namespace

TEST_CASE("UR: the baseline kernels agree with the scalar closed form") { check_set("baseline"); }
TEST_CASE("UR: the AVX2 kernels agree with the scalar closed form") { check_set("avx2"); }
TEST_CASE("UR: the AVX-512 kernels agree with the scalar closed form") { check_set("avx512"); }
