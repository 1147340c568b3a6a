// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/ams.hpp"

#include <fmt/format.h>

#include <charconv>

namespace tandem::ads {

std::optional<NetId> NetId::parse(std::string_view text) {
  NetId id;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < id.bytes.size(); ++i) {
    if (i > 0) {
      if (at == end || *at != '.') return std::nullopt;
      ++at;
    }
    const auto [next, failure] = std::from_chars(at, end, id.bytes[i]);
    if (failure != std::errc{}) return std::nullopt;
    at = next;
  }
  if (at != end) return std::nullopt;
  return id;
}

NetId NetId::from_ipv4(std::uint32_t address) {
  const auto part = [address](int shift) { return static_cast<std::uint8_t>(address >> shift); };
  return {{part(24), part(16), part(8), part(0), 1, 1}};
}

std::string NetId::text() const { return fmt::format("{}", fmt::join(bytes, ".")); }

std::optional<AmsAddress> AmsAddress::parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto net_id = NetId::parse(text.substr(0, colon));
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [next, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (!net_id || failure != std::errc{} || next != digits.data() + digits.size()) return std::nullopt;
  return AmsAddress{*net_id, port};
}

std::string AmsAddress::text() const { return fmt::format("{}:{}", net_id.text(), port); }

const char* name(Command command) {
  switch (command) {
    case Command::read_device_info:
      return "read device info";
    case Command::read:
      return "read";
    case Command::write:
      return "write";
    case Command::read_state:
      return "read state";
    case Command::write_control:
      return "write control";
    case Command::add_notification:
      return "add notification";
    case Command::delete_notification:
      return "delete notification";
    case Command::notification:
      return "notification";
    case Command::read_write:
      return "read write";
  }
  return "unknown command";
}

const char* name(AdsState state) {
  constexpr std::array names{"invalid",    "idle",     "reset",       "init",         "start",
                             "run",        "stop",     "save config", "load config",  "power fail",
                             "power good", "error",    "shutdown",    "suspend",      "resume",
                             "config",     "reconfig", "stopping",    "incompatible", "exception"};
  const auto index = static_cast<std::size_t>(state);
  return index < names.size() ? names[index] : "unknown state";
}

AmsHeader response_to(const AmsHeader& request, std::uint32_t error) {
  AmsHeader answer = request;
  answer.target = request.source;
  answer.source = request.target;
  answer.flags = flag::ads_command | flag::response;
  answer.length = 0;
  answer.error = error;
  return answer;
}

void encode(ByteWriter& writer, const NetId& net_id) { writer.bytes(net_id.bytes); }

void encode(ByteWriter& writer, const AmsAddress& address) {
  encode(writer, address.net_id);
  writer.little(address.port);
}

void encode(ByteWriter& writer, const AmsHeader& header) {
  encode(writer, header.target);
  encode(writer, header.source);
  writer.little(header.command, header.flags, header.length, header.error, header.invoke_id);
}

NetId take_net_id(ByteReader& reader) {
  NetId id;
  const Bytes bytes = reader.bytes(id.bytes.size());
  std::copy(bytes.begin(), bytes.end(), id.bytes.begin());
  return id;
}

AmsAddress take_address(ByteReader& reader) {
  const NetId net_id = take_net_id(reader);
  return {net_id, reader.little<std::uint16_t>()};
}

AmsHeader take_header(ByteReader& reader) {
  AmsHeader header;
  header.target = take_address(reader);
  header.source = take_address(reader);
  header.command = reader.little<Command>();
  header.flags = reader.little<std::uint16_t>();
  header.length = reader.little<std::uint32_t>();
  header.error = reader.little<std::uint32_t>();
  header.invoke_id = reader.little<std::uint32_t>();
  return header;
}

std::size_t begin_frame(std::vector<std::uint8_t>& out, const AmsHeader& header) {
  const std::size_t begun_at = out.size();
  ByteWriter writer(out);
  writer.little(TcpCommand::ams, static_cast<std::uint32_t>(AmsHeader::size));
  encode(writer, header);
  return begun_at;
}

void finish_frame(std::vector<std::uint8_t>& out, std::size_t begun_at) {
  constexpr std::size_t length_in_header = 20;
  const std::size_t after_tcp = out.size() - begun_at - tcp_header_size;
  ByteWriter writer(out);
  writer.little_at(begun_at + 2, static_cast<std::uint32_t>(after_tcp));
  writer.little_at(begun_at + tcp_header_size + length_in_header,
                   static_cast<std::uint32_t>(after_tcp - AmsHeader::size));
}

}  // namespace tandem::ads
