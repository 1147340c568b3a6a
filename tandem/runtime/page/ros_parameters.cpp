// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/runtime/page/ros_json.hpp"

namespace tandem::runtime {
namespace {

using Json = nlohmann::json;
using ros2::ParameterValue;

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64_of(const std::vector<std::byte>& bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (j < count ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) out += j > count ? '=' : base64_digits[three >> (18 - 6 * j) & 63];
  }
  return out;
}

std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::vector<std::byte> bytes;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = i + padding >= text.size() ? 0 : base64_digits.find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (i % 4 != 3) continue;
    for (int shift = 16; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(bits >> shift & 255));
    bits = 0;
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

template <typename T>
void append_parameter(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    out += std::to_string(value);
  } else if constexpr (std::is_same_v<T, double>) {
    append_json_number(out, value);
  } else {
    append_json_text(out, value);
  }
}

template <typename T>
std::string json_of_parameter(const T& value) {
  std::string out;
  if constexpr (std::is_same_v<T, std::monostate>) {
    out = "null";
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    append_json_text(out, base64_of(value));
  } else if constexpr (requires { typename T::allocator_type; } && !std::is_same_v<T, std::string>) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      out += i == 0 ? '[' : ',';
      append_parameter<typename T::value_type>(out, value[i]);
    }
    out += value.empty() ? "[]" : "]";
  } else {
    append_parameter(out, value);
  }
  return out;
}

std::optional<double> real_of_json(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "NaN") return std::nan("");
  if (json == "Infinity") return HUGE_VAL;
  if (json == "-Infinity") return -HUGE_VAL;
  return std::nullopt;
}

template <typename T>
std::optional<T> single_of_json(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) {
    return json.is_boolean() ? std::optional(json.get<bool>()) : std::nullopt;
  } else if constexpr (std::is_same_v<T, double>) {
    return real_of_json(json);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return json.is_string() ? std::optional(json.get<std::string>()) : std::nullopt;
  } else {
    const double real = json.is_number_float() ? json.get<double>() : 0.5;
    if (std::trunc(real) == real && std::abs(real) < 0x1p53) return static_cast<std::int64_t>(real);
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) return std::nullopt;
    return json.is_number_integer() ? std::optional(json.get<std::int64_t>()) : std::nullopt;
  }
}

template <typename T>
std::optional<ParameterValue> value_of_json(const Json& json, const T&) {
  if constexpr (std::is_same_v<T, std::monostate>) {
    return std::nullopt;
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    if (!json.is_string()) return std::nullopt;
    auto bytes = bytes_of_base64(json.get_ref<const std::string&>());
    return bytes ? std::optional<ParameterValue>(std::move(*bytes)) : std::nullopt;
  } else if constexpr (requires { typename T::allocator_type; } && !std::is_same_v<T, std::string>) {
    if (!json.is_array()) return std::nullopt;
    T values;
    for (const Json& each : json) {
      auto one = single_of_json<typename T::value_type>(each);
      if (!one) return std::nullopt;
      values.push_back(std::move(*one));
    }
    return ParameterValue(std::move(values));
  } else {
    auto one = single_of_json<T>(json);
    return one ? std::optional<ParameterValue>(std::move(*one)) : std::nullopt;
  }
}

}  // namespace

web::Parameter json_from_parameter(std::string name, const ParameterValue& value) {
  web::Parameter parameter{std::move(name), {}, {}, false};
  if (value.index() == 0) return parameter;
  parameter.value = std::visit([](const auto& each) { return json_of_parameter(each); }, value);
  if (std::holds_alternative<double>(value)) parameter.type = "float64";
  if (std::holds_alternative<std::vector<double>>(value)) parameter.type = "float64_array";
  if (std::holds_alternative<std::vector<std::byte>>(value)) parameter.type = "byte_array";
  return parameter;
}

Result<ParameterValue> parameter_from_json(const web::Parameter& parameter, const ParameterValue& like) {
  const char* wanted = ros2::parameter_type_name(like.index());
  if (!parameter.value)
    return Error{Fault::unsupported, fmt::format("expected a {}, got nothing; it cannot be unset", wanted)};
  const Json json = Json::parse(*parameter.value, nullptr, false);
  auto value = json.is_discarded() ? std::nullopt
                                   : std::visit([&](const auto& each) { return value_of_json(json, each); }, like);
  if (value) return std::move(*value);
  return Error{Fault::invalid, fmt::format("expected a {}, got {}", wanted, printable(*parameter.value))};
}

namespace {

web::Parameter reported_to(std::string full, const std::string& name, const ParameterValue& value,
                           const ros2::ParameterStore& store) {
  web::Parameter parameter = json_from_parameter(std::move(full), value);
  const auto described = store.describe(name);
  parameter.read_only = described && described->read_only;
  return parameter;
}

}  // namespace

std::vector<web::Parameter> RosParameters::list(const std::vector<std::string>& names) const {
  std::vector<web::Parameter> all;
  const std::set<std::string> wanted(names.begin(), names.end());  // a viewer may name very many
  local_.each([&](const std::string& node, const ros2::ParameterStore& store) {
    for (const std::string& name : store.list({}, 0).names) {
      std::string full = fmt::format("{}.{}", node, name);
      if (!names.empty() && !wanted.contains(full)) continue;
      if (const auto value = store.find(name)) all.push_back(reported_to(std::move(full), name, *value, store));
    }
  });
  return all;
}

// Names of nodes have no dots; those of parameters may.
Result<void> RosParameters::set(const web::Parameter& parameter) {
  const std::size_t dot = parameter.name.find('.');
  const std::string node = parameter.name.substr(0, dot);
  const std::string name = dot == std::string::npos ? "" : parameter.name.substr(dot + 1);
  Result<void> done = Error{Fault::not_found, "unknown parameter of this process"};
  local_.each([&](const std::string& owner, ros2::ParameterStore& store) {
    if (owner != node) return;
    const auto before = store.find(name);
    if (!before) return;
    auto value = parameter_from_json(parameter, *before);
    if (!value) {
      done = value.error();
      return;
    }
    done = store.set(name, std::move(*value));
    if (const auto after = store.find(name); done && after) {
      reported_[parameter.name] = *json_from_parameter("", *after).value;
    }
  });
  return done;
}

std::vector<web::Parameter> RosParameters::changed(Bytes event) {
  ros2::rcl_interfaces::ParameterEvent message;
  std::vector<web::Parameter> news;
  if (!ros2::decode(event, message)) return news;
  local_.each([&](const std::string& node, const ros2::ParameterStore& store) {
    if (node != message.node) return;
    for (const auto* list : {&message.new_parameters, &message.changed_parameters}) {
      for (const auto& each : *list) {
        const auto value = store.find(each.name);
        if (!value) continue;
        web::Parameter parameter = reported_to(node + "." + each.name, each.name, *value, store);
        if (!parameter.value) continue;
        std::string& told = reported_[parameter.name];
        if (told == *parameter.value) continue;
        told = *parameter.value;
        news.push_back(std::move(parameter));
      }
    }
  });
  return news;
}

}  // namespace tandem::runtime
