// SPDX-License-Identifier: Apache-2.0
// How far the clock of one recording is ahead of another's, from the ROS samples that both hold: the same bytes on the
// same topic, once in each file, were one sample. It arrived after it was sent, by whatever clocks.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "tandem/record/mcap_reader.hpp"

namespace tandem::record {

enum class ClockEvidence : std::uint8_t {
  both_ways,    // samples of each host were heard by the other: bounds from both sides
  third_party,  // both heard the samples of others
  one_way,      // only one host heard the other: the delay of the fastest sample is unknown
};
std::string_view words(ClockEvidence evidence);  // "samples that crossed in both directions"

struct ClockMatch {
  double offset = 0;       // clock of `b` minus clock of `a`, s
  double uncertainty = 0;  // s
  double drift = 0;        // s per second, as far as it can be told from that uncertainty
  std::uint64_t samples = 0;
  ClockEvidence evidence = ClockEvidence::both_ways;
};

struct ClockMatchOptions {
  // Samples of each file that are kept at a time. Of more a part is looked at, the same one of both files.
  std::size_t most_samples = 1u << 17;
  std::function<void(double)> progress = {};  // 0 to 1
};

// Nothing when the files hold no such samples. An error for what cannot be read.
Result<std::optional<ClockMatch>> match_clocks(const McapReader& a, const McapReader& b,
                                               const ClockMatchOptions& options = {});

}  // namespace tandem::record
