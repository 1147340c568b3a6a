// SPDX-License-Identifier: Apache-2.0
#include "tests/app/terminal/vt_screen.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tandem::app {

namespace {

std::string joined(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += cell.empty() ? " " : cell;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::size_t bytes_of_character(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

}  // namespace

void VtScreen::feed(std::string_view bytes) {
  for (const char c : bytes) {
    pending_ += c;
    if (pending_[0] == '\x1b') {
      if (pending_.size() == 1) continue;
      if (pending_[1] != '[') {
        trouble_ = "a sequence that is no CSI";
        pending_.clear();
      } else if (pending_.size() > 2 && c >= 0x40 && c <= 0x7e) {
        const std::string whole = std::exchange(pending_, {});
        sequence(std::string_view(whole).substr(2, whole.size() - 3), c);
      }
      continue;
    }
    if (pending_.size() < bytes_of_character(static_cast<unsigned char>(pending_[0]))) continue;
    const std::string character = std::exchange(pending_, {});
    if (character == "\r") {
      column_ = 0;
      wraps_ = false;
    } else if (character == "\n") {
      line_feed();
    } else if (static_cast<unsigned char>(character[0]) < 0x20) {
      trouble_ = "a control character";
    } else {
      put(character);
    }
  }
}

void VtScreen::put(const std::string& character) {
  if (wraps_) {
    column_ = 0;
    line_feed();
  }
  auto& line = cells()[row_];
  if (line.size() <= column_) line.resize(column_ + 1);
  line[column_] = character;
  wraps_ = column_ + 1 == columns_;
  if (!wraps_) ++column_;
}

void VtScreen::line_feed() {
  wraps_ = false;
  if (row_ + 1 < rows_) {
    ++row_;
    return;
  }
  if (alternate_) {
    ++scrolled_away_;
  } else {
    scrollback_.push_back(joined(main_.front()));
  }
  cells().erase(cells().begin());
  cells().emplace_back();
}

void VtScreen::sequence(std::string_view parameters, char final) {
  std::size_t number = 0;
  std::from_chars(parameters.data(), parameters.data() + parameters.size(), number);
  const std::size_t steps = std::max<std::size_t>(number, 1);
  if (final == 'm') return;
  if (parameters == "?25" && (final == 'h' || final == 'l')) {
    cursor_shown_ = final == 'h';
  } else if (parameters == "?1049" && final == 'h') {
    saved_row_ = row_, saved_column_ = column_;
    alternate_ = true;
    other_.assign(rows_, {});
    wraps_ = false;
  } else if (parameters == "?1049" && final == 'l') {
    alternate_ = false;
    row_ = std::min(saved_row_, rows_ - 1), column_ = std::min(saved_column_, columns_ - 1);
    wraps_ = false;
  } else if (final == 'H' && parameters.empty()) {
    row_ = column_ = 0;
    wraps_ = false;
  } else if (final == 'A') {
    row_ -= std::min(row_, steps);
    wraps_ = false;
  } else if (final == 'K' && parameters.empty()) {
    auto& line = cells()[row_];
    line.resize(std::min(line.size(), column_));
  } else if (final == 'J' && parameters.empty()) {
    auto& line = cells()[row_];
    // Behind a full line the cursor still stands on its last column, which is erased as on an xterm.
    line.resize(std::min(line.size(), column_));
    for (std::size_t below = row_ + 1; below < rows_; ++below) cells()[below].clear();
  } else {
    trouble_ = "CSI " + std::string(parameters) + final;
  }
}

void VtScreen::resize(std::size_t columns, std::size_t rows) {
  columns_ = columns, rows_ = rows;
  for (Cells* const each : {&main_, &other_}) {
    each->resize(rows);
    for (auto& line : *each) line.resize(std::min(line.size(), columns));
  }
  row_ = std::min(row_, rows - 1), column_ = std::min(column_, columns - 1);
  wraps_ = false;
}

std::vector<std::string> VtScreen::lines() const {
  std::vector<std::string> lines;
  for (const auto& line : alternate_ ? other_ : main_) lines.push_back(joined(line));
  return lines;
}

std::string VtScreen::text() const {
  std::string text;
  for (const std::string& line : lines()) text += line + '\n';
  return text;
}

}  // namespace tandem::app
