// SPDX-License-Identifier: Apache-2.0
// Messages whose type is known only by its description: CDR read value by value, and written from a tree of text.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/ros2/types/type_support.hpp"

namespace tandem::ros2 {

enum class DynamicKind : std::uint8_t {
  boolean,
  byte,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  string,
  wstring,
  message,
};

enum class DynamicShape : std::uint8_t { single, array, sequence };

// Bytes of one number; 0 of texts and messages.
std::size_t number_size(DynamicKind kind);

struct DynamicField {
  std::string name;
  std::string text;  // "float64[36]", "string<=256", "geometry_msgs/msg/Point[]"
  DynamicKind kind{};
  DynamicShape shape{};
  std::size_t capacity = 0;       // elements of an array; most elements of a sequence
  std::size_t text_capacity = 0;  // most characters of a string
  std::size_t message = 0;        // of kind message: its index in DynamicType::messages
  std::size_t least_size = 1;     // bytes of one element
  std::string default_value{};    // of a single scalar; empty: zero
};

struct DynamicMessage {
  std::string name;                  // "geometry_msgs/msg/Point"
  std::vector<DynamicField> fields;  // none: an empty message, one byte on the wire
  std::size_t least_size = 1;        // bytes
};

// A description that has been checked once: every nested message is there and none contains itself.
struct DynamicType {
  std::vector<DynamicMessage> messages;  // the whole first

  const DynamicMessage& root() const { return messages.front(); }
  const std::string& name() const { return root().name; }
};

// From what TypeSupport holds, or from what a peer says of its type: any description in, a type or an error out.
Result<DynamicType> make_dynamic_type(const TypeDescription& root, std::span<const TypeDescription> referenced);
Result<DynamicType> make_dynamic_type(const TypeSupport& support);

// Told of every value in the order of the fields. What is not overridden is passed over.
class Visitor {
 public:
  virtual ~Visitor() = default;

  virtual void begin_message(const DynamicMessage&) {}
  virtual void end_message(const DynamicMessage&) {}
  // Before the value of a field; false: say nothing of it.
  virtual bool field(const DynamicField&) { return true; }
  // An array or a sequence of this many elements; the answer is how many of them to report.
  virtual std::size_t begin_list(const DynamicField&, std::size_t count) { return count; }
  virtual void end_list(const DynamicField&) {}

  virtual void boolean(bool) {}
  virtual void byte(std::uint8_t) {}
  virtual void integer(std::int64_t) {}
  virtual void natural(std::uint64_t) {}  // uint8 to uint64
  virtual void real(double) {}
  virtual void text(std::string_view) {}  // any bytes without NUL at the end; UTF-8 if the peer is well
  virtual void wide_text(std::u16string_view) {}
};

// Walks a message with its CDR header, of either byte order. Total: the visitor may have been told of the beginning
// when the error shows.
Result<void> walk(const DynamicType& type, Bytes cdr, Visitor& visitor);

// A message as a person writes it: {header: auto, position: [1, 2.5], name: 'left'}.
struct Value {
  // packed: all numbers of a list as `scalar`'s bytes, in this computer's byte order and of the field's own type.
  enum class Kind { nothing, scalar, list, map, packed };
  Kind kind = Kind::nothing;
  std::string scalar{};
  bool quoted = false;
  std::vector<std::string> names{};  // of a map, one for each item
  std::vector<Value> items{};
};

// The message with its CDR header, little-endian. Fields that are not named keep their default. Where `now` is given,
// a builtin_interfaces/msg/Time may be written as `now` and a std_msgs/msg/Header as `auto`. An error names the field:
// "pose.position.x: expected float64, got 'abc'".
Result<std::vector<std::uint8_t>> write_message(const DynamicType& type, const Value& value,
                                                std::optional<UtcTime> now = std::nullopt);

}  // namespace tandem::ros2
