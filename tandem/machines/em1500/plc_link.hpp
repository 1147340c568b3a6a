// The bridge's link to the PLC: finds the symbols, checks them, subscribes, and hands over whole samples.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/em1500/sample_gate.hpp"
#include "tandem/protocols/ads/client.hpp"

namespace tandem::em1500 {

class PlcLink {
 public:
  struct Options {
    ads::Peer peer;
    std::string symbol;  // of the pose: "MAIN.stEM1500Pose"
    Duration cycle;      // asked of the PLC between two samples
    net::Tap* tap = nullptr;
  };

  explicit PlcLink(Options options) : options_(std::move(options)) {}

  // Connects and sets everything up from nothing. A pose symbol that is missing, or is not six LREAL, is an error
  // that names it: its bytes are not believed.
  Result<void> connect(Instant deadline);
  void close();

  // The newest sample that has arrived, waiting for one until the deadline; nothing when none came. After an online
  // change of the PLC's program the symbols are looked up and checked again on the way.
  Result<std::optional<PlcSample>> next(Instant deadline);
  Result<ads::DeviceState> state(Instant deadline) { return client_->read_state(deadline); }

  std::uint64_t skipped() const { return skipped_; }  // samples passed over for newer ones, since the start
  std::uint64_t changes() const { return changes_; }  // online changes seen, likewise

 private:
  // A variable that some PLC programs have; handle 0 and subscription 0 when this one does not.
  struct Extra {
    std::uint32_t handle = 0;
    std::uint32_t subscription = 0;
  };

  Result<void> resolve(Instant deadline);
  Result<void> check_pose_symbol(Instant deadline);
  Result<Extra> find_extra(std::string_view name, std::uint32_t size, Instant deadline);
  Result<void> subscribe(Instant deadline);
  Result<void> set_up_again();
  Result<std::optional<PlcSample>> listen(Instant deadline);
  Result<std::optional<PlcSample>> poll(Instant deadline);
  Result<bool> program_changed(Instant deadline);
  void note_extras(const ads::Notification& notification);

  Options options_;
  std::optional<ads::Client> client_;
  std::uint32_t pose_handle_ = 0;
  std::uint32_t pose_subscription_ = 0;
  Extra counter_;
  Extra timeout_;
  std::optional<std::uint32_t> version_subscription_;
  std::uint8_t version_ = 0;
  bool polling_ = false;
  Instant next_poll_{};
  Instant next_version_read_{};
  std::optional<std::int32_t> rx_counter_;
  std::optional<bool> timed_out_;
  std::uint64_t skipped_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace tandem::em1500
