// SPDX-License-Identifier: Apache-2.0
// Link: what it asks of the PLC before samples come, and gives back afterwards.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/em1500/device/link.hpp"
#include "tandem/net/resolver.hpp"
#include "tandem/net/round_trips.hpp"
#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::em1500 {
namespace {

constexpr Duration set_up_spacing = 150ms;  // between two set-ups over one connection, whatever the PLC says

// "LREAL", or an array of it: "ARRAY [0..5] OF LREAL".
bool of_lreal(std::string_view type, ads::DataType data_type) {
  constexpr std::string_view array = "ARRAY", of = " OF LREAL";
  if (data_type == ads::DataType::real64 || ads::same_name(type, "LREAL")) return true;
  return type.size() > array.size() + of.size() && ads::same_name(type.substr(0, array.size()), array) &&
         ads::same_name(type.substr(type.size() - of.size()), of);
}

// A structure of six numbers one after the other; arrays of them may be among its members.
bool six_lreal(const ads::TypeInfo& type) {
  std::size_t bytes = 0;
  for (const ads::TypeInfo& member : type.members) {
    if (!of_lreal(member.type, member.data_type) || member.offset != bytes || member.size > sizeof(PlcPose))
      return false;
    bytes += member.size;
  }
  return bytes == sizeof(PlcPose);
}

}  // namespace

Result<void> Link::connect(Instant deadline) {
  const net::RoundTrips trips(deadline);
  close();
  answer_time_ = trips.each();
  ads::Peer peer = options_.peer;
  if (peer.target.net_id.empty()) {
    const auto endpoint = net::resolve(peer.host, peer.port, trips.next());
    if (!endpoint) return endpoint.error();
    peer.target.net_id = ads::NetId::from_ipv4(endpoint->address);
  }
  auto client = ads::Client::connect(peer, trips.next(), options_.tap);
  if (!client) return std::move(client).error();
  client_.emplace(std::move(*client));
  question_.reset();
  trouble_.clear();
  asks_state_ = asks_version_ = true;
  states_known_ = false;
  next_state_ = {};
  outdated_ = false;
  auto ready = resolve();
  if (ready) return ready;
  if (ready.error().fault == Fault::timeout) abandon();
  close();
  return ready;
}

// The handle first: every PLC must give it, and whether it answers at all shows if it has a route for us.
Result<void> Link::resolve() {
  next_set_up_ = now() + set_up_spacing;
  auto handle = client_->handle_by_name(options_.symbol, answer_deadline());
  if (!handle) return std::move(handle).error();
  handles_.pose = *handle;
  version_.reset();
  auto version = client_->symbol_version(answer_deadline());
  if (version) version_ = *version;
  if (!version && (!client_->open() || version.error().fault == Fault::timeout)) return std::move(version).error();
  if (auto good = check_pose_symbol(); !good) return good;
  auto counter = find_extra(symbol_rx_counter, sizeof(std::int32_t));
  if (!counter) return std::move(counter).error();
  handles_.counter = *counter;
  auto timeout = find_extra(symbol_timeout, 1);
  if (!timeout) return std::move(timeout).error();
  handles_.timeout = *timeout;
  rx_counter_.reset();
  timed_out_.reset();
  state_.reset();
  polled_.reset();
  polled_changed_ = {};
  frozen_ = false;
  silent_ = false;
  if (auto subscribed = subscribe(); !subscribed) return subscribed;
  poll_.start(handles_, options_.cycle);
  describe_source();
  next_question_ = now();
  last_was_version_ = true;  // so that the state comes first
  return {};
}

// What the PLC cannot report must not keep us from reading: the length of every sample is checked in any case.
Result<void> Link::check_pose_symbol() {
  const auto symbol = client_->symbol_info(options_.symbol, answer_deadline());
  if (!symbol) return ads::is_refusal(symbol.error()) ? Result<void>() : symbol.error();
  if (symbol->size != sizeof(PlcPose)) {
    return Error{Fault::invalid, fmt::format("{}: expected {} bytes (six LREAL), got {} bytes of type {}",
                                             options_.symbol, sizeof(PlcPose), symbol->size, symbol->type)};
  }
  if (of_lreal(symbol->type, symbol->data_type)) return {};
  const auto type = client_->type_info(symbol->type, answer_deadline());
  if (!type) return ads::is_refusal(type.error()) ? Result<void>() : type.error();
  if (six_lreal(*type)) return {};
  return Error{Fault::invalid, fmt::format("{}: expected six LREAL, got the PLC's type {} with other members",
                                           options_.symbol, symbol->type)};
}

Result<std::optional<std::uint32_t>> Link::find_extra(std::string_view name, std::uint32_t size) {
  std::optional<std::uint32_t> none;
  const auto symbol = client_->symbol_info(name, answer_deadline());
  if (!symbol) return ads::is_refusal(symbol.error()) ? Result(none) : symbol.error();
  if (symbol->size != size) return none;
  auto handle = client_->handle_by_name(name, answer_deadline());
  if (!handle) return std::move(handle).error();
  return std::optional(*handle);
}

// Nothing when the PLC refuses. One that has answered everything but this has no notifications either.
Result<std::optional<std::uint32_t>> Link::add(std::uint32_t group, std::uint32_t offset, std::uint32_t size,
                                               ads::TransMode mode) {
  auto added = client_->add_notification(group, offset, size, mode, options_.cycle, answer_deadline());
  if (added) return std::optional(*added);
  if (!client_->open() || (!ads::is_refusal(added.error()) && added.error().fault != Fault::timeout))
    return std::move(added).error();
  refusal_ = std::move(added).error().text;
  return std::optional<std::uint32_t>();
}

Result<void> Link::subscribe() {
  auto granted = subscribe_samples();
  if (!granted) return std::move(granted).error();
  polling_ = !*granted;
  if (polling_) return unsubscribe();
  auto version = add(ads::group::symbol_version, 0, 1, ads::TransMode::server_on_change);
  if (!version) return std::move(version).error();
  subscriptions_.version = *version;
  refusal_.clear();
  return {};
}

// The pose last: in one packet of the PLC it then comes after what it depends on. False when the PLC refuses one of
// them: a pose without what proves it new is worth nothing, and all of it is read instead.
Result<bool> Link::subscribe_samples() {
  struct Wanted {
    std::optional<std::uint32_t> handle;
    std::optional<std::uint32_t>* subscription;
    std::uint32_t size;
  };
  for (const auto& [handle, subscription, size] :
       {Wanted{handles_.counter, &subscriptions_.counter, 4}, Wanted{handles_.timeout, &subscriptions_.timeout, 1},
        Wanted{handles_.pose, &subscriptions_.pose, sizeof(PlcPose)}}) {
    if (!handle) continue;
    auto added = add(ads::group::value_by_handle, *handle, size, ads::TransMode::server_cycle);
    if (!added) return std::move(added).error();
    *subscription = *added;
    if (!*added) return false;
  }
  return true;
}

Result<void> Link::unsubscribe() {
  for (auto* subscription :
       {&subscriptions_.pose, &subscriptions_.counter, &subscriptions_.timeout, &subscriptions_.version}) {
    if (!*subscription) continue;
    auto deleted = client_->delete_notification(**subscription, answer_deadline());
    subscription->reset();
    if (!deleted && !ads::is_refusal(deleted.error())) return deleted;
  }
  return {};
}

// One request in flight, and only as long as the PLC answers: it may refuse a handle that it does not know any more.
Result<void> Link::release() {
  if (auto deleted = unsubscribe(); !deleted) return deleted;
  for (auto* handle : {&handles_.pose, &handles_.counter, &handles_.timeout}) {
    if (!*handle) continue;
    auto released = client_->release(**handle, answer_deadline());
    handle->reset();
    if (!released && !ads::is_refusal(released.error())) return released;
  }
  return {};
}

// Best effort on what the old program gave us, then everything as after connecting.
Result<void> Link::set_up_again() {
  outdated_ = false;
  ++changes_;
  if (question_) client_->forget(question_->id);
  question_.reset();
  if (auto released = release(); !released) return released;
  return resolve();
}

}  // namespace tandem::em1500
