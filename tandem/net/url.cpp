// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tandem::net {

namespace {

constexpr std::size_t longest_url = 2048;
constexpr std::size_t longest_host = 253;  // RFC 1035

// Not the functions of <cctype>: those ask the locale, and fail on negative char.
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool in_scheme(char c) { return is_lower(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; }
bool in_host(char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_'; }
bool in_key(char c) { return is_lower(c) || is_digit(c) || c == '_'; }
bool in_value(char c) { return c > ' ' && c < 127 && c != '&' && c != '=' && c != '#' && c != '?' && c != '%'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 200)) {
    shown += c >= ' ' && c < 127 ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text.size() > 200 ? shown + "..." : shown;
}

// All of `digits` as a number, or nothing; any length is safe.
template <typename Number>
std::optional<Number> number_from(std::string_view digits) {
  Number value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// Four numbers from 0 to 255 without leading zeros, which some programs read as octal.
bool is_dotted_ipv4(std::string_view host) {
  int parts = 0;
  while (true) {
    const std::size_t dot = host.find('.');
    const std::string_view part = host.substr(0, dot);
    const auto value = number_from<unsigned int>(part);
    if (!value || *value > 255 || (part.size() > 1 && part.front() == '0')) return false;
    ++parts;
    if (dot == std::string_view::npos) return parts == 4;
    host.remove_prefix(dot + 1);
  }
}

class UrlParser {
 public:
  explicit UrlParser(std::string_view text) : text_(text) {}

  Result<Url> parse() {
    if (text_.size() > longest_url) {
      return expected(fmt::format("at most {} characters, got {}", longest_url, text_.size()));
    }
    for (auto part : {&UrlParser::scheme, &UrlParser::host, &UrlParser::port, &UrlParser::query}) {
      if (auto read = (this->*part)(); !read) return std::move(read).error();
    }
    return std::move(url_);
  }

 private:
  char next() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool at_end() const { return position_ == text_.size(); }

  template <typename Allowed>
  std::string_view run_of(Allowed allowed) {
    const std::size_t start = position_;
    while (position_ < text_.size() && allowed(text_[position_])) ++position_;
    return text_.substr(start, position_ - start);
  }

  Error expected(const std::string& what) const {
    return {Fault::invalid,
            fmt::format("device \"{}\", character {}: expected {}", printable(text_), position_ + 1, what)};
  }
  Error expected_not_got(const std::string& what) const {
    const std::string got = at_end() ? "the end" : '"' + printable(text_.substr(position_, 1)) + '"';
    return expected(what + ", got " + got);
  }

  Result<void> scheme() {
    if (!is_lower(next())) return expected_not_got("a protocol in lower case, as in modbus://192.168.2.1:502");
    url_.scheme = run_of(in_scheme);
    if (text_.substr(position_, 3) != "://") return expected_not_got("\"://\" after the protocol");
    position_ += 3;
    return {};
  }

  Result<void> host() {
    if (next() == '[') return expected("an IPv4 address or a name; IPv6 is not supported");
    const std::size_t start = position_;
    const std::string_view host = run_of(in_host);
    const std::size_t end = std::exchange(position_, start);
    if (host.empty()) return expected_not_got("a host");
    if (host.size() > longest_host) return expected(fmt::format("a host of at most {} characters", longest_host));
    const bool numeric = host.find_first_not_of("0123456789.") == std::string_view::npos;
    if (numeric && !is_dotted_ipv4(host)) {
      return expected(fmt::format("an IPv4 address like 192.168.2.1, got \"{}\"", host));
    }
    if (host.front() == '.' || host.front() == '-' || host.find("..") != std::string_view::npos) {
      return expected(fmt::format("a host name, got \"{}\"", host));
    }
    position_ = end;
    url_.host = host;
    return {};
  }

  Result<void> port() {
    if (next() != ':') return {};
    ++position_;
    const std::size_t start = position_;
    const std::string_view digits = run_of(is_digit);
    if (digits.empty()) return expected_not_got("a port from 1 to 65535");
    const auto port = number_from<std::uint16_t>(digits);
    if (!port || *port == 0 || digits.front() == '0') {
      position_ = start;
      return expected(fmt::format("a port from 1 to 65535, got \"{}\"", digits));
    }
    url_.port = *port;
    return {};
  }

  Result<void> query() {
    if (at_end()) return {};
    if (next() != '?') return expected_not_got(url_.port ? "\"?\" or the end" : "\":\", \"?\" or the end");
    do {
      ++position_;
      if (auto read = pair(); !read) return read;
    } while (next() == '&');
    if (!at_end()) return expected_not_got("\"&\" or the end");
    return {};
  }

  Result<void> pair() {
    const std::size_t start = position_;
    const std::string_view key = run_of(in_key);
    if (key.empty()) return expected_not_got("a key in lower case");
    if (url_.value(key)) {
      position_ = start;
      return expected(fmt::format("every key once, got \"{}\" again", key));
    }
    if (next() != '=') return expected_not_got(fmt::format("\"=\" and the value of \"{}\"", key));
    ++position_;
    std::string value;
    while (!at_end() && (in_value(next()) || next() == '%')) {
      if (next() != '%') {
        value += text_[position_++];
        continue;
      }
      const std::string_view digits = text_.substr(position_ + 1, 2);
      if (digits.size() < 2 || hex_digit(digits[0]) < 0 || hex_digit(digits[1]) < 0) {
        return expected("two hexadecimal digits after \"%\"");
      }
      value += static_cast<char>(hex_digit(digits[0]) * 16 + hex_digit(digits[1]));
      position_ += 3;
    }
    if (value.empty()) return expected_not_got(fmt::format("a value for \"{}\"", key));
    url_.query.emplace_back(key, std::move(value));
    return {};
  }

  std::string_view text_;
  std::size_t position_ = 0;
  Url url_;
};

}  // namespace

Result<Url> parse_url(std::string_view text) { return UrlParser(text).parse(); }

std::optional<std::string_view> Url::value(std::string_view key) const {
  for (const auto& [name, value] : query) {
    if (name == key) return value;
  }
  return std::nullopt;
}

Result<std::int64_t> Url::number(std::string_view key, std::int64_t otherwise, std::int64_t lowest,
                                 std::int64_t highest) const {
  const auto written = value(key);
  if (!written) return otherwise;
  const auto number = number_from<std::int64_t>(*written);
  if (!number || *number < lowest || *number > highest) {
    return Error{Fault::invalid,
                 fmt::format("device \"{}\": expected {} to be a whole number from {} to {}, got \"{}\"", text(), key,
                             lowest, highest, printable(*written))};
  }
  return *number;
}

Result<void> Url::only_keys(std::initializer_list<std::string_view> known) const {
  for (const auto& [key, ignored] : query) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string all = known.size() == 0 ? "none" : fmt::format("{}", fmt::join(known, ", "));
    return Error{Fault::invalid,
                 fmt::format("device \"{}\": unknown key \"{}\"; keys of {}: {}", text(), key, scheme, all)};
  }
  return {};
}

std::string Url::text() const {
  std::string text = scheme + "://" + host;
  if (port) text += fmt::format(":{}", *port);
  char separator = '?';
  for (const auto& [key, value] : query) {
    text += separator + key + '=';
    for (const char c : value) {
      text += in_value(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    separator = '&';
  }
  return text;
}

}  // namespace tandem::net
