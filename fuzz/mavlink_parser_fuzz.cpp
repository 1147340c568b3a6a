// SPDX-License-Identifier: Apache-2.0
// Any bytes as a MAVLink stream: the same frames however they arrive, and messages that survive being made again.
#include <cstdlib>
#include <vector>

#include "fuzz/mavlink_mutator.hpp"
#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tandem/protocols/mavlink/link/channel.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"

namespace {

using namespace tandem;
using namespace tandem::mavlink;

void require(bool holds) {
  if (!holds) std::abort();
}

// What was read, made again, is what was received: padded, and without what the definition does not know.
template <Message M>
void require_same(const Frame& frame) {
  std::array<std::uint8_t, layout<M>.full_size> wanted{};
  const std::size_t given = std::min(frame.payload.size(), wanted.size());
  std::copy_n(frame.payload.begin(), given, wanted.begin());
  std::array<std::uint8_t, layout<M>.full_size> made{};
  write_payload(read_payload<M>(frame.payload), std::span<std::uint8_t, layout<M>.full_size>(made));
  require(made == wanted);
  FrameBuffer buffer;
  Parser again;
  again.feed(encode(buffer, {Version::v2, frame.sequence, frame.source}, read_payload<M>(frame.payload)));
  const auto second = again.next();
  require(second && second->verified && second->id == frame.id && second->source == frame.source);
  (void)all_finite(read_payload<M>(frame.payload));
}

using Found = std::vector<std::vector<std::uint8_t>>;

void keep(Found& found, const Frame& frame) {
  require(frame.bytes.size() <= longest_frame);
  require(frame.payload.size() <= longest_payload);
  require(frame.signature.empty() || frame.signature.size() == signature_size);
  require(frame.verified == (frame.info != nullptr));
  (void)frame.target();
  found.emplace_back(frame.bytes.begin(), frame.bytes.end());
}

Found frames_of(Bytes stream, std::size_t piece, Parser& parser) {
  Found found;
  while (!stream.empty()) {
    const std::size_t taken = parser.feed(stream.first(std::min(piece, stream.size())));
    stream = stream.subspan(taken);
    std::size_t given = 0;
    while (const auto frame = parser.next()) {
      keep(found, *frame);
      ++given;
    }
    require(taken > 0 || given > 0);
  }
  while (const auto frame = parser.next_of_last()) keep(found, *frame);
  require(!parser.partial());
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1u + data[0];
  const Bytes stream(data + 1, size - 1);
  Parser whole({.pass_unknown = true});
  Parser split({.pass_unknown = true});
  const Found frames = frames_of(stream, 4096, whole);
  require(frames_of(stream, piece, split) == frames);
  require(whole.counters().skipped == split.counters().skipped);

  Channel channel({.own = {255, 190}});
  Signing signing({.key = {1}});
  Parser parser;
  std::size_t at = 0;
  while (at < stream.size()) {
    at += parser.feed(stream.subspan(at));
    while (const auto frame = parser.next()) {
      AllMessages::each([&]<Message M>() {
        if (frame->is<M>()) require_same<M>(*frame);
      });
      (void)channel.admit(*frame);
      if (frame->is_signed()) require(signing.check(*frame, UtcTime{}) != SigningVerdict::unsigned_allowed);
    }
  }
  return 0;
}
