// SPDX-License-Identifier: Apache-2.0
// A list of types. Every package of messages ends with three: its messages, its services, its actions.
#pragma once

namespace tandem::ros2 {

template <typename... T>
struct Types {};

namespace detail {

template <typename... List>
struct Join;
template <typename... T>
struct Join<Types<T...>> {
  using type = Types<T...>;
};
template <typename... A, typename... B, typename... Rest>
struct Join<Types<A...>, Types<B...>, Rest...> : Join<Types<A..., B...>, Rest...> {};

}  // namespace detail

template <typename... List>
using JoinedTypes = typename detail::Join<List...>::type;

}  // namespace tandem::ros2
