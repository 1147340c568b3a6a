// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/parameters/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tandem/base/nearest.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t integer_type = 2, double_type = 3;

// The nearest value that the steps from `least` reach may be this far away.
constexpr double step_tolerance = 1e-9;

Result<void> check_range(const std::string& name, const ParameterOptions::Range& range, const ParameterValue& value) {
  const double number =
      value.index() == integer_type ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
  if (!(number >= range.least && number <= range.most)) {
    return Error{Fault::invalid,
                 fmt::format("parameter '{}': {} is not between {} and {}", name, number, range.least, range.most)};
  }
  const double steps = range.step > 0.0 ? (number - range.least) / range.step : 0.0;
  // Both ends are always allowed.
  if (std::abs(steps - std::round(steps)) <= step_tolerance * std::max(1.0, std::abs(steps)) || number == range.most) {
    return {};
  }
  return Error{Fault::invalid,
               fmt::format("parameter '{}': {} is no whole step of {} from {}", name, number, range.step, range.least)};
}

bool takes_range(const ParameterValue& value) { return value.index() == integer_type || value.index() == double_type; }

}  // namespace

const char* parameter_type_name(std::size_t type) {
  constexpr const char* names[] = {"not set",    "boolean",       "integer",       "double",       "string",
                                   "byte array", "boolean array", "integer array", "double array", "string array"};
  return type < std::size(names) ? names[type] : "unknown";
}

rcl_interfaces::ParameterValue message_from(const ParameterValue& value) {
  rcl_interfaces::ParameterValue message;
  message.type = static_cast<std::uint8_t>(value.index());
  const auto put = [&](auto& field) {
    if (const auto* held = std::get_if<std::remove_reference_t<decltype(field)>>(&value)) field = *held;
  };
  put(message.bool_value);
  put(message.integer_value);
  put(message.double_value);
  put(message.string_value);
  put(message.byte_array_value);
  put(message.bool_array_value);
  put(message.integer_array_value);
  put(message.double_array_value);
  put(message.string_array_value);
  return message;
}

ParameterValue value_from(const rcl_interfaces::ParameterValue& message) {
  switch (message.type) {
    case 1:
      return message.bool_value;
    case 2:
      return message.integer_value;
    case 3:
      return message.double_value;
    case 4:
      return message.string_value;
    case 5:
      return message.byte_array_value;
    case 6:
      return message.bool_array_value;
    case 7:
      return message.integer_array_value;
    case 8:
      return message.double_array_value;
    case 9:
      return message.string_array_value;
    default:
      return {};
  }
}

void ParameterStore::declare(const std::string& name, ParameterValue value, ParameterOptions options) {
  const std::lock_guard lock(mutex_);
  if (name.empty()) throw std::invalid_argument("a parameter needs a name");
  if (value.index() == 0) throw std::invalid_argument(fmt::format("parameter '{}' needs a value", name));
  if (options.range && !takes_range(value)) {
    throw std::invalid_argument(
        fmt::format("parameter '{}': a {} has no range", name, parameter_type_name(value.index())));
  }
  if (!entries_.try_emplace(name, Entry{value, std::move(options)}).second) {
    throw std::invalid_argument(fmt::format("parameter '{}' is declared twice", name));
  }
  const Entry& entry = entries_[name];
  if (entry.options.range) {
    if (const auto fits = check_range(name, *entry.options.range, value); !fits) {
      entries_.erase(name);
      throw std::invalid_argument(fits.error().text);
    }
  }
  if (on_change_) on_change_({{name, std::move(value)}}, {});
}

std::optional<ParameterValue> ParameterStore::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  return found->second.value;
}

// An integer is taken for a double, as people write 5 and mean 5.0.
Result<void> ParameterStore::check(const std::string& name, ParameterValue& value) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [other, entry] : entries_) known.push_back(other);
    return Error{Fault::not_found, fmt::format("parameter '{}' is not declared{}", name, suggestion(name, known))};
  }
  const Entry& entry = found->second;
  if (entry.options.read_only) return Error{Fault::refused, fmt::format("parameter '{}' is read-only", name)};
  if (entry.value.index() == double_type && value.index() == integer_type) {
    value = static_cast<double>(std::get<std::int64_t>(value));
  }
  if (value.index() != entry.value.index()) {
    return Error{Fault::invalid,
                 fmt::format("parameter '{}' is of type {}; it cannot be set to one of type {}", name,
                             parameter_type_name(entry.value.index()), parameter_type_name(value.index()))};
  }
  if (entry.options.range) {
    if (auto fits = check_range(name, *entry.options.range, value); !fits) return fits;
  }
  return entry.options.check ? entry.options.check(value) : Result<void>{};
}

Result<void> ParameterStore::set(const std::string& name, ParameterValue value) {
  return set_all({{name, std::move(value)}});
}

Result<void> ParameterStore::set_all(std::vector<Change> changes) {
  const std::lock_guard lock(mutex_);
  for (Change& change : changes) {
    if (auto fits = check(change.name, change.value); !fits) return fits;
  }
  for (const Change& change : changes) {
    Entry& entry = entries_[change.name];
    entry.value = change.value;
    if (entry.options.changed) entry.options.changed(change.value);
  }
  if (on_change_ && !changes.empty()) on_change_({}, changes);
  return {};
}

std::optional<rcl_interfaces::ParameterDescriptor> ParameterStore::describe(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  const auto& [value, options] = found->second;
  rcl_interfaces::ParameterDescriptor descriptor;
  descriptor.name = name;
  descriptor.type = static_cast<std::uint8_t>(value.index());
  descriptor.description = options.description;
  descriptor.additional_constraints = options.constraints;
  descriptor.read_only = options.read_only;
  if (options.range && value.index() == double_type) {
    descriptor.floating_point_range.push_back({options.range->least, options.range->most, options.range->step});
  } else if (options.range) {
    descriptor.integer_range.push_back({static_cast<std::int64_t>(options.range->least),
                                        static_cast<std::int64_t>(options.range->most),
                                        static_cast<std::uint64_t>(options.range->step)});
  }
  return descriptor;
}

rcl_interfaces::ListParametersResult ParameterStore::list(std::span<const std::string> prefixes,
                                                          std::uint64_t depth) const {
  const auto shallow = [depth](std::string_view rest) {
    return depth == 0 || static_cast<std::uint64_t>(std::ranges::count(rest, '.')) < depth;
  };
  const auto below = [&](const std::string& name, const std::string& prefix) {
    return name == prefix || (name.starts_with(prefix + ".") && shallow(name.substr(prefix.size() + 1)));
  };
  rcl_interfaces::ListParametersResult result;
  std::set<std::string> parents;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : entries_) {
    const bool wanted =
        prefixes.empty()
            ? shallow(name)
            : std::ranges::any_of(prefixes, [&](const std::string& prefix) { return below(name, prefix); });
    if (!wanted) continue;
    result.names.push_back(name);
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos) parents.insert(name.substr(0, dot));
  }
  result.prefixes.assign(parents.begin(), parents.end());
  return result;
}

}  // namespace tandem::ros2
