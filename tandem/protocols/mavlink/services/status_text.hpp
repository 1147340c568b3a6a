// SPDX-License-Identifier: Apache-2.0
// STATUSTEXT: long texts in chunks, put together and taken apart.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::mavlink {

struct StatusLine {
  Address source;
  std::uint8_t severity = 0;  // 0 emergency to 7 debug
  std::string text;           // "[...]" where a chunk was lost
  bool complete = true;
};

class StatusTextReader {
 public:
  static constexpr std::size_t chunk_size = 50;  // characters
  static constexpr std::size_t most_chunks = 16;

  // A line that is now complete. Chunks may come in any order and more than once.
  std::optional<StatusLine> handle(const Frame& frame, Instant now);
  // A line that has waited too long for a chunk; ask until there is none.
  std::optional<StatusLine> overdue(Instant now);

  static constexpr Duration patience = 2s;

 private:
  struct Partial {
    Address source;
    std::uint16_t id = 0;  // 0: not in use
    std::uint8_t severity = 0;
    std::uint32_t seen = 0;           // bit i: chunk i
    std::optional<std::size_t> last;  // the number of the last chunk, once it is known
    std::array<Text<chunk_size>, most_chunks> chunks{};
    Instant heard{};
  };
  Partial& place_for(const Address& source, std::uint16_t id, std::optional<StatusLine>& pushed_out);
  static StatusLine line_of(const Partial& partial);

  std::array<Partial, 8> partials_{};
};

// Sends a text of any length, at most most_chunks chunks of it; `id` tells it from others and is used only when it does
// not fit in one. Give another one each time, not 0.
void send_status_text(std::string_view text, std::uint8_t severity, std::uint16_t id, Outlet& outlet);

}  // namespace tandem::mavlink
