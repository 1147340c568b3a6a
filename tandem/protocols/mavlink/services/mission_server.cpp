// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/mission_server.hpp"

#include "tandem/protocols/mavlink/services/mission_client.hpp"

namespace tandem::mavlink {

bool MissionServer::handle(const Frame& frame, Instant now, Outlet& outlet) {
  if (!frame.meant_for(options_.own)) return false;
  const Address& from = frame.source;
  if (const auto list = frame.as<MissionRequestList>()) {
    const auto count = static_cast<std::uint16_t>(list->mission_type == 0 ? items_.size() : 0);
    outlet.send(MissionCount{from.system, from.component, count, list->mission_type});
  } else if (const auto request = frame.as<MissionRequestInt>()) {
    give_item(request->seq, request->mission_type, false, from, outlet);
  } else if (const auto old_request = frame.as<MissionRequest>()) {
    give_item(old_request->seq, old_request->mission_type, true, from, outlet);
  } else if (const auto count = frame.as<MissionCount>()) {
    begin_upload(*count, from, now, outlet);
  } else if (const auto range = frame.as<MissionWritePartialList>()) {
    begin_update(*range, from, now, outlet);
  } else if (const auto item = frame.as<MissionItemInt>()) {
    take_item(*item, from, now, outlet);
  } else if (const auto old_item = frame.as<MissionItem>()) {
    take_item(mission_item_int_from(*old_item), from, now, outlet);
  } else if (const auto all = frame.as<MissionClearAll>()) {
    clear_all(*all, from, outlet);
  } else if (const auto chosen = frame.as<MissionSetCurrent>()) {
    const bool there = chosen->seq < items_.size();
    choose(there ? chosen->seq : current_, outlet);
    if (there && changed) changed();
  } else {
    return frame.is<MissionAck>();
  }
  return true;
}

void MissionServer::clear_all(const MissionClearAll& all, const Address& from, Outlet& outlet) {
  constexpr std::uint8_t of_all_types = 255;
  const bool ours = all.mission_type == 0 || all.mission_type == of_all_types;
  if (ours) {
    items_.clear();
    current_ = 0;
    upload_.reset();
  }
  acknowledge(ours ? MissionResult::accepted : MissionResult::unsupported, all.mission_type, from, outlet);
  if (ours && changed) changed();
}

void MissionServer::begin_upload(const MissionCount& count, const Address& from, Instant now, Outlet& outlet) {
  if (count.mission_type != 0) return acknowledge(MissionResult::unsupported, count.mission_type, from, outlet);
  if (count.count > options_.most_items) return acknowledge(MissionResult::no_space, 0, from, outlet);
  if (upload_ && upload_->from != from) return acknowledge(MissionResult::denied, 0, from, outlet);
  if (count.count == 0) {
    items_.clear();
    current_ = 0;
    upload_.reset();
    acknowledge(MissionResult::accepted, 0, from, outlet);
    if (changed) changed();
    return;
  }
  start(0, count.count, from, now, outlet);
}

void MissionServer::begin_update(const MissionWritePartialList& range, const Address& from, Instant now,
                                 Outlet& outlet) {
  if (range.mission_type != 0) return acknowledge(MissionResult::unsupported, range.mission_type, from, outlet);
  if (upload_ && upload_->from != from) return acknowledge(MissionResult::denied, 0, from, outlet);
  const auto size = static_cast<std::int64_t>(items_.size());
  if (range.start_index < 0 || range.end_index < range.start_index || range.start_index > size ||
      range.end_index > size || static_cast<std::size_t>(range.end_index) >= options_.most_items)
    return acknowledge(MissionResult::error, 0, from, outlet);
  start(static_cast<std::size_t>(range.start_index), static_cast<std::size_t>(range.end_index) + 1, from, now, outlet);
  upload_->items = items_;
}

void MissionServer::start(std::size_t at, std::size_t end, const Address& from, Instant now, Outlet& outlet) {
  upload_ = Upload{};  // clang refuses emplace() of a nested type with initialisers
  upload_->from = from;
  upload_->by = &outlet;
  upload_->at = at;
  upload_->end = end;
  upload_->whole = !options_.asks_as_ardupilot;
  ask(now, outlet);
}

void MissionServer::take_item(const MissionItemInt& item, const Address& from, Instant now, Outlet& outlet) {
  if (item.mission_type != 0) return acknowledge(MissionResult::unsupported, item.mission_type, from, outlet);
  if (fly_now && (item.current == 2 || item.current == 3)) return acknowledge(fly_now(item), 0, from, outlet);
  if (!upload_ && item.seq + 1u == items_.size() && item.command == items_.back().command) {
    return acknowledge(MissionResult::accepted, 0, from, outlet);  // the last one again: our word was lost
  }
  if (!upload_ || upload_->from != from) return;
  if (item.seq != upload_->at) return;  // twice or too early; what is missing is asked for again
  const MissionResult judged = check ? check(item) : MissionResult::accepted;
  if (judged != MissionResult::accepted) {
    upload_.reset();
    return acknowledge(judged, 0, from, outlet);
  }
  const MissionItemInt taken = kept ? kept(item) : item;
  if (upload_->at < upload_->items.size()) {
    upload_->items[upload_->at] = taken;
  } else {
    upload_->items.push_back(taken);
  }
  ++upload_->at;
  upload_->tries = 0;
  if (upload_->at < upload_->end) return ask(now, outlet);
  items_ = std::move(upload_->items);
  current_ = 0;
  upload_.reset();
  acknowledge(MissionResult::accepted, 0, from, outlet);
  if (changed) changed();
}

void MissionServer::ask(Instant now, Outlet& outlet) {
  upload_->next = now + options_.retry;
  if (options_.asks_as_ardupilot && upload_->tries > 0) upload_->whole = !upload_->whole;
  ++upload_->tries;
  const Address& to = upload_->from;
  const auto seq = static_cast<std::uint16_t>(upload_->at);
  if (upload_->whole) {
    outlet.send(MissionRequestInt{to.system, to.component, seq, 0});
  } else {
    outlet.send(MissionRequest{to.system, to.component, seq, 0});
  }
}

void MissionServer::poll(Instant now, Outlet& outlet) {
  if (!upload_ || upload_->by != &outlet || now < upload_->next) return;
  if (upload_->tries < options_.tries) return ask(now, outlet);
  const Address from = upload_->from;
  upload_.reset();
  acknowledge(MissionResult::cancelled, 0, from, outlet);
}

void MissionServer::give_item(std::uint16_t seq, std::uint8_t mission_type, bool as_float, const Address& to,
                              Outlet& outlet) const {
  if (mission_type != 0 || seq >= items_.size())
    return acknowledge(MissionResult::invalid_sequence, mission_type, to, outlet);
  MissionItemInt item = items_[seq];
  item.seq = seq;
  item.target_system = to.system;
  item.target_component = to.component;
  item.current = seq == current_ ? 1 : 0;
  if (as_float) {
    outlet.send(mission_item_from(item));
  } else {
    outlet.send(item);
  }
}

void MissionServer::reached(std::uint16_t seq, Outlet& outlet) { outlet.send(MissionItemReached{seq}); }

void MissionServer::choose(std::uint16_t seq, Outlet& outlet) {
  current_ = seq;
  const std::size_t total = items_.empty() ? 0 : items_.size() - 1;  // the first is home
  outlet.send(MissionCurrent{.seq = seq, .total = static_cast<std::uint16_t>(total)});
}

void MissionServer::acknowledge(MissionResult result, std::uint8_t mission_type, const Address& to,
                                Outlet& outlet) const {
  outlet.send(MissionAck{to.system, to.component, static_cast<std::uint8_t>(result), mission_type});
}

}  // namespace tandem::mavlink
