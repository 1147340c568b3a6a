// What the autopilot is asked for and told besides its streams: an origin, and settings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/machines/orca/autopilot_link.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"

namespace tandem::orca {
namespace {

constexpr Duration origin_every = 3s;  // asked for, or told
constexpr Duration setup_every = 1s;   // settings that were changed are looked at

bool was_refused(mavlink::ParameterClient::Status status) {
  return status == mavlink::ParameterClient::Status::timed_out || status == mavlink::ParameterClient::Status::refused;
}

}  // namespace

// Asked for first; a vehicle that does not tell one is given ours.
void AutopilotLink::tend_origin(Instant now, mavlink::Outlet& outlet) {
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

void AutopilotLink::tend_parameters(Instant now, mavlink::Outlet& outlet) {
  if (!std::exchange(parameters_written_, true)) {
    writes_.clear();
    for (const ParameterSetting& setting : options_.parameters)
      writes_.push_back(parameters_.write(setting.name, setting.value, now));
  }
  parameters_.poll(now, outlet);
}

// No setting was told and no stream acknowledged, although its heartbeats come: it listens to others only.
bool AutopilotLink::hears_nothing() const {
  return setup_.finished() && parameters_.all().empty() &&
         std::ranges::all_of(streams_.streams(), [](const mavlink::StreamRequests::Stream& stream) {
           return stream.answer == mavlink::CommandStatus::timed_out ||
                  stream.answer == mavlink::CommandStatus::unknown;
         });
}

// What is wrong with the autopilot's settings, and whose sticks it obeys. Nothing is made unless something changed.
void AutopilotLink::tend_setup(Instant now) {
  setup_.poll(now, parameters_);
  if (now < setup_next_) return;
  setup_next_ = now + setup_every;
  std::size_t refused = 0;
  for (const std::uint32_t write : writes_) refused += was_refused(parameters_.status(write)) ? 1 : 0;
  const bool deaf = hears_nothing();
  if (!setup_.changed(parameters_) && refused == refused_ && deaf == deaf_) return;
  refused_ = refused;
  deaf_ = deaf;
  vehicle_.pilot_system = setup_.pilot_system(parameters_);
  std::string advice;
  if (deaf)
    advice = fmt::format("it answers nothing: SYSID_ENFORCE=0 or MAV_OPTIONS lets system {} in, or source_system: {}",
                         options_.own.system, vehicle_.pilot_system);
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    if (was_refused(parameters_.status(writes_[i])))
      advice += fmt::format("{}{} was not taken", advice.empty() ? "" : ", ", options_.parameters[i].name);
  }
  const std::string missing = setup_.advice(parameters_);
  if (!advice.empty() && !missing.empty()) advice += "; ";
  vehicle_.advice = advice + missing;
}

}  // namespace tandem::orca
