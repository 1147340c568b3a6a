// SPDX-License-Identifier: Apache-2.0
// Everything ROS wants to know about a message type, made from its field list: names, hash, definition text.
#pragma once

#include <string>
#include <vector>

#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2 {

struct FieldDescription {
  std::string name{};
  std::string text{};   // as a .msg file writes the type, without array brackets: "float64", "string<=256"
  std::string array{};  // "", "[]", "[36]", "[<=3]"
  int type_id = 0;      // of type_description_interfaces/msg/FieldType
  std::size_t capacity = 0;
  std::size_t string_capacity = 0;
  std::string nested{};         // "geometry_msgs/msg/Point", or empty
  std::string default_value{};  // of a number that does not begin at zero: "1"
};

struct TypeDescription {
  std::string name;
  std::vector<FieldDescription> fields;
};

struct TypeSupport {
  TypeDescription description;
  std::vector<TypeDescription> referenced;  // all, transitively, in order of first use
  std::string name;                         // "std_msgs/msg/String"
  std::string dds_name;                     // "std_msgs::msg::dds_::String_"
  std::string hash;                         // "RIHS01_..."
  std::string definition;                   // "ros2msg" text with its dependencies, as MCAP and Foxglove want it
};

// "RIHS01_..." of a type with everything it refers to.
std::string type_hash(const TypeDescription& description, std::vector<TypeDescription> referenced);
// What TypeSupport::definition holds, of fields whose `text` and `array` are given.
std::string definition_text(const TypeDescription& description, const std::vector<TypeDescription>& referenced);
std::string dds_type_name(std::string_view ros_name);
// "" when the DDS name is none of ROS.
std::string ros_type_name(std::string_view dds_name);

namespace detail {

// A type as the compiler lays it down: constant tables only, so that hundreds of types compile quickly.
struct RawType;
struct RawField {
  std::string_view name{};
  int type_id = 0;
  bool is_char = false;  // on the wire like uint8
  std::size_t capacity = 0;
  std::size_t string_capacity = 0;
  const RawType* nested = nullptr;
  double initial = 0.0;  // of a single number
};
struct RawType {
  std::string_view name;
  const RawField* fields;
  std::size_t count;
};

TypeSupport make_type_support(const RawType& type);

template <Scalar T>
constexpr int scalar_id() {
  if constexpr (std::is_same_v<T, bool>) return 15;
  if constexpr (std::is_same_v<T, std::byte>) return 16;
  if constexpr (std::is_same_v<T, char>) return 3;
  if constexpr (std::is_same_v<T, float>) return 10;
  if constexpr (std::is_same_v<T, double>) return 11;
  constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
  return (std::is_signed_v<T> ? 2 : 3) + width;
}

template <Message M>
struct RawTypeOf;

template <typename T>
constexpr RawField raw_field() {
  if constexpr (Scalar<T>) {
    return {.type_id = scalar_id<T>(), .is_char = std::is_same_v<T, char>};
  } else if constexpr (is_string<T> && is_bounded<T>) {
    return {.type_id = 21, .string_capacity = T::bound};
  } else if constexpr (is_string<T>) {
    return {.type_id = 17};
  } else if constexpr (is_wide_string<T>) {
    return {.type_id = 18};
  } else if constexpr (is_array<T> || is_sequence<T>) {
    RawField element = raw_field<typename T::value_type>();
    element.type_id += is_array<T> ? 48 : is_bounded<T> ? 96 : 144;
    if constexpr (is_array<T>) element.capacity = std::tuple_size_v<T>;
    if constexpr (is_sequence<T> && is_bounded<T>) element.capacity = T::bound;
    return element;
  } else {
    return {.type_id = 1, .nested = &RawTypeOf<T>::type};
  }
}

template <Message M>
struct RawTypeOf {
  static constexpr std::size_t count = decltype(M::fields())::count;
  static constexpr std::array<RawField, count> fields = [] {
    std::array<RawField, count> all{};
    std::size_t next = 0;
    M::fields().each([&]<typename Owner, typename T>(const Field<Owner, T>& field) {
      all[next] = raw_field<T>();
      all[next].initial = field.initial;
      all[next++].name = field.name;
    });
    return all;
  }();
  static constexpr RawType type{M::type_name, fields.data(), count};
};

}  // namespace detail

// Made once, at first use.
template <Message M>
const TypeSupport& type_support() {
  static const TypeSupport support = detail::make_type_support(detail::RawTypeOf<M>::type);
  return support;
}

}  // namespace tandem::ros2
