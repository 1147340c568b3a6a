// SPDX-License-Identifier: Apache-2.0
// One client connection of the virtual PLC, without its socket: request packets in, answers and notifications out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tandem/protocols/ads/codec/framer.hpp"
#include "tandem/protocols/ads/server/device.hpp"
#include "tandem/protocols/ads/server/subscriptions.hpp"

namespace tandem::ads {

// What all connections of one server share.
struct Plc {
  explicit Plc(SymbolTable& table) : device(table) {}

  Device device;
  NetId net_id;                         // our own, for those who ask
  bool any_net_id = true;               // answer whatever NetId a packet is for; otherwise AMS error 7
  Duration cycle = 10ms;                // of the PLC task
  ServerSubscriptions::Moment moment;   // of the cycle that runs
  std::uint32_t next_notification = 1;  // handles are unique in the server
  std::uint32_t next_session = 1;
  std::uint16_t next_client_port = 32768;  // for clients that ask the router for one
};

class Session {
 public:
  explicit Session(Plc& plc);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Appends the answer, if there has to be one, then the first samples of new notifications.
  void answer(const Frame& request, std::vector<std::uint8_t>& out);
  void first_samples(const ServerSubscriptions::Send& send);
  // What is due in the PLC cycle that runs.
  void cycle(const ServerSubscriptions::Send& send);
  std::size_t notifications() const { return subscriptions_.size(); }

 private:
  void answer_router(const Frame& request, std::vector<std::uint8_t>& out);
  void answer_ams(const Frame& request, std::vector<std::uint8_t>& out);
  void append_payload(const Frame& request, std::vector<std::uint8_t>& out);
  void append_read(const ReadRequest& request, std::uint16_t ams_port, std::vector<std::uint8_t>& out);
  void append_read_write(const ReadWriteRequest& request, const AmsHeader& header, std::vector<std::uint8_t>& out);
  AddNotificationResponse add_notification(const AddNotificationRequest& request, const AmsHeader& header);
  std::uint32_t delete_notification(std::uint32_t handle);
  void follow_plc();

  // Sum commands, in server_sums.cpp: as Device::read_write.
  std::uint32_t sum(const ReadWriteRequest& request, const AmsHeader& header, std::vector<std::uint8_t>& out);
  std::uint32_t sum_read(const ReadWriteRequest& request, std::uint16_t ams_port, std::vector<std::uint8_t>& out);
  std::uint32_t sum_write(const ReadWriteRequest& request, std::uint16_t ams_port, std::vector<std::uint8_t>& out);
  std::uint32_t sum_read_write(const ReadWriteRequest& request, std::uint16_t ams_port, std::vector<std::uint8_t>& out);
  std::uint32_t sum_add(const ReadWriteRequest& request, const AmsHeader& header, std::vector<std::uint8_t>& out);
  std::uint32_t sum_delete(const ReadWriteRequest& request, std::vector<std::uint8_t>& out);

  Plc& plc_;
  std::uint32_t id_;
  std::uint32_t plc_starts_;
  ServerSubscriptions subscriptions_;
};

}  // namespace tandem::ads
