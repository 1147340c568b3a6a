// SPDX-License-Identifier: Apache-2.0
// Any message with seeded random content, and a second, plain way to write it as CDR.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>

#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2 {

struct Random : std::mt19937_64 {
  using std::mt19937_64::mt19937_64;
  bool only_ascii = false;  // text that peers with a character set accept
};

inline std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

template <typename T>
void fill(Random& random, T& value) {
  using namespace detail;
  if constexpr (std::is_same_v<T, bool>) {
    value = random() % 2 == 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    value = static_cast<T>(std::uniform_real_distribution<double>(-1e6, 1e6)(random));
  } else if constexpr (Scalar<T>) {
    value = static_cast<T>(random());
  } else if constexpr (is_string<T> || is_wide_string<T>) {
    std::size_t most = 12;
    if constexpr (is_bounded<T>) most = std::min<std::size_t>(most, T::bound + 1);
    value.resize(below(random, most));
    for (auto& c : value) {
      c = static_cast<typename T::value_type>(random.only_ascii ? 32 + random() % 95 : 1 + random() % 255);
    }
  } else if constexpr (is_array<T>) {
    for (auto& element : value) fill(random, element);
  } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
    value.resize(below(random, 5));
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = random() % 2 == 1;
  } else if constexpr (is_sequence<T>) {
    std::size_t most = 4;
    if constexpr (is_bounded<T>) most = std::min<std::size_t>(most, T::bound + 1);
    value.resize(below(random, most));
    for (auto& element : value) fill(random, element);
  } else {
    T::fields().each([&](const auto& field) { fill(random, value.*field.member); });
  }
}

// Written from the rules alone: align to the size by appending zeros, then append byte by byte.
class PlainCdr {
 public:
  explicit PlainCdr(bool big_endian)
      : big_(big_endian), bytes{0, static_cast<std::uint8_t>(big_endian ? 0 : 1), 0, 0} {}

  template <typename T>
  void add(const T& value) {
    using namespace detail;
    if constexpr (Scalar<T>) {
      number(value);
    } else if constexpr (is_string<T>) {
      number(static_cast<std::uint32_t>(value.size() + 1));
      for (const char c : value) bytes.push_back(static_cast<std::uint8_t>(c));
      bytes.push_back(0);
    } else if constexpr (is_wide_string<T>) {
      number(static_cast<std::uint32_t>(value.size()));
      for (const char16_t c : value) number(static_cast<std::uint32_t>(c));
    } else if constexpr (is_array<T> || is_sequence<T>) {
      if constexpr (is_sequence<T>) number(static_cast<std::uint32_t>(value.size()));
      for (std::size_t i = 0; i < value.size(); ++i) add(static_cast<const typename T::value_type&>(value[i]));
    } else if constexpr (is_empty<T>) {
      bytes.push_back(0);
    } else {
      T::fields().each([&](const auto& field) { add(value.*field.member); });
    }
  }

 private:
  template <typename T>
  void number(T value) {
    while ((bytes.size() - 4) % sizeof(T) != 0) bytes.push_back(0);
    std::uint8_t raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(raw[big_ ? sizeof(T) - 1 - i : i]);
  }
  bool big_;

 public:
  std::vector<std::uint8_t> bytes;
};

}  // namespace tandem::ros2
