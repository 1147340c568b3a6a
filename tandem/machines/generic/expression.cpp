// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tandem/machines/generic/expression_nodes.hpp"

namespace tandem::generic {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

double finite_or_nan(double value) { return std::isfinite(value) ? value : nan_value; }
double truth(bool value) { return value ? 1 : 0; }
bool is_false(double value) { return value == 0; }
bool is_true(double value) { return value != 0 && !std::isnan(value); }

// Bad only where the other side does not decide.
double both(double a, double b) {
  if (is_false(a) || is_false(b)) return 0;
  return std::isnan(a) || std::isnan(b) ? nan_value : 1;
}
double either(double a, double b) {
  if (is_true(a) || is_true(b)) return 1;
  return std::isnan(a) || std::isnan(b) ? nan_value : 0;
}

// a - b * floor(a / b), without its rounding.
double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// splitmix64 and Box-Muller: the same seed gives the same run.
double next_noise(std::uint64_t& state) {
  const auto uniform = [&] {
    state += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
  };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

// The result of the `count` values at `x`.
double applied(Operation operation, const double* x, std::size_t count) {
  const double a = x[0], b = count > 1 ? x[1] : 0, c = count > 2 ? x[2] : 0;
  switch (operation) {
    case Operation::choose:
      return std::isnan(a) ? a : is_true(a) ? b : c;
    case Operation::either:
      return either(a, b);
    case Operation::both:
      return both(a, b);
    default:
      break;
  }
  if (std::any_of(x, x + count, [](double value) { return std::isnan(value); })) return nan_value;
  switch (operation) {
    case Operation::negate:
      return -a;
    case Operation::inverse:
      return truth(is_false(a));
    case Operation::less:
      return truth(a < b);
    case Operation::less_equal:
      return truth(a <= b);
    case Operation::greater:
      return truth(a > b);
    case Operation::greater_equal:
      return truth(a >= b);
    case Operation::equal:
      return truth(a == b);
    case Operation::unequal:
      return truth(a != b);
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return b == 0 ? nan_value : a / b;
    case Operation::modulo:
      return b == 0 ? nan_value : modulo(a, b);
    case Operation::power:
      return std::pow(a, b);
    case Operation::abs:
      return std::fabs(a);
    case Operation::min:
      return *std::min_element(x, x + count);
    case Operation::max:
      return *std::max_element(x, x + count);
    case Operation::clamp:
      return b > c ? nan_value : std::clamp(a, b, c);
    case Operation::sqrt:
      return std::sqrt(a);
    case Operation::exp:
      return std::exp(a);
    case Operation::log:
      return std::log(a);
    case Operation::sin:
      return std::sin(a);
    case Operation::cos:
      return std::cos(a);
    case Operation::tan:
      return std::tan(a);
    case Operation::atan2:
      return std::atan2(a, b);
    case Operation::floor:
      return std::floor(a);
    case Operation::round:
      return std::round(a);
    case Operation::sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case Operation::step:
      return truth(a >= 0);
    case Operation::lerp:
      return a + (b - a) * c;
    default:
      return nan_value;
  }
}

double loaded(const Expression::Node& node, const ExpressionInputs& inputs) {
  const auto of = [&](std::span<const double> values) {
    return node.name < values.size() ? finite_or_nan(values[node.name]) : nan_value;
  };
  switch (static_cast<Operation>(node.operation)) {
    case Operation::number:
      return node.number;
    case Operation::value:
      return of(inputs.values);
    case Operation::before:
      return of(inputs.before);
    case Operation::rise: {
      const double now = of(inputs.values);
      return std::isnan(now) ? now : truth(is_true(now) && is_false(of(inputs.before)));
    }
    case Operation::t:
      return finite_or_nan(inputs.t);
    case Operation::dt:
      return finite_or_nan(inputs.dt);
    case Operation::noise:
      return inputs.noise == nullptr ? 0 : next_noise(*inputs.noise);
    default:
      return nan_value;
  }
}

}  // namespace

bool Expression::has_noise() const {
  return std::ranges::any_of(
      nodes_, [](const Node& node) { return static_cast<Operation>(node.operation) == Operation::noise; });
}

bool Expression::has_memory() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    const auto operation = static_cast<Operation>(node.operation);
    return operation == Operation::t || operation == Operation::dt || operation == Operation::before ||
           operation == Operation::rise || operation == Operation::noise;
  });
}

bool Expression::reads_now(std::size_t name) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
    const auto operation = static_cast<Operation>(node.operation);
    return node.name == name && (operation == Operation::value || operation == Operation::rise);
  });
}

double Expression::evaluate(const ExpressionInputs& inputs) const {
  std::array<double, most_expression_nodes> stack;
  std::size_t depth = 0;
  for (const Node& node : nodes_) {
    if (node.arguments == 0) {
      stack[depth++] = loaded(node, inputs);
      continue;
    }
    depth -= node.arguments;
    stack[depth] = finite_or_nan(applied(static_cast<Operation>(node.operation), &stack[depth], node.arguments));
    ++depth;
  }
  return depth == 1 ? stack[0] : nan_value;
}

}  // namespace tandem::generic
