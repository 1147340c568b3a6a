#include "tandem/protocols/mavlink/parameter_server.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tandem::mavlink {

ParameterServer::ParameterServer(const Options& options, std::vector<ServedParameter> table)
    : options_(options), table_(std::move(table)), listing_(table_.size()) {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const std::string& name = table_[i].parameter.name;
    if (name.empty() || name.size() > 16 || !places_.emplace(name, i).second)
      throw std::invalid_argument(
          fmt::format("MAVLink parameter \"{}\": expected a name of 1 to 16 characters that is there once", name));
  }
}

const Parameter* ParameterServer::find(std::string_view name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &table_[place->second].parameter;
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
    listing_ = 0;
    return true;
  }
  if (const auto read = frame.as<ParamRequestRead>()) {
    if (read->param_index >= 0) {
      send(static_cast<std::size_t>(read->param_index), outlet);
    } else if (const auto place = places_.find(read->param_id.view()); place != places_.end()) {
      send(place->second, outlet);
    }
    return true;
  }
  if (const auto request = frame.as<ParamSet>()) {
    write(*request, outlet);
    return true;
  }
  return false;
}

void ParameterServer::write(const ParamSet& request, Outlet& outlet) {
  const auto place = places_.find(request.param_id.view());
  if (place == places_.end()) return;
  ServedParameter& served = table_[place->second];
  const auto type = static_cast<ParameterType>(request.param_type);
  const double value = parameter_from_wire(request.param_value, type, options_.encoding);
  const bool good = std::isfinite(value) && value >= served.lowest && value <= served.highest && !served.read_only;
  if (good) served.parameter.value = value;
  send(place->second, outlet);
  if (good && changed) changed(served.parameter);
}

void ParameterServer::poll(Outlet& outlet) {
  for (int i = 0; i < options_.listed_per_poll && listing_ < table_.size(); ++i) send(listing_++, outlet);
}

void ParameterServer::send(std::size_t index, Outlet& outlet) const {
  if (index >= table_.size()) return;
  const Parameter& parameter = table_[index].parameter;
  outlet.send(ParamValue{.param_id = std::string_view(parameter.name),
                         .param_value = wire_from_parameter(parameter.value, parameter.type, options_.encoding),
                         .param_type = static_cast<std::uint8_t>(parameter.type),
                         .param_count = static_cast<std::uint16_t>(table_.size()),
                         .param_index = static_cast<std::uint16_t>(index)});
}

}  // namespace tandem::mavlink
