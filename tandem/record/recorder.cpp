// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/recorder.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tandem/record/channels.hpp"
#include "tandem/record/mcap_writer.hpp"

namespace tandem::record {

namespace {

constexpr Duration recorder_pause = 20ms;  // between two looks into the ring
constexpr std::size_t recorder_batch = 1024;

// "run.mcap", "run_1.mcap", ...
std::string numbered(const std::string& file, int number) {
  if (number == 0) return file;
  const std::string ending = ".mcap";
  if (!file.ends_with(ending)) return fmt::format("{}_{}", file, number);
  return fmt::format("{}_{}{}", file.substr(0, file.size() - ending.size()), number, ending);
}

// The first name from this number on that is not taken.
Result<McapWriter> create_numbered(const RecorderOptions& options, int& number) {
  constexpr int most = 100000;
  for (; number < most; ++number) {
    auto made = McapWriter::create(numbered(options.file, number),
                                   {.profile = {}, .library = "tandem", .chunk_bytes = options.chunk_bytes});
    const bool taken = !made && made.error().fault == Fault::busy && made.error().code == EEXIST;
    if (!taken) return made;
  }
  return Error{Fault::busy, fmt::format("{}: this name and its {} numbered variants all exist", options.file, most)};
}

}  // namespace

struct Recorder::Impl {
  explicit Impl(RecorderOptions choice) : options(std::move(choice)), inlet(options.ring_bytes) {}

  void run() noexcept;
  template <typename Work>
  void guarded(Work work) noexcept;
  void write(Bytes record);
  void write(const mcap::Message& head, Bytes data);
  bool describe(std::uint64_t channel);
  void describe_silent();
  std::uint64_t all_lost() const;
  std::string oversize_text() const;
  void tell_drops();
  void flush();
  void next_file();
  void repeat_lasting();
  void end_file();
  void heed(const Result<void>& result);
  void publish_counts();

  const RecorderOptions options;
  Inlet inlet;
  Channels channels;
  std::atomic<bool> silent_left{false};  // channels to be reported without a message
  std::atomic<bool> stopping{false};
  std::atomic<bool> failed{false};           // the rest is lost
  std::atomic<std::uint64_t> lost_after{0};  // that it failed
  std::thread thread;

  mutable std::mutex mutex;
  RecorderCounts told;  // guarded

  // Of the thread alone.
  std::optional<McapWriter> writer;
  int number = 0;                      // of the file
  std::vector<std::uint16_t> in_file;  // id there of a channel; 0: not yet
  // Of each channel that lasts and each source in it the newest, as in the ring; the channel's own is there at once.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint8_t>> lasting;
  std::uint64_t newest = 0;    // log time, ns
  std::uint64_t repeated = 0;  // bytes of them in the file
  std::uint64_t synced = 0;    // bytes of the file that are on their way to the disk
  std::uint64_t messages = 0, bytes = 0;
  std::uint64_t lost = 0;                             // taken from the ring and not written
  std::uint64_t earlier_lost = 0, earlier_bytes = 0;  // of files that are ended
  std::uint64_t reported_dropped = 0;
  std::uint16_t drops_channel = 0;
  std::string trouble;
};

// Begins a file; the first must succeed, later ones are tried again.
void Recorder::Impl::next_file() {
  auto made = create_numbered(options, number);
  if (!made) return static_cast<void>(trouble = made.error().text);
  ++number;
  writer = std::move(*made);
  synced = 0;
  in_file.clear();
  drops_channel = 0;
  silent_left.store(true, std::memory_order_relaxed);
  describe_silent();
  trouble.clear();
  if (!options.metadata.empty()) heed(writer->metadata({"tandem", options.metadata}));
  repeat_lasting();
}

// At the time where the file begins, as the same message of the channel.
void Recorder::Impl::repeat_lasting() {
  repeated = 0;
  for (const auto& [key, record] : lasting) {
    const std::uint32_t channel = key.first;
    if (record.size() < sizeof(RingHead) || !describe(channel)) continue;
    const RingHead head = head_of(record);
    const Bytes data = data_of(record);
    write({.channel = in_file[channel],
           .sequence = head.sequence,
           .log_time = std::max(head.log, newest),
           .publish_time = head.published,
           .data = data},
          data);
    repeated += data.size();
  }
}

void Recorder::Impl::end_file() {
  if (!writer) return;
  heed(writer->metadata(
      {"tandem_end", {{"messages", fmt::format("{}", messages)}, {"dropped", fmt::format("{}", all_lost())}}}));
  heed(writer->finish());
  earlier_lost += writer->lost();
  earlier_bytes += writer->size();
  writer.reset();
}

void Recorder::Impl::heed(const Result<void>& result) {
  if (!result) trouble = result.error().text;
}

// Makes the channel known to the file; false when there is none.
bool Recorder::Impl::describe(std::uint64_t channel) {
  if (in_file.size() <= channel) in_file.resize(channel + 1);
  if (in_file[channel] != 0) return true;
  const auto info = channels.find(channel);
  if (!info) return false;
  const auto id = writer->channel(*info);
  if (!id) return trouble = id.error().text, false;
  in_file[channel] = *id;
  if (info->lasts) lasting.try_emplace({static_cast<std::uint32_t>(channel), 0});
  return true;
}

// The writer is informed of them; it puts them into the file with the next message.
void Recorder::Impl::describe_silent() {
  if (!silent_left.load(std::memory_order_relaxed) || !silent_left.exchange(false, std::memory_order_acquire)) return;
  for (const ChannelId channel : channels.silent()) describe(channel);
}

void Recorder::Impl::write(Bytes record) {
  const RingHead head = head_of(record);
  if (writer) describe_silent();
  if (!writer || !describe(head.channel)) return static_cast<void>(++lost);
  const Bytes data = data_of(record);
  write({.channel = in_file[head.channel],
         .sequence = head.sequence,
         .log_time = head.log,
         .publish_time = head.published,
         .data = data},
        data);
  ++messages;
  bytes += data.size();
  newest = head.log;
  if (lasting.contains({head.channel, 0})) lasting[{head.channel, head.source}].assign(record.begin(), record.end());
  if (options.largest_file > 0 && writer->size() + writer->waiting() >= options.largest_file + repeated) {
    end_file();
    next_file();
  }
}

void Recorder::Impl::write(const mcap::Message& head, Bytes data) { heed(writer->message(head, {data})); }

std::uint64_t Recorder::Impl::all_lost() const {
  return inlet.dropped() + lost + earlier_lost + (writer ? writer->lost() : 0);
}

// Of the first one, and so the same ever after; empty when there was none.
std::string Recorder::Impl::oversize_text() const {
  const auto [channel, size] = inlet.first_oversize();
  if (size == 0) return "";
  return fmt::format("{0}: message too large to record: expected at most {2} bytes, got {1}", channels.topic(channel),
                     size, inlet.largest());
}

// The file says what is not in it.
void Recorder::Impl::tell_drops() {
  if (!writer || !trouble.empty()) return;
  const std::uint64_t dropped = all_lost();
  if (dropped == reported_dropped) return;
  if (drops_channel == 0) {
    const auto id =
        writer->channel({"/tandem/drops",
                         "json",
                         "tandem.Drops",
                         "jsonschema",
                         R"({"type":"object","properties":{"dropped":{"type":"integer"},"all":{"type":"integer"}}})",
                         {}});
    if (!id) return;
    drops_channel = *id;
  }
  const std::string text = fmt::format(R"({{"dropped":{},"all":{}}})", dropped - reported_dropped, dropped);
  // On the clock of the file, which is that of its messages.
  const std::uint64_t time = newest != 0 ? newest : recorded_time(system_clock().utc());
  write({.channel = drops_channel, .sequence = 0, .log_time = time, .publish_time = time, .data = {}}, as_bytes(text));
  reported_dropped = dropped;
}

void Recorder::Impl::flush() {
  if (!writer) next_file();
  if (!writer) return;
  tell_drops();
  const bool written = writer->waiting() > 0;
  const auto flushed = writer->flush();
  if (flushed && written) trouble.clear();
  heed(flushed);
  // Once for all chunks since the last time, and not at all for nothing.
  if (writer->size() == synced) return;
  synced = writer->size();
  heed(writer->sync_soon());
}

void Recorder::Impl::publish_counts() {
  const std::lock_guard lock(mutex);
  const std::uint64_t lost_here = writer ? writer->lost() : 0;
  told.messages = messages - std::min(messages, earlier_lost + lost_here);
  told.bytes = bytes;
  told.dropped = lost + earlier_lost + lost_here;
  told.file_bytes = earlier_bytes + (writer ? writer->size() : 0);
  if (writer) told.file = writer->path();
  told.trouble = trouble;
}

// Without memory, or a thread for the disk, the recording fails and not the program: whatever was half done in the file
// is left as a crash would leave it, and what waited there and comes from then on is counted.
template <typename Work>
void Recorder::Impl::guarded(Work work) noexcept {
  if (failed.load(std::memory_order_relaxed)) return;
  try {
    work();
  } catch (const std::exception&) {
    if (writer) lost_after.fetch_add(writer->waiting_messages(), std::memory_order_relaxed);
    failed.store(true, std::memory_order_release);
    writer.reset();
  }
}

void Recorder::Impl::run() noexcept {
  Instant next = now() + options.flush;
  const auto each = [this](Bytes record) {
    guarded([&] { write(record); });
    if (failed.load(std::memory_order_relaxed)) lost_after.fetch_add(1, std::memory_order_relaxed);
  };
  for (bool last = false; !last;) {
    last = stopping.load(std::memory_order_acquire);
    std::size_t taken = 0;
    do {
      taken = inlet.take(each, recorder_batch);
      if (const Instant time = now(); time >= next) {
        guarded([this] { flush(), publish_counts(); });
        next = time + options.flush;
      }
    } while (taken == recorder_batch);
    if (!last) std::this_thread::sleep_for(recorder_pause);
  }
  guarded([this] { flush(), end_file(), publish_counts(); });
}

Recorder::Recorder(RecorderOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  impl_->next_file();
  if (!impl_->writer) throw std::runtime_error(impl_->trouble);
  impl_->publish_counts();
  impl_->thread = std::thread([impl = impl_.get()] {
    ::pthread_setname_np(::pthread_self(), "record");
    impl->run();
  });
}

Recorder::~Recorder() {
  impl_->stopping.store(true, std::memory_order_release);
  if (impl_->thread.joinable()) impl_->thread.join();
}

RecorderCounts Recorder::finish() {
  impl_->stopping.store(true, std::memory_order_release);
  if (impl_->thread.joinable()) impl_->thread.join();
  return counts();
}

ChannelId Recorder::channel(const ChannelInfo& info) {
  const ChannelId id = impl_->channels.add(info);
  if (info.silent) impl_->silent_left.store(true, std::memory_order_release);
  return id;
}

void Recorder::keep(const Stamp& stamp, Bytes head, Bytes body) noexcept {
  impl_->inlet.put(
      {recorded_time(stamp.log), recorded_time(stamp.published), 0, stamp.channel, stamp.source, stamp.part}, head,
      body);
}

RecorderCounts Recorder::counts() const {
  const std::lock_guard lock(impl_->mutex);
  RecorderCounts counts = impl_->told;
  counts.oversize = impl_->inlet.oversize();
  counts.dropped += impl_->inlet.dropped() + impl_->lost_after.load(std::memory_order_relaxed);
  if (counts.trouble.empty()) counts.trouble = impl_->oversize_text();
  if (impl_->failed.load(std::memory_order_acquire))
    counts.trouble = counts.file + ": out of memory; the recording ended there, `tandem repair` completes it";
  return counts;
}

}  // namespace tandem::record
