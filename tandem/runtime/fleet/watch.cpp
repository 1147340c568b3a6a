// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/fleet/watch.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <system_error>

namespace tandem::runtime {

namespace {

using nlohmann::json;

constexpr Duration open_within = 3s, silent_at_most = 2s, look_every = 100ms, measure_every = 1s;
constexpr Duration first_pause = 250ms, longest_pause = 4s;
constexpr int exchanges_at_first = 8, exchanges_later = 4;

json json_from(const ClockOffset& clock) {
  return {{"offset", clock.offset},
          {"uncertainty", clock.uncertainty},
          {"round_trip", clock.round_trip},
          {"exchanges", clock.exchanges}};
}

std::string text_of(const json& whole) { return whole.dump(-1, ' ', false, json::error_handler_t::replace); }

void pause(Duration time, const std::stop_token& stop) {
  for (const Instant end = now() + time; now() < end && !stop.stop_requested();)
    std::this_thread::sleep_for(std::min<Duration>(50ms, end - now()));
}

}  // namespace

std::vector<HostState> look_at_all(const std::vector<FleetHost>& hosts, Duration within) {
  std::vector<HostState> states(hosts.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    threads.emplace_back([&, i] { states[i] = look_at(hosts[i], within); });
  threads.clear();
  return states;
}

std::vector<HostStop> stop_all(const std::vector<FleetHost>& hosts, Duration within) {
  std::vector<HostStop> stops(hosts.size());
  const auto stop = [&](std::size_t i) noexcept {
    try {
      const auto stopped = stop_host(hosts[i], within);
      stops[i] = {hosts[i].name, stopped.ok(), stopped ? *stopped : stopped.error().text};
    } catch (const std::exception& error) {
      stops[i] = {hosts[i].name, false, error.what()};
    }
  };
  std::vector<std::jthread> threads;
  threads.reserve(hosts.size());
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    try {
      threads.emplace_back(stop, i);
    } catch (const std::system_error&) {  // the system has no thread for it
      left.push_back(i);
    }
  }
  for (const std::size_t i : left) stop(i);
  threads.clear();
  return stops;
}

FleetWatch::FleetWatch(std::vector<FleetHost> hosts) : hosts_(std::move(hosts)) {
  for (const FleetHost& host : hosts_)
    states_.push_back({.name = host.name, .page = host.place.text(), .error = "connecting"});
  for (std::size_t i = 0; i < hosts_.size(); ++i)
    threads_.emplace_back([this, i](const std::stop_token& stop) { follow(i, stop); });
}

FleetWatch::~FleetWatch() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

std::vector<HostState> FleetWatch::states() const {
  const std::lock_guard lock(mutex_);
  return states_;
}

void FleetWatch::put(std::size_t index, const std::function<void(HostState&)>& change) {
  const std::lock_guard lock(mutex_);
  change(states_[index]);
}

void FleetWatch::follow(std::size_t index, const std::stop_token& stop) {
  Duration wait = first_pause;
  while (!stop.stop_requested()) {
    const Instant begun = now();
    const Error lost = follow_once(index, stop);
    if (stop.stop_requested()) return;
    put(index, [&](HostState& state) {
      state.reachable = false;
      state.may_control = false;
      state.error = lost.text;
      state.status.reset();  // what it was says nothing of what it is
      state.clock.reset();
    });
    wait = now() - begun > 2 * open_within ? first_pause : std::min(2 * wait, longest_pause);
    pause(wait, stop);
  }
}

Error FleetWatch::follow_once(std::size_t index, const std::stop_token& stop) {
  HostLink link(hosts_[index]);
  if (const auto opened = link.open(now() + open_within); !opened) return opened.error();
  auto measured = link.measure(exchanges_at_first, now() + open_within);
  Instant heard = now(), next_measure = now() + measure_every;
  while (!stop.stop_requested()) {
    auto status = link.listen(now() + look_every);
    if (!status) return status.error();
    if (*status) heard = now();
    if (now() - heard > silent_at_most)
      return {Fault::timeout, hosts_[index].place.text() + ": no status for more than 2 s"};
    if (now() >= next_measure) {
      measured = link.measure(exchanges_later, now() + silent_at_most);
      next_measure = now() + measure_every;
    }
    put(index, [&](HostState& state) {
      if (*status) {
        state.status = std::move(**status);
        state.reachable = true;
      }
      state.may_control = link.may_control();
      state.version = link.version();
      state.clock = link.clock();
      state.error = measured ? "" : measured.error().text;
    });
  }
  return {Fault::closed, "ended"};
}

std::string json_from_states(const std::vector<HostState>& states) {
  json list = json::array();
  for (const HostState& state : states) {
    list.push_back({{"name", state.name},
                    {"page", state.page},
                    {"reachable", state.reachable},
                    {"error", state.error},
                    {"control", state.may_control},
                    {"version", state.version},
                    {"clock", state.clock ? json_from(*state.clock) : json(nullptr)},
                    {"status", state.status ? json::parse(json_from_status(*state.status)) : json(nullptr)}});
  }
  return text_of({{"hosts", std::move(list)}});
}

std::string json_from_stops(const std::vector<HostStop>& stops) {
  json list = json::array();
  for (const HostStop& stop : stops) list.push_back({{"name", stop.host}, {"ok", stop.ok}, {"text", stop.text}});
  const bool all = std::ranges::all_of(stops, &HostStop::ok);
  return text_of({{"ok", all}, {"hosts", std::move(list)}});
}

}  // namespace tandem::runtime
