// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/syntax/splitter.hpp"
#include "tandem/base/text.hpp"

#include <fmt/format.h>

#include "tandem/urscript/syntax/lexer.hpp"

namespace tandem::urscript {

namespace {

constexpr std::size_t longest_keyword = 16;
constexpr std::size_t deepest_blocks = 10'000;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

}  // namespace

void ProgramSplitter::reset() {
  text_.clear();
  word_.clear();
  blocks_.clear();
  closed_.clear();
  quote_ = '\0';
  comment_ = anything_ = just_closed_ = member_ = false;
  behind_ = '\0';
}

Result<void> ProgramSplitter::feed(Bytes bytes, std::vector<std::string>& complete) {
  bool too_large = false;
  for (const std::uint8_t byte : bytes) {
    const char c = static_cast<char>(byte);
    if (skipping_) {
      skipping_ = c != '\n';
      continue;
    }
    take(c, complete);
    if (text_.size() > largest_ || blocks_.size() > deepest_blocks) {
      reset();
      too_large = true;
      skipping_ = c != '\n';
    }
  }
  if (!too_large) return {};
  return Error{Fault::invalid, fmt::format("a program of more than {} bytes or {} open blocks was sent; it is dropped",
                                           largest_, deepest_blocks)};
}

void ProgramSplitter::take(char c, std::vector<std::string>& out) {
  const bool in_code = quote_ == '\0' && !comment_;
  if (in_code && is_word(c)) {
    if (word_.empty()) member_ = behind_ == '.' || behind_ == '(' || behind_ == ',';
    if (word_.size() < longest_keyword) word_ += c;
    text_ += c;
    anything_ = true;
    behind_ = c;
    return;
  }
  word_ended();
  if (just_closed_ && blocks_.empty()) program_ended(out);
  if (c == '\n') return line_ended(out);
  text_ += c;
  if (comment_) return;
  if (quote_ != '\0') {
    if (c == quote_) quote_ = '\0';
    return;
  }
  if (c == '"' || c == '\'') quote_ = c;
  if (c == '#' || c == '$') comment_ = true;  // a comment, or a label of PolyScope
  if (comment_ || is_blank(c)) return;
  anything_ = true;
  behind_ = c;
}

void ProgramSplitter::word_ended() {
  if (word_.empty()) return;
  const std::string word = std::move(word_);
  word_.clear();
  if (member_) {
    closed_.clear();  // `s.end` and `struct(end=1)` are names
  } else if (opens_block(word)) {
    blocks_.push_back(word == "switch" ? Block::choose : Block::plain);
    closed_.clear();
  } else if (word == "case" || word == "default") {
    // A case after the `end` of its switch: that `end` belonged to the case before.
    if (!closed_.empty()) blocks_.push_back(Block::choose_with_ends);
    closed_.clear();
    if (!blocks_.empty() && blocks_.back() == Block::choose_with_ends) blocks_.push_back(Block::one_case);
  } else if (word == "end" && !blocks_.empty()) {
    closed_.clear();
    if (blocks_.back() == Block::choose) closed_.push_back(Block::choose);
    blocks_.pop_back();
    just_closed_ = blocks_.empty();
  } else {
    closed_.clear();
  }
}

void ProgramSplitter::line_ended(std::vector<std::string>& out) {
  comment_ = false;
  quote_ = '\0';
  text_ += '\n';
  if (blocks_.empty()) program_ended(out);
}

void ProgramSplitter::program_ended(std::vector<std::string>& out) {
  const bool program = anything_ && trimmed(text_) != "run program";
  if (program) out.push_back(std::move(text_));
  reset();
}

}  // namespace tandem::urscript
