// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/playback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>

namespace tandem::runtime {
namespace {

constexpr double slowest = 0.01, fastest = 100;

// Messages are given in order, so that a time that was played is played once.
record::Selection selection_from(const std::set<std::uint16_t>& channels, std::uint64_t from) {
  record::Selection selection;
  selection.channels = channels;
  selection.from = from;
  return selection;
}

}  // namespace

PlaybackClock::PlaybackClock(Range range, double speed, bool loop, Instant now)
    : range_(range), loop_(loop), speed_(std::clamp(speed, slowest, fastest)), from_(range.start), since_(now) {}

PlaybackClock::Stand PlaybackClock::at(Instant now) const {
  Stand stand{from_, rounds_, jumps_, jumped_to_, playing_, false, speed_};
  const std::uint64_t length = range_.end - range_.start;
  if (playing_ && now > since_) {
    const double passed = static_cast<double>((now - since_).count()) * speed_;
    std::uint64_t played = from_ - range_.start + static_cast<std::uint64_t>(std::min(passed, 4e18));
    // A round ends with its last moment, not with the first of the next.
    if (loop_ && played > length && length > 0) {
      const std::uint64_t rounds = (played - 1) / length;
      stand.rounds += rounds;
      played -= rounds * length;
    }
    stand.time = range_.start + std::min(played, length);
  }
  stand.ended = stand.time >= range_.end && !(loop_ && playing_ && length > 0);
  stand.playing = playing_ && !stand.ended;
  return stand;
}

PlaybackClock::Stand PlaybackClock::stand(Instant now) const {
  const std::lock_guard lock(mutex_);
  return at(now);
}

void PlaybackClock::settle(Instant now) {
  const Stand stand = at(now);
  from_ = stand.time;
  rounds_ = stand.rounds;
  playing_ = stand.playing;
  since_ = now;
}

void PlaybackClock::play(bool playing, Instant now) {
  const std::lock_guard lock(mutex_);
  settle(now);
  playing_ = playing;
}

void PlaybackClock::run_at(double speed, Instant now) {
  const std::lock_guard lock(mutex_);
  settle(now);
  speed_ = std::clamp(speed, slowest, fastest);
}

void PlaybackClock::seek(std::uint64_t time, Instant now) {
  const std::lock_guard lock(mutex_);
  settle(now);
  from_ = jumped_to_ = std::clamp(time, range_.start, range_.end);
  rounds_ = 0;
  ++jumps_;
}

std::string unreadable_text(std::uint64_t parts) {
  return fmt::format("{} damaged parts of the recording were skipped; see `tandem info --check`", parts);
}

PlaybackFeed::PlaybackFeed(const record::McapReader& reader, std::set<std::uint16_t> channels, Lasting lasting,
                           Sink sink)
    : reader_(reader),
      channels_(std::move(channels)),
      lasting_(std::move(lasting)),
      sink_(std::move(sink)),
      cursor_(reader.messages(selection_from(channels_, 0))) {
  if (!channels_.empty()) fetch();
}

void PlaybackFeed::fetch() {
  for (int tries = 0; tries < 1000; ++tries) {
    auto message = cursor_.next();
    if (message) {
      pending_ = *message;
      return;
    }
    unreadable_.insert(message.error().text);
  }
  pending_.reset();
}

// The newest of a channel up to a time; looked for backwards in ever longer stretches, as most are said often.
void PlaybackFeed::give_newest(std::uint16_t channel, std::size_t count, std::uint64_t time) {
  constexpr std::uint64_t first_stretch = 1'000'000'000;  // ns
  record::Selection before;
  before.channels = {channel};
  before.to = time;
  std::deque<std::pair<record::mcap::Message, std::vector<std::uint8_t>>> newest;
  for (std::uint64_t stretch = first_stretch; newest.size() < count;
       stretch = stretch > time / 16 ? time : stretch * 16) {
    newest.clear();
    before.from = time > stretch ? time - stretch : 0;
    record::Cursor cursor = reader_.messages(before);
    for (int unreadable = 0; unreadable < 1000;) {
      auto message = cursor.next();
      if (!message) {
        ++unreadable;
        unreadable_.insert(message.error().text);
        continue;
      }
      if (!*message) break;
      if (newest.size() == count) newest.pop_front();
      newest.emplace_back(**message, std::vector<std::uint8_t>((*message)->data.begin(), (*message)->data.end()));
    }
    if (before.from == 0) break;
  }
  for (auto& [message, data] : newest) {
    message.data = data;
    sink_(message);
  }
}

void PlaybackFeed::jump(std::uint64_t time) {
  for (const auto& [channel, count] : lasting_) give_newest(channel, count, time);
  cursor_ = reader_.messages(selection_from(channels_, time));
  fetch();
}

void PlaybackFeed::give(std::uint64_t time, const std::stop_token& stop) {
  while (pending_ && pending_->log_time <= time && !stop.stop_requested()) {
    ++given_;
    sink_(*pending_);
    fetch();
  }
}

void PlaybackFeed::poll(const PlaybackClock::Stand& stand, const std::stop_token& stop) {
  if (channels_.empty()) return;
  if (jumps_ != stand.jumps) {
    jumps_ = stand.jumps;
    rounds_ = 0;
    jump(stand.jumped_to);
  }
  if (rounds_ != stand.rounds) {
    rounds_ = stand.rounds;
    give(std::numeric_limits<std::uint64_t>::max(), stop);
    cursor_ = reader_.messages(selection_from(channels_, 0));
    fetch();
  }
  give(stand.time, stop);
}

std::optional<std::uint64_t> PlaybackFeed::next() const {
  if (!pending_) return std::nullopt;
  return pending_->log_time;
}

}  // namespace tandem::runtime
