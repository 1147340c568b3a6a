// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/rtde.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::ur::rtde {
namespace {

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TextMessage read_text(ByteReader& reader, int protocol) {
  TextMessage message;
  if (protocol < 2) {
    message.level = static_cast<Level>(reader.byte());
    message.text = text_of(reader.rest());
  } else {
    message.text = reader.text(reader.byte());
    message.source = reader.text(reader.byte());
    message.level = static_cast<Level>(reader.byte());
  }
  return message;
}

// Protocol 2 gives each text one byte of length; what is longer is cut.
void write_text(ByteWriter& writer, const TextMessage& message, int protocol) {
  if (protocol < 2) {
    writer.byte(static_cast<std::uint8_t>(message.level));
    writer.text(message.text);
    return;
  }
  for (const std::string_view text : {message.text.substr(0, 255), message.source.substr(0, 255)}) {
    writer.byte(static_cast<std::uint8_t>(text.size()));
    writer.text(text);
  }
  writer.byte(static_cast<std::uint8_t>(message.level));
}

Error malformed(Kind kind, Bytes packet) {
  return {Fault::invalid,
          fmt::format("RTDE package '{}': invalid length of {} bytes", static_cast<char>(kind), packet.size())};
}

Error unknown(std::uint8_t kind) { return {Fault::unsupported, fmt::format("RTDE package of unknown kind {}", kind)}; }

Error too_short() { return {Fault::invalid, "RTDE package without a header"}; }

class Encoder {
 public:
  Encoder(std::vector<std::uint8_t>& out, int protocol)
      : out_(out), writer_(out), begin_(out.size()), protocol_(protocol) {
    writer_.zeros(header_size);
  }
  ~Encoder() {
    const std::size_t size = out_.size() - begin_;
    if (size > longest_packet)
      out_.resize(begin_);
    else
      writer_.big_at(begin_, static_cast<std::uint16_t>(size));
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  void operator()(const ProtocolRequest& request) { kind(Kind::protocol_version).big(request.version); }
  void operator()(const ControllerVersionRequest&) { kind(Kind::controller_version); }
  void operator()(const TextMessage& message) { write_text(kind(Kind::text_message), message, protocol_); }
  void operator()(const OutputsRequest& request) {
    kind(Kind::setup_outputs);
    if (protocol_ >= 2) writer_.big(request.frequency);
    writer_.text(request.names);
  }
  void operator()(const InputsRequest& request) { kind(Kind::setup_inputs).text(request.names); }
  void operator()(const StartRequest&) { kind(Kind::start); }
  void operator()(const PauseRequest&) { kind(Kind::pause); }
  void operator()(const InputData& data) {
    kind(Kind::data).byte(data.recipe);
    writer_.bytes(data.values);
  }

  void operator()(const ProtocolAnswer& answer) { kind(Kind::protocol_version).byte(answer.accepted ? 1 : 0); }
  void operator()(const ControllerVersion& version) {
    kind(Kind::controller_version).big(version.major);
    writer_.big(version.minor);
    writer_.big(version.bugfix);
    writer_.big(version.build);
  }
  void operator()(const OutputsAnswer& answer) {
    kind(Kind::setup_outputs);
    if (protocol_ >= 2) writer_.byte(answer.recipe);
    writer_.text(answer.types);
  }
  void operator()(const InputsAnswer& answer) {
    kind(Kind::setup_inputs).byte(answer.recipe);
    writer_.text(answer.types);
  }
  void operator()(const StartAnswer& answer) { kind(Kind::start).byte(answer.accepted ? 1 : 0); }
  void operator()(const PauseAnswer& answer) { kind(Kind::pause).byte(answer.accepted ? 1 : 0); }
  void operator()(const OutputData& data) {
    kind(Kind::data);
    if (protocol_ >= 2) writer_.byte(data.recipe);
    writer_.bytes(data.values);
  }

 private:
  ByteWriter& kind(Kind kind) {
    writer_.big_at(begin_ + 2, kind);
    return writer_;
  }

  std::vector<std::uint8_t>& out_;
  ByteWriter writer_;
  std::size_t begin_;
  int protocol_;
};

}  // namespace

Result<Request> decode_request(Bytes packet, int protocol) {
  ByteReader reader(packet);
  reader.skip(2);
  const auto kind = reader.big<Kind>();
  if (!reader.ok()) return too_short();
  Request request;
  switch (kind) {
    case Kind::protocol_version:
      request = ProtocolRequest{reader.big<std::uint16_t>()};
      break;
    case Kind::controller_version:
      request = ControllerVersionRequest{};
      break;
    case Kind::text_message:
      request = read_text(reader, protocol);
      break;
    case Kind::setup_outputs: {
      const double frequency = protocol >= 2 ? reader.big<double>() : 0.0;
      request = OutputsRequest{frequency, text_of(reader.rest())};
      break;
    }
    case Kind::setup_inputs:
      request = InputsRequest{text_of(reader.rest())};
      break;
    case Kind::start:
      request = StartRequest{};
      break;
    case Kind::pause:
      request = PauseRequest{};
      break;
    case Kind::data: {
      const std::uint8_t recipe = reader.byte();
      request = InputData{recipe, reader.rest()};
      break;
    }
    default:
      return unknown(static_cast<std::uint8_t>(kind));
  }
  if (!reader.done()) return malformed(kind, packet);
  return request;
}

Result<Answer> decode_answer(Bytes packet, int protocol) {
  ByteReader reader(packet);
  reader.skip(2);
  const auto kind = reader.big<Kind>();
  if (!reader.ok()) return too_short();
  Answer answer;
  switch (kind) {
    case Kind::protocol_version:
      answer = ProtocolAnswer{reader.byte() != 0};
      break;
    case Kind::controller_version: {
      ControllerVersion version;
      version.major = reader.big<std::uint32_t>();
      version.minor = reader.big<std::uint32_t>();
      version.bugfix = reader.big<std::uint32_t>();
      if (reader.remaining() > 0) version.build = reader.big<std::uint32_t>();
      answer = version;
      break;
    }
    case Kind::text_message:
      answer = read_text(reader, protocol);
      break;
    case Kind::setup_outputs: {
      const std::uint8_t recipe = protocol >= 2 ? reader.byte() : std::uint8_t{0};
      answer = OutputsAnswer{recipe, text_of(reader.rest())};
      break;
    }
    case Kind::setup_inputs: {
      const std::uint8_t recipe = reader.byte();
      answer = InputsAnswer{recipe, text_of(reader.rest())};
      break;
    }
    case Kind::start:
      answer = StartAnswer{reader.byte() != 0};
      break;
    case Kind::pause:
      answer = PauseAnswer{reader.byte() != 0};
      break;
    case Kind::data: {
      const std::uint8_t recipe = protocol >= 2 ? reader.byte() : std::uint8_t{0};
      answer = OutputData{recipe, reader.rest()};
      break;
    }
    default:
      return unknown(static_cast<std::uint8_t>(kind));
  }
  if (!reader.done()) return malformed(kind, packet);
  return answer;
}

void encode(const Request& request, int protocol, std::vector<std::uint8_t>& out) {
  Encoder encoder(out, protocol);
  std::visit(encoder, request);
}

void encode(const Answer& answer, int protocol, std::vector<std::uint8_t>& out) {
  Encoder encoder(out, protocol);
  std::visit(encoder, answer);
}

}  // namespace tandem::ur::rtde
