// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/stewart/batch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/kinematics/samples.hpp"
#include "tests/kinematics/wide_kernels.hpp"

using namespace tandem;
using namespace tandem::stewart;

namespace {

struct Table {
  explicit Table(std::size_t count) {
    for (auto& column : columns) column.assign(count, 0);
  }
  Columns view() { return {columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]}; }
  ConstColumns read() const { return {columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]}; }
  void put(std::size_t i, const std::array<double, 6>& row) {
    for (std::size_t k = 0; k < 6; ++k) columns[k][i] = row[k];
  }
  std::array<double, 6> row(std::size_t i) const {
    return {columns[0][i], columns[1][i], columns[2][i], columns[3][i], columns[4][i], columns[5][i]};
  }
  std::vector<double> columns[6];
};

double apart(const std::array<double, 6>& a, const std::array<double, 6>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < 6; ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

// Every set of kernels that this processor runs, and the eight-lane code built without AVX-512, which runs anywhere.
std::vector<const kernel::Kernels*> kernels_here() {
  std::vector<const kernel::Kernels*> sets;
  for (const kernel::Kernels* const* set = kernel::available(); *set != nullptr; ++set) sets.push_back(*set);
  sets.push_back(&kernel::wide_without_avx512);
  return sets;
}

}  // namespace

TEST_CASE("the instruction sets under test are told by name") {
  std::string names;
  for (const auto* set : kernels_here()) names += std::string(set->name) + " ";
  MESSAGE("kernels that ran here: " << names);
#if defined(__x86_64__)
  for (const std::string name : {"avx2", "avx512"}) {
    if (names.find(name + " ") == std::string::npos)
      MESSAGE("NOT RUN: " << name << " is built, but this processor does not have it");
  }
#endif
  CHECK(names.find("baseline") == 0);
  CHECK(std::string(kernel::best().name) == (*(kernels_here().end() - 2))->name);
}

TEST_CASE("batched leg lengths equal single ones on every instruction set and for every tail") {
  const Platform& platform = samples::platform();
  for (const auto* set : kernels_here()) {
    CAPTURE(set->name);
    samples::Random random(20);
    for (const std::size_t count : {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 511, 512, 513, 2000}) {
      for (const RotationOrder order : {RotationOrder::zyx, RotationOrder::xyz}) {
        Table in(count), out(count);
        for (std::size_t i = 0; i < count; ++i) in.put(i, random.laboratory());
        leg_lengths(platform, in.read(), out.view(), order, *set);
        double worst = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const Lengths exact = leg_lengths(platform.geometry, pose_from_coordinates(in.row(i), order));
          worst = std::max(worst, apart(out.row(i), exact));
        }
        CHECK(worst < 2e-15);
      }
    }
  }
}

TEST_CASE("the vector cosine agrees with the C library up to its largest angle") {
  for (const auto* set : kernels_here()) {
    kernel::Legs legs{};
    for (int i = 0; i < 8; ++i) legs.bx[i] = 1;
    // A joint on a circle of radius 1 about (3, 0): length^2 = 10 + 6 cos(yaw).
    samples::Random random(21);
    double worst = 0;
    for (int n = 0; n < 20'000; ++n) {
      const double yaw = n % 2 == 0 ? random.within(-7, 7) : random.within(-9e4, 9e4);
      const double pose[6] = {3, 0, 0, 0, 0, yaw};
      double lengths[6];
      set->lengths_one(legs, pose, true, lengths);
      const double cosine = (lengths[0] * lengths[0] - 10) / 6;
      worst = std::max(worst, std::abs(cosine - std::cos(yaw)));
    }
    CAPTURE(set->name);
    CHECK(worst < 2e-15);
  }
}

TEST_CASE("a batch with huge angles and with NaN still answers every row") {
  const Platform& platform = samples::platform();
  for (const auto* set : kernels_here()) {
    Table in(100), out(100);
    samples::Random random(22);
    for (std::size_t i = 0; i < 100; ++i) in.put(i, random.laboratory());
    in.columns[4][17] = 1e7;
    in.columns[5][50] = std::nan("");
    leg_lengths(platform, in.read(), out.view(), RotationOrder::zyx, *set);
    for (std::size_t i = 0; i < 100; ++i) {
      if (i == 50) {
        CHECK(std::isnan(out.columns[0][i]));
        continue;
      }
      CHECK(apart(out.row(i), leg_lengths(platform.geometry, pose_from_coordinates(in.row(i)))) < 3e-15);
    }
  }
}

TEST_CASE("batched poses equal single ones to 1e-12 on every instruction set") {
  const Platform& platform = samples::platform();
  for (const auto* set : kernels_here()) {
    CAPTURE(set->name);
    samples::Random random(23);
    for (const std::size_t count : {1, 3, 8, 130, 3001}) {
      for (const RotationOrder order : {RotationOrder::zyx, RotationOrder::xyz}) {
        Table lengths(count), poses(count), truth(count);
        std::vector<Outcome> outcomes(count, Outcome::none);
        for (std::size_t i = 0; i < count; ++i) {
          const Coordinates c = random.laboratory();
          truth.put(i, c);
          lengths.put(i, leg_lengths(platform.geometry, pose_from_coordinates(c, order)));
          poses.put(i, {0, 0, 1.205, 0, 0, 0});
        }
        poses_from_lengths(platform, lengths.read(), poses.view(), outcomes, order, *set);
        double worst = 0;
        int sure = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const auto single = pose_from_lengths(platform, lengths.row(i));
          REQUIRE(single.ok());
          worst = std::max({worst, apart(poses.row(i), coordinates_from_pose(single->X_base_top, order)),
                            apart(poses.row(i), truth.row(i))});
          sure += outcomes[i] == Outcome::home;
        }
        CHECK(worst < 1e-12);
        CHECK(sure == static_cast<int>(count));
      }
    }
  }
}

TEST_CASE("batched poses over the whole stroke say the same as single ones row by row") {
  const Platform& platform = samples::platform();
  constexpr std::size_t count = 400;
  samples::Random random(24);
  Table lengths(count);
  for (std::size_t i = 0; i < count; ++i) lengths.put(i, leg_lengths(platform, random.within_strokes()));
  // Rows that cannot be solved, in the middle of a vector with rows that can.
  lengths.columns[0][5] = std::nan("");
  lengths.columns[3][41] = -1.4;
  lengths.columns[2][42] = 1e300;
  lengths.columns[5][77] = 30;
  for (const auto* set : kernels_here()) {
    CAPTURE(set->name);
    Table poses(count);
    for (std::size_t i = 0; i < count; ++i) poses.put(i, {0, 0, 1.205, 0, 0, 0});
    std::vector<Outcome> outcomes(count, Outcome::home);
    poses_from_lengths(platform, lengths.read(), poses.view(), outcomes, RotationOrder::zyx, *set);
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(i);
      const auto single = pose_from_lengths(platform, lengths.row(i));
      if (!single) {
        CHECK(outcomes[i] == Outcome::none);
        CHECK(std::isnan(poses.columns[0][i]));
        continue;
      }
      CHECK((outcomes[i] == Outcome::home) == (single->mode == Mode::home));
      const double condition = condition_number(jacobian(platform.geometry, single->X_base_top));
      CHECK(apart(poses.row(i), coordinates_from_pose(single->X_base_top)) < 1e-13 * condition);
    }
  }
}

TEST_CASE("a top whose joints are not in one plane is solved as well") {
  Geometry g = samples::geometry();
  samples::Random random(25);
  for (auto& joint : g.top) joint.z() = random.within(-0.1, 0.1);
  const Platform platform(g, samples::platform().home);
  constexpr std::size_t count = 203;
  for (const auto* set : kernels_here()) {
    CAPTURE(set->name);
    Table in(count), lengths(count), poses(count);
    std::vector<Outcome> outcomes(count);
    for (std::size_t i = 0; i < count; ++i) {
      in.put(i, random.laboratory());
      poses.put(i, {0, 0, 1.205, 0, 0, 0});
    }
    leg_lengths(platform, in.read(), lengths.view(), RotationOrder::zyx, *set);
    poses_from_lengths(platform, lengths.read(), poses.view(), outcomes, RotationOrder::zyx, *set);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(apart(lengths.row(i), leg_lengths(g, pose_from_coordinates(in.row(i)))) < 2e-15);
      CHECK(apart(poses.row(i), in.row(i)) < 1e-12);
    }
  }
}

TEST_CASE("columns of different sizes are refused") {
  Table in(8), out(7);
  std::vector<Outcome> outcomes(8);
  CHECK_THROWS_AS(leg_lengths(samples::platform(), in.read(), out.view()), std::invalid_argument);
  CHECK_THROWS_AS(poses_from_lengths(samples::platform(), in.read(), out.view(), outcomes), std::invalid_argument);
}
