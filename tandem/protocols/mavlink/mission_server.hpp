// The mission of a virtual autopilot: others upload, download and clear it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/constants.hpp"
#include "tandem/protocols/mavlink/frame.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"
#include "tandem/protocols/mavlink/outlet.hpp"

namespace tandem::mavlink {

// Missions only, no fences and no rally points. A mission counts when all of it has come; until then the old one does.
class MissionServer {
 public:
  struct Options {
    Address own{1, 1};
    Duration retry = 700ms;
    int tries = 8;
    std::size_t most_items = 700;
  };
  MissionServer() : MissionServer(Options{}) {}
  explicit MissionServer(const Options& options) : options_(options) {}

  // True when the frame was about missions and meant for us.
  bool handle(const Frame& frame, Instant now, Outlet& outlet);
  void poll(Instant now, Outlet& outlet);

  const std::vector<MissionItemInt>& items() const { return items_; }
  std::uint16_t current() const { return current_; }
  // From within, as items are done; tells others.
  void reached(std::uint16_t seq, Outlet& outlet);
  void choose(std::uint16_t seq, Outlet& outlet);

  // Judges an item before it is taken; anything but `accepted` ends the upload with that.
  std::function<MissionResult(const MissionItemInt&)> check;
  // After the mission or the current item was changed from outside.
  std::function<void()> changed;

 private:
  struct Upload {
    Address from;
    std::size_t count = 0;
    std::vector<MissionItemInt> items;
    int tries = 0;
    Instant next{};
  };
  void begin_upload(const MissionCount& count, const Address& from, Instant now, Outlet& outlet);
  void take_item(const MissionItemInt& item, const Address& from, Instant now, Outlet& outlet);
  void ask(Instant now, Outlet& outlet);
  void give_item(std::uint16_t seq, bool as_float, const Address& to, Outlet& outlet) const;
  void acknowledge(MissionResult result, std::uint8_t mission_type, const Address& to, Outlet& outlet) const;

  Options options_;
  std::vector<MissionItemInt> items_;
  std::uint16_t current_ = 0;
  std::optional<Upload> upload_;
};

}  // namespace tandem::mavlink
