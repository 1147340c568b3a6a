// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/parameter_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tandem::mavlink {
namespace {

// What a parameter of this type keeps of a number. Whole ones lose their fraction, but for a hundredth that a sender's
// arithmetic may have cost.
double kept_of(double value, ParameterType type) {
  const auto whole = [&](double lowest, double highest) {
    return std::clamp(std::trunc(value + (value < 0 ? -0.01 : 0.01)), lowest, highest);
  };
  switch (type) {
    case ParameterType::uint8:
      return whole(0, 255);
    case ParameterType::int8:
      return whole(-128, 127);
    case ParameterType::uint16:
      return whole(0, 65535);
    case ParameterType::int16:
      return whole(-32768, 32767);
    case ParameterType::uint32:
      return whole(0, 4294967295.0);
    case ParameterType::int32:
      return whole(-2147483648.0, 2147483647.0);
    default:
      return value;
  }
}

}  // namespace

ParameterServer::ParameterServer(const Options& options, std::vector<ServedParameter> table)
    : options_(options), table_(std::move(table)) {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const std::string& name = table_[i].parameter.name;
    if (name.empty() || name.size() > 16 || !places_.emplace(name, i).second)
      throw std::invalid_argument(
          fmt::format("MAVLink parameter \"{}\": expected a unique name of 1 to 16 characters", name));
  }
}

const Parameter* ParameterServer::find(std::string_view name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &table_[place->second].parameter;
}

double ParameterServer::used(std::string_view name) const {
  const auto place = places_.find(name);
  if (place == places_.end()) return 0;
  const ServedParameter& served = table_[place->second];
  return std::clamp(served.parameter.value, served.lowest, served.highest);
}

bool ParameterServer::assign(std::string_view name, double value) {
  const auto place = places_.find(name);
  if (place == places_.end()) return false;
  table_[place->second].parameter.value = value;
  return true;
}

bool ParameterServer::handle(const Frame& frame, Outlet& outlet) {
  if (!frame.meant_for(options_.own)) return false;
  if (frame.is<ParamRequestList>()) {
    begin_list(outlet);
    return true;
  }
  if (const auto read = frame.as<ParamRequestRead>()) {
    if (read->param_index >= 0) {
      send(static_cast<std::size_t>(read->param_index), static_cast<std::uint16_t>(read->param_index), outlet);
    } else {
      tell(read->param_id.view(), outlet);
    }
    return true;
  }
  if (const auto request = frame.as<ParamSet>()) {
    write(*request, outlet);
    return true;
  }
  return false;
}

void ParameterServer::begin_list(const Outlet& outlet) {
  const auto own =
      std::find_if(listings_.begin(), listings_.end(), [&](const Listing& one) { return one.to == &outlet; });
  const auto free =
      std::find_if(listings_.begin(), listings_.end(), [](const Listing& one) { return one.to == nullptr; });
  if (own != listings_.end()) {
    own->next = 0;
  } else {
    *(free != listings_.end() ? free : listings_.begin()) = {&outlet, 0};
  }
}

void ParameterServer::write(const ParamSet& request, Outlet& outlet) {
  const auto place = places_.find(request.param_id.view());
  if (place == places_.end()) return;
  ServedParameter& served = table_[place->second];
  const auto type = static_cast<ParameterType>(request.param_type);
  const double wanted = parameter_from_wire(request.param_value, type, options_.encoding);
  if (!std::isfinite(wanted)) return;
  const double value = kept_of(wanted, served.parameter.type);
  const bool within = value >= served.lowest && value <= served.highest;
  const bool good = !served.read_only && (within || !options_.ranges_bind);
  if (good) served.parameter.value = value;
  send(place->second, by_name, outlet);
  if (good && changed) changed(served.parameter);
  if (!good && refused) refused(served.parameter);
}

void ParameterServer::poll(Outlet& outlet) {
  for (Listing& listing : listings_) {
    if (listing.to != &outlet) continue;
    for (int i = 0; i < options_.listed_per_poll && listing.next < table_.size(); ++i, ++listing.next)
      send(listing.next, static_cast<std::uint16_t>(listing.next), outlet);
    if (listing.next >= table_.size()) listing = {};
  }
}

bool ParameterServer::listing(const Outlet& outlet) const {
  return std::any_of(listings_.begin(), listings_.end(), [&](const Listing& one) { return one.to == &outlet; });
}

void ParameterServer::tell(std::string_view name, Outlet& outlet) const {
  if (const auto place = places_.find(name); place != places_.end()) send(place->second, by_name, outlet);
}

void ParameterServer::send(std::size_t index, std::uint16_t reported_index, Outlet& outlet) const {
  if (index >= table_.size()) return;
  const Parameter& parameter = table_[index].parameter;
  outlet.send(ParamValue{.param_id = std::string_view(parameter.name),
                         .param_value = wire_from_parameter(parameter.value, parameter.type, options_.encoding),
                         .param_type = static_cast<std::uint8_t>(parameter.type),
                         .param_count = static_cast<std::uint16_t>(table_.size()),
                         .param_index = reported_index});
}

}  // namespace tandem::mavlink
