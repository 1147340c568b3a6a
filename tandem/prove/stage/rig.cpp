// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/stage/rig.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "tandem/net/url.hpp"

namespace tandem::prove {
namespace {

constexpr std::uint32_t loopback_address = 0x7f000001;

net::Url url_of(const machines::VirtualDevice& device) {
  auto url = net::parse_url(device.url());
  if (!url || !url->port) throw std::runtime_error("a virtual device without a port: " + device.url());
  return *std::move(url);
}

std::uint16_t port_from(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  return fault == std::errc() && end == text.data() + text.size() ? port : std::uint16_t{0};
}

bool speaks_datagrams(const net::Url& url) {
  const auto link = url.value("link");
  return link && link->starts_with("udp");
}

net::Faults faults_of(const Action& action) {
  net::PathFaults faults;
  if (action.verb == "delay") {
    faults.delay = duration_of(action.a);
    faults.jitter = duration_of(action.b);
    return {{}, faults};
  }
  if (action.verb == "replay") {
    faults.replay = action.a;
    return {{}, faults};
  }
  if (action.verb == "half_open") {
    faults.black_hole = true;
    return {{}, faults};
  }
  if (action.verb == "black_hole") faults.black_hole = true;
  if (action.verb == "loss") faults.drop = action.a;
  if (action.verb == "slice") {
    faults.slice = static_cast<std::size_t>(std::max(1.0, action.a));
    faults.slice_gap = 2ms;
  }
  return net::Faults::both(faults);
}

}  // namespace

void Rig::LateTap::opened(const net::Flow& flow, Instant stamp) noexcept {
  if (auto* tap = to.load(std::memory_order_acquire)) tap->opened(flow, stamp);
}
void Rig::LateTap::passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept {
  if (auto* tap = to.load(std::memory_order_acquire)) tap->passed(flow, direction, bytes, stamp);
}
void Rig::LateTap::closed(const net::Flow& flow, net::Ending ending, Instant stamp) noexcept {
  if (auto* tap = to.load(std::memory_order_acquire)) tap->closed(flow, ending, stamp);
}

Rig::Rig(const runtime::MachineConfig& config, std::uint64_t seed) : config_(config) {
  make_device();
  const bool udp = speaks_datagrams(url_of(*device_));
  for (const auto& [key, port] : ports_of_device()) {
    auto proxy = net::FaultProxy::start(
        {.upstream = {loopback_address, port}, .udp = udp, .seed = seed + ports_.size(), .tap = &tap_});
    if (!proxy) throw std::runtime_error(proxy.error().text);
    ports_.push_back({key, std::move(*proxy)});
  }
}

Rig::~Rig() {
  ports_.clear();  // they use the tap
  end_device();
}

void Rig::make_device() {
  machines::VirtualSetup setup;
  setup.standard_ports = false;
  setup.options = config_.options;
  setup.clock = &system_clock();
  setup.own = config_.own;
  setup.plug = &plug_;
  auto made = config_.type->make_virtual(setup);
  const std::lock_guard lock(mutex_);
  device_ = std::move(made);
  thread_ = Thread(config_.name + ": virtual device",
                   [device = device_.get()](const std::stop_token& stop) { device->run(stop); });
}

void Rig::end_device() {
  thread_ = {};
  const std::lock_guard lock(mutex_);
  device_.reset();
}

std::vector<std::pair<std::string, std::uint16_t>> Rig::ports_of_device() const {
  const net::Url url = url_of(*device_);
  std::vector<std::pair<std::string, std::uint16_t>> ports{{"", *url.port}};
  for (const machines::FieldPort& port : config_.type->ports)
    if (const auto value = url.value(port.key); !port.key.empty() && value)
      ports.emplace_back(port.key, port_from(*value));
  return ports;
}

std::string Rig::url() const {
  const std::lock_guard lock(mutex_);
  net::Url url = url_of(*device_);
  for (const Port& port : ports_) {
    const std::uint16_t at = port.proxy.endpoint().port;
    if (port.key.empty()) url.port = at;
    for (auto& [key, value] : url.query)
      if (!port.key.empty() && key == port.key) value = fmt::format("{}", at);
  }
  return url.text();
}

void Rig::record(Marks& marks) {
  recorded_ = std::make_unique<DeviceTap>(marks, config_.name);
  tap_.to.store(recorded_.get(), std::memory_order_release);
}

void Rig::forget() {
  tap_.to.store(nullptr, std::memory_order_release);
  ports_.clear();  // whoever is in the tap now has left it when the proxies are gone
}

void Rig::cut_off() {
  for (Port& port : ports_) {
    port.proxy.stop_listening();
    port.proxy.cut(net::Cut::rst);
  }
}

void Rig::connect_again() {
  for (Port& port : ports_)
    if (auto again = port.proxy.listen_again(); !again) throw std::runtime_error(again.error().text);
}

void Rig::strike(const Action& action) {
  if (action.verb == "reset_link" || action.verb == "restart") cut_off();
  if (action.verb == "restart") return end_device();
  if (action.verb == "unplug") return plug_.pull();
  const net::Faults faults = faults_of(action);
  for (Port& port : ports_) port.proxy.apply(faults);
}

void Rig::lift(const Action& action) {
  for (Port& port : ports_) port.proxy.clear();
  if (action.verb == "unplug") return plug_.insert();
  if (action.verb == "restart") {
    make_device();
    const auto ports = ports_of_device();
    for (std::size_t i = 0; i < std::min(ports.size(), ports_.size()); ++i)
      ports_[i].proxy.redirect({loopback_address, ports[i].second});
  }
  if (action.verb == "reset_link" || action.verb == "restart") return connect_again();
  // The proxy has swallowed bytes for good; on a line that heals they would be sent again.
  if (action.verb == "black_hole" || action.verb == "half_open")
    for (Port& port : ports_) port.proxy.cut(net::Cut::rst);
}

std::optional<machines::TrueMotion> Rig::truth() const {
  const std::lock_guard lock(mutex_);
  return device_ ? device_->true_motion() : std::nullopt;
}

}  // namespace tandem::prove
