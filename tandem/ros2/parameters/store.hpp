// SPDX-License-Identifier: Apache-2.0
// The parameters of a node: declared once with a type and limits, changed by anyone who may. No DDS here.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"

namespace tandem::ros2 {

// In the order of rcl_interfaces/msg/ParameterType, so that index() is the type.
using ParameterValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::byte>, std::vector<bool>,
                 std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

const char* parameter_type_name(std::size_t type);
rcl_interfaces::ParameterValue message_from(const ParameterValue& value);
// An unknown type is not set.
ParameterValue value_from(const rcl_interfaces::ParameterValue& message);

struct ParameterOptions {
  std::string description{};
  std::string constraints{};  // in words, for people
  bool read_only = false;
  // Of integers and doubles; a step of 0 is none.
  struct Range {
    double least = 0.0, most = 0.0, step = 0.0;
  };
  std::optional<Range> range{};
  // Last word on a new value that fits type and range; an error refuses it. Must not touch the parameters themselves.
  std::function<Result<void>(const ParameterValue&)> check{};
  // After a change. Also.
  std::function<void(const ParameterValue&)> changed{};
};

// From any thread.
class ParameterStore {
 public:
  struct Change {
    std::string name;
    ParameterValue value;
  };
  using OnChange = std::function<void(const std::vector<Change>& declared, const std::vector<Change>& changed)>;

  // Told of every declaration and change, in the thread that made it.
  explicit ParameterStore(OnChange on_change = {}) : on_change_(std::move(on_change)) {}

  // Throws std::invalid_argument for a name that is taken and a value that does not fit.
  void declare(const std::string& name, ParameterValue value, ParameterOptions options = {});

  // Nothing when it is not declared.
  std::optional<ParameterValue> find(const std::string& name) const;
  // Of a parameter that is declared with this type.
  template <typename T>
  T value(const std::string& name) const {
    return std::get<T>(find(name).value());
  }

  Result<void> set(const std::string& name, ParameterValue value);
  // All or none.
  Result<void> set_all(std::vector<Change> changes);

  std::optional<rcl_interfaces::ParameterDescriptor> describe(const std::string& name) const;
  // Names below the prefixes (all without), at most `depth` levels deep (0: any); levels are set apart by dots.
  rcl_interfaces::ListParametersResult list(std::span<const std::string> prefixes, std::uint64_t depth) const;

 private:
  struct Entry {
    ParameterValue value;
    ParameterOptions options;
  };
  Result<void> check(const std::string& name, ParameterValue& value) const;

  OnChange on_change_;
  mutable std::recursive_mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace tandem::ros2
