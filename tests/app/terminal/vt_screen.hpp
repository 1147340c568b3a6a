// SPDX-License-Identifier: Apache-2.0
// A little terminal: what a VT100 with xterm's alternate screen shows of the bytes it was sent. Knows nothing of the
// program; a sequence that it does not know is an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tandem::app {

class VtScreen {
 public:
  VtScreen(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows), main_(rows), other_(rows) {}

  void feed(std::string_view bytes);
  void resize(std::size_t columns, std::size_t rows);

  bool alternate() const { return alternate_; }
  bool cursor_shown() const { return cursor_shown_; }
  // Every line of the screen that is shown now, without trailing spaces.
  std::vector<std::string> lines() const;
  std::string text() const;  // the same, each with its line end
  // What was scrolled out of the main screen, which a person can scroll back to.
  const std::vector<std::string>& scrollback() const { return scrollback_; }
  std::size_t scrolled_away() const { return scrolled_away_; }  // lines that the alternate screen lost at its top
  const std::string& trouble() const { return trouble_; }

 private:
  using Cells = std::vector<std::vector<std::string>>;  // rows of characters

  Cells& cells() { return alternate_ ? other_ : main_; }
  void put(const std::string& character);
  void line_feed();
  void sequence(std::string_view parameters, char final);

  std::size_t columns_, rows_;
  Cells main_, other_;
  bool alternate_ = false, cursor_shown_ = true, wraps_ = false;
  std::size_t row_ = 0, column_ = 0, saved_row_ = 0, saved_column_ = 0;
  std::vector<std::string> scrollback_;
  std::size_t scrolled_away_ = 0;
  std::string pending_;  // the begun part of a sequence or a character
  std::string trouble_;
};

}  // namespace tandem::app
