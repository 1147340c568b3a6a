// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/clock_match.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace tandem::record {

namespace {

constexpr std::size_t smallest_sample = 16;  // bytes; less than a stamp and a value is soon said twice
constexpr std::size_t fewest_samples = 3;    // one alone may be a coincidence

// FNV-1a, then mixed, so that any part of it is as good as another.
class Digest {
 public:
  void add(Bytes bytes) {
    for (const std::uint8_t byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3u;
  }
  void add(std::string_view text) { add(as_bytes(text)), add(Bytes{zero}); }
  std::uint64_t value() const {
    std::uint64_t mixed = hash_;
    mixed = (mixed ^ mixed >> 33) * 0xff51afd7ed558ccdu;
    mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53u;
    return mixed ^ mixed >> 33;
  }

 private:
  static constexpr std::array<std::uint8_t, 1> zero{};
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

struct Seen {
  std::uint64_t time = 0;  // log time, ns
  bool sent_here = false;  // by the host of the file itself
  bool again = false;      // more than once: not one sample
};

// The samples of a file by their digests. When they are too many, those with the upper half of the digests go, from
// both files the same ones.
class Samples {
 public:
  explicit Samples(std::size_t most) : most_(most) {}
  void add(std::uint64_t digest, const Seen& seen) {
    if (digest > limit_) return;
    const auto [found, fresh] = seen_.try_emplace(digest, seen);
    if (!fresh) found->second.again = true;
    while (seen_.size() > most_) {
      limit_ /= 2;
      std::erase_if(seen_, [this](const auto& each) { return each.first > limit_; });
    }
  }
  const std::unordered_map<std::uint64_t, Seen>& all() const { return seen_; }

 private:
  std::size_t most_;
  std::uint64_t limit_ = std::numeric_limits<std::uint64_t>::max();
  std::unordered_map<std::uint64_t, Seen> seen_;
};

std::string_view metadata_of(const mcap::Channel& channel, const char* key) {
  const auto found = channel.metadata.find(key);
  return found == channel.metadata.end() ? std::string_view() : std::string_view(found->second);
}

// Latched samples reach newcomers whenever those come.
bool is_latched(const mcap::Channel& channel) {
  const std::string_view qos = metadata_of(channel, "offered_qos_profiles");
  return qos.find("durability: 1") != qos.npos || qos.find("durability: transient_local") != qos.npos;
}

// Topics of ROS with the same type in the other file.
std::set<std::uint16_t> common_channels(const McapReader& in, const McapReader& other) {
  std::set<std::pair<std::string_view, std::string_view>> theirs;
  for (const auto& [id, channel] : other.contents().channels) {
    if (const mcap::Schema* schema = other.schema(channel)) theirs.emplace(channel.topic, schema->name);
  }
  std::set<std::uint16_t> common;
  for (const auto& [id, channel] : in.contents().channels) {
    const mcap::Schema* schema = in.schema(channel);
    if (schema != nullptr && channel.encoding == "cdr" && !is_latched(channel) &&
        theirs.contains({channel.topic, schema->name}))
      common.insert(id);
  }
  return common;
}

Result<Samples> samples_of(const McapReader& reader, const McapReader& other, const ClockMatchOptions& options,
                           double done) {
  Samples samples(options.most_samples);
  const auto channels = common_channels(reader, other);
  if (channels.empty()) return samples;
  const auto& count = reader.contents().statistics;
  const double span = std::max(1.0, static_cast<double>(count.end - count.start));
  Cursor cursor = reader.messages({.channels = channels});
  for (std::uint64_t read = 0;; ++read) {
    const auto next = cursor.next();
    if (!next) return next.error();
    if (!*next) return samples;
    const mcap::Message& message = **next;
    if (options.progress && read % 1024 == 0)
      options.progress(done + 0.5 * static_cast<double>(message.log_time - count.start) / span);
    if (message.data.size() < smallest_sample) continue;
    const mcap::Channel& channel = reader.contents().channels.at(message.channel);
    Digest digest;
    digest.add(std::string_view(channel.topic));
    digest.add(message.data);
    samples.add(digest.value(), {message.log_time, metadata_of(channel, "direction") == "out"});
  }
}

struct Pair {
  double at = 0;          // s since the first
  double difference = 0;  // log time in b minus log time in a, s
};

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> differences_of(const std::vector<Pair>& pairs) {
  std::vector<double> values;
  for (const Pair& pair : pairs) values.push_back(pair.difference);
  return values;
}

// What a set of samples says; the pairs of all three kinds.
struct Evidence {
  std::vector<Pair> forward, backward, third;  // sent by a, by b, by others

  std::size_t size() const { return forward.size() + backward.size() + third.size(); }
  bool empty() const { return forward.empty() && backward.empty() && third.empty(); }
  ClockMatch estimate() const {
    const auto least = [](const std::vector<Pair>& pairs) {
      return std::ranges::min_element(pairs, {}, &Pair::difference)->difference;
    };
    const auto greatest = [](const std::vector<Pair>& pairs) {
      return std::ranges::max_element(pairs, {}, &Pair::difference)->difference;
    };
    // A sample of a arrives at b late: the offset is below the difference. One of b: above it.
    if (!forward.empty() && !backward.empty()) {
      const double upper = least(forward), lower = greatest(backward);
      return {(upper + lower) / 2, std::abs(upper - lower) / 2, 0, forward.size() + backward.size(),
              ClockEvidence::both_ways};
    }
    if (!third.empty()) {
      const double middle = median_of(differences_of(third));
      std::vector<double> away;
      for (const Pair& pair : third) away.push_back(std::abs(pair.difference - middle));
      std::ranges::sort(away);
      return {middle, away[away.size() * 95 / 100], 0, third.size(), ClockEvidence::third_party};
    }
    const auto& pairs = forward.empty() ? backward : forward;
    const double edge = forward.empty() ? greatest(pairs) : least(pairs);
    return {edge, std::abs(median_of(differences_of(pairs)) - edge), 0, pairs.size(), ClockEvidence::one_way};
  }
  // Only the pairs of a span of time.
  Evidence within(double from, double to) const {
    Evidence part;
    const auto take = [&](const std::vector<Pair>& pairs, std::vector<Pair>& into) {
      for (const Pair& pair : pairs)
        if (pair.at >= from && pair.at <= to) into.push_back(pair);
    };
    take(forward, part.forward), take(backward, part.backward), take(third, part.third);
    return part;
  }
};

// Two clocks run at different speeds: 50 us in a second is much, and 0.2 s in an hour. One offset is in the middle
// then.
void look_for_drift(const Evidence& evidence, double last, ClockMatch& match) {
  constexpr double shortest = 10;  // s
  if (last < shortest) return;
  const Evidence first = evidence.within(0, last / 3), third = evidence.within(last * 2 / 3, last);
  if (first.empty() || third.empty()) return;
  const ClockMatch begin = first.estimate(), end = third.estimate();
  if (begin.evidence != match.evidence || end.evidence != match.evidence) return;
  const double change = end.offset - begin.offset;
  if (std::abs(change) <= begin.uncertainty + end.uncertainty) return;
  match.drift = change / (last * 2 / 3);
  match.offset = (begin.offset + end.offset) / 2;
  match.uncertainty = std::max(begin.uncertainty, end.uncertainty) + std::abs(match.drift) * last / 2;
}

}  // namespace

std::string_view words(ClockEvidence evidence) {
  switch (evidence) {
    case ClockEvidence::both_ways:
      return "samples that crossed in both directions";
    case ClockEvidence::third_party:
      return "samples that both heard; the difference of their delays is part of the error";
    case ClockEvidence::one_way:
      return "samples that crossed in one direction; their delay is part of the error";
  }
  return "";
}

Result<std::optional<ClockMatch>> match_clocks(const McapReader& a, const McapReader& b,
                                               const ClockMatchOptions& options) {
  const auto of_a = samples_of(a, b, options, 0);
  if (!of_a) return of_a.error();
  const auto of_b = samples_of(b, a, options, 0.5);
  if (!of_b) return of_b.error();
  Evidence evidence;
  double last = 0;
  const std::uint64_t start = a.contents().statistics.start;
  for (const auto& [digest, in_a] : of_a->all()) {
    const auto found = of_b->all().find(digest);
    if (found == of_b->all().end() || in_a.again || found->second.again) continue;
    const Seen& in_b = found->second;
    if (in_a.sent_here && in_b.sent_here) continue;  // two that say the same, not one sample
    const Pair pair{static_cast<double>(in_a.time - start) * 1e-9,
                    static_cast<double>(static_cast<std::int64_t>(in_b.time - in_a.time)) * 1e-9};
    last = std::max(last, pair.at);
    (in_a.sent_here ? evidence.forward : in_b.sent_here ? evidence.backward : evidence.third).push_back(pair);
  }
  if (evidence.size() < fewest_samples) return std::optional<ClockMatch>{};
  ClockMatch match = evidence.estimate();
  look_for_drift(evidence, last, match);
  return std::optional(match);
}

}  // namespace tandem::record
