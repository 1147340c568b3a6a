// SPDX-License-Identifier: Apache-2.0
// Service calls that an interrupt ends.
#pragma once

#include <string>
#include <vector>

#include "tandem/app/ros/session.hpp"
#include "tandem/ros2/calls/service.hpp"

namespace tandem::app::ros {

struct CallTimes {
  Duration server = 10s;  // to wait for the server
  Duration answer = 30s;
};

// Waits until the server is there; says so on standard error when that takes time. The error names services that are,
// or the type that this one has instead.
Result<void> await_server(Session& session, const ros2::AnyClient& client, std::string_view type, Duration timeout);

Result<std::vector<std::uint8_t>> call_raw(Session& session, const ros2::AnyClient& client,
                                           std::vector<std::uint8_t> request, const ros2::CallOptions& options);

template <ros2::ServiceType S>
Result<typename S::Response> call(Session& session, const std::string& name, const typename S::Request& request,
                                  const CallTimes& times = {}) {
  const ros2::Client<S> client(session.node(), name);
  if (auto there = await_server(session, client, S::type_name, times.server); !there) return there.error();
  std::vector<std::uint8_t> bytes;
  if (!ros2::encode(request, bytes))
    return Error{Fault::invalid, name + ": a bounded field of the request is too long"};
  const auto raw = call_raw(session, client, std::move(bytes), {.timeout = times.answer});
  if (!raw) return raw.error();
  typename S::Response response;
  if (auto decoded = ros2::decode(*raw, response); !decoded) return decoded.error();
  return response;
}

}  // namespace tandem::app::ros
