// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "tandem/app/recordings/incident/report.hpp"

namespace tandem::app::incident {

namespace {

using nlohmann::ordered_json;

ordered_json maybe(const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(nullptr); }

ordered_json json_from(const Moment& moment) {
  return {{"at_ns", moment.at}, {"machine", moment.machine}, {"cause", moment.cause}, {"text", moment.text}};
}

ordered_json json_from(const Motion& motion) {
  ordered_json gap = nullptr, held = nullptr;
  if (motion.held) held = {{"from_s", motion.held->from}, {"to_s", motion.held->to}};
  if (motion.gap) gap = {{"from_s", motion.gap->from}, {"to_s", motion.gap->to}, {"apart", motion.gap->apart}};
  return {{"by", motion.by_truth ? "truth" : "measurement"},
          {"unit", motion.unit},
          {"speed", maybe(motion.speed)},
          {"distance", maybe(motion.distance)},
          {"standstill_s", maybe(motion.standstill)},
          {"gap", gap},
          {"held", held}};
}

ordered_json json_from(const Numbers& numbers) {
  ordered_json armed = nullptr;
  if (numbers.armed_again) armed = {{"t_s", numbers.armed_again->t}, {"by", numbers.armed_again->by}};
  ordered_json refusals = ordered_json::array();
  for (const Refusals& each : numbers.refusals)
    refusals.push_back({{"what", each.what}, {"before", each.before}, {"after", each.after}});
  return {{"motion", numbers.motion ? json_from(*numbers.motion) : ordered_json(nullptr)},
          {"last_from_device_s", maybe(numbers.last_from_device)},
          {"next_from_device_s", maybe(numbers.next_from_device)},
          {"last_to_device_s", maybe(numbers.last_to_device)},
          {"link_lost", numbers.link_lost},
          {"live_again_s", maybe(numbers.live_again)},
          {"armed_again", armed},
          {"refusals", refusals}};
}

}  // namespace

std::string json_of(const History& history, const Incident& incident) {
  ordered_json out{{"file", history.file},
                   {"title", incident.title},
                   {"incident", json_from(history.moment)},
                   {"utc", clock_text(history.moment.at, false)},
                   {"type", history.type},
                   {"device", history.device},
                   {"virtual", history.is_virtual},
                   {"black_box", history.from_black_box},
                   {"before_s", history.before},
                   {"after_s", history.after},
                   {"because", incident.because},
                   {"timeline", ordered_json::array()},
                   {"numbers", json_from(incident.numbers)},
                   {"machines", ordered_json::array()},
                   {"others", ordered_json::array()},
                   {"missing", history.missing},
                   {"next", ordered_json::array()}};
  for (const Entry& entry : incident.timeline)
    out["timeline"].push_back({{"t_s", entry.t}, {"source", entry.source}, {"text", entry.text}, {"bad", entry.bad}});
  for (const Beside& each : incident.machines)
    out["machines"].push_back({{"machine", each.machine},
                               {"type", each.type},
                               {"before", each.before},
                               {"after", each.after},
                               {"motion", each.motion ? json_from(*each.motion) : ordered_json(nullptr)}});
  for (const Moment& other : history.others) out["others"].push_back(json_from(other));
  for (const Step& step : incident.next) out["next"].push_back({{"command", step.command}, {"meaning", step.meaning}});
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tandem::app::incident
