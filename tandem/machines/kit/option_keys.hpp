// SPDX-License-Identifier: Apache-2.0
// One row of a machine's option table per call: name, default as in the file, one line of help with the unit, range.
#pragma once

#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tandem/base/result.hpp"
#include "tandem/machines/options.hpp"

namespace tandem::machines {

constexpr Option number_key(std::string_view name, std::string_view value, std::string_view help, double low,
                            double high) {
  return {
      .name = name, .kind = OptionKind::number, .default_value = value, .help = help, .minimum = low, .maximum = high};
}

// `count` 0: as many as the machine checks itself.
constexpr Option numbers_key(std::string_view name, std::string_view value, std::string_view help, double low,
                             double high, std::size_t count = 0) {
  return {.name = name,
          .kind = OptionKind::numbers,
          .default_value = value,
          .help = help,
          .minimum = low,
          .maximum = high,
          .count = count};
}

constexpr Option flag_key(std::string_view name, std::string_view value, std::string_view help) {
  return {.name = name, .kind = OptionKind::flag, .default_value = value, .help = help};
}

constexpr Option text_key(std::string_view name, std::string_view value, std::string_view help) {
  return {.name = name, .kind = OptionKind::text, .default_value = value, .help = help};
}

constexpr Option texts_key(std::string_view name, std::string_view value, std::string_view help) {
  return {.name = name, .kind = OptionKind::texts, .default_value = value, .help = help};
}

constexpr Option choice_key(std::string_view name, std::string_view value, std::string_view help,
                            std::span<const std::string_view> words) {
  return {.name = name, .kind = OptionKind::choice, .default_value = value, .help = help, .choices = words};
}

// The value, or std::invalid_argument with the error's text: for what a configuration says.
template <typename T>
T must_be(Result<T> result) {
  if (!result) throw std::invalid_argument(result.error().text);
  return std::move(*result);
}

}  // namespace tandem::machines
