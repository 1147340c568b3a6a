#include "tandem/runtime/playback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

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

std::uint64_t PlaybackClock::reached(Instant now) const {
  if (!playing_ || now <= since_) return from_;
  const double passed = static_cast<double>((now - since_).count()) * speed_;
  const std::uint64_t left = range_.end - from_;
  return passed >= static_cast<double>(left) ? range_.end : from_ + static_cast<std::uint64_t>(passed);
}

void PlaybackClock::go_on_from(std::uint64_t time, Instant now) {
  from_ = std::clamp(time, range_.start, range_.end);
  since_ = now;
}

PlaybackClock::Stand PlaybackClock::stand(Instant now) {
  const std::lock_guard lock(mutex_);
  Stand stand{reached(now), jumps_, jumped_to_, playing_, false, speed_};
  stand.ended = stand.time >= range_.end;
  if (stand.ended && loop_ && playing_ && range_.end > range_.start) {
    // What is due up to the end is given first; the next look finds it at the beginning.
    go_on_from(range_.start, now);
    jumped_to_ = from_;
    ++jumps_;
    stand.ended = false;
  } else if (stand.ended && playing_) {
    go_on_from(range_.end, now);
    playing_ = false;
    stand.playing = false;
  }
  return stand;
}

void PlaybackClock::play(bool playing, Instant now) {
  const std::lock_guard lock(mutex_);
  if (playing == playing_) return;
  go_on_from(reached(now), now);
  playing_ = playing;
}

void PlaybackClock::run_at(double speed, Instant now) {
  const std::lock_guard lock(mutex_);
  go_on_from(reached(now), now);
  speed_ = std::clamp(speed, slowest, fastest);
}

void PlaybackClock::seek(std::uint64_t time, Instant now) {
  const std::lock_guard lock(mutex_);
  go_on_from(time, now);
  jumped_to_ = from_;
  ++jumps_;
}

std::string unreadable_text(std::uint64_t chunks) {
  return fmt::format("{} damaged parts of the recording were passed over; `tandem info --check` tells more", chunks);
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
    ++unreadable_;
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
        ++unreadable, ++unreadable_;
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

void PlaybackFeed::poll(const PlaybackClock::Stand& stand) {
  if (channels_.empty()) return;
  if (jumps_ != stand.jumps) {
    jumps_ = stand.jumps;
    jump(stand.jumped_to);
  }
  while (pending_ && pending_->log_time <= stand.time) {
    ++given_;
    sink_(*pending_);
    fetch();
  }
}

std::optional<std::uint64_t> PlaybackFeed::next() const {
  if (!pending_) return std::nullopt;
  return pending_->log_time;
}

}  // namespace tandem::runtime
