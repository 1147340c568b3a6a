// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/topics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/utf8.hpp"

namespace tandem::sparkplug {

std::string NodeName::topic(std::string_view kind, std::string_view device) const {
  return fmt::format("spBv1.0/{}/{}/{}{}{}", group, kind, node, device.empty() ? "" : "/", device);
}

std::string host_topic(std::string_view host) { return fmt::format("spBv1.0/STATE/{}", host); }

Result<void> check_id(std::string_view what, std::string_view id) {
  const bool good = !id.empty() && id.size() <= 100 && is_utf8(id) && std::ranges::none_of(id, [](char c) {
    return c == '+' || c == '/' || c == '#' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (good) return {};
  return Error{Fault::invalid, fmt::format("{}: expected 1 to 100 bytes without + / #, got {} bytes{}", what, id.size(),
                                           id.empty() ? "" : " with others")};
}

std::optional<std::string_view> device_of(const NodeName& node, std::string_view kind, std::string_view topic) {
  const std::string own = node.topic(kind);
  if (topic == own) return std::string_view();
  if (!topic.starts_with(own) || topic[own.size()] != '/') return std::nullopt;
  const std::string_view device = topic.substr(own.size() + 1);
  if (device.empty() || device.find('/') != std::string_view::npos) return std::nullopt;
  return device;
}

std::string metric_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool bad = std::string_view(".,\\@#$%^&*()[]{}|!~:;'\"<>?+").find(c) != std::string_view::npos;
    if (bad || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  }
  return is_utf8(name) ? name : std::string("_");
}

}  // namespace tandem::sparkplug
