// SPDX-License-Identifier: Apache-2.0
// What is done to a link, as a person writes it: "delay=50ms loss=1% to=client for=10s seed=7".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/faults/proxy.hpp"

namespace tandem::runtime::chaos {

constexpr Duration usual_length = 10s, longest = 600s;
constexpr std::size_t longest_line = 512;  // bytes of terms

enum class Towards : std::uint8_t { both, device, client };  // the client is the machine

struct Terms {
  Duration delay{}, jitter{};                   // whole microseconds
  double loss = 0, duplicate = 0, reorder = 0;  // % of chunks
  double corrupt = 0;                           // probability per byte
  std::size_t slice = 0;                        // bytes; 0: none
  double rate = 0;                              // bytes/s; 0: unlimited
  bool black_hole = false, hold = false;
  bool reset = false, half_open = false;  // once, at the beginning
  Towards towards = Towards::both;        // half_open: both means client
  std::optional<Duration> length;         // none: as length_of() says
  std::optional<std::uint64_t> seed;      // none: the running tandem draws one
  friend bool operator==(const Terms&, const Terms&) = default;
};

// Strict: units are mandatory, every term once, at least one fault. The error names the term.
Result<Terms> parse_terms(std::string_view text);
// A duration with its unit: "50ms". The error begins with `name`.
Result<Duration> parse_duration(std::string_view name, std::string_view text, Duration shortest, Duration longest);

// As parse_terms() reads them back; seed and length only where they are set.
std::string text_of(const Terms& terms);
std::string text_of(Duration duration);  // "50ms", of whole microseconds
// For events and people: "delay 50 ms, loss 1 %, to the client".
std::string words_of(const Terms& terms);

bool lasts(const Terms& terms);          // false: only what happens once
Duration length_of(const Terms& terms);  // what happens once has none unless it is set
// Nothing arrives in at least one direction, or the connection ends: a machine has to notice.
bool breaks_link(const Terms& terms);
net::Faults faults_of(const Terms& terms);

}  // namespace tandem::runtime::chaos
