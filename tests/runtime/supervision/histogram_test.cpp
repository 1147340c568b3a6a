// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

namespace tandem::runtime {

TEST_CASE("every value lies in a bucket whose edge is at most a sixteenth above it") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t value = random() >> (17 + random() % 47);
    const std::size_t bucket = Histogram::bucket_of(value);
    REQUIRE(bucket < Histogram::size);
    const std::uint64_t edge = Histogram::upper_edge(bucket);
    REQUIRE(edge >= value);
    REQUIRE(static_cast<double>(edge) <= static_cast<double>(value) * (1 + 1.0 / 16));
    if (bucket > 0) REQUIRE(Histogram::upper_edge(bucket - 1) < value);
  }
}

TEST_CASE("quantiles agree with sorting within a sixteenth") {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> latency(std::log(20e3), 1.0);
  Histogram histogram;
  std::vector<double> all;
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::int64_t>(latency(random));
    histogram.add(Duration(value));
    all.push_back(static_cast<double>(value));
  }
  std::sort(all.begin(), all.end());
  for (const double q : {0.5, 0.9, 0.99, 0.999, 1.0}) {
    const double exact = all[static_cast<std::size_t>(std::ceil(q * static_cast<double>(all.size()))) - 1];
    const auto told = static_cast<double>(histogram.quantile(q).count());
    CHECK(told >= exact);
    CHECK(told <= exact * (1 + 1.0 / 16));
  }
}

TEST_CASE("an empty histogram tells zero and odd durations do no harm") {
  Histogram histogram;
  CHECK(histogram.quantile(0.99) == Duration::zero());
  histogram.add(Duration(-5));
  histogram.add(Duration::max());
  CHECK(histogram.count() == 2);
  CHECK(histogram.worst() == Duration::max());
  CHECK(histogram.quantile(0.5) == Duration::zero());
}

TEST_CASE("a histogram can be read while it is written") {
  Histogram histogram;
  std::thread writer([&] {
    for (int i = 0; i < 100'000; ++i) histogram.add(Duration(i % 1000));
  });
  for (int i = 0; i < 200; ++i) CHECK(histogram.quantile(0.5) <= Duration(1023));
  writer.join();
  CHECK(histogram.count() == 100'000);
}

TEST_CASE("counts at edges rise and leave out at most what is a sixteenth below") {
  Histogram histogram;
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 20000; ++i) {
    values.push_back(static_cast<std::uint64_t>(std::exp2(std::uniform_real_distribution<>(3, 32)(random))));
    histogram.add(Duration(values.back()));
  }
  const std::vector<Duration> edges = {10us, 50us, 1ms, 100ms, 1s};
  const auto counts = histogram.up_to(edges);
  REQUIRE(counts.size() == edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto below = [&](double limit) {
      return static_cast<std::uint64_t>(
          std::ranges::count_if(values, [&](std::uint64_t value) { return static_cast<double>(value) <= limit; }));
    };
    const auto edge = static_cast<double>(edges[i].count());
    CHECK(counts[i] <= below(edge));
    CHECK(counts[i] >= below(edge * 15 / 16));
  }
  CHECK(std::ranges::is_sorted(counts));
  CHECK(Histogram().up_to(edges) == std::vector<std::uint64_t>(5));
}

}  // namespace tandem::runtime
