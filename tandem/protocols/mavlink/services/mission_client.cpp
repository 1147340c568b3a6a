// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/mission_client.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::mavlink {

void MissionClient::begin(Status status, Instant now, std::uint8_t mission_type) {
  status_ = status;
  mission_type_ = mission_type;
  count_.reset();
  transferred_ = 0;
  tries_ = 0;
  repeats_ = 0;
  next_ = now;
  why_.clear();
  answer_.reset();
}

void MissionClient::upload(std::vector<MissionItemInt> items, Instant now, std::uint8_t mission_type) {
  begin(Status::uploading, now, mission_type);
  items_ = std::move(items);
  if (items_.size() > 65535) return fail(fmt::format("{} items exceed the maximum of a mission", items_.size()));
  for (std::size_t i = 0; i < items_.size(); ++i) {
    items_[i].seq = static_cast<std::uint16_t>(i);
    items_[i].target_system = options_.target.system;
    items_[i].target_component = options_.target.component;
    items_[i].mission_type = mission_type;
  }
}

void MissionClient::download(Instant now, std::uint8_t mission_type) {
  begin(Status::downloading, now, mission_type);
  items_.clear();
}

void MissionClient::clear(Instant now, std::uint8_t mission_type) { begin(Status::clearing, now, mission_type); }

void MissionClient::choose(std::uint16_t seq, Instant now) {
  begin(Status::choosing, now, 0);
  chosen_ = seq;
}

void MissionClient::poll(Instant now, Outlet& outlet) {
  if (!busy() || now < next_) return;
  if (tries_ == options_.tries)
    return fail(fmt::format("no answer after {} attempts, {} items transferred", tries_, transferred_));
  ++tries_;
  next_ = now + options_.retry;
  ask(outlet);
}

// The side that waits for the next step asks for it again; while items are uploaded that is the autopilot.
void MissionClient::ask(Outlet& outlet) {
  const auto [system, component] = options_.target;
  switch (status_) {
    case Status::uploading:
      if (transferred_ == 0) {
        outlet.send(MissionCount{system, component, static_cast<std::uint16_t>(items_.size()), mission_type_});
      } else if (transferred_ == items_.size()) {
        outlet.send(items_.back());  // either it or its acknowledgement was lost
      }
      break;
    case Status::downloading:
      if (!count_) {
        outlet.send(MissionRequestList{system, component, mission_type_});
      } else {
        outlet.send(MissionRequestInt{system, component, static_cast<std::uint16_t>(items_.size()), mission_type_});
      }
      break;
    case Status::clearing:
      outlet.send(MissionClearAll{system, component, mission_type_});
      break;
    case Status::choosing:
      outlet.send(MissionSetCurrent{system, component, chosen_});
      break;
    default:
      break;
  }
}

void MissionClient::progressed(Instant now) {
  tries_ = 1;
  next_ = now + options_.retry;
}

bool MissionClient::handle(const Frame& frame, Instant now, Outlet& outlet) {
  if (!busy() || frame.source.system != options_.target.system || !frame.meant_for(options_.own)) return false;
  if (const auto request = frame.as<MissionRequestInt>()) {
    if (request->mission_type == mission_type_) wanted(request->seq, now, outlet);
    return true;
  }
  if (const auto request = frame.as<MissionRequest>()) {
    if (request->mission_type == mission_type_) wanted(request->seq, now, outlet);
    return true;
  }
  if (const auto count = frame.as<MissionCount>()) return handle_count(*count, now, outlet);
  if (const auto item = frame.as<MissionItemInt>()) return handle_item(*item, now, outlet);
  if (const auto item = frame.as<MissionItem>()) return handle_item(mission_item_int_from(*item), now, outlet);
  if (const auto ack = frame.as<MissionAck>()) return handle_ack(*ack);
  if (const auto current = frame.as<MissionCurrent>(); current && status_ == Status::choosing) {
    if (current->seq == chosen_) status_ = Status::done;
    return true;
  }
  return false;
}

void MissionClient::wanted(std::uint16_t seq, Instant now, Outlet& outlet) {
  if (status_ != Status::uploading || seq >= items_.size()) return;
  outlet.send(items_[seq]);
  const bool repeated = seq < transferred_;
  repeats_ = repeated ? repeats_ + 1 : 0;
  if (repeats_ > 10 * options_.tries) return fail(fmt::format("the autopilot requests item {} repeatedly", seq));
  transferred_ = std::max<std::size_t>(transferred_, seq + 1u);
  progressed(now);  // even when it was lost on the way: a client is there
}

bool MissionClient::handle_count(const MissionCount& count, Instant now, Outlet& outlet) {
  if (status_ != Status::downloading || count.mission_type != mission_type_ || count_) return false;
  if (count.count > options_.most_items) {
    acknowledge(MissionResult::no_space, outlet);
    fail(fmt::format("mission: expected at most {1} items, got {0}", count.count, options_.most_items));
    return true;
  }
  count_ = count.count;
  progressed(now);
  if (*count_ == 0) {
    acknowledge(MissionResult::accepted, outlet);
    status_ = Status::done;
  } else {
    ask(outlet);
  }
  return true;
}

bool MissionClient::handle_item(const MissionItemInt& item, Instant now, Outlet& outlet) {
  if (status_ != Status::downloading || !count_ || item.mission_type != mission_type_) return false;
  if (item.seq != items_.size()) return true;  // late or twice; the one that is missing is asked for again
  items_.push_back(item);
  transferred_ = items_.size();
  progressed(now);
  if (transferred_ == *count_) {
    acknowledge(MissionResult::accepted, outlet);
    status_ = Status::done;
  } else {
    ask(outlet);
  }
  return true;
}

bool MissionClient::handle_ack(const MissionAck& ack) {
  if (ack.mission_type != mission_type_ || status_ == Status::choosing) return false;
  const auto result = static_cast<MissionResult>(ack.type);
  if (result != MissionResult::accepted) {
    answer_ = result;
    fail(fmt::format("the autopilot refused with mission result {}", ack.type));
    return true;
  }
  if (status_ == Status::downloading) return false;
  // An early "accepted" belongs to a transfer before this one.
  if (status_ == Status::uploading && transferred_ < items_.size()) return false;
  answer_ = result;
  status_ = Status::done;
  return true;
}

void MissionClient::acknowledge(MissionResult result, Outlet& outlet) const {
  outlet.send(
      MissionAck{options_.target.system, options_.target.component, static_cast<std::uint8_t>(result), mission_type_});
}

}  // namespace tandem::mavlink
