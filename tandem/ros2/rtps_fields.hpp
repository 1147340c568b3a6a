// Reads the fields of RTPS, whose byte order changes from one submessage to the next. Only the screen uses this.
#pragma once

#include "tandem/base/bytes.hpp"

namespace tandem::ros2 {

class RtpsFields {
 public:
  RtpsFields(Bytes bytes, bool little) : in_(bytes), little_(little) {}

  template <Wire T>
  T next() {
    return little_ ? in_.little<T>() : in_.big<T>();
  }
  std::int64_t sequence() {
    const auto high = next<std::int32_t>();
    return (std::int64_t{high} << 32) | next<std::uint32_t>();
  }
  // An entity, and whether it is one of those that do discovery.
  bool of_discovery() {
    in_.skip(3);
    return (in_.byte() & 0xc0) == 0xc0;
  }
  void skip(std::size_t count) { in_.skip(count); }
  // The next bytes as fields of their own.
  RtpsFields part(std::size_t size) { return {in_.bytes(size), little_}; }
  Bytes rest() { return in_.rest(); }

  bool ok() const { return in_.ok(); }
  std::size_t remaining() const { return in_.remaining(); }
  std::size_t position() const { return in_.position(); }

 private:
  ByteReader in_;
  bool little_;
};

}  // namespace tandem::ros2
