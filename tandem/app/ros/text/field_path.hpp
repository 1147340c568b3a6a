// SPDX-License-Identifier: Apache-2.0
// One field of a message, by its path.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::app::ros {

// One step on the way to a field: "points[3]".
struct PathStep {
  std::string name;
  std::optional<std::size_t> index;
};
using FieldPath = std::vector<PathStep>;

// "pose.position.x", "transforms[0].header", checked against the type.
Result<FieldPath> field_path(const ros2::DynamicType& type, std::string_view text);

// Lets only one field through.
class Selector final : public ros2::Visitor {
 public:
  Selector(const FieldPath& path, ros2::Visitor& inner) : path_(path), inner_(inner) {}

  std::string problem;

  void begin_message(const ros2::DynamicMessage& message) override {
    if (depth_ == 0 && skipped()) return static_cast<void>(ignored_ = true);
    if (depth_ == 0 && level_ < path_.size()) return static_cast<void>(++level_);
    ++depth_;
    inner_.begin_message(message);
  }
  void end_message(const ros2::DynamicMessage& message) override {
    if (ignored_) return static_cast<void>(ignored_ = false);
    if (depth_ == 0) return static_cast<void>(--level_);
    --depth_;
    inner_.end_message(message);
  }
  bool field(const ros2::DynamicField& field) override {
    if (depth_ > 0) return inner_.field(field);
    return !ignored_ && field.name == path_[level_ - 1].name;
  }
  std::size_t begin_list(const ros2::DynamicField& field, std::size_t count) override {
    if (depth_ > 0 || !path_[level_ - 1].index) {
      ++depth_;
      return inner_.begin_list(field, count);
    }
    const std::size_t index = *path_[level_ - 1].index;
    if (index >= count)
      problem = field.name + "[" + std::to_string(index) + "]: the list has " + std::to_string(count) + " elements";
    skip_ = index < count ? index : count;
    return index < count ? index + 1 : 0;
  }
  void end_list(const ros2::DynamicField& field) override {
    if (depth_ == 0) return;
    --depth_;
    inner_.end_list(field);
  }
  void boolean(bool value) override { pass(&Visitor::boolean, value); }
  void byte(std::uint8_t value) override { pass(&Visitor::byte, value); }
  void integer(std::int64_t value) override { pass(&Visitor::integer, value); }
  void natural(std::uint64_t value) override { pass(&Visitor::natural, value); }
  void real(double value) override { pass(&Visitor::real, value); }
  void text(std::string_view value) override { pass(&Visitor::text, value); }
  void wide_text(std::u16string_view value) override { pass(&Visitor::wide_text, value); }

 private:
  template <typename T>
  void pass(void (Visitor::*tell)(T), T value) {
    if (depth_ > 0 || !skipped()) (inner_.*tell)(value);
  }
  // Whether the element that begins now is before the chosen one.
  bool skipped() {
    if (skip_ == 0) return false;
    --skip_;
    return true;
  }

  const FieldPath& path_;
  ros2::Visitor& inner_;
  std::size_t level_ = 0;  // steps of the path that are open, and the root
  std::size_t depth_ = 0;  // messages and lists that are open within the chosen one
  std::size_t skip_ = 0;   // elements before the chosen one
  bool ignored_ = false;   // within a message that is such an element
};

}  // namespace tandem::app::ros
