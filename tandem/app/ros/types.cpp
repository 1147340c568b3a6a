#include "tandem/app/ros/types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/messages/type_description_interfaces.hpp"
#include "tandem/ros2/service.hpp"

namespace tandem::app::ros {
namespace {

namespace described = ros2::type_description_interfaces;

ros2::TypeDescription description_from(const described::IndividualTypeDescription& peer) {
  ros2::TypeDescription description{peer.described_name, {}};
  for (const described::Field& field : peer.described_fields) {
    description.fields.push_back({.name = field.name,
                                  .type_id = field.type.type_id,
                                  .capacity = field.type.capacity,
                                  .string_capacity = field.type.string_capacity,
                                  .nested = field.type.nested_type_name,
                                  .default_value = field.default_value});
  }
  return description;
}

// Asks the node that has the endpoint. What it says must have the hash that it advertises.
Result<FoundType> ask_node(Session& session, const ros2::GraphEndpoint& endpoint) {
  const std::string service = endpoint.node + "/get_type_description";
  const ros2::Client<described::GetTypeDescription> client(session.node(), service);
  described::GetTypeDescription::Request request;
  request.described_name = endpoint.type;
  request.type_hash = endpoint.type_hash;
  request.include_type_sources = false;
  const auto response = client.call(request, {.timeout = 2s, .idempotent = true});
  if (!response) return within(service, response.error());
  if (!response->successful) {
    return Error{Fault::not_found, fmt::format("{}: {}", service, printable(response->failure_reason, 200))};
  }
  const ros2::TypeDescription root = description_from(response->type_description.type_description);
  std::vector<ros2::TypeDescription> referenced;
  for (const auto& each : response->type_description.referenced_type_descriptions) {
    referenced.push_back(description_from(each));
  }
  auto type = make_dynamic_type(root, referenced);
  if (!type) return within(service, type.error());
  const std::string hash = ros2::type_hash(root, referenced);
  if (root.name != endpoint.type || hash != endpoint.type_hash) {
    return Error{Fault::invalid, fmt::format("{}: describes {} of another hash", service, printable(root.name))};
  }
  return FoundType{std::move(*type), hash};
}

}  // namespace

std::string full_type_name(std::string_view name, std::string_view kind) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.find('/', slash + 1) != std::string_view::npos) return std::string(name);
  return fmt::format("{}/{}/{}", name.substr(0, slash), kind, name.substr(slash + 1));
}

Result<FoundType> find_type(Session& session, const ros2::Graph& graph, const std::string& name) {
  const ros2::TypeSupport* ours = ros2::find_type(name);
  const ros2::GraphEndpoint* other = nullptr;  // one that has it by a hash that we do not know
  bool agreed = false;
  for (const ros2::GraphEndpoint& endpoint : graph.endpoints) {
    if (endpoint.local || endpoint.type != name || endpoint.type_hash.empty()) continue;
    const bool same = ours != nullptr && endpoint.type_hash == ours->hash;
    agreed = agreed || same;
    if (!same && !endpoint.node.empty()) other = &endpoint;
  }
  std::string why;
  if (other != nullptr && !agreed) {
    Result<FoundType> asked = ask_node(session, *other);
    if (asked) return asked;
    why = asked.error().text;
  }
  if (ours == nullptr) {
    return Error{Fault::not_found, why.empty() ? unknown_type(name) : fmt::format("{} ({})", unknown_type(name), why)};
  }
  if (!why.empty()) {
    session.remark(fmt::format("{} has another definition of {} than we, and does not tell it ({}); ours is used",
                               other->node, name, why));
  }
  auto type = make_dynamic_type(*ours);
  if (!type) return type.error();
  return FoundType{std::move(*type), ours->hash};
}

std::string unknown_type(std::string_view name) {
  const std::vector<std::string> known = ros2::known_types();
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view close = nearest(name, names);
  return fmt::format("unknown type {}{}", printable(name),
                     close.empty() ? "" : fmt::format("; did you mean '{}'?", close));
}

}  // namespace tandem::app::ros
