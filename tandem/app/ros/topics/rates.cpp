// SPDX-License-Identifier: Apache-2.0
// topic hz, bw, delay: once a second, what the last messages were like.
#include <fmt/format.h>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/topics/listen.hpp"
#include "tandem/app/ros/topics/statistics.hpp"
#include "tandem/app/ros/types.hpp"

namespace tandem::app::ros {
namespace {

struct RateOptions {
  std::string name;
  std::size_t window = 0;
  std::optional<double> for_seconds;
};

// Takes each message, and reports once a second; an empty text is not printed.
class Meter {
 public:
  virtual ~Meter() = default;
  virtual void take(const Heard& heard) = 0;
  virtual std::string text(Instant now) const = 0;
};

std::string spread(const Statistics& values) {
  return fmt::format("\tmin: {:.3f}s max: {:.3f}s std dev: {:.5f}s window: {}\n", values.least(), values.most(),
                     values.deviation(), values.count());
}

class RateMeter final : public Meter {
 public:
  explicit RateMeter(std::size_t window) : periods_(window) {}
  void take(const Heard& heard) override {
    if (last_ != Instant{}) periods_.add(seconds(heard.info.received - last_));
    last_ = heard.info.received;
  }
  std::string text(Instant) const override {
    if (periods_.empty()) return "";
    const double mean = periods_.mean();
    return fmt::format("average rate: {:.3f}\n{}", mean > 0 ? 1 / mean : 0.0, spread(periods_));
  }

 private:
  Statistics periods_;
  Instant last_{};
};

class BandwidthMeter final : public Meter {
 public:
  explicit BandwidthMeter(std::size_t window) : window_(window), sizes_(window) {}
  void take(const Heard& heard) override {
    sizes_.add(static_cast<double>(heard.cdr.size()));
    times_.push_back(heard.info.received);
    if (times_.size() > window_) times_.pop_front();
  }
  std::string text(Instant now) const override {
    if (times_.size() < 2) return "";
    const double rate = sizes_.sum() / seconds(now - times_.front());
    const auto size = [&](double bytes) {
      if (rate < 1e3) return fmt::format("{:.0f} B", bytes);
      if (rate < 1e6) return fmt::format("{:.2f} KB", bytes / 1e3);
      return fmt::format("{:.2f} MB", bytes / 1e6);
    };
    return fmt::format("{}/s from {} messages\n\tMessage size mean: {} min: {} max: {}\n", size(rate), sizes_.count(),
                       size(sizes_.mean()), size(sizes_.least()), size(sizes_.most()));
  }

 private:
  std::size_t window_;
  Statistics sizes_;
  std::deque<Instant> times_;
};

// The stamp of the header that a message begins with.
class StampReader final : public ros2::Visitor {
 public:
  bool field(const ros2::DynamicField& field) override {
    return !done_ &&
           (field.name == "header" || field.name == "stamp" || field.name == "sec" || field.name == "nanosec");
  }
  void integer(std::int64_t value) override { seconds_ = value; }
  void natural(std::uint64_t value) override {
    nanoseconds_ = static_cast<std::int64_t>(value);
    done_ = true;
  }
  UtcTime stamp() const { return UtcTime(std::chrono::seconds(seconds_) + std::chrono::nanoseconds(nanoseconds_)); }

 private:
  std::int64_t seconds_ = 0, nanoseconds_ = 0;
  bool done_ = false;
};

class DelayMeter final : public Meter {
 public:
  DelayMeter(std::size_t window, ros2::DynamicType type) : type_(std::move(type)), delays_(window) {}
  void take(const Heard& heard) override {
    StampReader reader;
    if (walk(type_, heard.cdr, reader)) delays_.add(seconds(heard.utc - reader.stamp()));
  }
  std::string text(Instant) const override {
    if (delays_.empty()) return "";
    return fmt::format("average delay: {:.3f}\n{}", delays_.mean(), spread(delays_));
  }

 private:
  ros2::DynamicType type_;
  Statistics delays_;
};

int measure(Session& session, const Topic& topic, const RateOptions& options, Meter& meter) {
  Inbox inbox;
  const ros2::Subscription subscription = listen(session, topic, inbox);
  const Instant start = system_clock().now();
  Instant next = start + 1s;
  bool fresh = false, silent = false;
  while (!session.wait(10ms)) {
    while (auto heard = inbox.take()) {
      meter.take(*heard);
      fresh = true;
    }
    session.tell_events();
    const Instant now = system_clock().now();
    if (now >= next) {
      next += 1s;
      const std::string text = meter.text(now);
      if (fresh && !text.empty()) session.print(text);
      if (!fresh && !silent && !text.empty()) session.print("no new messages\n");
      silent = !fresh;
      fresh = false;
    }
    if (options.for_seconds && now >= start + duration_of(*options.for_seconds)) break;
  }
  return success;
}

Result<ros2::DynamicType> stamped_type(Session& session, const ros2::Graph& graph, const Topic& topic) {
  Result<FoundType> type = find_type(session, graph, topic.type);
  if (!type) return type.error();
  const auto& fields = type->type.root().fields;
  const bool header = !fields.empty() && fields.front().kind == ros2::DynamicKind::message &&
                      type->type.messages[fields.front().message].name == "std_msgs/msg/Header";
  if (header) return std::move(type->type);
  return Error{Fault::unsupported, fmt::format("{} has no header, so its messages have no stamp", topic.type)};
}

enum class What { rate, bandwidth, delay };

int run(Session& session, What what, const RateOptions& options) {
  ros2::Graph graph = session.discover();
  const Result<Topic> topic = find_topic(session, graph, options.name, "", true);
  if (!topic) return session.over() ? success : fail(topic.error().text);
  if (what == What::rate) {
    RateMeter meter(options.window);
    return measure(session, *topic, options, meter);
  }
  if (what == What::bandwidth) {
    session.print(fmt::format("Subscribed to [{}]\n", topic->name));
    BandwidthMeter meter(options.window);
    return measure(session, *topic, options, meter);
  }
  Result<ros2::DynamicType> type = stamped_type(session, graph, *topic);
  if (!type) return fail(type.error().text);
  DelayMeter meter(options.window, std::move(*type));
  return measure(session, *topic, options, meter);
}

void add(Commands& commands, CLI::App* topic, const std::string& name, const std::string& help, What what,
         std::size_t window) {
  const auto options = std::make_shared<RateOptions>();
  options->window = window;
  CLI::App* command = commands.add(
      topic, name, help,
      fmt::format("  tandem ros topic {0} /joint_states\n  tandem ros topic {0} /joint_states -w 50 --for 10\n", name),
      [options, what](Session& session) { return run(session, what, *options); });
  command->add_option("NAME", options->name, "such as /joint_states")->required();
  command->add_option("-w,--window", options->window, "number of newest messages to average over")
      ->type_name("N")
      ->check(whole_number_check(1, 1'000'000))
      ->capture_default_str();
  add_for(*command, options->for_seconds);
}

}  // namespace

void add_topic_rates(Commands& commands, CLI::App* topic) {
  add(commands, topic, "hz", "print the rate of a topic", What::rate, 10'000);
  add(commands, topic, "bw", "print the bandwidth of a topic", What::bandwidth, 100);
  add(commands, topic, "delay", "print the age of messages by their header stamp", What::delay, 10'000);
}

}  // namespace tandem::app::ros
