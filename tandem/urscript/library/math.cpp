// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include "tandem/urscript/library/library.hpp"

namespace tandem::urscript {

namespace {

using OfOne = double (*)(double);

void add_function(Builtins& builtins, const char* name, OfOne function, double least = -INFINITY,
                  double most = INFINITY) {
  builtins.add(name, {"f"}, [=](Call& call) -> Outcome {
    auto number = number_of(call[0]);
    if (!number) return std::move(number).error();
    if (!(*number >= least && *number <= most))
      return Error{Fault::invalid, fmt::format("{} is outside {} to {}", *number, least, most)};
    return Value(function(*number));
  });
}

Outcome whole(double number) {
  if (!(number >= -2147483648.0 && number <= 2147483647.0))
    return Error{Fault::invalid, fmt::format("{} does not fit in an integer", number)};
  return Value(static_cast<std::int32_t>(number));
}

template <typename Function>
void add_of_two(Builtins& builtins, const char* name, const char* first, const char* second, Function function) {
  builtins.add(name, {first, second}, [=](Call& call) -> Outcome {
    auto a = number_of(call[0]);
    auto b = number_of(call[1]);
    if (!a) return std::move(a).error();
    if (!b) return std::move(b).error();
    return function(*a, *b);
  });
}

Outcome power(double base, double exponent) {
  const double answer = std::pow(base, exponent);
  if (std::isnan(answer) || (base == 0.0 && exponent < 0.0))
    return Error{Fault::invalid, fmt::format("{} to the power of {} is not a number", base, exponent)};
  return Value(answer);
}

Outcome logarithm(double base, double number) {
  if (!(base > 0.0) || base == 1.0 || !(number > 0.0))
    return Error{Fault::invalid, fmt::format("no logarithm of {} to the base {}", number, base)};
  return Value(std::log(number) / std::log(base));
}

double length_of(const std::vector<double>& numbers) {
  double sum = 0.0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum);
}

Outcome norm(Call& call) {
  if (const std::int32_t* number = call[0].integer(); number != nullptr && *number != INT32_MIN)
    return Value(std::abs(*number));
  if (call[0].is_number()) return Value(std::abs(*number_of(call[0])));
  auto numbers = numbers_of(call[0]);
  if (!numbers) return std::move(numbers).error();
  return Value(length_of(*numbers));
}

Outcome normalize(Call& call) {
  auto numbers = numbers_of(call[0]);
  if (!numbers) return std::move(numbers).error();
  const double length = length_of(*numbers);
  if (!(length > 0.0)) return Error{Fault::invalid, "a list of zeros has no direction"};
  for (double& number : *numbers) number /= length;
  return list_of_numbers(*numbers);
}

Outcome smaller_or_larger(Call& call, bool larger) {
  auto a = number_of(call[0]);
  auto b = number_of(call[1]);
  if (!a) return std::move(a).error();
  if (!b) return std::move(b).error();
  return (larger ? *a >= *b : *a <= *b) ? call[0] : call[1];
}

// Least significant bit first, as the digital outputs are numbered.
Outcome integer_from_bits(Call& call) {
  const std::vector<Value>* bits = call[0].list();
  if (bits == nullptr) return Error{Fault::invalid, "expected a list of booleans"};
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(bits->size(), 32); ++i) {
    auto bit = truth_of((*bits)[i]);
    if (!bit) return std::move(bit).error();
    if (*bit) word |= 1u << i;
  }
  return Value(std::bit_cast<std::int32_t>(word));
}

Outcome bits_from_integer(Call& call) {
  auto number = integer_of(call[0]);
  if (!number) return std::move(number).error();
  const auto word = std::bit_cast<std::uint32_t>(*number);
  std::vector<Value> bits;
  for (std::uint32_t i = 0; i < 32; ++i) bits.emplace_back((word >> i & 1u) != 0);
  return Value::make_list(std::move(bits));
}

}  // namespace

void add_mathematics(Builtins& builtins, std::uint64_t random_seed) {
  add_function(builtins, "sin", std::sin);
  add_function(builtins, "cos", std::cos);
  add_function(builtins, "tan", std::tan);
  add_function(builtins, "asin", std::asin, -1.0, 1.0);
  add_function(builtins, "acos", std::acos, -1.0, 1.0);
  add_function(builtins, "atan", std::atan);
  add_function(builtins, "sqrt", std::sqrt, 0.0);
  add_function(builtins, "exp", std::exp);
  add_function(builtins, "d2r", [](double degrees) { return degrees * std::numbers::pi / 180.0; });
  add_function(builtins, "r2d", [](double radians) { return radians * 180.0 / std::numbers::pi; });
  add_of_two(builtins, "atan2", "x", "y", [](double x, double y) -> Outcome { return Value(std::atan2(x, y)); });
  add_of_two(builtins, "pow", "base", "exponent", power);
  add_of_two(builtins, "log", "b", "f", logarithm);
  builtins.add("ceil", {"f"}, [](Call& call) -> Outcome {
    auto number = number_of(call[0]);
    return number ? whole(std::ceil(*number)) : Outcome(std::move(number).error());
  });
  builtins.add("floor", {"f"}, [](Call& call) -> Outcome {
    auto number = number_of(call[0]);
    return number ? whole(std::floor(*number)) : Outcome(std::move(number).error());
  });
  builtins.add("norm", {"a"}, norm);
  builtins.add("normalize", {"v"}, normalize);
  builtins.add("abs", {"a"}, [](Call& call) -> Outcome {
    return call[0].is_number() ? norm(call) : Outcome(Error{Fault::invalid, "expected a number"});
  });
  builtins.add("min", {"a", "b"}, [](Call& call) { return smaller_or_larger(call, false); });
  builtins.add("max", {"a", "b"}, [](Call& call) { return smaller_or_larger(call, true); });
  builtins.add("binary_list_to_integer", {"l"}, integer_from_bits);
  builtins.add("integer_to_binary_list", {"x"}, bits_from_integer);
  builtins.add("random", {}, [generator = std::mt19937_64(random_seed)](Call&) mutable -> Outcome {
    return Value(static_cast<double>(generator() >> 11) * 0x1.0p-53);
  });
}

}  // namespace tandem::urscript
