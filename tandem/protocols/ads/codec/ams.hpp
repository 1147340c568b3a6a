// SPDX-License-Identifier: Apache-2.0
// AMS: the addresses, the packet header and the numbers of Beckhoff's ADS protocol. All fields are little-endian.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"

namespace tandem::ads {

// The six numbers that name a machine to AMS routers; "192.168.0.231.1.1" as text. Not an IP address.
struct NetId {
  std::array<std::uint8_t, 6> bytes{};

  // Exactly six decimal numbers of 0 to 255 with dots between them, or nothing.
  static std::optional<NetId> parse(std::string_view text);
  // The customary NetId of a machine: its IPv4 address (host byte order) and ".1.1".
  static NetId from_ipv4(std::uint32_t address);

  std::string text() const;
  bool empty() const { return *this == NetId{}; }
  friend auto operator<=>(const NetId&, const NetId&) = default;
};

// A machine and a port on it; "192.168.0.231.1.1:851" as text.
struct AmsAddress {
  NetId net_id;
  std::uint16_t port = 0;

  static std::optional<AmsAddress> parse(std::string_view text);
  std::string text() const;
  friend auto operator<=>(const AmsAddress&, const AmsAddress&) = default;
};

inline constexpr std::uint16_t tcp_port = 48898;
inline constexpr std::uint16_t udp_port = 48899;

namespace port {
inline constexpr std::uint16_t router = 1;
inline constexpr std::uint16_t plc_tc2 = 801;
inline constexpr std::uint16_t plc = 851;  // first PLC of TwinCAT 3
inline constexpr std::uint16_t system_service = 10000;
inline constexpr std::uint16_t first_client = 30000;
}  // namespace port

// What the six bytes in front of every packet announce.
enum class TcpCommand : std::uint16_t {
  ams = 0x0000,
  port_close = 0x0001,
  port_connect = 0x1000,
  router_note = 0x1001,
  local_net_id = 0x1002,
};

enum class Command : std::uint16_t {
  read_device_info = 1,
  read = 2,
  write = 3,
  read_state = 4,
  write_control = 5,
  add_notification = 6,
  delete_notification = 7,
  notification = 8,
  read_write = 9,
};
const char* name(Command command);

enum class AdsState : std::uint16_t {
  invalid = 0,
  idle,
  reset,
  init,
  start,
  run,
  stop,
  save_config,
  load_config,
  power_fail,
  power_good,
  error,
  shutdown,
  suspend,
  resume,
  config,
  reconfig,
  stopping,
  incompatible,
  exception,
};
const char* name(AdsState state);

enum class TransMode : std::uint32_t {
  none = 0,
  client_cycle = 1,
  client_on_change = 2,
  server_cycle = 3,      // every cycle time
  server_on_change = 4,  // looked at every cycle time, sent when different
  server_cycle_2 = 5,
  server_on_change_2 = 6,
  client_one_request = 10,
};

// Index groups: what a read or write is aimed at; the meaning of the offset depends on the group.
namespace group {
inline constexpr std::uint32_t system_state = 0x00F0;  // on the system service: its state, 16 bytes
inline constexpr std::uint32_t memory = 0x4020;        // %M, offset in bytes
inline constexpr std::uint32_t memory_bits = 0x4021;   // %MX, offset in bits
inline constexpr std::uint32_t retain = 0x4030;
inline constexpr std::uint32_t data = 0x4040;  // variables without an address of their own
inline constexpr std::uint32_t handle_by_name = 0xF003;
inline constexpr std::uint32_t value_by_name = 0xF004;
inline constexpr std::uint32_t value_by_handle = 0xF005;
inline constexpr std::uint32_t release_handle = 0xF006;
inline constexpr std::uint32_t info_by_name = 0xF007;
inline constexpr std::uint32_t symbol_version = 0xF008;
inline constexpr std::uint32_t info_by_name_ex = 0xF009;
inline constexpr std::uint32_t symbol_upload = 0xF00B;
inline constexpr std::uint32_t symbol_upload_info = 0xF00C;
inline constexpr std::uint32_t type_upload = 0xF00E;
inline constexpr std::uint32_t symbol_upload_info_2 = 0xF00F;
inline constexpr std::uint32_t symbol_note = 0xF010;
inline constexpr std::uint32_t type_by_name_ex = 0xF011;
inline constexpr std::uint32_t input = 0xF020;
inline constexpr std::uint32_t input_bits = 0xF021;
inline constexpr std::uint32_t output = 0xF030;
inline constexpr std::uint32_t output_bits = 0xF031;
inline constexpr std::uint32_t sum_read = 0xF080;
inline constexpr std::uint32_t sum_write = 0xF081;
inline constexpr std::uint32_t sum_read_write = 0xF082;
inline constexpr std::uint32_t sum_read_ex = 0xF083;
inline constexpr std::uint32_t sum_read_ex_2 = 0xF084;
inline constexpr std::uint32_t sum_add_notification = 0xF085;
inline constexpr std::uint32_t sum_delete_notification = 0xF086;
inline constexpr std::uint32_t device_data = 0xF100;  // offset 0 ADS state, offset 2 device state
}  // namespace group

namespace flag {
inline constexpr std::uint16_t response = 0x0001;
inline constexpr std::uint16_t no_return = 0x0002;
inline constexpr std::uint16_t ads_command = 0x0004;
}  // namespace flag

// The 32 bytes between the six of AMS/TCP and the payload.
struct AmsHeader {
  static constexpr std::size_t size = 32;

  AmsAddress target;
  AmsAddress source;
  Command command = Command::read;
  std::uint16_t flags = flag::ads_command;
  std::uint32_t length = 0;     // bytes of payload
  std::uint32_t error = 0;      // AMS error code; non-zero wins over whatever follows
  std::uint32_t invoke_id = 0;  // copied into the response

  bool response() const { return (flags & flag::response) != 0; }
  friend bool operator==(const AmsHeader&, const AmsHeader&) = default;
};

// The header of the answer to a request: addresses swapped, same command and invoke id.
AmsHeader response_to(const AmsHeader& request, std::uint32_t error = 0);

void encode(ByteWriter& writer, const NetId& net_id);
void encode(ByteWriter& writer, const AmsAddress& address);
void encode(ByteWriter& writer, const AmsHeader& header);
// Zeros and a failed reader when the bytes are not there.
NetId take_net_id(ByteReader& reader);
AmsAddress take_address(ByteReader& reader);
AmsHeader take_header(ByteReader& reader);

// One packet at the end of `out`: begin writes the 38 bytes in front, the caller appends the payload, finish fills in
// both lengths. Several packets may be in one buffer.
inline constexpr std::size_t tcp_header_size = 6;
std::size_t begin_frame(std::vector<std::uint8_t>& out, const AmsHeader& header);
void finish_frame(std::vector<std::uint8_t>& out, std::size_t begun_at);

}  // namespace tandem::ads
