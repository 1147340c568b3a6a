// SPDX-License-Identifier: Apache-2.0
// Any bytes from a WebSocket client: the same messages and the same end however the bytes arrive, never more than the
// limit, and only text that is UTF-8.
#include <cstdlib>
#include <string>
#include <vector>

#include "tandem/base/utf8.hpp"
#include "tandem/web/http/websocket.hpp"

namespace {

using namespace tandem;
using namespace tandem::web;

constexpr std::size_t largest = 300;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Heard {
  std::vector<std::pair<Opcode, std::string>> messages;
  unsigned int error = 0;
  friend bool operator==(const Heard&, const Heard&) = default;
};

void require_utf8(std::string text) {
  std::u16string wide = utf16_from_utf8(text);
  require(utf8_from_utf16(wide) == text);
}

Heard heard_in_pieces(Bytes stream, std::size_t piece) {
  FrameReader reader(largest);
  Heard heard;
  while (!stream.empty()) {
    Bytes bytes = stream.first(std::min(piece, stream.size()));
    stream = stream.subspan(bytes.size());
    while (true) {
      const auto message = reader.next(bytes);
      if (!message) {
        heard.error = message.error().code;
        require(heard.error == close_code::protocol || heard.error == close_code::too_big ||
                heard.error == close_code::not_utf8);
        return heard;
      }
      if (!*message) break;
      const auto& [opcode, payload] = **message;
      require(opcode != Opcode::continuation && payload.size() <= largest);
      std::string text(payload.begin(), payload.end());
      if (opcode == Opcode::text) require_utf8(text);
      if (opcode == Opcode::close) {
        if (const auto reason = parse_close(payload); reason && reason->code != close_code::none) {
          require(close_payload(reason->code, reason->text) == std::vector(payload.begin(), payload.end()));
        }
      }
      heard.messages.emplace_back(opcode, std::move(text));
    }
    require(bytes.empty());
  }
  return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes stream(data + 1, size - 1);
  require(heard_in_pieces(stream, std::max<std::size_t>(stream.size(), 1)) ==
          heard_in_pieces(stream, 1u + data[0] % 32));
  return 0;
}
