// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::ur {
namespace {

constexpr std::uint8_t output_recipe = 1;          // the id of the only one there is
constexpr std::size_t most_inputs = 255;           // recipes, as their id is one byte
constexpr std::size_t largest_recipe = 32 * 1024;  // bytes of values; all variables together are a fraction of it
constexpr std::size_t longest_types = 65000;       // characters that fit into one answer
constexpr int most_complaints = 16;                // texts about bad packages, per connection

void append(std::string& list, std::string_view word) {
  if (!list.empty()) list += ',';
  list += word;
}

// A list of nonsense may be longer than what can be said about it.
bool fits(std::string& types) {
  if (types.size() <= longest_types) return true;
  types.clear();
  return false;
}

}  // namespace

RtdeSession::RtdeSession(RtdeController& controller)
    : controller_(controller),
      framer_(Length::two_bytes, rtde::header_size, rtde::longest_packet),
      frequency_(1.0 / seconds(controller.cycle)) {}

RtdeSession::~RtdeSession() {
  std::ranges::replace(controller_.owners_, static_cast<const RtdeSession*>(this),
                       static_cast<const RtdeSession*>(nullptr));
}

bool RtdeSession::receive(Bytes bytes, net::Outbox& out) {
  framer_.feed(bytes);
  while (true) {
    const auto packet = framer_.next();
    if (!packet) return false;
    if (!*packet) return true;
    const auto request = rtde::decode_request(**packet, protocol_);
    if (!request) {
      complain(request.error().text, out);
      continue;
    }
    ++completed_;
    std::visit([this, &out](const auto& asked) { answer(asked, out); }, *request);
  }
}

void RtdeSession::cycle(net::Outbox& out) {
  if (!running_ || outputs_.empty()) return;
  phase_ += frequency_ * seconds(controller_.cycle);
  // Sums of 0.25 and the like are exact, sums of 0.2 are not: a hair's breadth counts as passed.
  if (phase_ < 1.0 - 1e-9) return;
  phase_ -= std::floor(phase_ + 1e-9);
  packet_.clear();
  ByteWriter writer(packet_);
  const std::size_t id_size = protocol_ >= 2 ? 1 : 0;
  writer.big(static_cast<std::uint16_t>(rtde::header_size + id_size + outputs_.size()));
  writer.big(rtde::Kind::data);
  if (id_size == 1) writer.byte(output_recipe);
  outputs_.encode(controller_.variables, packet_);
  out.send_newest(packet_);
}

void RtdeSession::reply(const rtde::Answer& answer, net::Outbox& out) {
  packet_.clear();
  rtde::encode(answer, protocol_, packet_);
  out.send(packet_);
}

void RtdeSession::tell(std::string_view text, rtde::Level level, net::Outbox& out) {
  reply(rtde::TextMessage{text, "RTDE", level}, out);
}

// A client that goes on sending nonsense is not answered indefinitely.
void RtdeSession::complain(std::string_view text, net::Outbox& out) {
  if (++complaints_ <= most_complaints) tell(text, rtde::Level::warning, out);
}

void RtdeSession::answer(const rtde::ProtocolRequest& request, net::Outbox& out) {
  const bool known = request.version == 1 || request.version == 2;
  const bool accepted = known && !running_;
  reply(rtde::ProtocolAnswer{accepted}, out);
  if (accepted) protocol_ = request.version;
}

void RtdeSession::answer(const rtde::ControllerVersionRequest&, net::Outbox& out) { reply(controller_.version, out); }

void RtdeSession::answer(const rtde::TextMessage&, net::Outbox&) {}

void RtdeSession::answer(const rtde::OutputsRequest& request, net::Outbox& out) {
  if (running_) {
    complain("output recipe refused: it can only be changed while paused", out);
    return reply(rtde::OutputsAnswer{}, out);
  }
  Recipe recipe;
  std::string types;
  bool valid = true;
  for (const std::string_view name : split_names(request.names)) {
    const auto field = field_named(name);
    const bool known = field && fields()[*field].output && recipe.size() < largest_recipe;
    append(types, known ? ur::name(fields()[*field].type) : "NOT_FOUND");
    if (known) recipe.add(*field);
    valid = valid && known;
  }
  valid = fits(types) && valid && !recipe.empty();
  outputs_valid_ = valid;
  outputs_ = valid ? std::move(recipe) : Recipe{};
  const double full = 1.0 / seconds(controller_.cycle);
  const bool chosen = protocol_ >= 2 && request.frequency > 0 && std::isfinite(request.frequency);
  frequency_ = chosen ? std::clamp(request.frequency, 1.0, full) : full;
  reply(rtde::OutputsAnswer{valid ? output_recipe : std::uint8_t{0}, types}, out);
}

void RtdeSession::answer(const rtde::InputsRequest& request, net::Outbox& out) {
  if (running_ || inputs_.size() >= most_inputs) {
    complain(running_ ? "input recipe refused: it can only be added while paused"
                      : "input recipe refused: a connection has at most 255",
             out);
    return reply(rtde::InputsAnswer{}, out);
  }
  Recipe recipe;
  std::string types;
  bool valid = true;
  for (const std::string_view name : split_names(request.names)) {
    const auto field = field_named(name);
    const bool known = field && fields()[*field].input && recipe.size() < largest_recipe;
    const RtdeSession* owner = known ? controller_.owners_[*field] : nullptr;
    const bool free = owner == nullptr || owner == this;
    if (known) {
      append(types, free ? ur::name(fields()[*field].type) : "IN_USE");
      recipe.add(*field);
    } else {
      append(types, "NOT_FOUND");
    }
    valid = valid && known && free;
  }
  valid = fits(types) && valid && !recipe.empty();
  if (!valid) return reply(rtde::InputsAnswer{0, types}, out);
  for (const std::size_t field : recipe.fields()) controller_.owners_[field] = this;
  inputs_.push_back(std::move(recipe));
  reply(rtde::InputsAnswer{static_cast<std::uint8_t>(inputs_.size()), types}, out);
}

void RtdeSession::answer(const rtde::StartRequest&, net::Outbox& out) {
  reply(rtde::StartAnswer{outputs_valid_}, out);
  if (!outputs_valid_ || running_) return;
  running_ = true;
  phase_ = 1.0 - frequency_ * seconds(controller_.cycle);  // the first packet goes out with the next cycle
}

void RtdeSession::answer(const rtde::PauseRequest&, net::Outbox& out) {
  running_ = false;
  out.drop_newest();
  reply(rtde::PauseAnswer{true}, out);
}

void RtdeSession::answer(const rtde::InputData& data, net::Outbox& out) {
  if (data.recipe == 0 || data.recipe > inputs_.size())
    return complain(fmt::format("data package for input recipe {}, which was not set up", data.recipe), out);
  const Recipe& recipe = inputs_[data.recipe - std::size_t{1}];
  if (!recipe.decode(data.values, controller_.variables))
    return complain(fmt::format("data package for input recipe {}: expected {} bytes, got {}", data.recipe,
                                recipe.size(), data.values.size()),
                    out);
  if (controller_.inputs_written) controller_.inputs_written(recipe);
}

}  // namespace tandem::ur
