// SPDX-License-Identifier: Apache-2.0
// A whole connection to the page: requests one behind the other, good and bad ones, in pieces and with pauses, perhaps
// a client in the end with frames, control frames and a goodbye. Every answer is whole HTTP, then whole frames; who
// asks properly first is answered; the server closes what its peer has ended.
//
// An input is a list of steps, each one byte (what, in the low three bits) and what the step asks for.
#include <algorithm>
#include <array>
#include <charconv>

#include "fuzz/web_served.hpp"
#include "tandem/base/bytes.hpp"
#include "tandem/web/http/websocket.hpp"

namespace {

using namespace tandem;
using web::fuzz::require;

constexpr std::array<std::string_view, 8> lines = {
    "Connection: close\r\n",
    "Content-Length: 3\r\n",
    "Accept-Encoding: gzip\r\n",
    "Authorization: Bearer 0123456789abcdef\r\n",
    "Origin: http://localhost\r\n",
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "Sec-WebSocket-Protocol: a, tandem.words\r\n",
};
constexpr std::array<std::string_view, 4> starts = {"GET / HTTP/1.1\r\n", "GET /status HTTP/1.1\r\n",
                                                    "HEAD /metrics HTTP/1.1\r\n", "GET /?token=abc HTTP/1.0\r\n"};
constexpr std::uint8_t upgrade = 0b11100000;

std::string request(std::string_view start, std::uint8_t chosen) {
  std::string text(start);
  text += "Host: localhost\r\n";
  for (std::size_t i = 0; i < lines.size(); ++i)
    if ((chosen >> i & 1) != 0) text += lines[i];
  return text + "\r\n";
}

// Judges all that the server said on one connection, and counts its answers.
int answers_in(std::string_view text) {
  int count = 0;
  while (!text.empty()) {
    require(text.starts_with("HTTP/1.1 "));
    const std::size_t end = text.find("\r\n\r\n");
    require(end != std::string_view::npos);
    const std::string_view head = text.substr(0, end + 2);
    require(head.find("Set-Cookie") == std::string_view::npos);
    int status = 0;
    std::from_chars(head.data() + 9, head.data() + head.size(), status);
    require(status >= 100 && status < 600);
    ++count;
    text.remove_prefix(end + 4);
    if (status == 101) {  // the rest is frames
      web::FrameReader frames(1 << 20, web::Sender::server);
      Bytes rest = as_bytes(text);
      while (!rest.empty()) require(frames.next(rest).ok());
      return count;
    }
    std::size_t size = 0;
    if (const auto at = head.find("Content-Length: "); at != std::string_view::npos)
      std::from_chars(head.data() + at + 16, head.data() + head.size(), size);
    // The answer to a HEAD announces a body that does not follow; no body begins like an answer.
    if (status != 304 && !text.starts_with("HTTP/1.1 ")) text.remove_prefix(std::min(size, text.size()));
  }
  return count;
}

class Connection {
 public:
  explicit Connection(const web::fuzz::Served& served) : socket_(web::fuzz::connected(served)) {}

  bool say(std::string_view text) { return say(as_bytes(text)); }
  bool say(Bytes bytes) { return socket_.write_all(bytes, now() + 4s).ok(); }
  void hear(Instant deadline) {
    const auto count = socket_.read_until(some_, deadline);
    if (count) keep(*count);
  }
  // All that the server has said until it closes, which it must.
  const std::string& end() {
    socket_.shutdown_write();
    const Instant deadline = now() + 8s;
    for (auto count = socket_.read_some(some_, deadline); count; count = socket_.read_some(some_, deadline))
      keep(*count);
    require(now() < deadline);
    return said_;
  }

 private:
  void keep(std::size_t count) { said_.append(some_.begin(), some_.begin() + static_cast<std::ptrdiff_t>(count)); }

  net::TcpSocket socket_;
  std::string said_;
  std::array<std::uint8_t, 65536> some_{};
};

bool frame(Connection& connection, ByteReader& in) {
  const auto opcode = static_cast<web::Opcode>(in.byte() % 16);
  const Bytes payload = in.bytes(std::min<std::size_t>(in.byte(), in.remaining()));
  auto bytes = web::client_frame(opcode, payload, {1, 2, 3, 4});
  if (opcode == web::Opcode::continuation || (payload.size() % 5 == 4 && opcode < web::Opcode::close))
    bytes[0] &= 0x7f;  // more of it follows
  return connection.say(bytes);
}

bool step(Connection& connection, ByteReader& in, int& waits) {
  const std::uint8_t head = in.byte();
  switch (head & 7) {
    case 0:
      return connection.say(in.bytes(std::min<std::size_t>(in.byte(), in.remaining())));
    case 1:
      return connection.say(request(starts[head >> 3 & 3], in.byte()));
    case 2:
      return connection.say(request(starts[0], upgrade));
    case 3: {  // in two pieces, with a pause
      const std::string text = request(starts[head >> 3 & 3], in.byte() & 0xfe);
      const std::size_t first = in.byte() % text.size();
      if (!connection.say(std::string_view(text).substr(0, first))) return false;
      if (++waits <= 3) connection.hear(now() + 1ms);
      return connection.say(std::string_view(text).substr(first));
    }
    case 4:
    case 5:
      return frame(connection, in);
    default:
      if (++waits <= 3) connection.hear(now() + 1ms);
      return true;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static web::fuzz::Served served;
  Connection connection(served);
  ByteReader in(Bytes(data, size));
  const bool asks = size > 2 && (data[0] & 7) == 2;  // properly, at once
  int waits = 0;
  while (in.remaining() > 2)
    if (!step(connection, in, waits)) break;
  const int answers = answers_in(connection.end());
  require(answers > 0 || !asks);
  return 0;
}
