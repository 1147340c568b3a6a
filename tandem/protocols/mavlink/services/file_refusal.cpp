// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/file_refusal.hpp"

#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::mavlink {
namespace {

// Where things are in FILE_TRANSFER_PROTOCOL.payload.
enum FilePlace : std::size_t { at_sequence = 0, at_session = 2, at_code = 3, at_size = 4, at_asked = 5, at_data = 12 };

// What is asked and answered.
constexpr std::uint8_t nothing = 0, end_session = 1, end_sessions = 2, list_directory = 3, open_to_read = 4,
                       checksum = 14, agreed = 128, refused = 129;
// Why it is refused.
constexpr std::uint8_t no_session = 4, at_end = 6, not_known = 7, write_protected = 9, no_such_file = 10;

std::uint8_t reason_for(std::uint8_t asked) {
  constexpr std::uint8_t read = 5, create = 6, write = 7, remove = 8, make_folder = 9, remove_folder = 10,
                         open_to_write = 11, cut = 12, rename = 13, burst = 15;
  switch (asked) {
    case list_directory:
      return at_end;  // there is nothing in it
    case open_to_read:
    case checksum:
    case remove:
    case remove_folder:
    case rename:
      return no_such_file;
    case read:
    case write:
    case burst:
      return no_session;
    case create:
    case make_folder:
    case open_to_write:
    case cut:
      return write_protected;
    default:
      return not_known;
  }
}

}  // namespace

bool refuse_files(const Frame& frame, const Address& own, Outlet& outlet) {
  const auto asked = frame.as<FileTransferProtocol>();
  if (!asked || !frame.meant_for(own)) return false;
  const std::uint8_t code = asked->payload[at_code];
  if (code >= agreed) return true;  // an answer to another client
  FileTransferProtocol answer{.target_system = frame.source.system, .target_component = frame.source.component};
  const unsigned int sequence = asked->payload[at_sequence] | asked->payload[at_sequence + 1] << 8u;
  answer.payload[at_sequence] = static_cast<std::uint8_t>((sequence + 1) & 0xff);
  answer.payload[at_sequence + 1] = static_cast<std::uint8_t>((sequence + 1) >> 8 & 0xff);
  answer.payload[at_session] = asked->payload[at_session];
  answer.payload[at_asked] = code;
  if (code == nothing || code == end_session || code == end_sessions) {
    answer.payload[at_code] = agreed;
  } else {
    answer.payload[at_code] = refused;
    answer.payload[at_size] = 1;
    answer.payload[at_data] = reason_for(code);
  }
  outlet.send(answer);
  return true;
}

}  // namespace tandem::mavlink
