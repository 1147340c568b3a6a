// SPDX-License-Identifier: Apache-2.0
// What makes a plain struct a ROS message: its type name and one list of its fields.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/base/fields.hpp"

namespace tandem::ros2 {

template <typename Owner, typename T>
struct Field {
  std::string_view name;
  T Owner::*member;
  double initial;
};

// `initial` repeats the member's initialiser where that is a number other than zero.
template <typename Owner, typename T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member, double initial = 0.0) {
  return {name, member, initial};
}

// `type_name` is "package/msg/Name". `fields()` is a static function, not a data member, so that it may name
// the members of its own class. An empty list is an empty message; on the wire it has one zero byte.
template <typename T>
concept Message = requires {
  { T::type_name } -> std::convertible_to<std::string_view>;
  decltype(T::fields())::count;
};

// string<=N. Longer text does not decode, and does not publish.
template <std::size_t most>
struct BoundedString : std::string {
  static constexpr std::size_t bound = most;
  using std::string::string;
  BoundedString() = default;
  BoundedString(std::string text) : std::string(std::move(text)) {}
};

// T[<=N], too.
template <typename T, std::size_t most>
struct BoundedVector : std::vector<T> {
  static constexpr std::size_t bound = most;
  using std::vector<T>::vector;
};

namespace detail {

template <typename T>
inline constexpr bool is_array = false;
template <typename T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;

template <typename T>
inline constexpr bool is_bounded = requires { T::bound; };
template <typename T>
inline constexpr bool is_string = std::is_base_of_v<std::string, T>;
template <typename T>
inline constexpr bool is_wide_string = std::is_same_v<T, std::u16string>;

template <typename T>
inline constexpr bool is_sequence = false;
template <typename T>
inline constexpr bool is_sequence<std::vector<T>> = true;
template <typename T, std::size_t most>
inline constexpr bool is_sequence<BoundedVector<T, most>> = true;

// `byte` is std::byte, `char` is char (one octet, whatever its sign here), uint8 is std::uint8_t.
template <typename T>
concept Scalar = (std::is_arithmetic_v<T> || std::is_same_v<T, std::byte>)&&sizeof(T) <= 8;

template <Message M>
inline constexpr bool is_empty = decltype(M::fields())::count == 0;

}  // namespace detail
}  // namespace tandem::ros2
