// SPDX-License-Identifier: Apache-2.0
// The payload of a device notification: samples of subscribed variables under the time stamps they were taken at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"

namespace tandem::ads {

// 100 ns since 1601-01-01 UTC. Times that UtcTime cannot hold (before 1677, after 2262) are taken as its nearest end.
using FileTime = std::uint64_t;
FileTime filetime_from_utc(UtcTime time);
UtcTime utc_from_filetime(FileTime time);

struct Sample {
  FileTime stamp = 0;
  std::uint32_t handle = 0;
  Bytes data;  // a view into the payload
};

// True when counts and sizes add up to exactly the bytes that are there; a malformed payload is dropped as a whole. The
// length in front counts the bytes after itself, as TwinCAT has it, or itself too, as the npm package ads-server has
// it.
bool well_formed_notification(Bytes payload);

// Walks the samples of a well-formed payload from front to back; of any other it gives what comes before the lie.
class SampleReader {
 public:
  explicit SampleReader(Bytes payload);
  std::optional<Sample> next();
  // Every byte used, every count met.
  bool complete() const { return stamps_left_ == 0 && samples_left_ == 0 && reader_.done(); }

 private:
  ByteReader reader_;
  std::uint32_t stamps_left_ = 0;
  std::uint32_t samples_left_ = 0;
  FileTime stamp_ = 0;
};

// Appends a notification payload to a buffer: stamp(), then sample() for each value taken at that time, then the next
// stamp() or finish().
class NotificationWriter {
 public:
  explicit NotificationWriter(std::vector<std::uint8_t>& out);
  void stamp(FileTime time);
  void sample(std::uint32_t handle, Bytes data);
  void finish();
  std::uint32_t samples() const { return all_samples_; }
  std::size_t size() const { return writer_.size() - begun_at_; }  // bytes so far

 private:
  ByteWriter writer_;
  std::size_t begun_at_;
  std::size_t count_at_ = 0;
  std::uint32_t stamps_ = 0;
  std::uint32_t samples_ = 0;
  std::uint32_t all_samples_ = 0;
};

}  // namespace tandem::ads
