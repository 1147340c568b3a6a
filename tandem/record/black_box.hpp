// SPDX-License-Identifier: Apache-2.0
// The last minute of everything, in memory: anyone puts messages, a thread of its own compresses them and forgets the
// oldest. When something happens it is written into a file, with what follows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/record/black_box_file.hpp"
#include "tandem/record/sink.hpp"

namespace tandem::record {

struct BlackBoxOptions {
  Duration keep = 60s;            // by log times
  std::size_t bytes = 64u << 20;  // of what is kept, compressed; the oldest goes first
  Duration longest_after = 60s;   // what follows an event in its file, however many more events follow
  std::size_t ring_bytes = 8u << 20;
  std::size_t chunk_bytes = 512u << 10;  // uncompressed
  Duration chunk_time = 2s;              // a chunk ends at least so often; while a file is written every
  Duration file_time = 500ms;            // this
  Duration look = 100ms;                 // between two looks into the ring
  // Larger messages, images mostly, are kept only this often on a channel, unless it lasts or is complete.
  std::size_t large = 64u << 10;
  Duration large_every = 1s;
  std::map<std::string, std::string> metadata{};  // of every file: kept as a Metadata record "tandem"
  // Puts another time into a message that is part of something (Preamble).
  std::function<void(std::span<std::uint8_t> data, std::uint64_t time)> restamp{};
};

struct BlackBoxCounts {
  double seconds = 0;                     // from the oldest message to the newest
  std::uint64_t bytes = 0, messages = 0;  // kept
  std::uint64_t dropped = 0;              // since the beginning, for whatever reason
  std::string trouble{};                  // empty: none
};

class BlackBox final : public Sink {
 public:
  explicit BlackBox(BlackBoxOptions options);
  ~BlackBox() override;  // as finish()

  ChannelId channel(const ChannelInfo& info) override;
  BlackBoxCounts counts() const;  // any thread

  // Any thread that may lock; none of them waits for a disk. Begins a file: what is kept, then what follows for
  // `after`. `incident` is kept as a Metadata record "tandem_incident". A file that is being written ends before it.
  std::shared_ptr<const WrittenFile> write(const std::string& path, mcap::Map incident, Duration after);
  // The file that is being written goes on for `after` from now, as far as it may. False: none is.
  bool extend(Duration after);
  // Ends the file that is being written, at once. Nothing may be put any more.
  void finish();

 private:
  void keep(const Stamp& stamp, Bytes head, Bytes body) noexcept override;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::record
