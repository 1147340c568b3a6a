// SPDX-License-Identifier: Apache-2.0
// Gaussian noise that is the same on every computer: the standard library's distributions are not.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace tandem::generic {

class Noise {
 public:
  // Signals with one seed still have noise of their own.
  Noise(double deviation, std::uint64_t seed, std::string_view name) : deviation_(deviation), state_(seed) {
    for (const char c : name) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;  // FNV-1a
  }

  double next() {
    if (deviation_ <= 0) return 0;
    const double u = uniform(), v = uniform();
    return deviation_ * std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  // SplitMix64; above 0, at most 1.
  double uniform() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 1) * 0x1p-53;
  }

  double deviation_;
  std::uint64_t state_;
};

}  // namespace tandem::generic
