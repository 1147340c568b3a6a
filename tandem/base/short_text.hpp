// SPDX-License-Identifier: Apache-2.0
// Text of bounded length that lives in place: fits in a Latest cell and never allocates.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tandem {

template <std::size_t capacity>
class ShortText {
 public:
  ShortText() = default;
  // Cut at the capacity.
  ShortText(std::string_view text) : size_(std::min(text.size(), capacity)) {
    std::copy_n(text.begin(), size_, text_.begin());
  }
  ShortText(const char* text) : ShortText(std::string_view(text)) {}
  ShortText(const std::string& text) : ShortText(std::string_view(text)) {}

  std::string_view view() const { return {text_.data(), size_}; }
  operator std::string_view() const { return view(); }
  bool empty() const { return size_ == 0; }

 private:
  std::array<char, capacity> text_{};
  std::size_t size_ = 0;
};

// What fits in the room. Compiled once: fmt's templates for a place of bounded size cost every unit two seconds.
std::string_view format_into(std::span<char> room, fmt::string_view form, fmt::format_args values);

// Formats in place, cut at the capacity.
template <std::size_t capacity, typename... Values>
ShortText<capacity> short_text(fmt::format_string<Values...> form, Values&&... values) {
  std::array<char, capacity> room;
  return format_into(room, form, fmt::make_format_args(values...));
}

}  // namespace tandem
