// SPDX-License-Identifier: Apache-2.0
// topic echo: messages as they come.
#include <fmt/format.h>

#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/text/message_text.hpp"
#include "tandem/app/ros/topics/listen.hpp"
#include "tandem/app/ros/types.hpp"

namespace tandem::app::ros {
namespace {

struct EchoOptions {
  std::string name, type, field;
  bool once = false, csv = false, full_length = false, raw = false;
  std::size_t times = 0;  // 0: until interrupted
  std::size_t longest = 128;
  TextOptions text;
  QosOptions qos;
};

std::string hex_text(Bytes cdr) {
  std::string out;
  for (std::size_t i = 0; i < cdr.size(); ++i) {
    if (i % 16 == 0) out += fmt::format("{}{:08x} ", i == 0 ? "" : "\n", i);
    out += fmt::format(" {:02x}", cdr[i]);
  }
  return out + "\n";
}

// One message as it is printed; without a type, its bytes.
std::string echo_text(const std::optional<FoundType>& type, Bytes cdr, const TextOptions& options, Session& session) {
  const char* end = options.format == TextFormat::yaml ? "---\n" : "";
  if (!type) return hex_text(cdr) + end;
  const Result<std::string> text = message_text(type->type, cdr, options);
  if (text) return *text + end;
  session.remark(text.error().text);
  return "";
}

int echo(Session& session, EchoOptions& options) {
  ros2::Graph graph = session.discover();
  Result<Topic> topic = find_topic(session, graph, options.name, options.type, false);
  if (!topic) return session.over() ? success : fail(topic.error().text);
  topic->qos = options.qos.over(topic->qos);
  std::optional<FoundType> type;
  if (!options.raw) {
    Result<FoundType> found = find_type(session, graph, topic->type);
    if (found) {
      type = std::move(*found);
    } else {
      session.remark(found.error().text + ": the bytes are shown");
    }
  }
  if (!options.field.empty()) {
    if (!type) return fail("--field: unknown message type");
    Result<FieldPath> path = field_path(type->type, options.field);
    if (!path) return fail(path.error().text, usage);
    options.text.field = std::move(*path);
  }
  options.text.format = options.csv ? TextFormat::csv : TextFormat::yaml;
  options.text.longest = options.full_length ? std::nullopt : std::optional(options.longest);
  if (options.once) options.times = 1;

  Inbox inbox;
  const ros2::Subscription subscription = listen(session, *topic, inbox);
  std::size_t seen = 0, dropped = 0;
  while (!session.over()) {
    while (auto heard = inbox.take()) {
      session.print(echo_text(type, heard->cdr, options.text, session));
      if (++seen == options.times || session.over()) return success;
    }
    if (const std::size_t now = inbox.dropped(); now > dropped) {
      session.remark(fmt::format("{} messages were dropped: they arrived faster than they could be printed",
                                 now - std::exchange(dropped, now)));
    }
    session.tell_events();
    session.wait(10ms);
  }
  return success;
}

}  // namespace

void add_topic_echo(Commands& commands, CLI::App* topic) {
  const auto options = std::make_shared<EchoOptions>();
  CLI::App* command = commands.add(
      topic, "echo", "print the messages of a topic",
      "  tandem ros topic echo /joint_states\n  tandem ros topic echo /odom --field pose.pose.position --once\n"
      "  tandem ros topic echo /tf --field transforms[0].child_frame_id\n  tandem ros topic echo /cable_tensions --csv "
      "> "
      "tensions.csv\n",
      [options](Session& session) { return echo(session, *options); });
  command->add_option("NAME", options->name, "such as /tf")->required();
  command->add_option("TYPE", options->type, "such as std_msgs/msg/String; default: the publishers' type");
  command->add_flag("--once", options->once, "exit after the first message");
  command->add_option("--times", options->times, "exit after N messages")->type_name("N");
  command->add_option("--field", options->field, "print only this field, such as pose.position.x or points[3]")
      ->type_name("PATH");
  command->add_flag("--csv", options->csv, "print all values of a message on one line");
  command->add_flag("-f,--full-length", options->full_length, "do not truncate arrays and strings");
  command->add_option("-l,--truncate-length", options->longest, "maximum length of arrays and strings")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--no-arr", options->text.no_arrays, "print only the length of arrays");
  command->add_flag("--no-str", options->text.no_strings, "print only the length of strings");
  command->add_flag("--raw", options->raw, "print the raw bytes in hexadecimal");
  options->qos.add_to(command);
}

}  // namespace tandem::app::ros
