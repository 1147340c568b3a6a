// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "tandem/base/sha256.hpp"
#include "tandem/protocols/ads/codec/codec.hpp"
#include "tandem/protocols/ads/codec/errors.hpp"
#include "tandem/protocols/ads/codec/framer.hpp"
#include "tandem/protocols/ads/codec/notifications.hpp"
#include "tests/protocols/ads/golden.hpp"

namespace tandem::ads {
namespace {

const AmsAddress plc{NetId{{127, 0, 0, 1, 1, 1}}, 851};
const AmsAddress client{NetId{{127, 0, 0, 1, 1, 1}}, 30000};

AmsHeader request(Command command, std::uint32_t invoke_id) {
  return {plc, client, command, flag::ads_command, 0, 0, invoke_id};
}

AmsHeader response(Command command, std::uint32_t invoke_id) { return response_to(request(command, invoke_id)); }

template <typename... Payload>
std::string packet(const AmsHeader& header, const Payload&... payload) {
  std::vector<std::uint8_t> out;
  append_frame(out, header, payload...);
  return hex(out);
}

Frame only_frame(Framer& framer, std::string_view golden) {
  framer.feed(golden::bytes(golden));
  auto frame = framer.next();
  REQUIRE(frame);
  REQUIRE(frame->has_value());
  CHECK(!framer.partial());
  return **frame;
}

template <typename T>
T payload_of(std::string_view golden, const AmsHeader& expected) {
  Framer framer(1 << 20);
  const Frame frame = only_frame(framer, golden);
  AmsHeader header = frame.header;
  header.length = 0;
  CHECK(header == expected);
  const auto payload = decode<T>(frame.payload);
  REQUIRE(payload);
  return *payload;
}

TEST_CASE("requests are encoded as AdsLib sends them") {
  CHECK(packet(request(Command::read_device_info, 1)) == golden::device_info_request);
  CHECK(packet(request(Command::read_state, 2)) == golden::state_request);
  const std::string name("MAIN.stEM1500Pose\0", 18);
  CHECK(packet(request(Command::read_write, 3), ReadWriteRequest{group::handle_by_name, 0, 4, as_bytes(name)}) ==
        golden::handle_request);
  CHECK(packet(request(Command::read, 4), ReadRequest{group::value_by_handle, 0x1002, 48}) == golden::read_request);
  const std::array<std::uint8_t, 4> handle{2, 0x10, 0, 0};
  CHECK(packet(request(Command::write, 5), WriteRequest{group::release_handle, 0, handle}) == golden::release_request);
  CHECK(packet(request(Command::add_notification, 7),
               AddNotificationRequest{group::value_by_handle, 0x1003, 48, TransMode::server_cycle, 0, 200}) ==
        golden::add_notification_request);
}

TEST_CASE("responses are encoded as a device sends them") {
  DeviceInfoResponse info{.major = 3, .minor = 1, .build = 4024};
  info.name("Plc30 App");
  CHECK(packet(response(Command::read_device_info, 1), info) == golden::device_info_response);
  CHECK(packet(response(Command::read_state, 2), StateResponse{0, AdsState::run, 0}) == golden::state_response);
  const std::array<std::uint8_t, 4> handle{2, 0x10, 0, 0};
  CHECK(packet(response(Command::read_write, 3), ReadResponse{0, handle}) == golden::handle_response);
  CHECK(packet(response(Command::write, 5), ResultResponse{}) == golden::release_response);
  CHECK(packet(response(Command::add_notification, 7), AddNotificationResponse{0, 2}) ==
        golden::add_notification_response);
}

TEST_CASE("captured packets are decoded") {
  const auto info =
      payload_of<DeviceInfoResponse>(golden::device_info_response, response(Command::read_device_info, 1));
  CHECK(info.name() == "Plc30 App");
  CHECK(info.major == 3);
  CHECK(info.minor == 1);
  CHECK(info.build == 4024);
  const auto state = payload_of<StateResponse>(golden::state_response, response(Command::read_state, 2));
  CHECK(state.ads_state == AdsState::run);
  CHECK(state.device_state == 0);
  CHECK(payload_of<ResultResponse>(golden::release_response, response(Command::write, 5)).result == 0);
  CHECK(payload_of<AddNotificationResponse>(golden::add_notification_response, response(Command::add_notification, 7))
            .handle == 2);
  const auto subscribed =
      payload_of<AddNotificationRequest>(golden::add_notification_request, request(Command::add_notification, 7));
  CHECK(subscribed.mode == TransMode::server_cycle);
  CHECK(subscribed.cycle_time == 200);
  CHECK(subscribed.length == 48);
}

TEST_CASE("the captured pose holds its six numbers") {
  Framer framer(1 << 20);
  const Frame frame = only_frame(framer, golden::read_response);
  const auto read = decode<ReadResponse>(frame.payload);
  REQUIRE(read);
  ByteReader reader(read->data);
  for (const double expected : {0.1, -0.2, -0.0499744902504804, 0.01, 0.02, -0.03})
    CHECK(reader.little<double>() == doctest::Approx(expected).epsilon(1e-15));
  CHECK(reader.done());
}

TEST_CASE("a NetId is six numbers and nothing else") {
  const auto id = NetId::parse("192.168.0.231.1.1");
  REQUIRE(id);
  CHECK(id->text() == "192.168.0.231.1.1");
  CHECK(id->bytes == std::array<std::uint8_t, 6>{192, 168, 0, 231, 1, 1});
  for (const char* wrong : {"", "1.2.3.4.5", "1.2.3.4.5.6.7", "1.2.3.4.5.256", "1.2.3.4.5.-6", "1.2.3.4.5.6 ",
                            " 1.2.3.4.5.6", "1..3.4.5.6", "a.b.c.d.e.f", "1.2.3.4.5.", "1.2.3.4.5.6."})
    CHECK_MESSAGE(!NetId::parse(wrong), wrong);
  CHECK(NetId::from_ipv4(0xC0A80207).text() == "192.168.2.7.1.1");
  CHECK(AmsAddress::parse("5.1.2.3.1.1:851") == AmsAddress{NetId{{5, 1, 2, 3, 1, 1}}, 851});
  for (const char* wrong : {"5.1.2.3.1.1", "5.1.2.3.1.1:", "5.1.2.3.1.1:65536", "5.1.2.3.1:851", "5.1.2.3.1.1:8x"})
    CHECK_MESSAGE(!AmsAddress::parse(wrong), wrong);
}

// Random payloads: what was written comes back, and no shorter or longer piece of it is believed.
template <typename T>
void check_exact(const T& value, auto same) {
  std::vector<std::uint8_t> bytes;
  ByteWriter writer(bytes);
  encode(writer, value);
  const auto back = decode<T>(bytes);
  REQUIRE(back);
  CHECK(same(*back, value));
  for (std::size_t length = 0; length < bytes.size(); ++length) CHECK(!decode<T>(Bytes(bytes).first(length)));
  bytes.push_back(0);
  CHECK(!decode<T>(bytes));
}

bool equal(Bytes a, Bytes b) { return std::ranges::equal(a, b); }

TEST_CASE("decoding gives back what was encoded and no other length is believed") {
  std::mt19937_64 random(20240611);
  const auto number = [&random] { return static_cast<std::uint32_t>(random()); };
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint8_t> data(random() % 65);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    check_exact(ReadRequest{number(), number(), number()}, [](const auto& a, const auto& b) {
      return a.group == b.group && a.offset == b.offset && a.length == b.length;
    });
    check_exact(WriteRequest{number(), number(), data}, [](const auto& a, const auto& b) {
      return a.group == b.group && a.offset == b.offset && equal(a.data, b.data);
    });
    check_exact(
        WriteControlRequest{static_cast<AdsState>(number() & 0xFFFF), static_cast<std::uint16_t>(number()), data},
        [](const auto& a, const auto& b) {
          return a.ads_state == b.ads_state && a.device_state == b.device_state && equal(a.data, b.data);
        });
    check_exact(
        AddNotificationRequest{number(), number(), number(), static_cast<TransMode>(number()), number(), number()},
        [](const auto& a, const auto& b) {
          return a.group == b.group && a.offset == b.offset && a.length == b.length && a.mode == b.mode &&
                 a.max_delay == b.max_delay && a.cycle_time == b.cycle_time;
        });
    check_exact(DeleteNotificationRequest{number()}, [](const auto& a, const auto& b) { return a.handle == b.handle; });
    check_exact(ReadWriteRequest{number(), number(), number(), data}, [](const auto& a, const auto& b) {
      return a.group == b.group && a.offset == b.offset && a.read_length == b.read_length && equal(a.data, b.data);
    });
    check_exact(ResultResponse{0}, [](const auto& a, const auto& b) { return a.result == b.result; });
    check_exact(ReadResponse{0, data}, [](const auto& a, const auto& b) { return equal(a.data, b.data); });
    check_exact(StateResponse{0, AdsState::stop, static_cast<std::uint16_t>(number())},
                [](const auto& a, const auto& b) { return a.device_state == b.device_state; });
    check_exact(AddNotificationResponse{0, number()},
                [](const auto& a, const auto& b) { return a.handle == b.handle; });
  }
}

TEST_CASE("an error result counts even when nothing follows it") {
  const std::array<std::uint8_t, 4> not_found{0x10, 0x07, 0, 0};
  CHECK(decode<ReadResponse>(not_found)->result == code::symbol_not_found);
  CHECK(decode<StateResponse>(not_found)->result == code::symbol_not_found);
  CHECK(decode<DeviceInfoResponse>(not_found)->result == code::symbol_not_found);
  CHECK(decode<AddNotificationResponse>(not_found)->result == code::symbol_not_found);
  const std::array<std::uint8_t, 4> fine{};
  CHECK(!decode<ReadResponse>(fine));
  CHECK(!decode<StateResponse>(fine));
  CHECK(!decode<DeviceInfoResponse>(fine));
  CHECK(!decode<AddNotificationResponse>(fine));
}

TEST_CASE("every error code has words") {
  CHECK(text_of(0x710) == "symbol not found (0x710)");
  CHECK(text_of(0x12345) == "ADS error 0x12345");
  const Error error = device_error("read MAIN.x", code::symbol_not_found);
  CHECK(error.fault == Fault::not_found);
  CHECK(error.code == 0x710);
  CHECK(error.text == "read MAIN.x: symbol not found (0x710)");
}

TEST_CASE("file times and UTC agree") {
  // 2020-01-01T00:00:00Z is 1577836800 s of Unix time and 132223104000000000 of FILETIME.
  const UtcTime day(std::chrono::seconds(1577836800));
  CHECK(filetime_from_utc(day) == 132'223'104'000'000'000u);
  CHECK(utc_from_filetime(132'223'104'000'000'000u) == day);
  CHECK(filetime_from_utc(UtcTime(Duration(-1))) == 116'444'735'999'999'999u);
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    const UtcTime time(Duration(static_cast<std::int64_t>(random()) / 100 * 100));
    if (filetime_from_utc(time) < (std::uint64_t{1} << 62)) CHECK(utc_from_filetime(filetime_from_utc(time)) == time);
    utc_from_filetime(random());
  }
  CHECK(utc_from_filetime(~FileTime{0}) > day);
  CHECK(utc_from_filetime(0) < UtcTime{});
}

}  // namespace
}  // namespace tandem::ads
