// SPDX-License-Identifier: Apache-2.0
// The values of URScript: what a variable holds, an operator takes and a built-in answers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::urscript {

class Value;
struct ListBody;
struct StructBody;

struct Unset {};                          // a variable that has no value yet
struct None {};                           // what a function without return answers
using PoseValue = std::array<double, 6>;  // x, y, z in m, rotation vector in rad

// Lists, strings and structs are values: an assignment copies. Copies share their body until one of them changes.
class Value {
 public:
  using List = std::shared_ptr<ListBody>;
  using Struct = std::shared_ptr<StructBody>;
  using Text = std::shared_ptr<const class TextBody>;

  Value() = default;
  Value(None) : state_(None{}) {}
  Value(bool truth) : state_(truth) {}
  Value(std::int32_t number) : state_(number) {}
  Value(double number) : state_(number) {}
  Value(const PoseValue& pose) : state_(pose) {}
  Value(std::string text);
  Value(std::string_view text) : Value(std::string(text)) {}
  Value(const char* text) : Value(std::string(text)) {}
  Value(const void*) = delete;

  bool is_unset() const { return std::holds_alternative<Unset>(state_); }
  bool is_none() const { return std::holds_alternative<None>(state_); }
  bool is_number() const { return integer() != nullptr || floating() != nullptr; }
  const bool* truth() const { return std::get_if<bool>(&state_); }
  const std::int32_t* integer() const { return std::get_if<std::int32_t>(&state_); }
  const double* floating() const { return std::get_if<double>(&state_); }
  const PoseValue* pose() const { return std::get_if<PoseValue>(&state_); }
  PoseValue* pose() { return std::get_if<PoseValue>(&state_); }
  const std::string* text() const;
  const std::vector<Value>* list() const;
  const StructBody* structure() const;

  // The body to change, made this value's own first; null when it is not a list or a struct.
  ListBody* own_list();
  StructBody* own_struct();

  // A list or a struct of these members, or why it would be too large.
  static Result<Value> make_list(std::vector<Value> items);
  static Result<Value> make_struct(std::vector<std::pair<std::string, Value>> members);
  static Result<Value> make_text(std::string text);

  // How much is inside, in scalars (16 bytes of text count as one), and how deeply nested: both are bounded.
  std::uint32_t weight() const;
  std::uint32_t depth() const;

 private:
  std::variant<Unset, None, bool, std::int32_t, double, PoseValue, Text, List, Struct> state_;
};

// Counts the bytes of all bodies alive in the process, so that an interpreter can stop a script that hoards.
class Payload {
 public:
  explicit Payload(std::size_t bytes);
  Payload(const Payload& other);
  Payload& operator=(const Payload&) = delete;
  ~Payload();
  void resize(std::size_t bytes);
  static std::size_t live_bytes();

 private:
  std::size_t bytes_;
};

class TextBody {
 public:
  explicit TextBody(std::string held) : text(std::move(held)), payload_(text.size() + sizeof(TextBody)) {}
  const std::string text;

 private:
  Payload payload_;
};

inline constexpr std::size_t largest_list = 100'000;  // scalars in a list or struct, nested ones included
inline constexpr std::uint32_t deepest_list = 16;     // lists within lists
inline constexpr std::size_t longest_text = 1023;     // bytes, as on the controller

struct ListBody {
  explicit ListBody(std::vector<Value> held);
  std::vector<Value> items;
  std::uint32_t weight;
  std::uint32_t depth;
  Payload payload;

  Result<void> replace(std::size_t index, Value value);
  Result<void> insert(std::size_t index, Value value);
  void erase(std::size_t index);
  void refresh();  // after items were changed in place
};

struct StructBody {
  explicit StructBody(std::vector<std::pair<std::string, Value>> held);
  std::vector<std::pair<std::string, Value>> members;
  std::uint32_t weight;
  std::uint32_t depth;
  Payload payload;

  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);
  void refresh();
};

const char* type_name(const Value& value);   // "an integer", "a list", for error texts
std::string to_text(const Value& value);     // as to_str writes it: floats with 6 decimals, without trailing zeros
std::string to_message(const Value& value);  // as textmsg writes it: floats with 6 significant digits, no blanks
bool equal(const Value& a, const Value& b);

// A boolean argument. Numbers hold when they are not zero; other types are an error.
Result<bool> truth_of(const Value& value);
// A condition of the program: as truth_of(), and a string holds when it is not empty.
Result<bool> condition_of(const Value& value);
Result<double> number_of(const Value& value);
Result<std::int32_t> integer_of(const Value& value);  // a float without a fraction is one too
Result<std::string_view> text_of(const Value& value);
Result<PoseValue> pose_of(const Value& value);               // a pose or a list of six numbers
Result<std::vector<double>> numbers_of(const Value& value);  // a list of numbers, or the six of a pose
Result<Value> list_of_numbers(const std::vector<double>& numbers);

}  // namespace tandem::urscript
