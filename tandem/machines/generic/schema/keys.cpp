// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/schema/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

bool is_plain(const Node& node) { return node.kind == Node::Kind::scalar && !node.quoted; }

// "12.5 ms": the number, and what follows it.
std::optional<std::pair<double, std::string_view>> measured(const Node& node) {
  if (node.kind != Node::Kind::scalar) return std::nullopt;
  const std::string_view text = trimmed(node.scalar);
  const std::size_t end = std::min(text.find_first_not_of("0123456789+-.eE"), text.size());
  const auto value = yaml::number_from(text.substr(0, end));
  if (!value) return std::nullopt;
  return std::pair(*value, trimmed(text.substr(end)));
}

std::optional<std::int64_t> whole_from(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value > std::uint64_t{1} << 63 || (!negative && value == std::uint64_t{1} << 63)) return std::nullopt;
  return negative ? static_cast<std::int64_t>(~value + 1) : static_cast<std::int64_t>(value);
}

}  // namespace

void Problems::add(yaml::Place at, std::string text) {
  if (!full()) list_.push_back({std::move(at), std::move(text)});
}

std::vector<Problem> Problems::take() {
  std::stable_sort(list_.begin(), list_.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  return std::move(list_);
}

std::string number_text(double value) { return fmt::format("{:.10g}", value); }

std::optional<std::int64_t> whole_in(const Node& node) {
  return is_plain(node) ? whole_from(node.scalar) : std::nullopt;
}

std::optional<double> number_in(const Node& node) {
  if (const auto value = yaml::number_from(node)) return value;
  if (const auto value = whole_in(node)) return static_cast<double>(*value);
  return std::nullopt;
}

std::optional<double> duration_in(const Node& node) {
  const auto value = measured(node);
  if (!value) return std::nullopt;
  const auto& [number, unit] = *value;
  if (unit == "us") return number * 1e-6;
  if (unit == "ms") return number * 1e-3;
  if (unit == "s") return number;
  if (unit == "min") return number * 60;
  if (unit == "h") return number * 3600;
  return unit.empty() && number == 0 ? std::optional(0.0) : std::nullopt;
}

std::optional<double> per_second_in(const Node& node) {
  const auto value = measured(node);
  if (!value) return std::nullopt;
  const auto& [number, unit] = *value;
  if (unit.empty() || unit == "/s") return number;
  return unit == "/min" ? std::optional(number / 60) : std::nullopt;
}

std::optional<std::vector<double>> numbers_in(const Node& node) {
  if (node.kind != Node::Kind::sequence) return std::nullopt;
  std::vector<double> numbers;
  for (const Node& item : node.items) {
    const auto value = number_in(item);
    if (!value) return std::nullopt;
    numbers.push_back(*value);
  }
  return numbers;
}

std::optional<Range> range_in(const Node& node) {
  const auto numbers = numbers_in(node);
  if (!numbers || numbers->size() != 2 || (*numbers)[0] > (*numbers)[1]) return std::nullopt;
  return Range{(*numbers)[0], (*numbers)[1]};
}

std::optional<bool> flag_in(const Node& node) {
  if (!is_plain(node) || (node.scalar != "true" && node.scalar != "false")) return std::nullopt;
  return node.scalar == "true";
}

const Node* item_of(const Node& map, std::string_view key) {
  for (std::size_t i = 0; i < map.keys.size() && i < map.items.size(); ++i) {
    if (map.keys[i].scalar == key) return &map.items[i];
  }
  return nullptr;
}

Keys::Keys(const Node& map, std::string owner, Problems& problems)
    : map_(map), owner_(std::move(owner)), problems_(problems), taken_(map.keys.size()) {
  if (map.kind != Node::Kind::map)
    problems.add(map, fmt::format("{}: expected keys with values, got {}", owner_, yaml::seen(map)));
  std::map<std::string_view, const Node*> first;
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    const Node& key = map.keys[i];
    const auto [known, added] = first.emplace(key.scalar, &key);
    if (added) continue;
    taken_[i] = true;
    problems.add(key,
                 fmt::format("'{}' twice; first at {}", printable(key.scalar), problems.place(*known->second).text()));
  }
}

const Node* Keys::take(std::string_view key) {
  known_.push_back(key);
  for (std::size_t i = 0; i < map_.keys.size(); ++i) {
    if (map_.keys[i].scalar != key || taken_[i]) continue;
    taken_[i] = true;
    return &map_.items[i];
  }
  return nullptr;
}

void Keys::finish() {
  for (std::size_t i = 0; i < map_.keys.size(); ++i) {
    if (taken_[i]) continue;
    const Node& key = map_.keys[i];
    problems_.add(
        key, fmt::format("unknown key '{}' of {}{}", printable(key.scalar), owner_, suggestion(key.scalar, known_)));
  }
}

void Keys::wrong(const Node& at, std::string_view key, std::string_view text) {
  problems_.add(at, fmt::format("{}.{}: {}", owner_, key, text));
}

void Keys::expected(const Node& at, std::string_view key, std::string_view what) {
  wrong(at, key, fmt::format("expected {}, got {}", what, yaml::seen(at)));
}

bool Keys::take_number(std::string_view key, double& value, double low, double high) {
  const Node* node = take(key);
  if (node == nullptr) return false;
  const auto number = number_in(*node);
  if (!number) {
    expected(*node, key, "a number");
  } else if (*number < low || *number > high) {
    expected(*node, key,
             high < 1e300 ? fmt::format("{} to {}", number_text(low), number_text(high))
                          : fmt::format("at least {}", number_text(low)));
  } else {
    value = *number;
    return true;
  }
  return false;
}

bool Keys::take_whole(std::string_view key, int& value, int low, int high) {
  const Node* node = take(key);
  if (node == nullptr) return false;
  const auto number = whole_in(*node);
  if (!number || *number < low || *number > high) {
    expected(*node, key, fmt::format("a whole number from {} to {}", low, high));
    return false;
  }
  value = static_cast<int>(*number);
  return true;
}

bool Keys::take_duration(std::string_view key, double& value, double low, double high) {
  const Node* node = take(key);
  if (node == nullptr) return false;
  const auto number = duration_in(*node);
  if (!number) {
    expected(*node, key, "a duration such as 50 ms");
  } else if (*number < low || *number > high) {
    expected(*node, key, fmt::format("{} to {} s", number_text(low), number_text(high)));
  } else {
    value = *number;
    return true;
  }
  return false;
}

bool Keys::take_flag(std::string_view key, bool& value) {
  const Node* node = take(key);
  if (node == nullptr) return false;
  const auto flag = flag_in(*node);
  if (!flag) return expected(*node, key, "true or false"), false;
  value = *flag;
  return true;
}

bool Keys::take_text(std::string_view key, std::string& value) {
  const Node* node = take(key);
  if (node == nullptr) return false;
  if (node->kind != Node::Kind::scalar) return expected(*node, key, "a text"), false;
  value = node->scalar;
  return true;
}

std::optional<std::size_t> Keys::take_choice(std::string_view key, std::initializer_list<std::string_view> words) {
  const Node* node = take(key);
  if (node == nullptr) return std::nullopt;
  if (node->kind == Node::Kind::scalar) {
    const auto* known = std::find(words.begin(), words.end(), node->scalar);
    if (known != words.end()) return static_cast<std::size_t>(known - words.begin());
  }
  expected(*node, key, fmt::format("one of {}", fmt::join(words, ", ")));
  return std::nullopt;
}

}  // namespace tandem::generic
