// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "tandem/base/nearest.hpp"
#include "tandem/base/utf8.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t largest = 64u << 20;  // bytes; a description from a stranger may ask for any number

std::string found(const Value& value) {
  switch (value.kind) {
    case Value::Kind::nothing:
      return "nothing";
    case Value::Kind::scalar:
      return fmt::format("\"{}\"", printable(value.scalar));
    case Value::Kind::list:
      return fmt::format("a list of {}", value.items.size());
    case Value::Kind::map:
      return "a map";
    case Value::Kind::packed:
      return fmt::format("{} bytes of numbers", value.scalar.size());
  }
  return "";
}

std::optional<bool> boolean_of(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* yes : {"true", "yes", "on", "1"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"false", "no", "off", "0"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::optional<double> real_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  // YAML writes .inf and .nan.
  if (text.size() == 4 && text.front() == '.' && std::isalpha(static_cast<unsigned char>(text[1])))
    text.remove_prefix(1);
  if (text.empty() || text.front() == '-') return std::nullopt;
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || code == std::errc::invalid_argument) return std::nullopt;
  // Too large or too small for a double: strtod gives infinity or what is left of it.
  if (code == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  return negative ? -value : value;
}

// Sign and magnitude, so that all 64-bit integers fit.
struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
  bool too_large = false;
};

std::optional<Integer> integer_of(std::string_view text) {
  const std::string_view whole = text;
  Integer integer;
  integer.negative = text.starts_with('-');
  if (integer.negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits(text);
  std::erase(digits, '_');
  int base = 10;
  for (const auto& [prefix, radix] : {std::pair{"0x", 16}, std::pair{"0o", 8}, std::pair{"0b", 2}}) {
    if (!digits.starts_with(prefix)) continue;
    base = radix;
    digits.erase(0, 2);
    break;
  }
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), integer.magnitude, base);
  integer.too_large = code == std::errc::result_out_of_range;
  if (!digits.empty() && end == digits.data() + digits.size() && code != std::errc::invalid_argument) return integer;
  // 3.0 and 1e3 are whole numbers too.
  const std::optional<double> real = real_of(whole);
  if (!real || std::trunc(*real) != *real) return std::nullopt;
  integer.too_large = std::abs(*real) >= 0x1p63;
  integer.magnitude = integer.too_large ? 0 : static_cast<std::uint64_t>(std::abs(*real));
  return integer;
}

class Composer {
 public:
  Composer(const DynamicType& type, std::optional<UtcTime> now) : type_(type), now_(now) {}

  Result<std::vector<std::uint8_t>> compose(const Value& value) {
    message(type_.root(), value.kind == Value::Kind::nothing ? nullptr : &value);
    if (failed_) return Error{Fault::invalid, problem_};
    return std::move(out_);
  }

 private:
  // Null values are defaults.
  void message(const DynamicMessage& message, const Value* value) {
    if (message.least_size > largest) return too_large();
    if (message.fields.empty()) append<std::uint8_t>(0);
    const Value spelled = value == nullptr ? Value{} : spelled_out(message, *value);
    if (spelled.kind == Value::Kind::map) value = &spelled;
    if (value != nullptr && !check_names(message, *value)) return;
    for (const DynamicField& each : message.fields) {
      if (failed_) return;
      const std::size_t before = path_.size();
      path_ += (path_.empty() ? "" : ".") + each.name;
      const Value* given = nullptr;
      for (std::size_t i = 0; value != nullptr && i < value->items.size(); ++i) {
        if (value->names[i] == each.name) given = &value->items[i];
      }
      field(each, given);
      path_.resize(before);
    }
  }

  // `now` and `auto`, as ros2 topic pub knows them; nothing when it is neither.
  Value spelled_out(const DynamicMessage& message, const Value& value) const {
    const auto scalar = [](std::string text) { return Value{Value::Kind::scalar, std::move(text)}; };
    if (!now_ || value.kind != Value::Kind::scalar) return {};
    if (message.name == "builtin_interfaces/msg/Time" && value.scalar == "now") {
      const auto nanoseconds = now_->time_since_epoch().count();
      return {
          Value::Kind::map,
          {},
          false,
          {"sec", "nanosec"},
          {scalar(std::to_string(nanoseconds / 1'000'000'000)), scalar(std::to_string(nanoseconds % 1'000'000'000))}};
    }
    if (message.name == "std_msgs/msg/Header" && value.scalar == "auto") {
      return {Value::Kind::map, {}, false, {"stamp"}, {scalar("now")}};
    }
    return {};
  }

  bool check_names(const DynamicMessage& message, const Value& value) {
    std::vector<std::string_view> known;
    known.reserve(message.fields.size());
    for (const DynamicField& each : message.fields) known.emplace_back(each.name);
    if (value.kind != Value::Kind::map) {
      return fail(fmt::format("expected {} {{{}}}, got {}", message.name, fmt::join(known, ", "), found(value)));
    }
    for (std::size_t i = 0; i < value.names.size(); ++i) {
      const std::string& name = value.names[i];
      const auto same = std::count(value.names.begin(), value.names.end(), name);
      const bool there = std::ranges::find(known, name) != known.end();
      if (there && same == 1) continue;
      path_ += (path_.empty() ? "" : ".") + printable(name);
      return fail(there ? "given twice" : fmt::format("unknown field of {}{}", message.name, suggestion(name, known)));
    }
    return true;
  }

  void packed(const DynamicField& field, std::string_view numbers) {
    const std::size_t size = number_size(field.kind);
    if (size == 0 || numbers.size() % size != 0) {
      fail(fmt::format("expected {}, got {} bytes of numbers", field.text, numbers.size()));
      return;
    }
    if (!check_count(field, numbers.size() / size)) return;
    if (field.shape != DynamicShape::array) append(static_cast<std::uint32_t>(numbers.size() / size));
    if (numbers.empty()) return;
    while ((out_.size() - detail::header_size) % size != 0) out_.push_back(0);
    if (out_.size() + numbers.size() > largest) return too_large();
    out_.insert(out_.end(), numbers.begin(), numbers.end());
  }

  bool check_count(const DynamicField& field, std::size_t count) {
    const bool array = field.shape == DynamicShape::array;
    if (array ? count == field.capacity : count <= field.capacity) return true;
    return fail(fmt::format("expected {}{} elements, got {}", array ? "" : "at most ", field.capacity, count));
  }

  void field(const DynamicField& field, const Value* value) {
    if (field.shape == DynamicShape::single) return element(field, value);
    if (value != nullptr && value->kind == Value::Kind::packed) return packed(field, value->scalar);
    if (value != nullptr && value->kind != Value::Kind::list) {
      fail(fmt::format("expected {}, a list, got {}", field.text, found(*value)));
      return;
    }
    const bool array = field.shape == DynamicShape::array;
    const std::size_t count = value != nullptr ? value->items.size() : array ? field.capacity : 0;
    if (!check_count(field, count)) return;
    if (!array) append(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count && !failed_; ++i) {
      const std::size_t before = path_.size();
      if (value != nullptr) path_ += fmt::format("[{}]", i);
      element(field, value == nullptr ? nullptr : &value->items[i]);
      path_.resize(before);
    }
  }

  void element(const DynamicField& field, const Value* value) {
    if (field.kind == DynamicKind::message) return message(type_.messages[field.message], value);
    if (value != nullptr) {
      scalar(field, *value);
      return;
    }
    const Value zero{Value::Kind::scalar, field.kind >= DynamicKind::string ? "" : "0"};
    if (field.shape != DynamicShape::single || field.default_value.empty()) return scalar(field, zero);
    // A default that we cannot read is a peer's way of writing; zero will do.
    scalar(field, {Value::Kind::scalar, field.default_value});
    if (!failed_ || out_.size() > largest) return;
    failed_ = false;
    scalar(field, zero);
  }

  void scalar(const DynamicField& field, const Value& value) {
    if (value.kind != Value::Kind::scalar) return mismatch(field, value);
    switch (field.kind) {
      case DynamicKind::boolean: {
        const auto boolean = boolean_of(value.scalar);
        return boolean ? append<std::uint8_t>(*boolean ? 1 : 0) : mismatch(field, value);
      }
      case DynamicKind::byte:
        return byte(field, value);
      case DynamicKind::int8:
        return integer<std::int8_t>(field, value);
      case DynamicKind::uint8:
        return integer<std::uint8_t>(field, value);
      case DynamicKind::int16:
        return integer<std::int16_t>(field, value);
      case DynamicKind::uint16:
        return integer<std::uint16_t>(field, value);
      case DynamicKind::int32:
        return integer<std::int32_t>(field, value);
      case DynamicKind::uint32:
        return integer<std::uint32_t>(field, value);
      case DynamicKind::int64:
        return integer<std::int64_t>(field, value);
      case DynamicKind::uint64:
        return integer<std::uint64_t>(field, value);
      case DynamicKind::float32:
        return real<float>(field, value);
      case DynamicKind::float64:
        return real<double>(field, value);
      case DynamicKind::string:
        return text(field, value);
      case DynamicKind::wstring:
        return wide_text(field, value);
      case DynamicKind::message:
        return;
    }
  }

  template <typename T>
  void integer(const DynamicField& field, const Value& value) {
    const std::optional<Integer> integer = integer_of(value.scalar);
    if (!integer) return mismatch(field, value);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    constexpr std::uint64_t least = std::is_signed_v<T> ? most + 1 : 0;
    if (integer->too_large || integer->magnitude > (integer->negative ? least : most)) {
      fail(fmt::format("expected {} from {} to {}, got {}", field.text, +std::numeric_limits<T>::min(),
                       +std::numeric_limits<T>::max(), printable(value.scalar)));
      return;
    }
    append(static_cast<T>(integer->negative ? 0 - integer->magnitude : integer->magnitude));
  }

  template <typename T>
  void real(const DynamicField& field, const Value& value) {
    const std::optional<double> real = real_of(value.scalar);
    if (!real) return mismatch(field, value);
    if (std::isfinite(*real) && std::abs(*real) > std::numeric_limits<T>::max()) {
      fail(fmt::format("expected {} up to {:.3g}, got {}", field.text, std::numeric_limits<T>::max(),
                       printable(value.scalar)));
      return;
    }
    append(static_cast<T>(*real));
  }

  // A number, or one character as the byte is echoed.
  void byte(const DynamicField& field, const Value& value) {
    std::string_view rest = value.scalar;
    const char32_t point = rest.empty() ? replacement_character : take_code_point(rest);
    const bool character = rest.empty() && point < 256 && (value.quoted || !integer_of(value.scalar));
    if (character) return append(static_cast<std::uint8_t>(point));
    integer<std::uint8_t>(field, value);
  }

  void text(const DynamicField& field, const Value& value) {
    if (value.scalar.size() > field.text_capacity) return too_long(field, value.scalar.size());
    append(static_cast<std::uint32_t>(value.scalar.size() + 1));
    for (const char c : value.scalar) append(static_cast<std::uint8_t>(c));
    append<std::uint8_t>(0);
  }

  void wide_text(const DynamicField& field, const Value& value) {
    const std::u16string wide = utf16_from_utf8(value.scalar);
    if (wide.size() > field.text_capacity) return too_long(field, wide.size());
    append(static_cast<std::uint32_t>(wide.size()));
    for (const char16_t unit : wide) append(static_cast<std::uint32_t>(unit));
  }

  template <typename T>
  void append(T value) {
    while ((out_.size() - detail::header_size) % sizeof(T) != 0) out_.push_back(0);
    std::uint8_t raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    out_.insert(out_.end(), raw, raw + sizeof(T));
    if (out_.size() > largest) too_large();
  }

  void mismatch(const DynamicField& field, const Value& value) {
    const std::string_view one = std::string_view(field.text).substr(0, field.text.find('['));
    fail(fmt::format("expected {}, got {}", one, found(value)));
  }
  void too_long(const DynamicField& field, std::size_t size) {
    fail(fmt::format("expected at most {} characters, got {}", field.text_capacity, size));
  }
  void too_large() { fail(fmt::format("the message is larger than {} MiB", largest >> 20)); }
  bool fail(std::string problem) {
    if (failed_) return false;
    failed_ = true;
    problem_ = path_.empty() ? std::move(problem) : path_ + ": " + problem;
    return false;
  }

  const DynamicType& type_;
  std::optional<UtcTime> now_;
  std::vector<std::uint8_t> out_{0, 1, 0, 0};
  std::string path_, problem_;
  bool failed_ = false;
};

}  // namespace

std::size_t number_size(DynamicKind kind) {
  constexpr std::size_t sizes[] = {1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 0, 0};
  return sizes[static_cast<std::size_t>(kind)];
}

Result<std::vector<std::uint8_t>> write_message(const DynamicType& type, const Value& value,
                                                std::optional<UtcTime> now) {
  return Composer(type, now).compose(value);
}

}  // namespace tandem::ros2
