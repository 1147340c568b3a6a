// solve: one JSON object per line in, one out.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tandem/app/commands.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app {

namespace {

// A question without fields needs no input: do not wait for a line that nobody will write.
bool input_comes(const machines::Query& query) {
  if (query.example != "{}") return true;
  pollfd watched{STDIN_FILENO, POLLIN, 0};
  return ::isatty(STDIN_FILENO) == 0 && ::poll(&watched, 1, 200) > 0;
}

// The next line of standard input; of one that is too long only the beginning, which no query takes for JSON.
bool next_line(std::string& line) {
  constexpr std::size_t longest = 1024 * 1024;
  line.clear();
  auto* input = std::cin.rdbuf();
  int c = input->sbumpc();
  if (c == EOF) return false;
  for (; c != EOF && c != '\n'; c = input->sbumpc()) {
    if (line.size() < longest) line += static_cast<char>(c);
  }
  return true;
}

bool answer(const machines::Query& query, const std::string& question) {
  const auto answered = query.answer(question);
  const std::string line = answered ? *answered
                                    : nlohmann::json{{"error", answered.error().text}}.dump(
                                          -1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::cout << line << '\n';
  return answered.ok();
}

}  // namespace

int solve(const std::string& machine, const std::string& name, const std::vector<std::string>& questions,
          const runtime::Registry& registry) {
  const auto* type = known_machine(machine, registry);
  if (type == nullptr) return usage;
  const machines::Query* query = nullptr;
  std::vector<std::string_view> known;
  for (const auto& each : type->queries) {
    known.push_back(each.name);
    if (each.name == name) query = &each;
  }
  if (query == nullptr) {
    fmt::print(stderr, "tandem: {} answers no query '{}'{}\n", type->name, printable(name), suggestion(name, known));
    for (const auto& each : type->queries)
      fmt::print(stderr, "  tandem solve {} {} '{}'\n    {}\n", type->name, each.name, each.example, each.help);
    return usage;
  }
  bool all = true;
  for (const std::string& question : questions) all = answer(*query, question) && all;
  if (questions.empty()) {
    bool any = false;
    std::ios::sync_with_stdio(false);
    for (std::string line; input_comes(*query) && next_line(line);) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      any = true;
      all = answer(*query, line) && all;
      if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
    }
    if (!any) all = answer(*query, "{}");
  }
  std::cout.flush();
  return all ? success : failure;
}

}  // namespace tandem::app
