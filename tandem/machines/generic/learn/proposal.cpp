// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/proposal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tandem/machines/generic/learn/characters.hpp"
#include "tandem/machines/generic/schema/read.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::generic {
namespace {

// Words that YAML or a reader of it could take for something else.
bool is_plain(std::string_view text) {
  if (text.empty() || !ascii::is_letter(text.front())) return false;
  const auto fits = [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '.' || c == '/' || c == ' ';
  };
  if (!std::ranges::all_of(text, fits) || text.back() == ' ') return false;
  constexpr std::array<std::string_view, 10> special = {"true", "false", "yes",  "no",  "on",
                                                        "off",  "null",  "none", "nan", "inf"};
  return text != "y" && text != "n" && text != "Y" && text != "N" &&
         std::ranges::find(special, ascii::in_lower_case(text)) == special.end();
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
  const auto fits = [](char c) { return ascii::is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e'; };
  return !text.empty() && ascii::is_digit(text.back()) && std::ranges::all_of(text, fits) ? text : scalar(text);
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
  members.reserve(signal.member_units.size());
  for (const auto& [member, unit] : signal.member_units) members.push_back(fmt::format("{}: {}", member, scalar(unit)));
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
    members.reserve(type.members.size());
    for (const auto& [member, member_type] : type.members)
      members.push_back(fmt::format("{}: {}", member, scalar(member_type)));
    out += fmt::format("      {}: {{{}}}\n", scalar(type.name), fmt::join(members, ", "));
  }
}

// `lines` gets the line of each signal's entry, 0 for those that are only comments.
std::string write_file(const ProposedDevice& device, std::vector<int>& lines) {
  std::string out;
  for (const std::string& remark : device.remarks) out += fmt::format("# {}\n", one_line(remark, 400));
  out += fmt::format("machines:\n  {}:\n    type: generic\n    device: {}\n", device.machine, scalar(device.device));
  if (!device.base.empty()) out += fmt::format("    base: {}\n", device.base);
  if (!device.order.empty()) out += fmt::format("    order: {}\n", device.order);
  append_types(device, out);
  out += "    signals:\n";
  int line = static_cast<int>(std::ranges::count(out, '\n'));
  for (const ProposedSignal& signal : device.signals) {
    const std::size_t before = out.size();
    for (const std::string& reason : signal.reasons) out += fmt::format("      # {}\n", one_line(reason, 400));
    lines.push_back(signal.commented ? 0 : line + static_cast<int>(signal.reasons.size()) + 1);
    if (!signal.commented) out += fmt::format("      {}\n", entry_of(signal, false));
    if (!signal.commented && !signal.write.empty()) out += "      # As an output, in place of the line above:\n";
    if (signal.commented || !signal.write.empty()) out += fmt::format("      # {}\n", entry_of(signal, true));
    line += static_cast<int>(std::count(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), '\n'));
  }
  return out;
}

// What the reader of descriptions says of the text.
std::vector<yaml::FileError::Problem> problems_of(const std::string& text, const std::string& machine) {
  constexpr const char* file = "learned.yaml";
  try {
    const yaml::Node root = yaml::parse(text, file);
    const yaml::Node& machines = root.items.at(0);
    return read_description(machines.items.at(0), file, machine).problems;
  } catch (const yaml::FileError& error) {
    return error.problems();
  }
}

}  // namespace

std::string to_yaml(const ProposedDevice& device) {
  std::vector<int> lines;
  return write_file(device, lines);
}

Result<std::string> checked_yaml(ProposedDevice device) {
  constexpr int most_rounds = 8;  // what is refused may hide something else
  std::string refused;
  for (int round = 0; round < most_rounds; ++round) {
    if (auto good = check(device); !good) {
      return refused.empty() ? std::move(good).error() : Error{good.error().fault, good.error().text + "; " + refused};
    }
    std::vector<int> lines;
    std::string text = write_file(device, lines);
    const auto problems = problems_of(text, device.machine);
    if (problems.empty()) return text;
    bool changed = false;
    for (const auto& problem : problems) {
      refused = problem.text;
      const auto found = std::ranges::find(lines, problem.place.line);
      if (problem.place.line <= 0 || found == lines.end()) continue;
      ProposedSignal& signal = device.signals[static_cast<std::size_t>(found - lines.begin())];
      if (signal.commented) continue;
      signal.commented = changed = true;
      signal.reasons.push_back("Left out: " + problem.text);
    }
    if (!changed && !device.types.empty()) {
      device.types.clear();  // the PLC has them itself
      changed = true;
    }
    if (!changed) break;
  }
  return Error{Fault::unsupported, "the reader of such files refuses it: " + refused};
}

Result<void> check(const ProposedDevice& device) {
  const auto used = std::ranges::count(device.signals, false, &ProposedSignal::commented);
  if (used == 0) return Error{Fault::not_found, "expected signals that can be read, got none"};
  if (static_cast<std::size_t>(used) > most_learned_signals) {
    return Error{Fault::unsupported, fmt::format("expected at most {} signals, got {}", most_learned_signals, used)};
  }
  if (const std::size_t size = to_yaml(device).size(); size > most_file_bytes) {
    return Error{Fault::unsupported, fmt::format("expected a file of at most {} bytes, got {}", most_file_bytes, size)};
  }
  return {};
}

std::string shortest_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value == 0 ? 0.0 : value);
  return fmt::format("{}", value);
}

}  // namespace tandem::generic
