// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/conversation_player.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::runtime {
namespace {

constexpr Duration timing_tolerance = 10ms;  // a client this late or early moves nothing
constexpr std::size_t shown_bytes = 8;

std::string hex_of(const std::vector<std::uint8_t>& bytes) {
  return bytes.empty() ? "nothing" : fmt::format("{:02X}", fmt::join(bytes, " "));
}

std::vector<std::uint8_t> first_bytes(Bytes bytes) {
  bytes = bytes.first(std::min(bytes.size(), shown_bytes));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string Difference::text() const {
  return fmt::format("at byte {} (frame {}): expected {}, got {}", offset, frame, hex_of(expected), hex_of(seen));
}

ConversationPlayer::ConversationPlayer(const Conversation& conversation, const net::FrameRules& protocol,
                                       const PlayerOptions& options, Instant start)
    : conversation_(conversation),
      protocol_(protocol),
      options_(options),
      in_(conversation.in),
      in_frames_(frames_of(conversation.in, net::Direction::in)),
      out_frames_(frames_of(conversation.out, net::Direction::out)),
      anchor_(start),
      reached_(start) {
  count_needs();
}

// Datagrams are frames each; an unframed stream has none.
std::vector<FrameSpan> ConversationPlayer::frames_of(Bytes stream, net::Direction direction) const {
  std::vector<FrameSpan> frames;
  if (conversation_.datagram) {
    for (const RecordedPiece& piece : conversation_.pieces)
      if (piece.direction == direction) frames.push_back({piece.offset, piece.size});
    return frames;
  }
  if (!framed()) return frames;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t size = protocol_.frame_size(stream.subspan(at));
    // The last one may be cut short; it is one all the same.
    const std::size_t taken = size == 0 ? stream.size() - at : std::min(size, stream.size() - at);
    frames.push_back({at, taken});
    at += taken;
  }
  return frames;
}

// How much must be heard before each piece is past, and whether what the device says next needs it.
void ConversationPlayer::count_needs() {
  const auto& pieces = conversation_.pieces;
  needs_.resize(pieces.size());
  unasked_.resize(pieces.size() + 1, 1);  // an end comes unasked
  std::size_t out_end = 0, units = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].direction == net::Direction::out) {
      out_end = pieces[i].offset + pieces[i].size;
      if (conversation_.datagram) {
        ++units;
      } else if (framed()) {
        while (units < out_frames_.size() && out_frames_[units].offset + out_frames_[units].size <= out_end) ++units;
      } else {
        units = out_end;
      }
    }
    needs_[i] = units;
  }
  std::size_t frame = in_frames_.size();
  for (std::size_t i = pieces.size(); i-- > 0;) {
    unasked_[i] = unasked_[i + 1];
    if (pieces[i].direction != net::Direction::in) continue;
    // The frame in which the piece begins.
    while (frame > 0 && (frame == in_frames_.size() || in_frames_[frame].offset > pieces[i].offset)) --frame;
    const bool known = frame < in_frames_.size();
    const Bytes bytes = known ? Bytes(in_).subspan(in_frames_[frame].offset, in_frames_[frame].size) : Bytes{};
    unasked_[i] = protocol_.unasked == nullptr || protocol_.unasked(bytes) ? 1 : 0;
  }
}

Instant ConversationPlayer::planned(Duration at) const {
  constexpr double longest = 1e9;  // s; a file may say anything
  return options_.fast ? Instant{} : anchor_ + duration_of(std::min(seconds(at) / options_.speed, longest));
}

void ConversationPlayer::reach(Instant now) {
  ++at_;
  reached_ = now;
}

// What the device says next waits for the other side, but not indefinitely where the device speaks unasked.
bool ConversationPlayer::may_go_on(Instant now) const {
  if (heard_units_ >= needs_[at_]) return true;
  if (unasked_[at_] == 0) return false;
  const Instant since = std::max(reached_, planned(conversation_.pieces[at_].at));
  return now >= (adrift_ ? planned(conversation_.pieces[at_].at) : since + options_.patience);
}

void ConversationPlayer::pass_heard(Instant now) {
  const auto& pieces = conversation_.pieces;
  while (at_ < pieces.size() && pieces[at_].direction == net::Direction::out && may_go_on(now)) {
    if (heard_units_ < needs_[at_] && !adrift_) {
      adrift_ = true;
      if (!difference_) differ(pieces[at_].offset, conversation_.said(pieces[at_]), {});
    }
    // A client that takes its time, or less of it, takes the device along; small ones do not add up.
    const Instant plan = planned(pieces[at_].at);
    if (!options_.fast && (now > plan + timing_tolerance || now + timing_tolerance < plan)) anchor_ += now - plan;
    reach(now);
  }
}

ConversationPlayer::Act ConversationPlayer::next(Instant now) {
  if (answers_) return next_by_content(now);
  pass_heard(now);
  const auto& pieces = conversation_.pieces;
  if (ended_) return {};
  if (at_ == pieces.size()) {
    if (now < planned(conversation_.length)) return {};
    ended_ = true;
    return {.ends = true};
  }
  const RecordedPiece& piece = pieces[at_];
  if (piece.direction == net::Direction::out || now < planned(piece.at)) return {};
  const Bytes bytes = prepared(piece);
  said_bytes_ += bytes.size();
  reach(now);
  return {.says = true, .bytes = bytes};
}

Instant ConversationPlayer::due() const {
  const auto& pieces = conversation_.pieces;
  if (ended_) return Instant::max();
  if (!ready_.empty()) return Instant{};
  if (answers_ && options_.fast && at_ < pieces.size()) return needs_[at_] <= heard_units_ ? Instant{} : Instant::max();
  if (answers_ && at_ < pieces.size()) return planned(pieces[at_].at);
  if (at_ == pieces.size()) return planned(conversation_.length);
  const Instant plan = planned(pieces[at_].at);
  if (pieces[at_].direction == net::Direction::in || heard_units_ >= needs_[at_]) return plan;
  if (unasked_[at_] == 0) return Instant::max();
  return adrift_ ? plan : std::max(reached_, plan) + options_.patience;
}

// The piece with what this client said put in; a frame is made ready when its first byte is due.
Bytes ConversationPlayer::prepared(const RecordedPiece& piece) {
  const std::size_t end = piece.offset + piece.size;
  while (carried_frames_ < in_frames_.size() && in_frames_[carried_frames_].offset < end) {
    const FrameSpan frame = in_frames_[carried_frames_++];
    if (protocol_.carry != nullptr) protocol_.carry(std::span(in_).subspan(frame.offset, frame.size), carried_);
  }
  return Bytes(in_).subspan(piece.offset, piece.size);
}

void ConversationPlayer::hear(Bytes bytes) {
  heard_bytes_ += bytes.size();
  if (conversation_.datagram) {
    take(bytes, 1);
  } else if (!framed()) {
    take(bytes, bytes.size());
  } else {
    rest_.insert(rest_.end(), bytes.begin(), bytes.end());
    std::size_t at = 0;
    while (at < rest_.size()) {
      const Bytes left = Bytes(rest_).subspan(at);
      const std::size_t size = protocol_.frame_size(left);
      if (size == 0 || size > left.size()) break;
      take(left.first(size), 1);
      at += size;
    }
    rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void ConversationPlayer::take(Bytes seen, std::size_t units) {
  const bool leaves = !answers_ && !compare(seen) && framed() && protocol_.asks != nullptr;
  if (leaves) leave_order();
  if (answers_) ready_.push_back(answers_->to(seen, carried_));
  if (!ready_.empty() && ready_.back().empty()) ready_.pop_back();
  heard_units_ += units;
}

// What was received against its recorded counterpart: the same frame, or the same bytes.
bool ConversationPlayer::compare(Bytes seen) {
  const bool by_frames = framed() || conversation_.datagram;
  const std::size_t all = conversation_.out.size();
  FrameSpan span{std::min(heard_units_, all), std::min(seen.size(), all - std::min(heard_units_, all))};
  if (by_frames) span = heard_units_ < out_frames_.size() ? out_frames_[heard_units_] : FrameSpan{all, 0};
  const Bytes recorded = Bytes(conversation_.out).subspan(span.offset, span.size);
  if (protocol_.learn != nullptr) protocol_.learn(recorded, seen, carried_);
  if (recorded.empty() && span.offset == all) return true;  // more than was recorded is no difference
  left_.assign(recorded.begin(), recorded.end());
  right_.assign(seen.begin(), seen.end());
  if (!by_frames && right_.size() > left_.size()) right_.resize(left_.size());
  if (protocol_.blank != nullptr) {
    protocol_.blank(left_);
    protocol_.blank(right_);
  }
  const auto [left, right] = std::mismatch(left_.begin(), left_.end(), right_.begin(), right_.end());
  if (left == left_.end() && right == right_.end()) return true;
  const auto at = static_cast<std::size_t>(left - left_.begin());
  if (!difference_) differ(span.offset + at, recorded.subspan(at), seen.subspan(std::min(at, seen.size())));
  return false;
}

void ConversationPlayer::differ(std::size_t offset, Bytes expected, Bytes seen) {
  difference_ = Difference{offset, heard_units_, first_bytes(expected), first_bytes(seen)};
}

// What was asked before is answered first, and a frame that was begun is ended.
void ConversationPlayer::leave_order() {
  answers_.emplace(conversation_, protocol_, out_frames_, in_frames_, heard_units_);
  while (unasked_frame_ < in_frames_.size() && in_frames_[unasked_frame_].offset < said_bytes_) ++unasked_frame_;
  if (unasked_frame_ > 0) {
    const FrameSpan begun = in_frames_[unasked_frame_ - 1];
    const Bytes rest =
        Bytes(in_).first(begun.offset + begun.size).subspan(std::min(said_bytes_, begun.offset + begun.size));
    if (!rest.empty()) ready_.emplace_back(rest.begin(), rest.end());
  }
  passed_bytes_ = said_bytes_;
  for (std::size_t i = 0; i < std::min(heard_units_, out_frames_.size()); ++i) {
    const auto number = answers_->number_of_answer(i);
    if (!number || *number < unasked_frame_) continue;
    const Bytes recorded = Bytes(in_).subspan(in_frames_[*number].offset, in_frames_[*number].size);
    ready_.emplace_back(recorded.begin(), recorded.end());
    if (protocol_.carry != nullptr) protocol_.carry(ready_.back(), carried_);
  }
}

// Pieces are past at their time, or as many questions later as they were then.
void ConversationPlayer::pass_time(Instant now) {
  const auto& pieces = conversation_.pieces;
  while (at_ < pieces.size() && (options_.fast ? needs_[at_] <= heard_units_ : planned(pieces[at_].at) <= now)) {
    if (pieces[at_].direction == net::Direction::in) passed_bytes_ = pieces[at_].offset + pieces[at_].size;
    reach(now);
  }
}

ConversationPlayer::Act ConversationPlayer::next_by_content(Instant now) {
  if (ended_) return {};
  pass_time(now);
  for (; ready_.empty() && unasked_frame_ < in_frames_.size(); ++unasked_frame_) {
    const FrameSpan frame = in_frames_[unasked_frame_];
    if (frame.offset + frame.size > passed_bytes_) break;
    const Bytes recorded = Bytes(in_).subspan(frame.offset, frame.size);
    if (answers_->answers_something(unasked_frame_)) continue;
    ready_.emplace_back(recorded.begin(), recorded.end());
    if (protocol_.carry != nullptr) protocol_.carry(ready_.back(), carried_);
  }
  if (!ready_.empty()) {
    saying_ = std::move(ready_.front());
    ready_.pop_front();
    said_bytes_ += saying_.size();
    return {.says = true, .bytes = saying_};
  }
  if (at_ < conversation_.pieces.size() || now < planned(conversation_.length)) return {};
  ended_ = true;
  return {.ends = true};
}

}  // namespace tandem::runtime
