// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/notifications.hpp"

#include <limits>

namespace tandem::ads {
namespace {

constexpr std::int64_t unix_epoch = 116'444'736'000'000'000;  // 1970-01-01 as a FILETIME
constexpr std::int64_t most_ticks = std::numeric_limits<std::int64_t>::max() / 100;

}  // namespace

FileTime filetime_from_utc(UtcTime time) {
  const std::int64_t nanoseconds = time.time_since_epoch().count();
  // Rounded down, also before 1970.
  const std::int64_t ticks = nanoseconds / 100 - (nanoseconds % 100 < 0 ? 1 : 0);
  return static_cast<FileTime>(ticks + unix_epoch);
}

UtcTime utc_from_filetime(FileTime time) {
  if (time > static_cast<FileTime>(unix_epoch + most_ticks)) return UtcTime(Duration(most_ticks * 100));
  const std::int64_t ticks = static_cast<std::int64_t>(time) - unix_epoch;
  return UtcTime(Duration(ticks < -most_ticks ? -most_ticks * 100 : ticks * 100));
}

bool well_formed_notification(Bytes payload) {
  SampleReader reader(payload);
  while (reader.next()) {
  }
  return reader.complete();
}

SampleReader::SampleReader(Bytes payload) : reader_(payload) {
  const auto length = reader_.little<std::uint32_t>();
  if (length != payload.size() - 4 && length != payload.size()) reader_.fail();
  stamps_left_ = reader_.little<std::uint32_t>();
}

std::optional<Sample> SampleReader::next() {
  while (samples_left_ == 0) {
    if (stamps_left_ == 0 || !reader_.ok()) return std::nullopt;
    stamp_ = reader_.little<FileTime>();
    samples_left_ = reader_.little<std::uint32_t>();
    if (!reader_.ok()) return std::nullopt;
    --stamps_left_;
  }
  Sample sample;
  sample.stamp = stamp_;
  sample.handle = reader_.little<std::uint32_t>();
  sample.data = reader_.bytes(reader_.little<std::uint32_t>());
  if (!reader_.ok()) return std::nullopt;
  --samples_left_;
  return sample;
}

NotificationWriter::NotificationWriter(std::vector<std::uint8_t>& out) : writer_(out), begun_at_(out.size()) {
  writer_.zeros(8);
}

void NotificationWriter::stamp(FileTime time) {
  writer_.little(time);
  count_at_ = writer_.size();
  writer_.little<std::uint32_t>(0);
  ++stamps_;
  samples_ = 0;
}

void NotificationWriter::sample(std::uint32_t handle, Bytes data) {
  writer_.little(handle);
  writer_.little(static_cast<std::uint32_t>(data.size()));
  writer_.bytes(data);
  writer_.little_at(count_at_, ++samples_);
  ++all_samples_;
}

void NotificationWriter::finish() {
  writer_.little_at(begun_at_, static_cast<std::uint32_t>(size() - 4));
  writer_.little_at(begun_at_ + 4, stamps_);
}

}  // namespace tandem::ads
