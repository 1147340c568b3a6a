// SPDX-License-Identifier: Apache-2.0
// Records what happens into an MCAP file: anyone puts messages, a thread of its own writes them, and another brings
// them to the disk, so that a slow disk holds up neither. What does not fit into the ring is counted and lost, and the
// file says so.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"

namespace tandem::record {

using ChannelId = std::uint16_t;

struct ChannelInfo {
  std::string topic{};
  std::string encoding{};         // "cdr", "json"
  std::string schema_name{};      // "geometry_msgs/msg/PoseStamped"; empty: no schema
  std::string schema_encoding{};  // "ros2msg", "jsonschema"
  std::string schema{};
  std::map<std::string, std::string> metadata{};
  bool lasts = false;   // holds until it is said again: every further file begins with the newest
  bool silent = false;  // every file with a message in it lists this channel, even where nothing was said on it
};

struct RecorderOptions {
  std::string file{};
  std::map<std::string, std::string> metadata{};  // of the whole: kept as a Metadata record "tandem"
  std::size_t ring_bytes = 16u << 20;
  std::size_t chunk_bytes = 1u << 20;
  Duration flush = 500ms;          // a chunk is closed and on the disk at least so often
  std::uint64_t largest_file = 0;  // bytes; then the next file begins ("run_1.mcap"); 0: no limit
};

struct RecorderCounts {
  std::uint64_t messages = 0, bytes = 0, file_bytes = 0;
  std::uint64_t dropped = 0;   // messages that are lost, for whatever reason
  std::uint64_t oversize = 0;  // of them: larger than half of the ring, which no disk is fast enough for
  std::string file;
  // "the disk is full", that memory ran out and the recording ended, or of which topic messages are too large; empty:
  // none
  std::string trouble;
};

class Recorder {
 public:
  // Throws std::runtime_error when the file cannot be made. An existing file is never overwritten: the name gets a
  // number.
  explicit Recorder(RecorderOptions options);
  ~Recorder();  // as finish()

  // Any thread; may allocate. The same info gives the same id.
  ChannelId channel(const ChannelInfo& info);
  // Any thread; neither waits nor allocates. `log` is when it passed here, `published` the sender's own stamp.
  // Several pieces are written as one message. Messages of a channel are numbered here, so that one that is lost leaves
  // a gap. `source`: of a channel that lasts, which of several speaks; a further
  // file begins with the newest of each.
  void put(ChannelId channel, UtcTime log, UtcTime published, Bytes head, Bytes body = {},
           std::uint16_t source = 0) noexcept;

  RecorderCounts counts() const;  // any thread
  // Writes everything out and ends the file; what came of it. Nothing may be put any more.
  RecorderCounts finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::record
