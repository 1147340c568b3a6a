// SPDX-License-Identifier: Apache-2.0
// Any bytes from a device to a Modbus client: what is taken for an answer fits its request and is written the same
// again.
#include <algorithm>
#include <cstdlib>

#include "tandem/protocols/modbus/client_session.hpp"

namespace {

using namespace tandem;
using namespace tandem::modbus;

void require(bool holds) {
  if (!holds) std::abort();
}

std::array<Request, 13> requests() {
  const std::array<std::uint16_t, 3> values{1, 2, 3};
  return {ReadBits{BitKind::coil, 19, 19},
          ReadBits{BitKind::discrete_input, 196, 22},
          ReadRegisters{WordKind::holding, 107, 3},
          ReadRegisters{WordKind::input, 8, 1},
          WriteCoil{172, true},
          WriteRegister{1, 3},
          ReadExceptionStatus{},
          WriteCoils{19, Bits(10)},
          WriteRegisters{1, Registers(values)},
          ReportServerId{},
          MaskWriteRegister{4, 0xF2, 0x25},
          ReadWriteRegisters{3, 6, 14, Registers(values)},
          ReadIdentification{IdentificationCode::basic, 0}};
}

// A flag of identification may be any byte; all else has one way to be written.
void require_same_again(Bytes pdu) {
  const auto answer = decode_answer(pdu);
  if (!answer || std::holds_alternative<Identification>(*answer)) return;
  std::vector<std::uint8_t> again;
  encode(*answer, again);
  require(std::ranges::equal(again, pdu));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ClientSession session(1, true);
  const Instant now{};
  std::vector<RequestId> ids;
  for (const Request& request : requests()) {
    const auto begun = session.begin(request, now + 1s, now);
    require(begun.ok());
    ids.push_back(*begun);
  }
  session.sent(session.output().size());

  Bytes stream(data, size);
  require_same_again(stream);
  bool good = true;
  while (!stream.empty() && good) {
    const auto room = session.room();
    require(!room.empty());
    const std::size_t count = std::min({room.size(), stream.size(), std::size_t{1} + stream[0]});
    std::copy_n(stream.begin(), count, room.begin());
    stream = stream.subspan(count);
    good = session.received(count, now).ok();
  }
  const auto all = requests();
  std::size_t failed = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto answer = session.collect(ids[i], now + 1s);
    if (answer && *answer != nullptr)
      require(check(all[i], **answer).ok());
    else
      failed += !answer.ok();
  }
  require(failed <= ids.size() && session.waiting() == 0);
  const auto& counters = session.counters();
  require(counters.answers + counters.rejected + counters.timeouts == ids.size());
  return 0;
}
