// SPDX-License-Identifier: Apache-2.0
// Where messages are put to be kept: into a file (Recorder), in memory (BlackBox), or both (Tee).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"

namespace tandem::record {

using ChannelId = std::uint16_t;

struct ChannelInfo {
  std::string topic{};
  std::string encoding{};         // "cdr", "json"
  std::string schema_name{};      // "geometry_msgs/msg/PoseStamped"; empty: no schema
  std::string schema_encoding{};  // "ros2msg", "jsonschema"
  std::string schema{};
  std::map<std::string, std::string> metadata{};
  bool lasts = false;     // holds until it is said again: every further file begins with the newest
  bool silent = false;    // every file with a message in it lists this channel, even where nothing was said on it
  bool complete = false;  // no message is left out for being large
};

// Which part of something that goes on a message is: of a connection that is opened, carries bytes and is closed.
enum class Part : std::uint8_t {
  none,
  begins,
  continues,
  asks,  // continues it; what comes before is complete without it
  ends,
};

class Sink {
 public:
  virtual ~Sink() = default;

  // Any thread; may allocate. The same info gives the same id.
  virtual ChannelId channel(const ChannelInfo& info) = 0;
  // Any thread; neither waits nor allocates. `log` is when it passed here, `published` the sender's own stamp.
  // Several pieces are kept as one message. Messages of a channel are numbered here, so that one that is lost leaves
  // a gap. `source`: of a channel that lasts, which of several speaks, of each of which a further file begins with the
  // newest; of one whose messages are parts of something, of which.
  void put(ChannelId channel, UtcTime log, UtcTime published, Bytes head, Bytes body = {}, std::uint16_t source = 0,
           Part part = Part::none) noexcept {
    keep({channel, source, part, log, published}, head, body);
  }

 protected:
  struct Stamp {
    ChannelId channel = 0;
    std::uint16_t source = 0;
    Part part = Part::none;
    UtcTime log{}, published{};
  };
  virtual void keep(const Stamp& stamp, Bytes head, Bytes body) noexcept = 0;
  // For sinks that hand on to others.
  static void hand_on(Sink& to, const Stamp& stamp, Bytes head, Bytes body) noexcept { to.keep(stamp, head, body); }
};

// Two sinks as one, whose channels were all asked for here: so both number them alike.
class Tee final : public Sink {
 public:
  Tee(Sink& first, Sink& second) : first_(first), second_(second) {}

  ChannelId channel(const ChannelInfo& info) override {
    const std::lock_guard lock(mutex_);
    const ChannelId id = first_.channel(info);
    return second_.channel(info) == id ? id : ChannelId{0};
  }
  // The same channels, into the second sink alone.
  Sink& second_only() { return second_only_; }

 private:
  struct SecondOnly final : Sink {
    explicit SecondOnly(Tee& of) : tee(of) {}
    ChannelId channel(const ChannelInfo& info) override { return tee.channel(info); }
    void keep(const Stamp& stamp, Bytes head, Bytes body) noexcept override { hand_on(tee.second_, stamp, head, body); }
    Tee& tee;
  };
  void keep(const Stamp& stamp, Bytes head, Bytes body) noexcept override {
    hand_on(first_, stamp, head, body);
    hand_on(second_, stamp, head, body);
  }

  std::mutex mutex_;  // one order of the channels for both
  Sink& first_;
  Sink& second_;
  SecondOnly second_only_{*this};
};

}  // namespace tandem::record
