// SPDX-License-Identifier: Apache-2.0
// The device behind a virtual PLC's AMS ports: answers reads and writes by index group, without sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ads/codec/codec.hpp"
#include "tandem/protocols/ads/server/symbol_table.hpp"
#include "tandem/protocols/ads/server/symbol_table_upload.hpp"

namespace tandem::ads {

// What a read or a notification looks at; can be looked at again and again.
struct Source {
  enum class Kind : std::uint8_t { bytes, bits, plc_state, system_state, version };
  Kind kind = Kind::bytes;
  Place place;               // of bytes: which; of bits: the area
  std::uint32_t first = 0;   // of bits: number of the first; of states: first byte
  std::uint32_t length = 0;  // bytes that a look gives
  std::uint32_t symbol = 0;  // id of the symbol that must still be there; 0: none
};

// A wish to change a state, from WriteControl.
struct Control {
  std::uint16_t ams_port = 0;  // 851: the PLC, 10000: the whole system
  AdsState ads_state = AdsState::invalid;
  std::uint16_t device_state = 0;
  Bytes data;
};

class Device {
 public:
  explicit Device(SymbolTable& table) : table_(table) {}

  // A response carries at most this many bytes of data; a request for more is an error, never an allocation.
  static constexpr std::uint64_t longest_data = 8u << 20;
  static constexpr std::size_t most_handles = 65536;            // of all connections
  static constexpr std::size_t most_handles_of_one = 16384;     // of one connection
  static constexpr std::uint32_t unknown_length = 0xFFFF'FFFF;  // clients who do not know: all there is

  // All append what they answer to `out` and give an ADS error code; on an error nothing is appended.
  // `owner` is the connection, whose handles go with it.
  std::uint32_t read(std::uint16_t ams_port, const ReadRequest& request, std::vector<std::uint8_t>& out);
  std::uint32_t write(std::uint16_t ams_port, const WriteRequest& request);
  std::uint32_t read_write(std::uint16_t ams_port, const ReadWriteRequest& request, std::uint32_t owner,
                           std::vector<std::uint8_t>& out);
  DeviceInfoResponse info(std::uint16_t ams_port) const;
  StateResponse state(std::uint16_t ams_port) const;
  std::uint32_t control(const Control& control);

  // Where a read of group and offset looks; an error code when there is nothing to look at.
  std::uint32_t locate(std::uint16_t ams_port, const ReadRequest& request, Source& source);
  // The bytes there now: a view into the table or into the scratch, good until the next look. Empty when the
  // symbol has gone.
  Bytes look(const Source& source, std::vector<std::uint8_t>& scratch) const;

  // True while an AMS port has a client behind it.
  bool serves(std::uint16_t ams_port) const;
  void forget_handles_of(std::uint32_t owner);
  std::size_t handle_count() const { return handles_.size(); }

  SymbolTable& table() { return table_; }
  AdsState plc_state() const { return plc_state_; }
  // The owner's own wish; what a client has to ask the hook for.
  void plc_state(AdsState state) { plc_state_ = state; }
  void system_state(AdsState state);
  // Raised whenever the PLC went away under its clients: their handles and notifications are no more.
  std::uint32_t plc_starts() const { return plc_starts_; }

  // Asked before a state changes by a client's wish; an ADS error code refuses it.
  std::function<std::uint32_t(const Control&)> on_control;
  // Asked before a client reads or writes bytes; an ADS error code refuses it, and ends notifications of them
  // meanwhile.
  std::function<std::uint32_t(const Place&)> on_access;
  // Called with the place of bytes that a client has written.
  std::function<void(const Place&)> on_written;
  std::string application = "Plc30 App";  // the device name of the PLC
  std::uint16_t build = 4024;             // of version 3.1

 private:
  struct Handle {
    std::string path;
    Place place;
    std::uint32_t symbol = 0;
    std::uint32_t owner = 0;
    bool read_only = false;
  };

  std::uint32_t locate_handle(std::uint32_t handle, std::uint32_t length, Source& source);
  std::uint32_t locate_place(const Place& place, std::uint32_t length, Source& source) const;
  std::uint32_t valid(const Handle& handle) const;
  std::uint32_t read_upload(const ReadRequest& request, std::vector<std::uint8_t>& out);
  std::uint32_t write_bytes(const Place& place, Bytes data);
  std::uint32_t access(const Place& place) const { return on_access ? on_access(place) : 0; }
  std::uint32_t write_bits(Area area, std::uint32_t first, Bytes data);
  std::uint32_t write_handle(std::uint32_t handle, Bytes data);
  std::uint32_t release_handle(const WriteRequest& request);
  std::uint32_t make_handle(const ReadWriteRequest& request, std::uint32_t owner, std::vector<std::uint8_t>& out);
  std::uint32_t by_name(const ReadWriteRequest& request, std::vector<std::uint8_t>& out);
  const Upload& upload();
  void append_state(const Source& source, std::vector<std::uint8_t>& out) const;

  SymbolTable& table_;
  std::unordered_map<std::uint32_t, Handle> handles_;
  std::unordered_map<std::uint32_t, std::size_t> handles_of_;  // how many each owner has
  std::uint32_t next_handle_ = 0x1001;
  Upload upload_;
  std::uint32_t uploaded_revision_ = 0;
  AdsState plc_state_ = AdsState::run;
  AdsState system_state_ = AdsState::run;
  std::uint16_t plc_device_state_ = 0;
  std::uint16_t restart_index_ = 1;
  std::uint32_t plc_starts_ = 0;
};

}  // namespace tandem::ads
