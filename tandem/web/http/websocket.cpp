// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/http/websocket.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>

#include "tandem/base/utf8.hpp"

namespace tandem::web {
namespace {

constexpr std::size_t largest_control = 125;
constexpr std::size_t worth_keeping = 64 << 10;  // bytes of memory that a reader holds on to between messages

Error frame_error(std::uint16_t code, std::string text) { return {Fault::invalid, std::move(text), code}; }

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::size_t head_size_from(std::uint8_t length_byte) {
  const std::uint8_t length = length_byte & 0x7F;
  const std::size_t extended = length == 127 ? 8 : length == 126 ? 2 : 0;
  return 2 + extended + ((length_byte & 0x80) != 0 ? 4 : 0);
}

}  // namespace

FrameHead frame_head(Opcode opcode, std::size_t payload) {
  FrameHead head;
  const auto put = [&](std::uint64_t value) { head.bytes[head.size++] = static_cast<std::uint8_t>(value); };
  put(0x80u | static_cast<std::uint8_t>(opcode));
  if (payload < 126) {
    put(payload);
    return head;
  }
  const int size = payload < 0x10000 ? 2 : 8;
  put(size == 2 ? 126 : 127);
  for (int i = size - 1; i >= 0; --i) put(std::uint64_t{payload} >> (8 * i));
  return head;
}

std::vector<std::uint8_t> client_frame(Opcode opcode, Bytes payload, std::array<std::uint8_t, 4> mask) {
  FrameHead head = frame_head(opcode, payload.size());
  head.bytes[1] |= 0x80;
  std::vector<std::uint8_t> frame;
  frame.reserve(head.size + mask.size() + payload.size());
  frame.insert(frame.end(), head.bytes.begin(), head.bytes.begin() + static_cast<std::ptrdiff_t>(head.size));
  frame.insert(frame.end(), mask.begin(), mask.end());
  for (std::size_t i = 0; i < payload.size(); ++i) frame.push_back(static_cast<std::uint8_t>(payload[i] ^ mask[i & 3]));
  return frame;
}

bool FrameReader::take_head(Bytes& bytes) {
  while (head_size_ < 2 || head_size_ < head_size_from(head_[1])) {
    if (bytes.empty()) return false;
    head_[head_size_++] = bytes.front();
    bytes = bytes.subspan(1);
  }
  return true;
}

Result<void> FrameReader::begin_frame() {
  ++frames_;
  ByteReader reader(Bytes(head_).first(head_size_));
  const std::uint8_t first = reader.byte();
  const std::uint8_t second = reader.byte();
  std::uint64_t length = second & 0x7F;
  const std::uint64_t shortest = length < 126 ? 0 : length == 126 ? 126 : 0x10000;
  if (length == 126) {
    length = reader.big<std::uint16_t>();
  } else if (length == 127) {
    length = reader.big<std::uint64_t>();
  }

  const std::uint8_t code = first & 0x0F;
  if ((first & 0x70) != 0)
    return frame_error(close_code::protocol, "reserved bits are set without a negotiated extension");
  if (((second & 0x80) != 0) != (sender_ == Sender::client))
    return frame_error(close_code::protocol,
                       sender_ == Sender::client ? "client frame is not masked" : "server frame is masked");
  if (code > 10 || (code > 2 && code < 8))
    return frame_error(close_code::protocol, fmt::format("unknown opcode {}", code));
  if (length < shortest) return frame_error(close_code::protocol, "frame length is not minimally encoded");
  opcode_ = static_cast<Opcode>(code);
  final_ = (first & 0x80) != 0;
  if (control() && (!final_ || length > largest_control)) {
    return frame_error(close_code::protocol, "control frame is fragmented or longer than 125 bytes");
  }
  if (!control() && (opcode_ == Opcode::continuation) != (message_opcode_ != Opcode::continuation)) {
    return frame_error(close_code::protocol, opcode_ == Opcode::continuation ? "continuation frame without a message"
                                                                             : "new message inside a fragmented one");
  }
  if (!control() && length > largest_ - std::min(largest_, message_.size())) {
    return frame_error(close_code::too_big, fmt::format("message is longer than the maximum of {} bytes", largest_));
  }
  if (!control() && opcode_ != Opcode::continuation) message_opcode_ = opcode_;
  left_ = length;
  unmasked_ = 0;
  in_payload_ = true;
  return {};
}

Result<std::optional<ClientMessage>> FrameReader::end_frame() {
  in_payload_ = false;
  head_size_ = 0;
  if (control()) return std::optional(ClientMessage{opcode_, control_});
  if (!final_) return std::optional<ClientMessage>();
  const ClientMessage whole{message_opcode_, message_};
  message_opcode_ = Opcode::continuation;
  if (whole.opcode == Opcode::text && !is_utf8(text_of(whole.payload))) {
    return frame_error(close_code::not_utf8, "a text message is not UTF-8");
  }
  return std::optional(whole);
}

Result<std::optional<ClientMessage>> FrameReader::next(Bytes& bytes) {
  while (true) {
    if (!in_payload_) {
      if (head_size_ == 0) {
        // What was given out last has been read by now.
        control_.clear();
        if (message_opcode_ == Opcode::continuation) message_.clear();
        if (message_.empty() && message_.capacity() > worth_keeping) message_.shrink_to_fit();
      }
      if (!take_head(bytes)) return std::optional<ClientMessage>();
      if (auto begun = begin_frame(); !begun) return std::move(begun).error();
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
    auto& into = control() ? control_ : message_;
    const std::size_t start = into.size();
    into.insert(into.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    if (sender_ == Sender::client) {
      const std::uint8_t* mask = head_.data() + head_size_ - 4;
      for (std::size_t i = 0; i < count; ++i) into[start + i] ^= mask[(unmasked_ + i) & 3];
      unmasked_ += count;
    }
    left_ -= count;
    bytes = bytes.subspan(count);
    if (left_ > 0) return std::optional<ClientMessage>();
    auto ended = end_frame();
    if (!ended || *ended) return ended;
  }
}

Result<CloseReason> parse_close(Bytes payload) {
  if (payload.empty()) return CloseReason{};
  ByteReader reader(payload);
  const auto code = reader.big<std::uint16_t>();
  const bool known = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
  if (!reader.ok() || !known) return frame_error(close_code::protocol, "close frame: invalid code");
  const std::string_view text = text_of(reader.rest());
  if (!is_utf8(text)) return frame_error(close_code::not_utf8, "close frame: reason is not UTF-8");
  return CloseReason{code, text};
}

std::vector<std::uint8_t> close_payload(std::uint16_t code, std::string_view reason) {
  std::size_t size = std::min(reason.size(), largest_control - 2);
  while (size > 0 && size < reason.size() && (reason[size] & 0xC0) == 0x80) --size;  // not in the middle of a letter
  std::vector<std::uint8_t> payload;
  payload.reserve(largest_control);
  ByteWriter writer(payload);
  writer.big(code);
  writer.text(reason.substr(0, size));
  return payload;
}

std::optional<std::string> accept_key(std::string_view key) {
  std::array<unsigned char, 18> decoded{};
  if (key.size() != 24 || !key.ends_with("==") || key[21] == '=' ||
      EVP_DecodeBlock(decoded.data(), reinterpret_cast<const unsigned char*>(key.data()), 24) != 18) {
    return std::nullopt;
  }
  const std::string salted = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(salted.data(), salted.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1) return std::nullopt;
  std::array<unsigned char, 64> text{};
  const int length = EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(size));
  return std::string(reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(length));
}

bool RateGate::pass(double count, Instant when) {
  left_ = std::min(most_, left_ + seconds(when - last_) * rate_);
  last_ = when;
  left_ -= count;
  return left_ >= 0;
}

}  // namespace tandem::web
