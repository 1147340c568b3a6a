// SPDX-License-Identifier: Apache-2.0
// What a value is called, how it is written, when two are the same, and how built-ins read them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/urscript/values/value.hpp"

namespace tandem::urscript {

namespace {

// UR compares floats with a tolerance: its own programs test "equal up to rounding" with ==.
constexpr double equal_within = 1e-15;

// Six decimals without trailing zeros, as the manual describes to_str and str_cat.
void write_decimals(std::string& out, double number) {
  const std::size_t begin = out.size();
  fmt::format_to(std::back_inserter(out), "{:.6f}", number);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  if (out.compare(begin, std::string::npos, "-0") == 0) out.erase(begin, 1);
}

// How a value is written: as the script manual says, or as the log of a controller shows it.
class Writer {
 public:
  enum class Form : std::uint8_t { manual, log };
  explicit Writer(Form form) : form_(form) {}

  void write(const Value& value) {
    if (value.is_unset() || value.is_none()) {
      out_ += "None";
    } else if (const bool* truth = value.truth()) {
      out_ += *truth ? "True" : "False";
    } else if (const std::int32_t* integer = value.integer()) {
      fmt::format_to(std::back_inserter(out_), "{}", *integer);
    } else if (const double* number = value.floating()) {
      write_number(*number);
    } else if (const PoseValue* pose = value.pose()) {
      out_ += 'p';
      write_list(*pose, [this](double each) { write_number(each); });
    } else if (const std::string* text = value.text()) {
      out_ += *text;
    } else if (const std::vector<Value>* items = value.list()) {
      write_list(*items, [this](const Value& each) { write(each); });
    } else if (const StructBody* body = value.structure()) {
      write_struct(*body);
    }
  }
  std::string out() && { return std::move(out_); }

 private:
  void write_number(double number) {
    if (!std::isfinite(number)) {
      fmt::format_to(std::back_inserter(out_), "{}", number);
    } else if (form_ == Form::manual) {
      write_decimals(out_, number);
    } else {
      fmt::format_to(std::back_inserter(out_), "{:.6g}", number);  // six significant digits
    }
  }

  template <typename Items, typename Each>
  void write_list(const Items& items, Each each) {
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) separate();
      each(items[i]);
    }
    out_ += ']';
  }

  void write_struct(const StructBody& body) {
    out_ += "struct(";
    for (std::size_t i = 0; i < body.members.size(); ++i) {
      if (i > 0) separate();
      out_ += body.members[i].first;
      out_ += '=';
      write(body.members[i].second);
    }
    out_ += ')';
  }

  void separate() { out_ += form_ == Form::manual ? ", " : ","; }

  Form form_;
  std::string out_;
};

std::string written(const Value& value, Writer::Form form) {
  Writer writer(form);
  writer.write(value);
  return std::move(writer).out();
}

bool same_number(double a, double b) { return a == b || std::abs(a - b) <= equal_within; }

Error wrong(const char* expected, const Value& seen) {
  return {Fault::invalid, fmt::format("expected {}, got {}", expected, type_name(seen))};
}

}  // namespace

const char* type_name(const Value& value) {
  if (value.is_unset()) return "nothing";
  if (value.is_none()) return "None";
  if (value.truth() != nullptr) return "a boolean";
  if (value.integer() != nullptr) return "an integer";
  if (value.floating() != nullptr) return "a float";
  if (value.pose() != nullptr) return "a pose";
  if (value.text() != nullptr) return "a string";
  if (value.list() != nullptr) return "a list";
  return "a struct";
}

std::string to_text(const Value& value) { return written(value, Writer::Form::manual); }
std::string to_message(const Value& value) { return written(value, Writer::Form::log); }

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return same_number(*number_of(a), *number_of(b));
  if (a.is_none() || b.is_none()) return a.is_none() && b.is_none();
  if (a.truth() != nullptr && b.truth() != nullptr) return *a.truth() == *b.truth();
  if (a.text() != nullptr && b.text() != nullptr) return *a.text() == *b.text();
  if (a.pose() != nullptr && b.pose() != nullptr)
    return std::equal(a.pose()->begin(), a.pose()->end(), b.pose()->begin(), same_number);
  if (a.list() != nullptr && b.list() != nullptr) {
    return std::equal(a.list()->begin(), a.list()->end(), b.list()->begin(), b.list()->end(), equal);
  }
  if (a.structure() != nullptr && b.structure() != nullptr) {
    const auto& left = a.structure()->members;
    const auto& right = b.structure()->members;
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first && equal(x.second, y.second); });
  }
  return false;
}

Result<bool> truth_of(const Value& value) {
  if (const bool* truth = value.truth()) return *truth;
  if (value.is_number()) return *number_of(value) != 0.0;
  return wrong("a boolean", value);
}

Result<bool> condition_of(const Value& value) {
  if (const std::string* text = value.text()) return !text->empty();
  return truth_of(value);
}

Result<double> number_of(const Value& value) {
  if (const double* number = value.floating()) return *number;
  if (const std::int32_t* number = value.integer()) return static_cast<double>(*number);
  return wrong("a number", value);
}

Result<std::int32_t> integer_of(const Value& value) {
  if (const std::int32_t* number = value.integer()) return *number;
  const double* number = value.floating();
  if (number == nullptr) return wrong("an integer", value);
  if (!(*number >= -2147483648.0 && *number <= 2147483647.0) || *number != std::floor(*number)) {
    return Error{Fault::invalid, fmt::format("expected an integer, got {}", *number)};
  }
  return static_cast<std::int32_t>(*number);
}

Result<std::string_view> text_of(const Value& value) {
  if (const std::string* text = value.text()) return std::string_view(*text);
  return wrong("a string", value);
}

Result<PoseValue> pose_of(const Value& value) {
  if (const PoseValue* pose = value.pose()) return *pose;
  auto numbers = numbers_of(value);
  if (!numbers || numbers->size() != 6) return wrong("a pose", value);
  PoseValue pose;
  std::copy(numbers->begin(), numbers->end(), pose.begin());
  return pose;
}

Result<std::vector<double>> numbers_of(const Value& value) {
  if (const PoseValue* pose = value.pose()) return std::vector<double>(pose->begin(), pose->end());
  const std::vector<Value>* items = value.list();
  if (items == nullptr) return wrong("a list of numbers", value);
  std::vector<double> numbers;
  numbers.reserve(items->size());
  for (const Value& item : *items) {
    if (!item.is_number())
      return Error{Fault::invalid, fmt::format("expected a list of numbers, got {} in it", type_name(item))};
    numbers.push_back(*number_of(item));
  }
  return numbers;
}

Result<Value> list_of_numbers(const std::vector<double>& numbers) {
  return Value::make_list(std::vector<Value>(numbers.begin(), numbers.end()));
}

}  // namespace tandem::urscript
