// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/device/program.hpp"

#include <fmt/format.h>

#include <random>

#include "tandem/base/stepped_time.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"

namespace tandem::ur3e {
namespace {

constexpr Duration claim_within = 1s;
// A connection of ours that the controller has not seen the end of may still hold the inputs for a moment.
constexpr Duration claim_again_after = 200ms, free_within = 2s;
constexpr Duration upload_within = 500ms;
constexpr Duration take_within = 1s;  // a command that was written

}  // namespace

ControlProgram::ControlProgram(const script::Timing& timing, Duration start_within)
    : timing_(timing), start_within_(start_within) {
  // Another process' program must not be taken for ours, nor its last command for one of ours.
  std::random_device device;
  // A run in stepped time is alone with its devices, and is to be repeated exactly.
  const auto random = [&] { return SteppedTime::active() ? 1U : device(); };
  identity_ = static_cast<std::int32_t>(random() % 1'000'000'000);
  sequence_ = static_cast<std::int32_t>(random() % 1'000'000'000);
}

Result<void> ControlProgram::start(Link& link, Instant now) {
  if (phase_ == Phase::claiming && now < next_claim_) return {};
  if (phase_ != Phase::claiming) {
    since_ = now;
    claimed_ = false;
  }
  // A claim takes round trips. Whether the arm may still move is looked at before the next call, which uploads.
  if (!claimed_) {
    phase_ = Phase::absent;
    auto refused = link.claim(now + claim_within);
    if (!refused) return std::move(refused).error();
    phase_ = Phase::claiming;
    claimed_ = !*refused;
    next_claim_ = claimed_ ? now : now + claim_again_after;
    if (*refused) refused_ = std::move(**refused);
    return {};
  }
  phase_ = Phase::absent;
  if (auto cleared = link.write({}, ++sequence_, now + write_within); !cleared) return cleared;
  [[maybe_unused]] const std::string forgotten = link.take_complaint();
  if (auto beaten = link.beat(now + write_within); !beaten) return beaten;
  if (auto sent = link.upload(script::text(++identity_, timing_), now + upload_within); !sent) return sent;
  phase_ = Phase::starting;
  since_ = untaken_since_ = now;
  return {};
}

void ControlProgram::end(Link& link) {
  const bool uploaded = phase_ == Phase::starting || phase_ == Phase::running;
  phase_ = Phase::absent;
  if (uploaded) link.end_program(++sequence_, identity_);
}

std::optional<std::string> ControlProgram::look(Link& link, Instant now) {
  const ur::ControllerState& state = link.variables().state;
  const auto& registers = state.output_int_register;
  const bool paused = state.runtime_state != ur::RuntimeState::playing;
  if (taken_ != registers[script::outputs::taken] || taken_ == sequence_ || paused) untaken_since_ = now;
  taken_ = registers[script::outputs::taken];
  finished_ = registers[script::outputs::finished];
  motion_ = registers[script::outputs::motion];
  if (phase_ == Phase::claiming && !claimed_ && now - since_ > free_within) {
    phase_ = Phase::absent;
    return refused_;
  }
  if (phase_ == Phase::starting) {
    if (registers[script::outputs::identity] == identity_ && taken_ == sequence_ && !program_end(state)) {
      phase_ = Phase::running;
    } else if (now - since_ > start_within_) {
      phase_ = Phase::absent;
      const std::string complaint = link.take_complaint();
      return complaint.empty()
                 ? "the controller did not start the control program: is it in remote control, and the robot on?"
                 : fmt::format("the controller did not start the control program: {}", complaint);
    }
    return std::nullopt;
  }
  if (phase_ != Phase::running) return std::nullopt;
  auto ended = program_end(state);
  if (!ended && registers[script::outputs::identity] != identity_)
    ended = "another client has started its own control program";
  if (!ended && now - untaken_since_ > take_within)
    ended = "the control program no longer accepts commands: another program is running";
  if (!ended) return std::nullopt;
  phase_ = Phase::absent;
  const std::string complaint = link.take_complaint();
  return complaint.empty() ? *ended : fmt::format("the control program ended with an error: {}", complaint);
}

Result<void> ControlProgram::beat(Link& link) {
  if (phase_ != Phase::starting && phase_ != Phase::running) return {};
  return link.beat(system_clock().now() + write_within);
}

Result<std::int32_t> ControlProgram::write(Link& link, const script::Write& write) {
  if (auto sent = link.write(write, ++sequence_, system_clock().now() + write_within); !sent)
    return std::move(sent).error();
  return sequence_;
}

}  // namespace tandem::ur3e
