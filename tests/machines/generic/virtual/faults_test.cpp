// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/generic/virtual/faults.hpp"

using namespace tandem::generic;

TEST_CASE("Timed faults begin and end when they say") {
  Declaration declaration;
  declaration.faults = {{10, TimedFault::Kind::exception, 4, 0, 0},
                        {20, TimedFault::Kind::drop, 0, 2, 0},
                        {30, TimedFault::Kind::freeze, 0, 5, 0},
                        {40, TimedFault::Kind::value, 0, 1, std::nan("")},
                        {50, TimedFault::Kind::value, 0, 0, 7}};
  const auto at = [&](double t) { return faults_at(declaration, 0.05, t); };
  CHECK(at(9.99) == FaultState{});
  CHECK(at(10).exception == 4);
  CHECK(at(10.04).exception == 4);
  CHECK(at(10.06) == FaultState{});  // one reading period
  CHECK(at(21).silent);
  CHECK_FALSE(at(22).silent);
  CHECK(at(34.9).frozen);
  CHECK_FALSE(at(35).frozen);
  REQUIRE(at(40.5).value);
  CHECK(std::isnan(*at(40.5).value));
  CHECK(at(1e6).value == 7);  // without a length for ever
}
