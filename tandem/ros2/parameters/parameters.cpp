// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/parameters/parameters.hpp"

#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {
namespace {

rcl_interfaces::SetParametersResult result_from(const Result<void>& result) {
  return {result.ok(), result.ok() ? "" : result.error().text};
}

std::vector<rcl_interfaces::Parameter> messages_from(const std::vector<ParameterStore::Change>& changes) {
  std::vector<rcl_interfaces::Parameter> messages;
  messages.reserve(changes.size());
  for (const auto& [name, value] : changes) messages.push_back({name, message_from(value)});
  return messages;
}

std::vector<ParameterStore::Change> changes_from(const std::vector<rcl_interfaces::Parameter>& messages) {
  std::vector<ParameterStore::Change> changes;
  changes.reserve(messages.size());
  for (const rcl_interfaces::Parameter& message : messages)
    changes.push_back({message.name, value_from(message.value)});
  return changes;
}

}  // namespace

Parameters::Parameters(Node& node, const Clock& clock)
    : ParameterStore([this](const auto& declared, const auto& changed) { publish(declared, changed); }),
      clock_(clock),
      node_(node.full_name()),
      local_(node.local_parameters()),
      events_(node.advertise<rcl_interfaces::ParameterEvent>("/parameter_events", Qos::parameters())),
      describe_(
          node, "~/describe_parameters",
          [this](const rcl_interfaces::DescribeParameters::Request& request) {
            rcl_interfaces::DescribeParameters::Response response;
            for (const std::string& name : request.names) {
              rcl_interfaces::ParameterDescriptor unknown;
              unknown.name = name;
              response.descriptors.push_back(describe(name).value_or(unknown));
            }
            return response;
          },
          Qos::parameters()),
      get_(
          node, "~/get_parameters",
          [this](const rcl_interfaces::GetParameters::Request& request) {
            rcl_interfaces::GetParameters::Response response;
            for (const std::string& name : request.names) {
              response.values.push_back(message_from(find(name).value_or(ParameterValue{})));
            }
            return response;
          },
          Qos::parameters()),
      types_(
          node, "~/get_parameter_types",
          [this](const rcl_interfaces::GetParameterTypes::Request& request) {
            rcl_interfaces::GetParameterTypes::Response response;
            for (const std::string& name : request.names) {
              response.types.push_back(static_cast<std::uint8_t>(find(name).value_or(ParameterValue{}).index()));
            }
            return response;
          },
          Qos::parameters()),
      list_(
          node, "~/list_parameters",
          [this](const rcl_interfaces::ListParameters::Request& request) {
            rcl_interfaces::ListParameters::Response response;
            response.result = list(request.prefixes, request.depth);
            return response;
          },
          Qos::parameters()),
      set_(
          node, "~/set_parameters",
          [this](const rcl_interfaces::SetParameters::Request& request) {
            rcl_interfaces::SetParameters::Response response;
            for (Change& change : changes_from(request.parameters)) {
              response.results.push_back(result_from(set(change.name, std::move(change.value))));
            }
            return response;
          },
          Qos::parameters()),
      set_all_(
          node, "~/set_parameters_atomically",
          [this](const rcl_interfaces::SetParametersAtomically::Request& request) {
            rcl_interfaces::SetParametersAtomically::Response response;
            response.result = result_from(set_all(changes_from(request.parameters)));
            return response;
          },
          Qos::parameters()) {
  local_->add(node_, *this);
}

Parameters::~Parameters() { local_->remove(*this); }

void Parameters::publish(const std::vector<Change>& declared, const std::vector<Change>& changed) const {
  rcl_interfaces::ParameterEvent event;
  event.stamp = message_from(clock_.utc());
  event.node = node_;
  event.new_parameters = messages_from(declared);
  event.changed_parameters = messages_from(changed);
  events_.publish(event);
}

}  // namespace tandem::ros2
