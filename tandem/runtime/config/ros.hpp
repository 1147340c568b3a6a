// SPDX-License-Identifier: Apache-2.0
// The `ros:` section of a configuration: how a running tandem takes part in ROS 2.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/options.hpp"
#include "tandem/ros2/dds/security.hpp"
#include "tandem/ros2/discovery_servers.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::runtime {

struct RosConfig {
  bool enabled = true;
  std::optional<int> domain;  // else ROS_DOMAIN_ID, else 0
  // off, localhost, subnet, system_default, server; empty: server if there are any, else the ROS environment, else as
  // far as the devices
  std::string discovery;
  std::optional<std::vector<std::string>> static_peers;  // else ROS_STATIC_PEERS
  std::vector<ros2::DiscoveryServer> servers;            // else ROS_DISCOVERY_SERVER, with discovery: server or none
  std::optional<bool> super_client;                      // else ROS_SUPER_CLIENT, else true
  std::string distro = "auto";                           // whose form of the graph: auto, humble, jazzy
  bool shared_memory = false;                            // between processes of one computer
  bool publish_clock = false;                            // for those who follow it
  bool use_sim_time = false;                             // follow /clock
  std::optional<ros2::Security> security;                // else ROS_SECURITY_*
  std::string enclave = "/";                             // of `security`
};

// The keys of "ros" and of "ros.security".
std::span<const machines::Option> ros_options();
std::span<const machines::Option> ros_security_options();

// The value of "ros.servers": each of its elements "HOST[:PORT]", whose id is its place in the list, or a map with id
// and address. As texts "ID@HOST[:PORT]", or an error that names the element.
Result<yaml::Node> server_texts(const yaml::Node& list);

// Takes one value, already checked against its row; `path` is "ros.domain" or "ros.security.keystore".
void apply_ros(RosConfig& config, const std::string& path, const machines::Options& options);

}  // namespace tandem::runtime
