// SPDX-License-Identifier: Apache-2.0
// Our messages as lines of text, for peers in other languages:
//   types   one JSON line for each type: its definition and its constants
//   write   one JSON line for each of some random messages: its type and its CDR in hex
//   read    takes lines "TYPE HEX"; every one must decode and come back as the same bytes when written again
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "tandem/base/sha256.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tests/ros2/messages/any_message.hpp"
#include "tests/ros2/messages/constants.hpp"

namespace tandem::ros2 {
namespace {

constexpr int rounds = 20;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

int print_types() {
  std::map<std::string, Constants> constants = all_constants();
  for (const std::string& name : known_types()) {
    std::string values;
    for (const auto& [constant, value] : constants[name]) {
      values += fmt::format("{}{}: {}", values.empty() ? "" : ", ", quoted(constant), quoted(value));
    }
    std::cout << fmt::format("{{\"type\": {}, \"definition\": {}, \"constants\": {{{}}}}}\n", quoted(name),
                             quoted(find_type(name)->definition), values);
  }
  return 0;
}

int print_messages() {
  Random random(5);
  random.only_ascii = true;
  std::vector<std::uint8_t> bytes;
  for (const auto& message : all_messages()) {
    for (int round = 0; round < rounds; ++round) {
      message->fill(random);
      if (!message->write(bytes)) return 1;
      std::cout << fmt::format("{{\"type\": {}, \"cdr\": \"{}\"}}\n", quoted(message->name()), hex(bytes));
    }
  }
  return 0;
}

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

int read_messages() {
  std::map<std::string, std::unique_ptr<AnyMessage>> messages;
  for (auto& message : all_messages()) {
    const std::string name = message->name();
    messages[name] = std::move(message);
  }
  int wrong = 0, right = 0;
  std::vector<std::uint8_t> again;
  for (std::string type, text; std::cin >> type >> text;) {
    const auto found = messages.find(type);
    const std::vector<std::uint8_t> bytes = bytes_of(text);
    std::string problem;
    if (found == messages.end()) {
      problem = "not known";
    } else if (const char* failure = found->second->read(bytes)) {
      problem = failure;
    } else if (!found->second->write(again) || again != bytes) {
      problem = "written as " + hex(again);
    }
    if (problem.empty()) {
      ++right;
    } else if (++wrong <= 10) {
      std::cout << fmt::format("{} {}: {}\n", type, text, problem);
    }
  }
  std::cout << fmt::format("{} right, {} wrong\n", right, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tandem::ros2

int main(int count, char** arguments) {
  using namespace tandem::ros2;
  const std::string_view what = count == 2 ? arguments[1] : "";
  if (what == "types") return print_types();
  if (what == "write") return print_messages();
  if (what == "read") return read_messages();
  std::cerr << "usage: rosmsg_messages types|write|read\n";
  return 2;
}
