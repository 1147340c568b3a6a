// SPDX-License-Identifier: Apache-2.0
// A small vehicle for other people's ground stations: peer_mavlink_vehicle [signed]. Prints "listening PORT" and ends
// when its standard input does. Command 31000 makes it send one of every message with known bytes, which the peer reads
// and sends back; 31001 asks whether all came back the same; 31002 for a long text.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <set>

#include "tandem/protocols/mavlink/link/heartbeat.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"
#include "tandem/protocols/mavlink/link/time_sync.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"
#include "tandem/protocols/mavlink/services/command_server.hpp"
#include "tandem/protocols/mavlink/services/mission_server.hpp"
#include "tandem/protocols/mavlink/services/parameter_server.hpp"
#include "tandem/protocols/mavlink/services/status_text.hpp"

namespace {

using namespace tandem;
using namespace tandem::mavlink;

constexpr Address vehicle_address{1, 1};

// Bytes from 1 to 60: no zeros that would be cut off, no numbers that are none.
std::vector<std::uint8_t> pattern(const MessageInfo& info) {
  std::vector<std::uint8_t> payload(info.full_size);
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::uint8_t>(1 + (i * 37 + info.id) % 60);
  return payload;
}

class Vehicle {
 public:
  explicit Vehicle(Link link) : link_(std::move(link)) {}

  void step() {
    const Instant time = now();
    heart_.poll(time, link_);
    parameters_.poll(link_);
    mission_.poll(time, link_);
    if (const auto frame = link_.receive(time + 10ms)) handle(*frame, now());
  }

 private:
  void handle(const Frame& frame, Instant time) {
    if (expected_.contains(frame.id) && frame.info != nullptr) {
      std::vector<std::uint8_t> padded(frame.payload.begin(), frame.payload.end());
      padded.resize(frame.info->full_size);
      if (padded == pattern(*frame.info)) {
        expected_.erase(frame.id);
        return;
      }
    }
    answer_time_sync(frame, time, link_);
    parameters_.handle(frame, link_);
    mission_.handle(frame, time, link_);
    if (const auto request = commands_.handle(frame, time, link_)) act(*request);
  }

  void act(const CommandRequest& request) {
    CommandResult result = CommandResult::accepted;
    if (request.command == command::arm) {
      heart_.heartbeat.base_mode = request.params[0] == 1 ? base_mode::armed : 0;
    } else if (request.command == 31000) {
      for (const MessageInfo& info : all_infos()) {
        link_.send_payload(info, pattern(info));
        expected_.insert(info.id);
      }
    } else if (request.command == 31001) {
      result = expected_.empty() ? CommandResult::accepted : CommandResult::failed;
      for (const std::uint32_t id : expected_) std::fprintf(stderr, "message %u did not come back the same\n", id);
    } else if (request.command == 31002) {
      send_status_text(std::string(60, 'x') + " and the end", severity::info, 5, link_);
    } else {
      result = CommandResult::unsupported;
    }
    commands_.acknowledge(request, result, link_);
  }

  Link link_;
  HeartbeatSender heart_{Heartbeat{.type = vehicle_type::submarine, .autopilot = autopilot::ardupilot}};
  ParameterServer parameters_{
      {}, {{.parameter = {"VISO_TYPE", 1, ParameterType::int8}}, {.parameter = {"SIXTEEN_LETTERS_", 0.25}}}};
  CommandServer commands_{vehicle_address};
  MissionServer mission_;
  std::set<std::uint32_t> expected_;  // messages that have not come back
};

// The other side has gone.
bool ended() {
  net::Watch watch{.fd = STDIN_FILENO};
  const auto ready = net::wait({&watch, 1}, Instant{});
  char byte = 0;
  return ready && *ready > 0 && read(STDIN_FILENO, &byte, 1) <= 0;
}

}  // namespace

int main(int count, char** arguments) {
  LinkOptions options{.channel = {.own = vehicle_address}};
  if (count > 1 && std::strcmp(arguments[1], "signed") == 0) {
    SigningOptions signing{.link = 4};
    for (std::size_t i = 0; i < signing.key.size(); ++i) signing.key[i] = static_cast<std::uint8_t>(i);
    options.channel.signing = signing;
  }
  auto link = Link::open("tcpin:127.0.0.1:0", options);
  if (!link) {
    std::fprintf(stderr, "%s\n", link.error().text.c_str());
    return 1;
  }
  std::printf("listening %u\n", static_cast<unsigned int>(link->local().port));
  std::fflush(stdout);
  Vehicle vehicle(std::move(*link));
  while (!ended()) vehicle.step();
  return 0;
}
