// SPDX-License-Identifier: Apache-2.0
// Any text as an expression: parsed within its limits or refused with a reason; a value is finite or NaN, and what was
// parsed is parsed again from its own text.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "tandem/machines/generic/expression.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::generic;
  const auto parsed = Expression::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) {
    if (parsed.error().text.empty() || parsed.error().text.size() > 400) std::abort();
    return 0;
  }
  if (parsed->names().size() > 200) std::abort();
  const std::size_t count = parsed->names().size();
  std::vector<double> values(count, 0.5), before(count, -2);
  for (std::size_t i = 0; i < count; i += 3) values[i] = std::nan("");
  std::uint64_t noise = 1, same = 1;
  const double value = parsed->evaluate({.values = values, .before = before, .t = 1, .dt = 0.01, .noise = &noise});
  if (std::isinf(value)) std::abort();
  const auto again = Expression::parse(parsed->text());
  if (!again) std::abort();
  const double other = again->evaluate({.values = values, .before = before, .t = 1, .dt = 0.01, .noise = &same});
  if (value != other && !(std::isnan(value) && std::isnan(other))) std::abort();
  if (!std::isnan(parsed->evaluate({})) && parsed->evaluate({}) != parsed->evaluate({})) std::abort();
  return 0;
}
