// SPDX-License-Identifier: Apache-2.0
// Client: what it asks by name.
#include <fmt/format.h>

#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::ads {
namespace {

constexpr std::uint32_t longest_entry = 0xFFFF;

Error unreadable(std::string_view name) {
  return {Fault::invalid, fmt::format("{}: the device's description is malformed", name)};
}

}  // namespace

// By a name with its NUL, as every client sends it. Changes nothing, so there is no outcome to wonder about.
Result<Bytes> Client::look_up(std::uint32_t group, std::string_view name, std::uint32_t read_length, Instant deadline) {
  scratch_.assign(name.begin(), name.end());
  scratch_.push_back(0);
  const ReadWriteRequest request{group, 0, read_length, scratch_};
  auto data = at_most(read_length, exchange_.begin({Command::read_write, group, 0}, request, deadline), deadline);
  if (!data) return within(std::string(name), std::move(data).error());
  return data;
}

Result<std::uint32_t> Client::handle_by_name(std::string_view name, Instant deadline) {
  auto data = look_up(group::handle_by_name, name, 4, deadline);
  if (!data) return std::move(data).error();
  ByteReader reader(*data);
  const auto handle = reader.little<std::uint32_t>();
  if (!reader.done())
    return Error{Fault::invalid, fmt::format("{}: expected a handle of 4 bytes, got {}", name, data->size())};
  return handle;
}

Result<void> Client::release(std::uint32_t handle, Instant deadline) {
  scratch_.clear();
  ByteWriter(scratch_).little(handle);
  return write(group::release_handle, 0, scratch_, deadline);
}

Result<SymbolInfo> Client::symbol_info(std::string_view name, Instant deadline) {
  auto data = look_up(group::info_by_name_ex, name, longest_entry, deadline);
  if (!data) return std::move(data).error();
  ByteReader reader(*data);
  auto symbol = take_symbol(reader);
  if (!symbol) return unreadable(name);
  if (!same_name(symbol->name, name))
    return Error{Fault::invalid, fmt::format("{0}: expected its description, got that of {1}", name, symbol->name)};
  return std::move(*symbol);
}

Result<TypeInfo> Client::type_info(std::string_view type_name, Instant deadline) {
  auto data = look_up(group::type_by_name_ex, type_name, longest_entry, deadline);
  if (!data) return std::move(data).error();
  ByteReader reader(*data);
  auto type = take_type(reader);
  if (!type) return unreadable(type_name);
  if (!same_name(type->name, type_name))
    return Error{Fault::invalid, fmt::format("{0}: expected its description, got that of {1}", type_name, type->name)};
  return std::move(*type);
}

Result<std::vector<SymbolInfo>> Client::all_symbols(Instant deadline) {
  std::array<std::uint8_t, 8> info{};
  if (auto done = read(group::symbol_upload_info, 0, info, deadline); !done) return done.error();
  ByteReader reader(info);
  const auto count = reader.little<std::uint32_t>();
  const auto size = reader.little<std::uint32_t>();
  auto begun = begin_read(group::symbol_upload, 0, size, deadline);
  if (!begun) return std::move(begun).error();
  auto data = await(*begun, deadline);
  if (!data) return std::move(data).error();
  auto symbols = decode_symbols(*data);
  if (!symbols || symbols->size() != count) {
    return Error{Fault::invalid,
                 fmt::format("symbol upload: expected {} symbols in {} bytes, got {} readable ones in {}", count, size,
                             symbols ? symbols->size() : 0, data->size())};
  }
  return std::move(*symbols);
}

Result<std::vector<TypeInfo>> Client::all_types(Instant deadline) {
  std::array<std::uint8_t, 24> info{};
  if (auto done = read(group::symbol_upload_info_2, 0, info, deadline); !done) return done.error();
  ByteReader reader(info);
  reader.skip(8);  // of the symbols
  const auto count = reader.little<std::uint32_t>();
  const auto size = reader.little<std::uint32_t>();
  auto begun = begin_read(group::type_upload, 0, size, deadline);
  if (!begun) return std::move(begun).error();
  auto data = await(*begun, deadline);
  if (!data) return std::move(data).error();
  auto types = decode_types(*data);
  if (!types || types->size() != count) {
    return Error{Fault::invalid, fmt::format("type upload: expected {} types in {} bytes, got {} readable ones in {}",
                                             count, size, types ? types->size() : 0, data->size())};
  }
  return std::move(*types);
}

Result<std::uint8_t> Client::symbol_version(Instant deadline) {
  std::array<std::uint8_t, 1> version{};
  if (auto done = read(group::symbol_version, 0, version, deadline); !done) return done.error();
  return version[0];
}

}  // namespace tandem::ads
