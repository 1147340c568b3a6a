// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/black_box.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tandem/record/compression.hpp"
#include "tandem/record/preamble.hpp"

namespace tandem::record {

namespace {

constexpr std::size_t box_batch = 1024;  // records between two looks at the clock
constexpr std::size_t most_channels = 65536;
constexpr int cheapest = -1;  // level of Zstandard: a tenth larger than 1, in a fifth less time

}  // namespace

struct BlackBox::Impl {
  explicit Impl(BlackBoxOptions choice)
      : options(std::move(choice)),
        inlet(options.ring_bytes),
        next_large(most_channels),
        always(most_channels),
        compressor(cheapest),
        preamble(options.restamp) {
    chunk.reserve(options.chunk_bytes + options.chunk_bytes / 8);
  }

  void run() noexcept;
  void look(bool last);
  void take(Bytes record);
  void seal();
  void forget();
  void begin_file(BlackBoxFile::Beginning beginning);
  void end_file();
  void publish_counts();
  bool is_thinned(const Stamp& stamp, std::size_t size) noexcept;

  const BlackBoxOptions options;
  Inlet inlet;
  Channels channels;
  std::vector<std::atomic<std::int64_t>> next_large;  // of each channel, ns
  std::vector<std::atomic<bool>> always;              // of each channel, whether large messages are all kept

  struct Writing {
    Instant until, latest;
    std::shared_ptr<const WrittenFile> file;
  };
  mutable std::mutex mutex;  // of what follows
  std::condition_variable changed;
  std::optional<BlackBoxFile::Beginning> wanted;
  std::optional<Writing> writing;
  BlackBoxCounts told;
  bool stopping = false;

  // Of the thread alone.
  Compressor compressor;
  Preamble preamble;
  std::vector<std::uint8_t> chunk;  // the one that is open
  std::uint64_t chunk_start = 0, chunk_end = 0, chunk_messages = 0, chunk_number = 1;
  Instant chunk_since{};
  std::deque<std::shared_ptr<const KeptChunk>> chunks;
  std::uint64_t bytes = 0, messages = 0;  // in them
  std::uint64_t lost = 0;
  std::string trouble;
  std::vector<std::optional<bool>> lasts;  // by channel, as far as they are known
  std::unique_ptr<BlackBoxFile> file;
  std::vector<std::unique_ptr<BlackBoxFile>> ending;
  std::thread thread;
};

bool BlackBox::Impl::is_thinned(const Stamp& stamp, std::size_t size) noexcept {
  if (size <= options.large || always[stamp.channel].load(std::memory_order_relaxed)) return false;
  const std::int64_t time = stamp.log.time_since_epoch().count();
  std::int64_t due = next_large[stamp.channel].load(std::memory_order_relaxed);
  return time < due || !next_large[stamp.channel].compare_exchange_strong(due, time + options.large_every.count(),
                                                                          std::memory_order_relaxed);
}

void BlackBox::Impl::take(Bytes record) {
  const RingHead head = head_of(record);
  const Bytes data = data_of(record);
  if (lasts.size() <= head.channel) lasts.resize(head.channel + 1U);
  if (!lasts[head.channel]) {
    const auto info = channels.find(head.channel);
    if (!info) return static_cast<void>(++lost);
    lasts[head.channel] = info->lasts;
  }
  if (chunk.empty()) chunk_since = now(), chunk_start = chunk_end = head.log;
  const auto first = mcap::message_head({.channel = head.channel,
                                         .sequence = head.sequence,
                                         .log_time = head.log,
                                         .publish_time = head.published,
                                         .data = {}},
                                        data.size());
  chunk.insert(chunk.end(), first.begin(), first.end());
  chunk.insert(chunk.end(), data.begin(), data.end());
  chunk_start = std::min(chunk_start, head.log);
  chunk_end = std::max(chunk_end, head.log);
  ++chunk_messages;
  if (*lasts[head.channel] || head.part != Part::none) preamble.take(record, chunk_number);
  if (chunk.size() >= options.chunk_bytes) seal();
}

// Ends the open chunk.
void BlackBox::Impl::seal() {
  if (chunk.empty()) return;
  if (const auto stored = compressor.compress(chunk)) {
    auto kept = std::make_shared<KeptChunk>(KeptChunk{chunk_number,
                                                      chunk_start,
                                                      chunk_end,
                                                      chunk_messages,
                                                      chunk.size(),
                                                      stored->compressed,
                                                      {stored->bytes.begin(), stored->bytes.end()}});
    bytes += kept->stored.size();
    messages += kept->messages;
    if (file) file->add(kept);
    chunks.push_back(std::move(kept));
  } else {
    lost += chunk_messages;
  }
  ++chunk_number;
  chunk.clear();
  chunk_messages = 0;
  forget();
}

void BlackBox::Impl::forget() {
  const auto too_old = [&](const KeptChunk& oldest) {
    const std::uint64_t newest = chunks.back()->end;
    return newest > oldest.end && newest - oldest.end > static_cast<std::uint64_t>(options.keep.count());
  };
  while (chunks.size() > 1 && (too_old(*chunks.front()) || bytes + preamble.bytes() > options.bytes)) {
    bytes -= chunks.front()->stored.size();
    messages -= chunks.front()->messages;
    chunks.pop_front();
  }
  if (!chunks.empty()) preamble.forget_before(chunks.front()->number);
}

void BlackBox::Impl::begin_file(BlackBoxFile::Beginning beginning) {
  end_file();
  beginning.metadata = options.metadata;
  const std::uint64_t first = chunks.empty() ? chunk_number : chunks.front()->number;
  const std::uint64_t time = chunks.empty() ? recorded_time(system_clock().utc()) : chunks.front()->start;
  beginning.preamble = preamble.before(first, time);
  beginning.chunks.assign(chunks.begin(), chunks.end());
  const std::shared_ptr<WrittenFile> made = beginning.file;
  try {
    file = std::make_unique<BlackBoxFile>(std::move(beginning), channels);
  } catch (const std::system_error& error) {  // no thread
    made->state({WrittenFile::Stage::failed, 0, fmt::format("{}: {}", made->path(), error.what())});
  }
}

void BlackBox::Impl::end_file() {
  if (!file) return;
  file->end({{"dropped", fmt::format("{}", inlet.dropped() + lost)}});
  ending.push_back(std::move(file));
}

void BlackBox::Impl::publish_counts() {
  const std::uint64_t oldest = chunks.empty() ? chunk_start : chunks.front()->start;
  const std::uint64_t newest = chunk.empty() ? (chunks.empty() ? oldest : chunks.back()->end) : chunk_end;
  const std::lock_guard lock(mutex);
  told.seconds = chunks.empty() && chunk.empty() ? 0 : static_cast<double>(newest - std::min(oldest, newest)) * 1e-9;
  told.bytes = bytes + preamble.bytes() + chunk.size();
  told.messages = messages + chunk_messages;
  told.dropped = lost;
  told.trouble = trouble;
}

// `last`: everything that is there is taken, and the file ends.
void BlackBox::Impl::look(bool last) {
  std::optional<BlackBoxFile::Beginning> begin;
  bool end = last;
  {
    const std::lock_guard lock(mutex);
    begin = std::exchange(wanted, std::nullopt);
    end = end || (writing && now() >= writing->until);
    if (end) writing.reset();
  }
  while (inlet.take([this](Bytes record) { take(record); }, box_batch) == box_batch) {
  }
  const Duration longest = file ? options.file_time : options.chunk_time;
  if (begin || end || (!chunk.empty() && now() - chunk_since >= longest)) seal();
  if (begin) begin_file(std::move(*begin));
  if (end) end_file();
  std::erase_if(ending, [](const auto& each) { return each->over(); });
  publish_counts();
}

// Without memory what is kept is given up, and not the program.
void BlackBox::Impl::run() noexcept {
  for (bool last = false; !last;) {
    {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, options.look, [this] { return stopping || wanted; });
      last = stopping;
    }
    try {
      look(last);
    } catch (const std::exception& error) {
      lost += messages + chunk_messages;
      bytes = messages = chunk_messages = 0;
      chunks.clear();
      chunk.clear();
      trouble = fmt::format("black box: {}; what it held is lost", error.what());
    }
  }
  end_file();
  ending.clear();  // waits
}

BlackBox::BlackBox(BlackBoxOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  impl_->thread = std::thread([impl = impl_.get()] {
    ::pthread_setname_np(::pthread_self(), "black box");
    impl->run();
  });
}

BlackBox::~BlackBox() { finish(); }

ChannelId BlackBox::channel(const ChannelInfo& info) {
  const ChannelId id = impl_->channels.add(info);
  if (info.lasts || info.complete) impl_->always[id].store(true, std::memory_order_relaxed);
  return id;
}

void BlackBox::keep(const Stamp& stamp, Bytes head, Bytes body) noexcept {
  if (impl_->is_thinned(stamp, head.size() + body.size())) return;
  impl_->inlet.put(
      {recorded_time(stamp.log), recorded_time(stamp.published), 0, stamp.channel, stamp.source, stamp.part}, head,
      body);
}

BlackBoxCounts BlackBox::counts() const {
  const std::lock_guard lock(impl_->mutex);
  BlackBoxCounts counts = impl_->told;
  counts.dropped += impl_->inlet.dropped();
  return counts;
}

std::shared_ptr<const WrittenFile> BlackBox::write(const std::string& path, mcap::Map incident, Duration after) {
  auto file = std::make_shared<WrittenFile>(path);
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->wanted = BlackBoxFile::Beginning{file, {}, std::move(incident), {}, {}};
    const Instant time = now();
    impl_->writing = {time + after, time + std::max(after, impl_->options.longest_after), file};
  }
  impl_->changed.notify_one();
  return file;
}

bool BlackBox::extend(Duration after) {
  const std::lock_guard lock(impl_->mutex);
  auto& writing = impl_->writing;
  if (!writing || writing->file->state().stage == WrittenFile::Stage::failed) return false;
  writing->until = std::min(std::max(writing->until, now() + after), writing->latest);
  return true;
}

void BlackBox::finish() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->changed.notify_one();
  if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace tandem::record
