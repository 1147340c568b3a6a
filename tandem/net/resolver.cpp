// SPDX-License-Identifier: Apache-2.0
// The system's resolver has no deadline and cannot be cancelled, so it runs in a thread of its own: one for each name
// that is being looked up, however many callers wait for it.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "tandem/net/resolver.hpp"

#include "tandem/base/stepped_time.hpp"

namespace tandem::net {
namespace {

constexpr Duration lookup_limit = 500ms;  // where the caller has no deadline
constexpr std::size_t most_lookups = 16;  // at a time, each a thread
// For the next caller: an answer that came too late for its own, or for the second socket of one link.
constexpr Duration kept = 2s;

Result<std::uint32_t> system_lookup(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failure = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (failure != 0) {
    return Error{
        Fault::unreachable,
        fmt::format(
            "unknown host \"{}\" ({}); expected an IPv4 address like 192.168.2.1 or a name that the system can resolve",
            host, gai_strerror(failure))};
  }
  sockaddr_in first{};
  std::memcpy(&first, found->ai_addr, sizeof first);
  freeaddrinfo(found);
  return ntohl(first.sin_addr.s_addr);
}

struct Pending {
  std::string host;
  std::optional<Result<std::uint32_t>> answer;
  Instant answered{};
};

// Owned by the threads, too: one may still be inside the system's resolver when the process ends.
struct Lookups {
  std::mutex mutex;
  std::condition_variable done;
  std::list<std::shared_ptr<Pending>> pending;
  Lookup lookup = system_lookup;
};

std::shared_ptr<Lookups> lookups() {
  static const auto all = std::make_shared<Lookups>();
  return all;
}

// The lookup of that name that is under way or has just ended, or a new one. The lock is held.
Result<std::shared_ptr<Pending>> join(const std::shared_ptr<Lookups>& all, const std::string& host) {
  std::erase_if(all->pending, [](const auto& one) { return one->answer && now() - one->answered > kept; });
  const auto known = std::ranges::find(all->pending, host, [](const auto& one) { return one->host; });
  if (known != all->pending.end()) return *known;
  const auto under_way = std::ranges::count_if(all->pending, [](const auto& one) { return !one->answer; });
  if (static_cast<std::size_t>(under_way) >= most_lookups) {
    return Error{Fault::busy,
                 fmt::format("host \"{}\": {} other names are being resolved; is the name server reachable?", host,
                             most_lookups)};
  }
  auto pending = std::make_shared<Pending>();
  pending->host = host;
  try {
    std::thread([all, pending, lookup = all->lookup] {
      auto answer = lookup(pending->host);
      const std::lock_guard lock(all->mutex);
      pending->answer = std::move(answer);
      pending->answered = now();
      all->done.notify_all();
    }).detach();
  } catch (const std::system_error& error) {
    return Error{Fault::busy, fmt::format("host \"{}\": no thread to resolve it: {}", host, error.what())};
  }
  all->pending.push_back(pending);
  return pending;
}

}  // namespace

Lookup replace_lookup(Lookup lookup) {
  const auto all = lookups();
  const std::lock_guard lock(all->mutex);
  return std::exchange(all->lookup, lookup ? std::move(lookup) : Lookup(system_lookup));
}

Result<Endpoint> resolve(const std::string& host, std::uint16_t port, Instant deadline) {
  in_addr dotted{};
  if (inet_pton(AF_INET, host.c_str(), &dotted) == 1) return Endpoint{ntohl(dotted.s_addr), port};
  if (host == "localhost") return Endpoint{INADDR_LOOPBACK, port};  // whatever the resolver may think
  if (host.empty()) return Error{Fault::unreachable, fmt::format("no host given for port {}", port)};

  const auto all = lookups();
  std::unique_lock lock(all->mutex);
  auto pending = join(all, host);
  if (!pending) return std::move(pending).error();
  const auto answered = [&] { return (*pending)->answer.has_value(); };
  // Name servers answer in real time, also where ours is simulated.
  const Instant until = SteppedTime::active() ? real_now() + std::min<Duration>(deadline - now(), 1min) : deadline;
  if (!all->done.wait_until(lock, until, answered)) {
    return Error{Fault::timeout, fmt::format("host \"{}\": the name server gave no answer before the deadline; use an "
                                             "IPv4 address, or check the resolver (/etc/resolv.conf)",
                                             host)};
  }
  const Result<std::uint32_t> answer = *(*pending)->answer;
  if (answer) return Endpoint{*answer, port};
  std::erase(all->pending, *pending);
  return answer.error();
}

Result<Endpoint> resolve(const std::string& host, std::uint16_t port) {
  return resolve(host, port, now() + lookup_limit);
}

}  // namespace tandem::net
