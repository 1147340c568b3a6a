// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/black_box_file.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <exception>
#include <utility>

namespace tandem::record {

BlackBoxFile::BlackBoxFile(Beginning beginning, const Channels& channels)
    : file_(beginning.file), channels_(channels), thread_([this, first = std::move(beginning)]() mutable {
        ::pthread_setname_np(::pthread_self(), "black box file");
        try {
          write(first);
        } catch (const std::exception& error) {
          trouble_ = fmt::format("{}: {}", file_->path(), error.what());
          writer_.reset();
        }
        first = {};
        run();
      }) {}

BlackBoxFile::~BlackBoxFile() {
  {
    const std::lock_guard lock(mutex_);
    if (!end_) end_.emplace();
  }
  changed_.notify_one();
  thread_.join();
}

void BlackBoxFile::add(std::shared_ptr<const KeptChunk> chunk) {
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    waiting_.push_back(std::move(chunk));
  }
  changed_.notify_one();
}

void BlackBoxFile::end(mcap::Map metadata) {
  {
    const std::lock_guard lock(mutex_);
    end_ = std::move(metadata);
  }
  changed_.notify_one();
}

bool BlackBoxFile::over() const {
  const std::lock_guard lock(mutex_);
  return over_;
}

void BlackBoxFile::run() noexcept {
  tell(writer_ ? WrittenFile::Stage::open : WrittenFile::Stage::failed);
  try {
    while (writer_ && next()) {
    }
  } catch (const std::exception& error) {
    // Half done, as a crash would leave it: `tandem repair` completes it.
    trouble_ = fmt::format("{}: {}", file_->path(), error.what());
    writer_.reset();
  }
  if (stage_ == WrittenFile::Stage::open) tell(WrittenFile::Stage::whole);
  const std::lock_guard lock(mutex_);
  over_ = true;
  waiting_.clear();
}

void BlackBoxFile::write(Beginning& beginning) {
  auto made = McapWriter::create(file_->path());
  if (!made) return static_cast<void>(trouble_ = made.error().text);
  writer_ = std::move(*made);
  if (!beginning.metadata.empty()) heed(writer_->metadata({"tandem", beginning.metadata}));
  heed(writer_->metadata({"tandem_incident", beginning.incident}));
  for (const auto& record : beginning.preamble) {
    const RingHead head = head_of(record);
    if (describe())
      heed(writer_->message({.channel = head.channel,
                             .sequence = head.sequence,
                             .log_time = head.log,
                             .publish_time = head.published,
                             .data = data_of(record)}));
  }
  for (const auto& chunk : beginning.chunks) write(*chunk);
  heed(writer_->flush());
  heed(writer_->sync_soon());
}

bool BlackBoxFile::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !waiting_.empty() || end_; });
  if (waiting_.empty()) {
    const mcap::Map metadata = *end_;
    lock.unlock();
    if (!metadata.empty()) heed(writer_->metadata({"tandem_end", metadata}));
    heed(writer_->finish());
    return false;
  }
  const auto chunk = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  write(*chunk);
  heed(writer_->sync_soon());
  tell(WrittenFile::Stage::open);
  return true;
}

void BlackBoxFile::write(const KeptChunk& chunk) {
  if (!describe()) return;
  heed(writer_->chunk({.start = chunk.start,
                       .end = chunk.end,
                       .size = chunk.size,
                       .compressed = chunk.compressed,
                       .stored = chunk.stored}));
}

// Makes all channels known to the writer, by their own numbers; it describes those that are used.
bool BlackBoxFile::describe() {
  for (const ChannelInfo& info : channels_.from(described_)) {
    const auto id = writer_->channel(info);
    if (!id || *id != described_ + 1) {
      heed(id ? Error{Fault::invalid, fmt::format("{}: {}: expected channel {}, got {}", file_->path(), info.topic,
                                                  described_ + 1, *id)}
              : id.error());
      return false;
    }
    ++described_;
  }
  return true;
}

// The first of them; a chunk that cannot be written is missing, and the next may succeed.
void BlackBoxFile::heed(const Result<void>& result) {
  if (!result && trouble_.empty()) trouble_ = result.error().text;
}

void BlackBoxFile::tell(WrittenFile::Stage stage) {
  stage_ = stage;
  file_->state({stage, writer_ ? writer_->size() : file_->state().bytes, trouble_});
}

}  // namespace tandem::record
