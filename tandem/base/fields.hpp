// SPDX-License-Identifier: Apache-2.0
// A list of a struct's fields, each named once beside its declaration: names and pointers to members, in wire order.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tandem {

namespace detail {

template <std::size_t, typename F>
struct FieldAt {
  F value;
};
template <typename Places, typename... F>
struct FieldsAt;
template <std::size_t... place, typename... F>
struct FieldsAt<std::index_sequence<place...>, F...> : FieldAt<place, F>... {
  constexpr explicit FieldsAt(F... fields) : FieldAt<place, F>{fields}... {}
  // Calls the visitor with each field, in order.
  template <typename Visitor>
  constexpr void each(Visitor&& visitor) const {
    (visitor(static_cast<const FieldAt<place, F>&>(*this).value), ...);
  }
  // The same with the place of each, a constant.
  template <typename Visitor>
  constexpr void each_with_place(Visitor&& visitor) const {
    (visitor(std::integral_constant<std::size_t, place>{}, static_cast<const FieldAt<place, F>&>(*this).value), ...);
  }
};

}  // namespace detail

// Not std::tuple, which costs the compiler four times as much for hundreds of messages.
template <typename... F>
struct Fields : detail::FieldsAt<std::index_sequence_for<F...>, F...> {
  static constexpr std::size_t count = sizeof...(F);
  constexpr explicit Fields(F... fields) : detail::FieldsAt<std::index_sequence_for<F...>, F...>(fields...) {}
};

}  // namespace tandem

// make("x", &Owner::x), make("y", &Owner::y), ...: C++20 cannot name members without a macro. At most 85 members.
#define TANDEM_EACH(make, Owner, ...) __VA_OPT__(TANDEM_EXPAND(TANDEM_EACH_NEXT(make, Owner, __VA_ARGS__)))
#define TANDEM_EACH_NEXT(make, Owner, member, ...) \
  make(#member, &Owner::member) __VA_OPT__(, TANDEM_EACH_AGAIN TANDEM_PARENTHESES(make, Owner, __VA_ARGS__))
#define TANDEM_EACH_AGAIN() TANDEM_EACH_NEXT
#define TANDEM_PARENTHESES ()
#define TANDEM_EXPAND(...) TANDEM_EXPAND16(TANDEM_EXPAND16(TANDEM_EXPAND16(TANDEM_EXPAND16(__VA_ARGS__))))
#define TANDEM_EXPAND16(...) TANDEM_EXPAND4(TANDEM_EXPAND4(TANDEM_EXPAND4(TANDEM_EXPAND4(__VA_ARGS__))))
#define TANDEM_EXPAND4(...) TANDEM_EXPAND1(TANDEM_EXPAND1(TANDEM_EXPAND1(TANDEM_EXPAND1(__VA_ARGS__))))
#define TANDEM_EXPAND1(...) __VA_ARGS__

// In a message, its list of fields and equality by all of them: TANDEM_FIELDS(Point, x, y, z); `field` is that of the
// message's own namespace.
#define TANDEM_FIELDS(Owner, ...)                                                                     \
  static constexpr auto fields() { return ::tandem::Fields{TANDEM_EACH(field, Owner, __VA_ARGS__)}; } \
  bool operator==(const Owner&) const = default
