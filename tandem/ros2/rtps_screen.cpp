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

enum Kind : std::uint8_t {
  acknack = 0x06,
  heartbeat = 0x07,
  gap = 0x08,
  info_timestamp = 0x09,
  info_source = 0x0c,
  info_destination = 0x0e,
  nack_fragments = 0x12,
  heartbeat_fragments = 0x13,
  data = 0x15,
  data_fragments = 0x16,
  statistics = 0x80,  // of eProsima
};

// Reads fields in the byte order of their submessage.
class Fields {
 public:
  Fields(Bytes bytes, bool little) : in_(bytes), little_(little) {}

  template <Wire T>
  T next() {
    return little_ ? in_.little<T>() : in_.big<T>();
  }
  std::int64_t sequence() {
    const auto high = next<std::int32_t>();
    return (std::int64_t{high} << 32) | next<std::uint32_t>();
  }
  // The numbers that a writer, named next, may have reached.
  std::int64_t highest() {
    in_.skip(3);
    const bool of_discovery = (in_.byte() & 0xc0) == 0xc0;
    return of_discovery ? highest_of_discovery : highest_sequence;
  }
  void skip(std::size_t count) { in_.skip(count); }
  bool ok() const { return in_.ok(); }
  std::size_t remaining() const { return in_.remaining(); }

 private:
  ByteReader in_;
  bool little_;
};

bool is_sequence(std::int64_t number) { return number >= 1 && number <= highest_sequence; }

// The bits behind the base of a set.
const char* bits_fault(Fields& in) {
  const auto bits = in.next<std::uint32_t>();
  if (bits > most_bits) return "a set of numbers has more than 256 bits";
  in.skip((bits + 31) / 32 * 4);
  return in.ok() ? nullptr : "a set of numbers is longer than its submessage";
}

const char* heartbeat_fault(Fields in) {
  in.skip(4);
  const std::int64_t highest = in.highest(), first = in.sequence(), last = in.sequence();
  in.skip(4);
  if (!in.ok()) return "a heartbeat is too short";
  if (first < 1 || last < first - 1 || last > highest) return "a heartbeat has numbers that cannot be";
  return nullptr;
}

const char* gap_fault(Fields in) {
  in.skip(8);
  const std::int64_t start = in.sequence(), base = in.sequence();
  if (const char* fault = bits_fault(in)) return fault;
  if (!is_sequence(start) || !is_sequence(base) || base - start > longest_gap) return "a gap is too long";
  return nullptr;
}

const char* acknack_fault(Fields in) {
  in.skip(8);
  const std::int64_t base = in.sequence();
  if (const char* fault = bits_fault(in)) return fault;
  in.skip(4);
  if (!in.ok()) return "an acknowledgement is too short";
  if (base < 0 || base > highest_sequence) return "an acknowledgement has numbers that cannot be";
  return nullptr;
}

const char* nack_fragments_fault(Fields in) {
  in.skip(8);
  const std::int64_t sequence = in.sequence();
  in.skip(4);
  if (const char* fault = bits_fault(in)) return fault;
  in.skip(4);
  return in.ok() && is_sequence(sequence) ? nullptr : "a request for fragments is too short";
}

// Reads parameters up to and with their end mark.
const char* parameters_fault(Fields& in) {
  constexpr std::uint16_t end_mark = 1;
  while (in.ok()) {
    const auto id = in.next<std::uint16_t>(), length = in.next<std::uint16_t>();
    if (!in.ok()) break;
    if (id == end_mark) return nullptr;
    in.skip((std::size_t{length} + 3) / 4 * 4);
  }
  return "a list of parameters has no end";
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

const char* data_fault(Bytes body, std::uint8_t flags, bool in_fragments) {
  const bool little = (flags & 1) != 0, inline_qos = (flags & 2) != 0;
  Fields in(body, little);
  in.skip(2);
  const std::size_t to_qos = in.next<std::uint16_t>();
  in.skip(8);
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
  Fields rest(body.subspan(to_qos + 4), little);
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
  return nullptr;
}

const char* submessage_fault(std::uint8_t kind, std::uint8_t flags, Bytes body) {
  const bool little = (flags & 1) != 0;
  const Fields in(body, little);
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
      return data_fault(body, flags, false);
    case data_fragments:
      return data_fault(body, flags, true);
    default:
      return nullptr;  // padding, security, vendors' own
  }
}

}  // namespace

Screened screened(Bytes message) {
  constexpr std::size_t header_size = 20;
  constexpr std::uint8_t padding = 0x01;
  ByteReader in(message);
  if (in.text(4) != "RTPS" || message.size() < header_size) return {"it is no RTPS message", {}};
  const bool from_eprosima = message[6] == 1 && message[7] == 15;
  in.skip(header_size - 4);
  while (in.remaining() > 0) {
    const std::size_t start = in.position();
    const std::uint8_t kind = in.byte(), flags = in.byte();
    std::size_t length = (flags & 1) != 0 ? in.little<std::uint16_t>() : in.big<std::uint16_t>();
    if (!in.ok() || length > in.remaining()) return {"a submessage is longer than its message", {}};
    if (length == 0 && kind != info_timestamp && kind != padding) length = in.remaining();
    const Bytes body = in.bytes(length);
    // Fast DDS holds the sender's counters for monotonic, by assert. Nobody here wants them.
    if (kind == statistics && from_eprosima) {
      if (in.remaining() > 0) return {"statistics come before the end", {}};
      return {nullptr, message.first(start)};
    }
    if (length % 4 != 0 && in.remaining() > 0) return {"a submessage begins between words", {}};
    if (const char* fault = submessage_fault(kind, flags, body)) return {fault, {}};
  }
  return {nullptr, message};
}

}  // namespace tandem::ros2
