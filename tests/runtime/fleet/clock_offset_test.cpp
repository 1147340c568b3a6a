// SPDX-License-Identifier: Apache-2.0
// Offsets from four stamps. The oracle is the world that makes the stamps: it knows the offset and both ways.
#include "tandem/runtime/fleet/clock_offset.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace tandem::runtime {

TEST_CASE("an offset is within its uncertainty of the true one, however unequal both ways are") {
  std::mt19937_64 random(20261118);
  std::uniform_real_distribution<double> offset_s(-1e5, 1e5), way_s(1e-6, 0.3), thought_s(0, 0.1);
  for (int round = 0; round < 2000; ++round) {
    const double truth = offset_s(random);
    OffsetMeter meter;
    std::int64_t at = 1'800'000'000'000'000'000;
    for (int i = 0; i < 8; ++i) {
      const auto there = static_cast<std::int64_t>(way_s(random) * 1e9),
                 back = static_cast<std::int64_t>(way_s(random) * 1e9);
      const auto thought = static_cast<std::int64_t>(thought_s(random) * 1e9);
      const auto shift = static_cast<std::int64_t>(truth * 1e9);
      CHECK(meter.add({at, at + there + shift, at + there + thought + shift, at + there + thought + back}));
      at += 1'000'000'000;
    }
    const auto measured = meter.offset();
    REQUIRE(measured);
    CHECK(measured->exchanges == 8);
    CHECK(std::abs(measured->offset - truth) <= measured->uncertainty + 1e-9);
    CHECK(measured->uncertainty == doctest::Approx(measured->round_trip / 2));
  }
}

TEST_CASE("the exchange with the shortest round trip counts, of the newest ones only") {
  OffsetMeter meter;
  const auto exchange = [](std::int64_t offset, std::int64_t way) {
    return ClockExchange{1'000'000'000, 1'000'000'000 + way + offset, 1'000'000'000 + way + offset,
                         1'000'000'000 + 2 * way};
  };
  CHECK_FALSE(meter.offset());
  meter.add(exchange(5'000, 100'000));
  meter.add(exchange(7'000, 20'000));
  meter.add(exchange(9'000, 300'000));
  CHECK(meter.offset()->offset == doctest::Approx(7e-6));
  for (int i = 0; i < 40; ++i) meter.add(exchange(50'000, 90'000));  // the clock was set
  CHECK(meter.offset()->offset == doctest::Approx(50e-6));
}

TEST_CASE("stamps that cannot be are not counted") {
  OffsetMeter meter;
  CHECK_FALSE(meter.add({10, 20, 15, 30}));  // sent before it was received
  CHECK_FALSE(meter.add({30, 20, 20, 10}));  // answered before it was asked
  CHECK_FALSE(meter.add({10, 20, 60, 30}));  // thought for longer than it all took
  CHECK_FALSE(meter.add({-1, 20, 20, 30}));
  CHECK(meter.add({0, INT64_MAX, INT64_MAX, 0}));  // far away, and no overflow
  CHECK(meter.offset()->offset == doctest::Approx(static_cast<double>(INT64_MAX) * 1e-9));
  CHECK(exchange_from_json(R"({"received":5,"sent":6})"));
  for (const char* text :
       {"", "[]", "{}", R"({"received":5})", R"({"received":-5,"sent":6})", R"({"received":5.5,"sent":6})",
        R"({"received":18446744073709551615,"sent":6})", R"({"received":"5","sent":6})"}) {
    CAPTURE(text);
    CHECK_FALSE(exchange_from_json(text));
  }
}

}  // namespace tandem::runtime
