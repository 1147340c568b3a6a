// SPDX-License-Identifier: Apache-2.0
// A ROS 2 node for Python. What arrives waits in an inbox until Python takes it: no thread of DDS ever runs Python.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "tandem/app/ros/graph_view.hpp"
#include "tandem/app/ros/type_lookup.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/failure.hpp"
#include "tandem/python/interruptible.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/full_node.hpp"

namespace tandem::python {
namespace {

namespace py = pybind11;
namespace ros = app::ros;
using Payload = std::vector<std::uint8_t>;

py::bytes bytes_object(const Payload& payload) {
  return {reinterpret_cast<const char*>(payload.data()), payload.size()};
}
Payload payload_of(const py::bytes& bytes) {
  const std::string_view text = bytes;
  return {text.begin(), text.end()};
}

struct Arrival {
  int id = 0;  // of the subscription
  Payload cdr;
  std::int64_t sent = 0, received = 0;  // ns since 1970
};

// Of more than it holds the oldest go.
class ArrivalBox {
 public:
  void put(Arrival arrival) {
    {
      const std::lock_guard lock(mutex_);
      bytes_ += arrival.cdr.size();
      waiting_.push_back(std::move(arrival));
      while (waiting_.size() > most || (bytes_ > most_bytes && waiting_.size() > 1)) {
        bytes_ -= waiting_.front().cdr.size();
        waiting_.pop_front();
        ++dropped_;
      }
    }
    there_.notify_one();
  }
  std::optional<Arrival> take(Duration timeout) {
    std::unique_lock lock(mutex_);
    there_.wait_for(lock, timeout, [this] { return closed_ || !waiting_.empty(); });
    if (closed_ || waiting_.empty()) return std::nullopt;
    Arrival arrival = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= arrival.cdr.size();
    return arrival;
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    there_.notify_all();
  }
  std::size_t dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

 private:
  static constexpr std::size_t most = 10'000;
  static constexpr std::size_t most_bytes = 256u << 20;
  mutable std::mutex mutex_;
  std::condition_variable there_;
  std::deque<Arrival> waiting_;
  std::size_t bytes_ = 0, dropped_ = 0;
  bool closed_ = false;
};

ros2::ContextOptions options_from(std::optional<int> domain, const std::string& range) {
  auto environment = unwrapped(ros2::context_options_from_environment());
  if (domain) environment.options.domain = *domain;
  if (range == "localhost") environment.options.range = ros2::DiscoveryRange::localhost;
  if (range == "subnet") environment.options.range = ros2::DiscoveryRange::subnet;
  environment.options.range_is_asked_for = environment.options.range_is_asked_for || !range.empty();
  return environment.options;
}

struct RosParts {
  RosParts(const std::string& name, const std::string& name_space, const ros2::ContextOptions& options)
      : context(options), node(context, name, name_space) {}

  ros2::Context context;
  ros2::FullNode node;
  std::map<int, ros2::RawPublisher> publishers;
  std::map<int, ros2::Subscription> subscriptions;
  std::map<int, ros2::AnyClient> clients;
};

using NamedLists = std::vector<std::pair<std::string, std::vector<std::string>>>;
NamedLists name_lists(const ros::Names& names) {
  NamedLists out;
  for (const ros::NamedTypes& each : names) out.emplace_back(each.name, each.types);
  return out;
}

ros2::Qos qos_from(bool reliable, bool latched, int depth) {
  ros2::Qos qos = ros2::Qos::standard(depth);
  if (!reliable) qos.reliability = ros2::Reliability::best_effort;
  if (latched) qos.durability = ros2::Durability::transient_local;
  return qos;
}

// Python's lock guards the maps; whatever waits or speaks to DDS does so without it, on handles of its own.
class RosNode {
 public:
  RosNode(const std::string& name, const std::string& name_space, std::optional<int> domain, const std::string& range) {
    const auto options = options_from(domain, range);
    const py::gil_scoped_release released;
    parts_ = std::make_shared<RosParts>(name, name_space, options);
  }

  std::string name() const { return parts()->node.full_name(); }
  int domain() const { return parts()->context.options().domain; }
  ros2::Graph graph() const { return parts()->context.graph(); }
  std::vector<std::string> events() const {
    std::vector<std::string> texts;
    for (const ros2::Event& event : parts()->context.take_events()) texts.push_back(event.text);
    return texts;
  }

  // The type, and remarks.
  std::pair<ros::FoundType, std::vector<std::string>> find_type(const std::string& type, const std::string& whole) {
    const auto held = parts();
    const py::gil_scoped_release released;
    std::vector<std::string> remarks;
    const ros::TypeLookup lookup{[&]() -> ros2::Node& { return held->node; },
                                 [&](const std::string& text) { remarks.push_back(text); }};
    auto found = unwrapped(ros::find_type(lookup, held->context.graph(), type, whole));
    return {std::move(found), std::move(remarks)};
  }

  int advertise(const std::string& topic, const ros::FoundType& type, bool reliable, bool latched, int depth) {
    const auto held = parts();
    held->publishers.emplace(
        next_, held->node.advertise_raw(topic, type.type.name(), type.hash, qos_from(reliable, latched, depth)));
    return next_++;
  }
  void publish(int id, const py::bytes& cdr) {
    const ros2::RawPublisher publisher = parts()->publishers.at(id);
    const Payload bytes = payload_of(cdr);
    const py::gil_scoped_release released;
    if (!publisher.publish(bytes))
      throw Failure({Fault::busy, publisher.topic() + ": DDS had no room for the message"});
  }
  std::pair<std::size_t, std::size_t> reached(int id) {
    const ros2::RawPublisher publisher = parts()->publishers.at(id);
    return {publisher.matched(), publisher.reached()};
  }
  bool acknowledged(int id, double timeout) {
    const ros2::RawPublisher publisher = parts()->publishers.at(id);
    const py::gil_scoped_release released;
    return publisher.wait_for_acknowledgements(duration_of(timeout));
  }

  // Without a quality of service: the one that hears all publishers that are there.
  int subscribe(const std::string& topic, const ros::FoundType& type, std::optional<bool> reliable, bool latched,
                int depth) {
    const auto held = parts();
    const int id = next_++;
    ros2::Qos qos = qos_from(reliable.value_or(true), latched, depth);
    const ros2::Graph graph = held->context.graph();
    if (const auto there = ros::publishers(graph, topic); !reliable && !there.empty()) {
      qos = ros2::matching_qos(there);
      qos.depth = depth;
    }
    const auto box = box_;
    held->subscriptions.emplace(
        id,
        held->node.subscribe_raw(topic, type.type.name(), type.hash, ros2::Qos::looking(qos),
                                 [box, id](Bytes cdr, const ros2::MessageInfo& info) {
                                   const auto ns = [](UtcTime time) { return time.time_since_epoch().count(); };
                                   box->put({id, {cdr.begin(), cdr.end()}, ns(info.sent), ns(system_clock().utc())});
                                 }));
    return id;
  }
  std::size_t heard(int id) { return parts()->subscriptions.at(id).matched(); }
  std::optional<std::tuple<int, py::bytes, std::int64_t, std::int64_t>> take(double timeout) {
    const auto box = box_;
    std::optional<Arrival> arrival;
    {
      const py::gil_scoped_release released;
      arrival = box->take(duration_of(timeout));
    }
    if (!arrival) return std::nullopt;
    return std::tuple(arrival->id, bytes_object(arrival->cdr), arrival->sent, arrival->received);
  }
  std::size_t dropped() const { return box_->dropped(); }

  int client(const std::string& service, const std::string& type, const ros::FoundType& request,
             const ros::FoundType& response) {
    const auto held = parts();
    held->clients.emplace(next_, ros2::AnyClient(held->node, service, {type, request.hash, response.hash}));
    return next_++;
  }
  bool ready(int id) { return parts()->clients.at(id).ready(); }
  // Ctrl-C ends the waiting; the answer, when it comes, is not looked at.
  py::bytes call(int id, const py::bytes& request, double timeout, bool idempotent) {
    const ros2::AnyClient client = parts()->clients.at(id);
    const auto promise = std::make_shared<std::promise<Result<Payload>>>();
    auto answer = promise->get_future();
    client.call_raw(payload_of(request), {.timeout = duration_of(timeout), .idempotent = idempotent},
                    [promise](Result<Payload> response) { promise->set_value(std::move(response)); });
    while (true) {
      {
        const py::gil_scoped_release released;
        if (answer.wait_for(50ms) == std::future_status::ready) break;
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return bytes_object(unwrapped(answer.get()));
  }

  void drop(int id) {
    if (!parts_) return;
    const auto held = parts_;
    auto publisher = held->publishers.extract(id);
    auto subscription = held->subscriptions.extract(id);
    auto client = held->clients.extract(id);
    const py::gil_scoped_release released;
    publisher = {}, subscription = {}, client = {};
  }
  // Wakes up who takes. Whoever is in a call keeps the parts until it returns.
  void close() {
    box_->close();
    auto held = std::exchange(parts_, nullptr);
    const py::gil_scoped_release released;
    held.reset();
  }

 private:
  std::shared_ptr<RosParts> parts() const {
    if (!parts_) throw Failure({Fault::closed, "the node is closed"});
    return parts_;
  }

  std::shared_ptr<RosParts> parts_;
  std::shared_ptr<ArrivalBox> box_ = std::make_shared<ArrivalBox>();
  int next_ = 1;
};

}  // namespace

void bind_ros(py::module_& module) {
  py::class_<RosNode>(module, "RosNode")
      .def(py::init<const std::string&, const std::string&, std::optional<int>, const std::string&>())
      .def_property_readonly("name", &RosNode::name)
      .def_property_readonly("domain", &RosNode::domain)
      .def("events", &RosNode::events)
      .def("find_type", &RosNode::find_type)
      .def("advertise", &RosNode::advertise)
      .def("publish", &RosNode::publish)
      .def("reached", &RosNode::reached)
      .def("acknowledged", &RosNode::acknowledged)
      .def("subscribe", &RosNode::subscribe)
      .def("heard", &RosNode::heard)
      .def("take", &RosNode::take)
      .def("dropped", &RosNode::dropped)
      .def("client", &RosNode::client)
      .def("ready", &RosNode::ready)
      .def("call", &RosNode::call)
      .def("drop", &RosNode::drop)
      .def("close", &RosNode::close)
      .def("topics", [](const RosNode& node) { return name_lists(ros::topics(node.graph(), false)); })
      .def("services",
           [](const RosNode& node) { return name_lists(ros::services(node.graph(), false, ros::Role::reader)); })
      .def("actions", [](const RosNode& node) { return name_lists(ros::actions(node.graph(), ros::Role::writer)); })
      .def("nodes", [](const RosNode& node) {
        std::vector<std::string> names;
        for (const ros2::GraphNode& each : node.graph().nodes) names.push_back(each.full_name());
        return names;
      });
  module.def("ros_type_name", &ros::full_type_name);
}

}  // namespace tandem::python
