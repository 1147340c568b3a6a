// SPDX-License-Identifier: Apache-2.0
// What a walk over a message tells, as the tree that would write it again.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/utf8.hpp"
#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::ros2 {

class TreeBuilder final : public Visitor {
 public:
  Value root;

  void begin_message(const DynamicMessage&) override { open(Value::Kind::map); }
  void end_message(const DynamicMessage&) override { open_.pop_back(); }
  bool field(const DynamicField& field) override {
    open_.back()->names.push_back(field.name);
    return true;
  }
  std::size_t begin_list(const DynamicField&, std::size_t count) override {
    open(Value::Kind::list);
    return count;
  }
  void end_list(const DynamicField&) override { open_.pop_back(); }
  void boolean(bool value) override { add(value ? "true" : "false"); }
  void byte(std::uint8_t value) override { add(std::to_string(value)); }
  void integer(std::int64_t value) override { add(std::to_string(value)); }
  void natural(std::uint64_t value) override { add(std::to_string(value)); }
  void real(double value) override {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    add(text);
  }
  void text(std::string_view value) override { add(std::string(value), true); }
  void wide_text(std::u16string_view value) override { add(utf8_from_utf16(value), true); }

 private:
  void add(std::string text, bool quoted = false) { *place() = {Value::Kind::scalar, std::move(text), quoted}; }
  void open(Value::Kind kind) {
    Value* value = place();
    value->kind = kind;
    open_.push_back(value);
  }
  // Only the last item of anything is open, so that its parents do not move.
  Value* place() { return open_.empty() ? &root : &open_.back()->items.emplace_back(); }

  std::vector<Value*> open_;
};

}  // namespace tandem::ros2
