// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/device.hpp"

#include <algorithm>

#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::ads {
namespace {

constexpr std::uint32_t state_length = 4;
constexpr std::uint32_t system_state_length = 16;

// Which area a group addresses by bytes or by bits.
struct Image {
  Area area;
  bool bits;
};
const Image* image_of(std::uint32_t index_group) {
  static constexpr struct {
    std::uint32_t group;
    Image image;
  } images[] = {
      {group::memory, {Area::memory, false}},  {group::memory_bits, {Area::memory, true}},
      {group::retain, {Area::data, false}},    {group::retain + 1, {Area::data, true}},
      {group::data, {Area::data, false}},      {group::data + 1, {Area::data, true}},
      {group::input, {Area::inputs, false}},   {group::input_bits, {Area::inputs, true}},
      {group::output, {Area::outputs, false}}, {group::output_bits, {Area::outputs, true}},
  };
  for (const auto& row : images)
    if (row.group == index_group) return &row.image;
  return nullptr;
}

// The groups that report the size of an area, at offset 0.
const Area* sized_area(std::uint32_t index_group) {
  static constexpr struct {
    std::uint32_t group;
    Area area;
  } sizes[] = {{0x4025, Area::memory},
               {0x4035, Area::data},
               {0x4045, Area::data},
               {0xF025, Area::inputs},
               {0xF035, Area::outputs}};
  for (const auto& row : sizes)
    if (row.group == index_group) return &row.area;
  return nullptr;
}

bool by_handle(std::uint32_t index_group) {
  return index_group == group::value_by_handle || index_group == group::symbol_note;
}

void put_number(std::vector<std::uint8_t>& out, std::uint32_t number) { ByteWriter(out).little(number); }

}  // namespace

bool Device::serves(std::uint16_t ams_port) const {
  // Only a running system has a PLC.
  if (ams_port == port::plc) return system_state_ == AdsState::run;
  return ams_port == port::system_service;
}

std::uint32_t Device::locate_place(const Place& place, std::uint32_t length, Source& source) const {
  source.kind = Source::Kind::bytes;
  source.place = place;
  source.place.size = source.length = std::min(length, place.size);
  return code::ok;
}

std::uint32_t Device::locate(std::uint16_t ams_port, const ReadRequest& request, Source& source) {
  const auto state_part = [&](Source::Kind kind, std::uint32_t size) {
    if (request.offset >= size) return code::invalid_offset;
    const std::uint32_t left = size - request.offset;
    source.kind = kind;
    source.first = request.offset;
    source.length = std::min(request.length, left);
    return code::ok;
  };
  if (request.group == group::device_data)
    return state_part(ams_port == port::plc ? Source::Kind::plc_state : Source::Kind::system_state, state_length);
  if (ams_port == port::system_service) {
    if (request.group != group::system_state) return code::not_supported;
    return state_part(Source::Kind::system_state, system_state_length);
  }
  if (by_handle(request.group)) return locate_handle(request.offset, request.length, source);
  if (request.group == group::symbol_version) {
    source.kind = Source::Kind::version;
    source.length = 1;
    return request.length == 0 ? code::invalid_size : code::ok;
  }
  const Image* image = image_of(request.group);
  if (image == nullptr) return code::not_supported;
  const std::uint64_t there = std::uint64_t{table_.size(image->area)} * (image->bits ? 8 : 1);
  if (request.offset > there) return code::invalid_offset;
  const auto left = static_cast<std::uint32_t>(std::min<std::uint64_t>(there - request.offset, longest_data));
  if (!image->bits) return locate_place({image->area, request.offset, left}, request.length, source);
  source.kind = Source::Kind::bits;
  source.place = {image->area, 0, table_.size(image->area)};
  source.first = request.offset;
  source.length = std::min(request.length, left);
  return code::ok;
}

std::uint32_t Device::valid(const Handle& handle) const {
  if (table_.holds(handle.symbol)) return code::ok;
  return table_.find(handle.path) ? code::symbol_version : code::symbol_not_found;
}

std::uint32_t Device::locate_handle(std::uint32_t handle, std::uint32_t length, Source& source) {
  const auto found = handles_.find(handle);
  if (found == handles_.end()) return code::symbol_not_found;
  if (const std::uint32_t bad = valid(found->second)) return bad;
  source.symbol = found->second.symbol;
  return locate_place(found->second.place, length, source);
}

Bytes Device::look(const Source& source, std::vector<std::uint8_t>& scratch) const {
  if (source.symbol != 0 && !table_.holds(source.symbol)) return {};
  const SymbolTable& table = table_;
  if (source.kind == Source::Kind::bytes) return access(source.place) == code::ok ? table.bytes(source.place) : Bytes{};
  scratch.clear();
  if (source.kind == Source::Kind::version) {
    scratch.push_back(table_.version());
  } else if (source.kind == Source::Kind::bits) {
    const Bytes area = table.bytes(source.place);
    for (std::uint32_t i = 0; i < source.length; ++i) {
      const std::uint32_t bit = source.first + i;
      scratch.push_back(static_cast<std::uint8_t>((area[bit / 8] >> (bit % 8)) & 1));
    }
  } else {
    append_state(source, scratch);
    return Bytes(scratch).subspan(source.first, source.length);
  }
  return scratch;
}

void Device::append_state(const Source& source, std::vector<std::uint8_t>& out) const {
  ByteWriter writer(out);
  const bool plc = source.kind == Source::Kind::plc_state;
  writer.little(plc ? plc_state_ : system_state_);
  writer.little(plc ? plc_device_state_ : std::uint16_t{0});
  if (plc) return;
  writer.little(restart_index_);
  writer.byte(3);  // version
  writer.byte(1);  // revision
  writer.little(build);
  writer.byte(2);                   // platform: x64
  writer.byte(2);                   // operating system: Windows 10
  writer.little<std::uint16_t>(0);  // flags
  writer.little<std::uint16_t>(0);  // reserved
}

std::uint32_t Device::read(std::uint16_t ams_port, const ReadRequest& request, std::vector<std::uint8_t>& out) {
  if (ams_port == port::plc) {
    switch (request.group) {
      case group::symbol_upload:
      case group::symbol_upload_info:
      case group::type_upload:
      case group::symbol_upload_info_2:
        return read_upload(request, out);
      default:
        break;
    }
    if (const Area* area = sized_area(request.group); area != nullptr && request.offset == 0) {
      if (request.length < 4) return code::invalid_size;
      put_number(out, table_.size(*area));
      return code::ok;
    }
  }
  Source source;
  if (const std::uint32_t bad = locate(ams_port, request, source)) return bad;
  if (source.kind == Source::Kind::bytes)
    if (const std::uint32_t refused = access(source.place)) return refused;
  std::vector<std::uint8_t> scratch;
  const Bytes seen = look(source, scratch);
  out.insert(out.end(), seen.begin(), seen.end());
  return code::ok;
}

std::uint32_t Device::write(std::uint16_t ams_port, const WriteRequest& request) {
  if (ams_port != port::plc) return code::not_supported;
  if (request.group == group::release_handle) return release_handle(request);
  if (by_handle(request.group)) return write_handle(request.offset, request.data);
  const Image* image = image_of(request.group);
  if (image == nullptr) return code::not_supported;
  if (image->bits) return write_bits(image->area, request.offset, request.data);
  const std::uint32_t there = table_.size(image->area);
  if (request.offset > there) return code::invalid_offset;
  return write_bytes({image->area, request.offset, there - request.offset}, request.data);
}

std::uint32_t Device::write_bytes(const Place& place, Bytes data) {
  if (data.size() > place.size) return code::invalid_size;
  const Place written{place.area, place.offset, length_of(data)};
  if (const std::uint32_t refused = access(written)) return refused;
  std::copy(data.begin(), data.end(), table_.bytes(place).begin());
  if (on_written) on_written(written);
  return code::ok;
}

std::uint32_t Device::write_bits(Area area, std::uint32_t first, Bytes data) {
  const std::uint64_t there = std::uint64_t{table_.size(area)} * 8;
  if (first > there) return code::invalid_offset;
  if (data.size() > there - first) return code::invalid_size;
  const auto bytes = table_.bytes({area, 0, table_.size(area)});
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const std::uint32_t bit = first + i;
    const auto mask = static_cast<std::uint8_t>(1u << (bit % 8));
    std::uint8_t& byte = bytes[bit / 8];
    byte = static_cast<std::uint8_t>(data[i] != 0 ? byte | mask : byte & ~mask);
  }
  return code::ok;
}

std::uint32_t Device::write_handle(std::uint32_t handle, Bytes data) {
  const auto found = handles_.find(handle);
  if (found == handles_.end()) return code::symbol_not_found;
  if (const std::uint32_t bad = valid(found->second)) return bad;
  if (found->second.read_only) return code::not_permitted;
  return write_bytes(found->second.place, data);
}

DeviceInfoResponse Device::info(std::uint16_t ams_port) const {
  DeviceInfoResponse response;
  response.major = 3;
  response.minor = 1;
  response.build = build;
  response.name(ams_port == port::plc ? application : "TwinCAT System");
  return response;
}

StateResponse Device::state(std::uint16_t ams_port) const {
  if (ams_port == port::plc) return {code::ok, plc_state_, plc_device_state_};
  return {code::ok, system_state_, 0};
}

std::uint32_t Device::control(const Control& control) {
  if (control.ads_state == AdsState::invalid || control.ads_state > AdsState::exception) return code::not_supported;
  if (on_control)
    if (const std::uint32_t refused = on_control(control)) return refused;
  if (control.ams_port == port::system_service) {
    switch (control.ads_state) {
      case AdsState::reconfig:
        system_state(AdsState::config);
        break;
      case AdsState::reset:
      case AdsState::start:
        system_state(AdsState::run);
        break;
      default:
        system_state(control.ads_state);
    }
    return code::ok;
  }
  plc_device_state_ = control.device_state;
  switch (control.ads_state) {
    case AdsState::start:
    case AdsState::resume:
      plc_state_ = AdsState::run;
      break;
    case AdsState::reset:
      plc_state_ = AdsState::stop;
      break;
    default:
      plc_state_ = control.ads_state;
  }
  return code::ok;
}

void Device::system_state(AdsState state) {
  // Every change of mode, and every restart into run mode, takes the PLC down once.
  ++plc_starts_;
  ++restart_index_;
  handles_.clear();
  handles_of_.clear();
  system_state_ = state;
  plc_state_ = AdsState::run;
}

void Device::forget_handles_of(std::uint32_t owner) {
  if (handles_of_.erase(owner) == 0) return;
  std::erase_if(handles_, [owner](const auto& entry) { return entry.second.owner == owner; });
}

}  // namespace tandem::ads
