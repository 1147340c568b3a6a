// SPDX-License-Identifier: Apache-2.0
// topic pub: a message from text, once or again and again.
#include <fmt/format.h>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/text/message_text.hpp"
#include "tandem/app/ros/text/yaml_input.hpp"
#include "tandem/app/ros/types.hpp"

namespace tandem::app::ros {
namespace {

struct PubOptions {
  std::string name, type, values;
  double rate = 1;  // Hz
  bool once = false;
  std::size_t times = 0;                // 0: until interrupted
  std::optional<std::size_t> matching;  // wait for this many subscriptions; none: 1 where it ends by itself, else 0
  double longest_wait = 0;              // s, for them; 0: indefinitely
  std::size_t print_every = 1;
  double keep_alive = 0.1;  // s, after the last one
  QosOptions qos;
};

// Until there are this many, and all that there are hear us: the first message is not lost. False when the command is
// to end.
bool wait_for_subscriptions(Session& session, const ros2::RawPublisher& publisher, std::size_t wanted, double longest) {
  const Instant start = system_clock().now();
  Instant told{};
  const auto ready = [&] { return publisher.matched() >= wanted && publisher.reached() >= publisher.matched(); };
  while (wanted > 0 && !ready()) {
    const Instant now = system_clock().now();
    if (longest > 0 && now > start + duration_of(longest)) {
      if (publisher.matched() >= wanted) return true;
      fail(fmt::format("{}: {} of {} subscriptions matched within {} s", publisher.topic(), publisher.matched(), wanted,
                       longest));
      return false;
    }
    if (now > told + 1s && publisher.matched() < wanted) {
      session.print(fmt::format("Waiting for at least {} matching subscription(s)...\n", wanted));
      told = now;
    }
    session.tell_events();
    if (session.wait(10ms)) return false;
  }
  return true;
}

int publish(Session& session, const ros2::RawPublisher& publisher, const FoundType& type, const PubOptions& options,
            std::size_t times) {
  session.print("publisher: beginning loop\n");
  TextOptions python;
  python.format = TextFormat::python;
  Instant next = system_clock().now();
  for (std::size_t count = 1; !session.over(); ++count) {
    const auto message = message_from_yaml(type.type, options.values);  // again, since `now` moves
    if (!message) return fail(message.error().text, usage);
    if (options.print_every > 0 && count % options.print_every == 0) {
      const auto text = message_text(type.type, *message, python);
      if (text) session.print(fmt::format("publishing #{}: {}\n", count, *text));
    }
    if (!publisher.publish(*message))
      session.remark(fmt::format("{}: message #{} not sent: the DDS history is full", publisher.topic(), count));
    session.tell_events();
    if (count == times) break;
    next += duration_of(1 / options.rate);
    session.wait(next - system_clock().now());
  }
  if (times > 0 && !session.over()) {
    publisher.wait_for_acknowledgements(1s);
    session.wait(duration_of(options.keep_alive));
  }
  return success;
}

int pub(Session& session, const PubOptions& options) {
  const std::string name = full_name(options.name);
  const ros2::Graph graph = session.discover();
  const std::string type_name = full_type_name(options.type, "msg");
  const Result<FoundType> type = find_type(session, graph, type_name);
  if (!type) return fail(type.error().text, usage);
  const auto message = message_from_yaml(type->type, options.values);
  if (!message) return fail(message.error().text, usage);
  const ros2::RawPublisher publisher =
      session.node().advertise_raw(name, type_name, type->hash, options.qos.over(ros2::Qos::standard()));
  const std::size_t times = options.once ? 1 : options.times;
  const std::size_t wanted = options.matching.value_or(times > 0 ? 1 : 0);
  if (!wait_for_subscriptions(session, publisher, wanted, options.longest_wait)) {
    return session.over() ? success : failure;
  }
  return publish(session, publisher, *type, options, times);
}

}  // namespace

void add_topic_pub(Commands& commands, CLI::App* topic) {
  const auto options = std::make_shared<PubOptions>();
  CLI::App* command =
      commands.add(topic, "pub", "publish a message",
                   "  tandem ros topic pub /chatter std_msgs/msg/String '{data: hello}'\n"
                   "  tandem ros topic pub --once /cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.2}}'\n"
                   "  tandem ros topic pub -r 10 /goal_pose geometry_msgs/msg/PoseStamped '{header: auto, pose: "
                   "{position: {z: -1}}}'\n",
                   [options](Session& session) { return pub(session, *options); });
  command->add_option("NAME", options->name, "such as /chatter")->required();
  command->add_option("TYPE", options->type, "such as std_msgs/msg/String")->required();
  command->add_option("YAML", options->values, "values; omitted fields keep their defaults");
  command->add_option("-r,--rate", options->rate, "rate (Hz)")
      ->check(number_check(0.001, 10'000.0))
      ->capture_default_str();
  CLI::Option* once = command->add_flag("-1,--once", options->once, "publish one message and exit");
  command->add_option("-t,--times", options->times, "exit after N messages")->type_name("N")->excludes(once);
  command
      ->add_option("-w,--wait-matching-subscriptions", options->matching,
                   "first wait for N subscriptions; default: 1 with --once and --times, else 0")
      ->type_name("N");
  command->add_option("--max-wait-time", options->longest_wait, "timeout of that wait (s)")
      ->type_name("SECONDS")
      ->check(number_check(0, 1e8));
  command->add_option("-p,--print", options->print_every, "print every N-th message; 0 disables it")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--keep-alive", options->keep_alive, "time to stay after the last message (s)")
      ->type_name("SECONDS")
      ->check(number_check(0, 1e8))
      ->capture_default_str();
  options->qos.add_to(command);
}

}  // namespace tandem::app::ros
