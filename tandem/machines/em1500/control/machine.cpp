// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/control/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tandem/machines/em1500/control/printed_pose.hpp"
#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/scene.hpp"
#include "tandem/machines/ros_names.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::em1500 {
namespace {

constexpr Duration probe_time = 500ms;        // a PLC that sends nothing must answer a question within this
constexpr Duration condition_period = 100ms;  // between two looks at the Jacobian
constexpr Duration flapping = 10s;            // three losses within this are one too many

}  // namespace

Machine::Machine(const machines::Setup& setup)
    : clock_(*setup.clock),
      period_(duration_of(1 / setup.options.number("cycle_hz"))),
      stale_after_(std::max<Duration>(100ms, 3 * period_)),
      map_(pose_map_from(setup.options)),
      reference_(reference_mode_from(setup.options), platform().home_lengths, setup.options.text("reference_file")),
      gate_({.stale = stale_after_}),
      link_({peer_from(setup.device), setup.options.text("symbol"), period_, setup.tap}) {
  if (auto good = ros2::check_node_name(setup.options.text("node")); !good) {
    throw std::invalid_argument(good.error().text);
  }
  if (auto good = ros2::full_namespace(setup.options.text("namespace")); !good) {
    throw std::invalid_argument(good.error().text);
  }
  const std::string prefix = machines::tf_prefix_from(setup.options);
  if (setup.ros != nullptr) {
    topics_.emplace(*setup.ros,
                    Topics::Names{setup.options.text("node"), setup.options.text("namespace"),
                                  fmt::format("{} at {}", setup.name, setup.device), prefix},
                    map_.profile, clock_, shared_, stale_after_);
  }
  rejected_log_.emplace(clock_, ros_node(), &lines_);
}

Result<void> Machine::connect(Instant deadline) {
  live_ = heard_ = silent_ = false;
  gate_.forget();
  auto connected = link_.connect(deadline);
  share(Quality::stale, connected ? "connected; no sample yet" : connected.error().text);
  return connected;
}

void Machine::disconnect() noexcept {
  link_.close();
  if (state_.quality == Quality::live) share(Quality::stale, "disconnected");
}

Result<machines::Cycle> Machine::cycle(const machines::Permit&) {
  auto sample = link_.next(clock_.now() + stale_after_);
  if (!sample) return lost(std::move(sample).error());
  if (const auto changes = link_.changes(); changes != changes_) {
    changes_ = changes;  // other variables now, which may start from zero
    heard_ = false;
    gate_.forget();
  }
  if (!*sample) return silent();
  silent_ = false;
  const machines::Cycle cycle = handle(**sample);
  if (gate_.lost_track()) return lost({Fault::invalid, "the PLC's stamps and counter both went back and stayed there"});
  return cycle;
}

machines::Cycle Machine::handle(const PlcSample& sample) {
  Verdict verdict = gate_.judge(sample);
  // The first one is the PLC's answer to the subscription. It may be as old as the last cycle of a task that no longer
  // runs, and only the next one shows that time goes on there.
  if (verdict.quality == Quality::live && !heard_) verdict = {{Quality::stale, "only one sample received"}, true};
  heard_ = true;
  machines::Cycle cycle;
  cycle.quality = verdict.quality;
  cycle.readable = sample.received;
  cycle.why = verdict.why;
  if (verdict.quality != Quality::live) {
    if (!verdict.early) reject(verdict.why.view());
    share(verdict.quality, verdict.why);
    return cycle;
  }
  live_ = true;
  solve(sample);
  cycle.solved = clock_.now();
  ++state_.samples;
  state_.live_at = sample.received;
  if (topics_) {
    const UtcTime received = topics_->node().clock().utc() - (cycle.solved - sample.received);
    topics_->publish(state_, X_base_top_, received, cycle.solved);
  }
  cycle.published = clock_.now();
  share(Quality::live, reference_.trouble());
  return cycle;
}

void Machine::reject(std::string_view why) {
  ++state_.rejected;
  state_.rejection = why;
  rejected_log_->warn("PLC sample rejected: {}", why);
}

void Machine::solve(const PlcSample& sample) {
  state_.raw = sample.pose;
  state_.pose = map_.platform_from_plc(sample.pose);
  X_base_top_ = stewart::pose_from_coordinates(state_.pose, map_.order);
  state_.lengths = stewart::leg_lengths(platform(), state_.pose, map_.order);
  state_.displacements = reference_.displacements(state_.lengths);
  state_.skipped = link_.skipped();
  state_.stroke_margin = stewart::clearance(strokes(), state_.lengths).distance;
  const Instant now = clock_.now();
  if (now < next_condition_) return;
  next_condition_ = now + condition_period;
  state_.condition = stewart::condition_number(stewart::jacobian(geometry(), X_base_top_));
}

machines::Cycle Machine::stale(std::string why) {
  if (!link_.trouble().empty()) why += "; " + link_.trouble();
  share(Quality::stale, why);
  machines::Cycle cycle;
  cycle.quality = Quality::stale;
  cycle.why = why;
  return cycle;
}

// No sample in time: that is said at once. If it goes on, the PLC is asked why; no answer to that either, and the link
// is lost. One that is there and sends nothing is read from here on.
Result<machines::Cycle> Machine::silent() {
  const double waited = 1e3 * seconds(stale_after_);
  if (link_.polling()) return silent_reads(waited);
  if (!std::exchange(silent_, true)) return stale(fmt::format("no sample for {:.0f} ms", waited));
  std::string why = "the PLC sends no samples";
  if (link_.states_known()) {
    auto state = link_.state(clock_.now() + probe_time);
    if (!state && !ads::is_refusal(state.error())) return lost(std::move(state).error());
    if (state && state->ads != ads::AdsState::run) return idle(state->ads);
    why = state ? "the PLC runs but sends no samples" : state.error().text;
  }
  if (!link_.poll_instead()) return stale(why);
  machines::Cycle cycle = stale(why + "; its variables are read instead");
  if (link_.states_known()) cycle.readable = clock_.now();  // it has just answered
  return cycle;
}

Result<machines::Cycle> Machine::silent_reads(double waited) {
  if (const auto state = link_.idle_state()) return idle(*state);
  const bool frozen = link_.frozen();
  machines::Cycle cycle = stale(frozen ? "no notifications, and the polled pose does not change: it may be stale"
                                       : fmt::format("no answer for {:.0f} ms; a round trip takes {:.0f} ms", waited,
                                                     1e3 * seconds(link_.round_trip())));
  // The supervisor ends that link, and the next one subscribes again.
  if (frozen && link_.silent()) return cycle;
  if (std::exchange(packets_, link_.packets()) != link_.packets()) cycle.readable = clock_.now();
  return cycle;
}

// A PLC that says why it reports nothing is alive.
machines::Cycle Machine::idle(ads::AdsState state) {
  machines::Cycle cycle =
      stale(fmt::format("the PLC is in state {}: it must be in RUN to report a pose", ads::name(state)));
  cycle.readable = clock_.now();
  return cycle;
}

Error Machine::lost(Error error) {
  if (error.fault == Fault::timeout) link_.abandon();
  if (live_ && error.fault == Fault::closed) {
    std::rotate(losses_.begin(), losses_.begin() + 1, losses_.end());
    losses_.back() = clock_.now();
    if (losses_.front() != Instant{} && losses_.back() - losses_.front() < flapping) {
      error.text +=
          fmt::format("; three times within {:.0f} s: does another client use the same NetId?", seconds(flapping));
    }
  }
  share(Quality::stale, error.text);
  return error;
}

void Machine::share(Quality quality, std::string_view why) {
  state_.quality = quality;
  state_.why = why;
  state_.malformed = link_.malformed();
  if (const Duration trip = link_.round_trip(); trip > Duration{0}) state_.round_trip = trip;
  state_.source = link_.source();
  shared_.put(state_);
}

std::vector<machines::Value> Machine::values() const {
  const auto state = shared_.get();
  if (!state) return {};
  const auto row = [](const auto& six) { return std::vector<double>(six.begin(), six.end()); };
  std::vector<machines::Value> values;
  if (state->samples > 0) {
    const auto legs = machines::numbered_parts("leg", 6);
    values = {
        {"PLC pose", "m, rad", row(axes(state->raw)), "", {"surge", "sway", "heave", "roll", "pitch", "yaw"}},
        {"pose", "m, rad", row(state->pose), "", {"x", "y", "z", "roll", "pitch", "yaw"}},
        {"displacement", "m", row(state->displacements), "", legs},
        {"leg length", "m", row(state->lengths), "", legs},
        {"stroke margin", "m", {state->stroke_margin}, ""},
        {"condition", "", {state->condition}, ""},
    };
  }
  values.push_back({"rejected", "", {static_cast<double>(state->rejected)}, ""});
  if (state->rejected > 0) values.push_back({"last rejection", "", {}, std::string(state->rejection.view())});
  values.push_back({"malformed notifications", "", {static_cast<double>(state->malformed)}, ""});
  if (state->round_trip > Duration{0}) values.push_back({"round trip", "ms", {1e3 * seconds(state->round_trip)}, ""});
  if (!state->source.empty()) values.push_back({"samples by", "", {}, std::string(state->source.view())});
  return values;
}

std::string Machine::printed_pose() const { return em1500::printed_pose(shared_.get().value_or(State{})); }

machines::Scene Machine::scene() const { return make_scene(); }

machines::Picture Machine::picture() const {
  const auto state = shared_.get();
  return state ? picture_of(*state, map_.order) : machines::Picture{};
}

}  // namespace tandem::em1500
