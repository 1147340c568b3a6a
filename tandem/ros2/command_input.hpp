// A command topic as a machine's cycle wants it: the newest good command, or why there is none.
#pragma once

#include <fmt/format.h>

#include <mutex>

#include "tandem/ros2/conversions.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::ros2 {

struct CommandRules {
  Duration longest_silence = 500ms;  // since the last command, on our own clock: then there is none any more
  // Of the stamp against ROS time; a zero stamp is not judged.
  Duration oldest_stamp = 500ms;
  Duration newest_stamp = 100ms;  // into the future
  bool exclusive = true;          // one publisher at a time
};

// Why a stamped command is not believed; "" when it is.
inline std::string stamp_trouble(const builtin_interfaces::Time& stamp, UtcTime now, const CommandRules& rules) {
  if (stamp.sec == 0 && stamp.nanosec == 0) return "";
  const Duration age = now - utc_from(stamp);
  if (age > rules.oldest_stamp) {
    return fmt::format("its stamp is {:.3f} s old, at most {:.3f} s are allowed", seconds(age),
                       seconds(rules.oldest_stamp));
  }
  if (age < -rules.newest_stamp) return fmt::format("its stamp is {:.3f} s in the future", -seconds(age));
  return "";
}

template <Message M>
class CommandInput {
 public:
  // Gives "" for a command that can be carried out, else why not. Runs in a thread of DDS.
  using Check = std::function<std::string(const M&)>;

  CommandInput(Node& node, std::string_view topic, const Clock& clock, CommandRules rules, Check check = {})
      : clock_(clock),
        rules_(rules),
        check_(std::move(check)),
        subscription_(node.subscribe<M>(topic, qos(rules),
                                        [this](const M& message, const MessageInfo& info) { take(message, info); })) {}

  // The newest command while it counts. Does not allocate but for what the message itself holds.
  std::optional<M> newest(Instant now) const {
    const std::lock_guard lock(mutex_);
    if (!heard_ || now - at_ > rules_.longest_silence) return std::nullopt;
    return command_;
  }
  // In words, for people: "", or why there is no command.
  std::string trouble(Instant now) const {
    const std::lock_guard lock(mutex_);
    if (!refusal_.empty()) return fmt::format("{}: refused: {}", subscription_.topic(), refusal_);
    if (!heard_) return fmt::format("{}: no command yet", subscription_.topic());
    if (now - at_ <= rules_.longest_silence) return "";
    return fmt::format("{}: no command for {:.0f} ms", subscription_.topic(), 1e3 * seconds(now - at_));
  }
  // Forgets what it holds: after a stop, nothing old may count.
  void forget() {
    const std::lock_guard lock(mutex_);
    heard_ = false;
  }
  std::uint64_t refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }

 private:
  static Qos qos(const CommandRules& rules) {
    Qos qos = Qos::sensor_data();  // best effort hears everybody, and the newest is all that counts
    if (!rules.exclusive) return qos;
    qos.ownership = Ownership::exclusive;
    qos.owner_silence = rules.longest_silence;
    return qos;
  }

  void take(const M& message, const MessageInfo& info) {
    std::string why;
    if constexpr (requires { message.header.stamp; }) why = stamp_trouble(message.header.stamp, clock_.utc(), rules_);
    if (why.empty() && check_) why = check_(message);
    const std::lock_guard lock(mutex_);
    refusal_ = std::move(why);
    if (!refusal_.empty()) return void(++refused_);
    command_ = message;
    at_ = info.received;
    heard_ = true;
  }

  const Clock& clock_;
  const CommandRules rules_;
  const Check check_;
  mutable std::mutex mutex_;
  M command_;
  Instant at_{};
  bool heard_ = false;
  std::string refusal_;  // of the newest message, if it was refused
  std::uint64_t refused_ = 0;
  Subscription subscription_;  // last: ends before what its callback uses
};

}  // namespace tandem::ros2
