// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tandem/base/sha256.hpp"
#include "tandem/protocols/ads/client/discovery.hpp"
#include "tandem/protocols/ads/client/symbol.hpp"
#include "tests/protocols/ads/fake.hpp"

namespace tandem::ads {
namespace {

constexpr std::array<std::uint8_t, 8> eight{1, 2, 3, 4, 5, 6, 7, 8};

struct Pose {
  double surge, sway, heave, roll, pitch, yaw;
};

// Answers symbol info, handle and reads of one variable.
void serve_symbol(FakeDevice& device, const SymbolInfo& symbol, Bytes value) {
  while (const auto request = device.request()) {
    if (request->header.command == Command::read) {
      device.answer(request->header, ReadResponse{0, value});
      continue;
    }
    if (request->header.command == Command::write) {
      device.answer(request->header, ResultResponse{});
      continue;
    }
    const auto asked = decode<ReadWriteRequest>(request->payload);
    if (!asked) return;
    Buffer answer;
    ByteWriter writer(answer);
    if (asked->group == group::info_by_name_ex) encode(writer, symbol);
    if (asked->group == group::handle_by_name) writer.little<std::uint32_t>(0x1002);
    device.answer(request->header, ReadResponse{0, answer});
  }
}

TEST_CASE("the client sends and understands what AdsLib and a device exchanged") {
  Buffer seen;
  {
    FakeServer server([&seen](FakeDevice& device) {
      const std::array answers{golden::device_info_response, golden::state_response, golden::handle_response,
                               golden::read_response, golden::release_response};
      for (const auto answer : answers) {
        const auto request = device.request();
        if (!request) return;
        append_frame(seen, request->header);
        seen.insert(seen.end(), request->payload.begin(), request->payload.end());
        device.raw(golden::bytes(answer));
      }
    });
    Peer peer = server.peer();
    peer.target.net_id = *NetId::parse("127.0.0.1.1.1");
    auto client = Client::connect(peer, soon());
    REQUIRE(client);
    CHECK(client->own().text() == "127.0.0.1.1.1:30000");
    auto info = client->device_info(soon());
    REQUIRE(info);
    CHECK(info->name == "Plc30 App");
    CHECK(info->build == 4024);
    auto state = client->read_state(soon());
    REQUIRE(state);
    CHECK(state->ads == AdsState::run);
    auto handle = client->handle_by_name("MAIN.stEM1500Pose", soon());
    REQUIRE(handle);
    CHECK(*handle == 0x1002);
    std::array<std::uint8_t, 48> bytes{};
    REQUIRE(client->read_handle(*handle, bytes, soon()));
    CHECK(std::bit_cast<Pose>(bytes).sway == -0.2);
    REQUIRE(client->release(*handle, soon()));
  }
  std::string expected;
  for (const auto request : {golden::device_info_request, golden::state_request, golden::handle_request,
                             golden::read_request, golden::release_request}) {
    // The recorder writes an empty packet's lengths in front of each payload; compare without the two of them.
    auto bytes = golden::bytes(request);
    ByteWriter writer(bytes);
    writer.little_at<std::uint32_t>(2, 32);
    writer.little_at<std::uint32_t>(26, 0);
    expected += hex(bytes);
  }
  CHECK(hex(seen) == expected);
}

TEST_CASE("several requests are in flight and answered in another order") {
  FakeServer server([](FakeDevice& device) {
    std::vector<AmsHeader> waiting;
    std::vector<std::uint32_t> offsets;
    for (int i = 0; i < 8; ++i) {
      const auto request = device.request();
      if (!request) return;
      waiting.push_back(request->header);
      offsets.push_back(decode<ReadRequest>(request->payload)->offset);
    }
    for (int i = 7; i >= 0; --i) {
      const std::array<std::uint8_t, 1> value{static_cast<std::uint8_t>(offsets[static_cast<std::size_t>(i)])};
      device.answer(waiting[static_cast<std::size_t>(i)], ReadResponse{0, value});
    }
    device.wait_for_end();
  });
  Client client = server.connect();
  std::vector<RequestId> ids;
  for (std::uint32_t i = 0; i < 8; ++i) {
    auto begun = client.begin_read(group::memory, 100 + i, 1, soon());
    REQUIRE(begun);
    ids.push_back(*begun);
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    auto data = client.await(ids[i], soon());
    REQUIRE(data);
    REQUIRE(data->size() == 1);
    CHECK((*data)[0] == 100 + i);
  }
  CHECK(!client.await(ids[0], soon()));
}

TEST_CASE("large answers stay valid until the next request, together or in pieces") {
  constexpr std::size_t size = 20'000;
  FakeServer server([](FakeDevice& device) {
    Buffer both;
    for (std::uint8_t i = 0; i < 2; ++i) {
      const auto request = device.request();
      if (!request) return;
      append_frame(both, response_to(request->header), ReadResponse{0, Buffer(size, static_cast<std::uint8_t>(i + 1))});
    }
    device.raw(both);
    for (std::uint8_t i = 3; const auto request = device.request(); ++i) {
      Buffer out;
      append_frame(out, response_to(request->header), ReadResponse{0, Buffer(size, i)});
      device.raw(Bytes(out).first(5000));
      std::this_thread::sleep_for(2ms);
      device.raw(Bytes(out).subspan(5000));
    }
  });
  Client client = server.connect();
  const auto first = client.begin_read(group::memory, 0, size, soon());
  const auto second = client.begin_read(group::memory, 0, size, soon());
  REQUIRE(first);
  REQUIRE(second);
  const auto a = client.await(*first, soon());
  const auto b = client.await(*second, soon());
  REQUIRE(a);
  REQUIRE(b);
  CHECK(std::ranges::count(*a, 1) == size);
  CHECK(std::ranges::count(*b, 2) == size);
  for (int i = 3; i < 7; ++i) {
    const auto begun = client.begin_read(group::memory, 0, size, soon());
    REQUIRE(begun);
    const auto data = client.await(*begun, soon());
    REQUIRE(data);
    CHECK(!client.next_notification(Instant{}).value().has_value());  // reads on, into other memory
    CHECK(std::ranges::count(*data, i) == size);
  }
}

TEST_CASE("more requests than places are refused and nothing is lost") {
  FakeServer server([](FakeDevice& device) {
    while (const auto request = device.request()) device.answer(request->header, ReadResponse{0, eight});
  });
  Client client = server.connect();
  std::vector<RequestId> ids;
  while (ids.size() < 1000) {
    auto begun = client.begin_read(group::memory, 0, 8, soon());
    if (!begun) {
      CHECK(begun.error().fault == Fault::busy);
      break;
    }
    ids.push_back(*begun);
  }
  CHECK(ids.size() == 32);
  for (const RequestId id : ids) CHECK(client.await(id, soon()));
  CHECK(client.counters().answers_ignored == 0);
}

TEST_CASE("a member of a sum read may fail alone") {
  FakeServer server([](FakeDevice& device) {
    const auto request = device.request();
    if (!request) return;
    const auto asked = decode<ReadWriteRequest>(request->payload);
    if (!asked || asked->group != group::sum_read || asked->offset != 3 || asked->read_length != 12 + 8 + 4 + 2) return;
    Buffer answer;
    ByteWriter writer(answer);
    for (const std::uint32_t result : {0u, 0x710u, 0u}) writer.little(result);
    writer.bytes(eight);
    writer.zeros(4);
    writer.byte(0xAA);
    writer.byte(0xBB);
    device.answer(request->header, ReadResponse{0, answer});
    device.wait_for_end();
  });
  Client client = server.connect();
  std::array<std::uint8_t, 8> a{};
  std::array<std::uint8_t, 4> b{9, 9, 9, 9};
  std::array<std::uint8_t, 2> c{};
  std::array<SumReadItem, 3> items{SumReadItem{group::value_by_handle, 1, a}, SumReadItem{group::value_by_handle, 2, b},
                                   SumReadItem{group::value_by_handle, 3, c}};
  REQUIRE(client.sum_read(items, soon()));
  CHECK(items[0].result == 0);
  CHECK(items[1].result == code::symbol_not_found);
  CHECK(items[2].result == 0);
  CHECK(a == eight);
  CHECK(b == std::array<std::uint8_t, 4>{9, 9, 9, 9});
  CHECK(c == std::array<std::uint8_t, 2>{0xAA, 0xBB});
}

TEST_CASE("a symbol is read like a variable once size and type fit") {
  const Pose pose{0.1, -0.2, 0.3, 0.01, 0.02, -0.03};
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Pose)>>(pose);
  FakeServer server([&bytes](FakeDevice& device) {
    serve_symbol(device, {0x4040, 0, 48, DataType::big, 0, "MAIN.stEM1500Pose", "ST_Pose", "", {}}, bytes);
  });
  Client client = server.connect();
  auto symbol = Symbol<Pose>::resolve(client, "main.stem1500pose", "ST_Pose", soon());
  REQUIRE(symbol);
  auto value = symbol->read(client, soon());
  REQUIRE(value);
  CHECK(value->heave == 0.3);
  CHECK(symbol->write(client, pose, soon()));

  auto other_type = Symbol<Pose>::resolve(client, "MAIN.stEM1500Pose", "ST_Other", soon());
  REQUIRE(!other_type);
  CHECK(other_type.error().text == "MAIN.stEM1500Pose: expected type ST_Other, got ST_Pose");
  auto other_size = Symbol<std::array<float, 6>>::resolve(client, "MAIN.stEM1500Pose", "ST_Pose", soon());
  REQUIRE(!other_size);
  CHECK(other_size.error().fault == Fault::invalid);
  CHECK(other_size.error().text.find("expected 24 bytes, got 48") != std::string::npos);
  auto other_name = Symbol<Pose>::resolve(client, "MAIN.other", "", soon());
  REQUIRE(!other_name);
  CHECK(other_name.error().text == "MAIN.other: expected its description, got that of MAIN.stEM1500Pose");
}

TEST_CASE("a number is only read from a variable of its own elementary type") {
  const SymbolInfo real{0, 0, 8, DataType::real64, 0, "MAIN.fTime", "LREAL", "", {}};
  CHECK(!misfit(real, 8, data_type_of<double>(), ""));
  CHECK(misfit(real, 8, data_type_of<std::int64_t>(), ""));
  CHECK(misfit(real, 4, data_type_of<float>(), ""));
  const SymbolInfo boolean{0, 0, 1, DataType::bit, 0, "MAIN.bTimout", "BOOL", "", {}};
  CHECK(!misfit(boolean, 1, data_type_of<std::uint8_t>(), ""));
  CHECK(misfit(boolean, 1, data_type_of<std::int8_t>(), ""));
  static_assert(!SymbolValue<bool>);
  static_assert(!SymbolValue<std::string>);
}

TEST_CASE("notifications are kept while a request waits and come in order") {
  FakeServer server([](FakeDevice& device) {
    const auto add = device.request();
    if (!add) return;
    const AmsHeader subscription = add->header;
    // The first sample overtakes the handle.
    device.notify(subscription, 42, eight, 1);
    device.answer(subscription, AddNotificationResponse{0, 42});
    const auto read = device.request();
    if (!read) return;
    device.notify(subscription, 42, eight, 2);
    device.notify(subscription, 41, eight, 3);                  // of an earlier session
    device.notify(subscription, 42, Bytes(eight).first(7), 4);  // not of the subscribed length
    device.notify_raw(subscription, Bytes(eight));              // nonsense
    device.notify(subscription, 42, eight, 5);
    device.answer(read->header, StateResponse{0, AdsState::run, 0});
    device.wait_for_end();
  });
  Client client = server.connect();
  auto handle = client.add_notification(group::memory, 0, 8, TransMode::server_cycle, 10ms, soon());
  REQUIRE(handle);
  CHECK(*handle == 42);
  REQUIRE(client.read_state(soon()));
  for (const FileTime expected : {1u, 2u, 5u}) {
    auto next = client.next_notification(soon());
    REQUIRE(next);
    REQUIRE(next->has_value());
    CHECK((*next)->stamp == expected);
    CHECK(std::ranges::equal((*next)->data, eight));
  }
  auto none = client.next_notification(in(20ms));
  REQUIRE(none);
  CHECK(!none->has_value());
  CHECK(client.counters().samples_ignored == 2);
  CHECK(client.counters().notifications_malformed == 1);
}

TEST_CASE("after a hold-up only the newest sample counts") {
  constexpr int burst = 1000;
  FakeServer server([](FakeDevice& device) {
    const auto add = device.request();
    if (!add) return;
    const AmsHeader subscription = add->header;
    device.answer(subscription, AddNotificationResponse{0, 7});
    for (FileTime i = 1; i <= burst; ++i) device.notify(subscription, 7, eight, i);
    const auto read = device.request();
    if (!read) return;
    device.answer(read->header, StateResponse{0, AdsState::run, 0});
    device.wait_for_end();
  });
  Client client = server.connect();
  auto handle = client.add_notification(group::memory, 0, 8, TransMode::server_cycle, 0s, soon());
  REQUIRE(handle);
  REQUIRE(client.read_state(soon()));  // all samples are before its answer
  auto newest = client.newest_notification(*handle, soon());
  REQUIRE(newest);
  REQUIRE(newest->has_value());
  CHECK((*newest)->stamp == burst);
  CHECK(client.counters().samples_dropped == burst - 256);
  auto none = client.newest_notification(*handle, in(10ms));
  REQUIRE(none);
  CHECK(!none->has_value());
}

TEST_CASE("a change of the symbol version is noticed") {
  FakeServer server([](FakeDevice& device) {
    const std::array<std::uint8_t, 1> before{3};
    const std::array<std::uint8_t, 1> after{4};
    const auto read = device.request();
    if (!read) return;
    device.answer(read->header, ReadResponse{0, before});
    const auto add = device.request();
    if (!add) return;
    const AmsHeader subscription = add->header;
    device.answer(subscription, AddNotificationResponse{0, 1});
    device.notify(subscription, 1, before);
    device.notify(subscription, 1, after);
    device.wait_for_end();
  });
  Client client = server.connect();
  auto watch = VersionWatch::start(client, 100ms, soon());
  REQUIRE(watch);
  CHECK(watch->version() == 3);
  auto first = client.next_notification(soon());
  REQUIRE(first);
  CHECK(!watch->changed(**first));
  auto second = client.next_notification(soon());
  REQUIRE(second);
  CHECK(watch->changed(**second));
}

TEST_CASE("a device is asked over UDP who it is and for a route") {
  auto device = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(device);
  const std::uint16_t udp = device->local().port;
  std::thread thread([&device] {
    std::array<std::uint8_t, 2048> buffer;
    for (int i = 0; i < 3; ++i) {
      auto datagram = device->receive(buffer, soon());
      if (!datagram) return;
      const auto packet = decode_udp(Bytes(buffer).first(datagram->size));
      if (!packet) return;
      const AmsAddress own{NetId{{5, 1, 2, 3, 1, 1}}, port::system_service};
      Buffer answer{1, 2, 3};
      static_cast<void>(device->send(answer, datagram->from).ok());  // nonsense first
      answer.clear();
      if (const auto route = route_request(*packet))
        encode_route_response(answer, own, route->password == "1" ? 0 : code::not_permitted);
      else
        encode_info_response(answer, {own, "CX-123456", 3, 1, 4024});
      static_cast<void>(device->send(answer, datagram->from).ok());
    }
  });
  auto info = discover("127.0.0.1", soon(), udp);
  RouteRequest route{"tandem", NetId{{127, 0, 0, 1, 1, 1}}, "Administrator", "1", "127.0.0.1"};
  auto added = add_route("127.0.0.1", route, soon(), udp);
  route.password.front() = '2';
  auto refused = add_route("127.0.0.1", route, soon(), udp);
  thread.join();
  REQUIRE(info);
  CHECK(info->address.text() == "5.1.2.3.1.1:10000");
  CHECK(info->computer_name == "CX-123456");
  CHECK(added);
  REQUIRE(!refused);
  CHECK(refused.error().code == code::not_permitted);
  auto nobody = discover("127.0.0.1", in(50ms), udp);
  CHECK(!nobody);
}

}  // namespace
}  // namespace tandem::ads
