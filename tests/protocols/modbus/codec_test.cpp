// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "tests/protocols/modbus/golden.hpp"

namespace tandem::modbus {
namespace {

using test::Buffer;
using test::framed;
using test::golden;
using test::hex;

Buffer pdu_of(const auto& message) {
  Buffer out;
  encode(message, out);
  return out;
}

ExceptionCode refusal(const char* text) {
  const auto decoded = decode_request(hex(text));
  const auto* exception = std::get_if<Exception>(&decoded);
  return exception == nullptr ? ExceptionCode{} : exception->code;
}

TEST_CASE("requests and answers of every function are the bytes of the specification both ways") {
  for (const auto& each : golden()) {
    CAPTURE(each.request_pdu);
    CHECK(pdu_of(each.request) == hex(each.request_pdu));
    const auto request = decode_request(hex(each.request_pdu));
    REQUIRE(std::holds_alternative<Request>(request));
    CHECK(std::get<Request>(request) == each.request);
    CHECK(pdu_of(each.answer) == hex(each.answer_pdu));
    const auto answer = decode_answer(hex(each.answer_pdu));
    REQUIRE(answer);
    CHECK(*answer == each.answer);
    CHECK(check(each.request).ok());
    CHECK(check(each.request, each.answer).ok());
  }
}

TEST_CASE("an answer fits its own request and no other") {
  const auto all = golden();
  for (const auto& asked : all)
    for (const auto& told : all) CHECK(check(asked.request, told.answer).ok() == (&asked == &told));
  CHECK(check(WriteCoil{1, true}, WriteCoil{1, false}).error().text.find("echo") != std::string::npos);
  CHECK_FALSE(check(WriteRegisters{1, test::words({1, 2})}, RegistersWritten{2, 2}));
  CHECK_FALSE(check(WriteRegisters{1, test::words({1, 2})}, RegistersWritten{1, 1}));
  CHECK_FALSE(check(ReadRegisters{WordKind::holding, 0, 2}, RegistersRead{WordKind::holding, test::words({1})}));
  CHECK_FALSE(check(ReadRegisters{WordKind::holding, 0, 1}, RegistersRead{WordKind::input, test::words({1})}));
  CHECK(check(ReadExceptionStatus{}, Exception{Function::read_exception_status, ExceptionCode::busy}).ok());
  CHECK_FALSE(check(ReadExceptionStatus{}, Exception{Function::write_coil, ExceptionCode::busy}));
}

TEST_CASE("exceptions are the function with its top bit and a code") {
  const Answer exception = Exception{Function::write_registers, ExceptionCode::busy};
  CHECK(pdu_of(exception) == hex("90 06"));
  CHECK(*decode_answer(hex("90 06")) == exception);
  CHECK(std::string(name(ExceptionCode::busy)) == "device busy");
  CHECK_FALSE(decode_answer(hex("90")));
  CHECK_FALSE(decode_answer(hex("90 06 00")));
}

TEST_CASE("requests that cannot be are refused with function before value") {
  CHECK(refusal("08 00 00 00 00") == ExceptionCode::illegal_function);
  CHECK(refusal("00") == ExceptionCode::illegal_function);
  CHECK(refusal("83 00") == ExceptionCode::illegal_function);
  CHECK(refusal("2B 0D 01 00") == ExceptionCode::illegal_function);
  for (const char* text : {"01 00 00 00 00",
                           "01 00 00 07 D1",
                           "02 00 00 FF FF",
                           "03 00 00 00 00",
                           "03 00 00 00 7E",
                           "04 00 00 00 7E",
                           "05 00 00 00 01",
                           "05 00 00 FF FF",
                           "0F 00 00 00 00 00",
                           "0F 00 00 07 B1 F7",
                           "0F 00 00 00 09 01 FF",
                           "10 00 00 00 00 00",
                           "10 00 00 00 7C F8",
                           "10 00 00 00 01 03 00 00 00",
                           "10 00 00 00 02 04 00 00 00",
                           "17 00 00 00 00 00 00 00 01 02 00 00",
                           "17 00 00 00 7E 00 00 00 01 02 00 00",
                           "17 00 00 00 01 00 00 00 7A F4",
                           "17 00 00 00 01 00 00 00 00 00",
                           "2B 0E 05 00",
                           "2B 0E 00 00",
                           "2B"}) {
    CAPTURE(text);
    CHECK(refusal(text) == ExceptionCode::illegal_value);
  }
}

TEST_CASE("every prefix and every longer form of a request or answer is refused") {
  for (const auto& each : golden()) {
    const Buffer request = hex(each.request_pdu);
    for (std::size_t size = 1; size < request.size(); ++size)
      CHECK(std::holds_alternative<Exception>(decode_request(Bytes(request).first(size))));
    const Buffer answer = hex(each.answer_pdu);
    for (std::size_t size = 0; size < answer.size(); ++size) CHECK_FALSE(decode_answer(Bytes(answer).first(size)));
    Buffer longer = request;
    longer.push_back(0);
    CHECK(std::holds_alternative<Exception>(decode_request(longer)));
    longer = answer;
    longer.push_back(0);
    CHECK_FALSE(decode_answer(longer));
  }
}

TEST_CASE("byte counts that lie are refused") {
  for (const char* text :
       {"03 04 00 01", "03 02 00 01 00", "03 03 00 01 02", "03 00", "01 00", "01 02 FF", "17 03 00 01 02",
        "11 05 01 FF", "2B 0E 01 01 00 00 02 00 01 41", "2B 0E 01 01 00 00 01 00 05 41"})
    CHECK_FALSE(decode_answer(hex(text)));
}

TEST_CASE("what was encoded decodes to the same") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto address = static_cast<std::uint16_t>(random());
    Registers values;
    values.resize(1 + random() % most_registers_exchanged);
    for (auto& value : values.span()) value = static_cast<std::uint16_t>(random());
    Bits bits(1 + random() % most_coils_written);
    for (std::size_t bit = 0; bit < bits.size(); ++bit) bits.assign(bit, random() % 2 == 0);
    for (const Request& request :
         {Request(WriteCoils{address, bits}), Request(WriteRegisters{address, values}),
          Request(ReadWriteRegisters{address, static_cast<std::uint16_t>(1 + random() % 125), address, values})}) {
      const Buffer pdu = pdu_of(request);
      CHECK(pdu.size() <= longest_pdu);
      const auto decoded = decode_request(pdu);
      REQUIRE(std::holds_alternative<Request>(decoded));
      CHECK(std::get<Request>(decoded) == request);
    }
  }
}

TEST_CASE("limits are named when a request breaks them") {
  CHECK(check(ReadRegisters{WordKind::holding, 0, 126}).error().text ==
        "read holding registers: expected 1 to 125 values, got 126");
  CHECK_FALSE(check(ReadBits{BitKind::coil, 0, 0}));
  CHECK_FALSE(check(ReadRegisters{WordKind::input, 65535, 2}));
  CHECK(check(ReadRegisters{WordKind::input, 65535, 1}).ok());
  CHECK_FALSE(check(WriteRegisters{0, {}}));
  CHECK(describe(WriteRegisters{16, test::words({1, 2, 3})}) == "write registers 16 to 18");
}

}  // namespace
}  // namespace tandem::modbus
