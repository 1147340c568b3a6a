// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/http/query.hpp"

#include <algorithm>

namespace tandem::web {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

bool percent_decode(std::string_view text, std::string& decoded) {
  decoded.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return false;
      const int high = digit_of(text[i + 1]);
      const int low = digit_of(text[i + 2]);
      if (high < 0 || low < 0) return false;
      c = static_cast<char>(static_cast<unsigned char>(high * 16 + low));
      i += 2;
    }
    if (c == '\0') return false;
    decoded += c;
  }
  return true;
}

std::string_view raw_query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (one.size() > key.size() && one.starts_with(key) && one[key.size()] == '=') return one.substr(key.size() + 1);
  }
  return {};
}

std::string query_value(std::string_view query, std::string_view key) {
  std::string spaced(raw_query_value(query, key)), decoded;
  std::ranges::replace(spaced, '+', ' ');
  return percent_decode(spaced, decoded) ? decoded : std::string();
}

}  // namespace tandem::web
