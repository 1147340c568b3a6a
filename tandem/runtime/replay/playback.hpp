// SPDX-License-Identifier: Apache-2.0
// A recording that is played: where it is, and what comes out of it up to there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/record/mcap_reader.hpp"

namespace tandem::runtime {

// A time in the recording that runs, pauses and jumps. Any thread; looking at it changes nothing.
class PlaybackClock {
 public:
  struct Range {
    std::uint64_t start = 0, end = 0;  // log times, ns
  };
  PlaybackClock(Range range, double speed, bool loop, Instant now);

  struct Stand {
    std::uint64_t time = 0;    // ns
    std::uint64_t rounds = 0;  // so often it came to its end and began again, since the last jump
    std::uint64_t jumps = 0;   // so often a client sent it elsewhere
    std::uint64_t jumped_to = 0;
    bool playing = false;
    bool ended = false;  // at its end, and stays there
    double speed = 1;
  };
  Stand stand(Instant now) const;
  void play(bool playing, Instant now);
  void run_at(double speed, Instant now);  // kept between 0.01 and 100
  void seek(std::uint64_t time, Instant now);

  Range range() const { return range_; }

 private:
  Stand at(Instant now) const;
  void settle(Instant now);  // where it is is where it goes on from

  const Range range_;
  const bool loop_;
  mutable std::mutex mutex_;
  double speed_;
  bool playing_ = true;
  std::uint64_t from_;  // where it was at `since_`
  Instant since_;
  std::uint64_t rounds_ = 0, jumps_ = 0, jumped_to_ = 0;
};

// What is missing, for people.
std::string unreadable_text(std::uint64_t parts);

// Gives the messages of some channels as the clock reaches them. For one thread.
class PlaybackFeed {
 public:
  using Sink = std::function<void(const record::mcap::Message&)>;
  // What holds until it is said again, and how many of the newest of each hold together.
  using Lasting = std::map<std::uint16_t, std::size_t>;
  // `lasting` is given again after a jump.
  PlaybackFeed(const record::McapReader& reader, std::set<std::uint16_t> channels, Lasting lasting, Sink sink);

  // All that is due, of a round that is over up to its end; less when it is to stop. A part of the invalid file
  // read is passed over, and counted.
  void poll(const PlaybackClock::Stand& stand, const std::stop_token& stop = {});
  // Log time of the next message; nothing at the end.
  std::optional<std::uint64_t> next() const;
  std::uint64_t given() const { return given_; }
  std::uint64_t unreadable() const { return unreadable_.size(); }  // parts of the file, each once

 private:
  void give_newest(std::uint16_t channel, std::size_t count, std::uint64_t time);
  void jump(std::uint64_t time);
  void give(std::uint64_t time, const std::stop_token& stop);
  void fetch();

  const record::McapReader& reader_;
  const std::set<std::uint16_t> channels_;
  const Lasting lasting_;
  const Sink sink_;
  record::Cursor cursor_;
  std::optional<record::mcap::Message> pending_;
  std::uint64_t rounds_ = 0, jumps_ = 0, given_ = 0;
  std::set<std::string> unreadable_;  // what was said of each, which names its place
};

}  // namespace tandem::runtime
