// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/generic/virtual/order.hpp"
#include "tests/machines/generic/virtual/sims.hpp"

using namespace tandem;
using namespace tandem::generic;
using namespace tandem::generic::test;

TEST_CASE("A chain has no lag, in whatever order the file has it") {
  Sim ramp = sim_of(Sim::Kind::ramp);
  ramp.to = 10, ramp.time = 10;
  Bench bench({{"c", sim_of(Sim::Kind::follow, "b")},
               {"b", sim_of(Sim::Kind::follow, "a")},
               {"a", sim_of(Sim::Kind::follow, "u")},
               {"u", ramp}});
  for (const double t : {0.001, 0.5, 2.0}) CHECK(bench.at(t, 0) == doctest::Approx(t).epsilon(1e-12));
}

TEST_CASE("A loop needs memory, and the error names it") {
  Bench bench({{"u", constant(1)}, {"a", expression("b + u")}, {"b", expression("c * 2")}, {"c", expression("a")}});
  CHECK_THROWS_WITH_AS(
      bench.start(),
      "sim: a reads b reads c reads a: expected first_order, second_order, integrate or a delay in this loop, got none",
      std::invalid_argument);
}

TEST_CASE("A loop through an integral is the difference equation that it says") {
  Sim integral = sim_of(Sim::Kind::integrate, "error");
  integral.gain = 5;
  Bench bench({{"error", expression("1 - y")}, {"y", integral}});
  // y(n + 1) = y(n) + 5 dt (1 - y(n))
  CHECK(bench.at(0.3, 1) == doctest::Approx(1 - std::pow(1 - 0.005, 300)).epsilon(1e-3));
  CHECK(bench.at(5, 1) == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("A delay in a loop is as long as it says") {
  Sim delay = sim_of(Sim::Kind::follow, "count");
  delay.delay = 0.1;
  Bench bench({{"count", expression("late + 1")}, {"late", delay}});
  // Each round trip takes 0.1 s and adds one.
  const double begin = bench.at(0.05, 0);
  CHECK(bench.at(0.95, 0) - begin == doctest::Approx(9).epsilon(1e-9));
}

TEST_CASE("All that is wrong with behaviours is in one error") {
  Bench bench({{"a", sim_of(Sim::Kind::follow, "nothing")}, {"b", expression("1 +")}});
  try {
    bench.start();
    FAIL("expected an error");
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    CHECK(text.find("a: sim: expected a signal, got 'nothing'") != std::string::npos);
    CHECK(text.find("b: sim: expression: ") != std::string::npos);
  }
}

TEST_CASE("A long chain and a large loop are put in order without recursion") {
  constexpr std::size_t count = 2000;
  std::vector<OrderNode> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    nodes[i].name = "n" + std::to_string(i);
    nodes[i].reads = {(i + 1) % count};
  }
  CHECK_FALSE(evaluation_order(nodes));
  nodes[7].breaks_loops = true;
  const auto order = evaluation_order(nodes);
  REQUIRE(order);
  REQUIRE(order->sorted.size() == count);
  CHECK(order->sorted.front() == 7);
  CHECK(order->sorted.back() == 8);
  CHECK(order->late[7][0]);
}
