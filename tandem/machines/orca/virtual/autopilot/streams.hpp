// SPDX-License-Identifier: Apache-2.0
// Which messages of the virtual autopilot go out on one link, and how often.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "tandem/base/clock.hpp"

namespace tandem::orca {

// All that can be streamed or asked for, in ArduPilot's groups of REQUEST_DATA_STREAM; group 0: only when asked for.
struct StreamRow {
  std::uint32_t id = 0;
  std::uint8_t group = 0;
};
std::span<const StreamRow> stream_rows();
// Whether the autopilot has such a message at all.
bool is_streamed(std::uint32_t id);

class StreamSchedule {
 public:
  static constexpr std::size_t most_rows = 48;

  // A heartbeat of another client came: everything begins at the usual rate, once, but what was set before.
  void begin(double rate, Instant now);
  bool begun() const { return begun_; }

  // SET_MESSAGE_INTERVAL: us, -1 for never, 0 for the usual; a minute at most. False for a message that is not known,
  // or an invalid time.
  bool interval(std::uint32_t id, double microseconds, Instant now);
  // us; 0 when it is not sent; none for a message that is not known.
  std::optional<std::int32_t> interval(std::uint32_t id) const;
  // REQUEST_DATA_STREAM: Hz, 0 for never; group 0 is all.
  void group(std::uint8_t group, double rate, Instant now);

  // The next message that is due, if one is; ask until there is none. One that is late is sent once, not in a burst.
  std::optional<std::uint32_t> due(Instant now);

 private:
  struct Row {
    Duration interval{0};  // 0: never
    Instant next{};
    bool told = false;  // a client asked for this interval
  };
  std::optional<std::size_t> find(std::uint32_t id) const;
  void pace(std::size_t row, Duration interval, Instant now);

  std::array<Row, most_rows> rows_{};
  double rate_ = 4;  // Hz, the usual
  bool begun_ = false;
  std::size_t turn_ = 0;
};

}  // namespace tandem::orca
