// SPDX-License-Identifier: Apache-2.0
// Records what happens into an MCAP file: anyone puts messages, a thread of its own writes them, and another brings
// them to the disk, so that a slow disk holds up neither. What does not fit into the ring is counted and lost, and the
// file says so.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/record/sink.hpp"

namespace tandem::record {

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

class Recorder final : public Sink {
 public:
  // Throws std::runtime_error when the file cannot be made. An existing file is never overwritten: the name gets a
  // number.
  explicit Recorder(RecorderOptions options);
  ~Recorder() override;  // as finish()

  ChannelId channel(const ChannelInfo& info) override;
  RecorderCounts counts() const;  // any thread
  // Writes everything out and ends the file; what came of it. Nothing may be put any more.
  RecorderCounts finish();

 private:
  void keep(const Stamp& stamp, Bytes head, Bytes body) noexcept override;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::record
