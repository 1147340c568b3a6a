// SPDX-License-Identifier: Apache-2.0
// Cuts the bytes of a script socket into programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::urscript {

// A program that opens a block (def, sec, thread, while, if ...) is complete when the `end` that closes it is in and
// something after it; any other line is a program of its own at its line end. Empty lines, lines with nothing but a
// comment, and the line `run program` that some clients send last, are no programs.
class ProgramSplitter {
 public:
  explicit ProgramSplitter(std::size_t largest = 4u << 20) : largest_(largest) {}

  // Appends the programs that these bytes complete, in order. A program above the limit is an error; what there is of
  // it is forgotten and the next line restarts.
  Result<void> feed(Bytes bytes, std::vector<std::string>& complete);

  bool empty() const { return text_.empty(); }  // nothing half received

 private:
  enum class Block : std::uint8_t { plain, choose, choose_with_ends, one_case };

  void take(char c, std::vector<std::string>& out);
  void word_ended();
  void line_ended(std::vector<std::string>& out);
  void program_ended(std::vector<std::string>& out);
  void reset();

  std::size_t largest_;
  std::string text_;
  std::string word_;           // the word at the end of the text
  std::vector<Block> blocks_;  // open ones
  std::vector<Block> closed_;  // the block that the last `end` closed, if it was a switch
  char quote_ = '\0';
  bool comment_ = false;
  bool anything_ = false;     // besides blanks and comments
  char behind_ = '\0';        // the last character of code that is no blank
  bool member_ = false;       // the word follows a dot, an opening bracket or a comma
  bool just_closed_ = false;  // the last open block was closed by the word before
  bool skipping_ = false;     // the rest of a line after an error
};

}  // namespace tandem::urscript
