// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/fleet/page.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "tandem/base/nearest.hpp"
#include "tandem/web/http/access.hpp"

namespace tandem::runtime {

namespace {

constexpr Duration publish_every = 250ms;
constexpr std::size_t most_stops = 4;  // at a time: each is a thread for each host

constexpr std::string_view fleet_schema =
    R"({"type":"object","properties":{"hosts":{"type":"array","items":{"type":"object",)"
    R"("properties":{"name":{"type":"string"},"reachable":{"type":"boolean"},"error":{"type":"string"}}}}}})";
constexpr std::string_view fleet_command_schema =
    R"({"type":"object","properties":{"what":{"type":"string","enum":["stop"]}}})";

web::Response json_response(const std::string& text) {
  web::Response response;
  response.status = 200;
  response.content_type = "application/json";
  response.body = std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end());
  return response;
}

std::uint64_t stamp_now() { return static_cast<std::uint64_t>(system_clock().utc().time_since_epoch().count()); }

std::unique_ptr<web::Server> open_fleet_server(const FleetPageOptions& options, web::Hub& hub) {
  if (!web::names_loopback(options.listen))
    throw std::invalid_argument(
        fmt::format("page of the fleet: expected an address on this computer, such as {}, got '{}'",
                    default_fleet_address, printable(options.listen)));
  web::ServerOptions server;
  server.listen = options.listen;
  server.access.control_token = options.control_token;
  server.home = "/fleet.html";
  try {
    return std::make_unique<web::Server>(server, hub);
  } catch (const std::runtime_error& error) {
    if (!options.any_port)
      throw std::runtime_error(
          fmt::format("page of the fleet: {}; choose another with --listen ADDRESS:PORT", error.what()));
    server.listen = server.listen.substr(0, server.listen.rfind(':')) + ":0";
    return std::make_unique<web::Server>(server, hub);
  }
}

}  // namespace

FleetPage::FleetPage(std::vector<FleetHost> hosts, FleetPageOptions options)
    : options_(std::move(options)), watch_(std::move(hosts)) {
  web::World world;
  world.metadata = {{"tandem", options_.version}, {"mode", "fleet"}};
  world.get = [this](const web::Request& request) {
    return request.path == "/fleet.json" ? json_response(json_from_states(watch_.states())) : web::Response{};
  };
  world.call = [this](web::ClientId, std::uint32_t, std::string_view encoding, Bytes request,
                      const web::ServiceAnswer& answer) { call(encoding, request, answer); };
  world.tick = [this] { tick(); };
  hub_ = std::make_unique<web::Hub>(std::move(world));
  channel_ =
      hub_->add_channel({std::string(fleet_topic), "json", "tandem/fleet", std::string(fleet_schema), "jsonschema", 1});
  hub_->add_service({std::string(fleet_command),
                     "tandem/FleetCommand",
                     {"json", "tandem/FleetCommand", "jsonschema", std::string(fleet_command_schema)},
                     {"json", "tandem/FleetAnswer", "jsonschema", R"({"type":"object"})"}});
  server_ = open_fleet_server(options_, *hub_);
  hub_->attach(*server_);
}

FleetPage::~FleetPage() = default;

void FleetPage::tick() {
  std::erase_if(stops_, [](auto& stop) {
    if (stop.first.wait_for(0s) != std::future_status::ready) return false;
    const std::string text = stop.first.get();
    stop.second(std::vector<std::uint8_t>(text.begin(), text.end()));
    return true;
  });
  const Instant at = now();
  if (at < next_ || !hub_->wanted(channel_)) return;
  next_ = at + publish_every;
  const std::string text = json_from_states(watch_.states());
  hub_->publish(channel_, stamp_now(), as_bytes(text));
}

// Over connections of their own, so that a stop does not depend on what the page has open.
void FleetPage::call(std::string_view encoding, Bytes request, const web::ServiceAnswer& answer) {
  if (encoding != "json")
    return answer(Error{Fault::invalid, fmt::format("expected encoding json, got '{}'", printable(encoding))});
  const nlohmann::json asked = nlohmann::json::parse(request.begin(), request.end(), nullptr, false);
  if (!asked.is_object() || !asked.contains("what") || asked["what"] != "stop")
    return answer(Error{Fault::invalid, R"(expected {"what": "stop"}: hosts are armed and reset on their own pages)"});
  if (stops_.size() >= most_stops) return answer(Error{Fault::busy, "too many stops are on their way"});
  const auto stop = [this]() -> std::string {
    try {
      return json_from_stops(stop_all(watch_.hosts(), options_.stop_within));
    } catch (const std::exception& error) {
      return json_from_stops({{"all hosts", false, error.what()}});
    }
  };
  try {
    stops_.emplace_back(std::async(std::launch::async, stop), answer);
  } catch (const std::system_error&) {  // no thread for it: the page waits, but the stop is sent
    const std::string text = stop();
    answer(std::vector<std::uint8_t>(text.begin(), text.end()));
  }
}

void FleetPage::run(const std::stop_token& stop) { server_->run(stop); }

}  // namespace tandem::runtime
