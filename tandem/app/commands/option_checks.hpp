// SPDX-License-Identifier: Apache-2.0
// Checks for values on the command line, which say what was expected and what came instead.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/nearest.hpp"

namespace tandem::app {

constexpr double longest_seconds = 1e8;

inline std::optional<double> number_from(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A time in seconds, above zero.
inline CLI::Validator seconds_check() {
  return {[](std::string& text) {
            const auto value = number_from(text);
            if (value && *value > 0 && *value <= longest_seconds) return std::string();
            return fmt::format("expected a time in seconds, above 0 and at most {:g}, got '{}'", longest_seconds,
                               printable(text));
          },
          ""};
}

// A number from `lowest` to `highest`; both are shown in the help.
inline CLI::Validator number_check(double lowest, double highest) {
  return {[lowest, highest](std::string& text) {
            const auto value = number_from(text);
            if (value && *value >= lowest && *value <= highest) return std::string();
            return fmt::format("expected a number from {:g} to {:g}, got '{}'", lowest, highest, printable(text));
          },
          fmt::format("[{:g} - {:g}]", lowest, highest)};
}

inline CLI::Validator whole_number_check(int lowest, int highest) {
  return {[lowest, highest](std::string& text) {
            const auto value = number_from(text);
            if (value && *value >= lowest && *value <= highest && *value == static_cast<int>(*value))
              return std::string();
            return fmt::format("expected a whole number from {} to {}, got '{}'", lowest, highest, printable(text));
          },
          fmt::format("[{} - {}]", lowest, highest)};
}

// A ROS domain: above 232 its ports do not exist.
inline CLI::Validator domain_check() { return whole_number_check(0, 232); }

inline CLI::Validator choice_check(std::vector<std::string> choices) {
  const std::string shown = fmt::format("{{{}}}", fmt::join(choices, ","));
  return {[choices = std::move(choices)](std::string& text) {
            if (std::ranges::find(choices, text) != choices.end()) return std::string();
            return fmt::format("expected one of {}, got '{}'", fmt::join(choices, ", "), printable(text));
          },
          shown};
}

inline CLI::Validator port_check(int lowest = 1) {
  return {[lowest](std::string& text) {
            const auto value = number_from(text);
            if (value && *value >= lowest && *value <= 65535 && *value == static_cast<int>(*value))
              return std::string();
            return fmt::format("expected a port from {} to 65535, got '{}'", lowest, printable(text));
          },
          ""};
}

inline CLI::Option* add_for(CLI::App& command, std::optional<double>& seconds) {
  return command.add_option("--for", seconds, "exit after SECONDS")->type_name("SECONDS")->check(seconds_check());
}

}  // namespace tandem::app
