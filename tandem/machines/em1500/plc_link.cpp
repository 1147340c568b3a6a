#include "tandem/machines/em1500/plc_link.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/protocols/ads/errors.hpp"

namespace tandem::em1500 {
namespace {

constexpr Duration set_up_time = 500ms;  // for looking up and subscribing again after an online change
// Stamps beyond what a clock shows are taken as the nearest that can be counted with.
constexpr UtcTime first_stamp{};
constexpr UtcTime last_stamp{std::chrono::years(230)};
constexpr int most_in_a_row = 1024;  // notifications looked at in one call, however fast they come

// The bytes of the symbol, whose size was checked before.
PlcPose pose_from(Bytes bytes) {
  ByteReader reader(bytes);
  PlcPose pose;
  for (double* axis : {&pose.surge, &pose.sway, &pose.heave, &pose.roll, &pose.pitch, &pose.yaw}) {
    *axis = reader.little<double>();
  }
  return pose;
}

bool six_lreal(const ads::TypeInfo& type) {
  if (type.members.size() != 6) return false;
  for (std::size_t i = 0; i < 6; ++i) {
    if (type.members[i].data_type != ads::DataType::real64 || type.members[i].offset != 8 * i) return false;
  }
  return true;
}

// The device answered, and the answer was no: the link itself is fine.
bool answered(const Error& error) {
  return error.fault == Fault::device || error.fault == Fault::not_found || error.fault == Fault::unsupported;
}

}  // namespace

Result<void> PlcLink::connect(Instant deadline) {
  close();
  ads::Peer peer = options_.peer;
  if (peer.target.net_id.empty()) {
    const auto endpoint = net::resolve(peer.host, peer.port);
    if (!endpoint) return endpoint.error();
    peer.target.net_id = ads::NetId::from_ipv4(endpoint->address);
  }
  auto client = ads::Client::connect(peer, deadline, options_.tap);
  if (!client) return std::move(client).error();
  client_.emplace(std::move(*client));
  // The first question shows whether the PLC has a route for us; what it calls itself does not matter.
  const auto info = client_->device_info(deadline);
  if (!info && info.error().code != ads::code::not_supported) return info.error();
  return resolve(deadline);
}

void PlcLink::close() { client_.reset(); }

Result<void> PlcLink::resolve(Instant deadline) {
  if (auto version = client_->symbol_version(deadline)) {
    version_ = *version;
  } else if (!answered(version.error())) {
    return std::move(version).error();
  }
  if (auto good = check_pose_symbol(deadline); !good) return good;
  auto handle = client_->handle_by_name(options_.symbol, deadline);
  if (!handle) return std::move(handle).error();
  pose_handle_ = *handle;
  auto counter = find_extra(symbol_rx_counter, sizeof(std::int32_t), deadline);
  if (!counter) return std::move(counter).error();
  auto timeout = find_extra(symbol_timeout, 1, deadline);
  if (!timeout) return std::move(timeout).error();
  counter_ = *counter;
  timeout_ = *timeout;
  rx_counter_.reset();
  timed_out_.reset();
  return subscribe(deadline);
}

Result<void> PlcLink::check_pose_symbol(Instant deadline) {
  const auto symbol = client_->symbol_info(options_.symbol, deadline);
  // A device without symbol information: all that can be checked is the length of each sample, and the client does.
  if (!symbol && symbol.error().code == ads::code::not_supported) return {};
  if (!symbol) return symbol.error();
  if (symbol->size != sizeof(PlcPose)) {
    return Error{Fault::invalid, fmt::format("{}: expected {} bytes (six LREAL), the PLC has {} bytes of type {}",
                                             options_.symbol, sizeof(PlcPose), symbol->size, symbol->type)};
  }
  const auto type = client_->type_info(symbol->type, deadline);
  if (!type) return answered(type.error()) ? Result<void>() : type.error();
  if (six_lreal(*type)) return {};
  return Error{Fault::invalid, fmt::format("{}: expected six LREAL, but the PLC's type {} is made of something else",
                                           options_.symbol, symbol->type)};
}

Result<PlcLink::Extra> PlcLink::find_extra(std::string_view name, std::uint32_t size, Instant deadline) {
  const auto symbol = client_->symbol_info(name, deadline);
  if (!symbol) return answered(symbol.error()) ? Result<Extra>(Extra{}) : symbol.error();
  if (symbol->size != size) return Extra{};
  auto handle = client_->handle_by_name(name, deadline);
  if (!handle) return std::move(handle).error();
  return Extra{*handle, 0};
}

Result<void> PlcLink::subscribe(Instant deadline) {
  version_subscription_.reset();
  auto version = client_->add_notification(ads::group::symbol_version, 0, 1, ads::TransMode::server_on_change,
                                           options_.cycle, deadline);
  if (version) version_subscription_ = *version;
  if (!version && !answered(version.error())) return std::move(version).error();

  // The pose last: in one packet of the PLC it then comes after what it depends on.
  const auto add = [&](std::uint32_t handle, std::uint32_t size) {
    return client_->add_notification(ads::group::value_by_handle, handle, size, ads::TransMode::server_cycle,
                                     options_.cycle, deadline);
  };
  polling_ = false;
  pose_subscription_ = 0;
  next_poll_ = next_version_read_ = Instant{};
  for (auto [extra, size] : {std::pair{&counter_, 4u}, std::pair{&timeout_, 1u}}) {
    if (extra->handle == 0) continue;
    auto added = add(extra->handle, size);
    if (!added && !answered(added.error())) return std::move(added).error();
    polling_ = polling_ || !added;  // a pose without what proves it fresh is worth nothing: then ask for all of it
    if (added) extra->subscription = *added;
  }
  if (polling_) return {};
  auto pose = add(pose_handle_, sizeof(PlcPose));
  if (!pose && !answered(pose.error())) return std::move(pose).error();
  polling_ = !pose;
  if (pose) pose_subscription_ = *pose;
  return {};
}

// Best effort on what the old program gave us, then everything as after connecting.
Result<void> PlcLink::set_up_again() {
  ++changes_;
  const Instant deadline = system_clock().now() + set_up_time;
  for (const std::uint32_t old :
       {pose_subscription_, counter_.subscription, timeout_.subscription, version_subscription_.value_or(0)}) {
    if (old == 0) continue;
    auto deleted = client_->delete_notification(old, deadline);
    if (!deleted && !answered(deleted.error())) return deleted;
  }
  return resolve(deadline);
}

Result<std::optional<PlcSample>> PlcLink::next(Instant deadline) {
  auto sample = polling_ ? poll(deadline) : listen(deadline);
  const Instant now = system_clock().now();
  if (!sample || version_subscription_ || now < next_version_read_) return sample;
  next_version_read_ = now + 1s;
  auto changed = program_changed(now + set_up_time);
  if (!changed) return std::move(changed).error();
  if (!*changed) return sample;
  if (auto again = set_up_again(); !again) return std::move(again).error();
  return std::optional<PlcSample>();
}

Result<bool> PlcLink::program_changed(Instant deadline) {
  auto version = client_->symbol_version(deadline);
  if (version) return *version != version_;
  return answered(version.error()) ? Result<bool>(false) : std::move(version).error();
}

void PlcLink::note_extras(const ads::Notification& notification) {
  if (notification.handle == counter_.subscription) {
    rx_counter_ = ByteReader(notification.data).little<std::int32_t>();
  } else if (notification.handle == timeout_.subscription) {
    timed_out_ = ByteReader(notification.data).byte() != 0;
  }
}

Result<std::optional<PlcSample>> PlcLink::listen(Instant deadline) {
  std::optional<PlcSample> newest;
  for (int seen = 0; seen < most_in_a_row; ++seen) {
    // Once there is a sample, only what has already arrived can replace it.
    auto notification = client_->next_notification(newest ? Instant{} : deadline);
    if (!notification) return std::move(notification).error();
    if (!*notification) break;
    const ads::Notification& got = **notification;
    if (got.handle == pose_subscription_) {
      const UtcTime stamp = std::clamp(ads::utc_from_filetime(got.stamp), first_stamp, last_stamp);
      skipped_ += newest.has_value();
      if (newest && stamp < newest->stamp) continue;  // overtaken on the way
      newest = PlcSample{pose_from(got.data), stamp, got.received, {}, {}};
    } else if (got.handle == version_subscription_ && ByteReader(got.data).byte() != version_) {
      if (auto again = set_up_again(); !again) return std::move(again).error();
      return std::optional<PlcSample>();
    } else {
      note_extras(got);
    }
  }
  if (newest) {
    newest->rx_counter = rx_counter_;
    newest->timed_out = timed_out_;
  }
  return newest;
}

// One request in flight: when the PLC answers slower than the cycle, the rate drops and nothing piles up.
Result<std::optional<PlcSample>> PlcLink::poll(Instant deadline) {
  const Instant due = std::min(next_poll_, deadline);
  system_clock().sleep_until(due);
  next_poll_ = std::max(next_poll_ + options_.cycle, system_clock().now());

  std::array<std::uint8_t, sizeof(PlcPose)> pose{};
  std::array<std::uint8_t, 4> counter{};
  std::array<std::uint8_t, 1> timeout{};
  std::array<ads::SumReadItem, 3> items{};
  std::size_t count = 0;
  const auto want = [&](std::uint32_t handle, std::span<std::uint8_t> into) {
    if (handle != 0) items[count++] = {ads::group::value_by_handle, handle, into, 0};
  };
  want(pose_handle_, pose);
  want(counter_.handle, counter);
  want(timeout_.handle, timeout);
  auto read = client_->sum_read(std::span(items).first(count), deadline);
  if (!read && read.error().fault == Fault::timeout) return std::optional<PlcSample>();
  if (!read && !answered(read.error())) return std::move(read).error();
  if (!read || items[0].result != 0) {  // the handle died with an old program: look everything up again
    if (auto again = set_up_again(); !again) return std::move(again).error();
    return std::optional<PlcSample>();
  }
  const Instant received = system_clock().now();
  PlcSample sample{pose_from(pose), UtcTime(received.time_since_epoch()), received, {}, {}};
  if (counter_.handle != 0 && items[1].result == 0) sample.rx_counter = ByteReader(counter).little<std::int32_t>();
  if (timeout_.handle != 0 && items[count - 1].result == 0) sample.timed_out = timeout[0] != 0;
  return std::optional(sample);
}

}  // namespace tandem::em1500
