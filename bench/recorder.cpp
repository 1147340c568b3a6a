// SPDX-License-Identifier: Apache-2.0
// What recording costs: CPU of the thread that puts a message and of the one that writes it, beside the same bytes
// written by one write(2) for each message and by buffered fwrite, at 10,000 messages in a second.
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
#include "tandem/record/recorder.hpp"

namespace {

using namespace tandem;

constexpr std::size_t messages = 20000;  // two seconds
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
Cost measure(const std::vector<std::vector<std::uint8_t>>& all, Put put) {
  double spent = 0;
  const double before = process_time(), before_thread = bench::thread_time();
  Instant next = now();
  for (std::size_t i = 0; i < messages; i += 10) {
    const double start = bench::thread_time();
    for (std::size_t j = i; j < i + 10; ++j) put(all[j % all.size()]);
    spent += bench::thread_time() - start;
    next += 10 * period;
    std::this_thread::sleep_until(next);
  }
  const double thread = bench::thread_time() - before_thread;
  return {spent / messages, (process_time() - before - thread) / messages};
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tandem_bench_{}", ::getpid());
  std::filesystem::create_directory(folder);
  fmt::print("{:>6} {:>10} {:>10} {:>10} {:>12} {:>12} {:>9}\n", "bytes", "put us", "thread us", "both us",
             "write(2) us", "fwrite us", "of write");
  bool all_met = true;
  for (const std::size_t size : {64u, 512u, 4096u}) {
    std::mt19937_64 random(size);
    std::vector<std::vector<std::uint8_t>> all;
    for (std::size_t i = 0; i < 1000; ++i) all.push_back(signal_bytes(size, i, random));
    const int file = ::open((folder / "write").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    const Cost plain = measure(all, [&](const auto& bytes) { (void)!::write(file, bytes.data(), bytes.size()); });
    ::close(file);
    std::FILE* stream = std::fopen((folder / "fwrite").c_str(), "wb");
    const Cost buffered = measure(all, [&](const auto& bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stream); });
    std::fclose(stream);
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
    const double both = ours.put + ours.rest;
    all_met = all_met && both <= 2e-6;
    fmt::print("{:>6} {:>10.3f} {:>10.3f} {:>10.3f} {:>12.3f} {:>12.3f} {:>8.2f}x{}\n", size, ours.put * 1e6,
               ours.rest * 1e6, both * 1e6, plain.put * 1e6, buffered.put * 1e6, both / plain.put,
               both <= 2e-6 ? "" : "  more than 2 us");
  }
  std::filesystem::remove_all(folder);
  return all_met ? EXIT_SUCCESS : EXIT_FAILURE;
}
