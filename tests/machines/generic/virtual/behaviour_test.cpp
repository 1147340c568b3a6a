// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

#include "tests/machines/generic/virtual/sims.hpp"

using namespace tandem;
using namespace tandem::generic;
using namespace tandem::generic::test;

namespace {

constexpr double pi = std::numbers::pi;

// 0, then 1 from 1 ms on: the first step already sees it.
Sim unit_step() {
  Sim sim = sim_of(Sim::Kind::step);
  sim.at = 0.001;
  return sim;
}

}  // namespace

TEST_CASE("Behaviours of time follow their formulas") {
  Sim ramp = sim_of(Sim::Kind::ramp);
  ramp.from = 2, ramp.to = 10, ramp.time = 4;
  Sim saw = ramp, triangle = ramp;
  saw.repeat = Sim::Repeat::saw;
  triangle.repeat = Sim::Repeat::triangle;
  Sim sine = sim_of(Sim::Kind::sine);
  sine.mean = 5, sine.amplitude = 2, sine.period = 3, sine.phase = 0.4;
  Sim square = sim_of(Sim::Kind::square);
  square.low = -1, square.high = 3, square.period = 2, square.duty = 0.25;
  Sim step = sim_of(Sim::Kind::step);
  step.low = 1, step.high = 7, step.at = 2.5;
  Bench bench(
      {{"ramp", ramp}, {"saw", saw}, {"triangle", triangle}, {"sine", sine}, {"square", square}, {"step", step}});
  for (const double t : {0.0, 0.3, 1.0, 2.499, 2.5, 3.9, 4.1, 5.5, 7.75, 9.0}) {
    CAPTURE(t);
    CHECK(bench.at(t, 0) == doctest::Approx(t < 4 ? 2 + 2 * t : 10).epsilon(1e-12));
    CHECK(bench.at(t, 1) == doctest::Approx(2 + 2 * std::fmod(t, 4)).epsilon(1e-12));
    const double turn = std::fmod(t, 8);
    CHECK(bench.at(t, 2) == doctest::Approx(turn < 4 ? 2 + 2 * turn : 10 - 2 * (turn - 4)).epsilon(1e-12));
    CHECK(bench.at(t, 3) == doctest::Approx(5 + 2 * std::sin(2 * pi * t / 3 + 0.4)).epsilon(1e-12));
    CHECK(bench.at(t, 4) == (std::fmod(t, 2) < 0.5 ? 3 : -1));
    CHECK(bench.at(t, 5) == (t < 2.5 ? 1 : 7));
  }
}

TEST_CASE("A first order answers a step by 1 - exp(-t / tau), to the last digits") {
  Sim first = sim_of(Sim::Kind::first_order, "u");
  first.gain = 3, first.tau = 0.4;
  Bench bench({{"u", unit_step()}, {"y", first}});
  CHECK(bench.at(0, 1) == 0);
  for (const double t : {0.001, 0.1, 0.4, 1.0, 3.0})
    CHECK(bench.at(t, 1) == doctest::Approx(3 * (1 - std::exp(-t / 0.4))).epsilon(1e-11));
}

TEST_CASE("A second order answers a step as the textbook has it: swinging, critical and creeping") {
  for (const double zeta : {0.0, 0.2, 0.7, 1.0, 1.5, 40.0}) {
    CAPTURE(zeta);
    Sim second = sim_of(Sim::Kind::second_order, "u");
    const double w = 8;
    second.gain = 2, second.w = w, second.zeta = zeta;
    Bench bench({{"u", unit_step()}, {"y", second}});
    for (const double t : {0.001, 0.05, 0.2, 0.5, 2.0}) {
      double y = 0;
      if (zeta < 1) {
        const double wd = w * std::sqrt(1 - zeta * zeta);
        y = 1 - std::exp(-zeta * w * t) * (std::cos(wd * t) + zeta * w / wd * std::sin(wd * t));
      } else if (zeta == 1) {
        y = 1 - std::exp(-w * t) * (1 + w * t);
      } else {
        const double root = std::sqrt(zeta * zeta - 1);
        const double a = w * (zeta - root), b = w * (zeta + root);
        y = 1 - (b * std::exp(-a * t) - a * std::exp(-b * t)) / (b - a);
      }
      CHECK(bench.at(t, 1) == doctest::Approx(2 * y).epsilon(1e-8));
    }
  }
}

TEST_CASE("One step of an oscillation is what many small ones come to") {
  rc::check("against Runge and Kutta", [] {
    const double w = *rc::gen::inRange(1, 400) * 0.1;
    const double zeta = *rc::gen::inRange(0, 300) * 0.01;
    const Oscillation from{*rc::gen::inRange(-100, 100) * 0.1, *rc::gen::inRange(-100, 100) * 0.1};
    const double dt = 0.02;
    const int parts = 400;
    const double h = dt / parts;
    double y = from.y, v = from.v;
    const auto a = [&](double at_y, double at_v) { return -2 * zeta * w * at_v - w * w * at_y; };
    for (int i = 0; i < parts; ++i) {
      const double y1 = v, v1 = a(y, v), y2 = v + h / 2 * v1, v2 = a(y + h / 2 * y1, v + h / 2 * v1);
      const double y3 = v + h / 2 * v2, v3 = a(y + h / 2 * y2, v + h / 2 * v2), y4 = v + h * v3,
                   v4 = a(y + h * y3, v + h * v3);
      y += h / 6 * (y1 + 2 * y2 + 2 * y3 + y4);
      v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    }
    const Oscillation to = oscillated(from, w, zeta, dt);
    RC_ASSERT(std::abs(to.y - y) < 1e-8 * (1 + std::abs(y)));
    RC_ASSERT(std::abs(to.v - v) < 1e-7 * (1 + std::abs(v)));
  });
}

TEST_CASE("An integral of a constant is a line; it ends at its limits, or wraps from one to the other") {
  Sim line = sim_of(Sim::Kind::integrate, "u");
  line.gain = 0.5, line.start = 10;
  Sim limited = line, wrapped = line, down = line;
  limited.limits = Range{0, 12};
  wrapped.limits = Range{8, 12}, wrapped.wrap = true;
  down.gain = -0.5, down.limits = Range{8, 12}, down.wrap = true;
  Bench bench({{"u", constant(4)}, {"line", line}, {"limited", limited}, {"wrapped", wrapped}, {"down", down}});
  CHECK(bench.at(0, 1) == 10);
  CHECK(bench.at(0.7, 1) == doctest::Approx(11.4).epsilon(1e-12));
  CHECK(bench.at(3, 1) == doctest::Approx(16).epsilon(1e-12));
  CHECK(bench.at(3, 2) == 12);
  CHECK(bench.at(3.2, 3) == doctest::Approx(8.4).epsilon(1e-9));   // 16.4, less twice the width
  CHECK(bench.at(3.2, 4) == doctest::Approx(11.6).epsilon(1e-9));  // 3.6, and twice the width
}

TEST_CASE("A follower has gain, offset, delay and rate") {
  Sim ramp = sim_of(Sim::Kind::ramp);
  ramp.to = 10, ramp.time = 10;  // u = t
  Sim plain = sim_of(Sim::Kind::follow, "u"), delayed = plain, slow = plain, between = plain;
  plain.gain = 2, plain.offset = -1;
  delayed.delay = 0.25;
  between.delay = 0.0105;
  slow.gain = 3, slow.rate = 0.5;
  Bench bench({{"u", ramp}, {"plain", plain}, {"delayed", delayed}, {"slow", slow}, {"between", between}});
  CHECK(bench.at(0.2, 2) == 0);
  CHECK(bench.at(1, 1) == doctest::Approx(1).epsilon(1e-12));
  CHECK(bench.at(1, 2) == doctest::Approx(0.75).epsilon(1e-12));
  CHECK(bench.at(1, 3) == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(bench.at(1, 4) == doctest::Approx(0.9895).epsilon(1e-9));
}

TEST_CASE("A table goes on lines or in steps, and again") {
  Sim lines = sim_of(Sim::Kind::table);
  lines.rows = {{0, 1}, {1, 3}, {2, 0}};
  Sim steps = lines, again = lines;
  steps.hold = true;
  again.again = true;
  Bench bench({{"lines", lines}, {"steps", steps}, {"again", again}});
  CHECK(bench.at(0.5, 0) == doctest::Approx(2).epsilon(1e-12));
  CHECK(bench.at(0.5, 1) == 1);
  CHECK(bench.at(1.0, 1) == 3);
  CHECK(bench.at(1.5, 0) == doctest::Approx(1.5).epsilon(1e-12));
  CHECK(bench.at(4.5, 2) == doctest::Approx(2).epsilon(1e-9));
  CHECK(bench.at(5, 0) == 0);
  CHECK_THROWS_WITH_AS(Bench({{"none", sim_of(Sim::Kind::table)}}).start(),
                       "none: sim: table: expected rows [time, value], got none", std::invalid_argument);
}

TEST_CASE("Counters count seconds or edges, and begin again where their type ends") {
  Sim timed = sim_of(Sim::Kind::counter);
  timed.per_second = 10;
  Sim square = sim_of(Sim::Kind::square);
  square.period = 0.5;
  Sim edges = sim_of(Sim::Kind::counter, "square");
  Sim fast = timed;
  fast.per_second = 1000;
  Bench bench({{"timed", timed}, {"square", square}, {"edges", edges}, {"fast", fast}});
  bench.signals[3].type = Type::uint8;
  CHECK(bench.at(0.3, 0) == 3);
  CHECK(bench.at(0.399, 0) == 3);
  CHECK(bench.at(0.3, 3) == 399 - 256);  // at 0.399 s
  CHECK(bench.at(2.2, 2) == 4);          // rises at 0.5, 1, 1.5 and 2
}

TEST_CASE("Noise has its deviation, and the same seed is the same run") {
  const auto run = [](std::uint64_t seed) {
    Sim sim = constant(5);
    sim.noise = 0.3, sim.seed = seed;
    Bench bench({{"a", sim}, {"b", sim}});
    std::vector<double> values;
    for (int i = 1; i <= 20000; ++i) values.push_back(bench.at(i * 0.001, 0));
    CHECK(bench.at(20, 0) != bench.at(20, 1));  // two signals, two noises
    return values;
  };
  const auto one = run(1);
  double sum = 0, squares = 0;
  for (const double value : one) sum += value - 5, squares += (value - 5) * (value - 5);
  CHECK(std::abs(sum / 20000) < 0.01);
  CHECK(std::sqrt(squares / 20000) == doctest::Approx(0.3).epsilon(0.03));
  CHECK(run(1) == one);
  CHECK(run(2) != one);
}

TEST_CASE("Expressions see the values of the step, and a division by zero is no value") {
  Sim ramp = sim_of(Sim::Kind::ramp);
  ramp.to = 10, ramp.time = 10;
  Sim memory = sim_of(Sim::Kind::first_order, "bad");
  Bench bench({{"bad", expression("1 / (u < 0.5 ? 0 : 1)")},
               {"twice", expression("2 * u + t")},
               {"u", ramp},
               {"steps", expression("prev(steps) + 1")},
               {"filtered", memory}});
  CHECK(bench.at(0.25, 1) == doctest::Approx(0.75).epsilon(1e-12));
  CHECK(std::isnan(bench.at(0.25, 0)));
  CHECK(std::isnan(bench.at(0.25, 4)));
  CHECK(bench.at(1, 0) == 1);
  CHECK(std::isfinite(bench.at(1, 4)));
}

TEST_CASE("What a client writes stays, where nothing else decides") {
  Sim follow = sim_of(Sim::Kind::follow, "set");
  Bench bench({{"set", constant(1)}, {"shown", follow}, {"sine", sim_of(Sim::Kind::sine)}});
  CHECK(bench.at(0.1, 1) == 1);
  bench.behaviours->write(0, 0, 42);
  bench.behaviours->write(2, 0, 42);
  CHECK(bench.at(0.101, 0) == 42);
  CHECK(bench.at(0.101, 1) == 42);
  CHECK(bench.at(0.101, 2) < 2);
}
