// SPDX-License-Identifier: Apache-2.0
// One file of a black box, written by a thread of its own: what was kept before, then what follows. Whatever ends the
// program, what was written until then can be read.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tandem/record/channels.hpp"
#include "tandem/record/mcap_writer.hpp"

namespace tandem::record {

// Messages on the channels of the box, as a file will have them.
struct KeptChunk {
  std::uint64_t number = 0;          // in the order of time
  std::uint64_t start = 0, end = 0;  // least and greatest log time, ns
  std::uint64_t messages = 0;
  std::uint64_t size = 0;  // bytes, uncompressed
  bool compressed = false;
  std::vector<std::uint8_t> stored;
};

// How far a file is. Any thread.
class WrittenFile {
 public:
  enum class Stage : std::uint8_t {
    opening,
    open,    // what was kept before is in it
    whole,   // ended
    failed,  // there is none
  };
  struct State {
    Stage stage = Stage::opening;
    std::uint64_t bytes = 0;
    std::string trouble{};  // what could not be written, and why; empty: nothing
  };

  explicit WrittenFile(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }
  State state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void state(State state) {
    const std::lock_guard lock(mutex_);
    state_ = std::move(state);
  }

 private:
  const std::string path_;
  mutable std::mutex mutex_;
  State state_;
};

class BlackBoxFile {
 public:
  struct Beginning {
    std::shared_ptr<WrittenFile> file;
    mcap::Map metadata, incident;
    std::vector<std::vector<std::uint8_t>> preamble;  // records of the ring
    std::vector<std::shared_ptr<const KeptChunk>> chunks;
  };
  // The channels are those of the chunks, and outlive this.
  BlackBoxFile(Beginning beginning, const Channels& channels);
  ~BlackBoxFile();  // ends it, and waits

  void add(std::shared_ptr<const KeptChunk> chunk);
  void end(mcap::Map metadata);  // nothing is added any more; does not wait
  bool over() const;             // its thread has ended

 private:
  void run() noexcept;
  void write(Beginning& beginning);
  bool next();  // false: that was the end
  void write(const KeptChunk& chunk);
  bool describe();
  void heed(const Result<void>& result);
  void tell(WrittenFile::Stage stage);

  const std::shared_ptr<WrittenFile> file_;
  const Channels& channels_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<const KeptChunk>> waiting_;  // guarded, as what follows
  std::optional<mcap::Map> end_;
  bool over_ = false;

  // Of the thread alone.
  std::optional<McapWriter> writer_;
  std::size_t described_ = 0;  // channels
  std::string trouble_;
  WrittenFile::Stage stage_ = WrittenFile::Stage::opening;
  std::thread thread_;  // last: it uses all of them
};

}  // namespace tandem::record
