// SPDX-License-Identifier: Apache-2.0
// The services of the ROS graph, called by viewers.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/graph/graph.hpp"
#include "tandem/ros2/types/dynamic.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::runtime {

// All on the server's thread; answers come on another and wait for the next tick.
class RosServices {
 public:
  RosServices(web::Hub& hub, ros2::Node& node) : hub_(hub), node_(node) {}
  ~RosServices();
  RosServices(const RosServices&) = delete;
  RosServices& operator=(const RosServices&) = delete;

  // Adds and removes services of the hub: those whose type we know, without hidden ones.
  void follow(const ros2::Graph& graph);
  // False: the service is none of ours. Requests are CDR or JSON, and answered in the same form, within the time-out.
  bool call(std::uint32_t service, std::string_view encoding, Bytes request, const web::ServiceAnswer& answer);
  void tick(Instant now);

  static constexpr std::size_t most_services = 2000, most_calls = 256;
  static constexpr Duration timeout = 5s;

 private:
  struct Type {
    std::string name;  // "std_srvs/srv/SetBool"
    const ros2::TypeSupport *request = nullptr, *response = nullptr;
  };
  struct Service {
    std::string name;
    Type type;
    std::uint32_t id = 0;  // in the hub
    std::optional<ros2::AnyClient> client;
    std::optional<ros2::DynamicType> request, response;
  };
  struct Call {
    std::string service, encoding;
    ros2::DynamicType response;
    web::ServiceAnswer answer;
    Instant deadline{};
  };
  struct Answers {
    std::mutex mutex;
    std::vector<std::pair<std::uint64_t, Result<std::vector<std::uint8_t>>>> come;
  };

  static std::map<std::string, Type> offered(const ros2::Graph& graph);
  Result<void> begin(Service& service, std::string_view encoding, Bytes request, const web::ServiceAnswer& answer);

  web::Hub& hub_;
  ros2::Node& node_;
  std::map<std::uint32_t, Service> services_;  // by id in the hub
  std::map<std::uint64_t, Call> calls_;
  std::uint64_t last_call_ = 0;
  std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
};

}  // namespace tandem::runtime
