// What a value is called, how it is written, when two are the same, and how built-ins read them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/urscript/value.hpp"

namespace tandem::urscript {

namespace {

// UR compares floats with a tolerance: its own programs test "equal up to rounding" with ==.
constexpr double equal_within = 1e-15;

void write(std::string& out, const Value& value);

void write_number(std::string& out, double number) { fmt::format_to(std::back_inserter(out), "{}", number); }

void write_list(std::string& out, const std::vector<Value>& items) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    write(out, items[i]);
  }
  out += ']';
}

void write_pose(std::string& out, const PoseValue& pose) {
  out += "p[";
  for (std::size_t i = 0; i < pose.size(); ++i) {
    if (i > 0) out += ", ";
    write_number(out, pose[i]);
  }
  out += ']';
}

void write_struct(std::string& out, const StructBody& body) {
  out += "struct(";
  for (std::size_t i = 0; i < body.members.size(); ++i) {
    if (i > 0) out += ", ";
    out += body.members[i].first;
    out += '=';
    write(out, body.members[i].second);
  }
  out += ')';
}

void write(std::string& out, const Value& value) {
  if (value.is_unset() || value.is_none()) {
    out += "None";
  } else if (const bool* truth = value.truth()) {
    out += *truth ? "True" : "False";
  } else if (const std::int32_t* integer = value.integer()) {
    fmt::format_to(std::back_inserter(out), "{}", *integer);
  } else if (const double* number = value.floating()) {
    write_number(out, *number);
  } else if (const PoseValue* pose = value.pose()) {
    write_pose(out, *pose);
  } else if (const std::string* text = value.text()) {
    out += *text;
  } else if (const std::vector<Value>* items = value.list()) {
    write_list(out, *items);
  } else if (const StructBody* body = value.structure()) {
    write_struct(out, *body);
  }
}

bool same_number(double a, double b) { return a == b || std::abs(a - b) <= equal_within; }

Error wrong(const char* expected, const Value& seen) {
  return {Fault::invalid, fmt::format("expected {}, saw {}", expected, type_name(seen))};
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

std::string to_text(const Value& value) {
  std::string out;
  write(out, value);
  return out;
}

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
    return Error{Fault::invalid, fmt::format("expected an integer, saw {}", *number)};
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
      return Error{Fault::invalid, fmt::format("expected a list of numbers, saw {} in it", type_name(item))};
    numbers.push_back(*number_of(item));
  }
  return numbers;
}

Result<Value> list_of_numbers(const std::vector<double>& numbers) {
  return Value::make_list(std::vector<Value>(numbers.begin(), numbers.end()));
}

}  // namespace tandem::urscript
