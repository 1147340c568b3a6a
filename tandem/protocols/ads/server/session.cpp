// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/session.hpp"

#include <algorithm>

#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::ads {
namespace {

using Out = std::vector<std::uint8_t>;

bool is_sum(std::uint32_t index_group) {
  return index_group >= group::sum_read && index_group <= group::sum_delete_notification;
}

template <typename Payload>
void append(Out& out, const Payload& payload) {
  ByteWriter writer(out);
  encode(writer, payload);
}

// Result and length in front of data that `fill` appends; `fill` gives the result.
template <typename Fill>
void append_data(Out& out, Fill fill) {
  const std::size_t begin = out.size();
  ByteWriter writer(out);
  writer.zeros(8);
  const std::uint32_t result = fill();
  if (result != code::ok) out.resize(begin + 8);
  writer.little_at(begin, result);
  writer.little_at(begin + 4, static_cast<std::uint32_t>(out.size() - begin - 8));
}

std::optional<Schedule> schedule_of(const AddNotificationRequest& request, Duration cycle) {
  switch (request.mode) {
    case TransMode::client_cycle:
    case TransMode::client_on_change:
    case TransMode::server_cycle:
    case TransMode::server_on_change:
    case TransMode::server_cycle_2:
    case TransMode::server_on_change_2:
    case TransMode::client_one_request:
      break;
    default:
      return std::nullopt;
  }
  const auto duration = [](std::uint32_t time) { return Duration{std::int64_t{time} * 100}; };
  const auto period = (duration(request.cycle_time) + cycle - Duration{1}) / cycle;  // not more often than asked
  const auto max_delay = duration(request.max_delay) / cycle;                        // not later than asked
  return Schedule{request.mode, static_cast<std::uint64_t>(std::max<std::int64_t>(period, 1)),
                  static_cast<std::uint64_t>(max_delay)};
}

}  // namespace

Session::Session(Plc& plc) : plc_(plc), id_(plc.next_session++), plc_starts_(plc.device.plc_starts()) {}
Session::~Session() { plc_.device.forget_handles_of(id_); }

void Session::answer(const Frame& request, Out& out) {
  if (request.command == TcpCommand::ams)
    answer_ams(request, out);
  else
    answer_router(request, out);
}

void Session::answer_router(const Frame& request, Out& out) {
  ByteWriter writer(out);
  ByteReader reader(request.payload);
  const auto begin = [&](std::uint32_t length) {
    writer.little(request.command);
    writer.little(length);
  };
  switch (request.command) {
    case TcpCommand::port_connect: {
      std::uint16_t wanted = reader.little<std::uint16_t>();
      if (wanted == 0) {
        wanted = plc_.next_client_port++;
        if (plc_.next_client_port == 0) plc_.next_client_port = 32768;
      }
      begin(8);
      encode(writer, AmsAddress{plc_.net_id, wanted});
      return;
    }
    case TcpCommand::port_close:
      begin(2);
      writer.little(reader.little<std::uint16_t>());
      return;
    case TcpCommand::local_net_id:
      begin(6);
      encode(writer, plc_.net_id);
      return;
    case TcpCommand::ams:
    case TcpCommand::router_note:
      return;
  }
}

void Session::answer_ams(const Frame& request, Out& out) {
  const AmsHeader& header = request.header;
  // Answers to no one's question, and notifications that we never asked for.
  if (header.response() || header.command == Command::notification) return;
  follow_plc();
  const std::size_t begin = out.size();
  const auto refuse = [&](std::uint32_t error) { append_frame(out, response_to(header, error)); };
  const bool known = header.command >= Command::read_device_info && header.command <= Command::read_write;
  if (!plc_.any_net_id && header.target.net_id != plc_.net_id) {
    refuse(code::no_such_machine);
  } else if (!plc_.device.serves(header.target.port)) {
    refuse(code::no_such_port);
  } else if (!known) {
    refuse(code::unknown_command);
  } else {
    begin_frame(out, response_to(header));
    append_payload(request, out);
    finish_frame(out, begin);
  }
  if ((header.flags & flag::no_return) != 0) out.resize(begin);
}

void Session::append_payload(const Frame& request, Out& out) {
  const AmsHeader& header = request.header;
  const std::uint16_t ams_port = header.target.port;
  switch (header.command) {
    case Command::read_device_info:
      return append(out, plc_.device.info(ams_port));
    case Command::read_state:
      return append(out, plc_.device.state(ams_port));
    case Command::read:
      if (const auto read = decode<ReadRequest>(request.payload)) return append_read(*read, ams_port, out);
      return append(out, ReadResponse{code::invalid_size, {}});
    case Command::read_write:
      if (const auto both = decode<ReadWriteRequest>(request.payload)) return append_read_write(*both, header, out);
      return append(out, ReadResponse{code::invalid_size, {}});
    case Command::write: {
      const auto write = decode<WriteRequest>(request.payload);
      return append(out, ResultResponse{write ? plc_.device.write(ams_port, *write) : code::invalid_size});
    }
    case Command::write_control: {
      const auto wish = decode<WriteControlRequest>(request.payload);
      if (!wish) return append(out, ResultResponse{code::invalid_size});
      const Control control{ams_port, wish->ads_state, wish->device_state, wish->data};
      return append(out, ResultResponse{plc_.device.control(control)});
    }
    case Command::add_notification:
      if (const auto add = decode<AddNotificationRequest>(request.payload))
        return append(out, add_notification(*add, header));
      return append(out, AddNotificationResponse{code::invalid_size, 0});
    case Command::delete_notification: {
      const auto old = decode<DeleteNotificationRequest>(request.payload);
      return append(out, ResultResponse{old ? delete_notification(old->handle) : code::invalid_size});
    }
    case Command::notification:
      return;
  }
}

void Session::append_read(const ReadRequest& request, std::uint16_t ams_port, Out& out) {
  append_data(out, [&] { return plc_.device.read(ams_port, request, out); });
}

void Session::append_read_write(const ReadWriteRequest& request, const AmsHeader& header, Out& out) {
  append_data(out, [&] {
    if (is_sum(request.group)) return sum(request, header, out);
    return plc_.device.read_write(header.target.port, request, id_, out);
  });
}

AddNotificationResponse Session::add_notification(const AddNotificationRequest& request, const AmsHeader& header) {
  Source source;
  const ReadRequest there{request.group, request.offset, request.length};
  if (const std::uint32_t bad = plc_.device.locate(header.target.port, there, source)) return {bad, 0};
  // A read may ask for more than there is; samples must have the length that was subscribed.
  if (there.length != Device::unknown_length && there.length != source.length) return {code::invalid_size, 0};
  const auto schedule = schedule_of(request, plc_.cycle);
  if (!schedule) return {code::invalid_trans_mode, 0};
  if (!subscriptions_.fits(source)) return {code::no_more_handles, 0};
  const std::uint32_t handle = plc_.next_notification++;
  if (plc_.next_notification == 0) plc_.next_notification = 1;
  subscriptions_.add(handle, header.source, header.target, source, *schedule);
  return {code::ok, handle};
}

std::uint32_t Session::delete_notification(std::uint32_t handle) {
  return subscriptions_.remove(handle) ? code::ok : code::invalid_notification;
}

void Session::follow_plc() {
  if (plc_starts_ == plc_.device.plc_starts()) return;
  plc_starts_ = plc_.device.plc_starts();
  subscriptions_.remove_all_on(port::plc);
}

void Session::first_samples(const ServerSubscriptions::Send& send) {
  subscriptions_.first_samples(plc_.device, plc_.moment, send);
}

void Session::cycle(const ServerSubscriptions::Send& send) {
  follow_plc();
  // Not together with the answer to the subscription: clients whose receiver is a thread of its own would still not
  // know the handle.
  first_samples(send);
  subscriptions_.cycle(plc_.device, plc_.moment, send);
}

}  // namespace tandem::ads
