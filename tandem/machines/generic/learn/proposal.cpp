// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/proposal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tandem::generic {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Words that YAML or a reader of it could take for something else.
bool is_plain(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return false;
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '/' || c == ' '; };
  if (!std::ranges::all_of(text, fits) || text.back() == ' ') return false;
  constexpr std::array<std::string_view, 10> special = {"true", "false", "yes",  "no",  "on",
                                                        "off",  "null",  "none", "nan", "inf"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return lower.size() > 1 && std::ranges::find(special, lower) == special.end();
}

std::string scalar(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out = "\"";
  for (const char c : one_line(text, 1000)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Numbers as they are, anything else as text.
std::string number_or_text(const std::string& text) {
  const auto fits = [](char c) { return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e'; };
  return !text.empty() && is_digit(text.back()) && std::ranges::all_of(text, fits) ? text : scalar(text);
}

std::string map_of(const Names& names) {
  std::vector<std::string> entries;
  for (const auto& [value, text] : names) entries.push_back(fmt::format("{}: {}", value, scalar(text)));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string entry_of(const ProposedSignal& signal, bool with_write) {
  std::vector<std::string> keys{"at: " + number_or_text(signal.at)};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) keys.push_back(fmt::format("{}: {}", key, value));
  };
  const auto text = [](const std::string& value) { return value.empty() ? value : scalar(value); };
  add("type", text(signal.type));
  add("order", text(signal.order));
  add("scale", signal.scale);
  add("offset", signal.offset);
  add("unit", text(signal.unit));
  if (!signal.names.empty()) add("names", map_of(signal.names));
  std::vector<std::string> members;
  for (const auto& [member, unit] : signal.member_units)
    members.push_back(fmt::format("{}: {}", member, scalar(unit)));
  if (!members.empty()) add("unit", fmt::format("{{{}}}", fmt::join(members, ", ")));
  members.clear();
  for (const auto& [member, names] : signal.member_names)
    members.push_back(fmt::format("{}: {}", member, map_of(names)));
  if (!members.empty()) add("names", fmt::format("{{{}}}", fmt::join(members, ", ")));
  if (signal.alias) add("alias", "true");
  if (with_write) add("write", signal.write);
  return fmt::format("{}: {{{}}}", signal.name, fmt::join(keys, ", "));
}

void append_types(const ProposedDevice& device, std::string& out) {
  if (device.types.empty()) return;
  out += "    types:\n";
  for (const PlcStructure& type : device.types) {
    std::vector<std::string> members;
    for (const auto& [member, member_type] : type.members)
      members.push_back(fmt::format("{}: {}", member, scalar(member_type)));
    out += fmt::format("      {}: {{{}}}\n", scalar(type.name), fmt::join(members, ", "));
  }
}

}  // namespace

std::string to_yaml(const ProposedDevice& device) {
  std::string out;
  for (const std::string& remark : device.remarks) out += fmt::format("# {}\n", one_line(remark, 400));
  out += fmt::format("machines:\n  {}:\n    type: generic\n    device: {}\n", device.machine, scalar(device.device));
  if (!device.base.empty()) out += fmt::format("    base: {}\n", device.base);
  if (!device.order.empty()) out += fmt::format("    order: {}\n", device.order);
  append_types(device, out);
  out += "    signals:\n";
  for (const ProposedSignal& signal : device.signals) {
    for (const std::string& reason : signal.reasons) out += fmt::format("      # {}\n", one_line(reason, 400));
    if (!signal.commented) out += fmt::format("      {}\n", entry_of(signal, false));
    if (!signal.commented && !signal.write.empty()) out += "      # As an output, in place of the line above:\n";
    if (signal.commented || !signal.write.empty()) out += fmt::format("      # {}\n", entry_of(signal, true));
  }
  return out;
}

Result<void> check(const ProposedDevice& device) {
  const auto used = std::ranges::count(device.signals, false, &ProposedSignal::commented);
  if (used == 0) return Error{Fault::not_found, "expected signals that can be read, got none"};
  if (static_cast<std::size_t>(used) > most_signals) {
    return Error{Fault::unsupported, fmt::format("expected at most {} signals, got {}", most_signals, used)};
  }
  if (const std::size_t size = to_yaml(device).size(); size > most_file_bytes) {
    return Error{Fault::unsupported, fmt::format("expected a file of at most {} bytes, got {}", most_file_bytes, size)};
  }
  return {};
}

std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value == 0 ? 0.0 : value);
  return fmt::format("{}", value);
}

}  // namespace tandem::generic
