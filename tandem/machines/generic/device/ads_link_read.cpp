// SPDX-License-Identifier: Apache-2.0
// AdsLink: reads what is due, takes notifications, and turns bytes into readings.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/generic/device/ads_link.hpp"
#include "tandem/machines/generic/device/judge.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_in_flight = 16;  // of 32 that the client can have
constexpr int most_notifications_at_once = 8192;
constexpr int unanswered_to_give_up = 2;
constexpr Duration shortest_pulse_limit = 2s;

// The PLC answered, and said no to the whole request.
bool said_no(const Error& error) { return ads::is_refusal(error) || (error.fault == Fault::busy && error.code != 0); }

// It does not know the handle any more: the variable may be elsewhere.
bool lost_handle(std::uint32_t code) {
  using namespace ads;
  return code == code::symbol_not_found || code == code::symbol_version || code == code::invalid_group ||
         code == code::invalid_offset || code == code::not_found;
}

}  // namespace

Result<void> AdsLink::read_due(Instant at, Readings& readings, Scan& scan, Instant deadline) {
  while (true) {
    auto begun = begin_due(at, readings, scan);
    if (!begun) return begun;
    const bool waiting = std::ranges::any_of(batches_, [](const Batch& batch) { return batch.request.has_value(); });
    if (!waiting) return {};
    auto all = take_answers(readings, scan, deadline);
    if (!all) return std::move(all).error();
    if (!*all) return {};
    if (split_) make_batches();
  }
}

Result<void> AdsLink::begin_due(Instant at, Readings& readings, Scan& scan) {
  const Duration slack = duration_of(description_->cycle) / 2;  // a caller that is a little early
  std::size_t in_flight = 0;
  for (Batch& batch : batches_) {
    if (batch.request) ++in_flight;
    if (batch.request || batch.due > at + slack) continue;
    if (in_flight >= most_in_flight) return {};
    if (batch.once)
      batch.due = Instant::max();
    else
      batch.due = batch.due + 2 * batch.period > at ? batch.due + batch.period : at + batch.period;
    if (!sums_) {
      if (auto read = read_one_by_one(batch, readings, scan); !read) return read;
      continue;
    }
    const auto begun = client_->begin_sum_read(batch.rows, answer_deadline());
    if (!begun) return begun.error();
    batch.request = *begun;
    batch.asked = now();
    ++in_flight;
    ++scan.requests;
    ++counters_.requests;
  }
  return {};
}

// False when the deadline has passed first: what is on its way stays there, however slow the PLC is.
Result<bool> AdsLink::take_answers(Readings& readings, Scan& scan, Instant deadline) {
  bool all = true;
  for (Batch& batch : batches_) {
    if (!batch.request) continue;
    const auto there = client_->answered(*batch.request, deadline);
    if (!there) return there.error();
    if (*there) {
      unanswered_ = 0;
      if (auto taken = take(batch, readings, scan); !taken) return std::move(taken).error();
      continue;
    }
    all = false;
    if (now() - batch.asked < answer_limit()) continue;
    client_->forget(*batch.request);
    batch.request.reset();
    ++counters_.timeouts;
    if (!sums_worked_) {
      sums_ = false;
      warn("the PLC does not answer sum reads: reading one by one");
    }
    if (++unanswered_ >= unanswered_to_give_up)
      return Error{Fault::timeout, fmt::format("no answer to {} consecutive reads", unanswered_)};
  }
  return all;
}

Result<void> AdsLink::take(Batch& batch, Readings& readings, Scan& scan) {
  const ads::RequestId id = *std::exchange(batch.request, std::nullopt);
  if (auto done = client_->await_sum_read(id, batch.rows, now()); !done) {
    if (!said_no(done.error())) return done;
    refused(batch, done.error(), readings, scan);
    return {};
  }
  sums_worked_ = true;
  hand_out(batch, readings, scan);
  return {};
}

// Of the sum as a whole.
void AdsLink::refused(Batch& batch, const Error& why, Readings& readings, Scan& scan) {
  count_refusal();
  if (!sums_worked_ && (why.fault == Fault::unsupported || why.code == ads::code::invalid_group)) {
    sums_ = false;
    batch.due = {};
    warn(fmt::format("the PLC refuses sum reads ({}): reading one by one", ads::text_of(why.code)));
    return;
  }
  const bool too_large = why.code == ads::code::invalid_size || why.code == ads::code::no_memory;
  if (too_large && batch.items.size() > 1) {
    most_in_sum_ = batch.items.size() / 2;
    split_ = true;
    warn(fmt::format("the PLC refuses {} variables in one sum read ({}): {} from now on", batch.items.size(),
                     ads::text_of(why.code), most_in_sum_));
    return;
  }
  for (const std::size_t item : batch.items) fail(item, why.code, readings, scan);
}

void AdsLink::hand_out(Batch& batch, Readings& readings, Scan& scan) {
  const Instant received = now();
  if (scan.readable == Instant{}) scan.readable = received;
  bool good = true;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const std::uint32_t code = batch.rows[i].result;
    if (code == ads::code::ok) {
      decode(batch.items[i], received, readings, scan);
    } else {
      fail(batch.items[i], code, readings, scan);
      good = false;
    }
  }
  if (good && !outdated_) set_up_wait_ = {};
}

Result<void> AdsLink::read_one_by_one(Batch& batch, Readings& readings, Scan& scan) {
  std::array<ads::RequestId, most_in_flight> ids;
  for (std::size_t first = 0; first < batch.rows.size(); first += most_in_flight) {
    const auto rows = std::span(batch.rows).subspan(first, std::min(most_in_flight, batch.rows.size() - first));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto size = static_cast<std::uint32_t>(rows[i].into.size());
      const auto begun = client_->begin_read(rows[i].group, rows[i].offset, size, answer_deadline());
      if (!begun) return begun.error();
      ids[i] = *begun;
      ++scan.requests;
      ++counters_.requests;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto data = client_->await(ids[i], now() + answer_limit());
      if (!data && !said_no(data.error())) {
        if (data.error().fault == Fault::timeout) ++counters_.timeouts;
        return data.error();
      }
      rows[i].result =
          data ? data->size() == rows[i].into.size() ? ads::code::ok : ads::code::invalid_size : data.error().code;
      if (rows[i].result == ads::code::ok) copy_bytes(*data, rows[i].into);
    }
  }
  hand_out(batch, readings, scan);
  return {};
}

void AdsLink::decode(std::size_t index, Instant received, Readings& readings, Scan& scan) {
  const AdsItem& item = learned_.signals.items[index];
  const Declaration& declaration = description_->signals[item.declaration];
  const std::span<const std::uint8_t> bytes = items_[index].bytes;
  for (std::size_t s = item.first_signal; s < item.first_signal + item.signals; ++s) {
    const Signal& signal = signals()[s];
    const AdsField& field = learned_.signals.fields[s];
    const std::uint8_t* at = bytes.data() + field.offset;
    readings.of[s].received = received;
    if (signal.kind == Kind::text) {
      const std::string_view text(reinterpret_cast<const char*>(at), field.stride);
      judge_text(signal, text.substr(0, text.find('\0')), readings, s);
      continue;
    }
    for (std::size_t e = 0; e < signal.count; ++e, at += field.stride) {
      const RawNumber raw = raw_number(field.type, at);
      judge_number(signal, declaration, e, raw.value, raw.integer, readings, s);
    }
  }
  scan.answered += static_cast<std::uint32_t>(item.signals);
  items_[index].code = ads::code::ok;
  items_[index].heard = true;
}

void AdsLink::fail(std::size_t index, std::uint32_t code, Readings& readings, Scan& scan) {
  count_refusal();
  Item& item = items_[index];
  const AdsItem& known = learned_.signals.items[index];
  if (item.code != code) {
    item.code = code;
    item.why = fmt::format("{}: {}", known.symbol, ads::text_of(code));
  }
  for (std::size_t s = known.first_signal; s < known.first_signal + known.signals; ++s)
    judge_failed(signals()[s], 0, signals()[s].count, item.why, readings, s);
  scan.answered += static_cast<std::uint32_t>(known.signals);
  if (lost_handle(code)) outdated_ = true;
}

// Everything once, now: what was missed is not known.
void AdsLink::read_again() {
  for (Batch& batch : batches_) batch.due = {};
}

Result<void> AdsLink::take_notifications(Readings& readings, Scan& scan) {
  if (!notified_) return {};
  bool pulsed = false;
  for (int i = 0; i < most_notifications_at_once; ++i) {
    auto next = client_->next_notification(Instant{});
    if (!next) return std::move(next).error();
    if (!*next) break;
    const ads::Notification& got = **next;
    if (got.handle == pulse_) {
      pulsed = true;
      pulse_at_ = got.received;
      continue;
    }
    const auto found =
        std::ranges::lower_bound(by_notification_, got.handle, {}, [](const auto& each) { return each.first; });
    if (found == by_notification_.end() || found->first != got.handle) continue;
    Item& item = items_[found->second];
    if (got.data.size() != item.bytes.size()) continue;
    copy_bytes(got.data, item.bytes);
    if (scan.readable == Instant{}) scan.readable = got.received;
    decode(found->second, got.received, readings, scan);
  }
  if (const auto dropped = client_->counters().samples_dropped; dropped != dropped_) {
    dropped_ = dropped;
    read_again();
  }
  if (pulsed) keep_alive(readings, scan);
  return check_pulse();
}

// The program runs, and has sent nothing of these: they are as they were.
void AdsLink::keep_alive(Readings& readings, Scan& scan) {
  if (scan.readable == Instant{}) scan.readable = pulse_at_;
  for (const auto& [handle, index] : by_notification_) {
    const AdsItem& item = learned_.signals.items[index];
    if (!items_[index].heard || items_[index].code != ads::code::ok) continue;
    for (std::size_t s = item.first_signal; s < item.first_signal + item.signals; ++s) {
      if (readings.of[s].received >= pulse_at_) continue;
      // Stale in between, and nothing has come since: as it was.
      if (readings.of[s].quality == SignalQuality::stale) {
        items_[index].heard = false;
        read_again();
        break;
      }
      readings.of[s].received = pulse_at_;
      ++scan.answered;
    }
  }
}

Result<void> AdsLink::check_pulse() {
  const Duration limit = std::max<Duration>(shortest_pulse_limit, duration_of(10 * description_->cycle));
  if (now() - pulse_at_ < limit) return {};
  warn("the PLC sends no notifications although it has granted them: sum reads instead");
  if (auto done = unsubscribe(); !done) return done;
  make_batches();
  return {};
}

}  // namespace tandem::generic
