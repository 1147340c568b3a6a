// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tandem/base/nearest.hpp"
#include "tandem/base/utf8.hpp"

namespace tandem::runtime {
namespace {

constexpr std::size_t deepest_json = 64;
constexpr std::size_t largest_json = 64u << 20;  // bytes; a short message of a strange type may be a very long text

// Builds the tree as the words come. Only the last item of anything is open, so that its parents do not move.
class ValueBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  ros2::Value root{};
  std::string problem{};

  bool null() override {
    place();
    return true;
  }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& digits) override { return scalar(digits); }
  bool string(string_t& text) override { return scalar(std::move(text), true); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(ros2::Value::Kind::map); }
  bool key(string_t& name) override {
    open_.back()->names.push_back(std::move(name));
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(ros2::Value::Kind::list); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception&) override {
    problem = fmt::format("expected JSON, got \"{}\" at byte {}", printable(token), position);
    return false;
  }

 private:
  ros2::Value* place() { return open_.empty() ? &root : &open_.back()->items.emplace_back(); }
  bool scalar(std::string text, bool quoted = false) {
    ros2::Value& value = *place();
    value.kind = ros2::Value::Kind::scalar;
    value.scalar = std::move(text);
    value.quoted = quoted;
    return true;
  }
  bool open(ros2::Value::Kind kind) {
    if (open_.size() == deepest_json) {
      problem = fmt::format("expected JSON at most {} deep", deepest_json);
      return false;
    }
    ros2::Value* value = place();
    value->kind = kind;
    open_.push_back(value);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<ros2::Value*> open_;
};

// Writes what it is given. `first_` says that no comma belongs before the next word.
class JsonPrinter final : public ros2::Visitor {
 public:
  std::string out{};

  void begin_message(const ros2::DynamicMessage&) override {
    separate();
    out += '{';
    first_ = true;
  }
  void end_message(const ros2::DynamicMessage&) override { close('}'); }
  bool field(const ros2::DynamicField& field) override {
    if (out.size() > largest_json) return false;
    separate();
    append_json_text(out, field.name);
    out += ':';
    first_ = true;
    return true;
  }
  std::size_t begin_list(const ros2::DynamicField&, std::size_t count) override {
    separate();
    out += '[';
    first_ = true;
    return count;
  }
  void end_list(const ros2::DynamicField&) override { close(']'); }

  void boolean(bool value) override { word(value ? "true" : "false"); }
  void byte(std::uint8_t value) override { number(value); }
  void integer(std::int64_t value) override { number(value); }
  void natural(std::uint64_t value) override { number(value); }
  void real(double value) override {
    separate();
    append_json_number(out, value);
  }
  void text(std::string_view value) override {
    separate();
    append_json_text(out, value);
  }
  void wide_text(std::u16string_view value) override { text(utf8_from_utf16(value)); }

 private:
  void separate() {
    if (!std::exchange(first_, false)) out += ',';
  }
  void close(char bracket) {
    out += bracket;
    first_ = false;
  }
  void word(std::string_view word) {
    separate();
    out += word;
  }
  template <typename T>
  void number(T value) {
    char digits[24];
    word({digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
  }

  bool first_ = true;
};

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const char32_t point = take_code_point(text);
    if (point == '"' || point == '\\') {
      out += '\\';
      out += static_cast<char>(point);
    } else if (point < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(point));
    } else {
      append_utf8(out, point);
    }
  }
  out += '"';
}

void append_json_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "\"NaN\"";
  } else if (std::isinf(value)) {
    out += value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  } else {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
}

Result<ros2::Value> value_from_json(std::string_view json) {
  ValueBuilder builder;
  if (nlohmann::json::sax_parse(json, &builder)) return std::move(builder.root);
  return Error{Fault::invalid, builder.problem.empty() ? "expected JSON" : builder.problem};
}

Result<std::vector<std::uint8_t>> cdr_from_json(const ros2::DynamicType& type, std::string_view json,
                                                std::optional<UtcTime> now) {
  const Result<ros2::Value> value = value_from_json(json);
  if (!value) return within(type.name(), value.error());
  auto cdr = write_message(type, *value, now);
  if (!cdr) return within(type.name(), cdr.error());
  return cdr;
}

Result<std::string> json_from_cdr(const ros2::DynamicType& type, Bytes cdr) {
  JsonPrinter printer;
  if (auto walked = walk(type, cdr, printer); !walked) return walked.error();
  if (printer.out.size() > largest_json) {
    return Error{Fault::unsupported, fmt::format("{} of {} bytes: as JSON it is larger than {} MiB", type.name(),
                                                 cdr.size(), largest_json >> 20)};
  }
  return std::move(printer.out);
}

}  // namespace tandem::runtime
