// SPDX-License-Identifier: Apache-2.0
// Writes RTPS messages by hand, good ones and bad ones, and sends them to the ports of a domain on loopback.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2::rtps_packets {

using Buffer = std::vector<std::uint8_t>;
using Prefix = std::array<std::uint8_t, 12>;  // of a participant
using EntityId = std::array<std::uint8_t, 4>;

inline constexpr EntityId spdp_writer{0, 1, 0, 0xc2}, spdp_reader{0, 1, 0, 0xc7}, participant_entity{0, 0, 1, 0xc1};

inline Prefix prefix_of(const Gid& gid) {
  Prefix prefix;
  std::copy_n(gid.begin(), prefix.size(), prefix.begin());
  return prefix;
}

inline EntityId entity_of(const Gid& gid) { return {gid[12], gid[13], gid[14], gid[15]}; }

// From a writer to a reader, or the other way round.
struct Way {
  EntityId reader, writer;
};

// Numbers from `base` on, a bit for each; `bits` and `words` agree in a good message.
struct NumberSet {
  std::int64_t base = 0;
  std::uint32_t bits = 0;
  std::vector<std::uint32_t> words;
};

struct Fragments {
  std::uint32_t first = 1;   // number, from 1
  std::uint16_t count = 1;   // in this submessage
  std::uint16_t size = 0;    // of each, bytes
  std::uint32_t sample = 0;  // size of the whole, bytes
};

class RtpsMessage {
 public:
  explicit RtpsMessage(const Prefix& source) : bytes_{'R', 'T', 'P', 'S', 2, 3, 1, 15} {  // version 2.3, eProsima
    bytes_.insert(bytes_.end(), source.begin(), source.end());
  }

  RtpsMessage& to(const Prefix& destination) { return submessage(0x0e, 1, destination); }

  RtpsMessage& heartbeat(const Way& way, std::int64_t first, std::int64_t last, std::uint32_t count) {
    Buffer body = begin(way);
    number(body, first);
    number(body, last);
    ByteWriter(body).little(count);
    return submessage(0x07, 1, body);
  }

  RtpsMessage& gap(const Way& way, std::int64_t start, const NumberSet& list) {
    Buffer body = begin(way);
    number(body, start);
    set(body, list);
    return submessage(0x08, 1, body);
  }

  RtpsMessage& acknack(const Way& way, const NumberSet& missing, std::uint32_t count) {
    Buffer body = begin(way);
    set(body, missing);
    ByteWriter(body).little(count);
    return submessage(0x06, 1, body);
  }

  // `to_inline_qos` is 16 in a good message; `claimed` replaces the length of the submessage.
  RtpsMessage& data(const Way& way, std::int64_t sequence, Bytes payload, std::uint16_t to_inline_qos = 16,
                    std::optional<std::uint16_t> claimed = {}) {
    Buffer body;
    ByteWriter out(body);
    out.little(std::uint16_t{0});
    out.little(to_inline_qos);
    out.bytes(begin(way));
    number(body, sequence);
    out.bytes(payload);
    return submessage(0x15, 1 | 4, body, claimed);
  }

  RtpsMessage& data_frag(const Way& way, std::int64_t sequence, const Fragments& fragments, Bytes payload) {
    Buffer body;
    ByteWriter out(body);
    out.little(std::uint16_t{0});
    out.little(std::uint16_t{28});
    out.bytes(begin(way));
    number(body, sequence);
    out.little(fragments.first);
    out.little(fragments.count);
    out.little(fragments.size);
    out.little(fragments.sample);
    out.bytes(payload);
    return submessage(0x16, 1, body);
  }

  RtpsMessage& submessage(std::uint8_t id, std::uint8_t flags, Bytes body, std::optional<std::uint16_t> claimed = {}) {
    ByteWriter out(bytes_);
    out.byte(id);
    out.byte(flags);
    const std::uint16_t length = claimed.value_or(static_cast<std::uint16_t>(body.size()));
    (flags & 1) != 0 ? out.little(length) : out.big(length);
    out.bytes(body);
    return *this;
  }

  const Buffer& bytes() const { return bytes_; }

 private:
  static Buffer begin(const Way& way) {
    Buffer body;
    ByteWriter(body).bytes(way.reader);
    ByteWriter(body).bytes(way.writer);
    return body;
  }
  static void number(Buffer& body, std::int64_t value) {
    ByteWriter out(body);
    out.little(static_cast<std::int32_t>(value >> 32));
    out.little(static_cast<std::uint32_t>(value));
  }
  static void set(Buffer& body, const NumberSet& set) {
    number(body, set.base);
    ByteWriter out(body);
    out.little(set.bits);
    for (const std::uint32_t word : set.words) out.little(word);
  }

  Buffer bytes_;
};

// A list of parameters as discovery sends it.
class Parameters {
 public:
  Parameters() { ByteWriter(bytes_).bytes(Buffer{0, 3, 0, 0}); }

  Parameters& add(std::uint16_t id, Bytes value, std::optional<std::uint16_t> claimed = {}) {
    ByteWriter out(bytes_);
    out.little(id);
    out.little(claimed.value_or(static_cast<std::uint16_t>((value.size() + 3) / 4 * 4)));
    out.bytes(value);
    while (bytes_.size() % 4 != 0) out.byte(0);
    return *this;
  }
  Parameters& end() { return add(1, {}); }

  const Buffer& bytes() const { return bytes_; }

 private:
  Buffer bytes_;
};

// What a participant says of itself, but for the end of the list: version, vendor, GUID, lease, no endpoint but its own
// announcer, and an address at which nobody listens.
inline Parameters announcement(const Prefix& prefix, std::int32_t lease = 10) {
  Buffer guid(prefix.begin(), prefix.end()), seconds, locator;
  ByteWriter(guid).bytes(participant_entity);
  ByteWriter(seconds).little(lease);
  ByteWriter(seconds).little(std::uint32_t{0});
  ByteWriter out(locator);
  out.little(std::int32_t{1});
  out.little(std::uint32_t{9});
  out.zeros(12);
  out.bytes(Buffer{127, 0, 0, 1});
  Parameters parameters;
  parameters.add(0x15, Buffer{2, 3, 0, 0}).add(0x16, Buffer{1, 15, 0, 0}).add(0x50, guid).add(0x02, seconds);
  parameters.add(0x31, locator).add(0x32, locator).add(0x58, Buffer{1, 0, 0, 0});
  return parameters;
}

// What a participant sends that ends, and the forms in which others could send it.
struct Farewell {
  Prefix who{};
  std::int64_t sequence = 5000;
  std::uint8_t status = 3;  // disposed and unregistered
  bool with_hash = true;    // the key in the inline QoS
  std::uint8_t flags = 0;   // of what follows: 4 for data, 8 for a key
  Buffer payload{};
};

inline Buffer guid_of(const Prefix& who) {
  Buffer guid(who.begin(), who.end());
  ByteWriter(guid).bytes(participant_entity);
  return guid;
}

inline RtpsMessage farewell(const Prefix& source, const Farewell& words) {
  Buffer body{0, 0, 16, 0};
  ByteWriter out(body);
  out.bytes(spdp_reader);
  out.bytes(spdp_writer);
  out.little(static_cast<std::int32_t>(words.sequence >> 32));
  out.little(static_cast<std::uint32_t>(words.sequence));
  if (words.with_hash) {
    out.bytes(Buffer{0x70, 0, 16, 0});
    out.bytes(guid_of(words.who));
  }
  out.bytes(Buffer{0x71, 0, 4, 0, 0, 0, 0, words.status, 1, 0, 0, 0});
  out.bytes(words.payload);
  return RtpsMessage(source).submessage(0x15, static_cast<std::uint8_t>(1 | 2 | words.flags), body);
}

// A text with its size and its end, filled up to a multiple of four.
inline void put_text(Buffer& bytes, const std::string& text, bool little = true, std::uint8_t last = 0) {
  ByteWriter out(bytes);
  const auto size = static_cast<std::uint32_t>(text.size() + 1);
  little ? out.little(size) : out.big(size);
  out.text(text);
  out.byte(last);
  while (bytes.size() % 4 != 0) out.byte(0);
}

// Octets with their size.
inline void put_octets(Buffer& bytes, Bytes octets, bool little = true) {
  ByteWriter out(bytes);
  const auto size = static_cast<std::uint32_t>(octets.size());
  little ? out.little(size) : out.big(size);
  out.bytes(octets);
  while (bytes.size() % 4 != 0) out.byte(0);
}

inline constexpr EntityId handshake_writer{0, 2, 1, 0xc3}, handshake_reader{0, 2, 1, 0xc4};

// A ParticipantGenericMessage up to its tokens: whose, for whom, of which kind.
inline Buffer handshake(const Prefix& source, const Prefix& destination, bool little = true) {
  Buffer bytes{0, static_cast<std::uint8_t>(little ? 1 : 0), 0, 0};
  ByteWriter out(bytes);
  out.bytes(source);
  out.bytes(handshake_writer);
  little ? out.little(std::int64_t{1}) : out.big(std::int64_t{1});
  out.zeros(24);  // answers nothing
  out.bytes(destination);
  out.bytes(participant_entity);
  out.zeros(32);  // from and for no endpoint
  put_text(bytes, "dds.sec.auth", little);
  return bytes;
}

// A token with one binary property. `last` is the byte behind its name.
inline void put_token(Buffer& bytes, const std::string& kind, const std::string& name, Bytes value, bool little = true,
                      std::uint8_t last = 0) {
  put_text(bytes, kind, little);
  ByteWriter out(bytes);
  for (const std::uint32_t count : {0u, 1u}) little ? out.little(count) : out.big(count);
  put_text(bytes, name, little, last);
  put_octets(bytes, value, little);
}

// What `openssl req -x509 -subj /` writes: a certificate whose subject is empty.
inline constexpr std::string_view certificate_without_subject = R"(-----BEGIN CERTIFICATE-----
MIIBVDCB+6ADAgECAhQvVKQXZ4VTT2KrL3NZYxpUk9K0PjAKBggqhkjOPQQDAjAA
MB4XDTI2MTExNzIzMDI0N1oXDTI2MTIxNzIzMDI0N1owADBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABKc5bB7XCVi0OztdK3LzS+r3JCWaYEnx1EvOrC+ZWwExp7jf
CzczTvZHfmWCjC5BJTTFOFmiKay9x1x5XDfD6Z+jUzBRMB0GA1UdDgQWBBRB4Is8
k0BNaAEO4Q8nsdBB8vjCQzAfBgNVHSMEGDAWgBRB4Is8k0BNaAEO4Q8nsdBB8vjC
QzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIDkJVuh650NVRmVn
UBbRcKAW9/0yG9vogJpdZCH4IrJWAiEAjwcD70fkz+fmdszyih6Hhee7kb317b04
c2aka9DWkwk=
-----END CERTIFICATE-----
)";

// The ports of the domain that are open on this machine, of all participants.
inline std::vector<std::uint16_t> open_ports(int domain) {
  const int lowest = 7400 + 250 * domain;
  std::vector<std::uint16_t> ports;
  std::ifstream table("/proc/net/udp");
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream words(line);
    std::string slot, local;
    words >> slot >> local;
    const int port = std::stoi(local.substr(local.find(':') + 1), nullptr, 16);
    if (port >= lowest && port < lowest + 250) ports.push_back(static_cast<std::uint16_t>(port));
  }
  std::ranges::sort(ports);
  ports.erase(std::ranges::unique(ports).begin(), ports.end());
  return ports;
}

class Sender {
 public:
  explicit Sender(int domain) : ports_(open_ports(domain)), socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0 || ports_.empty()) throw std::runtime_error("no socket, or no participant in the domain");
  }
  ~Sender() { ::close(socket_); }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  const std::vector<std::uint16_t>& ports() const { return ports_; }
  void send(Bytes bytes, std::uint16_t port) const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  void send(const RtpsMessage& message) const {
    for (const std::uint16_t port : ports_) send(message.bytes(), port);
  }

 private:
  std::vector<std::uint16_t> ports_;
  int socket_;
};

}  // namespace tandem::ros2::rtps_packets
