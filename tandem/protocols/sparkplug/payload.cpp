// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/payload.hpp"

#include <fmt/format.h>

#include <bit>

#include "tandem/base/utf8.hpp"
#include "tandem/protocols/sparkplug/wire.hpp"

namespace tandem::sparkplug {
namespace {

// Field numbers of a metric's value; those of a property's value are lower by a fixed number.
enum ValueField : unsigned {
  int_value = 10,
  long_value = 11,
  float_value = 12,
  double_value = 13,
  boolean_value = 14,
  string_value = 15
};
constexpr unsigned property_shift = 7;  // property: int_value 3 to string_value 8

bool is_long(DataType type) {
  return type == DataType::int64 || type == DataType::uint64 || type == DataType::date_time;
}

unsigned bits_of(DataType type) {
  switch (type) {
    case DataType::int8:
    case DataType::uint8:
      return 8;
    case DataType::int16:
    case DataType::uint16:
      return 16;
    case DataType::int32:
    case DataType::uint32:
      return 32;
    default:
      return 64;
  }
}

bool is_signed(DataType type) {
  return type == DataType::int8 || type == DataType::int16 || type == DataType::int32 || type == DataType::int64;
}

void put_value(WireWriter& out, DataType type, const Value& value, unsigned shift) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    // Signed numbers in 32 or 64 bits of two's complement, also the smaller ones.
    if (is_long(type)) return out.varint(long_value - shift, static_cast<std::uint64_t>(*whole));
    return out.varint(int_value - shift, static_cast<std::uint32_t>(*whole));
  }
  if (const auto* real = std::get_if<double>(&value)) {
    if (type == DataType::float32) return out.float32(float_value - shift, static_cast<float>(*real));
    return out.float64(double_value - shift, *real);
  }
  if (const auto* flag = std::get_if<bool>(&value)) return out.varint(boolean_value - shift, *flag ? 1 : 0);
  if (const auto* text = std::get_if<std::string>(&value)) return out.bytes(string_value - shift, *text);
}

bool is_null(const Value& value) { return std::holds_alternative<std::monostate>(value); }

std::string property_bytes(const Property& property) {
  std::string bytes;
  WireWriter out(bytes);
  out.varint(1, static_cast<std::uint32_t>(property.type));
  if (is_null(property.value)) out.varint(2, 1);
  put_value(out, property.type, property.value, property_shift);
  return bytes;
}

std::string metric_bytes(const Metric& metric) {
  std::string bytes;
  WireWriter out(bytes);
  if (!metric.name.empty()) out.bytes(1, metric.name);
  if (metric.alias) out.varint(2, *metric.alias);
  if (metric.timestamp) out.varint(3, *metric.timestamp);
  if (metric.type != DataType::unknown) out.varint(4, static_cast<std::uint32_t>(metric.type));
  if (metric.historical) out.varint(5, 1);
  if (is_null(metric.value)) out.varint(7, 1);
  if (!metric.properties.empty()) {
    std::string set;
    WireWriter into(set);
    for (const Property& property : metric.properties) into.bytes(1, property.key);
    for (const Property& property : metric.properties) into.bytes(2, property_bytes(property));
    out.bytes(9, set);
  }
  put_value(out, metric.type, metric.value, 0);
  return bytes;
}

// Writers differ in which field an integer is in (UInt32 above all), so the type decides, not the field.
Value whole(std::uint64_t bits, DataType type, bool in_int_field) {
  if (type == DataType::boolean) return bits != 0;
  const unsigned size = type == DataType::unknown && in_int_field ? 32 : bits_of(type);
  if (size == 64) {
    const bool extended = is_signed(type) && in_int_field;
    return extended ? Value(std::int64_t{static_cast<std::int32_t>(bits)}) : Value(static_cast<std::int64_t>(bits));
  }
  const unsigned unused = 64 - size;
  const std::uint64_t upper = bits << unused;
  if (is_signed(type)) return static_cast<std::int64_t>(upper) >> unused;
  return static_cast<std::int64_t>(upper >> unused);
}

bool known(std::uint64_t type) { return type >= 1 && type <= 15; }

// The value of a metric or a property; the type may come behind it, so it is read when all is there.
struct RawValue {
  unsigned field = 0;  // 0: none; as of a metric
  std::uint64_t bits = 0;
  std::string_view text;
};

Result<Value> value_from(const RawValue& raw, DataType type) {
  switch (raw.field) {
    case int_value:
    case long_value:
      return whole(raw.bits, type, raw.field == int_value);
    case float_value:
      return Value(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw.bits))));
    case double_value:
      return Value(std::bit_cast<double>(raw.bits));
    case boolean_value:
      return Value(raw.bits != 0);
    case string_value:
      if (!is_utf8(raw.text)) return Error{Fault::invalid, "Sparkplug text: expected UTF-8"};
      return Value(std::string(raw.text));
    default:
      return Value();
  }
}

// Whether the field has the wire type of that value.
bool take_value(RawValue& raw, const WireField& field, unsigned shift) {
  const auto number = static_cast<unsigned>(field.number) + shift;
  const WireType expected = number == float_value    ? WireType::fixed32
                            : number == double_value ? WireType::fixed64
                            : number == string_value ? WireType::length
                                                     : WireType::varint;
  if (field.type != expected) return false;
  raw = {number, field.bits, field.bytes};
  return true;
}

Error broken(std::string_view what) {
  return {Fault::invalid, fmt::format("Sparkplug payload: {} cannot be read", what)};
}

Result<Property> property_from(std::string_view key, std::string_view bytes) {
  Property property{std::string(key), DataType::unknown, {}};
  RawValue raw;
  bool null = false;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->number == 1 && field->type == WireType::varint && known(field->bits))
      property.type = static_cast<DataType>(field->bits);
    if (field->number == 2 && field->type == WireType::varint) null = field->bits != 0;
    if (field->number >= 3 && field->number <= 8 && !take_value(raw, *field, property_shift))
      return broken("a property");
  }
  if (reader.failed()) return broken("a property");
  if (null) return property;
  auto value = value_from(raw, property.type);
  if (!value) return value.error();
  property.value = *std::move(value);
  return property;
}

Result<std::vector<Property>> properties_from(std::string_view bytes) {
  std::vector<std::string_view> keys, values;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->type != WireType::length) continue;
    if (field->number == 1) keys.push_back(field->bytes);
    if (field->number == 2) values.push_back(field->bytes);
    if (keys.size() > most_metrics || values.size() > most_metrics) return broken("a property set");
  }
  if (reader.failed() || keys.size() != values.size()) return broken("a property set");
  std::vector<Property> properties;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!is_utf8(keys[i])) return broken("a property's key");
    auto property = property_from(keys[i], values[i]);
    if (!property) return property.error();
    properties.push_back(*std::move(property));
  }
  return properties;
}

Result<Metric> metric_from(std::string_view bytes) {
  Metric metric;
  RawValue raw;
  bool null = false;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    const bool number = field->type == WireType::varint;
    switch (field->number) {
      case 1:
        if (field->type != WireType::length || !is_utf8(field->bytes)) return broken("a metric's name");
        metric.name = field->bytes;
        break;
      case 2:
        if (!number) return broken("an alias");
        metric.alias = field->bits;
        break;
      case 3:
        if (!number) return broken("a timestamp");
        metric.timestamp = field->bits;
        break;
      case 4:
        if (!number) return broken("a datatype");
        metric.type = known(field->bits) ? static_cast<DataType>(field->bits) : DataType::unknown;
        metric.foreign = metric.foreign || !known(field->bits);
        break;
      case 5:
        metric.historical = number && field->bits != 0;
        break;
      case 7:
        null = number && field->bits != 0;
        break;
      case 9: {
        if (field->type != WireType::length) return broken("a property set");
        auto properties = properties_from(field->bytes);
        if (!properties) return properties.error();
        metric.properties = *std::move(properties);
        break;
      }
      case 16:
      case 17:
      case 18:
      case 19:
        metric.foreign = true;
        break;
      default:
        if (field->number >= int_value && field->number <= string_value && !take_value(raw, *field, 0))
          return broken("a metric's value");
    }
  }
  if (reader.failed()) return broken("a metric");
  if (null || metric.foreign) return metric;
  auto value = value_from(raw, metric.type);
  if (!value) return value.error();
  metric.value = *std::move(value);
  return metric;
}

}  // namespace

std::string encode(const Payload& payload) {
  std::string bytes;
  WireWriter out(bytes);
  if (payload.timestamp) out.varint(1, *payload.timestamp);
  for (const Metric& metric : payload.metrics) out.bytes(2, metric_bytes(metric));
  if (payload.seq) out.varint(3, *payload.seq);
  return bytes;
}

Result<Payload> decode(std::string_view bytes) {
  if (bytes.size() > largest_payload)
    return Error{Fault::invalid,
                 fmt::format("Sparkplug payload: expected at most {} bytes, got {}", largest_payload, bytes.size())};
  Payload payload;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->number == 1 && field->type == WireType::varint) payload.timestamp = field->bits;
    if (field->number == 3 && field->type == WireType::varint) payload.seq = field->bits;
    if (field->number != 2) continue;
    if (field->type != WireType::length || payload.metrics.size() >= most_metrics) return broken("a list of metrics");
    auto metric = metric_from(field->bytes);
    if (!metric) return metric.error();
    payload.metrics.push_back(*std::move(metric));
  }
  if (reader.failed()) return broken("it");
  return payload;
}

}  // namespace tandem::sparkplug
