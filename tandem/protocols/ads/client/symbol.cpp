// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/client/symbol.hpp"

#include <fmt/format.h>

namespace tandem::ads {

std::optional<Error> misfit(const SymbolInfo& symbol, std::size_t size, DataType data_type,
                            std::string_view type_name) {
  if (!type_name.empty() && !same_name(symbol.type, type_name)) {
    return Error{Fault::invalid, fmt::format("{}: expected type {}, got {}", symbol.name, type_name, symbol.type)};
  }
  if (symbol.size != size) {
    return Error{Fault::invalid, fmt::format("{}: expected {} bytes, got {} (type {}; pack mode?)", symbol.name, size,
                                             symbol.size, symbol.type)};
  }
  const bool boolean = data_type == DataType::uint8 && symbol.data_type == DataType::bit;
  if (type_name.empty() && data_type != DataType::none && symbol.data_type != data_type && !boolean) {
    return Error{Fault::invalid,
                 fmt::format("{}: expected ADS data type {}, got {} ({})", symbol.name,
                             static_cast<unsigned>(data_type), static_cast<unsigned>(symbol.data_type), symbol.type)};
  }
  return std::nullopt;
}

Result<VersionWatch> VersionWatch::start(Client& client, Duration cycle, Instant deadline) {
  auto version = client.symbol_version(deadline);
  if (!version) return std::move(version).error();
  auto handle = client.add_notification(group::symbol_version, 0, 1, TransMode::server_on_change, cycle, deadline);
  if (!handle) return std::move(handle).error();
  return VersionWatch(*handle, *version);
}

bool VersionWatch::changed(const Notification& notification) const {
  return mine(notification) && notification.data.size() == 1 && notification.data[0] != version_;
}

}  // namespace tandem::ads
