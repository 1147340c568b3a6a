// SPDX-License-Identifier: Apache-2.0
// Two ends of a conversation in memory: what one sends waits here until it is delivered, or lost on purpose.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tandem/protocols/mavlink/link/channel.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"

namespace tandem::mavlink {

class Mailbox final : public Outlet {
 public:
  explicit Mailbox(Address own) : channel_(ChannelOptions{.own = own}) {}

  bool send_payload(const MessageInfo& info, Bytes payload) override {
    FrameBuffer buffer;
    const Bytes bytes = channel_.make(buffer, info, payload);
    waiting.emplace_back(bytes.begin(), bytes.end());
    ++sent;
    return true;
  }

  // Hands over what waits now, and what is sent meanwhile if it is for the other side.
  void deliver(const std::function<void(const Frame&)>& handler) {
    auto now = std::exchange(waiting, {});
    for (const auto& bytes : now) {
      if (lose && lose(sent_index_++)) continue;
      Parser parser;
      parser.feed(bytes);
      if (const auto frame = parser.next()) handler(*frame);
    }
  }
  // The messages of one kind that wait; all are taken out.
  template <Message M>
  std::vector<M> take() {
    std::vector<M> found;
    deliver([&](const Frame& frame) {
      if (const auto message = frame.as<M>()) found.push_back(*message);
    });
    return found;
  }

  std::deque<std::vector<std::uint8_t>> waiting;
  std::size_t sent = 0;
  std::function<bool(std::size_t)> lose;  // by number

 private:
  Channel channel_;
  std::size_t sent_index_ = 0;
};

// One message as a frame from somebody, without a conversation.
class Letter {
 public:
  template <Message M>
  Letter(const M& message, Address source) {
    FrameBuffer buffer;
    parser_.feed(encode(buffer, {Version::v2, 0, source}, message));
    frame_ = *parser_.next();
  }
  const Frame& frame() const { return frame_; }

 private:
  Parser parser_;
  Frame frame_;
};

}  // namespace tandem::mavlink
