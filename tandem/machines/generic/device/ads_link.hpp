// SPDX-License-Identifier: Apache-2.0
// The link to a TwinCAT PLC: one sum read a cycle, or notifications; a sum write; the symbol version and the PLC's
// state watched beside them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tandem/machines/generic/device/ads_learn.hpp"
#include "tandem/machines/generic/device/link.hpp"
#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::generic {

// In real time, not by the machine's clock: its deadlines are those of sockets. After an online change a scan looks
// everything up again, and may then take as long as a connect().
class AdsLink final : public Link {
 public:
  // Throws std::invalid_argument for an invalid URL, or structures of the file that contradict themselves.
  explicit AdsLink(const LinkSetup& setup);

  Result<void> connect(Instant deadline) override;
  void disconnect() noexcept override;
  bool open() const override { return client_ && client_->open(); }
  const std::vector<Signal>& signals() const override { return learned_.signals.signals; }
  Result<Scan> scan(Instant now, Readings& readings, Instant deadline) override;
  Result<void> write(std::span<const Write> writes, std::vector<Written>& outcomes, Instant deadline) override;
  Result<void> beat(std::uint32_t count, Instant deadline) override;
  std::vector<Note> take_notes() override { return std::exchange(notes_, {}); }
  LinkCounters counters() const override { return counters_; }
  std::string delays() const override;

 private:
  // One variable and its bytes.
  struct Item {
    std::span<std::uint8_t> bytes;
    std::uint32_t code = 0;  // the PLC's last answer
    std::string why;         // of that code, or why it cannot be read at all
    std::optional<std::uint32_t> notification;
    bool heard = false;  // one has come
  };
  // What one request reads.
  struct Batch {
    Duration period{};
    Instant due{};  // by the caller's clock
    std::vector<ads::SumReadItem> rows;
    std::vector<std::size_t> items;
    std::optional<ads::RequestId> request;
    Instant asked{};
    bool once = false;  // only when due is set: its variables come as notifications
  };
  // A question beside the samples, one in flight.
  struct Question {
    bool of_state = false;
    ads::RequestId id;
    Instant asked;
  };

  // ads_link_set_up.cpp
  Result<void> look_up(const AdsSignals* before);
  void install(AdsLearned learned);
  void make_batches();
  Result<void> subscribe();
  Result<std::optional<std::uint32_t>> add_notification(std::size_t item, ads::TransMode mode);
  Result<void> unsubscribe();
  Result<void> release_all();
  Result<void> look_up_again();
  Instant answer_deadline() const { return now() + answer_time_; }

  // ads_link_read.cpp
  Result<void> read_due(Instant at, Readings& readings, Scan& scan, Instant deadline);
  Result<void> begin_due(Instant at, Readings& readings, Scan& scan);
  Result<bool> take_answers(Readings& readings, Scan& scan, Instant deadline);
  Result<void> take(Batch& batch, Readings& readings, Scan& scan);
  void refused(Batch& batch, const Error& why, Readings& readings, Scan& scan);
  Result<void> read_one_by_one(Batch& batch, Readings& readings, Scan& scan);
  void hand_out(Batch& batch, Readings& readings, Scan& scan);
  void decode(std::size_t index, Instant received, Readings& readings, Scan& scan);
  void fail(std::size_t index, std::uint32_t code, Readings& readings, Scan& scan);
  void read_again();
  Result<void> take_notifications(Readings& readings, Scan& scan);
  void keep_alive(Readings& readings, Scan& scan);
  Result<void> check_pulse();

  void mark_problems(Readings& readings);
  void mark_stale(Readings& readings, std::string_view why);
  void fit(Readings& readings) const;
  Duration answer_limit() const;
  Result<void> ask_aside();
  Result<void> hear_aside();
  void hear_state(ads::AdsState state);
  void warn(std::string text) { notes_.push_back({std::move(text), true}); }
  void count_refusal() { ++counters_.exceptions[0]; }

  // ads_link_write.cpp
  Result<std::size_t> encode(const Write& write, std::uint8_t* into) const;
  Result<void> write_part(std::span<const Write> writes, std::span<Written> outcomes, Instant deadline);
  void count(const Result<void>& outcome);
  const std::string& symbol_of(std::size_t declaration) const { return learned_.signals.items[declaration].symbol; }

  const std::shared_ptr<const Description> description_;
  ads::Peer peer_;
  net::Tap* tap_;
  PlcTypeTable declared_;

  std::optional<ads::Client> client_;
  Duration answer_time_{500ms};  // of one round trip
  AdsLearned learned_;
  std::vector<Item> items_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Batch> batches_;
  bool changed_ = false;  // signals() are others than at the last scan
  bool fresh_ = false;    // nothing was read since the look-up

  bool sums_ = true, sums_worked_ = false;
  bool sum_writes_ = true;
  std::size_t most_in_sum_ = 0;
  bool split_ = false;  // most_in_sum_ is smaller than it was
  int unanswered_ = 0;  // in a row

  bool notified_ = false;
  std::vector<std::pair<std::uint32_t, std::size_t>> by_notification_;  // sorted; the item
  std::optional<std::uint32_t> pulse_;                                  // comes every cycle, changed or not
  Instant pulse_at_{};
  std::uint64_t dropped_ = 0;

  std::optional<std::uint8_t> version_;
  bool outdated_ = false;
  Instant last_set_up_{}, next_set_up_{};
  Duration set_up_wait_{};
  std::optional<Question> question_;
  Instant next_question_{};
  bool last_was_state_ = false, asks_state_ = true, asks_version_ = true;
  ads::AdsState state_ = ads::AdsState::run;

  std::vector<ads::SumWriteItem> rows_;
  std::vector<std::size_t> row_of_;  // the write that each row is
  std::vector<std::uint8_t> out_;
  std::vector<Note> notes_;
  std::vector<std::string> noted_;  // notes of earlier look-ups
  LinkCounters counters_;
};

}  // namespace tandem::generic
