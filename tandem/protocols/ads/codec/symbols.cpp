// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/symbols.hpp"

#include <algorithm>

namespace tandem::ads {
namespace {

constexpr std::size_t length_field = 4;
constexpr int deepest = 32;  // structures within structures

std::uint16_t length16(const std::string& text) { return static_cast<std::uint16_t>(text.size()); }
std::uint8_t length8(const std::string& text) {
  return static_cast<std::uint8_t>(std::min<std::size_t>(text.size(), 255));
}

struct Lengths {
  std::uint16_t name = 0;
  std::uint16_t type = 0;
  std::uint16_t comment = 0;
};

template <typename Entry>
void put_lengths(ByteWriter& writer, const Entry& entry) {
  writer.little(length16(entry.name));
  writer.little(length16(entry.type));
  writer.little(length16(entry.comment));
}

Lengths take_lengths(ByteReader& reader) {
  Lengths lengths;
  lengths.name = reader.little<std::uint16_t>();
  lengths.type = reader.little<std::uint16_t>();
  lengths.comment = reader.little<std::uint16_t>();
  return lengths;
}

template <typename Entry>
void put_texts_and_bounds(ByteWriter& writer, const Entry& entry) {
  for (const std::string* text : {&entry.name, &entry.type, &entry.comment}) {
    writer.text(std::string_view(*text).substr(0, length16(*text)));
    writer.byte(0);
  }
  for (const ArrayBounds& bounds : entry.bounds) {
    writer.little(bounds.start);
    writer.little(bounds.count);
  }
}

template <typename Entry>
void take_texts_and_bounds(ByteReader& reader, const Lengths& lengths, std::uint16_t dimensions, Entry& entry) {
  entry.name = reader.text(lengths.name);
  reader.skip(1);
  entry.type = reader.text(lengths.type);
  reader.skip(1);
  entry.comment = reader.text(lengths.comment);
  if (reader.remaining() > 0) reader.skip(1);
  for (std::uint16_t i = 0; i < dimensions && reader.ok(); ++i) {
    ArrayBounds bounds;
    bounds.start = reader.little<std::int32_t>();
    bounds.count = reader.little<std::uint32_t>();
    if (reader.ok()) entry.bounds.push_back(bounds);
  }
}

// The bytes of one entry after its length field.
Bytes take_entry(ByteReader& reader) {
  const auto length = reader.little<std::uint32_t>();
  if (length < length_field) reader.fail();
  return reader.bytes(length - length_field);
}

std::string take_short_text(ByteReader& reader, std::size_t length) {
  std::string text(reader.text(length));
  reader.skip(1);
  return text;
}

std::int64_t take_signed(ByteReader& reader, std::uint32_t size) {
  switch (size) {
    case 1:
      return reader.little<std::int8_t>();
    case 2:
      return reader.little<std::int16_t>();
    case 4:
      return reader.little<std::int32_t>();
    case 8:
      return reader.little<std::int64_t>();
    default:
      reader.fail();
      return 0;
  }
}

void take_attributes(ByteReader& reader, TypeInfo& type) {
  for (auto left = reader.little<std::uint16_t>(); left > 0 && reader.ok(); --left) {
    const std::size_t name = reader.byte(), value = reader.byte();
    std::string first = take_short_text(reader, name);
    std::string second = take_short_text(reader, value);
    if (reader.ok()) type.attributes.emplace_back(std::move(first), std::move(second));
  }
}

void take_enumeration(ByteReader& reader, TypeInfo& type) {
  for (auto left = reader.little<std::uint16_t>(); left > 0 && reader.ok(); --left) {
    std::string name = take_short_text(reader, reader.byte());
    const std::int64_t value = take_signed(reader, type.size);
    if (reader.ok()) type.enumeration.emplace_back(std::move(name), value);
  }
}

// What newer versions append, in this order. It is left away where it does not add up: the entry itself is good.
void take_appendix(ByteReader reader, TypeInfo& type) {
  if ((type.flags & type_flag::guid) != 0) reader.skip(16);
  if ((type.flags & type_flag::copy_mask) != 0) reader.skip(type.size);
  if ((type.flags & type_flag::methods) != 0) {
    for (auto left = reader.little<std::uint16_t>(); left > 0 && reader.ok(); --left) take_entry(reader);
  }
  if ((type.flags & type_flag::attributes) != 0) take_attributes(reader, type);
  if ((type.flags & type_flag::enumeration) != 0) take_enumeration(reader, type);
  if (reader.ok()) return;
  type.attributes.clear();
  type.enumeration.clear();
}

void put_appendix(ByteWriter& writer, const TypeInfo& type) {
  const auto put_text = [&writer](const std::string& text) {
    writer.text(std::string_view(text).substr(0, length8(text)));
    writer.byte(0);
  };
  if (!type.attributes.empty()) writer.little(static_cast<std::uint16_t>(type.attributes.size()));
  for (const auto& [name, value] : type.attributes) {
    writer.byte(length8(name));
    writer.byte(length8(value));
    put_text(name);
    put_text(value);
  }
  if (!type.enumeration.empty()) writer.little(static_cast<std::uint16_t>(type.enumeration.size()));
  for (const auto& [name, value] : type.enumeration) {
    writer.byte(length8(name));
    put_text(name);
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(type.size, 8); ++i)
      writer.byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

// With what will follow, and nothing else.
std::uint32_t written_flags(const TypeInfo& type) {
  using namespace type_flag;
  std::uint32_t flags = type.flags & ~(guid | copy_mask | methods | attributes | enumeration);
  if (!type.attributes.empty()) flags |= attributes;
  if (!type.enumeration.empty()) flags |= enumeration;
  return flags;
}

std::optional<TypeInfo> take_type(ByteReader& outer, int depth) {
  ByteReader reader(take_entry(outer));
  TypeInfo type;
  type.version = reader.little<std::uint32_t>();
  type.hash = reader.little<std::uint32_t>();
  type.type_hash = reader.little<std::uint32_t>();
  type.size = reader.little<std::uint32_t>();
  type.offset = reader.little<std::uint32_t>();
  type.data_type = reader.little<DataType>();
  type.flags = reader.little<std::uint32_t>();
  const Lengths lengths = take_lengths(reader);
  const auto dimensions = reader.little<std::uint16_t>();
  const auto members = reader.little<std::uint16_t>();
  take_texts_and_bounds(reader, lengths, dimensions, type);
  for (std::uint16_t i = 0; i < members && reader.ok(); ++i) {
    auto member = depth < deepest ? take_type(reader, depth + 1) : std::nullopt;
    if (member)
      type.members.push_back(std::move(*member));
    else
      reader.fail();
  }
  if (reader.ok()) take_appendix(ByteReader(reader.rest()), type);
  if (reader.ok() && outer.ok()) return type;
  outer.fail();
  return std::nullopt;
}

template <typename Entry, typename Take>
std::optional<std::vector<Entry>> decode_all(Bytes bytes, Take take) {
  ByteReader reader(bytes);
  std::vector<Entry> entries;
  while (reader.remaining() > 0) {
    std::optional<Entry> entry = take(reader);
    if (!entry) return std::nullopt;
    entries.push_back(std::move(*entry));
  }
  return entries;
}

}  // namespace

void encode(ByteWriter& writer, const SymbolInfo& symbol) {
  const std::size_t begun_at = writer.size();
  writer.little<std::uint32_t>(0);
  writer.little(symbol.group);
  writer.little(symbol.offset);
  writer.little(symbol.size);
  writer.little(symbol.data_type);
  writer.little(symbol.flags);
  writer.little(static_cast<std::uint16_t>(symbol.bounds.size()));
  put_lengths(writer, symbol);
  put_texts_and_bounds(writer, symbol);
  writer.little_at(begun_at, static_cast<std::uint32_t>(writer.size() - begun_at));
}

void encode(ByteWriter& writer, const TypeInfo& type) {
  const std::size_t begun_at = writer.size();
  writer.little<std::uint32_t>(0);
  writer.little(type.version);
  writer.little(type.hash);
  writer.little(type.type_hash);
  writer.little(type.size);
  writer.little(type.offset);
  writer.little(type.data_type);
  writer.little(written_flags(type));
  put_lengths(writer, type);
  writer.little(static_cast<std::uint16_t>(type.bounds.size()));
  writer.little(static_cast<std::uint16_t>(type.members.size()));
  put_texts_and_bounds(writer, type);
  for (const TypeInfo& member : type.members) encode(writer, member);
  put_appendix(writer, type);
  writer.little_at(begun_at, static_cast<std::uint32_t>(writer.size() - begun_at));
}

std::optional<SymbolInfo> take_symbol(ByteReader& outer) {
  ByteReader reader(take_entry(outer));
  SymbolInfo symbol;
  symbol.group = reader.little<std::uint32_t>();
  symbol.offset = reader.little<std::uint32_t>();
  symbol.size = reader.little<std::uint32_t>();
  symbol.data_type = reader.little<DataType>();
  symbol.flags = reader.little<std::uint16_t>();
  const auto dimensions = reader.little<std::uint16_t>();
  const Lengths lengths = take_lengths(reader);
  take_texts_and_bounds(reader, lengths, dimensions, symbol);
  // What follows (GUID, attributes) is not used.
  if (reader.ok() && outer.ok()) return symbol;
  outer.fail();
  return std::nullopt;
}

std::optional<TypeInfo> take_type(ByteReader& reader) { return take_type(reader, 0); }

std::optional<std::vector<SymbolInfo>> decode_symbols(Bytes bytes) {
  return decode_all<SymbolInfo>(bytes, [](ByteReader& reader) { return take_symbol(reader); });
}

std::optional<std::vector<TypeInfo>> decode_types(Bytes bytes) {
  return decode_all<TypeInfo>(bytes, [](ByteReader& reader) { return take_type(reader); });
}

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace tandem::ads
