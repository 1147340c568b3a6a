// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>

#include "tandem/app/ros/graph_view.hpp"

namespace tandem::app::ros {
namespace {

Error interrupted() { return {Fault::closed, "interrupted"}; }

// An error when all servers of that name have another type.
Result<void> check_type(Session& session, const std::string& name, std::string_view type) {
  const Names servers = services(session.context().graph(), true, Role::reader);
  const NamedTypes* there = find(servers, name);
  if (there == nullptr || std::ranges::count(there->types, type) > 0) return {};
  return Error{Fault::unsupported, fmt::format("{} is of type {}, not {}", name, fmt::join(there->types, ", "), type)};
}

}  // namespace

Result<void> await_server(Session& session, const ros2::AnyClient& client, std::string_view type, Duration timeout) {
  const Instant start = system_clock().now();
  Instant looked = start;
  for (bool told = false; !client.ready();) {
    const Instant now = system_clock().now();
    if (now > looked + 200ms) {
      looked = now;
      if (auto right = check_type(session, client.name(), type); !right) return right;
    }
    if (now > start + timeout) {
      const Names known = services(session.context().graph(), is_hidden(client.name()), Role::reader);
      const std::string why = find(known, client.name()) != nullptr
                                  ? fmt::format("the server of {} does not answer discovery", client.name())
                                  : unknown_name("service", client.name(), known);
      return Error{Fault::not_found, why};
    }
    if (!told && now > start + 1s) {
      session.remark(fmt::format("waiting for service {} to become available...", client.name()));
      told = true;
    }
    session.tell_events();
    if (session.wait(10ms)) return interrupted();
  }
  return {};
}

Result<std::vector<std::uint8_t>> call_raw(Session& session, const ros2::AnyClient& client,
                                           std::vector<std::uint8_t> request, const ros2::CallOptions& options) {
  const auto promise = std::make_shared<std::promise<Result<std::vector<std::uint8_t>>>>();
  auto answer = promise->get_future();
  client.call_raw(std::move(request), options,
                  [promise](Result<std::vector<std::uint8_t>> response) { promise->set_value(std::move(response)); });
  while (answer.wait_for(0s) != std::future_status::ready) {
    session.tell_events();
    if (session.wait(5ms)) return interrupted();
  }
  return answer.get();
}

}  // namespace tandem::app::ros
