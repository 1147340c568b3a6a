// SPDX-License-Identifier: Apache-2.0
// What recording costs: CPU of the thread that puts a message and of those that write it, beside the same bytes written
// by the MCAP writer alone, by one write(2) for each message and by buffered fwrite, at 10,000 messages in a second.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/record/mcap_writer.hpp"
#include "tandem/record/recorder.hpp"

namespace {

using namespace tandem;

constexpr std::size_t window = 10000;  // messages, one second
constexpr Duration period = 100us;

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
  return all_met ? EXIT_SUCCESS : EXIT_FAILURE;
}
