// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/codec/dialect.hpp"

#include <algorithm>

#include "tandem/protocols/mavlink/messages/all.hpp"

namespace tandem::mavlink {
namespace {

constexpr auto sorted_infos = [] {
  std::array<MessageInfo, AllMessages::count> infos{};
  std::size_t next = 0;
  AllMessages::each([&]<Message M>() { infos[next++] = info<M>; });
  std::sort(infos.begin(), infos.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return infos;
}();

static_assert(std::adjacent_find(sorted_infos.begin(), sorted_infos.end(),
                                 [](const auto& a, const auto& b) { return a.id == b.id; }) == sorted_infos.end(),
              "two messages have the same id");

}  // namespace

Dialect::Dialect(std::span<const MessageInfo> infos) {
  for (const MessageInfo& info : infos) add(info);
}

Dialect::Dialect(std::span<const MessageInfo> infos, std::span<const MessageInfo> more) : Dialect(infos) {
  for (const MessageInfo& info : more) add(info);
}

void Dialect::add(const MessageInfo& info) {
  if (info.id < low_.size()) {
    low_[info.id] = &info;
    return;
  }
  const auto at = std::lower_bound(high_.begin(), high_.end(), info.id,
                                   [](const MessageInfo* known, std::uint32_t id) { return known->id < id; });
  if (at != high_.end() && (*at)->id == info.id) {
    *at = &info;
  } else {
    high_.insert(at, &info);
  }
}

const MessageInfo* Dialect::find_high(std::uint32_t id) const {
  const auto at = std::lower_bound(high_.begin(), high_.end(), id,
                                   [](const MessageInfo* known, std::uint32_t wanted) { return known->id < wanted; });
  return at != high_.end() && (*at)->id == id ? *at : nullptr;
}

const MessageInfo* Dialect::find(std::string_view name) const {
  for (const MessageInfo* known : low_)
    if (known != nullptr && known->name == name) return known;
  for (const MessageInfo* known : high_)
    if (known->name == name) return known;
  return nullptr;
}

std::span<const MessageInfo> all_infos() { return sorted_infos; }

const Dialect& all_messages() {
  static const Dialect dialect(all_infos());
  return dialect;
}

}  // namespace tandem::mavlink
