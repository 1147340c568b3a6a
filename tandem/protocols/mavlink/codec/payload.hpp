// SPDX-License-Identifier: Apache-2.0
// Messages to payload bytes and back, field by field at places that are known when it is compiled.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {
namespace detail {

static_assert(std::endian::native == std::endian::little, "fields are copied as they are in memory");

// Arrays and texts hold their elements and nothing else, so one copy moves them whole.
template <typename T>
void put_field(std::uint8_t* at, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(at, &value, sizeof value);
}
template <typename T>
void take_field(const std::uint8_t* at, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(&value, at, sizeof value);
}

template <typename T>
bool finite_field(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value);
  } else if constexpr (requires { value.begin(); }) {
    for (const auto& element : value)
      if (!finite_field(element)) return false;
    return true;
  } else {
    return true;
  }
}

}  // namespace detail

// All fields, extensions included, untruncated.
template <Message M>
void write_payload(const M& message, std::span<std::uint8_t, layout<M>.full_size> out) {
  M::fields().each_with_place([&](auto place, const auto& field) {
    detail::put_field(out.data() + layout<M>.places[place].offset, message.*(field.member));
  });
}

// Any bytes: what is missing at the end is zero, what is too many is ignored.
template <Message M>
M read_payload(Bytes payload) {
  std::array<std::uint8_t, layout<M>.full_size> padded;
  const std::uint8_t* from = payload.data();
  if (payload.size() < padded.size()) {
    if (!payload.empty()) std::memcpy(padded.data(), payload.data(), payload.size());
    std::memset(padded.data() + payload.size(), 0, padded.size() - payload.size());
    from = padded.data();
  }
  M message;
  M::fields().each_with_place([&](auto place, const auto& field) {
    detail::take_field(from + layout<M>.places[place].offset, message.*(field.member));
  });
  return message;
}

// No floating-point field is infinite or no number. Some messages say "not given" by a NaN; who reads them decides.
template <Message M>
bool all_finite(const M& message) {
  bool finite = true;
  M::fields().each([&](const auto& field) { finite = finite && detail::finite_field(message.*(field.member)); });
  return finite;
}

}  // namespace tandem::mavlink
