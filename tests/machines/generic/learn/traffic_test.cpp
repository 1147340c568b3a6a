// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/traffic.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/machines/generic/learn/files.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

using Buffer = std::vector<std::uint8_t>;

template <typename Pdu>
Buffer frame(std::uint16_t transaction, const Pdu& pdu) {
  Buffer out;
  const std::size_t begun = modbus::begin_frame(out, transaction, 1);
  modbus::encode(pdu, out);
  modbus::finish_frame(out, begun);
  return out;
}

// What a master and its device say to each other, put together by the codec.
struct Conversation {
  Conversation() { findings.device = "modbus://10.0.0.5:502"; }

  ModbusFindings findings{};
  ModbusTraffic traffic{findings};
  std::uint16_t transaction = 0;

  void say(const modbus::Request& request, const modbus::Answer& answer) {
    ++transaction;
    traffic.from_master(frame(transaction, request));
    traffic.from_device(frame(transaction, answer));
  }
  void read(std::uint16_t address, std::vector<Word> words) {
    say(modbus::ReadRegisters{modbus::WordKind::holding, address, static_cast<std::uint16_t>(words.size())},
        modbus::RegistersRead{modbus::WordKind::holding, modbus::Registers(words)});
  }
};

std::vector<Word> float_cdab(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return {static_cast<Word>(bits), static_cast<Word>(bits >> 16)};
}

std::vector<Word> joined(std::vector<Word> a, const std::vector<Word>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const ProposedSignal* at(const ProposedDevice& device, std::string_view place) {
  for (const auto& each : device.signals) {
    if (each.at == place) return &each;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("what other masters read and wrote becomes signals and commented outputs with the range that was seen") {
  Conversation talk;
  for (int i = 0; i < 20; ++i) {
    const float f = 0.1F * static_cast<float>(i);
    talk.read(10, joined(joined(float_cdab(20.0F + f), float_cdab(-3.0F - f)), {static_cast<Word>(i), 77}));
    talk.say(modbus::WriteRegister{50, static_cast<std::uint16_t>(100 + i)},
             modbus::WriteRegister{50, static_cast<std::uint16_t>(100 + i)});
    const std::vector<Word> written = float_cdab(1.5F + f);
    talk.say(modbus::WriteRegisters{10, modbus::Registers(written)}, modbus::RegistersWritten{10, 2});
    talk.say(modbus::WriteCoil{3, i % 2 == 0}, modbus::WriteCoil{3, i % 2 == 0});
  }
  CHECK(talk.traffic.answers() == 80);
  const auto device = propose(talk.findings);
  REQUIRE(device.ok());
  CHECK(device->order == "cdab");
  REQUIRE(at(*device, "holding 10"));
  CHECK(at(*device, "holding 10")->type == "float32");
  CHECK(at(*device, "holding 10")->write == "{limits: [1.5, 3.4000000953674316], rate: none}");
  CHECK(!at(*device, "holding 10")->commented);
  CHECK(at(*device, "holding 12")->type == "float32");
  CHECK(at(*device, "holding 14")->type == "uint16");
  REQUIRE(at(*device, "holding 50"));
  CHECK(at(*device, "holding 50")->commented);  // was never read
  CHECK(at(*device, "holding 50")->write == "{limits: [100, 119], rate: none}");
  CHECK(at(*device, "coil 3")->write == "level");
  const auto read = testing::read_back(*device);
  CHECK(!read->writes());
  CHECK(read->signals.size() == 4);
}

TEST_CASE("a pair that a master's request cuts is no 32-bit value") {
  Conversation talk;
  for (int i = 0; i < 10; ++i) {
    const auto words = float_cdab(20.0F + 0.1F * static_cast<float>(i));
    talk.read(10, words);
    talk.read(11, {words[1], 5});
  }
  const auto device = propose(talk.findings);
  REQUIRE(device.ok());
  CHECK(at(*device, "holding 10")->type == "uint16");
}

TEST_CASE("traffic in any pieces gives the same, and exceptions, strange answers and rubbish give nothing") {
  Buffer out, in;
  for (std::uint16_t i = 1; i <= 50; ++i) {
    const auto request = frame(i, modbus::Request(modbus::ReadRegisters{modbus::WordKind::input, 7, 2}));
    out.insert(out.end(), request.begin(), request.end());
    const std::array<Word, 2> words = {i, 9};
    const auto answer =
        i % 5 == 0 ? frame(i, modbus::Answer(modbus::Exception{modbus::Function::read_input_registers,
                                                               modbus::ExceptionCode::busy}))
                   : frame(i, modbus::Answer(modbus::RegistersRead{modbus::WordKind::input, modbus::Registers(words)}));
    in.insert(in.end(), answer.begin(), answer.end());
  }
  std::mt19937_64 random(31);
  for (int round = 0; round < 20; ++round) {
    ModbusFindings findings;
    ModbusTraffic traffic(findings);
    std::size_t sent = 0, received = 0;
    while (sent < out.size() || received < in.size()) {
      const std::size_t more = std::min<std::size_t>(1 + random() % 200, out.size() - sent);
      traffic.from_master(Bytes(out).subspan(sent, more));
      sent += more;
      // Answers never run ahead of their requests.
      const std::size_t most = sent < out.size() ? sent / 12 * 9 : in.size();
      const std::size_t back = received < most ? std::min<std::size_t>(1 + random() % 100, most - received) : 0;
      traffic.from_device(Bytes(in).subspan(received, back));
      received += back;
    }
    CHECK(traffic.answers() == 40);
    CHECK(findings.observations.series(ModbusTable::input, 7).size() == 40);
  }
  ModbusFindings findings;
  ModbusTraffic traffic(findings);
  for (int i = 0; i < 1000; ++i) {
    Buffer rubbish(random() % 300);
    for (auto& byte : rubbish) byte = static_cast<std::uint8_t>(random());
    traffic.from_master(rubbish);
    traffic.from_device(rubbish);
  }
  CHECK(traffic.answers() == 0);
}
