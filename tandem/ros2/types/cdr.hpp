// SPDX-License-Identifier: Apache-2.0
// Common Data Representation, as ROS 2 has it on the wire: XCDR1 PLAIN_CDR, a 4-byte header, alignment up to 8
// counted from behind the header. Written little-endian; read in either order.
#pragma once

#include <bit>
#include <cstring>
#include <limits>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2 {
namespace detail {

inline constexpr std::size_t header_size = 4;

// The fewest bytes a value can take: what a count is checked against before anything is allocated.
template <typename T>
consteval std::size_t least_size() {
  if constexpr (Scalar<T>) {
    return sizeof(T);
  } else if constexpr (is_array<T>) {
    return std::tuple_size_v<T> * least_size<typename T::value_type>();
  } else if constexpr (Message<T>) {
    if constexpr (is_empty<T>) return 1;
    std::size_t size = 0;
    T::fields().each([&]<typename Owner, typename F>(const Field<Owner, F>&) { size += least_size<F>(); });
    return size;
  } else {
    return 4;  // a length
  }
}

class CdrSizer {
 public:
  template <Scalar T>
  void scalar(const T&) {
    advance(sizeof(T), sizeof(T));
  }
  template <Scalar T>
  void scalars(const T*, std::size_t count) {
    if (count > 0) advance(sizeof(T), sizeof(T) * count);
  }
  void length(std::size_t, std::size_t) { advance(4, 4); }
  void text(const std::string& text, std::size_t) {
    advance(4, 4);
    position_ += text.size() + 1;
  }
  std::size_t position() const { return position_; }
  bool ok() const { return true; }

 private:
  void advance(std::size_t alignment, std::size_t size) {
    position_ = ((position_ + alignment - 1) & ~(alignment - 1)) + size;
  }
  std::size_t position_ = 0;
};

// Writes into exactly the bytes that CdrSizer asked for; never beyond them, whatever happens to the message meanwhile.
class CdrWriter {
 public:
  explicit CdrWriter(std::span<std::uint8_t> out) : out_(out) {}

  template <Scalar T>
  void scalar(const T& value) {
    scalars(&value, 1);
  }
  template <Scalar T>
  void scalars(const T* values, std::size_t count) {
    static_assert(std::endian::native == std::endian::little, "the fast copy below writes native order");
    if (count == 0) return;
    const std::size_t start = (position_ + sizeof(T) - 1) & ~(sizeof(T) - 1);
    if (!ok_ || start > out_.size() || count > (out_.size() - start) / sizeof(T)) return fail();
    std::memset(out_.data() + position_, 0, start - position_);
    std::memcpy(out_.data() + start, values, count * sizeof(T));
    position_ = start + count * sizeof(T);
  }
  void length(std::size_t length, std::size_t bound) {
    if (length > bound || length > std::numeric_limits<std::uint32_t>::max()) return fail();
    scalar(static_cast<std::uint32_t>(length));
  }
  void text(const std::string& text, std::size_t bound) {
    if (text.size() > bound) return fail();
    length(text.size() + 1, std::numeric_limits<std::uint32_t>::max());
    scalars(text.data(), text.size());
    scalar('\0');
  }
  std::size_t position() const { return position_; }
  bool ok() const { return ok_; }

 private:
  void fail() { ok_ = false; }

  std::span<std::uint8_t> out_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

// Total: any bytes in, a value or a reason out. After the first failure everything else is skipped.
class CdrReader {
 public:
  CdrReader(Bytes bytes, bool swapped) : bytes_(bytes), swapped_(swapped) {}

  template <Scalar T>
  void scalar(T& value) {
    scalars(&value, 1);
  }
  template <Scalar T>
  void scalars(T* values, std::size_t count) {
    if (count == 0 || !align(sizeof(T))) return;
    if (count > remaining() / sizeof(T)) return fail("truncated inside a value");
    const std::uint8_t* source = bytes_.data() + position_;
    position_ += count * sizeof(T);
    if constexpr (std::is_same_v<T, bool>) {
      for (std::size_t i = 0; i < count; ++i) values[i] = source[i] != 0;
    } else {
      std::memcpy(values, source, count * sizeof(T));
      if (sizeof(T) > 1 && swapped_) swap(values, count);
    }
  }
  // A count of things that take at least `least` bytes each; 0 when they cannot all be there.
  std::size_t count(std::size_t least, std::size_t bound) {
    std::uint32_t count = 0;
    scalar(count);
    if (!ok()) return 0;
    if (count > remaining() / least) return fail("sequence length exceeds the remaining bytes"), 0;
    if (count > bound) return fail("a sequence is longer than its bound"), 0;
    return count;
  }
  void text(std::string& text, std::size_t bound) {
    std::uint32_t size = 0;
    scalar(size);
    if (!ok()) return;
    if (size == 0) return text.clear();  // some writers send an empty string so
    if (size > remaining()) return fail("string length exceeds the remaining bytes");
    const char* source = reinterpret_cast<const char*>(bytes_.data() + position_);
    if (source[size - 1] != '\0') return fail("a string does not end with NUL");
    if (size - 1 > bound) return fail("a string is longer than its bound");
    text.assign(source, size - 1);
    position_ += size;
  }
  std::size_t remaining() const { return bytes_.size() - position_; }
  void fail(const char* reason) {
    if (reason_ == nullptr) reason_ = reason;
  }
  bool ok() const { return reason_ == nullptr; }
  const char* reason() const { return reason_; }

 private:
  bool align(std::size_t alignment) {
    const std::size_t start = (position_ + alignment - 1) & ~(alignment - 1);
    if (start > bytes_.size()) fail("truncated inside a value");
    if (!ok()) return false;
    position_ = start;
    return true;
  }
  template <Scalar T>
  static void swap(T* values, std::size_t count) {
    using Word = tandem::detail::Word<sizeof(T)>;
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = std::bit_cast<T>(tandem::detail::reversed(std::bit_cast<Word>(values[i])));
    }
  }

  Bytes bytes_;
  std::size_t position_ = 0;
  bool swapped_;
  const char* reason_ = nullptr;
};

template <typename T>
consteval std::size_t bound_of() {
  if constexpr (is_bounded<T>) return T::bound;
  return std::numeric_limits<std::uint32_t>::max() - 1;
}

template <typename Archive, typename T>
void transfer(Archive& archive, T& value);

// wstring: a count of UTF-16 units without a terminator, each widened to 32 bits, as both rmw do in XCDR1.
template <typename Archive, typename T>
void transfer_wide(Archive& archive, T& value) {
  if constexpr (std::is_same_v<Archive, CdrReader>) {
    value.resize(archive.count(4, bound_of<std::u16string>()));
  } else {
    archive.length(value.size(), bound_of<std::u16string>());
  }
  for (auto& unit : value) {
    auto wide = static_cast<std::uint32_t>(unit);
    archive.scalar(wide);
    if constexpr (std::is_same_v<Archive, CdrReader>) {
      if (wide > 0xFFFF) archive.fail("a wide character does not fit in 16 bits");
      unit = static_cast<char16_t>(wide);
    }
  }
}

template <typename Archive, typename T>
void transfer_elements(Archive& archive, T& values) {
  using Element = typename std::remove_const_t<T>::value_type;
  if constexpr (Scalar<Element> && !std::is_same_v<std::remove_const_t<T>, std::vector<bool>>) {
    archive.scalars(values.data(), values.size());
  } else if constexpr (Scalar<Element>) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool value = values[i];
      archive.scalar(value);
      if constexpr (std::is_same_v<Archive, CdrReader>) values[i] = value;
    }
  } else {
    for (auto& element : values) {
      if (!archive.ok()) return;
      transfer(archive, element);
    }
  }
}

template <typename Archive, typename T>
void transfer(Archive& archive, T& value) {
  using Value = std::remove_const_t<T>;
  if constexpr (Scalar<Value>) {
    archive.scalar(value);
  } else if constexpr (is_string<Value>) {
    archive.text(value, bound_of<Value>());
  } else if constexpr (is_wide_string<Value>) {
    transfer_wide(archive, value);
  } else if constexpr (is_array<Value>) {
    transfer_elements(archive, value);
  } else if constexpr (is_sequence<Value>) {
    if constexpr (std::is_same_v<Archive, CdrReader>) {
      value.resize(archive.count(least_size<typename Value::value_type>(), bound_of<Value>()));
    } else {
      archive.length(value.size(), bound_of<Value>());
    }
    transfer_elements(archive, value);
  } else if constexpr (is_empty<Value>) {
    std::uint8_t filler = 0;
    archive.scalar(filler);
  } else {
    Value::fields().each([&](const auto& field) { transfer(archive, value.*field.member); });  // NOLINT: it is set
  }
}

// Which byte order an encapsulation header announces; nothing for what is not plain CDR.
inline const char* open_cdr(Bytes bytes, bool& swapped) {
  if (bytes.size() < header_size) return "it is shorter than its header";
  if (bytes[0] != 0 || bytes[1] > 1) return "its encapsulation is not plain CDR";
  swapped = (bytes[1] == 1) != (std::endian::native == std::endian::little);
  return nullptr;
}

// Null, or why not. The message's own buffers are reused; after a failure its content is unspecified but valid.
template <Message M>
const char* decode_failure(Bytes bytes, M& message) {
  bool swapped = false;
  if (const char* reason = open_cdr(bytes, swapped)) return reason;
  CdrReader reader(bytes.subspan(header_size), swapped);
  transfer(reader, message);
  return reader.reason();
}

}  // namespace detail

// Bytes of the message on the wire, with the header.
template <Message M>
std::size_t encoded_size(const M& message) {
  detail::CdrSizer sizer;
  detail::transfer(sizer, message);
  return detail::header_size + sizer.position();
}

// Writes the message into `out`, which must have encoded_size() bytes; false when a bound is exceeded.
template <Message M>
bool encode_into(const M& message, std::span<std::uint8_t> out) {
  if (out.size() < detail::header_size) return false;
  constexpr std::array<std::uint8_t, detail::header_size> header{0, 1, 0, 0};
  std::memcpy(out.data(), header.data(), header.size());
  detail::CdrWriter writer(out.subspan(detail::header_size));
  detail::transfer(writer, message);
  return writer.ok();
}

// The same into a vector that its owner keeps; a warm one does not allocate.
template <Message M>
bool encode(const M& message, std::vector<std::uint8_t>& out) {
  out.resize(encoded_size(message));
  return encode_into(message, out);
}

// Bytes beyond the last field are ignored, as every ROS reader does.
template <Message M>
Result<void> decode(Bytes bytes, M& message) {
  const char* reason = detail::decode_failure(bytes, message);
  if (reason == nullptr) return {};
  return Error{Fault::invalid, std::string(M::type_name) + " of " + std::to_string(bytes.size()) + " bytes: " + reason};
}

}  // namespace tandem::ros2
