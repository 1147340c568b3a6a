// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/checker/json.hpp"

#include <charconv>

namespace tandem::prove::checker {
namespace {

constexpr int deepest = 32;

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Json> whole() {
    Json value;
    if (!parse(value, 0)) return std::nullopt;
    skip();
    if (!rest_.empty()) return std::nullopt;
    return value;
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool take(char letter) {
    skip();
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool parse(Json& into, int depth) {
    skip();
    if (rest_.empty() || depth > deepest) return false;
    switch (rest_.front()) {
      case '{':
        return parse_object(into, depth);
      case '[':
        return parse_list(into, depth);
      case '"':
        into.type = Json::Type::text;
        return parse_text(into.text);
      case 't':
        return into.type = Json::Type::boolean, into.number = 1, take_word("true");
      case 'f':
        return into.type = Json::Type::boolean, take_word("false");
      case 'n':
        return take_word("null");
      default:
        return parse_number(into);
    }
  }

  bool parse_number(Json& into) {
    into.type = Json::Type::number;
    const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), into.number);
    if (fault != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  // What is escaped as \uXXXX is not text that is compared here: it becomes '?'.
  bool parse_text(std::string& into) {
    rest_.remove_prefix(1);
    while (!rest_.empty()) {
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '"') return true;
      if (letter != '\\') {
        into += letter;
        continue;
      }
      if (rest_.empty()) return false;
      const char escaped = rest_.front();
      rest_.remove_prefix(1);
      if (escaped == 'u') {
        if (rest_.size() < 4) return false;
        rest_.remove_prefix(4);
        into += '?';
      } else {
        into += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
      }
    }
    return false;
  }

  bool parse_list(Json& into, int depth) {
    into.type = Json::Type::list;
    rest_.remove_prefix(1);
    if (take(']')) return true;
    do {
      if (!parse(into.items.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool parse_object(Json& into, int depth) {
    into.type = Json::Type::object;
    rest_.remove_prefix(1);
    if (take('}')) return true;
    do {
      skip();
      if (rest_.empty() || rest_.front() != '"' || !parse_text(into.names.emplace_back()) || !take(':') ||
          !parse(into.items.emplace_back(), depth + 1))
        return false;
    } while (take(','));
    return take('}');
  }

  std::string_view rest_;
};

}  // namespace

const Json& Json::operator[](std::string_view key) const {
  static const Json none;
  for (std::size_t i = 0; i < items.size() && i < names.size(); ++i)
    if (names[i] == key) return items[i];
  return none;
}

std::optional<Json> json_from(std::string_view text) { return Parser(text).whole(); }

}  // namespace tandem::prove::checker
