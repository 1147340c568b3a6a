// SPDX-License-Identifier: Apache-2.0
// Plays the device's part of one recorded conversation: says what the device said, when it is due and when the other
// side has said what it said before. From the first question on that was not asked there, questions have the next
// recorded answer to the same question, where the protocol can tell, and what comes unasked comes at its time. No
// sockets, no clock of its own.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tandem/net/frame_rules.hpp"
#include "tandem/runtime/replay/conversation_answers.hpp"
#include "tandem/runtime/replay/field_recording.hpp"

namespace tandem::runtime {

struct PlayerOptions {
  double speed = 1;           // times as fast as recorded
  bool fast = false;          // as soon as the other side has said its part
  Duration patience = 300ms;  // for what the other side does not say, before the device goes on unasked
};

// The first place where the other side said something else than the recorded one.
struct Difference {
  std::size_t offset = 0;  // in all that it said, as recorded
  std::size_t frame = 0;   // number of the frame, or of the byte where nothing is framed; the first is 0
  std::vector<std::uint8_t> expected, seen;  // a few bytes from there; none seen: it said nothing
  std::string text() const;
};

class ConversationPlayer {
 public:
  // The conversation must outlive the player.
  ConversationPlayer(const Conversation& conversation, const net::FrameRules& protocol, const PlayerOptions& options,
                     Instant start);

  // What the other side says: a stream in any pieces, or one datagram.
  void hear(Bytes bytes);

  struct Act {
    bool says = false;
    Bytes bytes{};  // valid until the next call
    bool ends = false;
  };
  // One thing that is due, if there is any.
  Act next(Instant now);
  // When next() may have something, should nothing be heard; Instant::max(): then never.
  Instant due() const;

  bool done() const { return ended_; }
  // Of what was recorded, 0 to 1.
  double progress() const { return needs_.empty() ? 1 : static_cast<double>(at_) / static_cast<double>(needs_.size()); }
  const std::optional<Difference>& difference() const { return difference_; }
  // The other side asked in the recorded order so far, and the device said what was recorded byte for byte.
  bool in_order() const { return !answers_; }
  std::uint64_t heard() const { return heard_bytes_; }
  std::uint64_t said() const { return said_bytes_; }

 private:
  bool framed() const { return !conversation_.datagram && protocol_.frame_size != nullptr; }
  std::vector<FrameSpan> frames_of(Bytes stream, net::Direction direction) const;
  void count_needs();
  Instant planned(Duration at) const;
  // Over what the other side has said already, and over what it will not say any more.
  void pass_heard(Instant now);
  bool may_go_on(Instant now) const;
  void reach(Instant now);
  // One frame, datagram or piece of what is not framed.
  void take(Bytes seen, std::size_t units);
  // False: something else than was recorded there.
  bool compare(Bytes seen);
  void leave_order();
  void pass_time(Instant now);
  Act next_by_content(Instant now);
  void differ(std::size_t offset, Bytes expected, Bytes seen);
  Bytes prepared(const RecordedPiece& piece);

  const Conversation& conversation_;
  const net::FrameRules protocol_;
  const PlayerOptions options_;
  std::vector<std::uint8_t> in_;                   // what the device says, with what is carried over
  std::vector<FrameSpan> in_frames_, out_frames_;  // empty when not framed
  std::vector<std::size_t> needs_;                 // of each piece: frames, datagrams or bytes heard until it is past
  std::vector<char> unasked_;                      // of each piece: what the device says next needs no question
  std::size_t at_ = 0;                             // the piece that is next
  std::size_t carried_frames_ = 0;                 // of in_frames_
  std::size_t heard_units_ = 0;
  std::uint64_t heard_bytes_ = 0, said_bytes_ = 0;
  std::vector<std::uint8_t> rest_;  // heard, not yet a frame
  Instant anchor_;                  // when the connection would have been opened
  Instant reached_;                 // when the piece at_ became the next
  bool adrift_ = false;             // the other side said less: the device does not wait any more
  bool ended_ = false;
  net::Carried carried_;
  std::vector<std::uint8_t> left_, right_;       // for comparing
  std::optional<ConversationAnswers> answers_;   // once out of order
  std::deque<std::vector<std::uint8_t>> ready_;  // answers, to be said at once
  std::vector<std::uint8_t> saying_;
  std::size_t unasked_frame_ = 0;  // of in_frames_, the next that may come unasked
  std::size_t passed_bytes_ = 0;   // of what the device said, those whose time has come
  std::optional<Difference> difference_;
};

}  // namespace tandem::runtime
