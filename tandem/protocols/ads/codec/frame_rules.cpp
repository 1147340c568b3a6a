// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/frame_rules.hpp"

#include <cstring>

#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::ads {
namespace {

// In front of AmsHeader: reserved 2, length 4. Addresses depend on the network, and the device returns all but the
// command's own data.
constexpr std::size_t length_at = 2, target_at = tcp_header_size, source_at = target_at + 8, invoke_at = 34;
constexpr std::size_t target_port_at = target_at + 6, command_at = source_at + 8;
constexpr std::size_t head_end = tcp_header_size + AmsHeader::size;

AmsHeader header_of(Bytes frame) {
  ByteReader reader(frame);
  reader.skip(tcp_header_size);
  return take_header(reader);
}

std::uint32_t number_at(Bytes frame, std::size_t offset) {
  ByteReader reader(frame);
  reader.skip(offset);
  return reader.little<std::uint32_t>();
}

std::size_t replayed_size(Bytes start) {
  if (start.size() < tcp_header_size) return 0;
  return net::frame_or_byte(tcp_header_size + std::size_t{number_at(start, length_at)}, head_end);
}

bool is_notification(Bytes frame) {
  return frame.size() >= head_end && header_of(frame).command == Command::notification;
}

void blank_client(std::span<std::uint8_t> frame) {
  net::blank_bytes(frame, target_at, 16);
  net::blank_bytes(frame, invoke_at, 4);
}

void learn_client(Bytes recorded, Bytes seen, net::Carried& carried) {
  if (recorded.size() < head_end || seen.size() < head_end) return;
  std::memcpy(carried.addresses.data(), seen.data() + target_at, 16);
  carried.addressed = true;
  carried.numbers[header_of(recorded).invoke_id] = header_of(seen).invoke_id;
}

void carry_client(std::span<std::uint8_t> frame, net::Carried& carried) {
  if (frame.size() < head_end) return;
  if (carried.addressed) {
    std::memcpy(frame.data() + target_at, carried.addresses.data() + 8, 8);
    std::memcpy(frame.data() + source_at, carried.addresses.data(), 8);
  }
  const auto known = carried.numbers.find(header_of(frame).invoke_id);
  if (known == carried.numbers.end() || is_notification(frame)) return;
  for (std::size_t i = 0; i < 4; ++i) frame[invoke_at + i] = static_cast<std::uint8_t>(known->second >> (8 * i));
  carried.numbers.erase(known);
}

// Port, command and its data: of a write only where to, of a sum of writes only the list of where to.
std::string asked_without_values(Bytes frame) {
  constexpr std::size_t where = 12, head = 16;  // bytes: of a write, and of a read and write in one
  if (frame.size() < head_end) return net::frame_part(frame, 0, frame.size());
  std::size_t size = frame.size();
  const Command command = header_of(frame).command;
  if (command == Command::write) size = where;
  if (command == Command::read_write && number_at(frame, head_end) == group::sum_write)
    size = head + where * std::size_t{number_at(frame, head_end + 4)};
  return net::frame_part(frame, target_port_at, 2) + net::frame_part(frame, command_at, 2) +
         net::frame_part(frame, head_end, size);
}

std::uint64_t invoke_pairing(Bytes frame) {
  return is_notification(frame) ? ~std::uint64_t{0} : number_at(frame, invoke_at);
}

// A write to where nothing was written is done as well: the head, and no error.
void fit_write(Bytes question, std::vector<std::uint8_t>& answer) {
  if (!answer.empty() || question.size() < head_end) return;
  const AmsHeader asked = header_of(question);
  if (asked.command != Command::write) return;
  const std::size_t begun = begin_frame(answer, response_to(asked));
  answer.resize(answer.size() + 4, 0);  // result
  finish_frame(answer, begun);
}

constexpr net::FrameRules rules{.name = "ADS",
                                .frame_size = replayed_size,
                                .unasked = is_notification,
                                .blank = blank_client,
                                .learn = learn_client,
                                .carry = carry_client,
                                .asks = asked_without_values,
                                .pairing = invoke_pairing,
                                .fit = fit_write};

}  // namespace

const net::FrameRules& frame_rules() { return rules; }

}  // namespace tandem::ads
