// SPDX-License-Identifier: Apache-2.0
// What recording costs: CPU of the thread that puts a message and of those that write it, beside the same bytes written
// by the MCAP writer alone, by one write(2) for each message and by buffered fwrite, at 10,000 messages in a second.
// And that writer beside a plain one: chunks of Zstandard with their index, and nothing else.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/base/bytes.hpp"
#include "tandem/base/crc32.hpp"
#include "tandem/record/mcap_writer.hpp"
#include "tandem/record/recorder.hpp"

namespace {

using namespace tandem;

constexpr std::size_t window = 10000;  // messages, one second
constexpr Duration period = 100us;
constexpr double least_of_plain = 0.95;  // small messages are all Zstandard, which both call alike

double process_time() {  // s of CPU of all threads
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Numbers as a machine tells them: doubles that change a little from one to the next.
std::vector<std::uint8_t> signal_bytes(std::size_t size, std::size_t number, std::mt19937_64& random) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i + 8 <= size; i += 8) {
    const double value =
        0.1 * static_cast<double>(i) + 1e-4 * static_cast<double>(number) + 1e-7 * static_cast<double>(random() % 1000);
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
  return bytes;
}

struct Cost {
  double put = 0, rest = 0;  // s per message: of the thread that puts, and of all others
};

// Puts at the period, in bursts of ten so that the waiting costs little; what the waiting costs is taken off.
template <typename Put>
Cost measure_window(const std::vector<std::vector<std::uint8_t>>& all, Put put) {
  double spent = 0;
  const double before = process_time(), before_thread = bench::thread_time();
  Instant next = now();
  for (std::size_t i = 0; i < window; i += 10) {
    const double start = bench::thread_time();
    for (std::size_t j = i; j < i + 10; ++j) put(all[j % all.size()]);
    spent += bench::thread_time() - start;
    next += 10 * period;
    std::this_thread::sleep_until(next);
  }
  const double thread = bench::thread_time() - before_thread;
  return {spent / window, (process_time() - before - thread) / window};
}

// The cheapest of several windows.
template <typename Put>
Cost measure(const std::vector<std::vector<std::uint8_t>>& all, Put put) {
  Cost least = measure_window(all, put);
  for (int i = 1; i < (bench::quick() ? 1 : 4); ++i) {
    const Cost next = measure_window(all, put);
    if (next.put + next.rest < least.put + least.rest) least = next;
  }
  return least;
}

// The writer in the thread that has the messages, without ring, other threads or disk.
Cost writer_alone(const std::string& path, const std::vector<std::vector<std::uint8_t>>& all) {
  auto writer = record::McapWriter::create(path);
  if (!writer) return {};
  const auto channel = writer->channel({.topic = "/signal", .encoding = "cdr"});
  std::uint32_t sequence = 0;
  return measure(all, [&](const auto& bytes) {
    const auto time = static_cast<std::uint64_t>(system_clock().utc().time_since_epoch().count());
    (void)writer->message({.channel = *channel, .sequence = ++sequence, .log_time = time, .publish_time = time},
                          {bytes});
  });
}

// The records of MCAP that messages need, as its description has them: messages in chunks of a mebibyte, each chunk
// with its checksum, compressed, written at once and followed by the index of its messages. One channel; no summary.
class PlainChunkWriter {
 public:
  explicit PlainChunkWriter(const std::string& path)
      : file_(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600)), context_(ZSTD_createCCtx()) {
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, 1);
    records_.reserve(chunk_bytes + 65536);
  }
  ~PlainChunkWriter() {
    flush();
    ZSTD_freeCCtx(context_);
    ::close(file_);
  }
  PlainChunkWriter(const PlainChunkWriter&) = delete;
  PlainChunkWriter& operator=(const PlainChunkWriter&) = delete;

  void message(std::uint32_t sequence, std::uint64_t time, Bytes data) {
    if (index_.empty()) start_ = time;
    index_.emplace_back(time, records_.size());
    ByteWriter writer(records_);
    writer.little(std::uint8_t{5});
    writer.little(std::uint64_t{22 + data.size()});
    writer.little(std::uint16_t{1});
    writer.little(sequence);
    writer.little(time);
    writer.little(time);
    records_.insert(records_.end(), data.begin(), data.end());
    end_ = time;
    if (records_.size() >= chunk_bytes) flush();
  }

 private:
  static constexpr std::size_t chunk_bytes = 1u << 20;

  void flush() {
    if (index_.empty()) return;
    frame_.resize(ZSTD_compressBound(records_.size()));
    const std::size_t size = ZSTD_compress2(context_, frame_.data(), frame_.size(), records_.data(), records_.size());
    out_.clear();
    ByteWriter writer(out_);
    writer.little(std::uint8_t{6});
    writer.little(std::uint64_t{8 + 8 + 8 + 4 + 4 + 4 + 8 + size});
    for (const std::uint64_t each : {start_, end_, std::uint64_t{records_.size()}}) writer.little(each);
    writer.little(crc32(records_));
    writer.little(std::uint32_t{4});
    for (const char letter : {'z', 's', 't', 'd'}) writer.little(static_cast<std::uint8_t>(letter));
    writer.little(std::uint64_t{size});
    out_.insert(out_.end(), frame_.begin(), frame_.begin() + static_cast<std::ptrdiff_t>(size));
    writer.little(std::uint8_t{7});
    writer.little(std::uint64_t{2 + 4 + 16 * index_.size()});
    writer.little(std::uint16_t{1});
    writer.little(static_cast<std::uint32_t>(16 * index_.size()));
    for (const auto& [time, offset] : index_) {
      writer.little(time);
      writer.little(offset);
    }
    (void)!::write(file_, out_.data(), out_.size());
    records_.clear();
    index_.clear();
  }

  int file_;
  ZSTD_CCtx* context_;
  std::vector<std::uint8_t> records_, frame_, out_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> index_;  // log time, offset
  std::uint64_t start_ = 0, end_ = 0;
};

// One after the other without a pause, several chunks a window: a window of a second may end before its chunk does.
bench::Row writers_beside(const std::filesystem::path& folder, const std::vector<std::vector<std::uint8_t>>& all) {
  constexpr std::size_t window_bytes = 8u << 20, head = 31;
  const std::size_t count = window_bytes / (all[0].size() + head);
  const auto time = [] { return static_cast<std::uint64_t>(system_clock().utc().time_since_epoch().count()); };
  PlainChunkWriter plain(folder / "plain.mcap");
  auto writer = record::McapWriter::create(folder / "beside.mcap");
  if (!writer) return {"write", {}, least_of_plain, "plain chunk writer"};
  const auto channel = writer->channel({.topic = "/signal", .encoding = "cdr"});
  std::uint32_t sequence = 0;
  const auto peer = [&] {
    for (std::size_t i = 0; i < count; ++i) plain.message(++sequence, time(), all[i % all.size()]);
  };
  const auto ours = [&] {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t now = time();
      (void)writer->message({.channel = *channel, .sequence = ++sequence, .log_time = now, .publish_time = now},
                            {all[i % all.size()]});
    }
  };
  const std::string what = fmt::format("write a message of {} bytes, one thread", all[0].size());
  return {what, bench::side_by_side(count, peer, ours, 20), least_of_plain, "plain chunk writer"};
}

void report_size(std::size_t size, double ours, double wanted, const std::vector<std::pair<std::string, Cost>>& peers) {
  for (const auto& [name, peer] : peers) {
    bench::report({.name = fmt::format("record a message of {} bytes, all threads", size),
                   .peer = name,
                   .ours = ours,
                   .theirs = peer.put * 1e6,
                   .unit = "us",
                   .ratio = peer.put * 1e6 / ours,
                   .wanted = fmt::format("at most {} us", wanted),
                   .met = ours <= wanted});
  }
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tandem_bench_{}", ::getpid());
  std::filesystem::create_directory(folder);
  fmt::print("{:>6} {:>10} {:>10} {:>10} {:>10} {:>12} {:>12} {:>9}\n", "bytes", "put us", "thread us", "both us",
             "writer us", "write(2) us", "fwrite us", "of writer");
  bool all_met = true;
  std::vector<bench::Row> rows;
  for (const auto& [size, wanted] : {std::pair{64u, 1.0}, std::pair{512u, 1.5}, std::pair{4096u, 4.0}}) {
    std::mt19937_64 random(size);
    std::vector<std::vector<std::uint8_t>> all;
    for (std::size_t i = 0; i < 1000; ++i) all.push_back(signal_bytes(size, i, random));
    const int file = ::open((folder / "write").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    const Cost plain = measure(all, [&](const auto& bytes) { (void)!::write(file, bytes.data(), bytes.size()); });
    ::close(file);
    std::FILE* stream = std::fopen((folder / "fwrite").c_str(), "wb");
    const Cost buffered = measure(all, [&](const auto& bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stream); });
    std::fclose(stream);
    const Cost writer = writer_alone(folder / fmt::format("{}_alone.mcap", size), all);
    rows.push_back(writers_beside(folder, all));
    for (const auto& written : std::filesystem::directory_iterator(folder)) std::filesystem::remove(written);
    Cost ours;
    {
      record::Recorder recorder({.file = folder / fmt::format("{}.mcap", size)});
      const auto channel = recorder.channel({.topic = "/signal", .encoding = "cdr"});
      ours = measure(all, [&](const auto& bytes) {
        const UtcTime time = system_clock().utc();
        recorder.put(channel, time, time, bytes);
      });
      if (recorder.counts().dropped > 0) fmt::print("{} dropped\n", recorder.counts().dropped);
    }
    const double both = 1e6 * (ours.put + ours.rest);
    const bool met = both <= wanted;
    all_met = all_met && met;
    fmt::print("{:>6} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>12.3f} {:>12.3f} {:>8.2f}x{}\n", size, ours.put * 1e6,
               ours.rest * 1e6, both, writer.put * 1e6, plain.put * 1e6, buffered.put * 1e6, both / (writer.put * 1e6),
               met ? "" : fmt::format("  more than {} us", wanted));
    report_size(size, both, wanted, {{"our writer alone", writer}, {"write(2)", plain}, {"fwrite", buffered}});
    bench::report_at_most(fmt::format("hand a message of {} bytes over", size), ours.put * 1e6, "us");
  }
  std::filesystem::remove_all(folder);
  all_met = bench::print(rows) && all_met;
  return all_met ? EXIT_SUCCESS : EXIT_FAILURE;
}
