// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/numbers.hpp"

namespace tandem::ros2 {
namespace {

// Fast DDS counts through all numbers that a heartbeat leaps over, at 0.4 us each. A writer of a topic needs two years
// at 1 kHz to get here; discovery, one number for each endpoint, gets nowhere near.
constexpr std::int64_t highest_sequence = std::int64_t{1} << 36;
constexpr std::int64_t highest_of_discovery = 1 << 24;
// Fast DDS handles every number by itself: 0.1 s and 16 MB for this many. A longer gap may be left out, as the next
// heartbeat reports it too.
constexpr std::int64_t longest_gap = 1 << 18;
constexpr std::uint32_t most_bits = 256;  // of a set of numbers, by RTPS

// The bits behind the base of a set.
const char* bits_fault(RtpsFields& in) {
  const auto bits = in.next<std::uint32_t>();
  if (bits > most_bits) return "a set of numbers has more than 256 bits";
  in.skip((bits + 31) / 32 * 4);
  return in.ok() ? nullptr : "a set of numbers is longer than its submessage";
}

}  // namespace

bool is_sequence(std::int64_t number) { return number >= 1 && number <= highest_sequence; }

const char* heartbeat_fault(RtpsFields in) {
  in.skip(4);
  const std::int64_t highest = is_builtin(in.entity()) ? highest_of_discovery : highest_sequence, first = in.sequence(),
                     last = in.sequence();
  in.skip(4);
  if (!in.ok()) return "a heartbeat is too short";
  if (first < 1 || last < first - 1 || last > highest) return "HEARTBEAT: invalid sequence numbers";
  return nullptr;
}

const char* gap_fault(RtpsFields in) {
  in.skip(8);
  const std::int64_t start = in.sequence(), base = in.sequence();
  if (const char* fault = bits_fault(in)) return fault;
  if (!is_sequence(start) || !is_sequence(base) || base - start > longest_gap) return "a gap is too long";
  return nullptr;
}

const char* acknack_fault(RtpsFields in) {
  in.skip(8);
  const std::int64_t base = in.sequence();
  if (const char* fault = bits_fault(in)) return fault;
  in.skip(4);
  if (!in.ok()) return "an acknowledgement is too short";
  if (base < 0 || base > highest_sequence) return "ACKNACK: invalid sequence number";
  return nullptr;
}

const char* nack_fragments_fault(RtpsFields in) {
  in.skip(8);
  const std::int64_t sequence = in.sequence();
  in.skip(4);
  if (const char* fault = bits_fault(in)) return fault;
  in.skip(4);
  return in.ok() && is_sequence(sequence) ? nullptr : "a request for fragments is too short";
}

}  // namespace tandem::ros2
