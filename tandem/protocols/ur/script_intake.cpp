#include "tandem/protocols/ur/script_intake.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tandem::ur {
namespace {

constexpr std::size_t longest_program = 4u << 20;  // bytes

constexpr std::array<std::string_view, 6> openers{"def", "sec", "thread", "if", "while", "for"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Nothing but blanks and a comment.
bool says_nothing(std::string_view line) {
  line = line.substr(0, line.find('#'));
  return std::ranges::all_of(line, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace

int block_balance(std::string_view line) {
  int balance = 0;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      break;
    } else if (is_word(c)) {
      std::size_t end = i;
      while (end < line.size() && is_word(line[end])) ++end;
      const std::string_view word = line.substr(i, end - i);
      const bool member = i > 0 && line[i - 1] == '.';
      if (!member && word == "end") --balance;
      if (!member && std::ranges::find(openers, word) != openers.end()) ++balance;
      i = end - 1;
    }
  }
  return balance;
}

bool ScriptIntake::receive(Bytes bytes) {
  if (sink_ == nullptr) return true;
  for (const std::uint8_t byte : bytes) {
    if (program_.size() >= longest_program) return false;
    program_.push_back(static_cast<char>(byte));
    if (byte == '\n') end_line();
  }
  return true;
}

void ScriptIntake::end_line() {
  const std::string_view line = std::string_view(program_).substr(line_);
  depth_ += block_balance(line);
  const bool idle = line_ == 0 && says_nothing(line);
  line_ = program_.size();
  if (depth_ > 0) return;
  if (!idle) {
    ++completed_;
    sink_->program(program_);
  }
  program_.clear();
  line_ = 0;
  depth_ = 0;
}

}  // namespace tandem::ur
