// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/device/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tandem::em1500 {
namespace {

// Stamps beyond what a clock shows are taken as the nearest that can be counted with.
constexpr UtcTime first_stamp{};
constexpr UtcTime last_stamp{std::chrono::years(230)};
constexpr int most_in_a_row = 1024;  // notifications looked at in one call, however fast they come
constexpr Duration question_period = 1s;
constexpr Duration unanswered_period = 10s;  // for a PLC that has never answered: each try holds up the reads
constexpr Duration frozen_after = 500ms;     // a pose that does not change for this long proves nothing

}  // namespace

void Link::close() {
  if (client_ && client_->open()) static_cast<void>(release().ok());
  abandon();
}

void Link::abandon() {
  if (client_) malformed_before_ += client_->counters().notifications_malformed;
  client_.reset();
  handles_ = {};
  subscriptions_ = {};
}

std::uint64_t Link::malformed() const {
  return malformed_before_ + (client_ ? client_->counters().notifications_malformed : 0);
}

Result<ads::DeviceState> Link::state(Instant deadline) {
  next_question_ = now() + question_period;
  auto state = client_->read_state(deadline);
  if (state) states_known_ = true;
  return state;
}

std::optional<ads::AdsState> Link::idle_state() const {
  return polling_ && state_ && *state_ != ads::AdsState::run ? state_ : std::nullopt;
}

bool Link::poll_instead() {
  if (polling_) return true;
  if (client_->notified()) return false;
  ++changes_;
  polling_ = silent_ = true;
  polled_.reset();
  polled_changed_ = {};
  frozen_ = false;
  describe_source();
  return true;
}

void Link::describe_source() {
  if (!polling_) {
    source_ = "notifications";
    return;
  }
  const std::string why = silent_ ? fmt::format("no valid notification, {} malformed", malformed()) : refusal_;
  const std::string& sum = poll_.sum_refusal();
  source_ = sum.empty() ? fmt::format("sum reads ({})", why) : fmt::format("plain reads ({}; {})", why, sum);
}

Result<std::optional<PlcSample>> Link::next(Instant deadline) {
  if (outdated_) {
    system_clock().sleep_until(std::min(next_set_up_, deadline));
    if (now() < next_set_up_) return std::optional<PlcSample>();
    if (auto again = set_up_again(); !again) return std::move(again).error();
    return std::optional<PlcSample>();
  }
  auto sample = polling_ ? poll(deadline) : listen(deadline);
  if (!sample) return sample;
  if (auto heard = hear_aside(); !heard) return std::move(heard).error();
  if (auto asked = ask_aside(); !asked) return std::move(asked).error();
  return sample;
}

void Link::note_extras(const ads::Notification& notification) {
  if (notification.handle == subscriptions_.counter) {
    rx_counter_ = ByteReader(notification.data).little<std::int32_t>();
  } else if (notification.handle == subscriptions_.timeout) {
    timed_out_ = ByteReader(notification.data).byte() != 0;
  }
}

Result<std::optional<PlcSample>> Link::listen(Instant deadline) {
  std::optional<PlcSample> newest;
  for (int seen = 0; seen < most_in_a_row; ++seen) {
    // Once there is a sample, only what has already arrived can replace it.
    auto notification = client_->next_notification(newest ? Instant{} : deadline);
    if (!notification) return std::move(notification).error();
    if (!*notification) break;
    const ads::Notification& got = **notification;
    if (got.handle == subscriptions_.pose) {
      const UtcTime stamp = std::clamp(ads::utc_from_filetime(got.stamp), first_stamp, last_stamp);
      skipped_ += newest.has_value();
      if (newest && stamp < newest->stamp) continue;  // overtaken on the way
      newest = PlcSample{pose_from(got.data), stamp, got.received, {}, {}};
    } else if (got.handle == subscriptions_.version) {
      const std::uint8_t version = ByteReader(got.data).byte();
      if (version_.value_or(version) != version) {
        outdated_ = true;
        return std::optional<PlcSample>();
      }
      version_ = version;
    } else {
      note_extras(got);
    }
  }
  if (newest) {
    heard_ = true;
    newest->rx_counter = rx_counter_;
    newest->timed_out = timed_out_;
  }
  return newest;
}

Result<std::optional<PlcSample>> Link::poll(Instant deadline) {
  if (client_->notified()) {
    auto sample = listen(Instant{});
    if (!sample || outdated_) return sample;
    if (*sample) {
      ++changes_;
      poll_.stop(*client_);
      polling_ = silent_ = false;
      describe_source();
      return sample;
    }
  }
  if (question_) {  // one request in flight: first its answer
    const auto there = client_->answered(question_->id, deadline);
    if (!there) return there.error();
    if (auto heard = hear_aside(); !heard) return std::move(heard).error();
    if (question_ || outdated_) return std::optional<PlcSample>();
  }
  const bool summed = poll_.sum_refusal().empty();
  auto sample = poll_.next(*client_, deadline);
  if (summed && !poll_.sum_refusal().empty()) describe_source();
  if (!sample && ads::is_refusal(sample.error()) && version_) {
    // A handle dies with the program that gave it; otherwise the link is over, and the next one is set up from nothing.
    auto version = client_->symbol_version(answer_deadline());
    outdated_ = version && *version != *version_;
    if (outdated_) return std::optional<PlcSample>();
  }
  if (!sample) return within(options_.symbol, std::move(sample).error());
  // In STOP too: the first pose after it must not count as one that changes.
  if (*sample && (!proves_new(**sample) || idle_state())) return std::optional<PlcSample>();
  return sample;
}

// A PLC whose notifications have ended may have halted its task, and one that has left the last question about its
// state unanswered may be in STOP: both still answer reads. The counter reports; without one, only a pose that changes
// does. A server that never says its state is believed.
bool Link::proves_new(const PlcSample& sample) {
  if (polled_ && axes(*polled_) != axes(sample.pose)) polled_changed_ = sample.received;
  polled_ = sample.pose;
  const bool vouched = sample.rx_counter || (!heard_ && (state_ || !states_known_));
  frozen_ = !vouched && (polled_changed_ == Instant{} || sample.received - polled_changed_ > frozen_after);
  return !frozen_;
}

// A question that the PLC refuses is not asked again over this connection; one that it leaves unanswered is. Without
// an answer the state is unknown: the last one may be long past.
Result<void> Link::hear_aside() {
  if (!question_) return {};
  const auto there = client_->answered(question_->id, Instant{});
  if (!there) return there.error();
  if (!*there && now() - question_->asked < PlcPoll::answer_limit(*client_)) return {};
  const Question asked = *std::exchange(question_, std::nullopt);
  Result<void> heard = asked.kind == Question::Kind::version ? hear_version(asked.id) : hear_state(asked.id);
  if (heard) {
    trouble_.clear();
    return {};
  }
  if (!client_->open() || heard.error().fault == Fault::invalid) return heard;
  const bool of_state = asked.kind == Question::Kind::state;
  if (of_state) {
    if (state_) last_was_version_ = true;  // once more, out of turn
    state_.reset();
    if (!states_known_) next_state_ = now() + unanswered_period;
  }
  if (ads::is_refusal(heard.error())) (of_state ? asks_state_ : asks_version_) = false;
  trouble_ = std::move(heard).error().text;
  return {};
}

Result<void> Link::hear_version(ads::RequestId id) {
  const auto data = client_->await(id, Instant{});
  if (!data) return data.error();
  if (data->size() == 1) outdated_ = outdated_ || version_ != data->front();
  return {};
}

Result<void> Link::hear_state(ads::RequestId id) {
  const auto state = client_->await_state(id, Instant{});
  if (!state) return state.error();
  state_ = state->ads;
  states_known_ = true;
  return {};
}

// While samples are read, only between two of them.
Result<void> Link::ask_aside() {
  if (question_ || outdated_ || (polling_ && poll_.in_flight()) || now() < next_question_) return {};
  next_question_ = now() + question_period;
  const bool wants_version = version_ && !subscriptions_.version && asks_version_;
  const bool wants_state = asks_state_ && now() >= next_state_;
  if (!wants_state && !wants_version) return {};
  const bool of_version = wants_version && (!last_was_version_ || !wants_state);
  last_was_version_ = of_version;
  auto begun = of_version ? client_->begin_read(ads::group::symbol_version, 0, 1, answer_deadline())
                          : client_->begin_read_state(answer_deadline());
  if (!begun) return std::move(begun).error();
  question_ = {of_version ? Question::Kind::version : Question::Kind::state, *begun, now()};
  return {};
}

}  // namespace tandem::em1500
