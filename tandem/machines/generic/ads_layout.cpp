// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ads_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"

namespace tandem::generic {
namespace {

namespace member_flag {  // of a type entry's sub item
constexpr std::uint32_t reference = 0x4, method = 0x8, bits = 0x20, property = 0x40, is_static = 0x2'0000;
}

// Walks down from a type to its numbers.
class Walk {
 public:
  Walk(const PlcTypeTable& types, PlcLayout& layout) : types_(types), layout_(layout) {}

  struct At {
    std::string path, member;
    std::uint64_t offset = 0;
    int depth = 0;
  };

  // Gives the size of the type.
  Result<std::uint32_t> visit(const std::string& plc_type, const At& at) {
    if (at.depth > deepest_plc_type) return deny(at, fmt::format("expected at most {} levels", deepest_plc_type));
    if (++visited_ > most_visits) return deny(at, "the type has too many members");
    auto shape = types_.shape(plc_type);
    if (!shape) return std::move(shape).error();
    switch (shape->kind) {
      case PlcShape::Kind::number:
      case PlcShape::Kind::text:
        return keep(*shape, plc_type, at, shape->size, {});
      case PlcShape::Kind::array:
        return visit_array(*shape, plc_type, at);
      case PlcShape::Kind::structure:
        return visit_structure(*shape->info, at);
      case PlcShape::Kind::unsupported:
        break;
    }
    if (at.path.empty()) return Error{Fault::unsupported, shape->why};
    leave_out(at, shape->why);
    return shape->size;
  }

 private:
  static constexpr std::size_t most_visits = 20'000;

  Error deny(const At& at, std::string_view why) const {
    const std::string where = at.path.empty() ? layout_.plc_type : layout_.plc_type + ' ' + at.path;
    return {Fault::invalid, fmt::format("PLC type {}: {}", printable(where, 120), why)};
  }
  // A member of an array's elements is named once.
  void leave_out(const At& at, std::string_view why) {
    std::string text = fmt::format("{}: {}", printable(at.member.empty() ? at.path : at.member), why);
    if (std::ranges::find(layout_.left_out, text) == layout_.left_out.end())
      layout_.left_out.push_back(std::move(text));
  }

  Result<std::uint32_t> keep(const PlcShape& shape, const std::string& plc_type, const At& at, std::uint32_t size,
                             std::vector<std::pair<int, std::size_t>> bounds) {
    if (layout_.values.size() >= most_plc_values)
      return deny(at, fmt::format("expected at most {} values in one symbol", most_plc_values));
    if (at.offset + size > largest_plc_symbol)
      return deny(at, fmt::format("expected at most {} bytes in one symbol", largest_plc_symbol));
    PlcValue value;
    value.path = at.path;
    value.member = at.member;
    value.plc_type = plc_type;
    value.type = shape.kind == PlcShape::Kind::text ? Type::text : shape.type;
    value.text_length = shape.text_length;
    value.offset = static_cast<std::uint32_t>(at.offset);
    value.stride = shape.size;
    value.count = size / shape.size;
    value.bounds = std::move(bounds);
    layout_.values.push_back(std::move(value));
    return size;
  }

  Result<std::uint32_t> visit_array(const PlcShape& array, const std::string& plc_type, const At& at) {
    std::uint64_t count = 1;
    std::vector<std::pair<int, std::size_t>> bounds;
    for (const ads::ArrayBounds& each : array.bounds) {
      count *= each.count;
      bounds.emplace_back(each.start, each.count);
      if (count == 0 || count > largest_plc_symbol)
        return deny(at, fmt::format("expected 1 to {} elements", largest_plc_symbol));
    }
    auto element = types_.shape(array.element);
    if (!element) return std::move(element).error();
    const bool plain = element->kind == PlcShape::Kind::number || element->kind == PlcShape::Kind::text;
    if (plain) {
      if (count > most_plc_elements)
        return deny(at, fmt::format("expected at most {} elements, got {}", most_plc_elements, count));
      const std::uint64_t size = count * element->size;
      if (size > largest_plc_symbol)
        return deny(at, fmt::format("expected at most {} bytes in one symbol", largest_plc_symbol));
      if (auto wrong = size_differs(array, size, at)) return std::move(*wrong);
      return keep(*element, plc_type, at, static_cast<std::uint32_t>(size), std::move(bounds));
    }
    std::uint64_t stride = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      At next = at;
      next.path += index_text(bounds, i);
      next.offset += i * stride;
      ++next.depth;
      if (next.offset > largest_plc_symbol)
        return deny(at, fmt::format("expected at most {} bytes in one symbol", largest_plc_symbol));
      auto size = visit(array.element, next);
      if (!size) return size;
      stride = *size;
      if (element->kind == PlcShape::Kind::unsupported) break;  // all are left out alike
    }
    if (element->kind == PlcShape::Kind::unsupported) return array.size;
    if (count * stride > largest_plc_symbol)
      return deny(at, fmt::format("expected at most {} bytes in one symbol", largest_plc_symbol));
    if (auto wrong = size_differs(array, count * stride, at)) return std::move(*wrong);
    return static_cast<std::uint32_t>(count * stride);
  }

  std::optional<Error> size_differs(const PlcShape& array, std::uint64_t size, const At& at) const {
    if (array.size == 0 || array.size == size) return std::nullopt;
    return deny(at, fmt::format("expected {} bytes of elements, got {}", size, array.size));
  }

  struct Extent {
    std::uint64_t begin = 0, end = 0;
    const ads::TypeInfo* member = nullptr;
  };

  Result<std::uint32_t> visit_structure(const ads::TypeInfo& info, const At& at) {
    std::vector<Extent> extents;
    if (is_union(info)) {
      if (at.path.empty())
        return Error{Fault::unsupported, fmt::format("union {} is not supported", printable(info.name))};
      leave_out(at, fmt::format("union {} is not supported", printable(info.name)));
      return info.size;
    }
    for (const ads::TypeInfo& member : info.members) {
      At next = at;
      next.path += '.' + member.name;
      next.member += next.member.empty() ? member.name : '.' + member.name;
      next.offset += member.offset;
      ++next.depth;
      if (const char* why = without_bytes(member.flags)) {
        leave_out(next, why);
        continue;
      }
      const Extent extent{member.offset, std::uint64_t{member.offset} + member.size, &member};
      if (extent.end > info.size)
        return deny(
            next, fmt::format("expected it within {} bytes, got bytes {} to {}", info.size, extent.begin, extent.end));
      auto size = visit(member.type, next);
      if (!size) return size;
      if (*size != 0 && *size != member.size)
        return deny(next, fmt::format("expected {} bytes of {}, got {}", *size, printable(member.type), member.size));
      extents.push_back(extent);
    }
    std::ranges::sort(extents, {}, &Extent::begin);
    for (std::size_t i = 1; i < extents.size(); ++i) {
      if (extents[i].begin >= extents[i - 1].end) continue;
      return deny(at, fmt::format("members {} and {} overlap", printable(extents[i - 1].member->name),
                                  printable(extents[i].member->name)));
    }
    return info.size;
  }

  // All members at the beginning.
  static bool is_union(const ads::TypeInfo& info) {
    return info.members.size() > 1 && std::ranges::all_of(info.members, [](const ads::TypeInfo& member) {
             return member.offset == 0 && member.size > 0 && without_bytes(member.flags) == nullptr;
           });
  }
  static const char* without_bytes(std::uint32_t flags) {
    if ((flags & member_flag::reference) != 0) return "a reference is not supported";
    if ((flags & member_flag::bits) != 0) return "BIT members are not supported";
    if ((flags & (member_flag::method | member_flag::property)) != 0) return "a property has no place";
    if ((flags & member_flag::is_static) != 0) return "a static member has no place";
    return nullptr;
  }

  const PlcTypeTable& types_;
  PlcLayout& layout_;
  std::size_t visited_ = 0;
};

}  // namespace

std::string index_text(const std::vector<std::pair<int, std::size_t>>& bounds, std::size_t element) {
  std::string text;
  for (std::size_t i = bounds.size(); i-- > 0;) {
    const auto& [first, count] = bounds[i];
    const auto index = static_cast<std::int64_t>(first) + static_cast<std::int64_t>(element % count);
    text = fmt::format("{}{}{}", index, text.empty() ? "" : ",", text);
    element /= count;
  }
  return '[' + text + ']';
}

Result<PlcLayout> layout_of(std::string_view plc_type, const PlcTypeTable& types, std::optional<std::uint32_t> size) {
  PlcLayout layout;
  layout.plc_type = normal_plc_type(plc_type.substr(0, longest_plc_type_text + 1));
  auto walked = Walk(types, layout).visit(layout.plc_type, {});
  if (!walked) return std::move(walked).error();
  layout.size = *walked;
  if (size && *size != layout.size)
    return Error{Fault::invalid,
                 fmt::format("expected {} bytes of {}, got {}", layout.size, printable(layout.plc_type), *size)};
  if (layout.size > largest_plc_symbol)
    return Error{Fault::invalid, fmt::format("PLC type {}: expected at most {} bytes in one symbol, got {}",
                                             printable(layout.plc_type), largest_plc_symbol, layout.size)};
  if (layout.values.empty())
    return Error{Fault::unsupported, fmt::format("PLC type {}: nothing in it can be read", printable(layout.plc_type))};
  std::ranges::stable_sort(layout.values, {}, &PlcValue::offset);
  return layout;
}

std::optional<std::string> difference(const PlcLayout& expected, const PlcLayout& got) {
  const auto at = [](const PlcValue& value) {
    return fmt::format("{} {} at byte {}", value.path.empty() ? "the value" : printable(value.path),
                       printable(value.plc_type), value.offset);
  };
  for (std::size_t i = 0; i < std::max(expected.values.size(), got.values.size()); ++i) {
    if (i >= got.values.size()) return fmt::format("expected {}, got no more members", at(expected.values[i]));
    if (i >= expected.values.size()) return fmt::format("expected no more members, got {}", at(got.values[i]));
    const PlcValue &a = expected.values[i], &b = got.values[i];
    if (!ads::same_name(a.path, b.path) || a.type != b.type || a.offset != b.offset || a.count != b.count ||
        a.stride != b.stride)
      return fmt::format("expected {}, got {}", at(a), at(b));
  }
  if (expected.size != got.size) return fmt::format("expected {} bytes, got {}", expected.size, got.size);
  return std::nullopt;
}

}  // namespace tandem::generic
