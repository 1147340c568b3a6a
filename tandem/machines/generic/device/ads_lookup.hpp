// SPDX-License-Identifier: Apache-2.0
// What a PLC says of its variables: symbols, types and handles by name, many in one request where the PLC can do that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/generic/ads_layout.hpp"
#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::generic {

// For one set-up over one connection. Every round trip has `each` to be answered; an error is a lost link.
class AdsLookUp {
 public:
  AdsLookUp(ads::Client& client, Duration each) : client_(client), each_(each) {}

  struct Symbol {
    std::optional<ads::SymbolInfo> info;
    bool missing = false;  // the PLC knows all others and not this one
    std::string refusal;   // why it does not describe it, otherwise
  };
  Result<std::vector<Symbol>> symbols(const std::vector<std::string>& names);

  // Handles; 0 and the PLC's reason where it gave none.
  struct Handle {
    std::uint32_t handle = 0;
    std::string refusal;
  };
  Result<std::vector<Handle>> handles(const std::vector<std::string>& names);

  // Adds to types() what these texts are made of, as far as the PLC knows it.
  Result<void> fetch_types(const std::vector<std::string>& types);
  const PlcTypeTable& types() const { return types_; }

  // The three names that are closest to one that is missing: of symbols, and of the members of one that it begins with.
  Result<std::vector<std::string>> nearest_names(std::string_view missing);

  bool sums() const { return sums_; }  // the PLC answers them

 private:
  Instant deadline() const { return now() + each_; }
  Result<std::vector<ads::SumLookUpItem>> look_up(std::uint32_t group, const std::vector<std::string>& names,
                                                  std::uint32_t read_length);
  Result<void> one_by_one(std::uint32_t group, std::span<ads::SumLookUpItem> items);
  std::vector<std::string> unknown_types(const std::vector<std::string>& types) const;
  Result<bool> upload_types();

  ads::Client& client_;
  Duration each_;
  PlcTypeTable types_;
  bool sums_ = true;
  bool uploaded_ = false;
  std::optional<std::vector<ads::SymbolInfo>> all_;
};

}  // namespace tandem::generic
