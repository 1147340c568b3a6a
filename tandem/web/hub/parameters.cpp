// SPDX-License-Identifier: Apache-2.0
// Parameters: asked for, set, followed.
#include <fmt/format.h>

#include "tandem/base/nearest.hpp"
#include "tandem/web/hub/impl.hpp"

namespace tandem::web {

void Hub::Impl::handle(ClientState& client, const foxglove::AskParameters& message) {
  if (!world.parameters) return complain(client, 2, "getParameters: parameters are disabled");
  send_text(client.client.id, foxglove::parameter_values(world.parameters(message.names), message.id));
}

void Hub::Impl::handle(ClientState& client, const foxglove::ChangeParameters& message) {
  if (!world.set_parameter || !world.parameters) return complain(client, 2, "setParameters: parameters are disabled");
  const ClientId id = client.client.id;
  Complaints complaints;
  std::vector<std::string> named, changed;
  const bool may = may_control(client, "setParameters");
  for (const Parameter& parameter : message.parameters) {
    named.push_back(parameter.name);
    if (!may) continue;
    if (const auto done = world.set_parameter(parameter); done) {
      changed.push_back(parameter.name);
    } else {
      complaints.add(fmt::format("{}: {}", printable(parameter.name), done.error().text));
    }
  }
  complain(client, "setParameters", complaints);
  // What holds now, also where nothing was changed.
  if (message.id) {
    const auto values = named.empty() ? std::vector<Parameter>{} : world.parameters(named);
    send_text(id, foxglove::parameter_values(values, message.id));
  }
  if (!changed.empty()) parameters_changed(world.parameters(changed));
}

void Hub::Impl::handle(ClientState& client, const foxglove::FollowParameters& message) {
  if (!world.parameters) return complain(client, 2, "parameters are disabled");
  if (message.names.empty()) {
    client.follows_all_parameters = message.follow;
    client.parameters.clear();
    return;
  }
  Complaints complaints;
  for (const std::string& name : message.names) {
    if (client.follows(name) == message.follow) continue;
    if (client.parameters.erase(name) > 0) continue;
    if (client.parameters.size() < most_followed_parameters) {
      client.parameters.insert(name);
    } else {
      complaints.add(fmt::format("{}: at most {} names at a time", printable(name), most_followed_parameters));
    }
  }
  complain(client, message.follow ? "subscribeParameterUpdates" : "unsubscribeParameterUpdates", complaints);
}

void Hub::Impl::parameters_changed(const std::vector<Parameter>& changed) {
  for (const auto& [id, client] : clients) {
    std::vector<Parameter> followed;
    for (const Parameter& parameter : changed)
      if (client.follows(parameter.name)) followed.push_back(parameter);
    if (!followed.empty()) send_text(id, foxglove::parameter_values(followed));
  }
}

void Hub::parameters_changed(const std::vector<Parameter>& changed) { impl_->parameters_changed(changed); }

}  // namespace tandem::web
