// SPDX-License-Identifier: Apache-2.0
// Timed faults of the virtual device: {at: 10 s, exception: 4}, {drop: 2 s}, {freeze: 5 s}, {value: nan}.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "tandem/machines/generic/schema/entries.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;
constexpr double longest_fault_time = 1e6;  // s
constexpr std::array<std::string_view, 4> fault_kinds = {"exception", "drop", "freeze", "value"};

void take_fault(Keys& keys, const Node& node, std::size_t kind, TimedFault& fault) {
  fault.kind = static_cast<TimedFault::Kind>(kind);
  if (fault.kind == TimedFault::Kind::exception) {
    const auto code = whole_in(node);
    if (!code || *code < 1 || *code > 11) return keys.expected(node, "exception", "a code from 1 to 11");
    fault.code = static_cast<std::uint8_t>(*code);
  } else if (fault.kind == TimedFault::Kind::value) {
    const bool nan = node.kind == Node::Kind::scalar && (node.scalar == "nan" || node.scalar == ".nan");
    const auto number = number_in(node);
    if (!nan && !number) return keys.expected(node, "value", "a number or nan");
    fault.value = number.value_or(std::numeric_limits<double>::quiet_NaN());
  } else {
    const auto length = duration_in(node);
    if (!length || *length <= 0 || *length > longest_fault_time)
      return keys.expected(node, fault_kinds[kind], "a duration such as 2 s");
    fault.length = *length;
  }
}

TimedFault read_fault(const Node& node, const std::string& owner, Problems& problems) {
  TimedFault fault;
  Keys keys(node, owner, problems);
  keys.take_duration("at", fault.at, 0, longest_fault_time);
  bool chosen = false;
  for (std::size_t i = 0; i < fault_kinds.size(); ++i) {
    const Node* value = keys.take(fault_kinds[i]);
    if (value == nullptr) continue;
    if (chosen) keys.wrong(*value, fault_kinds[i], "expected one fault for each time, got two");
    if (!chosen) take_fault(keys, *value, i, fault);
    chosen = true;
  }
  if (!chosen && node.kind == Node::Kind::map)
    problems.add(node, fmt::format("{}: expected one of exception, drop, freeze, value, got none", owner));
  const bool timed = fault.kind == TimedFault::Kind::exception || fault.kind == TimedFault::Kind::value;
  if (timed) keys.take_duration("for", fault.length, 0, longest_fault_time);
  keys.finish();
  return fault;
}

}  // namespace

std::vector<TimedFault> read_faults(const Node& node, const std::string& owner, Problems& problems) {
  std::vector<TimedFault> faults;
  if (node.kind != Node::Kind::sequence) return {read_fault(node, owner, problems)};
  faults.reserve(node.items.size());
  for (const Node& item : node.items) faults.push_back(read_fault(item, owner, problems));
  return faults;
}

}  // namespace tandem::generic
