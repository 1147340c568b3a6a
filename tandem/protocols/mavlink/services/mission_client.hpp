// SPDX-License-Identifier: Apache-2.0
// Missions to and from an autopilot. No thread, no socket; time is passed in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/constants.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"

namespace tandem::mavlink {

// One transfer at a time; starting another ends the one before.
class MissionClient {
 public:
  struct Options {
    Address own{255, 190};
    Address target{1, 1};
    Duration retry = 700ms;
    int tries = 5;
    std::size_t most_items = 5000;  // a longer mission is not downloaded
  };
  enum class Status : std::uint8_t { idle, uploading, downloading, clearing, choosing, done, failed };

  MissionClient() : MissionClient(Options{}) {}
  explicit MissionClient(const Options& options) : options_(options) {}

  // Sequence numbers, targets and mission type of the items are filled in.
  void upload(std::vector<MissionItemInt> items, Instant now, std::uint8_t mission_type = 0);
  void download(Instant now, std::uint8_t mission_type = 0);
  void clear(Instant now, std::uint8_t mission_type = 0);
  // Goes on with this item.
  void choose(std::uint16_t seq, Instant now);

  void poll(Instant now, Outlet& outlet);
  // True when the frame belonged to the transfer.
  bool handle(const Frame& frame, Instant now, Outlet& outlet);

  Status status() const { return status_; }
  bool busy() const { return status_ >= Status::uploading && status_ <= Status::choosing; }
  // Why it failed; the autopilot's own word if it gave one.
  const std::string& why() const { return why_; }
  std::optional<MissionResult> answer() const { return answer_; }
  // What was downloaded, or is being uploaded.
  const std::vector<MissionItemInt>& items() const { return items_; }
  std::size_t transferred() const { return transferred_; }

 private:
  void begin(Status status, Instant now, std::uint8_t mission_type);
  void ask(Outlet& outlet);
  void fail(std::string why) {
    status_ = Status::failed;
    why_ = std::move(why);
  }
  void progressed(Instant now);
  void wanted(std::uint16_t seq, Instant now, Outlet& outlet);
  bool handle_count(const MissionCount& count, Instant now, Outlet& outlet);
  bool handle_item(const MissionItemInt& item, Instant now, Outlet& outlet);
  bool handle_ack(const MissionAck& ack);
  void acknowledge(MissionResult result, Outlet& outlet) const;

  Options options_;
  Status status_ = Status::idle;
  std::uint8_t mission_type_ = 0;
  std::vector<MissionItemInt> items_;
  std::optional<std::size_t> count_;  // of a download, once it is known
  std::size_t transferred_ = 0;
  std::uint16_t chosen_ = 0;
  int tries_ = 0;    // without an answer
  int repeats_ = 0;  // of requests for an item that was sent already
  Instant next_{};
  std::string why_;
  std::optional<MissionResult> answer_;
};

// Old items hold places as floats; global frames in degrees, local ones in metres.
MissionItemInt mission_item_int_from(const MissionItem& item);
MissionItem mission_item_from(const MissionItemInt& item);

}  // namespace tandem::mavlink
