// SPDX-License-Identifier: Apache-2.0
// The Orca's vision bridge as a machine of the runtime: receives from the autopilot and the SLAM, sends the autopilot
// how the camera moved, publishes where the vehicle is, and steers it while armed.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/kit/lines.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/commands.hpp"
#include "tandem/machines/orca/control/helm.hpp"
#include "tandem/machines/orca/device/link.hpp"
#include "tandem/machines/orca/options.hpp"
#include "tandem/machines/orca/scene.hpp"
#include "tandem/machines/orca/state.hpp"
#include "tandem/machines/orca/vision/gate.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"

namespace tandem::orca {

class Topics;

// For the registry.
const machines::MachineType& machine_type();

class Machine final : public machines::Machine, public machines::Speaks {
 public:
  // Throws std::invalid_argument if the options or the device URL are invalid.
  explicit Machine(const machines::Setup& setup);
  ~Machine() override;

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  // Not of the streams: a vehicle that sends nothing but its heartbeat, once a second, is there all the same.
  Duration period() const override { return 400ms; }
  bool moves() const override { return true; }
  std::vector<machines::Value> values() const override;
  machines::Scene scene() const override { return make_scene(jog_, camera_topic_); }
  machines::Picture picture() const override;
  machines::Lines& lines() override { return lines_; }
  ros2::FullNode* ros_node() override;

  // Called from any thread.
  State state() const { return shared_.get().value_or(State{}); }
  // Where the SLAM's frames and what others want are posted; ROS does, and so may others in this process.
  Commands& commands() { return commands_; }

 private:
  struct Question {
    std::uint64_t number = 0;
    std::uint32_t command = 0;  // number at the CommandClient
  };

  // Until something comes, from the vehicle or from the SLAM.
  void await(Duration most);
  bool listen();
  void wake_up(Duration pause);
  void heed(const Link::Events& events, Instant now);
  void see(Instant now);
  void place(const Sighting& sighting, const VisionGate::Step& step, Instant now);
  void tell_vision(const Sighting& sighting, const VisionGate::Step& step, Instant now);
  void tell_sources(Instant now);
  void take_orders(Instant now);
  void order_mode(const ModeCommand& order);
  void order_arming(const ArmingCommand& order, Instant now);
  void order_disarming(const DisarmingCommand& order);
  void order_command(const LongCommand& order);
  void order_parameter(const ParameterCommand& order, Instant now);
  void order_mission(const MissionCommand& order, Instant now);
  // Whatever waits, and whatever is under way, is not carried out any more; but who wants to disarm may.
  void refuse_orders(const char* why);
  void answer_questions(Instant now);
  void answer_arming(Instant now);
  // Another client flies: what we are asked for is not done.
  bool flown_by_others() const;
  void answer(const CommandAnswer& answer);
  ShortText<160> waiting_for(Instant now) const;
  // What else is wrong with what comes in, for those who wait for something; begins with "; ".
  std::string link_notes() const;
  std::uint16_t wait_flags(Instant now) const;
  void judge(machines::Cycle& cycle, bool sampled, Instant now);
  void steer(const machines::Permit& permit, Instant now);
  void end_outputs(machines::Cycle& cycle);
  void publish(Instant now);
  void share(Quality quality, std::string_view why);

  Clock& clock_;
  const mavlink::LinkAddress address_;
  const mavlink::LinkOptions link_options_;
  const LinkOptions autopilot_options_;
  const VisionMessage message_;
  const bool switch_sources_;
  const Duration stale_after_, publish_every_;
  Commands commands_;
  VisionGate gate_;
  MapAnchors anchors_;
  Helm helm_;
  std::optional<mavlink::Link> link_;
  std::optional<Link> autopilot_;  // as long as the link

  State state_;                       // of the machine's thread; others see shared_
  bool met_ = false;                  // the vehicle, since the link was opened
  std::uint64_t connections_ = 0;     // of the link, as last seen
  std::vector<net::Watch> watches_;   // what the thread waits for
  bool more_waits_ = false;           // a flood was cut
  std::uint32_t source_command_ = 0;  // number at the CommandClient
  int source_asked_ = 0;
  Instant source_next_{};
  Instant next_publish_{};
  bool transforms_known_ = true;
  std::optional<Question> mode_question_, mission_question_, arming_question_, command_question_, parameter_question_;
  std::string parameter_asked_;
  Instant arming_since_{};
  Instant turn_at_{};                  // when the machine's thread last listened
  std::optional<std::string> disarm_;  // for the cycle to report
  std::string trouble_;                // the last of them
  bool released_ = false;              // steering ended without a word: a stop, or a permit that lapsed
  bool disarm_told_ = false;           // since the vehicle was last armed
  bool owes_disarm_ = false;           // the link was lost before the vehicle was seen to be disarmed
  std::optional<JogTopic> jog_;        // none without ROS, as is:
  std::string camera_topic_;
  Latest<State> shared_;
  machines::Lines lines_;
  std::unique_ptr<Topics> ros_;  // last: its callbacks use the above; null without ROS
};

}  // namespace tandem::orca
