// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/gripper/gripper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tandem::ur::gripper {
namespace {

constexpr std::array<const char*, 15> names{"ACT", "GTO", "ATR", "ARD", "FOR", "SPE", "POS", "PRE",
                                            "STA", "OBJ", "FLT", "CUR", "COU", "MSC", "SID"};

// The next word of a line, which is shortened by it.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view blanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<int> number(std::string_view word, int base) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size() || value < 0 || value > 255)
    return std::nullopt;
  return value;
}

int base_of(Variable variable) { return variable == Variable::fault ? 16 : 10; }

Error no_variable(std::string_view word) {
  return {Fault::not_found, fmt::format("gripper: unknown variable \"{}\"", word.substr(0, 16))};
}

Error no_value(Variable variable, std::string_view word) {
  return {Fault::invalid,
          fmt::format("gripper: {}: expected a number from 0 to 255, got \"{}\"", name(variable), word.substr(0, 16))};
}

Result<Request> parse_write(std::string_view line) {
  Write write;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const auto variable = variable_named(word);
    if (!variable) return no_variable(word);
    const std::string_view digits = next_word(line);
    const auto value = number(digits, base_of(*variable));
    if (!value) return no_value(*variable, digits);
    write.pairs.emplace_back(*variable, *value);
  }
  if (write.pairs.empty()) return Error{Fault::invalid, "gripper: SET without a variable"};
  return Request(std::move(write));
}

}  // namespace

const char* name(Variable variable) { return names[static_cast<std::size_t>(variable)]; }

std::optional<Variable> variable_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<Variable>(i);
  return std::nullopt;
}

Result<Request> parse_request(std::string_view line) {
  const std::string_view verb = next_word(line);
  if (verb == "SET") return parse_write(line);
  if (verb != "GET")
    return Error{Fault::invalid, fmt::format("gripper: expected SET or GET, got \"{}\"", verb.substr(0, 16))};
  const std::string_view word = next_word(line);
  const auto variable = variable_named(word);
  if (!variable) return no_variable(word);
  if (!next_word(line).empty()) return Error{Fault::invalid, "gripper: GET takes one variable"};
  return Request(Read{*variable});
}

std::string text(const Request& request) {
  if (const auto* read = std::get_if<Read>(&request)) return fmt::format("GET {}\n", name(read->variable));
  std::string line = "SET";
  for (const auto& [variable, value] : std::get<Write>(request).pairs) line += ' ' + text(variable, value);
  return line + '\n';
}

std::string text(Variable variable, int value) {
  if (variable == Variable::fault) return fmt::format("{} {:02X}", name(variable), value & 0xff);
  return fmt::format("{} {}", name(variable), value);
}

Result<std::pair<Variable, int>> parse_value(std::string_view line) {
  const std::string_view word = next_word(line);
  const auto variable = variable_named(word);
  if (!variable) return no_variable(word);
  const std::string_view digits = next_word(line);
  const auto value = number(digits, base_of(*variable));
  if (!value || !next_word(line).empty()) return no_value(*variable, digits);
  return std::pair(*variable, *value);
}

bool GripperSession::receive(Bytes bytes, net::Outbox& out) {
  lines_.feed(bytes);
  while (true) {
    const auto line = lines_.next();
    if (!line) return false;
    if (!*line) return true;
    const auto request = parse_request(**line);
    if (!request) {
      out.send(as_bytes("?\n"));
      continue;
    }
    ++completed_;
    if (const auto* read = std::get_if<Read>(&*request)) {
      out.send(as_bytes(text(read->variable, device_.read(read->variable)) + '\n'));
      continue;
    }
    for (const auto& [variable, value] : std::get<Write>(*request).pairs) device_.write(variable, value);
    // No line end: clients compare all they read with these three letters.
    out.send(as_bytes("ack"));
  }
}

}  // namespace tandem::ur::gripper
