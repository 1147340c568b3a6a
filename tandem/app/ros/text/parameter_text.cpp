// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/text/parameter_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "tandem/app/ros/text/yaml_input.hpp"
#include "tandem/app/ros/text/yaml_text.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app::ros {
namespace {

using ros2::ParameterValue;
using ros2::Value;

enum Type : std::size_t { not_set, boolean, integer, real, text, bytes, booleans, integers, reals, texts };

std::optional<bool> boolean_from(const std::string& word) {
  for (const char* yes : {"true", "True", "TRUE", "yes", "on"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"false", "False", "FALSE", "no", "off"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

template <typename T>
std::optional<T> number_from(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  T number{};
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::optional<double> real_from(const std::string& word) {
  if (word == ".inf" || word == "+.inf") return std::numeric_limits<double>::infinity();
  if (word == "-.inf") return -std::numeric_limits<double>::infinity();
  if (word == ".nan") return std::numeric_limits<double>::quiet_NaN();
  const bool wordy = std::ranges::any_of(
      word, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) && c != 'e' && c != 'E'; });
  return wordy ? std::nullopt : number_from<double>(word);
}

// The narrowest type of a single word.
Type type_of(const Value& value) {
  if (value.quoted) return text;
  if (boolean_from(value.scalar)) return boolean;
  if (number_from<std::int64_t>(value.scalar)) return integer;
  return real_from(value.scalar) ? real : text;
}

ParameterValue single(const Value& value, Type type) {
  if (type == boolean) return *boolean_from(value.scalar);
  if (type == integer) return *number_from<std::int64_t>(value.scalar);
  if (type == real) return *real_from(value.scalar);
  return value.scalar;
}

template <typename T>
ParameterValue list(const std::vector<Value>& items, Type type) {
  std::vector<T> values;
  for (const Value& item : items) values.push_back(std::get<T>(single(item, type)));
  return values;
}

// The type that all words fit: numbers widen to doubles, anything to text.
Type common(Type a, Type b) {
  if (a == b) return a;
  const bool numbers = (a == integer || a == real) && (b == integer || b == real);
  return numbers ? real : text;
}

template <typename T>
std::string yaml_of(const T& value) {
  if constexpr (std::is_same_v<T, std::monostate>) {
    return "null";
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, double>) {
    return yaml_number(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    // Within brackets more is quoted; harmless elsewhere.
    const std::string plain = yaml_text(value, 0);
    return plain == value && value.find_first_of(",[]{}?") != std::string::npos ? "'" + value + "'" : plain;
  } else if constexpr (std::is_same_v<T, std::byte>) {
    return std::to_string(std::to_integer<int>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < value.size(); ++i) words.push_back(yaml_of<typename T::value_type>(value[i]));
    return fmt::format("[{}]", fmt::join(words, ", "));
  }
}

template <typename T>
std::string python_of(const T& value) {
  if constexpr (std::is_same_v<T, std::monostate>) {
    return "None";
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_same_v<T, double>) {
    return python_number(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return python_text(value);
  } else if constexpr (std::is_same_v<T, std::byte>) {
    return std::to_string(std::to_integer<int>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < value.size(); ++i) words.push_back(python_of<typename T::value_type>(value[i]));
    return fmt::format("[{}]", fmt::join(words, ", "));
  }
}

}  // namespace

Result<ParameterValue> parameter_from_text(const std::string& given, std::size_t wanted) {
  const Result<Value> parsed = value_from_yaml(given);
  if (wanted == text) {
    return ParameterValue(parsed && parsed->kind == Value::Kind::scalar ? parsed->scalar : given);
  }
  if (!parsed) return parsed.error();
  if (parsed->kind == Value::Kind::nothing) return ParameterValue(std::string());
  if (parsed->kind == Value::Kind::scalar) {
    const Type type = type_of(*parsed);
    return single(*parsed, type == integer && wanted == real ? real : type);
  }
  const bool flat = parsed->kind == Value::Kind::list && std::ranges::all_of(parsed->items, [](const Value& item) {
                      return item.kind == Value::Kind::scalar;
                    });
  if (!flat)
    return Error{Fault::invalid, fmt::format("expected a value or a list of values, got {}", printable(given))};
  if (parsed->items.empty() && (wanted < bytes || wanted > texts)) {
    return Error{Fault::invalid, "an empty list may be of any type"};
  }
  Type type = parsed->items.empty() ? static_cast<Type>(wanted - bytes) : type_of(parsed->items.front());
  for (const Value& item : parsed->items) type = common(type, type_of(item));
  if (type == integer && wanted == reals) type = real;
  if (wanted == texts) type = text;
  if (wanted == bytes) {
    std::vector<std::byte> values;
    for (const Value& item : parsed->items) {
      const auto number = number_from<std::uint8_t>(item.scalar);
      if (!number) return Error{Fault::invalid, fmt::format("expected a byte, got {}", printable(item.scalar))};
      values.push_back(static_cast<std::byte>(*number));
    }
    return ParameterValue(std::move(values));
  }
  if (type == boolean) return list<bool>(parsed->items, boolean);
  if (type == integer) return list<std::int64_t>(parsed->items, integer);
  if (type == real) return list<double>(parsed->items, real);
  return list<std::string>(parsed->items, text);
}

std::string yaml_from_parameter(const ParameterValue& value) {
  return std::visit([](const auto& each) { return yaml_of(each); }, value);
}

std::string python_from_parameter(const ParameterValue& value) {
  if (const auto* alone = std::get_if<std::string>(&value)) return terminal_text(*alone);
  return std::visit([](const auto& each) { return python_of(each); }, value);
}

std::string sentence_from_parameter(const ParameterValue& value) {
  constexpr const char* labels[] = {"",
                                    "Boolean value is",
                                    "Integer value is",
                                    "Double value is",
                                    "String value is",
                                    "Byte values are",
                                    "Boolean values are",
                                    "Integer values are",
                                    "Double values are",
                                    "String values are"};
  if (value.index() == not_set) return "Parameter not set.";
  return fmt::format("{}: {}", labels[value.index()], python_from_parameter(value));
}

}  // namespace tandem::app::ros
