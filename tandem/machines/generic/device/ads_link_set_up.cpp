// SPDX-License-Identifier: Apache-2.0
// AdsLink: what it asks of the PLC before signals can be read, and gives back afterwards.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "tandem/machines/generic/device/ads_link.hpp"
#include "tandem/net/resolver.hpp"
#include "tandem/net/round_trips.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_variables_in_sum = 500;  // as Beckhoff recommends
constexpr std::size_t most_bytes_in_sum = 256 << 10;
constexpr std::size_t most_notifications = 500;  // the same
constexpr Duration shortest_set_up_wait = 150ms, longest_set_up_wait = 10s;
constexpr Duration farewell = 500ms;  // to give handles back

}  // namespace

Result<void> AdsLink::connect(Instant deadline) {
  const net::RoundTrips trips(deadline);
  disconnect();
  answer_time_ = trips.each();
  ads::Peer peer = peer_;
  if (peer.target.net_id.empty()) {
    const auto endpoint = net::resolve(peer.host, peer.port, trips.next());
    if (!endpoint) return endpoint.error();
    peer.target.net_id = ads::NetId::from_ipv4(endpoint->address);
  }
  auto client = ads::Client::connect(peer, trips.next(), tap_);
  if (!client) return std::move(client).error();
  client_.emplace(std::move(*client));
  question_.reset();
  asks_state_ = asks_version_ = sums_ = sum_writes_ = true;
  sums_worked_ = outdated_ = last_was_state_ = false;
  state_ = ads::AdsState::run;
  most_in_sum_ = most_variables_in_sum;
  unanswered_ = 0;
  dropped_ = 0;
  set_up_wait_ = {};
  next_question_ = {};
  auto ready = look_up(nullptr);
  if (ready) return ready;
  if (ready.error().fault == Fault::timeout) client_.reset();
  disconnect();
  return ready;
}

Result<void> AdsLink::look_up(const AdsSignals* before) {
  version_.reset();
  const auto version = client_->symbol_version(answer_deadline());
  if (version) version_ = *version;
  if (!version && !ads::is_refusal(version.error())) return version.error();
  auto learned = learn_signals(*client_, *description_, declared_, before, answer_time_);
  if (!learned) return std::move(learned).error();
  if (before == nullptr && !learned->problems.empty())
    return Error{Fault::invalid, fmt::format("{}", fmt::join(learned->problems, "; "))};
  install(std::move(*learned));
  last_set_up_ = now();
  return subscribe();
}

void AdsLink::install(AdsLearned learned) {
  changed_ = !learned_.items.empty() && !same_signals(signals(), learned.signals.signals);
  fresh_ = true;
  learned_ = std::move(learned);
  for (Note& note : learned_.notes) {
    // Once, however often it is looked up.
    if (std::ranges::find(noted_, note.text) != noted_.end()) continue;
    noted_.push_back(note.text);
    notes_.push_back(std::move(note));
  }
  for (const std::string& problem : learned_.problems) warn(problem);
  std::size_t size = 0;
  for (const AdsItem& item : learned_.signals.items) size += item.layout.size;
  bytes_.assign(size, 0);
  items_.assign(learned_.signals.items.size(), {});
  size = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::size_t length = learned_.signals.items[i].layout.size;
    items_[i].bytes = std::span(bytes_).subspan(size, length);
    size += length;
  }
  by_notification_.clear();
  pulse_.reset();
  notified_ = false;
  make_batches();
}

// Variables of one period, in their order.
void AdsLink::make_batches() {
  for (const Batch& batch : batches_)
    if (batch.request) client_->forget(*batch.request);
  batches_.clear();
  split_ = false;
  std::map<std::pair<bool, Duration>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!learned_.items[i].problem.empty()) continue;
    const double period =
        description_->signals[learned_.signals.items[i].declaration].every.value_or(description_->cycle);
    const bool once = items_[i].notification.has_value();
    groups[{once, once ? Duration{} : duration_of(period)}].push_back(i);
  }
  for (const auto& [key, members] : groups) {
    std::size_t bytes = most_bytes_in_sum;
    for (const std::size_t i : members) {
      bytes += items_[i].bytes.size();
      const bool full = bytes > most_bytes_in_sum || batches_.back().items.size() >= most_in_sum_;
      if (full) {
        Batch batch;
        batch.once = key.first;
        batch.period = key.second;
        batch.due = batch.once ? Instant::max() : Instant{};
        batches_.push_back(std::move(batch));
        bytes = items_[i].bytes.size();
      }
      batches_.back().items.push_back(i);
      batches_.back().rows.push_back({ads::group::value_by_handle, learned_.items[i].handle, items_[i].bytes});
    }
  }
}

// Nothing when the PLC refuses.
Result<std::optional<std::uint32_t>> AdsLink::add_notification(std::size_t item, ads::TransMode mode) {
  const double period =
      description_->signals[learned_.signals.items[item].declaration].every.value_or(description_->cycle);
  const Duration cycle = duration_of(mode == ads::TransMode::server_cycle ? description_->cycle : period);
  ++counters_.requests;
  const auto added =
      client_->add_notification(ads::group::value_by_handle, learned_.items[item].handle,
                                static_cast<std::uint32_t>(items_[item].bytes.size()), mode, cycle, answer_deadline());
  if (added) return std::optional(*added);
  if (!ads::is_refusal(added.error())) return added.error();
  count_refusal();
  warn(fmt::format("the PLC refuses notifications ({}): sum reads instead", ads::text_of(added.error().code)));
  return std::optional<std::uint32_t>();
}

// Samples come when a value changes; one variable comes every cycle, to show that the program runs.
Result<void> AdsLink::subscribe() {
  if (!description_->notify) return {};
  std::optional<std::size_t> smallest;
  for (std::size_t i = 0; i < items_.size() && by_notification_.size() < most_notifications; ++i) {
    if (!learned_.items[i].problem.empty()) continue;
    const auto added = add_notification(i, ads::TransMode::server_on_change);
    if (!added) return added.error();
    if (!*added) return unsubscribe();
    items_[i].notification = *added;
    by_notification_.emplace_back(**added, i);
    if (!smallest || items_[i].bytes.size() < items_[*smallest].bytes.size()) smallest = i;
  }
  if (!smallest) return {};
  const auto pulse = add_notification(*smallest, ads::TransMode::server_cycle);
  if (!pulse) return pulse.error();
  if (!*pulse) return unsubscribe();
  pulse_ = *pulse;
  pulse_at_ = now();
  notified_ = true;
  std::ranges::sort(by_notification_);
  if (items_.size() > most_notifications)
    notes_.push_back({fmt::format("{} variables come as notifications, the others by sum reads", most_notifications)});
  make_batches();
  return {};
}

Result<void> AdsLink::unsubscribe() {
  if (pulse_) by_notification_.emplace_back(*pulse_, 0);
  for (Item& item : items_) item.notification.reset();
  pulse_.reset();
  notified_ = false;
  for (const auto& [handle, item] : std::exchange(by_notification_, {})) {
    auto deleted = client_->delete_notification(handle, answer_deadline());
    if (!deleted && !ads::is_refusal(deleted.error())) return deleted;
  }
  return {};
}

// One request in flight, and only as long as the PLC answers: it may refuse a handle that it does not know any more.
Result<void> AdsLink::release_all() {
  if (auto deleted = unsubscribe(); !deleted) return deleted;
  std::vector<std::uint32_t> handles;
  for (const AdsLearned::Access& access : learned_.items)
    if (access.handle != 0) handles.push_back(access.handle);
  if (learned_.heartbeat.handle != 0) handles.push_back(learned_.heartbeat.handle);
  for (AdsLearned::Access& access : learned_.items) access.handle = 0;
  learned_.heartbeat.handle = 0;
  std::vector<std::uint8_t> data;
  for (const std::uint32_t handle : handles) ByteWriter(data).little(handle);
  std::vector<ads::SumWriteItem> rows;
  for (std::size_t i = 0; i < handles.size(); ++i)
    rows.push_back({ads::group::release_handle, 0, Bytes(data).subspan(4 * i, 4)});
  for (std::size_t first = 0; first < rows.size(); first += most_variables_in_sum) {
    const auto part = std::span(rows).subspan(first, std::min(most_variables_in_sum, rows.size() - first));
    if (learned_.sums && part.size() > 1) {
      auto released = client_->sum_write(part, answer_deadline());
      if (released) continue;
      if (!ads::is_refusal(released.error())) return released;
    }
    for (const ads::SumWriteItem& row : part) {
      auto released = client_->write(row.group, row.offset, row.data, answer_deadline());
      if (!released && !ads::is_refusal(released.error())) return released;
    }
  }
  return {};
}

void AdsLink::disconnect() noexcept {
  if (client_ && client_->open()) {
    answer_time_ = std::min<Duration>(answer_time_, farewell);
    for (Batch& batch : batches_)
      if (batch.request) client_->forget(*batch.request);
    if (question_) client_->forget(question_->id);
    static_cast<void>(release_all().ok());
  }
  question_.reset();
  batches_.clear();
  client_.reset();
}

// Best effort on what the old program gave us, then everything as after connecting. Signals that have a problem now
// keep their place in the list, without a value; the others go on.
Result<void> AdsLink::look_up_again() {
  outdated_ = false;
  set_up_wait_ = std::clamp<Duration>(2 * set_up_wait_, shortest_set_up_wait, longest_set_up_wait);
  for (Batch& batch : batches_) {
    if (batch.request) client_->forget(*batch.request);
    batch.request.reset();
  }
  if (question_) client_->forget(question_->id);
  question_.reset();
  if (auto released = release_all(); !released) return released;
  const AdsSignals before = learned_.signals;
  if (auto again = look_up(&before); !again) return again;
  next_set_up_ = now() + set_up_wait_;
  return {};
}

}  // namespace tandem::generic
