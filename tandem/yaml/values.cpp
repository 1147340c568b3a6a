// SPDX-License-Identifier: Apache-2.0
#include "tandem/yaml/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "tandem/base/nearest.hpp"

namespace tandem::yaml {

std::optional<double> number_from(std::string_view text) {
  if (text.empty() || text.size() > 40) return std::nullopt;
  if (text.front() == '+') text.remove_prefix(1);
  const bool decimal = text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!decimal || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<double> number_from(const Node& node) {
  if (node.kind != Node::Kind::scalar || node.quoted) return std::nullopt;
  return number_from(node.scalar);
}

std::string seen(const Node& node) {
  if (node.kind == Node::Kind::nothing) return "nothing";
  if (node.kind == Node::Kind::scalar)
    return fmt::format("'{}'{}", printable(node.scalar), node.quoted ? " in quotes" : "");
  return fmt::format("a {}", name(node.kind));
}

}  // namespace tandem::yaml
