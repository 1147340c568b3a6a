// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/type_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tandem/app/ros/installed_types.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/messages/type_description_interfaces.hpp"

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

// The first of them, if it has the hash; an empty hash is any.
Result<FoundType> type_from(std::vector<ros2::TypeDescription> described, const std::string& expected_hash) {
  std::vector<ros2::TypeDescription> referenced;
  for (std::vector<std::string> open{described.front().name}; !open.empty();) {
    const auto from = std::ranges::find(described, open.back(), &ros2::TypeDescription::name);
    open.pop_back();
    if (from == described.end()) continue;  // said below
    for (const ros2::FieldDescription& field : from->fields) {
      const auto found = std::ranges::find(described, field.nested, &ros2::TypeDescription::name);
      if (field.nested.empty() || found == described.end() ||
          std::ranges::count(referenced, field.nested, &ros2::TypeDescription::name) > 0) {
        continue;
      }
      referenced.push_back(*found);
      open.push_back(field.nested);
    }
  }
  auto type = make_dynamic_type(described.front(), referenced);
  if (!type) return type.error();
  std::string hash = ros2::type_hash(described.front(), referenced);
  if (!expected_hash.empty() && hash != expected_hash) {
    return Error{Fault::invalid, fmt::format("describes {} with another type hash", printable(described.front().name))};
  }
  return FoundType{std::move(*type), std::move(hash), std::move(described)};
}

Result<FoundType> find_installed(const std::string& name, const std::string& expected_hash) {
  const char* prefixes = std::getenv("AMENT_PREFIX_PATH");
  auto described = installed_type(name, prefixes == nullptr ? "" : prefixes);
  if (!described) return described.error();
  return type_from(std::move(*described), expected_hash);
}

// Asks the node that has the endpoint. What it says must have the hash that it advertises.
Result<FoundType> ask_node(ros2::Node& node, const ros2::GraphEndpoint& endpoint) {
  const std::string service = endpoint.node + "/get_type_description";
  const ros2::Client<described::GetTypeDescription> client(node, service);
  described::GetTypeDescription::Request request;
  request.described_name = endpoint.type;
  request.type_hash = endpoint.type_hash;
  request.include_type_sources = false;
  const auto response = client.call(request, {.timeout = 2s, .idempotent = true});
  if (!response) return within(service, response.error());
  if (!response->successful) {
    return Error{Fault::not_found, fmt::format("{}: {}", service, printable(response->failure_reason, 200))};
  }
  std::vector<ros2::TypeDescription> described{description_from(response->type_description.type_description)};
  for (const auto& each : response->type_description.referenced_type_descriptions) {
    described.push_back(description_from(each));
  }
  if (described.front().name != endpoint.type) {
    return Error{Fault::invalid, fmt::format("{}: describes {} instead", service, printable(described.front().name))};
  }
  auto type = type_from(std::move(described), endpoint.type_hash);
  if (!type) return within(service, type.error());
  return type;
}

// Nodes with an endpoint of the type, each once: the first few of them.
std::vector<const ros2::GraphEndpoint*> known_by(const ros2::Graph& graph, const std::string& name) {
  constexpr std::size_t most = 3;
  std::vector<const ros2::GraphEndpoint*> found;
  for (const ros2::GraphEndpoint& endpoint : graph.endpoints) {
    if (endpoint.local || endpoint.type != name || endpoint.type_hash.empty() || endpoint.node.empty()) continue;
    const auto same = [&](const ros2::GraphEndpoint* other) { return other->node == endpoint.node; };
    if (found.size() < most && std::ranges::none_of(found, same)) found.push_back(&endpoint);
  }
  return found;
}

}  // namespace

std::string full_type_name(std::string_view name, std::string_view kind) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.find('/', slash + 1) != std::string_view::npos) return std::string(name);
  return fmt::format("{}/{}/{}", name.substr(0, slash), kind, name.substr(slash + 1));
}

Result<FoundType> find_type(const TypeLookup& lookup, const ros2::Graph& graph, const std::string& name,
                            const std::string& whole) {
  const ros2::TypeSupport* ours = ros2::find_type(name);
  const bool agreed = ours != nullptr && std::ranges::any_of(graph.endpoints, [&](const ros2::GraphEndpoint& endpoint) {
                        return !endpoint.local && endpoint.type == name && endpoint.type_hash == ours->hash;
                      });
  std::vector<const ros2::GraphEndpoint*> others;  // that have it by a hash that we do not know
  if (!agreed) others = known_by(graph, name);
  std::string why;
  for (const ros2::GraphEndpoint* other : others) {
    Result<FoundType> asked = ask_node(lookup.node(), *other);
    if (asked) return asked;
    why = asked.error().text;
  }
  if (ours == nullptr || !others.empty()) {
    Result<FoundType> installed = find_installed(name, others.empty() ? "" : others.front()->type_hash);
    if (installed) return installed;
    if (!others.empty()) why += ", " + installed.error().text;
  }
  if (ours == nullptr) {
    const std::string unknown = unknown_type(whole.empty() ? name : whole);
    return Error{Fault::not_found, why.empty() ? unknown : fmt::format("{} ({})", unknown, why)};
  }
  if (!why.empty()) {
    lookup.remark(fmt::format("{} uses another definition of {} and does not serve it ({}); the local one is used",
                              others.front()->node, name, why));
  }
  auto type = make_dynamic_type(*ours);
  if (!type) return type.error();
  return FoundType{std::move(*type), ours->hash};
}

Result<FoundType> nested_type(const FoundType& type, const std::string& name) {
  std::vector<ros2::TypeDescription> described = type.described;
  const auto found = std::ranges::find(described, name, &ros2::TypeDescription::name);
  if (found == described.end()) return Error{Fault::not_found, unknown_type(name)};
  std::rotate(described.begin(), found, found + 1);
  return type_from(std::move(described), "");
}

std::string unknown_type(std::string_view name) {
  const std::vector<std::string> known = ros2::known_types();
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view close = nearest(name, names);
  return fmt::format("unknown type {}{}", printable(name),
                     close.empty() ? "" : fmt::format("; did you mean '{}'?", close));
}

}  // namespace tandem::app::ros
