// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/client_session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::modbus {
namespace {

constexpr unsigned unknown_mark = 0xE000'0001;  // no exception code

bool changes_something(Function function) {
  switch (function) {
    case Function::write_coil:
    case Function::write_register:
    case Function::write_coils:
    case Function::write_registers:
    case Function::mask_write_register:
    case Function::read_write_registers:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool outcome_unknown(const Error& error) { return error.code == unknown_mark; }

Result<RequestId> ClientSession::begin(const Request& request, Instant deadline, Instant now) {
  if (auto possible = check(request); !possible) return std::move(possible).error();
  const auto free = std::ranges::find(slots_, false, &Slot::waiting);
  if (free == slots_.end())
    return Error{Fault::busy,
                 fmt::format("unit {}: {}: {} requests are already pending", unit_, describe(request), slots_.size())};
  do {
    ++last_transaction_;
  } while (find(last_transaction_) != nullptr);
  free->request = request;
  free->rejected.reset();
  free->deadline = deadline;
  free->time = deadline - now;
  free->transaction = last_transaction_;
  free->queued = !pipelining_ && (queued_ > 0 || in_flight() != nullptr);
  free->waiting = true;
  free->answered = false;
  free->other_unit.reset();
  queued_ += free->queued;
  if (!free->queued) write(*free);
  return RequestId{last_transaction_};
}

void ClientSession::write(Slot& slot) {
  queued_ -= slot.queued;
  slot.queued = false;
  last_written_ = static_cast<std::size_t>(&slot - slots_.data());
  const std::size_t begun_at = begin_frame(output_, slot.transaction, unit_);
  encode(slot.request, output_);
  finish_frame(output_, begun_at);
}

void ClientSession::advance(Instant now) {
  if (queued_ == 0) return;
  if (const Slot* const before = in_flight(); before != nullptr && now < before->deadline) return;
  const auto age = [this](const Slot& slot) {
    return static_cast<std::uint16_t>(last_transaction_ - slot.transaction);
  };
  Slot* next = nullptr;
  for (Slot& slot : slots_) {
    const bool possible = slot.waiting && slot.queued && now < slot.deadline;
    if (possible && (next == nullptr || age(slot) > age(*next))) next = &slot;
  }
  if (next != nullptr) write(*next);
}

void ClientSession::sent(std::size_t count) {
  sent_ = std::min(sent_ + count, output_.size());
  if (sent_ < output_.size()) return;
  output_.clear();
  sent_ = 0;
}

Result<void> ClientSession::received(std::size_t count, Instant now) {
  framer_.received(count);
  while (true) {
    auto frame = framer_.next();
    if (!frame) return std::move(frame).error();
    if (!*frame) return {};
    sort(**frame, now);
  }
}

void ClientSession::sort(const Frame& frame, Instant now) {
  Slot* const slot = find(frame.transaction);
  if (slot == nullptr || slot->answered || slot->queued || frame.unit != unit_) {
    ++counters_.dropped;
    if (slot != nullptr && !slot->queued && frame.unit != unit_) slot->other_unit = frame.unit;
    return;
  }
  slot->answered = true;
  if (queued_ > 0 && now < slot->deadline) extend_queue(now);
  auto answer = decode_answer(frame.pdu);
  auto fits = answer ? check(slot->request, *answer) : Result<void>(std::move(answer).error());
  if (fits) {
    ++counters_.answers;
    slot->answer = *answer;
  } else {
    ++counters_.rejected;
    slot->rejected = Error{Fault::invalid, "answer rejected: " + fits.error().text};
  }
}

void ClientSession::extend_queue(Instant now) {
  for (Slot& slot : slots_)
    if (slot.waiting && slot.queued) slot.deadline = std::max(slot.deadline, now + slot.time);
}

const ClientSession::Slot* ClientSession::in_flight() const {
  const Slot& slot = slots_[last_written_];
  return slot.waiting && !slot.queued && !slot.answered ? &slot : nullptr;
}

void ClientSession::leave(Slot& slot) {
  queued_ -= slot.queued;
  slot.waiting = false;
}

const ClientSession::Slot* ClientSession::find(std::uint16_t transaction) const {
  const auto found = std::ranges::find_if(
      slots_, [transaction](const Slot& slot) { return slot.waiting && slot.transaction == transaction; });
  return found == slots_.end() ? nullptr : &*found;
}

Instant ClientSession::deadline(RequestId id) const {
  const Slot* const slot = find(id.transaction);
  return slot == nullptr ? Instant{} : slot->deadline;
}

Instant ClientSession::patience(RequestId id) const {
  const Slot* const slot = find(id.transaction);
  if (slot == nullptr) return {};
  const Slot* const before = slot->queued ? in_flight() : nullptr;
  return before == nullptr ? slot->deadline : std::min(slot->deadline, before->deadline);
}

bool ClientSession::finished(RequestId id, Instant now) const {
  const Slot* const slot = find(id.transaction);
  return slot == nullptr || slot->answered || now >= slot->deadline;
}

Result<const Answer*> ClientSession::collect(RequestId id, Instant now) {
  Slot* const slot = find(id.transaction);
  if (slot == nullptr)
    return Error{Fault::not_found, fmt::format("unit {}: request {} is not pending", unit_, id.transaction)};
  if (!slot->answered && now < slot->deadline) return static_cast<const Answer*>(nullptr);
  leave(*slot);
  if (!slot->answered) {
    ++counters_.timeouts;
    return failed(*slot, {Fault::timeout, silence(*slot)});
  }
  if (slot->rejected) return failed(*slot, *slot->rejected);
  if (const auto* exception = std::get_if<Exception>(&slot->answer)) {
    const auto code = static_cast<unsigned>(exception->code);
    return Error{
        Fault::device,
        fmt::format("unit {}: {}: exception {}, {}", unit_, describe(slot->request), code, name(exception->code)),
        code};
  }
  return &slot->answer;
}

Error ClientSession::give_up(RequestId id, const Error& why) {
  Slot* const slot = find(id.transaction);
  if (slot == nullptr) return why;
  leave(*slot);
  return failed(*slot, why);
}

std::string ClientSession::silence(const Slot& slot) const {
  if (slot.queued) return "not sent: no answer to the previous request";
  if (!slot.other_unit) return "no answer before the deadline";
  return fmt::format("expected an answer from unit {1}, got one from unit {0}", *slot.other_unit, unit_);
}

// What was never sent was never done.
Error ClientSession::failed(const Slot& slot, Error why) const {
  const bool unknown = !slot.queued && changes_something(function_of(slot.request));
  why.text = fmt::format("unit {}: {}: {}{}", unit_, describe(slot.request),
                         unknown ? "outcome UNKNOWN, the device may or may not have executed it: " : "", why.text);
  if (unknown) why.code = unknown_mark;
  return why;
}

std::size_t ClientSession::waiting() const {
  return static_cast<std::size_t>(std::ranges::count(slots_, true, &Slot::waiting));
}

}  // namespace tandem::modbus
