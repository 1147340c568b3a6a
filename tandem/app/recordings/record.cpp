// SPDX-License-Identifier: Apache-2.0
// record: topics of any ROS 2 system, from outside.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <stdexcept>

#include "tandem/app/recordings/recordings.hpp"
#include "tandem/app/recordings/schema_text.hpp"
#include "tandem/app/ros/session.hpp"
#include "tandem/app/ros/types.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/record/recorder.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/types/message_text.hpp"
#include "tandem/runtime/fleet/watch.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/recording/recorded_qos.hpp"

namespace tandem::app {

namespace {

constexpr Duration look_for_topics = 500ms;

std::string name_by_time() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("tandem_{:%Y%m%d_%H%M%S}.mcap", parts);
}

// The topics that are being recorded.
class TopicRecorder {
 public:
  TopicRecorder(ros::Session& session, record::Recorder& recorder, const std::vector<std::string>& topics)
      : session_(session), recorder_(recorder) {
    for (const std::string& topic : topics) wanted_.insert(ros::full_name(topic));
  }

  // Subscribes to what is there now and was not before.
  void look(const ros2::Graph& graph) {
    std::map<std::string, std::vector<const ros2::GraphEndpoint*>> publishers;
    for (const ros2::GraphEndpoint& endpoint : graph.endpoints) {
      if (!endpoint.writes || endpoint.local || endpoint.topic.empty() || endpoint.type.empty()) continue;
      if (!wanted_.empty() && !wanted_.contains(endpoint.topic)) continue;
      if (!subscriptions_.contains(endpoint.topic)) publishers[endpoint.topic].push_back(&endpoint);
    }
    for (const auto& [topic, endpoints] : publishers) subscribe(graph, topic, endpoints);
  }

  std::size_t topics() const { return subscriptions_.size(); }
  std::vector<std::string> missing() const {
    std::vector<std::string> names;
    for (const std::string& topic : wanted_) {
      if (!subscriptions_.contains(topic)) names.push_back(topic);
    }
    return names;
  }

 private:
  void subscribe(const ros2::Graph& graph, const std::string& topic,
                 const std::vector<const ros2::GraphEndpoint*>& publishers) {
    const ros2::GraphEndpoint& first = *publishers.front();
    ros2::Qos qos = ros2::matching_qos(publishers);
    record::ChannelInfo info{.topic = topic,
                             .encoding = "cdr",
                             .schema_name = first.type,
                             .schema_encoding = "ros2msg",
                             .schema = schema(graph, first.type),
                             .metadata = {{runtime::qos_key, runtime::text_from_qos(qos)}}};
    if (info.schema.empty()) info.schema_encoding.clear();  // an empty text would be a type without fields
    if (!first.type_hash.empty()) info.metadata["topic_type_hash"] = first.type_hash;
    const record::ChannelId id = recorder_.channel(info);
    qos.depth = 1000;
    const auto heard = [this, id](Bytes cdr, const ros2::MessageInfo& sample) {
      recorder_.put(id, clock_.utc(now()), sample.sent, cdr);
    };
    subscriptions_.emplace(topic, session_.node().subscribe_raw(topic, first.type, first.type_hash, qos, heard));
    session_.print(fmt::format("recording {} ({})\n", printable(topic), printable(first.type)));
  }

  // Our own text where the type is ours, else what its node says; empty when no one knows.
  std::string schema(const ros2::Graph& graph, const std::string& type) {
    const auto found = ros::find_type(session_, graph, type);
    if (!found) {
      session_.remark(found.error().text + ": recorded without its schema");
      return "";
    }
    const ros2::TypeSupport* ours = ros2::find_type(type);
    if (ours != nullptr && ours->hash == found->hash) {
      if (auto text = ros2::ros2msg_text(type)) return *text;
    }
    return text_from_type(found->type);
  }

  ros::Session& session_;
  record::Recorder& recorder_;
  const runtime::FileClock clock_{system_clock()};
  std::set<std::string> wanted_;  // none: all
  std::map<std::string, ros2::Subscription> subscriptions_;
};

// "clock.cell1": how far that host's clock is ahead of ours, and how sure that is.
std::map<std::string, std::string> clocks_of(const std::vector<runtime::FleetHost>& hosts) {
  std::map<std::string, std::string> clocks;
  for (const runtime::HostState& state : runtime::look_at_all(hosts, 3s)) {
    clocks["clock." + state.name] =
        state.clock ? fmt::format("{:+.9f} s, error {:.9f} s", state.clock->offset, state.clock->uncertainty)
                    : "unknown: " + state.error;
  }
  return clocks;
}

int record_until_done(const RecordArguments& arguments) {
  ros::Session session({.domain = arguments.domain, .spin_time = std::nullopt});
  record::RecorderOptions options;
  options.file = arguments.out.empty() ? name_by_time() : arguments.out;
  options.metadata = {{"made_by", "tandem record"}};
  if (!arguments.hosts.empty()) options.metadata.merge(clocks_of(runtime::load_hosts(arguments.hosts)));
  record::Recorder recorder(options);
  const std::string file = recorder.counts().file;
  std::string trouble;
  {
    TopicRecorder topics(session, recorder, arguments.topics);
    ros2::Graph graph = session.discover();
    const Instant end =
        arguments.for_seconds ? system_clock().now() + duration_of(*arguments.for_seconds) : Instant::max();
    while (!session.over() && system_clock().now() < end) {
      topics.look(graph);
      session.tell_events();
      const auto counts = recorder.counts();
      if (counts.trouble != trouble && !counts.trouble.empty()) session.remark(counts.trouble);
      trouble = counts.trouble;
      session.wait(std::min<Duration>(look_for_topics, end - system_clock().now()));
      graph = session.context().graph();
    }
    for (const std::string& each : topics.missing()) session.remark(printable(each) + ": no publisher");
    if (topics.topics() == 0) session.remark("no topics received; `tandem doctor` looks for the cause");
  }
  const record::RecorderCounts counts = [&] {
    const FinishFirst finish_first;
    return recorder.finish();
  }();
  if (counts.trouble != trouble && !counts.trouble.empty()) session.remark(counts.trouble);
  const auto reader = record::McapReader::open(file);
  session.print(fmt::format("{}: {} messages, {} dropped\n", file, reader ? reader->contents().statistics.messages : 0,
                            counts.dropped));
  if (const std::uint64_t late = counts.dropped - counts.oversize; late > 0)
    session.remark(
        fmt::format("{} messages are missing in the file: the disk was full or too slow, or memory ran out", late));
  if (counts.oversize > 0)
    session.remark(fmt::format("{} messages are missing in the file: they were too large", counts.oversize));
  return counts.dropped == 0 && counts.trouble.empty() && reader && reader->contents().whole ? success : failure;
}

}  // namespace

int record_topics(const RecordArguments& arguments) {
  try {
    return record_until_done(arguments);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace tandem::app
