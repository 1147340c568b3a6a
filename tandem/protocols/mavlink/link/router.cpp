// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/link/router.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::mavlink {
namespace {

constexpr Duration same_frame_within = 500ms;

// FNV-1a.
std::uint64_t print_of(Bytes bytes) {
  std::uint64_t print = 14695981039346656037u;
  for (const std::uint8_t byte : bytes) print = (print ^ byte) * 1099511628211u;
  return print;
}

}  // namespace

Result<std::size_t> Router::add(Link link) {
  if (links_.size() == most_links)
    return Error{Fault::busy, fmt::format("a MAVLink router has at most {} links", most_links)};
  links_.push_back(std::make_unique<Link>(std::move(link)));
  watches_.reserve(links_.size() * (Transport::most_peers + 1));
  return links_.size() - 1;
}

std::optional<Router::Received> Router::receive(Instant deadline) {
  while (true) {
    const Instant time = now();
    std::size_t given = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const std::size_t number = (turn_ + i) % links_.size();  // in turns, so that none starves the others
      const auto frame = links_[number]->receive(Instant{});
      if (!frame) continue;
      ++given;
      turn_ = number + 1;
      if (pass_on(*frame, number, time)) return Received{*frame, number};
    }
    if (time >= deadline) return std::nullopt;
    if (given > 0) continue;
    watches_.clear();
    Instant wake = deadline;
    for (const auto& link : links_) wake = std::min(wake, link->watch(watches_));
    if (auto waited = net::wait(watches_, wake); !waited) return std::nullopt;
  }
}

bool Router::pass_on(const Frame& frame, std::size_t from, Instant time) {
  if (links_.size() > 1 && seen_before(frame, time)) {
    ++counters_.repeated;
    return false;
  }
  learn(frame.source, from, time);
  if (frame.is<RadioStatus>()) return true;  // about this link alone
  const Address target = frame.target();
  if (target == own_) return true;
  const LinkSet links = links_to(target);
  if (links == 0 && target.system != 0 && target.system != own_.system) ++counters_.nowhere;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (i == from || (links >> i & 1u) == 0) continue;
    if (links_[i]->forward(frame)) ++counters_.forwarded;
  }
  return true;
}

bool Router::seen_before(const Frame& frame, Instant time) {
  const std::uint64_t print = print_of(frame.bytes);
  for (const Seen& seen : seen_)
    if (seen.print == print && time - seen.at < same_frame_within) return true;
  seen_[next_seen_] = {print, time};
  next_seen_ = (next_seen_ + 1) % seen_.size();
  return false;
}

void Router::learn(const Address& source, std::size_t from, Instant time) {
  const auto end = routes_.begin() + static_cast<std::ptrdiff_t>(route_count_);
  auto route = std::find_if(routes_.begin(), end, [&](const Route& known) { return known.source == source; });
  if (route == end) {
    if (route_count_ < routes_.size()) {
      ++route_count_;
    } else {
      route = std::min_element(routes_.begin(), routes_.end(),
                               [](const Route& a, const Route& b) { return a.heard < b.heard; });
    }
    *route = {source};
  }
  route->links |= LinkSet{1} << from;
  route->heard = time;
}

Router::LinkSet Router::links_to(const Address& target) const {
  if (target.system == 0) return (LinkSet{1} << links_.size()) - 1;
  LinkSet links = 0;
  for (std::size_t i = 0; i < route_count_; ++i) {
    const Route& route = routes_[i];
    if (route.source.system != target.system) continue;
    if (target.component == 0 || route.source.component == target.component) links |= route.links;
  }
  return links;
}

bool Router::send_payload(const MessageInfo& info, Bytes payload) {
  Frame named;  // only to ask whom the payload names
  named.info = &info;
  named.payload = payload;
  const LinkSet links = links_to(named.target());
  bool sent = false;
  for (std::size_t i = 0; i < links_.size(); ++i)
    if ((links >> i & 1u) != 0) sent = links_[i]->send_payload(info, payload) || sent;
  return sent;
}

}  // namespace tandem::mavlink
