// Plays a fault to the rig and checks what must hold before, during and after it.
#include "tests/machines/ur3e/fault_rig.hpp"

#include <cmath>

namespace tandem::ur3e::faults {
namespace {

constexpr Duration held_up = 40ms;        // a gap of the eye's that tells of a busy host
constexpr Duration slowest_allowed = 4s;  // of one call; it is bounded by 0.5 s, and by what the host puts on top
constexpr Duration must_stay_still = 250ms;
constexpr int most_plays = 4;

// Whether the row's effect came, and only it. False: the host was held up, and nothing can be said.
bool expect_effect(const Row& row, Rig& rig, std::uint64_t connects) {
  using Effect = Row::Effect;
  for (const std::string_view part : row.shows) {
    const bool said = eventually([&] { return rig.account.said(part); });
    CHECK_MESSAGE(said, "expected a cause with '" << part << "', got:" << rig.account.all());
  }
  const bool moving = rig.mode == Mode::moving;
  if (row.effect == Effect::either) return true;
  if (row.effect == Effect::loss) {
    CHECK(eventually([&] { return !rig.live() || rig.status().connects > connects; }));
    return true;
  }
  const bool stays = row.effect == Effect::none || row.effect == Effect::stop;
  const bool flows = stays ? rig.flows() : eventually([&] { return rig.status().quality != Quality::live; });
  const bool goes_on = row.effect != Effect::none || !moving || rig.moves();
  const bool same = rig.status().connects == connects;
  if (!(flows && goes_on && same) && rig.eye.widest_gap() > held_up) return false;
  CHECK_MESSAGE(flows, rig.account.all());
  CHECK_MESSAGE(goes_on, rig.cause());
  CHECK_MESSAGE(same, rig.account.all());
  return true;
}

// After a fault that must have stopped it: the link is back by itself, the motion is not.
void expect_no_motion(Rig& rig) {
  CHECK_FALSE(rig.armed());
  CHECK(rig.stands());
  CHECK(eventually([&] { return !rig.bridge->state().armed; }));
  const Seen before = rig.eye.seen();
  const std::uint64_t bytes = rig.primary.counts().to_device.bytes_in;
  rig.bridge->orders().trajectory.post(std::make_shared<Errand>());
  pass(must_stay_still);
  CHECK(rig.flows(2));
  const Seen after = rig.eye.seen();
  CHECK(after.stamp > before.stamp);
  CHECK(std::abs(after.q[0] - before.q[0]) < no_motion);
  CHECK(after.sequence == before.sequence);
  CHECK(rig.primary.counts().to_device.bytes_in == bytes);  // and no program either
  CHECK_FALSE(rig.armed());
}

void check_always(const Row& row, Rig& rig) {
  CHECK_MESSAGE(rig.account.wrong == 0, rig.account.all());
  CHECK(rig.account.oldest < row.oldest);
  CHECK(Duration(rig.account.slowest.load()) < slowest_allowed);
  CHECK(rig.status().state != runtime::LinkState::faulted);
}

void expect_disarmed(const Row& row, Rig& rig) {
  if (row.effect == Row::Effect::either) {
    rig.supervisor->latch().stop("the test goes on", "test");
    return;
  }
  CHECK(eventually([&] { return !rig.armed(); }));
  const std::string cause = rig.cause();
  CHECK_MESSAGE(cause.find(row.disarms) != std::string::npos, cause);
  CHECK(eventually([&] { return rig.given_up > 0; }));
}

// False: the host was held up, and the play says nothing.
bool play_in(const Row& row, Mode mode) {
  CAPTURE(mode == Mode::idle ? "idle" : "moving");
  Rig rig(mode, row.cycle_hz);
  if (row.before) row.before(rig);
  rig.start();
  if (!row.before) REQUIRE_MESSAGE(rig.flows(), rig.account.all());
  if (mode == Mode::moving) REQUIRE_MESSAGE(rig.swing(), rig.cause() << rig.account.all());
  const std::size_t descriptors = open_descriptors(), threads = running_threads();
  const std::uint64_t connects = rig.status().connects;
  rig.account.forget();
  rig.given_up = 0;
  rig.account.oldest = 0;
  [[maybe_unused]] const Duration forgotten = rig.eye.widest_gap();
  if (row.strike) row.strike(rig);
  if (!expect_effect(row, rig, connects)) return false;
  const bool stopped = mode == Mode::moving && row.effect != Row::Effect::none;
  if (stopped) expect_disarmed(row, rig);
  if (row.lift) row.lift(rig);
  CHECK_MESSAGE(rig.flows(), "not live again: " << rig.status().cause.view() << rig.account.all());
  if (row.effect == Row::Effect::loss && !row.before) CHECK(rig.status().connects > connects);
  if (stopped || mode == Mode::idle) expect_no_motion(rig);
  if (stopped) CHECK_MESSAGE(rig.swing(), "does not move after reset and arm: " << rig.cause());
  check_always(row, rig);
  // The machine's two connections are six descriptors in this process: its own and the proxies'; and the controller's.
  CHECK(open_descriptors() <= descriptors + 12);
  CHECK(running_threads() <= threads + (row.before ? 1 : 0));  // one comes with the first connect
  return true;
}

}  // namespace

void play(const Row& row) {
  for (const Mode mode : {Mode::idle, Mode::moving}) {
    if (mode == Mode::idle && row.only_moving != nullptr) continue;
    if (mode == Mode::moving && row.before) continue;
    bool told = false;
    for (int plays = 0; plays < most_plays && !told; ++plays) told = play_in(row, mode);
    WARN_MESSAGE(told, "this host was held up every time");
  }
}

}  // namespace tandem::ur3e::faults
