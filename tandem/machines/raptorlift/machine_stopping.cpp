// How the machine brings the truck to rest, and what it does only when the truck is.
#include <algorithm>

#include "tandem/machines/raptorlift/machine.hpp"

namespace tandem::raptorlift {
namespace {

constexpr int standing_samples = 5;         // in a row: the truck stands
constexpr Duration longest_unseen = 1s;     // of braking by feedback that is this old
constexpr Duration watchdog_time = 1s;      // in which a PLC that hears nothing has stopped the truck
constexpr Duration longest_farewell = 3s;   // of braking before the link is closed in order

}  // namespace

void Bridge::begin_stopping(std::string_view why) {
  state_.activity = Activity::stopping;
  state_.stopped = why;
  state_.input = {};
  stopping_since_ = clock_.now();
  silent_ = measured_at_ == Instant{};
  standing_ = 0;
  mux_.forget();
  joint_order_.reset();
}

bool Bridge::stands(Instant now) const { return is_fresh(now) && standing_ >= standing_samples; }

// By what is measured, or for a short while by what was measured last. Then, and at standstill, silence: a word that
// does not brake would only keep the PLC's watchdog from braking.
std::optional<AxisCommands> Bridge::stopping_commands(double dt) {
  state_.targets.front_right = state_.targets.front_left = 0;
  const Instant now = clock_.now();
  if (is_fresh(now)) {
    silent_ = false;
    return stands(now) ? std::nullopt : std::optional(drive_.brake(state_.measured, dt));
  }
  if (silent_) return std::nullopt;
  const Duration unseen = now - std::max(measured_at_, stopping_since_);
  Wheels known = state_.measured;
  if (now - measured_at_ > stale_after_ + longest_unseen) known.front_right = known.front_left = 0;
  const AxisCommands braking = drive_.brake_unseen(known, seconds(unseen));
  silent_ = braking.torques == std::array<double, axis_count>{};
  return braking;
}

// A wheel that turns and is braked slows down. When it does not say so, it is not known what it does.
bool Bridge::says_nothing_new(const Wheels& measured) const {
  return state_.activity == Activity::stopping && measured_at_ > stopping_since_ && !drive_.standing(measured) &&
         measured.front_right == state_.measured.front_right && measured.front_left == state_.measured.front_left;
}

// Wheels that may still turn keep their motors, unless the PLC has switched them off itself. Those that were pushed and
// not seen to move since may turn: the feedback may stand still and not they. There the PLC's watchdog comes first.
void Bridge::finish_stopping() {
  if (!link_.seen_off_since(stopping_since_)) {
    if (!stands(clock_.now()) || (pushed_ && clock_.now() - stopping_since_ < watchdog_time)) return;
    if (auto off = link_.disable(); !off) return;  // and again in the next cycle
  }
  state_.activity = Activity::idle;
  state_.torques = {};
  state_.targets = {0, 0, state_.measured.rear_right, state_.measured.rear_left};
  state_.wanted = {};
  moved_ = false;
}

// The truck is brought to rest first, if it still listens. If not, its motors are left to the PLC's watchdog: switched
// off, it would roll freely.
void Bridge::disconnect() noexcept {
  if (state_.activity != Activity::idle && link_.open()) {
    if (state_.activity == Activity::driving) begin_stopping("disconnected");
    const Instant until = clock_.now() + longest_farewell;
    while (state_.activity == Activity::stopping && clock_.now() < until && (!silent_ || is_fresh(clock_.now()))) {
      wait_for_turn();
      const auto told = commands(times_.cycle);
      const auto outcome = exchange(told);
      if (!outcome) break;
      (void)handle(*outcome);
      finish_stopping();
    }
  }
  link_.close();
  state_.activity = Activity::idle;
  if (state_.quality == Quality::live) share(Quality::stale, "disconnected");
}

// Of the first connection of a process, to the PLC's errors from before it, and only where that can set nothing
// rolling. Later ones are the operator's: an arm resets as well.
void Bridge::reset_once() {
  const bool seen = measured_at_ != Instant{};
  if (!seen || (standing_ > 0 && standing_ < standing_samples)) return;
  resets_ = false;
  if (state_.activity == Activity::idle && !link_.enabled() && stands(clock_.now())) (void)link_.reset_untripped();
}

}  // namespace tandem::raptorlift
