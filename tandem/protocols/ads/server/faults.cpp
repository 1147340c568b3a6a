// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/faults.hpp"

#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::ads {
namespace {

constexpr std::size_t packet_front = tcp_header_size + AmsHeader::size;
constexpr std::size_t tcp_length_at = 2;
constexpr std::size_t ams_length_at = tcp_header_size + 20;
constexpr std::size_t ams_error_at = tcp_header_size + 24;
constexpr std::size_t invoke_id_at = tcp_header_size + 28;
// Of a notification: length, stamps, time, then the number of samples, the first handle and the first size.
constexpr std::size_t sample_count_at = packet_front + 16;
constexpr std::size_t first_handle_at = packet_front + 20;
constexpr std::size_t first_size_at = packet_front + 24;

void add_at(std::vector<std::uint8_t>& packet, std::size_t position, std::uint32_t difference) {
  if (packet.size() < position + 4) return;
  const auto old = ByteReader(Bytes(packet).subspan(position)).little<std::uint32_t>();
  ByteWriter(packet).little_at(position, old + difference);
}

void put_at(std::vector<std::uint8_t>& packet, std::size_t position, std::uint32_t value) {
  if (packet.size() >= position + 4) ByteWriter(packet).little_at(position, value);
}

void make_garbage(std::vector<std::uint8_t>& packet) {
  packet.clear();
  std::uint32_t state = 0x2545'F491;
  for (int i = 0; i < 200; ++i) {
    state = state * 1664525u + 1013904223u;
    packet.push_back(static_cast<std::uint8_t>(0x80u | (state >> 24)));
  }
}

}  // namespace

bool FaultScript::due(Kind kind) {
  int left = left_[kind].load();
  while (left > 0 && !left_[kind].compare_exchange_weak(left, left == always ? always : left - 1)) continue;
  if (left <= 0) return false;
  ++happened_[kind];
  return true;
}

ServerFaults::Welcome FaultScript::accepted() {
  if (due(close_on_accept)) return Welcome::close;
  return due(silent_connection) ? Welcome::silence : Welcome::serve;
}

ServerFaults::Verdict FaultScript::answer(const AmsHeader&, std::vector<std::uint8_t>& packet) {
  if (due(no_answer)) return {Fate::drop};
  if (due(close_instead_of_answer)) return {Fate::close};
  if (due(wrong_invoke_id)) add_at(packet, invoke_id_at, 0x0100'0000);
  if (due(short_answer) && packet.size() >= packet_front + 4) {
    packet.resize(packet.size() - 4);
    finish_frame(packet, 0);
  }
  if (due(long_answer)) {
    packet.resize(packet.size() + 8, 0xA5);
    finish_frame(packet, 0);
  }
  if (due(cut_answer) && packet.size() >= 4) packet.resize(packet.size() - 4);
  if (due(error_with_data)) put_at(packet, packet_front, code::device);
  if (due(ams_error) && packet.size() >= packet_front) {
    packet.resize(packet_front);
    finish_frame(packet, 0);
    put_at(packet, ams_error_at, code::no_such_port);
  }
  if (due(garbage_answer)) make_garbage(packet);
  if (due(huge_length)) put_at(packet, tcp_length_at, 0x7FFF'FFFF);
  if (due(zero_length)) put_at(packet, tcp_length_at, 0);
  if (due(length_mismatch)) add_at(packet, ams_length_at, 4);
  if (due(delayed_answer)) return {Fate::send, Duration{delay_.load()}};
  return {};
}

ServerFaults::Verdict FaultScript::notification(std::vector<std::uint8_t>& packet) {
  if (due(no_notification)) return {Fate::drop};
  if (due(lying_sample_size)) add_at(packet, first_size_at, 1);
  if (due(lying_sample_count)) add_at(packet, sample_count_at, 1);
  if (due(stale_handle)) put_at(packet, first_handle_at, 0xDEAD'0001);
  return {};
}

}  // namespace tandem::ads
