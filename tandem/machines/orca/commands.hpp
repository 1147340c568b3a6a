// SPDX-License-Identifier: Apache-2.0
// What others want of the vehicle, on its way from their threads to the machine's: newest wins.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/latest.hpp"
#include "tandem/machines/orca/sighting.hpp"
#include "tandem/net/bell.hpp"
#include "tandem/protocols/mavlink/messages/control.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"

namespace tandem::orca {

struct TwistCommand {
  std::array<double, 3> linear{};  // m/s, FLU
  double yaw_rate = 0;             // rad/s, positive to port
  Instant at{};                    // when it was received
  bool in_map = false;             // linear is of the world, ENU, and not of the body
};

struct GoalCommand {
  std::array<double, 3> position{};  // m, in map
  double yaw = 0;                    // rad, from east to north
  Instant at{};
  bool keep_yaw = false;  // the heading of the moment, and not `yaw`
};

struct ModeCommand {
  Mode mode = Mode::manual;
  std::uint64_t number = 0;  // of the question, for its answer
};

// The arm latch has let a client arm, who wants to know what becomes of it.
struct ArmingCommand {
  std::uint64_t number = 0;
};

// Apart from arming, so that none of the two takes the other's place.
struct DisarmingCommand {
  std::uint64_t number = 0;
};

struct LongCommand {
  mavlink::CommandLong command{};
  std::uint64_t number = 0;
};

struct ParameterCommand {
  std::string name{};
  std::optional<double> value{};  // to be written; only read without
  std::uint64_t number = 0;
};

struct MissionCommand {
  enum class Kind : std::uint8_t { upload, download, clear, choose };
  Kind kind = Kind::download;
  std::vector<mavlink::MissionItemInt> items{};  // upload
  std::uint16_t item = 0;                        // choose
  std::uint64_t number = 0;
};

// What became of a question; for the client that asked.
struct CommandAnswer {
  std::uint64_t number = 0;
  bool good = false;
  std::string text{};
  std::vector<mavlink::MissionItemInt> items{};  // of a download
  std::uint8_t result = 4;                       // MAV_RESULT of a command; 4 is "failed"
  double value = 0;                              // of a parameter
};

// For one value of any size; a value that was not taken is dropped for the newer one.
template <typename T>
class ParcelBox {
 public:
  ParcelBox() = default;
  ~ParcelBox() { delete parcel_.load(); }
  ParcelBox(const ParcelBox&) = delete;
  ParcelBox& operator=(const ParcelBox&) = delete;

  void post(std::unique_ptr<T> parcel) { delete parcel_.exchange(parcel.release(), std::memory_order_acq_rel); }
  std::unique_ptr<T> take() {
    if (parcel_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return std::unique_ptr<T>(parcel_.exchange(nullptr, std::memory_order_acq_rel));
  }

 private:
  std::atomic<T*> parcel_{nullptr};
};

// Values in them are finite and in range; the poster has checked that.
struct Commands {
  Mailbox<Sighting> sightings;
  net::Bell bell;  // rung behind a sighting, which is not to wait
  Mailbox<TwistCommand> twist;
  Mailbox<GoalCommand> goal;
  Mailbox<ModeCommand> mode;
  Mailbox<ArmingCommand> arming;
  Mailbox<DisarmingCommand> disarming;
  Mailbox<LongCommand> command;
  ParcelBox<ParameterCommand> parameter;
  ParcelBox<MissionCommand> mission;
};

}  // namespace tandem::orca
