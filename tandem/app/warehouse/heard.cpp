// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/heard.hpp"

#include <nlohmann/json.hpp>

#include "tandem/base/json_depth.hpp"

namespace tandem::warehouse {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 16;

Json parsed(std::string_view json) {
  if (is_deeper_than(json, deepest)) return {};
  return Json::parse(json, nullptr, false);
}

HeardState state_from(const Json& json) {
  HeardState state;
  state.order = json.at("orderId").get<std::string>();
  state.update = json.at("orderUpdateId").get<std::uint32_t>();
  state.last_sequence = json.at("lastNodeSequenceId").get<std::uint32_t>();
  state.idle = json.at("nodeStates").empty() && json.at("edgeStates").empty();
  state.driving = json.at("driving").get<bool>();
  state.automatic = json.at("operatingMode").get<std::string>() == "AUTOMATIC";
  state.stopped = json.at("safetyState").at("eStop").get<std::string>() != "NONE";
  if (const auto at = json.find("agvPosition"); at != json.end()) {
    state.initialized = at->at("positionInitialized").get<bool>();
    state.position = {at->at("x").get<double>(), at->at("y").get<double>(), at->at("theta").get<double>()};
  }
  for (const Json& error : json.at("errors")) {
    const auto type = error.at("errorType").get<std::string>();
    state.stale = state.stale || type == "feedbackStale";
    state.route_failed = state.route_failed || type == "routeFailed";
    state.problem = type + ": " + error.value("errorDescription", std::string());
  }
  return state;
}

}  // namespace

std::optional<HeardState> read_state(std::string_view json) {
  try {
    return state_from(parsed(json));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

bool says_online(std::string_view json) {
  try {
    return parsed(json).at("connectionState").get<std::string>() == "ONLINE";
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace tandem::warehouse
