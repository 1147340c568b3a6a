// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_channels.hpp"

#include <fmt/format.h>

#include <iterator>

#include "tandem/ros2/full_node.hpp"
#include "tandem/runtime/page/ros_parameters.hpp"
#include "tandem/runtime/page/ros_publishers.hpp"
#include "tandem/runtime/page/ros_services.hpp"
#include "tandem/runtime/page/ros_topics.hpp"

namespace tandem::runtime {
namespace {

constexpr const char* parameter_events = "/parameter_events";

Error no_ros() { return {Fault::unsupported, "ROS 2 is disabled"}; }

}  // namespace

// All that lives while there is a hub and a context; ends from below.
struct RosChannels::Attached {
  Attached(web::Hub& the_hub, ros2::Context& the_context, const RosChannelsOptions& options, TopicFeed& feed)
      : hub(the_hub),
        context(the_context),
        node(context, options.node),
        topics(hub, context, node, feed, options.linger),
        publishers(context, node),
        services(hub, node),
        parameters(context.local_parameters()) {}

  web::Hub& hub;
  ros2::Context context;  // a copy keeps DDS alive
  ros2::FullNode node;
  RosTopics topics;
  RosPublishers publishers;
  RosServices services;
  RosParameters parameters;
  Instant next_look{};
  bool looked = false;  // in this tick
};

struct RosChannels::Impl {
  explicit Impl(RosChannelsOptions the_options) : options(std::move(the_options)), feed(options.ring_bytes) {}

  RosChannelsOptions options;
  TopicFeed feed;
  std::unique_ptr<Attached> attached;
};

RosChannels::RosChannels(RosChannelsOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  impl_->feed.keep(parameter_events);
}

RosChannels::~RosChannels() { detach(); }

std::uint32_t RosChannels::opened(const ros2::TappedTopic& topic) { return impl_->feed.opened(topic); }
void RosChannels::closed(std::uint32_t handle) { impl_->feed.closed(handle); }
void RosChannels::passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept {
  impl_->feed.passed(handle, cdr, stamp);
}
std::uint64_t RosChannels::dropped() const { return impl_->feed.dropped(); }

void RosChannels::attach(web::Hub& hub, ros2::Context& context) {
  detach();
  impl_->attached = std::make_unique<Attached>(hub, context, impl_->options, impl_->feed);
}

// Kept until the last of it has gone: the tap receives of its end.
void RosChannels::detach() { const std::unique_ptr<Attached> ends = std::move(impl_->attached); }

void RosChannels::fill(web::World& world) {
  // Without it viewers publish with ROS 1's definitions, whose headers are longer. Any distribution with our types.
  world.metadata.emplace("ROS_DISTRO", "jazzy");
  world.wanted = [this, others = world.wanted](web::ChannelId channel, bool wanted) {
    if (impl_->attached && impl_->attached->topics.wanted(channel, wanted)) return;
    if (others) others(channel, wanted);
  };
  world.advertise = [this](web::ClientId, const web::ClientChannel& channel) -> Result<void> {
    if (!impl_->attached) return no_ros();
    if (impl_->options.viewer_publishes) impl_->options.viewer_publishes(channel.topic);
    auto advertised = impl_->attached->publishers.advertise(channel);
    if (impl_->options.viewer_publishes) impl_->options.viewer_publishes({});
    return advertised;
  };
  world.unadvertise = [this](web::ClientId client, const web::ClientChannel& channel) {
    if (impl_->attached) impl_->attached->publishers.unadvertise(client, channel);
  };
  world.publish = [this](web::ClientId client, const web::ClientChannel& channel, Bytes message) -> Result<void> {
    return impl_->attached ? impl_->attached->publishers.publish(client, channel, message) : no_ros();
  };
  world.call = [this, others = world.call](web::ClientId client, std::uint32_t service, std::string_view encoding,
                                           Bytes request, const web::ServiceAnswer& answer) {
    if (impl_->attached && impl_->attached->services.call(service, encoding, request, answer)) return;
    if (others) return others(client, service, encoding, request, answer);
    answer(Error{Fault::not_found, fmt::format("service {} is no longer available", service)});
  };
  world.parameters = [this, others = world.parameters](const std::vector<std::string>& names) {
    auto all = others ? others(names) : std::vector<web::Parameter>{};
    if (!impl_->attached) return all;
    std::ranges::move(impl_->attached->parameters.list(names), std::back_inserter(all));
    return all;
  };
  world.set_parameter = [this, others = world.set_parameter](const web::Parameter& parameter) -> Result<void> {
    const bool ours = impl_->attached && parameter.name.starts_with('/');
    if (!ours && others) return others(parameter);
    return impl_->attached ? impl_->attached->parameters.set(parameter) : no_ros();
  };
  world.asset = [this, others = world.asset](std::string_view uri) -> Result<std::vector<std::uint8_t>> {
    if (others) {
      if (auto found = others(uri)) return found;
    }
    return impl_->attached ? impl_->attached->topics.asset(uri) : no_ros();
  };
  world.tick = [this, others = world.tick] {
    if (others) others();
    tick();
  };
}

void RosChannels::look() {
  Attached& attached = *impl_->attached;
  attached.looked = true;
  attached.next_look = now() + impl_->options.look;
  const ros2::Graph graph = attached.context.graph();
  attached.topics.follow(graph);
  attached.services.follow(graph);
  attached.hub.set_graph(connection_graph(graph));
}

// A publisher is announced before the graph has it, so a sample may come for which there is no channel yet.
void RosChannels::publish(const std::string& topic, Bytes cdr, UtcTime stamp) {
  Attached& attached = *impl_->attached;
  if (topic == parameter_events) {
    const std::vector<web::Parameter> news = attached.parameters.changed(cdr);
    if (!news.empty()) attached.hub.parameters_changed(news);
  }
  if (attached.topics.publish(topic, cdr, stamp) || attached.looked) return;
  look();
  attached.topics.publish(topic, cdr, stamp);
}

void RosChannels::tick() {
  if (!impl_->attached) return;
  Attached& attached = *impl_->attached;
  attached.looked = false;
  const Instant begun = now();
  if (impl_->feed.take_news() || attached.topics.waits() || begun >= attached.next_look) look();
  impl_->feed.take([this](const std::string& topic, Bytes cdr, UtcTime stamp) { publish(topic, cdr, stamp); });
  attached.publishers.tick(begun);
  attached.services.tick(begun);
}

}  // namespace tandem::runtime
