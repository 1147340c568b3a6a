// SPDX-License-Identifier: Apache-2.0
// The bridge's link to the PLC: finds the symbols, checks them, subscribes, and hands over whole samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/em1500/device/gate.hpp"
#include "tandem/machines/em1500/device/poll.hpp"
#include "tandem/machines/em1500/device/symbols.hpp"
#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::em1500 {

// In real time, not by the machine's clock: its deadlines are those of sockets.
class Link {
 public:
  struct Options {
    ads::Peer peer;
    std::string symbol;  // of the pose: "MAIN.stEM1500Pose"
    Duration cycle;      // asked of the PLC between two samples
    net::Tap* tap = nullptr;
  };

  explicit Link(Options options) : options_(std::move(options)) {}

  // Connects and sets everything up from nothing; every round trip has as long as the first one, until the deadline. A
  // pose symbol that is missing, or is not six LREAL, is an error that names it: its bytes are not believed.
  Result<void> connect(Instant deadline);
  // Deletes the notifications and releases the handles, if the PLC still answers, and closes the connection.
  void close();
  // Closes it without a word: the PLC does not answer any more.
  void abandon();

  // The newest sample that has arrived, waiting for one until the deadline; nothing when none came. After an online
  // change of the PLC's program the symbols are looked up and checked again on the way.
  Result<std::optional<PlcSample>> next(Instant deadline);
  Result<ads::DeviceState> state(Instant deadline);
  bool states_known() const { return states_known_; }  // it has answered that question over this connection

  // No notifications come although the PLC is there: reads the variables by request until one comes. False when that
  // proves nothing new: a notification has just arrived.
  bool poll_instead();
  bool polling() const { return polling_; }
  // Why answers to reads are no samples: the PLC is not in RUN, as it said last, or nothing shows that they are new.
  std::optional<ads::AdsState> idle_state() const;
  bool frozen() const { return polling_ && frozen_; }
  bool silent() const { return silent_; }  // notifications were granted and do not come

  // What the PLC said to our last question beside the samples, when that was no answer; empty: all is well.
  const std::string& trouble() const { return trouble_; }

  std::uint64_t skipped() const { return skipped_; }  // samples passed over for newer ones, since the start
  // Times the samples have started over: an online change, or a change between notifications and reads.
  std::uint64_t changes() const { return changes_; }
  std::uint64_t malformed() const;                                                    // notifications, since the start
  std::uint64_t packets() const { return client_ ? client_->counters().frames : 0; }  // from the PLC, this connection
  Duration round_trip() const { return client_ ? client_->round_trip() : Duration{0}; }
  const std::string& source() const { return source_; }  // where samples come from, and why not from notifications

 private:
  struct Subscriptions {
    std::optional<std::uint32_t> pose, counter, timeout, version;
  };
  // A question beside the samples, one in flight: how long is a round trip, is the PLC in RUN, is its program the same?
  struct Question {
    enum class Kind { state, version } kind = Kind::state;
    ads::RequestId id;
    Instant asked;
  };

  // plc_set_up.cpp
  Result<void> resolve();
  Result<void> check_pose_symbol();
  Result<std::optional<std::uint32_t>> find_extra(std::string_view name, std::uint32_t size);
  Result<void> subscribe();
  Result<bool> subscribe_samples();
  Result<std::optional<std::uint32_t>> add(std::uint32_t group, std::uint32_t offset, std::uint32_t size,
                                           ads::TransMode mode);
  Result<void> unsubscribe();
  Result<void> release();
  Result<void> set_up_again();
  Instant answer_deadline() const { return now() + answer_time_; }

  Result<std::optional<PlcSample>> listen(Instant deadline);
  Result<std::optional<PlcSample>> poll(Instant deadline);
  bool proves_new(const PlcSample& sample);
  Result<void> ask_aside();
  Result<void> hear_aside();
  Result<void> hear_version(ads::RequestId id);
  Result<void> hear_state(ads::RequestId id);
  void note_extras(const ads::Notification& notification);
  void describe_source();

  Options options_;
  std::optional<ads::Client> client_;
  Duration answer_time_{500ms};  // of one round trip
  PlcHandles handles_;
  Subscriptions subscriptions_;
  std::optional<std::uint8_t> version_;
  bool outdated_ = false;  // the PLC's program has changed: to be set up again
  Instant next_set_up_{};  // not before
  std::string refusal_;    // of notifications
  bool silent_ = false;
  bool heard_ = false;  // a notification of the pose has come, over this connection or an earlier one
  bool polling_ = false;
  PlcPoll poll_;
  std::optional<PlcPose> polled_;  // the last one, and since when it has been the same
  Instant polled_changed_{};
  bool frozen_ = false;
  std::optional<Question> question_;
  Instant next_question_{}, next_state_{};        // not before
  bool last_was_version_ = false;                 // they take turns
  bool asks_state_ = true, asks_version_ = true;  // until the PLC refuses to answer
  bool states_known_ = false;
  std::string trouble_;
  std::optional<ads::AdsState> state_;  // unknown when the last question was not answered
  std::optional<std::int32_t> rx_counter_;
  std::optional<bool> timed_out_;
  std::uint64_t skipped_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t malformed_before_ = 0;  // over earlier connections
  std::string source_;
};

}  // namespace tandem::em1500
