// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/fleet/host_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tandem/base/json_depth.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/runtime/page/live_channels.hpp"
#include "tandem/web/hub/foxglove.hpp"

namespace tandem::runtime {

namespace {

constexpr std::string_view status_topic = "/tandem/status";
constexpr int exchanges_at_once = 8;

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// What sockets say is of devices.
Error in_words_of_hosts(const Error& error, const web::ServerPlace& place) {
  if (error.fault == Fault::refused)
    return {error.fault, fmt::format("nothing listens on {}:{}; start tandem there with a page, or check the address",
                                     place.host, place.port)};
  if (error.fault == Fault::timeout)
    return {error.fault, fmt::format("{}:{}: no answer in time; is the computer on, and the address right?", place.host,
                                     place.port)};
  return error;
}

void clean(std::vector<machines::Value>& values) {
  for (machines::Value& value : values) {
    value.name = printable(value.name);
    value.unit = printable(value.unit);
    value.text = printable(value.text, 300);
    for (std::string& part : value.parts) part = printable(part);
  }
}

}  // namespace

Result<SystemStatus> status_from_host(std::string_view json) {
  if (is_deeper_than(json, web::foxglove::deepest_text))
    return Error{Fault::invalid, "status: JSON is nested too deeply"};
  auto status = status_from_json(json);
  if (!status) return Error{Fault::invalid, printable(status.error().text, 300)};
  constexpr double longest_uptime = 1e9;  // s
  const auto number = [](double value, double least, double most) {
    return std::isfinite(value) ? std::clamp(value, least, most) : 0;
  };
  status->version = printable(status->version);
  status->uptime = number(status->uptime, 0, longest_uptime);
  for (std::string* text : {&status->ros, &status->control, &status->page}) *text = printable(*text, 300);
  if (status->recording) {
    status->recording->file = printable(status->recording->file, 300);
    status->recording->trouble = printable(status->recording->trouble, 300);
  }
  for (DiscoveryServerStatus& server : status->discovery_servers) {
    for (std::string* text : {&server.address, &server.state}) *text = printable(*text);
    server.since = number(server.since, 0, longest_uptime);
  }
  if (status->sparkplug) {
    SparkplugStatus& link = *status->sparkplug;
    for (std::string* text : {&link.broker, &link.group, &link.node, &link.state, &link.trouble})
      *text = printable(*text, 300);
  }
  for (MachineStatus& machine : status->machines) {
    for (std::string* text : {&machine.name, &machine.type, &machine.state, &machine.quality, &machine.arm})
      *text = printable(*text);
    for (std::string* text :
         {&machine.device, &machine.node, &machine.cause, &machine.warning, &machine.arm_cause, &machine.arm_by})
      *text = printable(*text, 300);
    machine.rate = number(machine.rate, 0, 1e9);
    machine.age = number(machine.age, -1, longest_uptime);
    for (HopStatus& hop : machine.hops) hop.name = printable(hop.name);
    clean(machine.values), clean(machine.twin_values);
  }
  return status;
}

Error HostLink::late(std::string_view what) const {
  return conversation_->ended({Fault::timeout, fmt::format("{}: {} did not come in time", host_.place.text(), what)});
}

Result<void> HostLink::send_unsent(Instant deadline) {
  const auto bytes = conversation_->take_unsent();
  return bytes.empty() ? Result<void>{} : connection_->write_all(bytes, deadline);
}

Result<bool> HostLink::receive(Instant deadline) {
  const auto count = connection_->read_until(buffer_, deadline);
  came_ = now();
  if (!count) return conversation_->ended(count.error());
  if (*count == 0) return false;
  if (auto taken = conversation_->take(Bytes(buffer_).first(*count)); !taken) return taken.error();
  if (auto sent = send_unsent(deadline); !sent) return conversation_->ended(sent.error());
  return true;
}

// The loops below ask the clock whatever came: a host that never falls silent may not hold them.
Result<void> HostLink::open(Instant deadline) {
  auto opened = web::Connection::open(host_.place, deadline);
  if (!opened) return in_words_of_hosts(opened.error(), host_.place);
  connection_ = std::move(*opened);
  web::Greeting greeting{
      fmt::format("{}:{}", host_.place.host, host_.place.port), host_.token, {std::string(status_topic)}};
  conversation_ = std::make_unique<web::Conversation>(std::move(greeting), static_cast<web::Ears&>(*this));
  newest_.reset();
  waiting_.reset();
  statuses_ = 0;
  if (auto sent = send_unsent(deadline); !sent) return sent;
  while (!conversation_->is_open()) {
    if (now() >= deadline) return late("the answer of the page");
    if (const auto received = receive(deadline); !received) return received.error();
  }
  return {};
}

void HostLink::message(std::string_view, std::uint64_t stamp_ns, Bytes payload) {
  // The page keeps a status for newcomers, however old it is.
  const bool fresh = fresh_from_ > 0 ? stamp_ns >= fresh_from_ : ++statuses_ > 1;
  if (fresh) newest_ = status_from_host(text_of(payload));
}

void HostLink::answer(std::uint32_t call, const Result<Bytes>& answer) {
  if (waiting_ != call) return;
  answers_.clear();
  answers_.emplace(call, answer ? Result<std::string>(std::string(text_of(*answer))) : answer.error());
}

Result<std::string> HostLink::call(const std::string& service, std::string_view request, Instant deadline) {
  // Services are told of right after the introduction, but perhaps not in the same piece.
  while (!conversation_->knows_services()) {
    if (now() >= deadline) return late(fmt::format("the service {}", service));
    if (const auto received = receive(deadline); !received) return received.error();
  }
  const auto id = conversation_->call(service, request);
  if (!id) return id.error();
  waiting_ = *id;
  if (auto sent = send_unsent(deadline); !sent) return conversation_->ended(sent.error());
  while (!answers_.contains(*id)) {
    if (now() >= deadline) return late(fmt::format("the answer of {}", service));
    if (const auto received = receive(deadline); !received) return received.error();
  }
  auto answer = std::move(answers_.at(*id));
  answers_.clear();
  waiting_.reset();
  return answer;
}

Result<ClockExchange> HostLink::exchange(Instant deadline) {
  const Instant before = now();
  const auto asked = system_clock().utc().time_since_epoch();
  const auto text = call(std::string(clock_service), "{}", deadline);
  if (!text) return text.error();
  auto exchange = exchange_from_json(*text);
  if (!exchange) return exchange;
  exchange->asked = asked.count();
  exchange->answered = (asked + (came_ - before)).count();
  return exchange;
}

Result<void> HostLink::measure(int exchanges, Instant deadline) {
  for (int i = 0; i < exchanges; ++i) {
    const auto made = exchange(deadline);
    if (!made) return made.error();
    if (!meter_.add(*made)) return Error{Fault::invalid, "clock: invalid stamps"};
    fresh_from_ = static_cast<std::uint64_t>(made->sent);
  }
  return {};
}

Result<std::optional<SystemStatus>> HostLink::listen(Instant until) {
  do {
    const auto received = receive(until);
    if (!received) return received.error();
  } while (now() < until);
  if (!newest_) return std::optional<SystemStatus>{};
  auto status = std::exchange(newest_, std::nullopt);
  if (!*status) return status->error();
  return std::optional(*std::move(*status));
}

Result<SystemStatus> HostLink::fresh_status(Instant deadline) {
  while (!newest_) {
    if (now() >= deadline) return late("a status");
    if (const auto received = receive(deadline); !received) return received.error();
  }
  return *std::exchange(newest_, std::nullopt);
}

Result<std::string> HostLink::stop(Instant deadline) {
  const auto text = call(std::string(command_service), R"({"what":"stop","machine":""})", deadline);
  if (!text) return text;
  const nlohmann::json said = is_deeper_than(*text, web::foxglove::deepest_text)
                                  ? nlohmann::json()
                                  : nlohmann::json::parse(*text, nullptr, false);
  const bool known = said.is_object() && said.contains("ok") && said.contains("text") && said["text"].is_string();
  if (!known)
    return Error{Fault::invalid, fmt::format("stop: expected an answer of tandem, got '{}'", printable(*text))};
  const std::string words = printable(said["text"].get<std::string>(), 300);
  return said["ok"] == true ? Result<std::string>(words) : Error{Fault::device, words};
}

HostState look_at(const FleetHost& host, Duration within) {
  const Instant deadline = now() + within;
  HostState state{.name = host.name, .page = host.place.text()};
  HostLink link(host);
  if (const auto opened = link.open(deadline); !opened) return state.error = opened.error().text, state;
  state.may_control = link.may_control();
  state.version = link.version();
  // Half of the time at most, so that an older tandem, which has no clock service, still gives its status.
  const Instant half = now() + (deadline - now()) / 2;
  if (const auto measured = link.measure(exchanges_at_once, half); !measured) state.error = measured.error().text;
  state.clock = link.clock();
  auto status = link.fresh_status(deadline);
  if (!status) return state.error = status.error().text, state;
  state.reachable = true;
  state.status = *std::move(status);
  return state;
}

Result<std::string> stop_host(const FleetHost& host, Duration within) {
  const Instant deadline = now() + within;
  HostLink link(host);
  if (auto opened = link.open(deadline); !opened) return opened.error();
  return link.stop(deadline);
}

}  // namespace tandem::runtime
