// Everything ROS wants to know about a message type, made from its field list: names, hash, definition text.
#pragma once

#include <string>
#include <vector>

#include "tandem/ros2/message.hpp"

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

std::string dds_type_name(std::string_view ros_name);
// "" when the DDS name is none of ROS.
std::string ros_type_name(std::string_view dds_name);

namespace detail {

std::string number_text(double number);
TypeSupport make_type_support(TypeDescription description, std::vector<TypeDescription> referenced);

template <typename T>
FieldDescription describe_scalar() {
  if constexpr (std::is_same_v<T, bool>) return {.text = "bool", .type_id = 15};
  if constexpr (std::is_same_v<T, std::byte>) return {.text = "byte", .type_id = 16};
  if constexpr (std::is_same_v<T, char>) return {.text = "char", .type_id = 3};
  if constexpr (std::is_same_v<T, float>) return {.text = "float32", .type_id = 10};
  if constexpr (std::is_same_v<T, double>) return {.text = "float64", .type_id = 11};
  constexpr int width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
  const std::string bits = std::to_string(8 * sizeof(T));
  if constexpr (std::is_signed_v<T>) return {.text = "int" + bits, .type_id = 2 + width};
  return {.text = "uint" + bits, .type_id = 3 + width};
}

template <typename T>
FieldDescription describe() {
  if constexpr (Scalar<T>) {
    return describe_scalar<T>();
  } else if constexpr (is_string<T> && is_bounded<T>) {
    return {.text = "string<=" + std::to_string(T::bound), .type_id = 21, .string_capacity = T::bound};
  } else if constexpr (is_string<T>) {
    return {.text = "string", .type_id = 17};
  } else if constexpr (is_wide_string<T>) {
    return {.text = "wstring", .type_id = 18};
  } else if constexpr (is_array<T>) {
    FieldDescription element = describe<typename T::value_type>();
    element.type_id += 48;
    element.capacity = std::tuple_size_v<T>;
    element.array = "[" + std::to_string(element.capacity) + "]";
    return element;
  } else if constexpr (is_sequence<T>) {
    FieldDescription element = describe<typename T::value_type>();
    element.type_id += is_bounded<T> ? 96 : 144;
    if constexpr (is_bounded<T>) element.capacity = T::bound;
    element.array = is_bounded<T> ? "[<=" + std::to_string(element.capacity) + "]" : "[]";
    return element;
  } else {
    return {.text = std::string(T::type_name), .type_id = 1, .nested = std::string(T::type_name)};
  }
}

template <Message M>
TypeDescription describe_message() {
  TypeDescription description{std::string(M::type_name), {}};
  std::apply(
      [&](const auto&... fields) {
        [[maybe_unused]] const auto add = [&]<typename Owner, typename T>(const Field<Owner, T>& field) {
          description.fields.push_back(describe<T>());
          description.fields.back().name = field.name;
          if constexpr (std::is_arithmetic_v<T>) {
            const T initial = M{}.*(field.member);
            if (initial != T{}) description.fields.back().default_value = number_text(static_cast<double>(initial));
          }
        };
        (add(fields), ...);
      },
      M::fields());
  return description;
}

template <typename T>
void collect(std::vector<TypeDescription>& found) {
  if constexpr (is_array<T> || is_sequence<T>) {
    collect<typename T::value_type>(found);
  } else if constexpr (Message<T>) {
    for (const TypeDescription& known : found) {
      if (known.name == T::type_name) return;
    }
    found.push_back(describe_message<T>());
    std::apply([&]<typename... Owner, typename... F>(const Field<Owner, F>&...) { (collect<F>(found), ...); },
               T::fields());
  }
}

}  // namespace detail

// Made once, at first use.
template <Message M>
const TypeSupport& type_support() {
  static const TypeSupport support = [] {
    std::vector<TypeDescription> found;
    detail::collect<M>(found);
    TypeDescription own = found.front();
    found.erase(found.begin());
    return detail::make_type_support(std::move(own), std::move(found));
  }();
  return support;
}

}  // namespace tandem::ros2
