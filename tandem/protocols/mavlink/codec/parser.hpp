// SPDX-License-Identifier: Apache-2.0
// Finds MAVLink frames in any bytes: a stream in whatever pieces it arrives in, or datagrams.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "tandem/protocols/mavlink/codec/dialect.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"

namespace tandem::mavlink {

// Memory is fixed. What makes no sense is skipped byte by byte, so a frame behind rubbish is never lost; only a frame
// that is whole for certain is stepped over as one.
class Parser {
 public:
  struct Options {
    const Dialect* dialect = nullptr;  // null for all_messages()
    bool pass_unknown = false;         // give messages that are not known too, as not verified
    bool pass_unreadable = false;      // give whole frames of another definition or with unknown flags, unverified
  };
  struct Counters {
    std::uint64_t frames = 0;                 // given
    std::uint64_t bytes = 0;                  // taken in
    std::uint64_t skipped = 0;                // bytes that belonged to no frame
    std::uint64_t bad_checksum = 0;           // headers that did not lead to a frame
    std::uint64_t other_definition = 0;       // of them whole for another crc_extra: the peer speaks another dialect
    std::uint64_t unknown_message = 0;        // whole frames of messages that are not known, given or not
    std::uint64_t unknown_flags = 0;          // whole frames with incompatible flags that are not known; dropped
    std::uint64_t cut_short = 0;              // frames that their datagram did not hold to the end
    std::uint32_t last_other_definition = 0;  // the message id of the last of those
    std::uint32_t last_unknown = 0;           // the same
  };

  Parser() : Parser(Options{}) {}
  explicit Parser(const Options& options);

  // Room to receive into, never empty once next() has found nothing more; then say how many bytes came.
  std::span<std::uint8_t> room();
  void received(std::size_t count);
  // Both in one, for bytes that are elsewhere; gives how many were taken.
  std::size_t feed(Bytes bytes);

  // The next frame; nothing when more bytes are needed. The frame holds until room, feed or clear.
  std::optional<Frame> next() { return find(false); }
  // The same when no more bytes will follow what is there, as at the end of a datagram: a frame that began and did not
  // end is given up, and what it hid is found.
  std::optional<Frame> next_of_last() { return find(true); }

  bool partial() const { return begin_ != end_; }
  void clear();
  const Counters& counters() const { return counters_; }

 private:
  enum class Step : std::uint8_t { frame, skip_byte, skip_frame, more };
  std::optional<Frame> find(bool last);
  Step look(Bytes bytes, bool last, Frame& frame);
  Step judge(Bytes bytes, std::size_t size, bool last, Frame& frame);
  Step unreadable(Frame& frame) const;

  const Dialect* dialect_;
  bool pass_unknown_, pass_unreadable_;
  std::array<std::uint8_t, 4096> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Counters counters_;
};

}  // namespace tandem::mavlink
