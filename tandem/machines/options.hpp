// SPDX-License-Identifier: Apache-2.0
// A machine's configuration keys as a table: the runtime checks a file against it, `--help` and docs print it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tandem::machines {

enum class OptionKind { number, flag, text, choice, numbers, texts };

struct Option {
  std::string_view name;
  OptionKind kind = OptionKind::text;
  std::string_view default_value;  // as it would be in the file; for lists "[1, 2, 3]"
  std::string_view help;           // one line, with the unit
  double minimum = -1e300;         // number and numbers: each element
  double maximum = 1e300;
  std::size_t count = 0;                           // numbers: how many
  std::span<const std::string_view> choices = {};  // choice: the words allowed
};

// What a person should know of an option beside its help: what the machine's original project does instead, or when
// to change it. In configuration files and docs/configuration.md.
struct OptionNote {
  std::string_view option, text;
};

// The tables of a machine's parts as one; a key that several know is listed once, where it is first.
inline std::vector<Option> joined(std::initializer_list<std::span<const Option>> tables) {
  std::vector<Option> all;
  for (const auto& table : tables) {
    for (const Option& option : table) {
      const bool known = std::ranges::any_of(all, [&](const Option& old) { return old.name == option.name; });
      if (!known) all.push_back(option);
    }
  }
  return all;
}

// The values of one machine, complete and checked: every key of its table is there.
class Options {
 public:
  using Value = std::variant<double, bool, std::string, std::vector<double>, std::vector<std::string>>;

  double number(std::string_view name) const { return std::get<double>(values_.find(name)->second); }
  bool flag(std::string_view name) const { return std::get<bool>(values_.find(name)->second); }
  const std::string& text(std::string_view name) const { return std::get<std::string>(values_.find(name)->second); }
  const std::vector<double>& numbers(std::string_view name) const {
    return std::get<std::vector<double>>(values_.find(name)->second);
  }
  const std::vector<std::string>& texts(std::string_view name) const {
    return std::get<std::vector<std::string>>(values_.find(name)->second);
  }
  void put(std::string_view name, Value value) { values_.insert_or_assign(std::string(name), std::move(value)); }

 private:
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace tandem::machines
