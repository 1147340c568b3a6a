// SPDX-License-Identifier: Apache-2.0
// The mission of a virtual autopilot: others upload, download and clear it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/constants.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"

namespace tandem::mavlink {

// Missions only, no fences and no rally points. A mission counts when all of it has come; until then the old one does.
class MissionServer {
 public:
  struct Options {
    Address own{1, 1};
    Duration retry = 700ms;
    int tries = 8;
    std::size_t most_items = 700;
    bool asks_as_ardupilot = false;  // by MISSION_REQUEST first, though whole numbers are taken as well
  };
  MissionServer() : MissionServer(Options{}) {}
  explicit MissionServer(const Options& options) : options_(options) {}

  // True when the frame was about missions and meant for us.
  bool handle(const Frame& frame, Instant now, Outlet& outlet);
  // Goes on with an upload that was begun on this outlet.
  void poll(Instant now, Outlet& outlet);

  const std::vector<MissionItemInt>& items() const { return items_; }
  std::uint16_t current() const { return current_; }
  // From within: as it was before.
  void restore(std::vector<MissionItemInt> items) { items_ = std::move(items); }
  // From within, as items are done; informs others.
  void reached(std::uint16_t seq, Outlet& outlet);
  void choose(std::uint16_t seq, Outlet& outlet);

  // Judges an item before it is taken; anything but `accepted` ends the upload with that.
  std::function<MissionResult(const MissionItemInt&)> check;
  // What is kept of an item that was taken, and given to those who ask for it; all of it without this.
  std::function<MissionItemInt(const MissionItemInt&)> kept;
  // An item that is no part of a mission: to be flown to at once (its `current` is 2), or whose altitude counts (3).
  std::function<MissionResult(const MissionItemInt&)> fly_now;
  // After the mission or the current item was changed from outside.
  std::function<void()> changed;

 private:
  struct Upload {
    Address from;
    const Outlet* by = nullptr;
    std::size_t at = 0, end = 0;        // the next item to come, and the one behind the last
    std::vector<MissionItemInt> items;  // the mission as it will be
    int tries = 0;
    bool whole = true;  // how items are asked for; the other way when there is no answer
    Instant next{};
  };
  void begin_upload(const MissionCount& count, const Address& from, Instant now, Outlet& outlet);
  void begin_update(const MissionWritePartialList& range, const Address& from, Instant now, Outlet& outlet);
  void start(std::size_t at, std::size_t end, const Address& from, Instant now, Outlet& outlet);
  void clear_all(const MissionClearAll& all, const Address& from, Outlet& outlet);
  void take_item(const MissionItemInt& item, const Address& from, Instant now, Outlet& outlet);
  void ask(Instant now, Outlet& outlet);
  void give_item(std::uint16_t seq, std::uint8_t mission_type, bool as_float, const Address& to, Outlet& outlet) const;
  void acknowledge(MissionResult result, std::uint8_t mission_type, const Address& to, Outlet& outlet) const;

  Options options_;
  std::vector<MissionItemInt> items_;
  std::uint16_t current_ = 0;
  std::optional<Upload> upload_;
};

}  // namespace tandem::mavlink
