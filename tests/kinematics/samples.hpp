// SPDX-License-Identifier: Apache-2.0
// The EM1500's numbers as the laboratory publishes them, and seeded random poses of it.
#pragma once

#include <cmath>
#include <random>

#include "tandem/kinematics/stewart/stewart.hpp"
#include "tests/full.hpp"

namespace samples {

inline tandem::stewart::Geometry geometry() {
  constexpr double z = 0.11258;
  return {{{{0.70416, -1.02102, z},
            {0.53215, -1.12033, z},
            {-1.23631, -0.09931, z},
            {-1.23631, 0.09931, z},
            {0.53215, 1.12033, z},
            {0.70416, 1.02102, z}}},
          {{{0.95000, -0.09000, 0},
            {-0.39706, -0.86772, 0},
            {-0.55294, -0.77772, 0},
            {-0.55294, 0.77772, 0},
            {-0.39706, 0.86772, 0},
            {0.95000, 0.09000, 0}}}};
}

inline const tandem::stewart::Platform& platform() {
  static const tandem::stewart::Platform value(geometry(),
                                               tandem::pose_from({0, 0, 1.205}, Eigen::Matrix3d::Identity()));
  return value;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double within(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

  // Inside the laboratory's limits: 0.15 m, 0.30 m of heave, 5 degrees.
  tandem::stewart::Coordinates laboratory() {
    constexpr double a = 0.0872664625997;
    return {within(-0.15, 0.15), within(-0.15, 0.15), 1.205 + within(-0.3, 0.3),
            within(-a, a),       within(-a, a),       within(-a, a)};
  }

  // Anywhere that legs of +-0.4 m can hold.
  tandem::stewart::Coordinates within_strokes() {
    for (int tries = 0; tries < 1'000'000; ++tries) {
      const tandem::stewart::Coordinates c = {within(-0.66, 0.66), within(-0.55, 0.55), 1.205 + within(-0.66, 0.5),
                                              within(-0.7, 0.7),   within(-0.7, 0.7),   within(-0.7, 0.7)};
      const auto lengths = tandem::stewart::leg_lengths(platform(), c);
      bool fits = true;
      for (const double length : lengths) fits = fits && std::abs(length - 1.45623) <= 0.4;
      if (fits) return c;
    }
    std::abort();
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace samples
