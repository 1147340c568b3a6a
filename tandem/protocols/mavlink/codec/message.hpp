// SPDX-License-Identifier: Apache-2.0
// What makes a plain struct a MAVLink message: its name, its number and one list of its fields. Wire order, sizes and
// crc_extra follow from the list when it is compiled.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tandem/base/fields.hpp"
#include "tandem/protocols/mavlink/codec/crc.hpp"

namespace tandem::mavlink {

// Characters of a fixed field: NUL behind shorter text, none when it is full.
template <std::size_t size>
struct Text {
  std::array<char, size> chars{};

  constexpr Text() = default;
  // What does not fit is cut off.
  constexpr Text(std::string_view text) {
    for (std::size_t i = 0; i < size && i < text.size(); ++i) chars[i] = text[i];
  }
  constexpr Text(const char* text) : Text(std::string_view(text)) {}
  constexpr std::string_view view() const {
    std::size_t length = 0;
    while (length < size && chars[length] != '\0') ++length;
    return {chars.data(), length};
  }
  bool operator==(const Text&) const = default;
};

template <typename Owner, typename T>
struct Field {
  std::string_view name;
  T Owner::*member;
  bool extension;
};

template <typename Owner, typename T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member) {
  return {name, member, false};
}
// A field added later: behind all others in the order it was added, not part of crc_extra, MAVLink 2 only.
template <typename Owner, typename T>
constexpr Field<Owner, T> extension(std::string_view name, T Owner::*member) {
  return {name, member, true};
}

namespace detail {

template <typename T>
struct WireType;
template <>
struct WireType<char> {
  static constexpr std::string_view name = "char";
};
template <>
struct WireType<std::uint8_t> {
  static constexpr std::string_view name = "uint8_t";
};
template <>
struct WireType<std::int8_t> {
  static constexpr std::string_view name = "int8_t";
};
template <>
struct WireType<std::uint16_t> {
  static constexpr std::string_view name = "uint16_t";
};
template <>
struct WireType<std::int16_t> {
  static constexpr std::string_view name = "int16_t";
};
template <>
struct WireType<std::uint32_t> {
  static constexpr std::string_view name = "uint32_t";
};
template <>
struct WireType<std::int32_t> {
  static constexpr std::string_view name = "int32_t";
};
template <>
struct WireType<std::uint64_t> {
  static constexpr std::string_view name = "uint64_t";
};
template <>
struct WireType<std::int64_t> {
  static constexpr std::string_view name = "int64_t";
};
template <>
struct WireType<float> {
  static constexpr std::string_view name = "float";
};
template <>
struct WireType<double> {
  static constexpr std::string_view name = "double";
};

// The element type and how many of them; 0 for one that is no array.
template <typename T>
struct Shape {
  using Element = T;
  static constexpr std::size_t count = 0;
};
template <typename T, std::size_t size>
struct Shape<std::array<T, size>> {
  using Element = T;
  static constexpr std::size_t count = size;
};
template <std::size_t size>
struct Shape<Text<size>> {
  using Element = char;
  static constexpr std::size_t count = size;
};

}  // namespace detail

template <typename M>
concept Message = requires {
  { M::wire_name } -> std::convertible_to<std::string_view>;
  { M::wire_id } -> std::convertible_to<std::uint32_t>;
  decltype(M::fields())::count;
};

// Where one field stands.
struct Place {
  std::string_view name;
  std::string_view type;    // of one element
  std::size_t element = 0;  // bytes
  std::size_t count = 0;    // elements of an array, 0 for one that is none
  std::size_t offset = 0;   // in the payload
  bool extension = false;
  constexpr std::size_t size() const { return element * (count == 0 ? 1 : count); }
};

template <std::size_t count>
struct Layout {
  std::array<Place, count> places{};       // as the fields are listed
  std::array<std::size_t, count> order{};  // indices of `places` as they are on the wire
  std::size_t base_size = 0;               // bytes without extensions
  std::size_t full_size = 0;
  std::uint8_t crc_extra = 0;
};

namespace detail {

template <Message M>
consteval auto layout_of() {
  Layout<decltype(M::fields())::count> layout;
  M::fields().each_with_place([&]<typename T>(auto place, const Field<M, T>& field) {
    using Element = typename Shape<T>::Element;
    layout.places[place] = {field.name, WireType<Element>::name, sizeof(Element), Shape<T>::count, 0, field.extension};
  });
  std::size_t next = 0;
  const auto put = [&](std::size_t i) {
    layout.places[i].offset = layout.full_size;
    layout.full_size += layout.places[i].size();
    layout.order[next++] = i;
  };
  for (const std::size_t element : {8, 4, 2, 1})
    for (std::size_t i = 0; i < layout.places.size(); ++i)
      if (!layout.places[i].extension && layout.places[i].element == element) put(i);
  layout.base_size = layout.full_size;
  const std::size_t base_fields = next;
  for (std::size_t i = 0; i < layout.places.size(); ++i)
    if (layout.places[i].extension) put(i);

  std::uint16_t crc = crc_start;
  const auto add = [&](std::string_view text) {
    for (const char c : text) crc = crc_add(crc, static_cast<std::uint8_t>(c));
    crc = crc_add(crc, ' ');
  };
  add(M::wire_name);
  for (std::size_t i = 0; i < base_fields; ++i) {
    const Place& place = layout.places[layout.order[i]];
    add(place.type);
    add(place.name);
    if (place.count != 0) crc = crc_add(crc, static_cast<std::uint8_t>(place.count));
  }
  layout.crc_extra = static_cast<std::uint8_t>((crc & 0xFF) ^ (crc >> 8));
  return layout;
}

}  // namespace detail

template <Message M>
inline constexpr auto layout = detail::layout_of<M>();

// What frames need to know of a message.
struct MessageInfo {
  std::uint32_t id = 0;
  std::string_view name;
  std::uint8_t crc_extra = 0;
  std::uint8_t base_size = 0;          // bytes
  std::uint8_t full_size = 0;          // bytes, extensions included
  std::int16_t target_system = -1;     // offset in the payload, -1 when it has none
  std::int16_t target_component = -1;  // the same
};

namespace detail {

template <Message M>
consteval MessageInfo info_of() {
  static_assert(layout<M>.full_size > 0 && layout<M>.full_size <= 255);
  MessageInfo info{M::wire_id, M::wire_name, layout<M>.crc_extra, static_cast<std::uint8_t>(layout<M>.base_size),
                   static_cast<std::uint8_t>(layout<M>.full_size)};
  for (const Place& place : layout<M>.places) {
    const auto offset = static_cast<std::int16_t>(place.offset);
    if (place.name == "target_system" || place.name == "target") info.target_system = offset;
    if (place.name == "target_component") info.target_component = offset;
  }
  return info;
}

}  // namespace detail

template <Message M>
inline constexpr MessageInfo info = detail::info_of<M>();

}  // namespace tandem::mavlink
