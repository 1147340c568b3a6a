// SPDX-License-Identifier: Apache-2.0
// Cuts a stream of bytes into packets that begin with their own length, or into lines. Any segmentation of the stream
// gives the same packets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::ur {

// Bytes that have come and are not used up yet. Grows to what is needed once and then stays.
class InputBuffer {
 public:
  // Space for at least `size` more bytes; received() then says how many came.
  std::span<std::uint8_t> room(std::size_t size);
  void received(std::size_t count) { end_ += count; }
  void feed(Bytes bytes);

  Bytes bytes() const { return Bytes(storage_).subspan(begin_, end_ - begin_); }
  void used(std::size_t count) { begin_ += count; }
  bool empty() const { return begin_ == end_; }
  void clear() { begin_ = end_ = 0; }

 private:
  std::vector<std::uint8_t> storage_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// How a packet reports its length, which counts the whole packet.
enum class Length : std::uint8_t { two_bytes, four_bytes };

class Framer {
 public:
  Framer(Length length, std::size_t smallest, std::size_t longest)
      : length_(length), smallest_(smallest), longest_(longest) {}

  std::span<std::uint8_t> room(std::size_t size) { return buffer_.room(size); }
  void received(std::size_t count) { buffer_.received(count); }
  void feed(Bytes bytes) { buffer_.feed(bytes); }

  // The next whole packet with its header, nothing when it has not all come yet, or an error when its length cannot be
  // true: the stream is lost then. The bytes stay valid until more are received.
  Result<std::optional<Bytes>> next();
  bool partial() const { return !buffer_.empty(); }
  void clear() { buffer_.clear(); }

 private:
  Length length_;
  std::size_t smallest_;
  std::size_t longest_;
  InputBuffer buffer_;
};

class LineFramer {
 public:
  explicit LineFramer(std::size_t longest) : longest_(longest) {}

  std::span<std::uint8_t> room(std::size_t size) { return buffer_.room(size); }
  void received(std::size_t count) { buffer_.received(count); }
  void feed(Bytes bytes) { buffer_.feed(bytes); }

  // The next line without its end ("\n" or "\r\n"); an error when it is longer than any line may be.
  Result<std::optional<std::string_view>> next();
  // What has come of the line that is not over yet.
  std::string_view pending() const;
  bool partial() const { return !buffer_.empty(); }
  void clear() { buffer_.clear(); }

 private:
  std::size_t longest_;
  InputBuffer buffer_;
};

}  // namespace tandem::ur
