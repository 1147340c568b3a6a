// SPDX-License-Identifier: Apache-2.0
// Many positions at once, on every instruction set, against one at a time.
#include "tandem/kinematics/cable/workspace/batch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tests/kinematics/cable/samples.hpp"
#include "tests/kinematics/cable/wide_kernels.hpp"
#include "tests/kinematics/instruction_set.hpp"

namespace tandem::cables {

namespace {

using cable_samples::Random;

std::vector<const kernel::Kernels*> cable_kernels_here() {
  std::vector<const kernel::Kernels*> sets;
  for (const kernel::Kernels* const* set = kernel::available(); *set != nullptr; ++set) sets.push_back(*set);
  sets.push_back(&kernel::wide_without_avx512);
  return sets;
}

struct Cloud {
  std::vector<double> x, y, z;
  Cloud(Random& random, const Robot& robot, std::size_t count, double half) {
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector3d at = robot.design().home + random.in_box({half, half, half});
      x.push_back(at.x());
      y.push_back(at.y());
      z.push_back(at.z());
    }
  }
  Positions view() const { return {x, y, z}; }
  Eigen::Vector3d at(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

}  // namespace

TEST_CASE("the instruction sets of the cable kernels are told by name") {
  std::string names;
  for (const auto* set : cable_kernels_here()) names += std::string(set->name) + " ";
  MESSAGE("kernels that ran here: " << names);
  CHECK(names.find("baseline") == 0);
}

TEST_CASE("batched cable lengths equal single ones for every tail") {
  Random random(31);
  for (const auto* set : cable_kernels_here()) {
    CAPTURE(set->name);
    for (const int cables : {6, 8, 16}) {
      const Robot robot = cables == 8 ? Robot::standard() : random.robot(cables);
      for (const std::size_t count : {0, 1, 3, 8, 9, 511, 512, 1030}) {
        const Cloud cloud(random, robot, count, 0.2);
        const Eigen::Matrix3d rotation = rotation_from_rpy(0.1, -0.2, 0.3);
        std::vector<std::vector<double>> columns(static_cast<std::size_t>(cables), std::vector<double>(count));
        const std::vector<std::span<double>> views(columns.begin(), columns.end());
        lengths(robot, rotation, cloud.view(), views, *set);
        double worst = 0;
        for (std::size_t i = 0; i < count; i += 7) {
          const PerCable single = lengths(robot, pose_from(cloud.at(i), rotation));
          for (int c = 0; c < cables; ++c)
            worst = std::max(worst, std::abs(single[c] - columns[static_cast<std::size_t>(c)][i]));
        }
        CHECK(worst < 1e-15);
      }
    }
  }
}

TEST_CASE("batched margins equal single ones and the tension solver on every instruction set") {
  Random random(32);
  const Robot& robot = Robot::standard();
  const std::array<Wrench, 3> loads = {Wrench::Zero(), random.six(4), random.six(4)};
  for (const auto* set : cable_kernels_here()) {
    CAPTURE(set->name);
    double worst = 0;
    int inside = 0, count = 0;
    for (int turn = 0; turn < 5; ++turn) {
      const Eigen::Matrix3d rotation = rotation_from_rpy(0.1 * turn, random.within(-0.4, 0.4), -0.1 * turn);
      const std::size_t size = 61 + static_cast<std::size_t>(turn);
      const Cloud cloud(random, robot, size, 0.24);
      const std::span<const Wrench> held(loads.data(), turn % 2 == 0 ? 0U : 3U);
      std::vector<double> found(size);
      margins(robot, rotation, cloud.view(), held, found, *set);
      for (std::size_t i = 0; i < size; ++i) {
        const Pose pose = pose_from(cloud.at(i), rotation);
        worst = std::max(worst, std::abs(found[i] - margin_by_program(robot, pose, held)));
        ++count;
        inside += found[i] >= 0;
        if (!held.empty() || std::abs(found[i]) < 1e-9) continue;
        CHECK((found[i] >= 0) == distribute(robot, structure(robot, pose), weight(robot, pose)).feasible);
      }
    }
    CHECK(worst < 1e-9);
    CHECK(inside > count / 5);
    CHECK(inside < count * 4 / 5);
  }
}

namespace {

// Every size of the last vector, beside the linear program; one position is what margin() asks for.
void check_margins_on(const std::string& name) {
  const kernel::Kernels* const set = instruction_set(kernel::available(), name);
  if (set == nullptr) return;
  Random random(34);
  const Robot& robot = Robot::standard();
  const Eigen::Matrix3d rotation = rotation_from_rpy(0.1, -0.2, 0.05);
  double worst = 0, worst_alone = 0;
  for (std::size_t size = 0; size <= 18; ++size) {
    const Cloud cloud(random, robot, size, 0.24);
    std::vector<double> found(size);
    margins(robot, rotation, cloud.view(), {}, found, *set);
    for (std::size_t i = 0; i < size; ++i) {
      const Pose pose = pose_from(cloud.at(i), rotation);
      const double expected = margin_by_program(robot, pose);
      worst = std::max(worst, std::abs(found[i] - expected));
      worst_alone = std::max(worst_alone, std::abs(margin(robot, pose) - expected));
    }
  }
  CHECK(worst < 1e-9);
  CHECK(worst_alone < 1e-9);
}

}  // namespace

TEST_CASE("the baseline margins agree with a linear program") { check_margins_on("baseline"); }
TEST_CASE("the AVX2 margins agree with a linear program") { check_margins_on("avx2"); }
TEST_CASE("the AVX-512 margins agree with a linear program") { check_margins_on("avx512"); }

// Planes of symmetry, where cables copy each other exactly or almost.
TEST_CASE("batched margins are right on planes of symmetry and next to them") {
  const Robot& robot = Robot::standard();
  for (const auto* set : cable_kernels_here()) {
    CAPTURE(set->name);
    double worst = 0;
    for (const double off : {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3}) {
      std::vector<double> x, y, z;
      for (int i = -3; i <= 3; ++i) {
        x.insert(x.end(), {off, 0.06 * i, 0.06 * i});
        y.insert(y.end(), {0.06 * i, -off, 0.06 * i + off});
        z.insert(z.end(), {0.3, 0.3 - off, 0.3 + 0.05 * i});
      }
      std::vector<double> found(x.size());
      margins(robot, Eigen::Matrix3d::Identity(), {x, y, z}, {}, found, *set);
      for (std::size_t i = 0; i < x.size(); ++i)
        worst = std::max(
            worst,
            std::abs(found[i] - margin_by_program(robot, pose_from({x[i], y[i], z[i]}, Eigen::Matrix3d::Identity()))));
    }
    CHECK(worst < 1e-9);
  }
}

TEST_CASE("singular layouts and NaN are answered by the solver for any robot") {
  const Robot& robot = Robot::standard();
  const std::vector<double> x = {0, std::nan(""), 0.1, 1e12, 0.3, INFINITY}, y = {0, 0, 0.1, 0, 0.3, 0},
                            z = {0.3, 0.3, 0.3, 0, 0.6, 0.3};
  for (const auto* set : cable_kernels_here()) {
    CAPTURE(set->name);
    std::vector<double> found(x.size());
    margins(robot, Eigen::Matrix3d::Identity(), {x, y, z}, {}, found, *set);
    CHECK(found[0] > 40);
    CHECK(found[1] == no_margin);
    CHECK(found[2] > 0);
    CHECK(found[3] < 0);
    CHECK(found[5] == no_margin);
    for (const double each : found) CHECK_FALSE(std::isnan(each));
  }
}

TEST_CASE("more loads than the kernels take at a time are all counted") {
  Random random(33);
  const Robot& robot = Robot::standard();
  std::vector<Wrench> loads(150, Wrench::Zero());
  loads[131] << 20, 0, 0, 0, 0, 0;
  const Cloud cloud(random, robot, 300, 0.2);
  std::vector<double> all(300), one(300), none(300);
  margins(robot, Eigen::Matrix3d::Identity(), cloud.view(), loads, all);
  margins(robot, Eigen::Matrix3d::Identity(), cloud.view(), std::span(&loads[131], 1), one);
  margins(robot, Eigen::Matrix3d::Identity(), cloud.view(), {}, none);
  for (std::size_t i = 0; i < 300; ++i) CHECK(all[i] == doctest::Approx(std::min(one[i], none[i])).epsilon(1e-9));
}

TEST_CASE("arrays of different sizes are refused before anything is written") {
  const std::vector<double> three(3);
  std::vector<double> two(2);
  CHECK_THROWS_AS(margins(Robot::standard(), Eigen::Matrix3d::Identity(), {three, three, three}, {}, two),
                  std::invalid_argument);
  const std::vector<std::span<double>> views(7, two);
  CHECK_THROWS_AS(lengths(Robot::standard(), Eigen::Matrix3d::Identity(), {two, two, two}, views),
                  std::invalid_argument);
}

}  // namespace tandem::cables
