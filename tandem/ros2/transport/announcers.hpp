// SPDX-License-Identifier: Apache-2.0
// Which participants Fast DDS knows: a bounded number, a quota for each address, and for new ones those leave
// that are not established.
//
// Fast DDS 2.9.1 has room for a number of participants, and for longer than their leases remembers the number of every
// announcement it has seen, also of those for which it had no room: it never looks at such a participant again. So
// participants without a place are kept from it, and it is asked to forget those that lose theirs.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/rtps/parameters.hpp"

namespace tandem::ros2 {

struct Announcement {
  ParticipantPrefix who{};
  Ipv4 from{};
  std::int32_t lease = 0;  // s
  std::int64_t sequence = 0;
  bool hides_addresses = false;  // Fast DDS does not see all of its addresses
};

struct Admission {
  bool admitted = false;
  // Whom Fast DDS has to forget first, and the number of its last announcement. The participant itself, when Fast DDS
  // has to read it again.
  std::optional<ParticipantPrefix> dismissed{};
  std::int64_t sequence = 0;
  const char* fault = nullptr;  // why it was not admitted; null: Fast DDS has read the same already
};

// Whether a participant may announce itself from a second address while it is known from a first one.
enum class Moves { believed, refused };

// Any thread.
class Announcers {
 public:
  static constexpr std::size_t most = 512;
  // Of one address. The ports of a domain are enough for 120 participants of one computer.
  static constexpr std::size_t most_of_one = 128;
  // Who was received twice, so far apart, counts as established and leaves after those that were not.
  static constexpr Duration established_after = std::chrono::milliseconds(500);
  // Making room costs Fast DDS a participant that ends and one that begins; under a flood it happens this often.
  static constexpr Duration room_period = std::chrono::milliseconds(10);

  // An address that Fast DDS has not read of a participant takes over when those that it has are silent for this many
  // leases. Reading it again costs all matches with it, so it happens only then.
  static constexpr int silent_leases = 2;

  explicit Announcers(Moves moves = Moves::believed) : moves_(moves) {}

  Admission admit(const Announcement& announcement, Instant now);
  // The participant has ended: the number of its last announcement, if it had a place.
  std::optional<std::int64_t> forget(const ParticipantPrefix& who);
  // Whether the participant has announced itself from there.
  bool has_heard(const ParticipantPrefix& who, const Ipv4& from);
  // The participants that use the quota of this address.
  std::vector<ParticipantPrefix> of(const Ipv4& address);
  std::size_t size();

 private:
  static constexpr std::size_t most_addresses = 8;  // of one participant

  struct Place {
    Ipv4 address{};
    Instant last{};
    bool read = false;  // Fast DDS knows it
  };
  struct Entry {
    Ipv4 counted{};            // the address whose quota it uses
    std::vector<Place> heard;  // where it has announced itself from
    Instant first{}, last{}, ends{};
    std::int64_t sequence = 0;
    bool hides_addresses = false;
    bool established() const { return last - first >= established_after; }
    Place* find(const Ipv4& address);
  };
  struct Crowd {
    std::size_t size = 0;
    Instant next_room{};
  };
  using Entries = std::map<ParticipantPrefix, Entry>;

  Admission admit_again(Entry& entry, const Announcement& announcement, Instant now);
  void erase(Entries::iterator entry);
  // The entry that is to leave; only among those of `from`, if it is given.
  Entries::iterator least(const std::optional<Ipv4>& from, Instant now);

  const Moves moves_;
  std::mutex mutex_;
  Entries entries_;
  std::map<Ipv4, Crowd> crowds_;  // by address
  Instant next_room_{};           // when the table is full
};

}  // namespace tandem::ros2
