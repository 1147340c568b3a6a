// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/screen.hpp"

#include <algorithm>

#include "tandem/ros2/rtps/numbers.hpp"
#include "tandem/ros2/rtps/relay.hpp"
#include "tandem/ros2/rtps/security.hpp"

namespace tandem::ros2 {
namespace {

// Taken from memory with the first fragment that arrives.
constexpr std::uint32_t largest_sample = 128u << 20;
// Fast DDS keeps a list in the place of missing fragments, four bytes in each.
constexpr std::uint16_t smallest_fragment = 64;

// Builtin endpoints: three bytes of each, behind 0 or, protected, 0xff; the last tells a writer from a reader.
constexpr std::array<std::uint8_t, 2> of_announcements{1, 0}, of_liveliness{2, 0}, of_handshakes{2, 1}, of_keys{2, 2},
    of_writers{0, 3}, of_readers{0, 4};

bool is_for(const std::array<std::uint8_t, 2>& purpose, const Entity& entity) {
  return is_builtin(entity) && (entity[0] == 0 || entity[0] == 0xff) && entity[1] == purpose[0] &&
         entity[2] == purpose[1];
}

const char* fragments_fault(const FragmentPart& part, std::uint16_t count) {
  if (part.size < smallest_fragment) return "fragments are too small";
  if (part.sample == 0 || part.sample > largest_sample) return "a sample in fragments is empty or too large";
  const std::uint64_t total = (std::uint64_t{part.sample} + part.size - 1) / part.size;
  const std::uint64_t last = std::uint64_t{part.first} + count - 1;
  if (part.first == 0 || count == 0 || last > total) return "fragments lie outside their sample";
  const std::uint64_t end = std::min<std::uint64_t>(last * part.size, part.sample);
  if (part.payload.size() < end - (std::uint64_t{part.first} - 1) * part.size) {
    return "a fragment is shorter than it says";
  }
  return nullptr;
}

// The contents of a sample of a builtin topic.
const char* builtin_fault(const Entity& reader, const Entity& writer, Bytes payload, DiscoveryNotes& notes) {
  const auto serves = [&](const auto& purpose) { return is_for(purpose, reader) || is_for(purpose, writer); };
  constexpr std::size_t smallest_liveliness = 24;  // encapsulation, participant, kind, size
  if (serves(of_handshakes) || serves(of_keys)) return generic_message_fault(payload);
  if (serves(of_liveliness)) return payload.size() >= smallest_liveliness ? nullptr : "a sign of life is too short";
  return discovery_fault(payload, notes);
}

// Whether it can be read as a security message up to its counts.
bool is_plain_cdr(Bytes payload) { return payload.size() > generic_message_start && payload[1] <= 1; }

class Screen {
 public:
  Screen(Bytes message, const ScreenRules& rules) : message_(message), rules_(rules) {
    std::ranges::copy(message_.subspan(8, source_.size()), source_.begin());
  }

  Screened result(std::vector<std::uint8_t>& copy);

 private:
  const char* submessage_fault(const Submessage& submessage);
  const char* data_fault(const Submessage& submessage);
  const char* announcement_fault(const InlineQos& qos, const DiscoveryNotes& notes);
  const char* leave_fault(InlineQos qos, Bytes key);
  const char* endpoint_fault(const DiscoveryNotes& notes);
  const char* relayed_fault(bool announcement, const InlineQos& qos, std::optional<Bytes> payload,
                            std::size_t payload_at);
  void add(const DiscoveryNotes& notes, std::size_t payload_at);
  const char* fragment_fault(const Submessage& submessage);
  const char* notes_fault();
  // Whether the reader of handshakes may read it: it takes what any writer sends unsigned to no reader by name.
  bool is_open_handshake(const Entity& reader) const { return rules_.secured && !is_sealed() && reader == Entity{}; }
  // Fast DDS checks the signature of the submessage and drops the message if it is wrong; so it may not be changed.
  bool is_sealed() const { return rules_.secured && (all_sealed_ || next_sealed_); }

  Bytes message_;
  const ScreenRules& rules_;
  ParticipantPrefix source_{};  // who sent it
  DiscoveryNotes notes_;
  Screened result_;
  std::optional<ParticipantPrefix> destination_;
  std::optional<ParticipantPrefix> subject_;  // of whom a server speaks
  bool relayed_ = false, announced_ = false;
  bool all_sealed_ = false, next_sealed_ = false;
};

const char* Screen::data_fault(const Submessage& submessage) {
  const auto [kind, flags, start, body] = submessage;
  const bool inline_qos = (flags & 2) != 0, has_data = (flags & 4) != 0, has_key = (flags & 8) != 0;
  RtpsFields in(body, submessage.little());
  in.skip(2);
  const std::size_t to_qos = in.next<std::uint16_t>();
  const Entity reader = in.entity(), writer = in.entity();
  const std::int64_t sequence = in.sequence();
  if (!in.ok()) return "data is too short";
  if (!is_sequence(sequence)) return "DATA: invalid sequence number";
  if (to_qos < 16u || to_qos + 4 > body.size()) return "data begins outside its submessage";
  RtpsFields rest(body.subspan(to_qos + 4), submessage.little());
  InlineQos qos;
  if (inline_qos) {
    if (const char* fault = inline_qos_fault(rest, participant_guid(source_), qos)) return fault;
  }
  if (has_data && has_key) return "data is a key as well";
  if ((has_data || has_key) && rest.remaining() < 4) return "data is shorter than its header";
  if (is_open_handshake(reader) && has_data) {
    const Bytes payload = RtpsFields(rest).rest();
    if (is_plain_cdr(payload)) {
      if (const char* fault = generic_message_fault(payload)) return fault;
    }
  }
  if (!is_builtin(writer) && !is_builtin(reader)) return nullptr;
  const auto serves = [&](const auto& purpose) { return is_for(purpose, reader) || is_for(purpose, writer); };
  const bool announcement = serves(of_announcements), of_endpoints = serves(of_writers) || serves(of_readers);
  const bool by_server = rules_.may_relay && (announcement || of_endpoints);
  if (announcement) {
    if (announced_) return "it has several announcements";
    if (relayed_ || (qos.names_another && !by_server)) return "it announces another participant";
    announced_ = true;
    result_.sequence = sequence;
  }
  const Bytes payload = rest.rest();
  if (by_server) {
    if (has_key && !key_agrees(qos, payload)) return "a key is not the one of its hash";
    return relayed_fault(announcement, qos, has_data ? std::optional(payload) : std::nullopt,
                         start + 4 + body.size() - payload.size());
  }
  if (!has_data) return announcement ? leave_fault(qos, has_key ? payload : Bytes()) : nullptr;
  DiscoveryNotes notes;
  if (const char* fault = builtin_fault(reader, writer, payload, notes)) return fault;
  const std::optional<Guid>& whose = notes.participant;
  const bool is_own = whose && std::ranges::equal(Bytes(*whose).first(source_.size()), source_);
  if (whose && (relayed_ || notes.names_several || !is_own)) return "it announces another participant";
  if (announcement) {
    if (const char* fault = announcement_fault(qos, notes)) return fault;
  }
  if (of_endpoints && !is_sealed()) {
    if (const char* fault = endpoint_fault(notes)) return fault;
  }
  if (!is_sealed()) add(notes, start + 4 + body.size() - payload.size());
  return nullptr;
}

// Each announces only itself. For Fast DDS the end of a participant may come with data, too.
const char* Screen::announcement_fault(const InlineQos& qos, const DiscoveryNotes& notes) {
  const Guid own = participant_guid(source_);
  if (!notes.participant) return "an announcement names no participant";
  if (*notes.participant != own || notes.key.value_or(own) != own) return "it announces another participant";
  if (qos.ends) {
    result_.takes_leave = true;
    result_.ends = source_;
    return nullptr;
  }
  if (!notes.names_endpoints) return "it announces no builtin endpoints";
  result_.announces = source_;
  result_.lease = notes.lease;
  return nullptr;
}

// Fast DDS gives it to the participant that its GUID names, whoever sent it, and takes memory for each.
const char* Screen::endpoint_fault(const DiscoveryNotes& notes) {
  for (const std::optional<Guid>& named : {notes.endpoint, notes.key}) {
    if (!named) continue;
    if (notes.names_several || !std::ranges::equal(Bytes(*named).first(source_.size()), source_))
      return "it describes a reader or writer of another participant";
    result_.describes_endpoints = true;
  }
  return nullptr;
}

// One sample in a message, as Fast DDS believes the server whatever it says of whom.
const char* Screen::relayed_fault(bool announcement, const InlineQos& qos, std::optional<Bytes> payload,
                                  std::size_t payload_at) {
  if (relayed_ || subject_) return "a server speaks for several participants at once";
  DiscoveryNotes notes;
  if (payload) {
    if (const char* fault = discovery_fault(*payload, notes)) return fault;
  }
  const DiscoveryNotes* const described = payload ? &notes : nullptr;
  const Relay relay = announcement ? relayed_participant(qos, described) : relayed_endpoint(qos, described);
  if (relay.fault != nullptr) return relay.fault;
  if (!rules_.may_relay(relay.whose)) return "a server speaks of a participant that speaks for itself";
  subject_ = relay.whose;
  if (announcement && relay.ends) {
    result_.takes_leave = true;
    result_.ends = relay.whose;
  } else if (announcement) {
    result_.announces = relay.whose;
    result_.lease = notes.lease;
  }
  result_.describes_endpoints = !announcement && !relay.ends;
  add(notes, payload_at);
  return nullptr;
}

// An announcement without data. Fast DDS takes a short key as it is; Cyclone DDS sends a list of parameters instead.
const char* Screen::leave_fault(InlineQos qos, Bytes key) {
  const Guid own = participant_guid(source_);
  if (!key.empty() && key.size() <= own.size()) {
    if (!std::ranges::equal(key, own)) return "it announces another participant";
    qos.has_key = true;
  }
  DiscoveryNotes notes;
  if (key.size() > own.size() && discovery_fault(key, notes) == nullptr) {
    const bool names_another = notes.participant.value_or(own) != own || notes.key.value_or(own) != own;
    if (notes.names_several || names_another) return "it announces another participant";
    qos.has_key = qos.has_key || notes.participant || notes.key;
  }
  result_.takes_leave = true;
  if (qos.ends && qos.has_key) result_.ends = source_;
  return nullptr;
}

void Screen::add(const DiscoveryNotes& notes, std::size_t payload_at) {
  for (Patch patch : notes.patches) {
    patch.place += payload_at;
    notes_.patches.push_back(patch);
  }
  for (LocatorNote locator : notes.locators) {
    locator.place += payload_at;
    notes_.locators.push_back(locator);
  }
}

const char* Screen::fragment_fault(const Submessage& submessage) {
  const auto [kind, flags, start, body] = submessage;
  RtpsFields in(body, submessage.little());
  in.skip(2);
  const std::size_t to_qos = in.next<std::uint16_t>();
  FragmentPart part{.header = message_.first(rtps_header_size), .destination = destination_};
  part.reader = in.entity();
  part.writer = in.entity();
  part.sequence = in.sequence();
  part.first = in.next<std::uint32_t>();
  const auto count = in.next<std::uint16_t>();
  part.size = in.next<std::uint16_t>();
  part.sample = in.next<std::uint32_t>();
  if (!in.ok()) return "data is too short";
  if (!is_sequence(part.sequence)) return "DATA: invalid sequence number";
  if (to_qos < 28u || to_qos + 4 > body.size()) return "data begins outside its submessage";
  RtpsFields rest(body.subspan(to_qos + 4), submessage.little());
  if ((flags & 2) != 0) {
    InlineQos ignored;  // it does not come with the whole
    if (const char* fault = inline_qos_fault(rest, participant_guid(source_), ignored)) return fault;
  }
  if ((flags & 4) != 0) return "a key comes in fragments";
  part.payload = rest.rest();
  if (const char* fault = fragments_fault(part, count)) return fault;
  const bool for_topic = !is_builtin(part.writer) && !is_builtin(part.reader);
  if ((for_topic && !is_open_handshake(part.reader)) || is_sealed()) return nullptr;
  if (relayed_) return "discovery is relayed in fragments";
  if (part.sample > Reassembly::largest_sample) return "a sample of discovery is too large";
  result_.fragments.push_back(part);
  notes_.patches.push_back({start, 1, {static_cast<std::uint8_t>(SubmessageKind::ignored)}});
  return nullptr;
}

const char* Screen::submessage_fault(const Submessage& submessage) {
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
      relayed_ = true;
      return body.size() >= 20 ? nullptr : "the name of a source is too short";
    case info_destination:
      if (body.size() < 12) return "the name of a destination is too short";
      destination_.emplace();
      std::ranges::copy(body.first(12), destination_->begin());
      return nullptr;
    case nack_fragments:
      return nack_fragments_fault(in);
    case heartbeat_fragments:
      return body.size() >= 24 ? nullptr : "a heartbeat of fragments is too short";
    case data:
      return data_fault(submessage);
    case data_fragments:
      return fragment_fault(submessage);
    default:
      return protection_fault(submessage);  // or padding, or a vendor's own
  }
}

// Where the participant is: a stranger that names the address of another would have us send there.
const char* Screen::notes_fault() {
  if (!rules_.is_address_of) return nullptr;
  const bool by_server = subject_ && result_.announces && rules_.may_announce_at;
  const auto& is_allowed = by_server ? rules_.may_announce_at : rules_.is_address_of;
  std::size_t unicast = 0, kept = 0;
  for (const LocatorNote& locator : notes_.locators) {
    const bool good = (locator.for_multicast || !is_multicast(locator.address)) &&
                      is_allowed(subject_.value_or(source_), locator.address);
    unicast += locator.for_multicast ? 0 : 1;
    kept += good && !locator.for_multicast ? 1 : 0;
    if (!good) notes_.patches.push_back(hidden_parameter(locator.place));
  }
  result_.hides_addresses = kept < unicast;
  if (result_.announces && unicast > 0 && kept == 0) {
    if (subject_) return "a server announces a participant without an address that can be reached";
    return "it announces only addresses that it does not send from; behind NAT, list them in static_peers";
  }
  return nullptr;
}

Screened Screen::result(std::vector<std::uint8_t>& copy) {
  const bool from_eprosima = message_[6] == 1 && message_[7] == 15;
  Submessages submessages(message_);
  while (const std::optional<Submessage> submessage = submessages.next()) {
    // Fast DDS holds the sender's counters for monotonic, by assert. Nothing here reads them.
    if (submessage->kind == SubmessageKind::statistics && from_eprosima) {
      if (submessages.remaining() > 0) return {"statistics come before the end"};
      message_ = message_.first(submessage->start);
      break;
    }
    if (submessage->body.size() % 4 != 0 && submessages.remaining() > 0) return {"a submessage begins between words"};
    if (submessage->start == rtps_header_size) all_sealed_ = submessage->kind == SubmessageKind::srtps_prefix;
    if (const char* fault = submessage_fault(*submessage)) return {fault};
    next_sealed_ = submessage->kind == SubmessageKind::sec_prefix;
  }
  if (submessages.broken()) return {"a submessage is longer than its message"};
  if (const char* fault = notes_fault()) return {fault};
  result_.message = message_;
  if (notes_.patches.empty()) return std::move(result_);
  copy.assign(message_.begin(), message_.end());
  for (const Patch& patch : notes_.patches) {
    std::copy_n(patch.bytes.begin(), patch.size, copy.begin() + static_cast<std::ptrdiff_t>(patch.place));
  }
  result_.message = copy;
  return std::move(result_);
}

}  // namespace

Screened screened(Bytes message, std::vector<std::uint8_t>& copy, const ScreenRules& rules) {
  if (message.size() < rtps_header_size || ByteReader(message).text(4) != "RTPS") return {"it is no RTPS message"};
  return Screen(message, rules).result(copy);
}

}  // namespace tandem::ros2
