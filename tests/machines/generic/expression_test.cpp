// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/allocations.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

constexpr double nan_number = std::numeric_limits<double>::quiet_NaN();

double value_of_text(std::string_view text, std::vector<double> values = {}, std::vector<double> before = {},
                     double t = 0) {
  const auto parsed = Expression::parse(text);
  REQUIRE_MESSAGE(parsed.ok(), text);
  values.resize(std::max(values.size(), parsed->names().size()), nan_number);
  return parsed->evaluate({.values = values, .before = before, .t = t, .dt = 0.01});
}

std::string error_of(std::string_view text) {
  const auto parsed = Expression::parse(text);
  return parsed ? "none" : parsed.error().text;
}

}  // namespace

TEST_CASE("arithmetic has the precedence of paper") {
  CHECK(value_of_text("1 + 2 * 3") == 7);
  CHECK(value_of_text("(1 + 2) * 3") == 9);
  CHECK(value_of_text("2 - 3 - 4") == -5);
  CHECK(value_of_text("24 / 4 / 2") == 3);
  CHECK(value_of_text("-2 ^ 2") == -4);
  CHECK(value_of_text("2 ^ 3 ^ 2") == 512);
  CHECK(value_of_text("2 ^ -1") == 0.5);
  CHECK(value_of_text("7 % 3") == 1);
  CHECK(value_of_text("-7 % 3") == 2);
  CHECK(value_of_text("7 % -3") == -2);
  CHECK(value_of_text("1.5e2") == 150);
  CHECK(value_of_text(".5") == 0.5);
  CHECK(value_of_text("pi") == std::numbers::pi);
  CHECK(value_of_text("t + dt", {}, {}, 2) == doctest::Approx(2.01));
}

TEST_CASE("conditions are 1 and 0 and bind as words do") {
  CHECK(value_of_text("1 < 2 and 2 < 3") == 1);
  CHECK(value_of_text("1 < 2 and not 2 < 3 or true") == 1);
  CHECK(value_of_text("not 1 == 2") == 1);
  CHECK(value_of_text("2 >= 2") == 1);
  CHECK(value_of_text("2 != 2") == 0);
  CHECK(value_of_text("false or 5") == 1);
  CHECK(value_of_text("1 ? 2 : 3") == 2);
  CHECK(value_of_text("0 ? 2 : 0 ? 4 : 5") == 5);
  CHECK(value_of_text("(1 > 2 ? 10 : 20) + 1") == 21);
}

TEST_CASE("functions are those of the grammar") {
  CHECK(value_of_text("abs(-3) + sqrt(16) + min(3, 1, 2) + max(1, 9)") == 17);
  CHECK(value_of_text("clamp(7, 0, 5)") == 5);
  CHECK(std::isnan(value_of_text("clamp(7, 5, 0)")));
  CHECK(value_of_text("exp(log(2))") == doctest::Approx(2));
  CHECK(value_of_text("sin(pi / 6) + cos(pi / 3) + tan(pi / 4)") == doctest::Approx(2));
  CHECK(value_of_text("atan2(1, -1)") == doctest::Approx(0.75 * std::numbers::pi));
  CHECK(value_of_text("floor(-1.5) + round(2.5) + sign(-4)") == 0);
  CHECK(value_of_text("step(0) + step(-1)") == 1);
  CHECK(value_of_text("lerp(10, 20, 0.25)") == 12.5);
}

TEST_CASE("signals are named with members, indices and bits") {
  const auto parsed =
      Expression::parse("belts[1].fSpeed + safety.door_closed * belts[1] .fSpeed + m[-1,2] + belts [2]");
  CHECK_FALSE(parsed.ok());  // a name has no blanks in it
  const auto good = Expression::parse("belts[1].fSpeed + safety.door * belts[ 1 ].fSpeed + m[-1, 2]");
  REQUIRE(good.ok());
  CHECK(good->names() == std::vector<std::string>{"belts[1].fSpeed", "safety.door", "m[-1,2]"});
  CHECK(good->evaluate({.values = std::vector<double>{2, 1, 5}}) == 9);
  CHECK(value_of_text("min + step", {3, 4}) == 7);  // functions only before a bracket
}

TEST_CASE("prev and rise see the step before") {
  CHECK(value_of_text("x - prev(x)", {5}, {3}) == 2);
  CHECK(value_of_text("rise(x)", {1}, {0}) == 1);
  CHECK(value_of_text("rise(x)", {1}, {1}) == 0);
  CHECK(value_of_text("rise(x)", {1}, {nan_number}) == 0);
  CHECK(std::isnan(value_of_text("rise(x)", {nan_number}, {0})));
  CHECK(std::isnan(value_of_text("prev(x)", {1}, {})));
  const auto parsed = Expression::parse("prev(a) + rise(b) + c");
  CHECK_FALSE(parsed->reads_now(0));
  CHECK(parsed->reads_now(1));
  CHECK(parsed->reads_now(2));
  CHECK(parsed->has_memory());
  CHECK_FALSE(Expression::parse("a + b")->has_memory());
}

TEST_CASE("a value that is not good makes the result bad only where it counts") {
  CHECK(std::isnan(value_of_text("x + 1", {nan_number})));
  CHECK(std::isnan(value_of_text("x and true", {nan_number})));
  CHECK(value_of_text("x and false", {nan_number}) == 0);
  CHECK(value_of_text("false and x", {nan_number}) == 0);
  CHECK(value_of_text("x or 1", {nan_number}) == 1);
  CHECK(std::isnan(value_of_text("x or 0", {nan_number})));
  CHECK(value_of_text("true ? 3 : x", {nan_number}) == 3);
  CHECK(std::isnan(value_of_text("x ? 3 : 3", {nan_number})));
  CHECK(std::isnan(value_of_text("not x", {nan_number})));
  CHECK(std::isnan(value_of_text("x == x", {nan_number})));
  for (const char* text : {"1 / 0", "1 % 0", "sqrt(-1)", "log(0)", "exp(1000)", "(-8) ^ 0.5", "1e308 * 10", "0 / 0"})
    CHECK_MESSAGE(std::isnan(value_of_text(text)), text);
}

TEST_CASE("noise is Gaussian and the same from the same seed") {
  const auto parsed = Expression::parse("noise()");
  std::uint64_t a = 7, b = 7, c = 8;
  double sum = 0, squares = 0;
  constexpr int count = 20'000;
  int same = 0;
  for (int i = 0; i < count; ++i) {
    const double x = parsed->evaluate({.noise = &a});
    CHECK(x == parsed->evaluate({.noise = &b}));
    same += x == parsed->evaluate({.noise = &c}) ? 1 : 0;
    sum += x, squares += x * x;
  }
  CHECK(same == 0);
  CHECK(std::fabs(sum / count) < 0.03);  // 4 standard errors
  CHECK(std::fabs(squares / count - 1) < 0.05);
  CHECK(parsed->evaluate({}) == 0);
}

TEST_CASE("the error has the place and what was expected there") {
  CHECK(error_of("") == "character 1: expected a number, a signal, a function or '(', got the end");
  CHECK(error_of("1 +") == "character 4: expected a number, a signal, a function or '(', got the end");
  CHECK(error_of("a b") == "character 3: expected an operator or the end, got 'b'");
  CHECK(error_of("(a") == "character 3: expected ')', got the end");
  CHECK(error_of("a ? b") == "character 6: expected ':', got the end");
  CHECK(error_of("1 < 2 < 3") == "character 7: expected an operator or the end, got '<'");
  CHECK(error_of("a = 3") == "character 3: expected an operator or the end, got '='");
  CHECK(error_of("2 * \"x\"") == "character 5: expected a number, a signal, a function or '(', got '\"'");
  CHECK(error_of("maxx(1, 2)") ==
        "character 1: unknown function 'maxx'; did you mean 'max'? (known: abs, min, max, clamp, sqrt, exp, log, "
        "sin, cos, tan, atan2, floor, round, sign, step, lerp, noise, prev, rise)");
  CHECK(error_of("clamp(1, 2)") == "character 1: clamp: expected 3 values, got 2");
  CHECK(error_of("1 + min(1)") == "character 5: min: expected 2 to 8 values, got 1");
  CHECK(error_of("prev(1)") == "character 6: expected the name of a signal, got '1'");
  CHECK(error_of("belts[x]") == "character 7: expected a whole number, got 'x'");
  CHECK(error_of("a. b") == "character 4: expected a name after '.', got 'b'");
  CHECK(error_of("1e999") == "character 1: expected a number, got '1e999'");
  CHECK(error_of(std::string(5000, '1')) ==
        "character 1: expected at most 4096 characters, got '" + std::string(60, '1') + "...'");
}

TEST_CASE("an expression is at most 200 nodes and 32 levels") {
  std::string wide = "1", deep = "1", power = "1";
  for (int i = 0; i < 100; ++i) wide += "+1";
  CHECK(error_of(wide) == "expected at most 200 operations and values");
  CHECK(error_of(wide.substr(0, 199)) == "none");  // 100 ones, 99 additions
  for (int i = 0; i < 31; ++i) deep = "(" + deep + ")";
  CHECK(error_of(deep) == "none");
  CHECK(error_of("(" + deep + ")") == "expected at most 32 levels of nesting");
  for (int i = 0; i < 40; ++i) power += "^1";
  CHECK(error_of(power) == "expected at most 32 levels of nesting");
  CHECK(error_of(std::string(4000, '(')) == "expected at most 32 levels of nesting");
}

TEST_CASE("evaluation allocates nothing") {
  const auto parsed = Expression::parse("x > 3 and y.bit ? min(x, 4, 5) * sin(t) + noise() : lerp(x, z[3], 0.5)");
  const std::vector<double> values = {4, 1, 7};
  std::uint64_t noise = 1;
  const std::size_t before = allocations;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += parsed->evaluate({.values = values, .before = values, .t = 1, .noise = &noise});
  CHECK(allocations == before);
  CHECK(std::isfinite(sum));
}
