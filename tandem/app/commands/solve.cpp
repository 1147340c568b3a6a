// SPDX-License-Identifier: Apache-2.0
// solve: one JSON object per line in, one out.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "tandem/app/commands.hpp"
#include "tandem/app/terminal/progress.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app {

namespace {

using Json = nlohmann::ordered_json;

// An object of this line; anything else is the query's to refuse.
std::optional<Json> object_of(const std::string& text) {
  constexpr int deepest = 16;  // hostile nesting must not cost us more than it costs the query
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > deepest;
    return !too_deep;
  };
  Json object = Json::parse(text, watch, false);
  if (too_deep || !object.is_object()) return std::nullopt;
  return object;
}

bool has_flag(const machines::Query& query, std::string_view name) {
  return std::find(query.flags.begin(), query.flags.end(), name) != query.flags.end();
}

// Everything that its example asks can be on the command line.
bool flags_suffice(const machines::Query& query) {
  const auto example = object_of(std::string(query.example));
  if (!example) return false;
  for (const auto& [key, value] : example->items()) {
    if (!has_flag(query, key) || !value.is_string()) return false;
  }
  return true;
}

// A question without fields needs no input: do not wait for a line that no one will write.
bool input_comes(const machines::Query& query) {
  if (!flags_suffice(query)) return true;
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

// The question with the flags as fields of it.
Result<std::string> with_flags(const std::string& question, const std::vector<SolveFlag>& flags) {
  if (flags.empty()) return question;
  auto object = object_of(question);
  if (!object) return question;
  for (const SolveFlag& flag : flags) {
    if (object->contains(flag.name)) {
      return Error{Fault::invalid, fmt::format("{0}: expected in the input object or as --{0}, got both", flag.name)};
    }
    (*object)[flag.name] = flag.value;
  }
  return object->dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Fed by the query, in this thread.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what) : text_(std::move(what), ::isatty(STDERR_FILENO) == 1, system_clock().now()) {}
  ProgressBar(const ProgressBar&) = delete;
  ~ProgressBar() { write(text_.end()); }
  void show(double fraction) { write(text_.at(fraction, system_clock().now())); }

 private:
  // Not waited for: progress that is not seen must not hold the answer up.
  static void write(const std::string& bytes) {
    pollfd watched{STDERR_FILENO, POLLOUT, 0};
    if (!bytes.empty() && ::poll(&watched, 1, 0) > 0) (void)!::write(STDERR_FILENO, bytes.data(), bytes.size());
  }

  ProgressText text_;
};

bool answer(const machines::Query& query, const std::string& question, const std::vector<SolveFlag>& flags) {
  const auto asked = with_flags(question, flags);
  const auto answered = [&]() -> Result<std::string> {
    if (!asked) return asked.error();
    ProgressBar bar(std::string(query.name));
    return query.answer(*asked, [&bar](double fraction) { bar.show(fraction); });
  }();
  const std::string line =
      answered ? *answered
               : Json{{"error", answered.error().text}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::cout << line << '\n';
  return answered.ok();
}

const machines::Query* known_query(const machines::MachineType& type, const std::string& name) {
  std::vector<std::string_view> known;
  for (const auto& each : type.queries) {
    if (each.name == name) return &each;
    known.push_back(each.name);
  }
  fmt::print(stderr, "tandem: {}: unknown query '{}'{}\n", type.name, printable(name),
             known.empty() ? ", it has none" : suggestion(name, known));
  for (const auto& each : type.queries) fmt::print(stderr, "{}", solve_example(type.name, each));
  return nullptr;
}

bool flags_are_known(const machines::MachineType& type, const machines::Query& query,
                     const std::vector<SolveFlag>& flags) {
  std::vector<std::string> seen;
  for (const SolveFlag& flag : flags) {
    const std::string shown = printable(flag.name);
    if (!has_flag(query, flag.name)) {
      fmt::print(stderr, "tandem: {} {}: unknown flag '--{}'{}\n", type.name, query.name, shown,
                 query.flags.empty() ? ", it has none" : suggestion(flag.name, query.flags));
      return false;
    }
    if (!flag.valued) {
      fmt::print(stderr, "tandem: --{}: expected a value after it, got none\n", shown);
      return false;
    }
    if (std::find(seen.begin(), seen.end(), flag.name) != seen.end()) {
      fmt::print(stderr, "tandem: --{}: expected once, got it again\n", shown);
      return false;
    }
    seen.push_back(flag.name);
  }
  return true;
}

}  // namespace

std::vector<SolveFlag> take_solve_flags(std::vector<std::string>& arguments) {
  std::vector<SolveFlag> flags;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("--") || word.size() == 2 || word == "--help") {
      rest.push_back(word);
      continue;
    }
    const auto equals = word.find('=');
    if (equals != std::string::npos) {
      flags.push_back({word.substr(2, equals - 2), word.substr(equals + 1), true});
    } else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
      flags.push_back({word.substr(2), arguments[i + 1], true});
      ++i;
    } else {
      flags.push_back({word.substr(2), "", false});
    }
  }
  arguments = std::move(rest);
  return flags;
}

std::string solve_example(std::string_view machine, const machines::Query& query) {
  std::string asked = fmt::format(" '{}'", query.example);
  if (!query.flags.empty() && query.example != "{}" && flags_suffice(query)) {
    asked.clear();
    const auto example = object_of(std::string(query.example));
    for (const auto& [key, value] : example->items()) asked += fmt::format(" --{} {}", key, value.get<std::string>());
  }
  std::string text = fmt::format("  tandem solve {} {}{}\n      {}\n", machine, query.name, asked, query.help);
  if (!query.flags.empty())
    text += fmt::format("      fields that may be flags: --{}\n", fmt::join(query.flags, " --"));
  return text;
}

int solve(const SolveArguments& arguments, const runtime::Registry& registry) {
  const auto* type = known_machine(arguments.machine, registry);
  if (type == nullptr) return usage;
  const machines::Query* query = known_query(*type, arguments.query);
  if (query == nullptr || !flags_are_known(*type, *query, arguments.flags)) return usage;
  bool all = true;
  for (const std::string& question : arguments.questions) all = answer(*query, question, arguments.flags) && all;
  if (arguments.questions.empty()) {
    bool any = false;
    std::ios::sync_with_stdio(false);
    for (std::string line; input_comes(*query) && next_line(line);) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      any = true;
      all = answer(*query, line, arguments.flags) && all;
      if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
    }
    if (!any) all = answer(*query, "{}", arguments.flags);
  }
  std::cout.flush();
  return all ? success : failure;
}

}  // namespace tandem::app
