// SPDX-License-Identifier: Apache-2.0
// A PLC variable used like one of our own, once its size and type have been checked.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::ads {

static_assert(std::endian::native == std::endian::little, "ADS values are copied as they are");

// What can be copied from a PLC: whole bytes of which every pattern is a value. For BOOL take std::uint8_t.
template <typename T>
concept SymbolValue = std::is_trivially_copyable_v<T> && std::default_initializable<T> && !std::same_as<T, bool>;

// The elementary type that a T must be on the other side; none for structures and arrays.
template <SymbolValue T>
constexpr DataType data_type_of() {
  if constexpr (std::same_as<T, double>) return DataType::real64;
  if constexpr (std::same_as<T, float>) return DataType::real32;
  if constexpr (std::integral<T>) {
    if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? DataType::int8 : DataType::uint8;
    if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? DataType::int16 : DataType::uint16;
    if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? DataType::int32 : DataType::uint32;
    if constexpr (sizeof(T) == 8) return std::is_signed_v<T> ? DataType::int64 : DataType::uint64;
  }
  return DataType::none;
}

// Nothing when the symbol can be read as a T; otherwise what does not fit. With a type name ("ST_Pose") that is what
// counts; without one, the elementary type of a number.
std::optional<Error> misfit(const SymbolInfo& symbol, std::size_t size, DataType data_type, std::string_view type_name);

// Valid for one connection and one symbol version of the PLC; resolve again after either changes.
template <SymbolValue T>
class Symbol {
 public:
  static Result<Symbol> resolve(Client& client, std::string_view name, std::string_view type_name, Instant deadline) {
    auto info = client.symbol_info(name, deadline);
    if (!info) return std::move(info).error();
    if (auto error = misfit(*info, sizeof(T), data_type_of<T>(), type_name)) return std::move(*error);
    auto handle = client.handle_by_name(name, deadline);
    if (!handle) return std::move(handle).error();
    return Symbol(std::string(name), *handle);
  }

  Result<T> read(Client& client, Instant deadline) const {
    std::array<std::uint8_t, sizeof(T)> bytes;
    if (auto done = client.read_handle(handle_, bytes, deadline); !done) return within(name_, done.error());
    return std::bit_cast<T>(bytes);
  }

  Result<void> write(Client& client, const T& value, Instant deadline) const {
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
    if (auto done = client.write_handle(handle_, bytes, deadline); !done) return within(name_, done.error());
    return {};
  }

  // Samples from now on; their handle is the one returned, their value is value_of().
  Result<std::uint32_t> subscribe(Client& client, TransMode mode, Duration cycle, Instant deadline) const {
    auto handle = client.add_notification(group::value_by_handle, handle_, sizeof(T), mode, cycle, deadline);
    if (!handle) return within(name_, std::move(handle).error());
    return handle;
  }

  // Nothing when the sample is not of this size.
  static std::optional<T> value_of(const Notification& notification) {
    if (notification.data.size() != sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, notification.data.data(), sizeof(T));
    return value;
  }

  Result<void> release(Client& client, Instant deadline) const { return client.release(handle_, deadline); }

  const std::string& name() const { return name_; }
  std::uint32_t handle() const { return handle_; }

 private:
  Symbol(std::string name, std::uint32_t handle) : name_(std::move(name)), handle_(handle) {}

  std::string name_;
  std::uint32_t handle_;
};

// Reports when the PLC's program was changed under a running connection: every Symbol has to be resolved again then.
class VersionWatch {
 public:
  // Looks every `cycle`, on the device's side.
  static Result<VersionWatch> start(Client& client, Duration cycle, Instant deadline);

  bool mine(const Notification& notification) const { return notification.handle == handle_; }
  // True when the sample is ours and says another version than the one at the start.
  bool changed(const Notification& notification) const;
  std::uint8_t version() const { return version_; }

 private:
  VersionWatch(std::uint32_t handle, std::uint8_t version) : handle_(handle), version_(version) {}

  std::uint32_t handle_;
  std::uint8_t version_;
};

}  // namespace tandem::ads
