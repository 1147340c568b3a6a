// SPDX-License-Identifier: Apache-2.0
// The messages that a parser knows by their number.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

class Dialect {
 public:
  // The infos must outlive the dialect. Of two with one id the later one counts.
  explicit Dialect(std::span<const MessageInfo> infos);
  Dialect(std::span<const MessageInfo> infos, std::span<const MessageInfo> more);

  // Null when there is none.
  const MessageInfo* find(std::uint32_t id) const {
    if (id < low_.size()) return low_[id];
    return find_high(id);
  }
  // Null when there is none; for commands and configuration, not for every frame.
  const MessageInfo* find(std::string_view name) const;

 private:
  void add(const MessageInfo& info);
  const MessageInfo* find_high(std::uint32_t id) const;

  std::array<const MessageInfo*, 512> low_{};
  std::vector<const MessageInfo*> high_;  // by id
};

// Everything in messages/all.hpp, by id.
std::span<const MessageInfo> all_infos();
const Dialect& all_messages();

}  // namespace tandem::mavlink
