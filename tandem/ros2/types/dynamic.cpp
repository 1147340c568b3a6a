// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/types/dynamic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/types/cdr.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t deepest = 32;          // messages within messages
constexpr std::size_t most_fields = 10'000;  // of a type with all that it contains
constexpr std::size_t unbounded = std::numeric_limits<std::uint32_t>::max() - 1;

struct Scalar {
  DynamicKind kind;
  const char* text;
  std::size_t size;
};

// By type_id of type_description_interfaces/msg/FieldType; what is not here ROS does not use.
std::optional<Scalar> scalar_of(int type_id) {
  switch (type_id) {
    case 1:
      return Scalar{DynamicKind::message, "", 0};
    case 2:
      return Scalar{DynamicKind::int8, "int8", 1};
    case 3:
      return Scalar{DynamicKind::uint8, "uint8", 1};
    case 4:
      return Scalar{DynamicKind::int16, "int16", 2};
    case 5:
      return Scalar{DynamicKind::uint16, "uint16", 2};
    case 6:
      return Scalar{DynamicKind::int32, "int32", 4};
    case 7:
      return Scalar{DynamicKind::uint32, "uint32", 4};
    case 8:
      return Scalar{DynamicKind::int64, "int64", 8};
    case 9:
      return Scalar{DynamicKind::uint64, "uint64", 8};
    case 10:
      return Scalar{DynamicKind::float32, "float32", 4};
    case 11:
      return Scalar{DynamicKind::float64, "float64", 8};
    case 13:
      return Scalar{DynamicKind::uint8, "char", 1};
    case 15:
      return Scalar{DynamicKind::boolean, "bool", 1};
    case 16:
      return Scalar{DynamicKind::byte, "byte", 1};
    case 17:
    case 21:
      return Scalar{DynamicKind::string, "string", 4};
    case 18:
    case 22:
      return Scalar{DynamicKind::wstring, "wstring", 4};
    default:
      return std::nullopt;
  }
}

std::size_t saturated_product(std::size_t a, std::size_t b) {
  return a != 0 && b > std::numeric_limits<std::size_t>::max() / a ? std::numeric_limits<std::size_t>::max() : a * b;
}
std::size_t saturated_sum(std::size_t a, std::size_t b) {
  return b > std::numeric_limits<std::size_t>::max() - a ? std::numeric_limits<std::size_t>::max() : a + b;
}

class Maker {
 public:
  explicit Maker(std::span<const TypeDescription> referenced) : referenced_(referenced) {}

  Result<std::size_t> message(const TypeDescription& description, std::size_t depth) {
    if (std::ranges::count(open_, description.name) > 0) {
      return wrong(fmt::format("{} contains itself", printable(description.name)));
    }
    const auto known = std::ranges::find(type_.messages, description.name, &DynamicMessage::name);
    const auto index = static_cast<std::size_t>(known - type_.messages.begin());
    if (depth + (known == type_.messages.end() ? 0 : heights_[index]) > deepest) {
      return wrong(fmt::format("{} nests deeper than {} messages", printable(description.name), deepest));
    }
    if (known != type_.messages.end()) return index;
    fields_ += description.fields.size();
    if (fields_ > most_fields) return wrong(fmt::format("it has more than {} fields", most_fields));
    type_.messages.push_back({description.name, {}, 1});
    heights_.push_back(0);
    open_.push_back(description.name);
    DynamicMessage made{description.name, {}, 0};
    for (const FieldDescription& each : description.fields) {
      Result<DynamicField> field = one_field(each, depth);
      if (!field) return within(printable(each.name), std::move(field).error());
      if (field->kind == DynamicKind::message)
        heights_[index] = std::max(heights_[index], heights_[field->message] + 1);
      const std::size_t count = field->shape == DynamicShape::array ? field->capacity : 1;
      const std::size_t size = field->shape == DynamicShape::sequence ? 4 : field->least_size;
      made.least_size = saturated_sum(made.least_size, saturated_product(count, size));
      if (!is_filler(*field, description)) made.fields.push_back(std::move(*field));
    }
    made.least_size = std::max<std::size_t>(made.least_size, 1);
    open_.pop_back();
    type_.messages[index] = std::move(made);
    return index;
  }

  DynamicType take() { return std::move(type_); }

 private:
  static Error wrong(std::string text) { return {Fault::invalid, std::move(text)}; }

  // What is in an empty message, of which a peer's description reports and ours does not.
  static bool is_filler(const DynamicField& field, const TypeDescription& description) {
    return description.fields.size() == 1 && field.name == "structure_needs_at_least_one_member";
  }

  Result<DynamicField> one_field(const FieldDescription& description, std::size_t depth) {
    DynamicField field;
    field.name = description.name;
    field.default_value = description.default_value;
    const int group = (description.type_id - 1) / 48;
    const std::optional<Scalar> scalar =
        description.type_id < 1 || group > 3 ? std::nullopt : scalar_of(description.type_id - 48 * group);
    if (!scalar) return wrong(fmt::format("type id {} is not used by ROS", description.type_id));
    field.kind = scalar->kind;
    field.least_size = scalar->size;
    field.text = scalar->text;
    field.text_capacity = description.string_capacity == 0 ? unbounded : description.string_capacity;
    if (description.string_capacity > 0) field.text += fmt::format("<={}", description.string_capacity);
    if (field.kind == DynamicKind::message) {
      const auto found = std::ranges::find(referenced_, description.nested, &TypeDescription::name);
      if (found == referenced_.end()) {
        return wrong(fmt::format("its type {} is not described", printable(description.nested)));
      }
      const Result<std::size_t> index = message(*found, depth + 1);
      if (!index) return index.error();
      field.message = *index;
      field.least_size = type_.messages[*index].least_size;
      field.text = description.nested;
    }
    field.capacity = description.capacity;
    if (group == 1) {
      if (field.capacity == 0) return wrong("an array of no elements");
      field.shape = DynamicShape::array;
      field.text += fmt::format("[{}]", field.capacity);
    } else if (group == 2) {
      field.shape = DynamicShape::sequence;
      field.text += fmt::format("[<={}]", field.capacity);
    } else if (group == 3) {
      field.shape = DynamicShape::sequence;
      field.capacity = unbounded;
      field.text += "[]";
    }
    return field;
  }

  std::span<const TypeDescription> referenced_;
  std::vector<std::string> open_;  // the messages that contain the present one
  std::size_t fields_ = 0;
  DynamicType type_;
  std::vector<std::size_t> heights_;  // of each message: how deep it nests
};

class Walker {
 public:
  Walker(const DynamicType& type, Bytes body, bool swapped, Visitor& visitor)
      : type_(type), reader_(body, swapped), visitor_(visitor) {}

  void message(const DynamicMessage& message, bool told) {
    if (told) visitor_.begin_message(message);
    if (message.fields.empty()) {
      std::uint8_t filler = 0;
      reader_.scalar(filler);
    }
    for (const DynamicField& each : message.fields) {
      field(each, told && visitor_.field(each));
      if (reader_.ok()) continue;
      where_ = where_.empty() ? each.name : each.name + "." + where_;
      return;
    }
    if (told) visitor_.end_message(message);
  }

  const char* reason() const { return reader_.reason(); }
  const std::string& where() const { return where_; }

 private:
  void field(const DynamicField& field, bool told) {
    if (field.shape == DynamicShape::single) return element(field, told);
    std::size_t count = field.capacity;
    if (field.shape == DynamicShape::sequence) {
      count = reader_.count(field.least_size, field.capacity);
    } else if (count > reader_.remaining() / field.least_size) {
      reader_.fail("array length exceeds the remaining bytes");
    }
    if (!reader_.ok()) return;
    const std::size_t wanted = told ? std::min(visitor_.begin_list(field, count), count) : 0;
    for (std::size_t i = 0; i < count && reader_.ok(); ++i) element(field, i < wanted);
    if (told && reader_.ok()) visitor_.end_list(field);
  }

  template <typename T>
  T read() {
    T value{};
    reader_.scalar(value);
    return value;
  }

  void element(const DynamicField& field, bool told) {
    switch (field.kind) {
      case DynamicKind::boolean:
        return tell(told, read<bool>(), &Visitor::boolean);
      case DynamicKind::byte:
        return tell(told, read<std::uint8_t>(), &Visitor::byte);
      case DynamicKind::int8:
        return tell(told, read<std::int8_t>(), &Visitor::integer);
      case DynamicKind::uint8:
        return tell(told, read<std::uint8_t>(), &Visitor::natural);
      case DynamicKind::int16:
        return tell(told, read<std::int16_t>(), &Visitor::integer);
      case DynamicKind::uint16:
        return tell(told, read<std::uint16_t>(), &Visitor::natural);
      case DynamicKind::int32:
        return tell(told, read<std::int32_t>(), &Visitor::integer);
      case DynamicKind::uint32:
        return tell(told, read<std::uint32_t>(), &Visitor::natural);
      case DynamicKind::int64:
        return tell(told, read<std::int64_t>(), &Visitor::integer);
      case DynamicKind::uint64:
        return tell(told, read<std::uint64_t>(), &Visitor::natural);
      case DynamicKind::float32:
        return tell(told, read<float>(), &Visitor::real);
      case DynamicKind::float64:
        return tell(told, read<double>(), &Visitor::real);
      case DynamicKind::string:
        reader_.text(text_, field.text_capacity);
        return tell(told, std::string_view(text_), &Visitor::text);
      case DynamicKind::wstring:
        return wide(field, told);
      case DynamicKind::message:
        return message(type_.messages[field.message], told);
    }
  }

  template <typename T, typename Told>
  void tell(bool told, T value, void (Visitor::*how)(Told)) {
    if (told && reader_.ok()) (visitor_.*how)(value);
  }

  void wide(const DynamicField& field, bool told) {
    wide_.resize(reader_.count(4, field.text_capacity));
    for (char16_t& unit : wide_) {
      const auto value = read<std::uint32_t>();
      if (value > 0xFFFF) reader_.fail("a wide character does not fit in 16 bits");
      unit = static_cast<char16_t>(value);
    }
    tell(told, std::u16string_view(wide_), &Visitor::wide_text);
  }

  const DynamicType& type_;
  detail::CdrReader reader_;
  Visitor& visitor_;
  std::string where_, text_;
  std::u16string wide_;
};

}  // namespace

Result<DynamicType> make_dynamic_type(const TypeDescription& root, std::span<const TypeDescription> referenced) {
  Maker maker(referenced);
  const Result<std::size_t> made = maker.message(root, 1);
  if (!made) return within("description of " + printable(root.name), made.error());
  return maker.take();
}

Result<DynamicType> make_dynamic_type(const TypeSupport& support) {
  return make_dynamic_type(support.description, support.referenced);
}

Result<void> walk(const DynamicType& type, Bytes cdr, Visitor& visitor) {
  const auto wrong = [&](std::string_view where, const char* reason) {
    return Error{Fault::invalid, fmt::format("{} of {} bytes: {}{}{}", type.name(), cdr.size(), where,
                                             where.empty() ? "" : ": ", reason)};
  };
  bool swapped = false;
  if (const char* reason = detail::open_cdr(cdr, swapped)) return wrong("", reason);
  const Bytes body = cdr.subspan(detail::header_size);
  if (body.size() < type.root().least_size) return wrong("", "it is shorter than its fields");
  Walker walker(type, body, swapped, visitor);
  walker.message(type.root(), true);
  if (const char* reason = walker.reason()) return wrong(walker.where(), reason);
  return {};
}

}  // namespace tandem::ros2
