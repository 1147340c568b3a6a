// Checks for values on the command line, which say what was expected and what came instead.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>

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
