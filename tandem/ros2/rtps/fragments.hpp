// SPDX-License-Identifier: Apache-2.0
// Samples of discovery and of handshakes that arrive in fragments.
//
// Cyclone DDS cuts everything above 1344 bytes, certificates among them. What a fragment counts can only be checked in
// the whole sample, so these are put together here, and Fast DDS gets them as one DATA after the screen has seen it.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "tandem/ros2/rtps/fields.hpp"
#include "tandem/ros2/transport/addresses.hpp"

namespace tandem::ros2 {

// Fragments of one sample in one submessage; they lie within their sample and are complete.
struct FragmentPart {
  Bytes header;  // of the message: with the source
  std::optional<ParticipantPrefix> destination;
  Entity reader{}, writer{};
  std::int64_t sequence = 0;
  std::uint32_t first = 1;   // number of the first one, from 1
  std::uint16_t size = 0;    // of each but the last of the sample, bytes
  std::uint32_t sample = 0;  // bytes
  Bytes payload{};
};

// Any thread.
class Reassembly {
 public:
  static constexpr std::uint32_t largest_sample = 60'000;  // bytes; one DATA holds less than 64 KiB
  static constexpr std::size_t most_samples = 64;          // under way, the oldest leaves
  static constexpr std::size_t most_of_one = 16;           // from one address

  // The message with the whole sample, once its last missing fragment is here.
  std::optional<std::vector<std::uint8_t>> add(const FragmentPart& part, const Ipv4& from);

 private:
  struct Key {
    Ipv4 from{};
    ParticipantPrefix source{};
    Entity writer{};
    std::int64_t sequence = 0;
    auto operator<=>(const Key&) const = default;
  };
  struct Sample {
    std::uint16_t size = 0;
    std::vector<std::uint8_t> bytes;
    std::vector<bool> present;
    std::size_t missing = 0;
    std::uint64_t heard = 0;
  };

  void make_room(const Ipv4& from);

  std::mutex mutex_;
  std::map<Key, Sample> samples_;
  std::uint64_t heard_ = 0;
};

}  // namespace tandem::ros2
