#include "tandem/ros2/rtps_parameters.hpp"

#include <algorithm>
#include <cstdint>

namespace tandem::ros2 {
namespace {

constexpr std::uint16_t end_mark = 0x0001;

// Texts and octets end at a multiple of four, but for the last, which may end with its parameter.
bool skip_counted(RtpsFields& in) {
  const std::size_t size = in.next<std::uint32_t>();
  if (!in.ok() || size > in.remaining()) return false;
  in.skip(std::min((size + 3) / 4 * 4, in.remaining()));
  return true;
}

// Each has at least the four bytes of its own size.
bool skip_many_counted(RtpsFields& in, std::size_t in_each) {
  const std::size_t count = in.next<std::uint32_t>();
  if (!in.ok() || count > in.remaining() / (4 * in_each)) return false;
  for (std::size_t i = 0; i < count * in_each; ++i) {
    if (!skip_counted(in)) return false;
  }
  return true;
}

bool skip_numbers(RtpsFields& in, std::size_t size) {
  const std::size_t count = in.next<std::uint32_t>();
  return in.ok() && count <= in.remaining() / size;
}

// Whether all that a parameter counts lies within it.
bool is_sound(std::uint16_t id, RtpsFields in) {
  switch (id) {
    case 0x0005:  // name of a topic
    case 0x0007:  // name of a type
    case 0x0062:  // name of a participant
    case 0x002c:  // user data
    case 0x002d:  // group data
    case 0x002e:  // topic data
      return skip_counted(in);
    case 0x0029:  // partitions
      return skip_many_counted(in, 1);
    case 0x0035:  // content filter: three names and an expression, and its arguments
      return skip_counted(in) && skip_counted(in) && skip_counted(in) && skip_counted(in) && skip_many_counted(in, 1);
    case 0x0059:  // properties
      return skip_many_counted(in, 2);
    case 0x0073:  // data representations
      return skip_numbers(in, 2);
    case 0x1001:  // token of identity
    case 0x1002:  // token of permissions
    case 0x1006:  // token of the identity's status
      return skip_counted(in) && skip_many_counted(in, 2) && skip_many_counted(in, 2);
    case 0x8006:  // data sharing domains
      return skip_numbers(in, 8);
    case 0x002f:  // locators
    case 0x0030:
    case 0x0031:
    case 0x0032:
    case 0x0033:
    case 0x0048:
      return in.remaining() >= 24;
    default:
      return true;
  }
}

void take_note(std::uint16_t id, RtpsFields in, DiscoveryNotes& notes) {
  constexpr std::uint16_t lease = 0x0002, participant = 0x0050;
  if (id == lease) {
    const auto whole = in.next<std::int32_t>();
    if (in.ok()) notes.lease = whole;
  } else if (id == participant && in.remaining() >= 16) {
    notes.participant.emplace();
    std::ranges::copy(in.rest().first(12), notes.participant->begin());
  }
}

bool describes_type(std::uint16_t id) { return id == 0x0069 || id == 0x0072 || id == 0x0075; }

}  // namespace

const char* parameters_fault(RtpsFields& in) {
  while (in.ok()) {
    const auto id = in.next<std::uint16_t>(), length = in.next<std::uint16_t>();
    if (!in.ok()) break;
    if (id == end_mark) return nullptr;
    in.skip((std::size_t{length} + 3) / 4 * 4);
  }
  return "a list of parameters has no end";
}

const char* discovery_fault(Bytes payload, DiscoveryNotes& notes) {
  constexpr std::uint8_t list_big = 2, list_little = 3;
  if (payload.size() < 4 || (payload[1] != list_big && payload[1] != list_little)) return nullptr;  // no such list
  RtpsFields in(payload, payload[1] == list_little);
  in.skip(4);
  while (true) {
    const std::size_t start = in.position();
    const auto id = in.next<std::uint16_t>(), length = in.next<std::uint16_t>();
    if (in.ok() && id == end_mark) return nullptr;
    const RtpsFields value = in.part(length);
    if (!in.ok()) return "a list of parameters has no end";
    in.skip(std::min<std::size_t>((4 - length % 4) % 4, in.remaining()));
    if (!is_sound(id, value)) return "a parameter counts more than it holds";
    take_note(id, value, notes);
    if (describes_type(id)) notes.hidden.push_back(start);
  }
}

}  // namespace tandem::ros2
