// SPDX-License-Identifier: Apache-2.0
// How deep JSON is nested, before a tree is made of it: trees are taken apart recursively, and a stack has an end.
#pragma once

#include <cstddef>
#include <string_view>

namespace tandem {

// Any text; counts brackets outside of strings.
inline bool is_deeper_than(std::string_view text, std::size_t deepest) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace tandem
