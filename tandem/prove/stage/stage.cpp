// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/stage/stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "tandem/base/stepped_time.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/prove/stage/operator.hpp"
#include "tandem/prove/stage/player.hpp"
#include "tandem/prove/stage/rig.hpp"
#include "tandem/prove/stage/stall_watch.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::prove {
namespace {

constexpr Duration all_live_within = 30s, goals_end_within = 10s, ends_within = 10s;

// A DDS domain of this process alone on this computer, for as long as it lives: an abstract socket of that name can be
// bound once. Tests claim theirs in the same way.
class Domain {
 public:
  Domain() {
    constexpr int last = 90;  // further ports would be those of outgoing connections
    const int start = static_cast<int>(::getpid()) * 7;
    for (int i = 0; i < last && !claim_; ++i) claim(1 + (start + i) % last);
    if (!claim_) throw std::runtime_error("no free DDS domain: expected one of 1 to 90 that no other run uses");
  }
  int number() const { return number_; }

 private:
  void claim(int number) {
    const std::string name = fmt::format("tandem-test-domain-{}", number);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    net::Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return;
    claim_ = std::move(socket);
    number_ = number;
  }
  net::Descriptor claim_;
  int number_ = 0;
};

runtime::Config config_of(const StageOptions& options, const runtime::Registry& registry,
                          const std::vector<std::unique_ptr<Rig>>& rigs, const std::optional<Domain>& domain) {
  std::string text = fmt::format(
      "ros: {{ {} }}\nweb: {{ listen: \"off\" }}\nrecord: {{ file: \"{}\" }}\n"
      "black_box: {{ enabled: false }}\n"
      "machines:\n",
      domain ? fmt::format("domain: {}, discovery: localhost", domain->number()) : "enabled: false", options.file);
  for (std::size_t i = 0; i < options.machines.size(); ++i) {
    const std::string& type = options.machines[i];
    text += fmt::format("  {}: {{ type: {}, device: {}{} }}\n", type, type,
                        rigs.empty() ? "virtual" : fmt::format("\"{}\"", rigs[i]->url()), settings_of(type, type));
  }
  const runtime::ConfigText file{"prove.yaml", std::move(text)};
  return runtime::parse_config({&file, 1}, registry);
}

void wait_until_live(const runtime::System& system) {
  const Instant limit = now() + all_live_within;
  const auto live = [&] {
    const auto status = system.status();
    return std::ranges::all_of(status.machines, [](const auto& machine) { return machine.state == "live"; });
  };
  while (!live()) {
    if (now() > limit) throw std::runtime_error("not all machines are live within 30 s of the start");
    system_clock().sleep_until(now() + 20ms);
  }
}

void perform(const StageOptions& options, const runtime::Registry& registry, Played& played) {
  std::optional<SteppedTime> time;
  if (options.stepped) time.emplace(SteppedTime::Options{.speed = options.speed});
  std::optional<Domain> domain;
  if (!options.stepped) domain.emplace();
  const std::vector<Action> schedule = schedule_of(options);
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const runtime::MachineConfig& machine : config_of(options, registry, {}, domain).machines)
    rigs.push_back(std::make_unique<Rig>(machine, options.seed));
  runtime::SystemOptions setup;
  setup.version = "prove";
  setup.control = fmt::format("{}/{}.sock", options.folder, domain ? domain->number() : ::getpid());
  setup.supervision.seed = options.seed;
  runtime::System system(config_of(options, registry, rigs, domain), setup);
  Marks marks(*system.recording(), {{"seed", fmt::format("{}", options.seed)},
                                    {"machines", fmt::format("{}", fmt::join(options.machines, " "))},
                                    {"seconds", fmt::format("{}", options.length)},
                                    {"schedule", text_of(schedule)}});
  for (const auto& rig : rigs) rig->record(marks);
  system.start();
  {
    const std::optional<int> number = domain ? std::optional(domain->number()) : std::nullopt;
    Player player(system, setup.control, number, rigs, marks);
    std::optional<StallWatch> stalls;
    if (!options.stepped) stalls.emplace(marks);
    wait_until_live(system);
    player.get_ready();
    marks.say("begin");
    player.play(schedule, options.length);
    player.await_goals(goals_end_within);
    marks.say("end");
  }
  const auto hanging = system.stop(ends_within);
  if (!hanging.empty()) throw std::runtime_error(fmt::format("threads that do not end: {}", fmt::join(hanging, ", ")));
  for (const auto& rig : rigs) rig->forget();
  const auto recording = system.finish_recording();
  played.file = recording->file;
  if (!recording->trouble.empty()) throw std::runtime_error(recording->file + ": " + recording->trouble);
}

}  // namespace

std::vector<Action> schedule_of(const StageOptions& options) {
  std::vector<Subject> subjects;
  for (const std::string& type : options.machines) subjects.push_back(subject_of(type, type, options.stepped));
  return plan(options.seed, subjects, options.length);
}

Played play(const StageOptions& options, const runtime::Registry& registry) {
  Played played;
  played.file = options.file;
  const Instant begun = real_now();
  try {
    perform(options, registry, played);
  } catch (const std::exception& error) {
    played.error = error.what();
  }
  played.took = seconds(real_now() - begun);
  return played;
}

}  // namespace tandem::prove
