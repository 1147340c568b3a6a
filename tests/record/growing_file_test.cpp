// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/growing_file.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "tests/deadline.hpp"
#include "tests/record/recording.hpp"

namespace {
std::atomic<int> failing_syncs{0}, begun_syncs{0}, done_syncs{0};
std::atomic<bool> held_syncs{false};
}  // namespace

// In place of the C library's: a disk that waits, and fails, when it is told to.
extern "C" int fdatasync(int file) {
  ++begun_syncs;
  while (held_syncs) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const bool fails = failing_syncs > 0 && failing_syncs.fetch_sub(1) > 0;
  const long done = fails ? -1 : ::syscall(SYS_fdatasync, file);
  if (fails) errno = EIO;
  ++done_syncs;
  return static_cast<int>(done);
}

namespace tandem::record {
namespace {

bool reaches(const std::atomic<int>& count, int value) {
  const Instant until = soon();
  while (count < value && now() < until) std::this_thread::sleep_for(1ms);
  return count >= value;
}

TEST_CASE("a failure to reach the disk is told though the next time went well") {
  const Folder folder;
  auto file = GrowingFile::create(folder / "a");
  REQUIRE(file);
  REQUIRE(file->append(as_bytes("some")));
  const auto fail_then_succeed = [&] {
    begun_syncs = done_syncs = 0;
    failing_syncs = 1;
    held_syncs = true;
    CHECK(file->sync_soon());
    REQUIRE(reaches(begun_syncs, 1));
    CHECK(file->sync_soon());  // once more, while the first is on its way
    held_syncs = false;
  };
  fail_then_succeed();
  REQUIRE(reaches(done_syncs, 2));
  std::this_thread::sleep_for(20ms);  // what came of it is noted
  const auto told = file->sync_soon();
  REQUIRE_FALSE(told);
  CHECK(told.error().text.find("could not be written to disk") != std::string::npos);
  REQUIRE(reaches(done_syncs, 3));
  CHECK(file->sync());  // once is enough

  fail_then_succeed();
  CHECK_FALSE(file->sync());
  CHECK(file->sync());
}

}  // namespace
}  // namespace tandem::record
