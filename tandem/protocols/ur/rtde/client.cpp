// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/client.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::ur {
namespace {

constexpr std::size_t rtde_chunk = 16 * 1024;  // bytes read at a time
constexpr std::size_t most_drained = 1 << 20;  // bytes taken in one receive_newest(), so that a flood cannot hold it
constexpr std::size_t most_texts = 64;

std::string joined(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ',';
    list += name;
  }
  return list;
}

Result<void> require_known(std::span<const std::string> names, bool inputs) {
  if (names.empty()) return Error{Fault::invalid, "RTDE recipe: no variables named"};
  for (const std::string& name : names) {
    const auto field = field_named(name);
    if (!field || !(inputs ? fields()[*field].input : fields()[*field].output))
      return Error{Fault::not_found, fmt::format("RTDE {} variable {} is not in the table of variables",
                                                 inputs ? "input" : "output", name)};
  }
  return {};
}

Error unexpected_types(std::size_t expected, std::size_t seen) {
  return {Fault::invalid, fmt::format("RTDE recipe: expected {} types, got {}", expected, seen)};
}

}  // namespace

RtdeClient::RtdeClient(net::TcpSocket socket)
    : socket_(std::move(socket)), framer_(Length::two_bytes, rtde::header_size, rtde::longest_packet) {}

Result<RtdeClient> RtdeClient::connect(const std::string& host, std::uint16_t port, Instant deadline, net::Tap* tap) {
  const net::RoundTrips trips(deadline);
  auto socket = net::TcpSocket::connect(host, port, trips.next());
  if (!socket) return within("RTDE", std::move(socket).error());
  socket->tap(tap);
  RtdeClient client(std::move(*socket));
  if (auto agreed = client.negotiate(trips); !agreed) return within("RTDE", std::move(agreed).error());
  return client;
}

Result<void> RtdeClient::negotiate(const net::RoundTrips& trips) {
  auto second = accepts(2, trips.next());
  if (!second) return std::move(second).error();
  if (*second) {
    protocol_ = 2;
  } else {
    auto first = accepts(1, trips.next());
    if (!first) return std::move(first).error();
    if (!*first) return Error{Fault::unsupported, "the controller accepts neither protocol 2 nor 1"};
  }
  const Instant deadline = trips.next();
  if (auto asked = write(rtde::ControllerVersionRequest{}, deadline); !asked) return asked;
  auto version = await<rtde::ControllerVersion>(deadline);
  if (!version) return within("controller version", std::move(version).error());
  version_ = *version;
  return {};
}

Result<bool> RtdeClient::accepts(std::uint16_t version, Instant deadline) {
  if (auto asked = write(rtde::ProtocolRequest{version}, deadline); !asked) return std::move(asked).error();
  auto answer = await<rtde::ProtocolAnswer>(deadline);
  if (!answer) return within(fmt::format("protocol version {}", version), std::move(answer).error());
  return answer->accepted;
}

Result<void> RtdeClient::write(const rtde::Request& request, Instant deadline) {
  packet_.clear();
  rtde::encode(request, protocol_, packet_);
  if (packet_.empty()) return Error{Fault::invalid, "RTDE package: longer than 65535 bytes"};
  auto written = socket_.write_all(packet_, deadline);
  // Half a packet cannot be taken back: the stream is lost.
  if (!written) return lost(std::move(written).error());
  return {};
}

Error RtdeClient::lost(Error error) {
  socket_.close();
  return error;
}

Result<std::optional<rtde::Answer>> RtdeClient::next() {
  while (true) {
    auto packet = framer_.next();
    if (!packet) return lost(std::move(packet).error());
    if (!*packet) return std::optional<rtde::Answer>{};
    auto answer = rtde::decode_answer(**packet, protocol_);
    if (answer) return std::optional(*answer);
    if (answer.error().fault != Fault::unsupported) return lost(std::move(answer).error());
    ++skipped_;
  }
}

Result<void> RtdeClient::read_more(Instant deadline) {
  auto count = socket_.read_some(framer_.room(rtde_chunk), deadline);
  if (!count) return std::move(count).error();
  framer_.received(*count);
  return {};
}

Result<bool> RtdeClient::read_ready() {
  auto count = socket_.read_now(framer_.room(rtde_chunk));
  if (!count) return std::move(count).error();
  framer_.received(*count);
  return *count > 0;
}

template <typename Wanted>
Result<Wanted> RtdeClient::await(Instant deadline) {
  // The answer may come behind much data that is already on its way, but not behind an endless stream of it.
  for (std::size_t packets = 0; packets < 100'000 && (packets % 64 != 63 || now() < deadline); ++packets) {
    auto answer = next();
    if (!answer) return std::move(answer).error();
    if (!*answer) {
      if (auto more = read_more(deadline); !more) return std::move(more).error();
      continue;
    }
    if (const auto* wanted = std::get_if<Wanted>(&**answer)) return *wanted;
    if (const auto* text = std::get_if<rtde::TextMessage>(&**answer)) keep(*text);
  }
  return Error{Fault::timeout, "no answer before the deadline, only other packages"};
}

void RtdeClient::keep(const rtde::TextMessage& message) {
  if (texts_.size() >= most_texts) texts_.pop_front();
  texts_.push_back({std::string(message.text), std::string(message.source), message.level});
}

std::optional<RtdeText> RtdeClient::take_text() {
  if (texts_.empty()) return std::nullopt;
  std::optional<RtdeText> text(std::move(texts_.front()));
  texts_.pop_front();
  return text;
}

// The recipe, when the controller has every variable with the type that we know it by.
Result<Recipe> RtdeClient::agreed(std::span<const std::string> names, std::string_view types) const {
  const auto seen = split_names(types);
  if (seen.size() != names.size()) return unexpected_types(names.size(), seen.size());
  Recipe recipe;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t field = *field_named(names[i]);
    const Type expected = fields()[field].type;
    if (seen[i] == "NOT_FOUND")
      return Error{Fault::not_found, fmt::format("RTDE variable {}: unknown to the controller", names[i])};
    if (seen[i] == "IN_USE")
      return Error{Fault::busy,
                   fmt::format("RTDE input {}: another client of the controller has claimed it", names[i])};
    if (seen[i] != name(expected))
      return Error{Fault::invalid, fmt::format("RTDE variable {}: expected type {}, got {}", names[i], name(expected),
                                               seen[i].substr(0, 32))};
    recipe.add(field);
  }
  return recipe;
}

Result<void> RtdeClient::setup_outputs(std::span<const std::string> names, double frequency, Instant deadline) {
  if (auto known = require_known(names, false); !known) return known;
  const std::string list = joined(names);
  if (auto asked = write(rtde::OutputsRequest{frequency, list}, deadline); !asked) return asked;
  auto answer = await<rtde::OutputsAnswer>(deadline);
  if (!answer) return within("RTDE output recipe", std::move(answer).error());
  if (answer->types.empty()) return Error{Fault::device, "RTDE output recipe: the controller refused it"};
  auto recipe = agreed(names, answer->types);
  if (!recipe) return std::move(recipe).error();
  outputs_ = std::move(*recipe);
  output_recipe_ = answer->recipe;
  stamped_ = std::ranges::find(names, "timestamp") != names.end();
  stamp_.reset();
  return {};
}

Result<std::uint8_t> RtdeClient::setup_inputs(std::span<const std::string> names, Instant deadline) {
  if (auto known = require_known(names, true); !known) return std::move(known).error();
  const std::string list = joined(names);
  if (auto asked = write(rtde::InputsRequest{list}, deadline); !asked) return std::move(asked).error();
  auto answer = await<rtde::InputsAnswer>(deadline);
  if (!answer) return within("RTDE input recipe", std::move(answer).error());
  if (answer->types.empty()) return Error{Fault::device, "RTDE input recipe: the controller refused it"};
  auto recipe = agreed(names, answer->types);
  if (!recipe) return std::move(recipe).error();
  if (answer->recipe == 0) return Error{Fault::device, "RTDE input recipe: the controller refused it"};
  inputs_.push_back(std::move(*recipe));
  input_ids_.push_back(answer->recipe);
  return answer->recipe;
}

Result<void> RtdeClient::start(Instant deadline) {
  if (auto asked = write(rtde::StartRequest{}, deadline); !asked) return asked;
  auto answer = await<rtde::StartAnswer>(deadline);
  if (!answer) return within("RTDE start", std::move(answer).error());
  if (!answer->accepted) return Error{Fault::device, "RTDE start: the controller refused it"};
  return {};
}

Result<void> RtdeClient::pause(Instant deadline) {
  if (auto asked = write(rtde::PauseRequest{}, deadline); !asked) return asked;
  auto answer = await<rtde::PauseAnswer>(deadline);
  if (!answer) return within("RTDE pause", std::move(answer).error());
  if (!answer->accepted) return Error{Fault::device, "RTDE pause: the controller refused it"};
  return {};
}

Result<void> RtdeClient::take_data(const rtde::OutputData& data, Received& received) {
  if (protocol_ >= 2 && data.recipe != output_recipe_)
    return lost({Fault::invalid, fmt::format("RTDE data: expected recipe {}, got {}", output_recipe_, data.recipe)});
  if (data.values.size() != outputs_.size())
    return lost(
        {Fault::invalid, fmt::format("RTDE data: expected {} bytes, got {}", outputs_.size(), data.values.size())});
  newest_.assign(data.values.begin(), data.values.end());
  ++received.packets;
  return {};
}

Result<RtdeClient::Received> RtdeClient::receive_newest(Variables& into, Instant deadline) {
  if (outputs_.empty()) return Error{Fault::invalid, "RTDE data: no output recipe has been set up"};
  Received received;
  for (std::size_t rounds = 0; rounds <= most_drained / rtde_chunk; ++rounds) {
    while (true) {
      auto answer = next();
      if (!answer) return std::move(answer).error();
      if (!*answer) break;
      if (const auto* text = std::get_if<rtde::TextMessage>(&**answer)) keep(*text);
      const auto* data = std::get_if<rtde::OutputData>(&**answer);
      if (data == nullptr) continue;
      if (auto taken = take_data(*data, received); !taken) return std::move(taken).error();
    }
    if (received.packets == 0) {
      // Other packages, or a packet that comes in drops, must not keep us here past the deadline.
      if (rounds > 0 && now() >= deadline)
        return Error{Fault::timeout, "RTDE data: no complete packet before the deadline"};
      rounds = 0;
      if (auto more = read_more(deadline); !more) return std::move(more).error();
      continue;
    }
    auto more = read_ready();
    if (!more || !*more) break;  // a connection that has just ended is reported by the next call
  }
  outputs_.decode(newest_, into);
  if (stamped_) {
    received.restarted = stamp_ && into.state.timestamp < *stamp_;
    received.repeated = stamp_ && into.state.timestamp == *stamp_;
    stamp_ = into.state.timestamp;
  }
  return received;
}

Result<void> RtdeClient::send(std::uint8_t recipe, const Variables& from, Instant deadline) {
  const auto found = std::ranges::find(input_ids_, recipe);
  if (found == input_ids_.end())
    return Error{Fault::invalid, fmt::format("RTDE input recipe {} has not been set up", recipe)};
  const Recipe& values = inputs_[static_cast<std::size_t>(found - input_ids_.begin())];
  packet_.clear();
  ByteWriter writer(packet_);
  writer.big(static_cast<std::uint16_t>(rtde::header_size + 1 + values.size()));
  writer.big(rtde::Kind::data);
  writer.byte(recipe);
  values.encode(from, packet_);
  auto written = socket_.write_all(packet_, deadline);
  if (!written) return lost(std::move(written).error());
  return {};
}

}  // namespace tandem::ur
