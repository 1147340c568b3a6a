// SPDX-License-Identifier: Apache-2.0
// Commands and streams, at both ends, with a clock that tests move.
#include <doctest/doctest.h>

#include "tandem/protocols/mavlink/services/command_client.hpp"
#include "tandem/protocols/mavlink/services/command_server.hpp"
#include "tandem/protocols/mavlink/services/stream_requests.hpp"
#include "tests/protocols/mavlink/mailbox.hpp"

namespace tandem::mavlink {
namespace {

constexpr Instant at_first{1h};
constexpr Address sub{1, 1};
constexpr Address pilot{255, 190};

CommandAck ack_of(std::uint16_t command, CommandResult result) {
  return {.command = command, .result = static_cast<std::uint8_t>(result)};
}

}  // namespace

TEST_CASE("a command is acknowledged") {
  CommandClient client;
  CommandServer server(sub);
  Mailbox ours(pilot);
  Mailbox theirs(sub);
  const auto number = client.start(command_to(sub, command::arm, 1));
  CHECK(client.outcome(number).status == CommandStatus::waiting);
  client.poll(at_first, ours);
  ours.deliver([&](const Frame& frame) {
    const auto request = server.handle(frame, at_first, theirs);
    REQUIRE(request);
    CHECK(request->command == command::arm);
    CHECK(request->params[0] == 1);
    CHECK(request->from == pilot);
    server.acknowledge(*request, CommandResult::accepted, theirs);
  });
  theirs.deliver([&](const Frame& frame) { CHECK(client.handle(frame, at_first)); });
  CHECK(client.outcome(number).status == CommandStatus::accepted);
  CHECK(client.outcome(999).status == CommandStatus::unknown);
}

TEST_CASE("V13 a lost acknowledgement leads to a repetition that is not done twice") {
  CommandClient client;
  CommandServer server(sub);
  Mailbox ours(pilot);
  Mailbox theirs(sub);
  theirs.lose = [](std::size_t i) { return i < 2; };
  const auto number = client.start(command_to(sub, command::arm, 1));
  int done = 0;
  for (Instant time = at_first; time < at_first + 5s; time += 100ms) {
    client.poll(time, ours);
    ours.deliver([&](const Frame& frame) {
      CHECK(frame.as<CommandLong>()->confirmation == theirs.sent);
      if (const auto request = server.handle(frame, time, theirs)) {
        ++done;
        server.acknowledge(*request, CommandResult::accepted, theirs);
      }
    });
    theirs.deliver([&](const Frame& frame) { client.handle(frame, time); });
  }
  CHECK(done == 1);
  CHECK(theirs.sent == 3);
  CHECK(client.outcome(number).status == CommandStatus::accepted);
}

TEST_CASE("a message that is asked for again is given again") {
  CommandServer server(sub);
  Mailbox out(sub);
  for (std::uint8_t confirmation = 0; confirmation < 3; ++confirmation) {
    const CommandLong command{.target_system = sub.system,
                              .target_component = sub.component,
                              .command = command::request_message,
                              .confirmation = confirmation,
                              .param1 = 148};
    const auto request = server.handle(Letter(command, pilot).frame(), at_first, out);
    REQUIRE(request);
    server.acknowledge(*request, CommandResult::accepted, out);
  }
}

TEST_CASE("a command is no repetition when another came in between or the first was refused") {
  CommandServer server(sub);
  Mailbox out(sub);
  const auto ask = [&](float wanted, std::uint8_t confirmation, CommandResult result) {
    CommandLong command{.target_system = sub.system, .target_component = sub.component, .command = command::arm};
    command.confirmation = confirmation;
    command.param1 = wanted;
    const auto request = server.handle(Letter(command, pilot).frame(), at_first, out);
    if (request) server.acknowledge(*request, result, out);
    return request.has_value();
  };
  CHECK(ask(1, 0, CommandResult::accepted));
  CHECK_FALSE(ask(1, 1, CommandResult::accepted));
  CHECK(ask(0, 1, CommandResult::accepted));
  CHECK(ask(1, 1, CommandResult::failed));
  CHECK(ask(1, 2, CommandResult::accepted));
  CHECK_FALSE(ask(1, 3, CommandResult::accepted));
}

TEST_CASE("V13 silence times out and stray acknowledgements are counted") {
  CommandClient client;
  Mailbox ours(pilot);
  const auto number = client.start(command_to(sub, command::arm, 1));
  for (Instant time = at_first; time < at_first + 10s; time += 100ms) {
    client.poll(time, ours);
    CHECK(!client.handle(Letter(ack_of(command::do_mode, CommandResult::accepted), sub).frame(), time));
    CHECK(!client.handle(Letter(ack_of(command::arm, CommandResult::accepted), {7, 1}).frame(), time));
    CommandAck for_another = ack_of(command::arm, CommandResult::accepted);
    for_another.target_system = 9;
    CHECK(!client.handle(Letter(for_another, sub).frame(), time));
  }
  const auto sent = ours.take<CommandLong>();
  REQUIRE(sent.size() == 4);
  for (std::size_t i = 0; i < sent.size(); ++i) CHECK(sent[i].confirmation == i);
  CHECK(client.outcome(number).status == CommandStatus::timed_out);
  CHECK(client.strays() == 200);
}

TEST_CASE("V13 a command in progress for ever times out") {
  CommandClient client;
  Mailbox ours(pilot);
  const auto number = client.start(CommandInt{.target_system = 1, .target_component = 1, .command = 192});
  for (Instant time = at_first; time < at_first + 29s; time += 500ms) {
    client.poll(time, ours);
    client.handle(Letter(ack_of(192, CommandResult::in_progress), sub).frame(), time);
  }
  CHECK(client.outcome(number).status == CommandStatus::in_progress);
  client.poll(at_first + 31s, ours);
  CHECK(client.outcome(number).status == CommandStatus::timed_out);
  CHECK(ours.take<CommandInt>().size() == 1);
}

TEST_CASE("equal commands take turns so that every acknowledgement has one owner") {
  CommandClient client;
  Mailbox ours(pilot);
  std::vector<std::uint32_t> numbers;
  for (int i = 0; i < 5; ++i) numbers.push_back(client.start(command_to(sub, 511, static_cast<float>(i))));
  for (int i = 0; i < 5; ++i) {
    client.poll(at_first, ours);
    const auto sent = ours.take<CommandLong>();
    REQUIRE(sent.size() == 1);
    CHECK(sent[0].param1 == static_cast<float>(i));
    const auto result = i == 2 ? CommandResult::denied : CommandResult::accepted;
    CHECK(client.handle(Letter(ack_of(511, result), sub).frame(), at_first));
  }
  CHECK(client.outcome(numbers[2]).status == CommandStatus::denied);
  CHECK(client.outcome(numbers[4]).status == CommandStatus::accepted);
}

TEST_CASE("G21 abandoned commands are never sent") {
  CommandClient client;
  Mailbox ours(pilot);
  const auto number = client.start(command_to(sub, command::arm, 1));
  client.abandon();
  client.poll(at_first, ours);
  CHECK(ours.sent == 0);
  CHECK(client.outcome(number).status == CommandStatus::timed_out);
}

TEST_CASE("V20 commands to others are not for us") {
  CommandServer server(sub);
  Mailbox theirs(sub);
  CHECK(!server.handle(Letter(command_to({2, 1}, 400), pilot).frame(), at_first, theirs));
  CHECK(!server.handle(Letter(command_to({1, 99}, 400), pilot).frame(), at_first, theirs));
  CHECK(!server.handle(Letter(FileTransferProtocol{.target_system = 1}, pilot).frame(), at_first, theirs));
  CHECK(server.handle(Letter(command_to({0, 0}, 400), pilot).frame(), at_first, theirs));
  CHECK(theirs.sent == 0);
}

TEST_CASE("V2 streams are asked for and one that stops is stale and asked for again") {
  const StreamRequests::Wanted wanted[] = {{30, 100ms}, {32, 50ms}};
  StreamRequests streams({}, wanted);
  CommandClient client;
  Mailbox ours(pilot);
  std::size_t asked = 0;
  const auto run = [&](Instant from, Instant to, bool attitude, bool position) {
    for (Instant time = from; time < to; time += 50ms) {
      streams.poll(time, client, ours);
      client.poll(time, ours);
      ours.deliver([&](const Frame& frame) {
        const auto command = frame.as<CommandLong>();
        REQUIRE(command);
        CHECK(command->param2 == (command->param1 == 30 ? 100'000.0F : 50'000.0F));
        ++asked;
        client.handle(Letter(ack_of(511, CommandResult::accepted), sub).frame(), time);
      });
      if (attitude && (time - from) % 100ms == 0ms) streams.handle(Letter(Attitude{}, sub).frame(), time);
      if (position) streams.handle(Letter(LocalPositionNed{}, sub).frame(), time);
    }
  };
  CHECK(!streams.all_come(at_first));
  run(at_first, at_first + 10s, true, true);
  CHECK(asked == 2);
  CHECK(streams.all_come(at_first + 10s));
  CHECK(streams.find(30)->rate == doctest::Approx(10).epsilon(0.01));
  CHECK(streams.find(32)->rate == doctest::Approx(20).epsilon(0.01));
  run(at_first + 10s, at_first + 30s, false, true);
  CHECK(streams.find(30)->stale(at_first + 30s));
  CHECK(!streams.find(32)->stale(at_first + 30s));
  CHECK(asked >= 4);
  CHECK(asked <= 8);
}

TEST_CASE("an autopilot that does not know message intervals is asked for groups") {
  const StreamRequests::Wanted wanted[] = {{30, 100ms}};
  StreamRequests streams({}, wanted);
  CommandClient client;
  Mailbox ours(pilot);
  streams.poll(at_first, client, ours);
  client.poll(at_first, ours);
  ours.deliver([](const Frame&) {});
  client.handle(Letter(ack_of(511, CommandResult::unsupported), sub).frame(), at_first);
  streams.poll(at_first + 50ms, client, ours);
  const auto request = ours.take<RequestDataStream>();
  REQUIRE(request.size() == 1);
  CHECK(request[0].req_stream_id == 10);
  CHECK(request[0].req_message_rate == 10);
  CHECK(request[0].start_stop == 1);
}

}  // namespace tandem::mavlink
