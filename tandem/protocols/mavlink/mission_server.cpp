#include "tandem/protocols/mavlink/mission_server.hpp"

#include "tandem/protocols/mavlink/mission_client.hpp"

namespace tandem::mavlink {

bool MissionServer::handle(const Frame& frame, Instant now, Outlet& outlet) {
  if (!frame.meant_for(options_.own)) return false;
  const Address& from = frame.source;
  if (const auto list = frame.as<MissionRequestList>()) {
    const auto count = static_cast<std::uint16_t>(list->mission_type == 0 ? items_.size() : 0);
    outlet.send(MissionCount{from.system, from.component, count, list->mission_type});
  } else if (const auto request = frame.as<MissionRequestInt>()) {
    give_item(request->seq, false, from, outlet);
  } else if (const auto old_request = frame.as<MissionRequest>()) {
    give_item(old_request->seq, true, from, outlet);
  } else if (const auto count = frame.as<MissionCount>()) {
    begin_upload(*count, from, now, outlet);
  } else if (const auto item = frame.as<MissionItemInt>()) {
    take_item(*item, from, now, outlet);
  } else if (const auto old_item = frame.as<MissionItem>()) {
    take_item(mission_item_int_from(*old_item), from, now, outlet);
  } else if (const auto all = frame.as<MissionClearAll>()) {
    const bool ours = all->mission_type == 0 || all->mission_type == 255;
    if (ours) {
      items_.clear();
      current_ = 0;
      upload_.reset();
    }
    acknowledge(ours ? MissionResult::accepted : MissionResult::unsupported, all->mission_type, from, outlet);
    if (ours && changed) changed();
  } else if (const auto chosen = frame.as<MissionSetCurrent>()) {
    const bool there = chosen->seq < items_.size();
    choose(there ? chosen->seq : current_, outlet);
    if (there && changed) changed();
  } else {
    return frame.is<MissionAck>();
  }
  return true;
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
  upload_.emplace();
  upload_->from = from;
  upload_->count = count.count;
  ask(now, outlet);
}

void MissionServer::take_item(const MissionItemInt& item, const Address& from, Instant now, Outlet& outlet) {
  if (!upload_ && item.seq + 1u == items_.size() && item.command == items_.back().command) {
    return acknowledge(MissionResult::accepted, 0, from, outlet);  // the last one again: our word was lost
  }
  if (!upload_ || upload_->from != from) return;
  if (item.seq != upload_->items.size()) return;  // twice or too early; what is missing is asked for again
  const MissionResult judged = check ? check(item) : MissionResult::accepted;
  if (judged != MissionResult::accepted) {
    upload_.reset();
    return acknowledge(judged, 0, from, outlet);
  }
  upload_->items.push_back(item);
  upload_->tries = 0;
  if (upload_->items.size() < upload_->count) return ask(now, outlet);
  items_ = std::move(upload_->items);
  current_ = 0;
  upload_.reset();
  acknowledge(MissionResult::accepted, 0, from, outlet);
  if (changed) changed();
}

void MissionServer::ask(Instant now, Outlet& outlet) {
  upload_->next = now + options_.retry;
  ++upload_->tries;
  outlet.send(MissionRequestInt{upload_->from.system, upload_->from.component,
                                static_cast<std::uint16_t>(upload_->items.size()), 0});
}

void MissionServer::poll(Instant now, Outlet& outlet) {
  if (!upload_ || now < upload_->next) return;
  if (upload_->tries < options_.tries) return ask(now, outlet);
  const Address from = upload_->from;
  upload_.reset();
  acknowledge(MissionResult::cancelled, 0, from, outlet);
}

void MissionServer::give_item(std::uint16_t seq, bool as_float, const Address& to, Outlet& outlet) const {
  if (seq >= items_.size()) return acknowledge(MissionResult::invalid_sequence, 0, to, outlet);
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
  outlet.send(MissionCurrent{.seq = seq, .total = static_cast<std::uint16_t>(items_.size())});
}

void MissionServer::acknowledge(MissionResult result, std::uint8_t mission_type, const Address& to,
                                Outlet& outlet) const {
  outlet.send(MissionAck{to.system, to.component, static_cast<std::uint8_t>(result), mission_type});
}

}  // namespace tandem::mavlink
