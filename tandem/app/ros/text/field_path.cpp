// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/text/field_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tandem/base/nearest.hpp"

namespace tandem::app::ros {

using ros2::DynamicField;
using ros2::DynamicKind;
using ros2::DynamicMessage;
using ros2::DynamicShape;

namespace {

Result<PathStep> step_of(std::string_view text) {
  PathStep step{std::string(text.substr(0, text.find('['))), std::nullopt};
  if (step.name.size() == text.size()) return step;
  std::size_t index = 0;
  const char* const end = text.data() + text.size();
  const auto [after, code] = std::from_chars(text.data() + step.name.size() + 1, end, index);
  if (code != std::errc() || after + 1 != end || *after != ']') {
    return Error{Fault::invalid, fmt::format("'{}': expected an index such as {}[0]", printable(text), step.name)};
  }
  step.index = index;
  return step;
}

}  // namespace

Result<FieldPath> field_path(const ros2::DynamicType& type, std::string_view text) {
  FieldPath path;
  const DynamicMessage* message = &type.root();
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('.', start), text.size());
    Result<PathStep> step = step_of(text.substr(start, end - start));
    if (!step) return step.error();
    start = end + 1;
    if (message == nullptr) {
      return Error{Fault::invalid, fmt::format("'{}' has no fields of its own", printable(path.back().name))};
    }
    const auto field = std::ranges::find(message->fields, step->name, &DynamicField::name);
    if (field == message->fields.end()) {
      std::vector<std::string_view> known;
      for (const DynamicField& each : message->fields) known.emplace_back(each.name);
      return Error{Fault::not_found, fmt::format("{} has no field '{}'{}", message->name, printable(step->name),
                                                 suggestion(step->name, known))};
    }
    const bool list = field->shape != DynamicShape::single;
    if (step->index && !list) return Error{Fault::invalid, fmt::format("'{}' is not a list", step->name)};
    if (list && !step->index && start <= text.size()) {
      return Error{Fault::invalid, fmt::format("'{0}' is a list: choose an element, {0}[0]", step->name)};
    }
    message = field->kind == DynamicKind::message ? &type.messages[field->message] : nullptr;
    path.push_back(std::move(*step));
  }
  return path;
}

}  // namespace tandem::app::ros
