// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/ads_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/machines/generic/device/judge.hpp"

namespace tandem::generic {
namespace {

constexpr Duration question_period = 250ms;
constexpr Duration set_up_spacing = 150ms;  // between two look-ups over one connection, whatever the PLC says
constexpr Duration shortest_answer_limit = 500ms, longest_answer_limit = 2s;

template <typename T>
T or_throw(Result<T> result) {
  if (!result) throw std::invalid_argument(result.error().text);
  return std::move(*result);
}

}  // namespace

AdsLink::AdsLink(const LinkSetup& setup)
    : description_(setup.description),
      peer_(or_throw(ads::peer_from_url(setup.device))),
      tap_(setup.tap),
      declared_(or_throw(PlcTypeTable::declared(setup.description->types))) {
  for (const Declaration& each : description_->signals)
    if (!std::holds_alternative<AdsPlace>(each.at))
      throw std::invalid_argument(fmt::format("{}: expected an ADS symbol, got a Modbus address", each.name));
}

std::unique_ptr<Link> make_ads_link(const LinkSetup& setup) { return std::make_unique<AdsLink>(setup); }

std::string AdsLink::delays() const {
  const Duration trip = client_ ? client_->round_trip() : Duration{0};
  return fmt::format("device round trip {:.3g} ms, timeouts {}", 1e3 * seconds(trip), counters_.timeouts);
}

Duration AdsLink::answer_limit() const {
  return std::clamp<Duration>(4 * client_->round_trip(), shortest_answer_limit, longest_answer_limit);
}

Result<Scan> AdsLink::scan(Instant at, Readings& readings, Instant deadline) {
  if (!open()) return Error{Fault::closed, "not connected to the PLC"};
  Scan scan;
  if (outdated_ && now() >= next_set_up_)
    if (auto again = look_up_again(); !again) return std::move(again).error();
  if (fresh_ || readings.of.size() != signals().size()) {
    if (changed_ || readings.of.size() != signals().size()) {
      readings.resize(signals());
      scan.signals_changed = true;
    }
    fit(readings);
    mark_problems(readings);
    changed_ = fresh_ = false;
  }
  if (auto heard = hear_aside(); !heard) return std::move(heard).error();
  if (state_ == ads::AdsState::run) {
    if (auto read = read_due(at, readings, scan, deadline); !read) return std::move(read).error();
    if (auto taken = take_notifications(readings, scan); !taken) return std::move(taken).error();
    const Instant real = now();
    for (std::size_t i = 0; i < signals().size(); ++i)
      judge_age(signals()[i], real, "no answer from the PLC in time", readings, i);
  } else {
    mark_stale(readings, short_text<60>("the PLC's state is {}", ads::name(state_)));
    if (question_)
      if (auto there = client_->answered(question_->id, deadline); !there) return std::move(there).error();
  }
  if (auto asked = ask_aside(); !asked) return std::move(asked).error();
  return scan;
}

void AdsLink::mark_problems(Readings& readings) {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (learned_.items[i].problem.empty()) continue;
    const AdsItem& item = learned_.signals.items[i];
    for (std::size_t s = item.first_signal; s < item.first_signal + item.signals; ++s)
      judge_failed(signals()[s], 0, signals()[s].count, learned_.items[i].problem, readings, s);
  }
}

void AdsLink::mark_stale(Readings& readings, std::string_view why) {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!learned_.items[i].problem.empty()) continue;
    const AdsItem& item = learned_.signals.items[i];
    for (std::size_t s = item.first_signal; s < item.first_signal + item.signals; ++s)
      set_quality(readings.of[s], SignalQuality::stale, why);
  }
}

// Texts get the length that they can have, each Latin-1 letter taken as two bytes.
void AdsLink::fit(Readings& readings) const {
  for (std::size_t i = 0; i < signals().size(); ++i)
    if (signals()[i].kind == Kind::text)
      readings.texts[signals()[i].text].reserve(2 * learned_.signals.fields[i].text_length);
}

// The state says whether the program runs, the version whether it is the same.
Result<void> AdsLink::ask_aside() {
  if (question_ || now() < next_question_) return {};
  next_question_ = now() + question_period;
  const bool wants_version = asks_version_ && version_.has_value();
  if (!wants_version && !asks_state_) return {};
  const bool of_state = asks_state_ && (!last_was_state_ || !wants_version);
  last_was_state_ = of_state;
  const auto begun = of_state ? client_->begin_read_state(answer_deadline())
                              : client_->begin_read(ads::group::symbol_version, 0, 1, answer_deadline());
  if (!begun) return begun.error();
  ++counters_.requests;
  question_ = {of_state, *begun, now()};
  return {};
}

// A question that the PLC refuses is not asked again over this connection.
Result<void> AdsLink::hear_aside() {
  if (!question_) return {};
  const auto there = client_->answered(question_->id, Instant{});
  if (!there) return there.error();
  if (!*there) {
    if (now() - question_->asked < answer_limit()) return {};
    client_->forget(question_->id);
    question_.reset();
    ++counters_.timeouts;
    return {};
  }
  const Question asked = *std::exchange(question_, std::nullopt);
  std::optional<Error> error;
  if (asked.of_state) {
    auto state = client_->await_state(asked.id, Instant{});
    if (state)
      hear_state(state->ads);
    else
      error = std::move(state).error();
  } else {
    auto data = client_->await(asked.id, Instant{});
    if (!data) {
      error = std::move(data).error();
    } else if (data->size() == 1 && version_ != data->front()) {
      outdated_ = true;
      set_up_wait_ = set_up_spacing;
      next_set_up_ = last_set_up_ + set_up_spacing;
    }
  }
  if (!error) return {};
  if (!ads::is_refusal(*error)) return std::move(*error);
  count_refusal();
  (asked.of_state ? asks_state_ : asks_version_) = false;
  return {};
}

void AdsLink::hear_state(ads::AdsState state) {
  if (state == state_) return;
  const bool runs = state == ads::AdsState::run;
  notes_.push_back(
      {fmt::format("the PLC's state is {}{}", ads::name(state), runs ? "" : ": signals are stale"), !runs});
  state_ = state;
  // What is on its way is from before.
  for (Batch& batch : batches_) {
    if (batch.request) client_->forget(*batch.request);
    batch.request.reset();
  }
  pulse_at_ = now();
  if (runs) read_again();
}

}  // namespace tandem::generic
