// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tandem/ros2/dds/errors.hpp"
#include "tandem/ros2/dds/participant.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::ros2 {
namespace {

std::mutex ids_mutex;
std::set<int> ids;

// Fast DDS turns every participant into a client of the discovery server that these name. Transports that stay on
// loopback then get destinations that they do not carry, which Debian's Fast DDS answers with an assertion. Whether a
// context is a client is said by its options alone, so these are hidden while a participant is created; then the
// process, which may be a user's own Python, has them back. Tandem's own program takes them out at its start.
class HiddenDiscoveryServer {
 public:
  HiddenDiscoveryServer() {
    for (const char* name : discovery_server_variables) {
      if (const char* value = std::getenv(name)) hidden_.emplace_back(name, value);
      unsetenv(name);
    }
  }
  ~HiddenDiscoveryServer() {
    for (const auto& [name, value] : hidden_) setenv(name, value.c_str(), 1);
  }
  HiddenDiscoveryServer(const HiddenDiscoveryServer&) = delete;
  HiddenDiscoveryServer& operator=(const HiddenDiscoveryServer&) = delete;

 private:
  std::vector<std::pair<const char*, std::string>> hidden_;
};

std::string start_failure(const ContextOptions& options, const std::string& errors) {
  if (!options.security) {
    return fmt::format("DDS does not start in domain {}: {}", options.domain,
                       errors.empty() ? "no free port or no interface" : errors);
  }
  return fmt::format("DDS does not start in domain {} with the certificates and permissions in {}: {}", options.domain,
                     enclave_folder(options.security->keystore, options.enclave),
                     errors.empty() ? "no reason given" : errors);
}

}  // namespace

ParticipantId::ParticipantId() {
  const std::lock_guard lock(ids_mutex);
  while (!ids.insert(value_).second) ++value_;
}

ParticipantId::~ParticipantId() {
  const std::lock_guard lock(ids_mutex);
  if (!kept_) ids.erase(value_);
}

Presence::Presence(const ContextOptions& options, dds::DomainParticipantListener* listener, const TransportNotes& notes,
                   std::vector<Event>& warnings) {
  const dds::DomainParticipantQos qos = participant_qos(options, id_.value(), notes, warnings);
  const HiddenDiscoveryServer hidden;
  const DdsErrors errors;
  participant_ = dds::DomainParticipantFactory::get_instance()->create_participant(
      static_cast<dds::DomainId_t>(options.domain), qos, listener, dds::StatusMask::none());
  if (participant_ == nullptr) {
    id_.keep();
    throw std::runtime_error(start_failure(options, errors.text()));
  }
  gid_ = gid_from(participant_->guid());
  publisher_ = participant_->create_publisher(dds::PUBLISHER_QOS_DEFAULT);
  subscriber_ = participant_->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT);
  if (publisher_ == nullptr || subscriber_ == nullptr) throw std::runtime_error("DDS gives no publisher or subscriber");
}

Presence::~Presence() {
  participant_->set_listener(nullptr);
  participant_->delete_contained_entities();
  dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
}

void Presence::turn_deaf() { participant_->set_listener(nullptr); }

dds::Topic* Presence::open_topic(const std::string& dds_topic, const std::string& dds_type) {
  const std::lock_guard lock(topics_mutex_);
  OpenTopic& open = topics_[dds_topic];
  if (open.topic == nullptr) {
    if (!participant_->find_type(dds_type).empty() ||
        bytes_type(dds_type).register_type(participant_) == eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK) {
      open.topic = participant_->create_topic(dds_topic, dds_type, dds::TOPIC_QOS_DEFAULT);
    }
  } else if (open.topic->get_type_name() != dds_type) {
    throw std::invalid_argument(fmt::format("topic {}: already in use here with type {}, not {}",
                                            ros_topic_name(dds_topic), ros_type_name(open.topic->get_type_name()),
                                            ros_type_name(dds_type)));
  }
  if (open.topic == nullptr) {
    topics_.erase(dds_topic);
    throw std::runtime_error(fmt::format("DDS refuses topic {} with type {}", dds_topic, dds_type));
  }
  ++open.uses;
  return open.topic;
}

void Presence::close_topic(const std::string& dds_topic) {
  const std::lock_guard lock(topics_mutex_);
  const auto found = topics_.find(dds_topic);
  if (found == topics_.end() || --found->second.uses > 0) return;
  participant_->delete_topic(found->second.topic);
  topics_.erase(found);
}

}  // namespace tandem::ros2
