// A recording that is played: where it stands, and what comes out of it up to there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/record/mcap_reader.hpp"

namespace tandem::runtime {

// A time in the recording that runs, pauses and jumps. Any thread.
class PlaybackClock {
 public:
  struct Range {
    std::uint64_t start = 0, end = 0;  // log times, ns
  };
  PlaybackClock(Range range, double speed, bool loop, Instant now);

  struct Stand {
    std::uint64_t time = 0;   // ns
    std::uint64_t jumps = 0;  // so often it went elsewhere than on
    std::uint64_t jumped_to = 0;
    bool playing = false;
    bool ended = false;  // at its end, and stays there
    double speed = 1;
  };
  Stand stand(Instant now);
  void play(bool playing, Instant now);
  void run_at(double speed, Instant now);  // kept between 0.01 and 100
  void seek(std::uint64_t time, Instant now);

  Range range() const { return range_; }

 private:
  std::uint64_t reached(Instant now) const;
  void go_on_from(std::uint64_t time, Instant now);

  const Range range_;
  const bool loop_;
  std::mutex mutex_;
  double speed_;
  bool playing_ = true;
  std::uint64_t from_;  // where it stood at `since_`
  Instant since_;
  std::uint64_t jumps_ = 0, jumped_to_ = 0;
};

// What is missing, for people.
std::string unreadable_text(std::uint64_t chunks);

// Gives the messages of some channels as the clock reaches them. For one thread.
class PlaybackFeed {
 public:
  using Sink = std::function<void(const record::mcap::Message&)>;
  // What holds until it is said again, and how many of the newest of each hold together.
  using Lasting = std::map<std::uint16_t, std::size_t>;
  // `lasting` is given again after a jump.
  PlaybackFeed(const record::McapReader& reader, std::set<std::uint16_t> channels, Lasting lasting, Sink sink);

  // All that is due; a chunk that cannot be read is passed over, and counted.
  void poll(const PlaybackClock::Stand& stand);
  // Log time of the next message; nothing at the end.
  std::optional<std::uint64_t> next() const;
  std::uint64_t given() const { return given_; }
  std::uint64_t unreadable() const { return unreadable_; }

 private:
  void give_newest(std::uint16_t channel, std::size_t count, std::uint64_t time);
  void jump(std::uint64_t time);
  void fetch();

  const record::McapReader& reader_;
  const std::set<std::uint16_t> channels_;
  const Lasting lasting_;
  const Sink sink_;
  record::Cursor cursor_;
  std::optional<record::mcap::Message> pending_;
  std::uint64_t jumps_ = 0, given_ = 0, unreadable_ = 0;
};

}  // namespace tandem::runtime
