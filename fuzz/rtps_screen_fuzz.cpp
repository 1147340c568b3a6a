// SPDX-License-Identifier: Apache-2.0
// RTPS messages as they come from the network: of strangers, and the same of a discovery server. What passes the screen
// passes it again, unchanged, and is no longer; what a server says passes it sample by sample, or as a gap.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "tandem/ros2/rtps/acknacks.hpp"
#include "tandem/ros2/rtps/samples.hpp"
#include "tandem/ros2/rtps/screen.hpp"
#include "tandem/ros2/transport/server_gate.hpp"

using namespace tandem;
using namespace tandem::ros2;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void judge_of_stranger(Bytes message) {
  std::vector<std::uint8_t> copy, second_copy;
  const Screened once = screened(message, copy);
  if (once.fault != nullptr) return require(once.message.empty());
  require(once.message.size() <= message.size());
  const Screened twice = screened(once.message, second_copy);
  require(twice.fault == nullptr && std::ranges::equal(once.message, twice.message));
  // And so do its acknowledgements as Fast DDS is to see them.
  std::vector<std::uint8_t> changed(once.message.begin(), once.message.end());
  Acknacks acknacks(once.message);
  while (const auto acknack = acknacks.next()) translate(changed, *acknack, 1);
  require(screened(changed, second_copy).fault == nullptr);
}

// Whether Fast DDS would take the key of a sample of discovery for this one's: up to 16 bytes stand for the key hash.
bool has_key_of(const ParticipantPrefix& who, Bytes message) {
  Submessages submessages(message);
  while (const auto submessage = submessages.next()) {
    if (submessage->kind != SubmessageKind::data || (submessage->flags & 12) != 8) continue;
    RtpsFields in(submessage->body, submessage->little());
    in.skip(2);
    const std::size_t to_qos = in.next<std::uint16_t>();
    in.skip(4);
    const Entity writer = in.entity();
    const bool of_discovery = writer == Entity{0, 1, 0, 0xc2} || writer == Entity{0, 0, 3, 0xc2};
    if (!of_discovery || to_qos + 4 > submessage->body.size()) continue;
    RtpsFields rest(submessage->body.subspan(to_qos + 4), submessage->little());
    InlineQos qos;
    if ((submessage->flags & 2) != 0 && inline_qos_fault(rest, Guid{}, qos) != nullptr) continue;
    const Bytes key = rest.rest();
    if (key.size() < who.size() || key.size() > Guid{}.size()) continue;
    if (std::ranges::equal(key.first(who.size()), who)) return true;
  }
  return false;
}

// Whatever Fast DDS gets of it passes again, is a server's, has one sample at most, and says nothing of us.
void judge_of_server(Bytes message) {
  if (message.size() < rtps_header_size) return;
  constexpr ParticipantPrefix us{1, 15, 7};
  const ParticipantPrefix server = source_of(message);
  if (server == us) return;
  const auto relayed = std::make_shared<Relayed>();
  static OwnAddresses own;
  const Ipv4 address{10, 9, 0, 1};
  ServerGate gate({{{server, {address}}}, false, 100}, relayed, std::make_shared<EndpointCounts>(), own);
  std::vector<std::uint8_t> header(message.begin(), message.begin() + rtps_header_size), copy;
  std::ranges::copy(us, header.begin() + 8);
  gate.note_own_name(header);
  std::size_t passed = 0;
  gate.pass(
      message, address, true, Instant{},
      [&](Bytes part) {
        ++passed;
        require(part.size() <= std::max<std::size_t>(message.size() + 80, 60'100) && by_sample(part).empty());
        ScreenRules rules;
        rules.may_relay = [&](const ParticipantPrefix& who) { return who != us; };
        const Screened again = screened(part, copy, rules);
        require(again.fault == nullptr && source_of(part) == server);
        require(!again.announces || *again.announces != us);
        require(!again.ends || *again.ends != us);
        require(!has_key_of(us, part));
      },
      [](const char* fault) { require(fault != nullptr); });
  require(passed <= 2 * 2048 && relayed->size() <= Relayed::most);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  judge_of_stranger(Bytes(data, size));
  judge_of_server(Bytes(data, size));
  return 0;
}
