// SPDX-License-Identifier: Apache-2.0
// What the autopilot is asked for and told besides its streams: an origin, and settings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/machines/orca/device/link.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"

namespace tandem::orca {
namespace {

constexpr Duration origin_every = 3s;       // asked for, or told
constexpr Duration setup_every = 1s;        // settings that were changed are looked at
constexpr Duration read_patience = 1500ms;  // of a setting that is to be written; then it is written unread
constexpr Duration answer_patience = 3s;    // of an autopilot that we ask for the first time

bool is_same_setting(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)); }

bool was_refused(mavlink::ParameterClient::Status status) {
  return status == mavlink::ParameterClient::Status::timed_out || status == mavlink::ParameterClient::Status::refused;
}

}  // namespace

// Asked for first; a vehicle that does not report one is given ours.
void Link::tend_origin(Instant now, mavlink::Outlet& outlet) {
  if (!options_.origin || vehicle_.has_origin || now < origin_next_) return;
  origin_next_ = now + origin_every;
  if (std::exchange(origin_asked_, true)) {
    outlet.send(mavlink::SetGpsGlobalOrigin{
        .target_system = options_.vehicle.system,
        .latitude = static_cast<std::int32_t>(std::llround(options_.origin->latitude * 1e7)),
        .longitude = static_cast<std::int32_t>(std::llround(options_.origin->longitude * 1e7)),
        .altitude = 0});
  }
  commands_.start(mavlink::command_to(options_.vehicle, mavlink::command::request_message,
                                      static_cast<float>(mavlink::GpsGlobalOrigin::wire_id)));
}

// Read first: what is already so is not written, and of what is not it is known whether a reboot is needed.
void Link::tend_parameters(Instant now, mavlink::Outlet& outlet) {
  if (writes_.size() != options_.parameters.size()) writes_.assign(options_.parameters.size(), {});
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    Write& write = writes_[i];
    const ParameterSetting& setting = options_.parameters[i];
    if (write.settled) continue;
    if (write.read == 0) {
      write.read = parameters_.read(setting.name, now);
      write.asked = now;
    }
    const auto status = parameters_.status(write.read);
    const bool answered = status == mavlink::ParameterClient::Status::done;
    if (!answered && now - write.asked < read_patience) continue;
    if (!setup_.settled(setting.name)) continue;
    write.settled = true;
    const mavlink::Parameter* known = parameters_.find(setting.name);
    if (answered && known != nullptr && is_same_setting(known->value, setting.value)) continue;
    write.write = parameters_.write(setting.name, setting.value, now);
  }
  parameters_.poll(now, outlet);
}

// No setting was received and no stream acknowledged, although heartbeats arrive.
bool Link::answers_nothing() const {
  return parameters_.all().empty() &&
         std::ranges::all_of(streams_.streams(), [](const mavlink::StreamRequests::Stream& stream) {
           return stream.answer == mavlink::CommandStatus::timed_out ||
                  stream.answer == mavlink::CommandStatus::unknown;
         });
}

bool Link::hears_nothing() const { return setup_.finished() && answers_nothing(); }

bool Link::demands_signing(Instant now) const {
  return vehicle_signs_ && !options_.signs && met_at_ != Instant{} && now - met_at_ > answer_patience &&
         answers_nothing();
}

// Of a setting that is written: it was not taken, or counts only after a reboot. Those of the set-up check it reports.
Link::Problem Link::problem_of(std::size_t write) const {
  const auto status = parameters_.status(writes_[write].write);
  const std::string& name = options_.parameters[write].name;
  if (was_refused(status)) return Problem::not_taken;
  const bool waits = status == mavlink::ParameterClient::Status::done && needs_reboot(name);
  return waits && !SetupCheck::asks_for(name) ? Problem::needs_reboot : Problem::none;
}

std::string Link::problems_told(Instant now) const {
  std::string text;
  if (demands_signing(now))
    text = "it requires signing: its frames are signed and it does not answer unsigned ones; set signing_key";
  else if (hears_nothing())
    text = fmt::format("no answer: set SYSID_ENFORCE=0 or MAV_OPTIONS to accept system {}, or source_system: {}",
                       options_.own.system, vehicle_.pilot_system);
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    const Problem problem = problem_of(i);
    if (problem == Problem::none) continue;
    if (!text.empty()) text += ", ";
    const ParameterSetting& setting = options_.parameters[i];
    text += problem == Problem::not_taken
                ? fmt::format("{} was not accepted", setting.name)
                : fmt::format("reboot the autopilot for {}={:g}", setting.name, setting.value);
  }
  return text;
}

// What is wrong with the autopilot's settings, and whose sticks it obeys. Nothing is made unless something changed.
void Link::tend_setup(Instant now) {
  setup_.poll(now, parameters_);
  if (now < setup_next_) return;
  setup_next_ = now + setup_every;
  std::uint64_t problems = (demands_signing(now) ? 1u : 0u) + (hears_nothing() ? 2u : 0u);
  for (std::size_t i = 0; i < writes_.size(); ++i) problems = 3 * problems + static_cast<std::uint64_t>(problem_of(i));
  if (!setup_.changed(parameters_) && problems == problems_) return;
  problems_ = problems;
  vehicle_.pilot_system = setup_.pilot_system(parameters_);
  const std::string own = problems_told(now), settings = setup_.advice(parameters_);
  vehicle_.advice = own + (own.empty() || settings.empty() ? "" : "; ") + settings;
  vehicle_.failsafe_advice = setup_.failsafe_advice(parameters_);
}

}  // namespace tandem::orca
