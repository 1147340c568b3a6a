// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "tandem/base/nearest.hpp"
#include "tandem/net/url.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;
using machines::Options;

Error expected(std::string what, const yaml::Node& node) {
  return {Fault::invalid, fmt::format("expected {}, got {}", what, seen(node))};
}

std::string range_text(const Option& option) {
  const bool low = option.minimum > -1e300, high = option.maximum < 1e300;
  if (low && high) return fmt::format("a number from {:g} to {:g}", option.minimum, option.maximum);
  if (low) return fmt::format("a number of at least {:g}", option.minimum);
  if (high) return fmt::format("a number of at most {:g}", option.maximum);
  return "a number";
}

std::optional<double> number_within(const Option& option, const yaml::Node& node) {
  const auto number = yaml::number_from(node);
  if (!number || *number < option.minimum || *number > option.maximum) return std::nullopt;
  return number;
}

Result<Options::Value> numbers_value(const Option& option, const yaml::Node& node) {
  const std::string what = option.count > 0 ? fmt::format("a list of {} numbers", option.count) : "a list of numbers";
  if (node.kind != yaml::Node::Kind::sequence) return expected(what, node);
  if (option.count > 0 && node.items.size() != option.count) {
    return Error{Fault::invalid, fmt::format("expected {}, got {}", what, node.items.size())};
  }
  std::vector<double> values;
  for (const yaml::Node& item : node.items) {
    const auto number = number_within(option, item);
    if (!number) return expected(range_text(option) + fmt::format(" as element {}", values.size() + 1), item);
    values.push_back(*number);
  }
  return Options::Value(std::move(values));
}

Result<Options::Value> texts_value(const yaml::Node& node) {
  if (node.kind != yaml::Node::Kind::sequence) return expected("a list of texts", node);
  std::vector<std::string> values;
  for (const yaml::Node& item : node.items) {
    if (item.kind != yaml::Node::Kind::scalar || item.scalar.empty()) {
      return expected(fmt::format("text as element {}", values.size() + 1), item);
    }
    values.push_back(item.scalar);
  }
  return Options::Value(std::move(values));
}

Result<Options::Value> choice_value(const Option& option, const yaml::Node& node) {
  if (node.kind == yaml::Node::Kind::scalar) {
    const bool known = std::find(option.choices.begin(), option.choices.end(), node.scalar) != option.choices.end();
    if (known) return Options::Value(node.scalar);
    const std::string_view close = nearest(node.scalar, option.choices);
    return Error{Fault::invalid,
                 fmt::format("expected one of {}, got {}{}", fmt::join(option.choices, ", "), seen(node),
                             close.empty() ? "" : fmt::format("; did you mean '{}'?", close))};
  }
  return expected(fmt::format("one of {}", fmt::join(option.choices, ", ")), node);
}

Error bad_url(std::string_view device, std::string_view scheme, std::string_view why) {
  return {Fault::invalid,
          fmt::format("device '{}': expected 'virtual' or '{}://HOST[:PORT]': {}", printable(device), scheme, why)};
}

}  // namespace

Result<Options::Value> option_value(const Option& option, const yaml::Node& node) {
  switch (option.kind) {
    case OptionKind::number: {
      const auto number = number_within(option, node);
      if (!number) return expected(range_text(option), node);
      return Options::Value(*number);
    }
    case OptionKind::flag:
      if (node.kind != yaml::Node::Kind::scalar || node.quoted || (node.scalar != "true" && node.scalar != "false")) {
        return expected("true or false", node);
      }
      return Options::Value(node.scalar == "true");
    case OptionKind::text:
      if (node.kind != yaml::Node::Kind::scalar) return expected("text", node);
      return Options::Value(node.scalar);
    case OptionKind::choice:
      return choice_value(option, node);
    case OptionKind::numbers:
      return numbers_value(option, node);
    case OptionKind::texts:
      return texts_value(node);
  }
  return Error{Fault::invalid, "an option of unknown kind"};
}

Result<void> check_device(std::string_view device, std::string_view scheme) {
  if (device == "virtual") return {};
  const auto url = net::parse_url(device);
  if (!url) return bad_url(device, scheme, url.error().text);
  if (url->scheme != scheme) return bad_url(device, scheme, fmt::format("scheme '{}'", url->scheme));
  return {};
}

}  // namespace tandem::runtime
