// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/text/message_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tandem/app/ros/text/yaml_text.hpp"
#include "tandem/base/utf8.hpp"

namespace tandem::app::ros {
namespace {

using ros2::DynamicField;
using ros2::DynamicKind;
using ros2::DynamicMessage;
using ros2::DynamicShape;

// Names of IDL, which is what ROS shows instead of an array.
const char* idl_name(DynamicKind kind) {
  constexpr const char* names[] = {"boolean", "octet", "int8",   "uint8", "int16",  "uint16", "int32",
                                   "uint32",  "int64", "uint64", "float", "double", "string", "wstring"};
  return names[static_cast<std::size_t>(kind)];
}

std::string array_note(const DynamicField& field, std::size_t count) {
  const std::string type =
      field.kind == DynamicKind::message ? field.text.substr(0, field.text.find('[')) : idl_name(field.kind);
  if (field.shape == DynamicShape::array) return fmt::format("<array type: {}[{}]>", type, count);
  const bool bounded = field.text.find("[<=") != std::string::npos;
  return bounded ? fmt::format("<sequence type: {}[{}], length: {}>", type, field.capacity, count)
                 : fmt::format("<sequence type: {}, length: {}>", type, count);
}

// What all formats share: each value becomes one word, long ones are cut.
class Printer : public ros2::Visitor {
 public:
  explicit Printer(const TextOptions& options) : options_(options) {}
  std::string out;

  std::size_t begin_list(const DynamicField& field, std::size_t count) override {
    if (options_.no_arrays) {
      text_word(array_note(field, count));
      noted_ = true;
      return 0;
    }
    list_begins(count);
    const std::size_t told = options_.longest ? std::min(*options_.longest, count) : count;
    cut_.push_back(told < count);
    return told;
  }
  void end_list(const DynamicField&) override {
    if (std::exchange(noted_, false)) return;
    if (cut_.back()) text_word("...");
    cut_.pop_back();
    list_ends();
  }

  void boolean(bool value) override {
    if (options_.format == TextFormat::yaml && !at_root()) return word(value ? "true" : "false");
    word(value ? "True" : "False");
  }
  void integer(std::int64_t value) override { word(std::to_string(value)); }
  void natural(std::uint64_t value) override { word(std::to_string(value)); }
  void real(double value) override {
    word(options_.format == TextFormat::yaml && !at_root() ? yaml_number(value) : python_number(value));
  }
  void byte(std::uint8_t value) override {
    if (options_.format == TextFormat::yaml) {
      std::string character;
      append_utf8(character, value);
      return text_word(character);
    }
    word(value >= 0x20 && value < 0x7F && value != '\'' && value != '\\'
             ? fmt::format("b'{}'", static_cast<char>(value))
             : fmt::format("b'\\x{:02x}'", value));
  }
  void text(std::string_view value) override {
    if (options_.no_strings) return text_word(fmt::format("<string length: <{}>>", character_count(value)));
    if (!options_.longest) return text_word(value);
    const std::string_view first = first_characters(value, *options_.longest);
    text_word(first.size() < value.size() ? std::string(first) + "..." : std::string(value));
  }
  void wide_text(std::u16string_view value) override { text(utf8_from_utf16(value)); }

 protected:
  virtual void word(const std::string& word) = 0;
  virtual void text_word(std::string_view text) = 0;
  virtual void list_begins(std::size_t count) = 0;
  virtual void list_ends() = 0;
  // The value is not inside a message: a single field was asked for.
  virtual bool at_root() const { return false; }

  const TextOptions& options_;

 private:
  std::vector<bool> cut_;  // of the lists that are open
  bool noted_ = false;
};

// Block style with lists at the indent of their key, as Python's YAML has it.
class YamlPrinter final : public Printer {
 public:
  using Printer::Printer;

  void begin_message(const DynamicMessage& message) override {
    const bool item = open_value();
    if (message.fields.empty()) {
      out += item || levels_.empty() ? "{}\n" : " {}\n";
    } else if (!item && !levels_.empty()) {
      out += '\n';
    }
    first_key_in_item_ = item && !message.fields.empty();
    levels_.push_back({levels_.empty() ? 0 : levels_.back().indent + 2, false});
  }
  void end_message(const DynamicMessage&) override { levels_.pop_back(); }
  bool field(const DynamicField& field) override {
    if (!std::exchange(first_key_in_item_, false)) indent(levels_.back().indent);
    out += field.name + ":";
    return true;
  }

 private:
  struct Level {
    int indent;
    bool list;
  };

  bool at_root() const override { return levels_.empty(); }
  void indent(int spaces) { out.append(static_cast<std::size_t>(spaces), ' '); }
  // The dash of a list's element; true when there is one.
  bool open_value() {
    if (levels_.empty() || !levels_.back().list) return false;
    indent(levels_.back().indent);
    out += "- ";
    return true;
  }
  void word(const std::string& word) override {
    if (!open_value() && !levels_.empty()) out += ' ';
    out += word + "\n";
  }
  void text_word(std::string_view text) override {
    word(at_root() ? terminal_text(text) : yaml_text(text, levels_.back().indent + 2));
  }
  void list_begins(std::size_t count) override {
    const int at = levels_.empty() ? 0 : levels_.back().indent;
    if (count == 0) {
      out += levels_.empty() ? "[]\n" : " []\n";
    } else if (!levels_.empty()) {
      out += '\n';
    }
    levels_.push_back({at, true});
  }
  void list_ends() override { levels_.pop_back(); }

  std::vector<Level> levels_;
  bool first_key_in_item_ = false;
};

class CsvPrinter final : public Printer {
 public:
  using Printer::Printer;

 private:
  void word(const std::string& word) override {
    out += (first_ ? "" : ",") + word;
    first_ = false;
  }
  void text_word(std::string_view text) override { word(terminal_text(text)); }
  void list_begins(std::size_t count) override {
    if (count == 0) word("");
  }
  void list_ends() override {}
  bool first_ = true;
};

class PythonPrinter final : public Printer {
 public:
  using Printer::Printer;

  void begin_message(const DynamicMessage& message) override {
    separate();
    std::string name = message.name;
    std::ranges::replace(name, '/', '.');
    out += name + "(";
    first_ = true;
  }
  void end_message(const DynamicMessage&) override { close(')'); }
  bool field(const DynamicField& field) override {
    separate();
    out += field.name + "=";
    first_ = true;
    return true;
  }

 private:
  void word(const std::string& word) override {
    separate();
    out += word;
  }
  void text_word(std::string_view text) override { word(python_text(text)); }
  void list_begins(std::size_t) override {
    separate();
    out += '[';
    first_ = true;
  }
  void list_ends() override { close(']'); }
  void separate() {
    if (!std::exchange(first_, false)) out += ", ";
  }
  void close(char bracket) {
    out += bracket;
    first_ = false;
  }
  bool first_ = true;
};

}  // namespace

Result<std::string> message_text(const ros2::DynamicType& type, Bytes cdr, const TextOptions& options) {
  YamlPrinter yaml(options);
  CsvPrinter csv(options);
  PythonPrinter python(options);
  Printer* printer = &python;
  if (options.format == TextFormat::yaml) printer = &yaml;
  if (options.format == TextFormat::csv) printer = &csv;
  Selector selector(options.field, *printer);
  const auto walked = walk(type, cdr, options.field.empty() ? static_cast<ros2::Visitor&>(*printer) : selector);
  if (!walked) return walked.error();
  if (!selector.problem.empty()) return Error{Fault::not_found, selector.problem};
  if (options.format != TextFormat::yaml) printer->out += '\n';
  return std::move(printer->out);
}

}  // namespace tandem::app::ros
