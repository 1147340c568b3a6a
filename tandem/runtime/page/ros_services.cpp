// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_services.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/graph/names.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/runtime/page/ros_json.hpp"

namespace tandem::runtime {
namespace {

web::ServiceSchema schema_of(const ros2::TypeSupport& type) { return {"cdr", type.name, "ros2msg", type.definition}; }

// The answer as the caller wants it.
Result<std::vector<std::uint8_t>> encoded_answer(const ros2::DynamicType& type, std::string_view encoding,
                                                 Result<std::vector<std::uint8_t>> cdr) {
  if (!cdr || encoding == "cdr") return cdr;
  const auto text = json_from_cdr(type, *cdr);
  if (!text) return text.error();
  return std::vector<std::uint8_t>(text->begin(), text->end());
}

}  // namespace

RosServices::~RosServices() {
  for (const auto& [id, service] : services_) hub_.remove_service(id);
  for (auto& [id, call] : calls_) call.answer(Error{Fault::closed, fmt::format("{}: it ends", call.service)});
}

std::map<std::string, RosServices::Type> RosServices::offered(const ros2::Graph& graph) {
  std::map<std::string, Type> all;
  constexpr std::string_view ending = "_Request";
  for (const ros2::GraphEndpoint& endpoint : graph.endpoints) {
    if (endpoint.writes || !endpoint.dds_topic.starts_with("rq/") || !endpoint.type.ends_with(ending)) continue;
    const std::string name = ros2::ros_service_name(endpoint.dds_topic);
    if (name.empty() || ros2::is_hidden(name)) continue;
    Type type;
    type.name = endpoint.type.substr(0, endpoint.type.size() - ending.size());
    type.request = ros2::find_type(endpoint.type);
    type.response = ros2::find_type(type.name + "_Response");
    if (type.request == nullptr || type.response == nullptr) continue;
    if (!endpoint.type_hash.empty() && endpoint.type_hash != type.request->hash) continue;
    all.emplace(name, std::move(type));
  }
  return all;
}

void RosServices::follow(const ros2::Graph& graph) {
  std::map<std::string, Type> there = offered(graph);
  for (auto at = services_.begin(); at != services_.end();) {
    const auto found = there.find(at->second.name);
    if (found != there.end() && found->second.name == at->second.type.name) {
      there.erase(found);
      ++at;
    } else {
      const std::uint32_t id = at->first;
      at = services_.erase(at);
      hub_.remove_service(id);
    }
  }
  for (auto& [name, type] : there) {
    if (services_.size() == most_services) return;
    const std::uint32_t id = hub_.add_service({name, type.name, schema_of(*type.request), schema_of(*type.response)});
    services_[id] = {name, std::move(type), id, {}, {}, {}};
  }
}

bool RosServices::call(std::uint32_t service, std::string_view encoding, Bytes request,
                       const web::ServiceAnswer& answer) {
  const auto found = services_.find(service);
  if (found == services_.end()) return false;
  if (auto begun = begin(found->second, encoding, request, answer); !begun) {
    answer(within(found->second.name, begun.error()));
  }
  return true;
}

Result<void> RosServices::begin(Service& service, std::string_view encoding, Bytes request,
                                const web::ServiceAnswer& answer) {
  if (encoding != "cdr" && encoding != "json") {
    return Error{Fault::unsupported, fmt::format("expected encoding cdr or json, got \"{}\"", printable(encoding))};
  }
  if (calls_.size() == most_calls) return Error{Fault::busy, fmt::format("{} calls are already pending", most_calls)};
  if (!service.client) {
    auto asked = make_dynamic_type(*service.type.request), told = make_dynamic_type(*service.type.response);
    if (!asked) return asked.error();
    if (!told) return told.error();
    try {
      service.client.emplace(
          node_, service.name,
          ros2::AnyService::Type{service.type.name, service.type.request->hash, service.type.response->hash});
    } catch (const std::exception& error) {
      return Error{Fault::invalid, printable(error.what(), 300)};
    }
    service.request = std::move(*asked);
    service.response = std::move(*told);
  }
  std::vector<std::uint8_t> cdr(request.begin(), request.end());
  if (encoding == "cdr") {
    ros2::Visitor nobody;
    if (auto good = walk(*service.request, cdr, nobody); !good) return good;
  } else {
    const std::string_view text(reinterpret_cast<const char*>(request.data()), request.size());
    auto written = cdr_from_json(*service.request, text, system_clock().utc());
    if (!written) return written.error();
    cdr = std::move(*written);
  }
  const std::uint64_t id = ++last_call_;
  calls_[id] = {service.name, std::string(encoding), *service.response, answer, now() + timeout + 1s};
  service.client->call_raw(std::move(cdr), {.timeout = timeout},
                           [answers = answers_, id](Result<std::vector<std::uint8_t>> result) {
                             const std::lock_guard lock(answers->mutex);
                             answers->come.emplace_back(id, std::move(result));
                           });
  return {};
}

void RosServices::tick(Instant now) {
  std::vector<std::pair<std::uint64_t, Result<std::vector<std::uint8_t>>>> come;
  {
    const std::lock_guard lock(answers_->mutex);
    come.swap(answers_->come);
  }
  for (auto& [id, result] : come) {
    auto call = calls_.extract(id);
    if (call.empty()) continue;
    call.mapped().answer(encoded_answer(call.mapped().response, call.mapped().encoding, std::move(result)));
  }
  // A client that ended with its service does not answer.
  for (auto at = calls_.begin(); at != calls_.end();) {
    if (now < at->second.deadline) {
      ++at;
      continue;
    }
    const Call late = std::move(at->second);
    at = calls_.erase(at);
    late.answer(Error{Fault::timeout, fmt::format("{}: no answer within the timeout", late.service)});
  }
}

}  // namespace tandem::runtime
