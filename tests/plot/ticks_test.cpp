// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/ticks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace tandem::plot {

namespace {

std::string tick_texts(const Range& range, int most) {
  std::string all;
  for (const Tick& tick : ticks(range, most)) all += tick.text + " ";
  return all;
}

}  // namespace

TEST_CASE("ticks are round numbers written with the same digits") {
  CHECK(tick_texts({0, 1}, 6) == "0.0 0.2 0.4 0.6 0.8 1.0 ");
  CHECK(tick_texts({-0.3, 0.3}, 5) == "-0.2 0.0 0.2 ");
  CHECK(tick_texts({0, 49}, 6) == "0 10 20 30 40 ");
  CHECK(tick_texts({2, 100}, 3) == "50 100 ");
  CHECK(tick_texts({0, 0.0031}, 4) == "0.000 0.001 0.002 0.003 ");
  CHECK(tick_texts({0, 3e7}, 4) == "0 1e+07 2e+07 3e+07 ");
  CHECK(ticks({1, 1}, 5).empty());
  CHECK(ticks({2, 1}, 5).empty());
  CHECK(ticks({0, INFINITY}, 5).empty());
}

TEST_CASE("ticks of any range stay within it and within their number") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double scale = std::pow(10.0, std::uniform_real_distribution<double>(-8, 8)(random));
    const double low = scale * std::uniform_real_distribution<double>(-3, 3)(random);
    const Range range{low, low + scale * std::uniform_real_distribution<double>(0.01, 5)(random)};
    const int most = 2 + i % 12;
    const auto found = ticks(range, most);
    REQUIRE(static_cast<int>(found.size()) <= most);
    if (most >= 5) REQUIRE(found.size() >= 2);
    for (const Tick& tick : found) {
      REQUIRE(tick.value >= range.low - 1e-8 * range.extent());
      REQUIRE(tick.value <= range.high + 1e-8 * range.extent());
    }
  }
}

TEST_CASE("a range that follows its data always has an extent") {
  CHECK(padded({0, 100}).low == doctest::Approx(-4));
  CHECK(padded({5, 5}).extent() > 0);
  CHECK(padded({INFINITY, -INFINITY}).extent() == 1);
}

}  // namespace tandem::plot
