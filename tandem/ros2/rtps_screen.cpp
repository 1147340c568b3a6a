#include "tandem/ros2/rtps_screen.hpp"

#include <algorithm>

namespace tandem::ros2 {
namespace {

// Fast DDS counts through all numbers that a heartbeat leaps over, at 0.4 us each. A writer of a topic needs two years
// at 1 kHz to get here; discovery, one number for each endpoint, gets nowhere near.
constexpr std::int64_t highest_sequence = std::int64_t{1} << 36;
constexpr std::int64_t highest_of_discovery = 1 << 24;
// Fast DDS handles every number by itself: 0.1 s and 16 MB for so many. A longer gap may be left out, as the next
// heartbeat tells it too.
constexpr std::int64_t longest_gap = 1 << 18;
// Taken from memory with the first fragment that arrives.
constexpr std::uint32_t largest_sample = 128u << 20;
// Fast DDS keeps a list in the place of missing fragments, four bytes in each.
constexpr std::uint16_t smallest_fragment = 64;
constexpr std::uint32_t most_bits = 256;  // of a set of numbers, by RTPS

bool is_sequence(std::int64_t number) { return number >= 1 && number <= highest_sequence; }

// The bits behind the base of a set.
const char* bits_fault(RtpsFields& in) {
  const auto bits = in.next<std::uint32_t>();
  if (bits > most_bits) return "a set of numbers has more than 256 bits";
  in.skip((bits + 31) / 32 * 4);
  return in.ok() ? nullptr : "a set of numbers is longer than its submessage";
}

const char* heartbeat_fault(RtpsFields in) {
  in.skip(4);
  const std::int64_t highest = in.of_discovery() ? highest_of_discovery : highest_sequence, first = in.sequence(),
                     last = in.sequence();
  in.skip(4);
  if (!in.ok()) return "a heartbeat is too short";
  if (first < 1 || last < first - 1 || last > highest) return "a heartbeat has numbers that cannot be";
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
  if (base < 0 || base > highest_sequence) return "an acknowledgement has numbers that cannot be";
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

struct Fragments {
  std::uint32_t first = 0;
  std::uint16_t count = 0;
  std::uint16_t size = 0;
  std::uint32_t sample = 0;
};

const char* fragments_fault(const Fragments& fragments, std::size_t payload) {
  const auto [first, count, size, sample] = fragments;
  if (size < smallest_fragment) return "fragments are too small";
  if (sample == 0 || sample > largest_sample) return "a sample in fragments is empty or too large";
  const std::uint64_t total = (std::uint64_t{sample} + size - 1) / size;
  const std::uint64_t last = std::uint64_t{first} + count - 1;
  if (first == 0 || count == 0 || last > total) return "fragments lie outside their sample";
  const std::uint64_t end = std::min<std::uint64_t>(last * size, sample);
  if (payload < end - (std::uint64_t{first} - 1) * size) return "a fragment is shorter than it says";
  return nullptr;
}

const char* data_fault(Bytes body, std::uint8_t flags, bool in_fragments, DiscoveryNotes& notes) {
  const bool little = (flags & 1) != 0, inline_qos = (flags & 2) != 0;
  RtpsFields in(body, little);
  in.skip(2);
  const std::size_t to_qos = in.next<std::uint16_t>();
  in.skip(4);
  const bool of_discovery = in.of_discovery();
  const std::int64_t sequence = in.sequence();
  Fragments fragments;
  if (in_fragments) {
    fragments.first = in.next<std::uint32_t>();
    fragments.count = in.next<std::uint16_t>();
    fragments.size = in.next<std::uint16_t>();
    fragments.sample = in.next<std::uint32_t>();
  }
  if (!in.ok()) return "data is too short";
  if (!is_sequence(sequence)) return "data has a number that cannot be";
  if (to_qos < (in_fragments ? 28u : 16u) || to_qos + 4 > body.size()) return "data begins outside its submessage";
  RtpsFields rest(body.subspan(to_qos + 4), little);
  if (inline_qos) {
    if (const char* fault = parameters_fault(rest)) return fault;
  }
  if (in_fragments) {
    if ((flags & 4) != 0) return "a key comes in fragments";
    return fragments_fault(fragments, rest.remaining());
  }
  const bool has_data = (flags & 4) != 0, has_key = (flags & 8) != 0;
  if (has_data && has_key) return "data is a key as well";
  if ((has_data || has_key) && rest.remaining() < 4) return "data is shorter than its header";
  if (!has_data || !of_discovery) return nullptr;
  const Bytes payload = rest.rest();
  const std::size_t first = notes.hidden.size();
  if (const char* fault = discovery_fault(payload, notes)) return fault;
  for (std::size_t i = first; i < notes.hidden.size(); ++i) notes.hidden[i] += body.size() - payload.size();
  return nullptr;
}

const char* submessage_fault(const Submessage& submessage, DiscoveryNotes& notes) {
  using enum SubmessageKind;
  const auto [kind, flags, start, body] = submessage;
  const RtpsFields in(body, submessage.little());
  switch (kind) {
    case acknack:
      return acknack_fault(in);
    case heartbeat:
      return heartbeat_fault(in);
    case gap:
      return gap_fault(in);
    case info_timestamp:
      return (flags & 2) != 0 || body.size() >= 8 ? nullptr : "a time stamp is too short";
    case info_source:
      return body.size() >= 20 ? nullptr : "the name of a source is too short";
    case info_destination:
      return body.size() >= 12 ? nullptr : "the name of a destination is too short";
    case nack_fragments:
      return nack_fragments_fault(in);
    case heartbeat_fragments:
      return body.size() >= 24 ? nullptr : "a heartbeat of fragments is too short";
    case data:
      return data_fault(body, flags, false, notes);
    case data_fragments:
      return data_fault(body, flags, true, notes);
    default:
      return nullptr;  // padding, security, vendors' own
  }
}

}  // namespace

Screened screened(Bytes message, std::vector<std::uint8_t>& copy) {
  if (message.size() < rtps_header_size || ByteReader(message).text(4) != "RTPS") return {"it is no RTPS message", {}};
  const bool from_eprosima = message[6] == 1 && message[7] == 15;
  DiscoveryNotes notes;
  bool relayed = false;
  Submessages submessages(message);
  while (const std::optional<Submessage> submessage = submessages.next()) {
    // Fast DDS holds the sender's counters for monotonic, by assert. Nobody here wants them.
    if (submessage->kind == SubmessageKind::statistics && from_eprosima) {
      if (submessages.remaining() > 0) return {"statistics come before the end", {}};
      message = message.first(submessage->start);
      break;
    }
    if (submessage->body.size() % 4 != 0 && submessages.remaining() > 0) {
      return {"a submessage begins between words", {}};
    }
    const std::size_t first_hidden = notes.hidden.size();
    if (const char* fault = submessage_fault(*submessage, notes)) return {fault, {}};
    for (std::size_t i = first_hidden; i < notes.hidden.size(); ++i) notes.hidden[i] += submessage->start + 4;
    relayed = relayed || submessage->kind == SubmessageKind::info_source;
  }
  if (submessages.broken()) return {"a submessage is longer than its message", {}};
  Screened result{nullptr, message, {}, notes.lease};
  if (notes.participant) {
    // Everybody announces only itself.
    if (relayed || !std::equal(notes.participant->begin(), notes.participant->end(), message.begin() + 8)) {
      return {"it announces somebody else", {}};
    }
    result.announces = notes.participant;
  }
  if (notes.hidden.empty()) return result;
  copy.assign(message.begin(), message.end());
  for (const std::size_t place : notes.hidden) copy[place] = copy[place + 1] = 0;  // a pad, which is skipped
  result.message = copy;
  return result;
}

}  // namespace tandem::ros2
