// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mqtt/broker.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tandem/net/endpoint.hpp"
#include "tandem/protocols/mqtt/url.hpp"

namespace tandem::mqtt {
namespace {

bool readable_by_all(const std::string& file) {
  struct stat about {};
  return ::stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & S_IROTH) != 0;
}

void check_file(const std::string& file, std::string_view key, bool secret, std::vector<std::string>& problems) {
  if (file.empty()) return;
  if (::access(file.c_str(), R_OK) != 0)
    return problems.push_back(fmt::format("mqtt.{}: {} cannot be read by this user", key, file));
  if (secret && readable_by_all(file))
    problems.push_back(
        fmt::format("mqtt.{0}: {1}: a secret that every user of this computer can read; chmod o-r {1}", key, file));
}

}  // namespace

Result<BrokerUrl> parse_broker(const std::string& text) {
  // Its text is not repeated: it may hold a password.
  if (text.find('@') != text.npos)
    return Error{Fault::invalid,
                 "expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT] without user and password, which have keys of "
                 "their own: user, password_file"};
  const auto url = net::parse_url(text);
  if (!url) return url.error();
  const bool tls = url->scheme == "mqtts";
  if (!tls && url->scheme != "mqtt")
    return Error{Fault::invalid,
                 fmt::format("expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT], got '{}://'", url->scheme)};
  if (const auto known = url->only_keys({}); !known) return known.error();
  return BrokerUrl{url->host, url->port.value_or(tls ? 8883 : 1883), tls};
}

std::vector<std::string> broker_problems(const BrokerOptions& broker) {
  std::vector<std::string> problems;
  const auto url = parse_broker(broker.url);
  if (!url) problems.push_back(fmt::format("mqtt.broker: {}", url.error().text));
  if (broker.user.empty() && !broker.password_file.empty())
    problems.push_back("mqtt.password_file: expected `user` beside it, got none");
  if (broker.certificate.empty() != broker.key.empty())
    problems.push_back("mqtt: expected `certificate` and `key` together, got one of them");
  if (url && !url->tls && !(broker.authority.empty() && broker.certificate.empty()))
    problems.push_back(fmt::format("mqtt.broker: {}: certificates need TLS; write mqtts://", broker.url));
  check_file(broker.password_file, "password_file", true, problems);
  check_file(broker.key, "key", true, problems);
  check_file(broker.certificate, "certificate", false, problems);
  check_file(broker.authority, "authority", false, problems);
  return problems;
}

std::vector<std::string> broker_warnings(const BrokerOptions& broker) {
  const auto url = parse_broker(broker.url);
  if (!url || url->tls || broker.password_file.empty()) return {};
  if (url->host == "localhost" || url->host.starts_with("127.")) return {};
  return {fmt::format("mqtt.broker: {}: the password can be read on the network; use mqtts:// if the broker has TLS",
                      broker.url)};
}

std::string broker_text(const BrokerOptions& broker) {
  const auto url = parse_broker(broker.url);
  return url ? fmt::format("{}://{}:{}", url->tls ? "mqtts" : "mqtt", url->host, url->port) : "(invalid URL)";
}

}  // namespace tandem::mqtt
