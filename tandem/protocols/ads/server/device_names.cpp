// SPDX-License-Identifier: Apache-2.0
// The part of the device that knows variables by name: handles, values and descriptions.
#include <algorithm>

#include "tandem/protocols/ads/codec/errors.hpp"
#include "tandem/protocols/ads/server/device.hpp"

namespace tandem::ads {
namespace {

// With or without the trailing zero.
std::string_view name_in(Bytes data) {
  const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
  return text.substr(0, text.find('\0'));
}

// Appends what was made when it fits into what was asked for.
std::uint32_t append_whole(const std::vector<std::uint8_t>& made, std::uint32_t asked, std::vector<std::uint8_t>& out) {
  if (made.size() > asked) return code::invalid_size;
  out.insert(out.end(), made.begin(), made.end());
  return code::ok;
}

template <typename Entry>
std::uint32_t append_entry(const Entry& entry, std::uint32_t asked, std::vector<std::uint8_t>& out) {
  std::vector<std::uint8_t> made;
  ByteWriter writer(made);
  encode(writer, entry);
  return append_whole(made, asked, out);
}

}  // namespace

std::uint32_t Device::read_write(std::uint16_t ams_port, const ReadWriteRequest& request, std::uint32_t owner,
                                 std::vector<std::uint8_t>& out) {
  if (ams_port == port::plc) {
    switch (request.group) {
      case group::handle_by_name:
        return make_handle(request, owner, out);
      case group::value_by_name:
      case group::info_by_name:
      case group::info_by_name_ex:
      case group::type_by_name_ex:
        return by_name(request, out);
      default:
        break;
    }
  }
  // Elsewhere it is a write and then a read of one address. The read is tried first, so that an error changes nothing.
  const ReadRequest there{request.group, request.offset, request.read_length};
  const std::size_t before = out.size();
  if (const std::uint32_t bad = read(ams_port, there, out)) return bad;
  if (request.data.empty()) return code::ok;
  out.resize(before);
  if (const std::uint32_t bad = write(ams_port, {request.group, request.offset, request.data})) return bad;
  return read(ams_port, there, out);
}

std::uint32_t Device::make_handle(const ReadWriteRequest& request, std::uint32_t owner,
                                  std::vector<std::uint8_t>& out) {
  if (request.read_length < 4) return code::invalid_size;
  const auto variable = table_.find(name_in(request.data));
  if (!variable) return code::symbol_not_found;
  std::size_t& count = handles_of_[owner];
  if (handles_.size() >= most_handles || count >= most_handles_of_one) return code::no_more_handles;
  ++count;
  while (next_handle_ == 0 || handles_.contains(next_handle_)) ++next_handle_;
  const std::uint32_t handle = next_handle_++;
  handles_[handle] = {variable->name, variable->place, variable->symbol, owner,
                      (variable->flags & symbol_flag::read_only) != 0};

  // Those who ask for more than the number get what is behind it.
  const std::size_t begin = out.size();
  ByteWriter writer(out);
  writer.little(handle);
  writer.little(variable->place.size);
  writer.little<std::uint32_t>(0);  // type decoration
  writer.little(static_cast<std::uint16_t>(variable->type->name.size()));
  writer.text(variable->type->name);
  writer.byte(0);
  out.resize(begin + std::min<std::size_t>(out.size() - begin, request.read_length));
  return code::ok;
}

std::uint32_t Device::release_handle(const WriteRequest& request) {
  std::uint32_t handle = request.offset;
  if (request.data.size() >= 4) handle = ByteReader(request.data).little<std::uint32_t>();
  const auto found = handles_.find(handle);
  if (found == handles_.end()) return code::symbol_not_found;
  if (const auto count = handles_of_.find(found->second.owner); count != handles_of_.end() && count->second > 0)
    --count->second;
  handles_.erase(found);
  return code::ok;
}

std::uint32_t Device::by_name(const ReadWriteRequest& request, std::vector<std::uint8_t>& out) {
  const std::string_view name = name_in(request.data);
  if (request.group == group::type_by_name_ex) {
    const PlcType* type = table_.types().find(name);
    if (type == nullptr) return code::symbol_not_found;
    return append_entry(type_info(*type), request.read_length, out);
  }
  const auto variable = table_.find(name);
  if (!variable) return code::symbol_not_found;
  if (request.group == group::info_by_name_ex) return append_entry(symbol_info(*variable), request.read_length, out);
  if (request.group == group::info_by_name) {
    if (request.read_length < 12) return code::invalid_size;
    ByteWriter writer(out);
    writer.little(group_of(variable->place.area));
    writer.little(variable->place.offset);
    writer.little(variable->place.size);
    return code::ok;
  }
  Source source;
  if (const std::uint32_t bad = locate_place(variable->place, request.read_length, source)) return bad;
  if (const std::uint32_t refused = access(source.place)) return refused;
  const Bytes seen = table_.bytes(source.place);
  out.insert(out.end(), seen.begin(), seen.end());
  return code::ok;
}

const Upload& Device::upload() {
  if (uploaded_revision_ != table_.revision()) {
    upload_ = upload_of(table_);
    uploaded_revision_ = table_.revision();
  }
  return upload_;
}

std::uint32_t Device::read_upload(const ReadRequest& request, std::vector<std::uint8_t>& out) {
  const Upload& all = upload();
  if (request.group == group::symbol_upload) return append_whole(all.symbols, request.length, out);
  if (request.group == group::type_upload) return append_whole(all.types, request.length, out);
  std::vector<std::uint8_t> made;
  const auto put = [&made](std::size_t number) { ByteWriter(made).little(static_cast<std::uint32_t>(number)); };
  put(all.symbol_count);
  put(all.symbols.size());
  if (request.group == group::symbol_upload_info_2 && request.length >= 24) {
    put(all.type_count);
    put(all.types.size());
    put(0);  // most dynamic symbols
    put(0);  // dynamic symbols in use
  }
  if (request.group == group::symbol_upload_info_2 && request.length >= 64) {
    put(0);      // invalid dynamic symbols
    put(65001);  // code page: UTF-8
    put(0);      // flags
    made.resize(64);
  }
  return append_whole(made, request.length, out);
}

}  // namespace tandem::ads
