// SPDX-License-Identifier: Apache-2.0
// Random expressions against an evaluator of their own tree, which knows nothing of the parser.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <random>

#include "tandem/machines/generic/expression.hpp"

using namespace tandem::generic;

namespace {

// A tree with its text; a bad value is no value.
struct Tree {
  std::string text;
  int level = 0;  // of the grammar: 0 expr, 1 or, 2 and, 3 not, 4 cmp, 5 sum, 6 term, 7 unary, 8 power, 9 atom
  std::function<std::optional<double>(const std::vector<double>&)> value;
};

std::optional<double> checked(double x) { return std::isfinite(x) ? std::optional(x) : std::nullopt; }

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Tree any(int depth) {
    if (depth == 0) return leaf();
    switch (pick(9)) {
      case 0:
        return leaf();
      case 1:
        return negated(depth);
      case 2:
        return arithmetic(depth);
      case 3:
        return arithmetic(depth);
      case 4:
        return compared(depth);
      case 5:
        return logical(depth);
      case 6:
        return inverted(depth);
      case 7:
        return chosen(depth);
      default:
        return function(depth);
    }
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  std::string blank() { return pick(3) == 0 ? " " : ""; }
  // With brackets where the grammar needs them, and now and then where it does not.
  std::string at_level(const Tree& tree, int level) {
    return tree.level < level || pick(10) == 0 ? "(" + blank() + tree.text + ")" : tree.text;
  }

  Tree leaf() {
    if (pick(2) == 0) {
      const int number = pick(6);
      return {std::to_string(number), 9, [number](const auto&) { return std::optional<double>(number); }};
    }
    const auto index = static_cast<std::size_t>(pick(3));
    return {std::string(1, "abc"[index]), 9, [index](const auto& values) { return checked(values[index]); }};
  }
  Tree negated(int depth) {
    const Tree inner = any(depth - 1);
    return {"-" + at_level(inner, 8), 7, [inner](const auto& values) {
              const auto x = inner.value(values);
              return x ? std::optional(-*x) : x;
            }};
  }
  Tree arithmetic(int depth) {
    const char sign = "+-*/"[pick(4)];
    const bool sum = sign == '+' || sign == '-';
    const Tree a = any(depth - 1), b = any(depth - 1);
    const std::string text = at_level(a, sum ? 5 : 6) + blank() + sign + " " + at_level(b, sum ? 6 : 7);
    return {text, sum ? 5 : 6, [a, b, sign](const auto& values) -> std::optional<double> {
              const auto x = a.value(values), y = b.value(values);
              if (!x || !y) return std::nullopt;
              if (sign == '/' && *y == 0) return std::nullopt;
              return checked(sign == '+' ? *x + *y : sign == '-' ? *x - *y : sign == '*' ? *x * *y : *x / *y);
            }};
  }
  Tree compared(int depth) {
    const std::string sign =
        std::vector<std::string>{"<", "<=", ">", ">=", "==", "!="}[static_cast<std::size_t>(pick(6))];
    const Tree a = any(depth - 1), b = any(depth - 1);
    return {at_level(a, 5) + blank() + sign + blank() + at_level(b, 5), 4,
            [a, b, sign](const auto& values) -> std::optional<double> {
              const auto x = a.value(values), y = b.value(values);
              if (!x || !y) return std::nullopt;
              const bool equal = *x == *y, less = *x < *y;
              if (sign == "==" || sign == "!=") return equal == (sign == "==") ? 1 : 0;
              const bool wanted = sign.front() == '<' ? less : !less && !equal;
              return wanted || (sign.size() == 2 && equal) ? 1 : 0;
            }};
  }
  Tree logical(int depth) {
    const bool both = pick(2) == 0;
    const Tree a = any(depth - 1), b = any(depth - 1);
    const int level = both ? 2 : 1;
    return {at_level(a, level) + (both ? " and " : " or ") + at_level(b, level + 1), level,
            [a, b, both](const auto& values) -> std::optional<double> {
              const auto x = a.value(values), y = b.value(values);
              const double decides = both ? 0 : 1;
              for (const auto& each : {x, y}) {
                if (each && (*each != 0 ? 1 : 0) == decides) return decides;
              }
              return x && y ? std::optional(1 - decides) : std::nullopt;
            }};
  }
  Tree inverted(int depth) {
    const Tree inner = any(depth - 1);
    return {"not " + at_level(inner, 4), 3, [inner](const auto& values) -> std::optional<double> {
              const auto x = inner.value(values);
              return x ? std::optional(*x == 0 ? 1.0 : 0.0) : std::nullopt;
            }};
  }
  Tree chosen(int depth) {
    const Tree a = any(depth - 1), b = any(depth - 1), c = any(depth - 1);
    return {at_level(a, 1) + " ? " + b.text + " : " + c.text, 0,
            [a, b, c](const auto& values) -> std::optional<double> {
              const auto x = a.value(values);
              if (!x) return std::nullopt;
              return *x != 0 ? b.value(values) : c.value(values);
            }};
  }
  Tree function(int depth) {
    const Tree a = any(depth - 1), b = any(depth - 1);
    const bool least = pick(2) == 0;
    return {(least ? "min(" : "max(") + a.text + blank() + "," + b.text + ")", 9,
            [a, b, least](const auto& values) -> std::optional<double> {
              const auto x = a.value(values), y = b.value(values);
              if (!x || !y) return std::nullopt;
              return (*x < *y) == least ? x : y;
            }};
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("random expressions have the values of their trees") {
  Generator generator(1);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(-3, 3);
  int bad = 0, evaluated = 0;
  for (int i = 0; i < 4000; ++i) {
    const Tree tree = generator.any(1 + i % 5);
    const auto parsed = Expression::parse(tree.text);
    if (!parsed) {
      // Only for its size.
      REQUIRE_MESSAGE(parsed.error().text.starts_with("expected at most"), tree.text << ": " << parsed.error().text);
      continue;
    }
    for (int j = 0; j < 4; ++j) {
      std::vector<double> values = {number(random), std::round(number(random)), number(random)};
      if (j == 3) values[static_cast<std::size_t>(i % 3)] = std::nan("");
      std::vector<double> named;
      for (const std::string& name : parsed->names()) named.push_back(values[static_cast<std::size_t>(name[0] - 'a')]);
      const double got = parsed->evaluate({.values = named});
      const auto wanted = tree.value(values);
      ++evaluated;
      if (!wanted) {
        ++bad;
        CHECK_MESSAGE(std::isnan(got), tree.text);
      } else {
        CHECK_MESSAGE(got == doctest::Approx(*wanted).epsilon(1e-12), tree.text);
      }
    }
  }
  CHECK(evaluated > 12'000);
  CHECK(bad > 500);
}
