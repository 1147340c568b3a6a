// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "tandem/ros2/graph/names.hpp"

namespace tandem::app::ros {
namespace {

constexpr Duration first_wait = 500ms;
constexpr Duration quiet = 300ms;
constexpr Duration longest_wait = 2s;
// Servers pass on what they know in steps of 450 ms.
constexpr Duration quiet_of_servers = 700ms;
constexpr Duration longest_wait_for_servers = 4s;
constexpr Duration look_every = 50ms;

std::string node_name() { return fmt::format("_tandem_cli_{}", getpid()); }

}  // namespace

Session::Session(const SessionOptions& options) : options_(options), started_(system_clock().now()) {
  auto environment = ros2::context_options_from_environment();
  if (!environment) throw std::runtime_error(environment.error().text);
  for (const std::string& warning : environment->warnings) remark(warning);
  if (options.domain) environment->options.domain = *options.domain;
  context_ = std::make_unique<ros2::Context>(environment->options);
}

ros2::Node& Session::node() {
  if (!node_) node_.emplace(*context_, node_name());
  return *node_;
}

ros2::Graph Session::discover() {
  if (options_.spin_time) {
    wait(started_ + duration_of(*options_.spin_time) - system_clock().now());
    return context_->graph();
  }
  const bool by_servers = !context_->options().servers.empty();
  const Duration silence = by_servers ? quiet_of_servers : quiet;
  const Duration longest = by_servers ? longest_wait_for_servers : longest_wait;
  wait(started_ + first_wait - system_clock().now());
  ros2::Graph graph = context_->graph();
  Instant changed = system_clock().now();
  const auto settled = [&] {
    const bool anybody = std::ranges::any_of(graph.endpoints, [](const auto& endpoint) { return !endpoint.local; });
    return anybody && system_clock().now() >= changed + silence;
  };
  while (!over() && system_clock().now() < started_ + longest && !settled()) {
    wait(look_every);
    ros2::Graph next = context_->graph();
    if (next.endpoints.size() != graph.endpoints.size() || next.nodes.size() != graph.nodes.size()) {
      changed = system_clock().now();
    }
    graph = std::move(next);
  }
  return graph;
}

bool Session::wait(Duration time) {
  if (over()) return true;
  interrupted_ = signals_.wait(std::max<Duration>(time, 0s));
  return over();
}

void Session::print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) closed_ = true;
}

void Session::remark(std::string_view text) const { fmt::print(stderr, "tandem: {}\n", text); }

void Session::tell_events() {
  for (const ros2::Event& event : context_->take_events()) remark(event.text);
}

std::string full_name(std::string_view name) {
  const auto full = ros2::full_topic_name(name, "/", node_name());
  if (!full) throw std::invalid_argument(full.error().text);
  return *full;
}

}  // namespace tandem::app::ros
