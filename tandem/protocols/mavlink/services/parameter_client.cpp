// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/parameter_client.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::mavlink {

void ParameterClient::list(Instant now) {
  list_ = Status::pending;
  seen_.clear();
  listed_ = 0;
  list_tries_ = 0;
  list_next_ = now;
}

std::uint32_t ParameterClient::add(Request request, Instant now) {
  if (requests_.size() >= most_requests) {
    const auto settled = std::find_if(requests_.begin(), requests_.end(),
                                      [](const Request& known) { return known.status != Status::pending; });
    requests_.erase(settled == requests_.end() ? requests_.begin() : settled);
  }
  request.number = next_number_++;
  request.next = now;
  if (request.parameter.name.empty() || request.parameter.name.size() > 16) request.status = Status::refused;
  requests_.push_back(std::move(request));
  return requests_.back().number;
}

std::uint32_t ParameterClient::read(std::string_view name, Instant now) {
  Request request;
  request.parameter.name = name;
  return add(std::move(request), now);
}

std::uint32_t ParameterClient::write(std::string_view name, double value, Instant now) {
  Parameter parameter{std::string(name), value};
  if (const Parameter* known = find(name)) parameter.type = known->type;
  return write(parameter, now);
}

std::uint32_t ParameterClient::write(const Parameter& parameter, Instant now) {
  Request request;
  request.write = true;
  request.parameter = parameter;
  return add(std::move(request), now);
}

ParameterClient::Status ParameterClient::status(std::uint32_t request) const {
  for (const Request& known : requests_)
    if (known.number == request) return known.status;
  return Status::unknown;
}

const Parameter* ParameterClient::find(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : &found->second;
}

void ParameterClient::poll(Instant now, Outlet& outlet) {
  for (Request& request : requests_) {
    if (request.status != Status::pending || now < request.next) continue;
    if (request.tries++ == options_.tries) {
      request.status = Status::timed_out;
      continue;
    }
    request.next = now + options_.retry;
    const Parameter& wanted = request.parameter;
    if (request.write) {
      outlet.send(ParamSet{.target_system = options_.target.system,
                           .target_component = options_.target.component,
                           .param_id = std::string_view(wanted.name),
                           .param_value = wire_from_parameter(wanted.value, wanted.type, options_.encoding),
                           .param_type = static_cast<std::uint8_t>(wanted.type)});
    } else {
      outlet.send(ParamRequestRead{.target_system = options_.target.system,
                                   .target_component = options_.target.component,
                                   .param_id = std::string_view(wanted.name),
                                   .param_index = -1});
    }
  }
  poll_list(now, outlet);
}

void ParameterClient::poll_list(Instant now, Outlet& outlet) {
  if (list_ != Status::pending || now < list_next_) return;
  if (list_tries_++ == options_.tries) {
    list_ = Status::timed_out;
    return;
  }
  list_next_ = now + options_.retry;
  if (seen_.empty()) {
    outlet.send(ParamRequestList{options_.target.system, options_.target.component});
    return;
  }
  int asked = 0;
  for (std::size_t i = 0; i < seen_.size() && asked < options_.most_at_once; ++i) {
    if (seen_[i]) continue;
    ++asked;
    outlet.send(ParamRequestRead{.target_system = options_.target.system,
                                 .target_component = options_.target.component,
                                 .param_index = static_cast<std::int16_t>(i)});
  }
}

bool ParameterClient::handle(const Frame& frame, Instant now) {
  const auto value = frame.as<ParamValue>();
  if (!value || frame.source != options_.target) return false;
  const std::string_view name = value->param_id.view();
  if (name.empty()) return false;
  const auto type = static_cast<ParameterType>(value->param_type);
  const Parameter parameter{std::string(name), parameter_from_wire(value->param_value, type, options_.encoding), type};
  if (const auto known = known_.find(name); known != known_.end()) {
    known->second = parameter;
  } else if (known_.size() < most_known) {
    known_.emplace(parameter.name, parameter);
  }
  note_index(*value, now);
  settle(*value);
  return true;
}

// An index of 65535 belongs to no list: the answer to a read by name or the echo of a write.
void ParameterClient::note_index(const ParamValue& value, Instant now) {
  if (list_ != Status::pending || value.param_index >= value.param_count) return;
  if (seen_.size() != value.param_count) {
    seen_.assign(value.param_count, false);  // the first one, or the autopilot shows others than before
    listed_ = 0;
  }
  if (seen_[value.param_index]) return;
  seen_[value.param_index] = true;
  ++listed_;
  list_tries_ = 0;
  list_next_ = now + options_.retry;
  if (listed_ == seen_.size()) {
    list_ = Status::done;
  } else if (listed_ % static_cast<std::size_t>(options_.most_at_once) == 0 && listed_ + 50 > seen_.size()) {
    list_next_ = std::min(list_next_, now + options_.retry / 4);  // the tail: gaps show at once
  }
}

void ParameterClient::settle(const ParamValue& value) {
  for (Request& request : requests_) {
    if (request.status != Status::pending || request.tries == 0 || request.parameter.name != value.param_id.view())
      continue;
    if (!request.write) {
      request.status = Status::done;
      continue;
    }
    const auto type = static_cast<ParameterType>(value.param_type);
    const double echoed = parameter_from_wire(value.param_value, type, options_.encoding);
    const double wanted =
        parameter_from_wire(wire_from_parameter(request.parameter.value, request.parameter.type, options_.encoding),
                            request.parameter.type, options_.encoding);
    const bool same = std::abs(echoed - wanted) <= 1e-6 * std::max(std::abs(echoed), std::abs(wanted));
    request.status = same ? Status::done : Status::refused;
  }
}

}  // namespace tandem::mavlink
