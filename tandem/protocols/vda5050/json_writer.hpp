// SPDX-License-Identifier: Apache-2.0
// JSON appended to one string: a state is written some thousand times a second, without a tree in between.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/base/utf8.hpp"

namespace tandem::vda5050 {

class JsonWriter {
 public:
  JsonWriter() { out_.reserve(1024); }

  std::string take() && { return std::move(out_); }

  // What `fill` writes is inside.
  template <typename Fill>
  JsonWriter& object(std::string_view key, Fill fill) {
    name(key);
    return enclosed('{', '}', fill);
  }
  template <typename Fill>
  JsonWriter& object(Fill fill) {
    separate();
    return enclosed('{', '}', fill);
  }
  template <typename Fill>
  JsonWriter& array(std::string_view key, Fill fill) {
    name(key);
    return enclosed('[', ']', fill);
  }

  JsonWriter& put(std::string_view key, std::string_view text) {
    name(key);
    return quote(text);
  }
  JsonWriter& put(std::string_view key, const char* text) { return put(key, std::string_view(text)); }
  JsonWriter& put(std::string_view key, bool value) {
    name(key);
    out_ += value ? "true" : "false";
    return *this;
  }
  template <std::integral Number>
  JsonWriter& put(std::string_view key, Number number) {
    name(key);
    fmt::format_to(std::back_inserter(out_), "{}", number);
    return *this;
  }
  // Left out if it is NaN or infinity.
  JsonWriter& put(std::string_view key, double number) {
    if (!std::isfinite(number)) return *this;
    name(key);
    fmt::format_to(std::back_inserter(out_), "{}", number);
    return *this;
  }
  template <typename Value>
  JsonWriter& put(std::string_view key, const std::optional<Value>& value) {
    return value ? put(key, *value) : *this;
  }
  // Left out if empty.
  JsonWriter& put_filled(std::string_view key, std::string_view text) { return text.empty() ? *this : put(key, text); }
  JsonWriter& put_json(std::string_view key, std::string_view json) {
    name(key);
    out_ += json;
    return *this;
  }
  JsonWriter& element(std::string_view text) {
    separate();
    return quote(text);
  }
  JsonWriter& element(double number) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", number);
    return *this;
  }

 private:
  template <typename Fill>
  JsonWriter& enclosed(char open, char close, Fill fill) {
    out_ += open;
    first_ = true;
    fill();
    first_ = false;
    out_ += close;
    return *this;
  }
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  void name(std::string_view key) {
    separate();
    quote(key);
    out_ += ':';
  }
  JsonWriter& quote(std::string_view text) {
    out_ += '"';
    while (!text.empty()) {
      const char c = text[0];
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
        text.remove_prefix(1);
      } else if (static_cast<unsigned char>(c) < 0x20) {
        fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(c));
        text.remove_prefix(1);
      } else if (static_cast<unsigned char>(c) < 0x80) {
        out_ += c;
        text.remove_prefix(1);
      } else {
        append_utf8(out_, take_code_point(text));
      }
    }
    out_ += '"';
    return *this;
  }

  std::string out_;
  bool first_ = true;
};

}  // namespace tandem::vda5050
