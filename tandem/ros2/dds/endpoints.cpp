// SPDX-License-Identifier: Apache-2.0
// Writers and readers of topics.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <limits>
#include <stdexcept>

#include "tandem/ros2/dds/participant.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::ros2 {
namespace {

using eprosima::fastrtps::types::ReturnCode_t;

GraphEndpoint graph_endpoint(const EndpointNames& names, const rtps::GUID_t& guid, bool writes, const Qos& qos) {
  GraphEndpoint endpoint;
  endpoint.gid = gid_from(guid);
  endpoint.writes = writes;
  endpoint.topic = ros_topic_name(names.dds_topic);
  endpoint.type = names.type;
  endpoint.dds_topic = names.dds_topic;
  endpoint.dds_type = dds_type_name(names.type);
  endpoint.type_hash = names.type_hash;
  endpoint.qos = qos;
  return endpoint;
}

SampleTap* tap_of(const Participant& participant, const EndpointNames& names) {
  const bool topic = names.tapped && !ros_topic_name(names.dds_topic).empty();
  return topic ? participant.options().tap : nullptr;
}

TappedTopic tapped_topic(const EndpointNames& names, const Qos& qos, net::Direction direction) {
  return {names.topic,
          names.type,
          names.type_hash,
          direction,
          qos.reliability == Reliability::reliable,
          qos.durability == Durability::transient_local,
          qos.acts};
}

// The graph reports who does not fit, and why, as soon as it knows the node's name. What is left are policies that it
// does not look at.
void report_incompatible(Participant& participant, const EndpointNames& names, const Qos& ours, bool we_write) {
  for (const GraphEndpoint& other : participant.graph().remote_on(names.dds_topic, !we_write)) {
    const bool told = !(we_write ? incompatibility(ours, other.qos) : incompatibility(other.qos, ours)).empty();
    if (told) return participant.graph_seen();
  }
  participant.report({Event::Kind::incompatible_qos, names.topic,
                      fmt::format("{}: another {} has a QoS policy incompatible with this {}", names.topic,
                                  we_write ? "subscriber" : "publisher", we_write ? "publisher" : "subscriber")});
}

std::string refusal(const Participant& participant, const std::string& topic, const char* what, const Qos& qos) {
  const ContextOptions& options = participant.options();
  return fmt::format("{}: DDS refuses a {} with {}{}", topic, what, to_text(qos),
                     options.security ? ", or the permissions of enclave " + options.enclave + " deny it" : "");
}

}  // namespace

NodeEntry::NodeEntry(std::shared_ptr<Participant> owner, std::string node_name, std::string node_namespace)
    : participant(std::move(owner)), name(std::move(node_name)), name_space(std::move(node_namespace)) {
  id = participant->graph().add_node(name, name_space);
  participant->graph_changed();
}

NodeEntry::~NodeEntry() {
  participant->graph().remove_node(id);
  participant->graph_changed();
}

Writer::Writer(Participant& participant, std::shared_ptr<NodeEntry> node, EndpointNames names, const Qos& qos,
               const std::string& user_data, std::function<void()> on_match)
    : participant_(participant),
      node_(std::move(node)),
      names_(std::move(names)),
      tap_(tap_of(participant, names_), tapped_topic(names_, qos, net::Direction::out)),
      qos_(qos),
      on_match_(std::move(on_match)),
      user_data_(user_data) {
  presence_ = participant_.presence();
  writer_ = open(*presence_);
  if (writer_ == nullptr) throw std::runtime_error(refusal(participant_, names_.topic, "publisher", qos));
  participant_.enroll(*this);
}

Writer::~Writer() {
  participant_.dismiss(*this);
  close(*presence_, writer_);
}

dds::DataWriter* Writer::open(Presence& presence) {
  dds::Topic* topic = presence.open_topic(names_.dds_topic, dds_type_name(names_.type));
  dds::DataWriter* writer = presence.publisher().create_datawriter(
      topic, writer_qos(qos_, user_data_, reaches_out(participant_.options())), this,
      dds::StatusMask::publication_matched() << dds::StatusMask::offered_incompatible_qos());
  if (writer == nullptr) {
    presence.close_topic(names_.dds_topic);
    return nullptr;
  }
  participant_.acknowledgements().enroll(gid_from(writer->guid()), on_match_);
  participant_.graph().add_local(node_ ? node_->id : 0, graph_endpoint(names_, writer->guid(), true, qos_));
  participant_.graph_changed();
  return writer;
}

void Writer::close(Presence& presence, dds::DataWriter* writer) {
  participant_.acknowledgements().dismiss(gid_from(writer->guid()));
  participant_.graph().remove_local(gid_from(writer->guid()));
  participant_.graph_changed();
  presence.publisher().delete_datawriter(writer);
  presence.close_topic(names_.dds_topic);
}

Gid Writer::gid() const {
  const std::shared_lock lock(swap_);
  return gid_from(writer_->guid());
}

bool Writer::reaches(const Gid& reader, Duration settling) const {
  const std::optional<Instant> since = matches_.since(reader);
  if (!since) return false;
  return settling == 0s || std::chrono::steady_clock::now() >= *since + settling || is_acknowledged_by(reader);
}

std::size_t Writer::reached() const {
  const std::vector<Gid> readers = matches_.all();
  return static_cast<std::size_t>(std::ranges::count_if(
      readers, [this](const Gid& reader) { return reaches(reader, settling_time(participant_.dialect_of(reader))); }));
}

bool Writer::is_acknowledged_by(const Gid& reader) const {
  return participant_.is_own(reader) || participant_.acknowledgements().contains(gid(), reader);
}

bool Writer::wait_for_acknowledgements(Duration timeout) const {
  const std::shared_lock lock(swap_);
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  return writer_->wait_for_acknowledgments(
             {static_cast<std::int32_t>(whole.count()), static_cast<std::uint32_t>((timeout - whole).count())}) ==
         ReturnCode_t::RETCODE_OK;
}

// Volatile samples that no reader is there for are lost in any case, so DDS need not see them. A reader that has
// matched counts from before its match is reported on.
bool Writer::may_be_heard() const {
  return matches_.count() > 0 || qos_.durability == Durability::transient_local || miscounted_;
}

// What the tap sees of a sample that DDS does not.
bool Writer::pass_to_tap(const Outgoing& outgoing, std::size_t size) const {
  thread_local std::vector<std::uint8_t> bytes;  // writes come from any thread
  bytes.resize(size);
  if (!outgoing.write(outgoing.message, bytes)) return false;
  tap_.pass(bytes);
  return true;
}

bool Writer::write(const Outgoing& outgoing) {
  const bool heard = may_be_heard();
  if (!heard && !tap_) return true;
  const std::size_t size = outgoing.size(outgoing.message);
  if (size > std::numeric_limits<std::int32_t>::max()) return false;
  if (!heard) return pass_to_tap(outgoing, size);
  Pending pending{outgoing, static_cast<std::uint32_t>(size), tap_ ? &tap_ : nullptr};
  if (qos_.durability == Durability::transient_local) keep(outgoing, size);
  const std::shared_lock lock(swap_);
  return writer_->write(&pending);
}

// State that late subscribers must get even after the endpoint is recreated; logs and the like (deeper than this) would
// only be heard twice. The buffers are reused.
void Writer::keep(const Outgoing& outgoing, std::size_t size) {
  constexpr int deepest = 10;
  if (node_ == nullptr || qos_.history != History::keep_last || qos_.depth > deepest) return;
  const std::lock_guard lock(kept_mutex_);
  ++kept_count_;
  std::vector<std::uint8_t> bytes;
  if (kept_.size() >= static_cast<std::size_t>(qos_.depth)) {
    bytes = std::move(kept_.front());
    kept_.pop_front();
  }
  bytes.resize(size);
  if (outgoing.write(outgoing.message, bytes)) kept_.push_back(std::move(bytes));
}

std::int64_t Writer::write(Bytes cdr, const Related& related) {
  Pending pending{outgoing_bytes(cdr), static_cast<std::uint32_t>(cdr.size())};
  rtps::WriteParams parameters;
  parameters.related_sample_identity().writer_guid(guid_from(related.guid));
  parameters.related_sample_identity().sequence_number() = rtps::SequenceNumber_t(
      static_cast<std::int32_t>(related.sequence >> 32), static_cast<std::uint32_t>(related.sequence));
  const std::shared_lock lock(swap_);
  if (!writer_->write(&pending, parameters)) return -1;
  return static_cast<std::int64_t>(parameters.sample_identity().sequence_number().to64long());
}

void Writer::on_publication_matched(dds::DataWriter* writer, const dds::PublicationMatchedStatus& status) {
  const Gid reader = gid_from(rtps::iHandle2GUID(status.last_subscription_handle));
  const bool matched = status.current_count_change > 0;
  if (!matched) participant_.acknowledgements().forget(gid_from(writer->guid()), reader);
  matches_.take(writer, reader, matched);
  // Fast DDS does not serialise these calls and adds up what it has not reported yet: two at once name one reader only.
  if (static_cast<int>(matches_.count_of(writer)) != status.current_count) miscounted_ = true;
  if (on_match_) on_match_();
}

void Writer::on_offered_incompatible_qos(dds::DataWriter*, const dds::OfferedIncompatibleQosStatus&) {
  report_incompatible(participant_, names_, qos_, true);
}

Reader::Reader(Participant& participant, std::shared_ptr<NodeEntry> node, EndpointNames names, const Qos& qos,
               const std::string& user_data, std::unique_ptr<Incoming> incoming, std::function<void()> on_match)
    : participant_(participant),
      node_(std::move(node)),
      names_(std::move(names)),
      tap_(tap_of(participant, names_), tapped_topic(names_, qos, net::Direction::in)),
      qos_(qos),
      user_data_(user_data),
      incoming_(std::move(incoming)),
      on_match_(std::move(on_match)),
      gate_(qos.owner_silence) {
  presence_ = participant_.presence();
  reader_ = open(*presence_);
  if (reader_ == nullptr) throw std::runtime_error(refusal(participant_, names_.topic, "subscription", qos));
  participant_.enroll(*this);
}

Reader::~Reader() {
  participant_.dismiss(*this);
  closed_ = true;
  if (reader_ != nullptr) close(*presence_, reader_);
}

dds::DataReader* Reader::open(Presence& presence) {
  dds::Topic* topic = presence.open_topic(names_.dds_topic, dds_type_name(names_.type));
  dds::DataReader* reader = presence.subscriber().create_datareader(
      topic, reader_qos(qos_, user_data_), this,
      dds::StatusMask::data_available() << dds::StatusMask::subscription_matched()
                                        << dds::StatusMask::requested_incompatible_qos());
  if (reader == nullptr) {
    presence.close_topic(names_.dds_topic);
    return nullptr;
  }
  participant_.graph().add_local(node_ ? node_->id : 0, graph_endpoint(names_, reader->guid(), false, qos_));
  participant_.graph_changed();
  return reader;
}

void Reader::close(Presence& presence, dds::DataReader* reader) {
  participant_.graph().remove_local(gid_from(reader->guid()));
  participant_.graph_changed();
  presence.subscriber().delete_datareader(reader);
  presence.close_topic(names_.dds_topic);
}

Gid Reader::gid() const {
  const std::shared_lock lock(swap_);
  return reader_ == nullptr ? Gid{} : gid_from(reader_->guid());
}

// Fast DDS may call from several receive threads, with or without its own lock held, so no one waits here: the first
// to come takes for all, and looks again as long as others have knocked meanwhile.
void Reader::on_data_available(dds::DataReader* reader) {
  if (knocks_.fetch_add(1) > 0) return;
  std::uint32_t knocks = 0;
  do {
    knocks = knocks_.load();
    take_all(*reader);
  } while (knocks_.fetch_sub(knocks) != knocks);
}

void Reader::take_all(dds::DataReader& reader) {
  dds::SampleInfo sample;
  Arriving arriving{incoming_.get(), nullptr, tap_ ? &tapped_ : nullptr};
  while (!closed_ && reader.take_next_sample(&arriving, &sample) == ReturnCode_t::RETCODE_OK) {
    if (!sample.valid_data) continue;
    if (arriving.failure != nullptr) {
      drop(arriving.failure, gid_from(sample.sample_identity.writer_guid()));
      continue;
    }
    MessageInfo info;
    info.publisher = gid_from(sample.sample_identity.writer_guid());
    info.sequence = sample.sample_identity.sequence_number().to64long();
    info.sent = UtcTime(Duration(sample.source_timestamp.to_ns()));
    info.received = std::chrono::steady_clock::now();
    info.related = gid_from(sample.related_sample_identity.writer_guid());
    info.related_sequence = sample.related_sample_identity.sequence_number().to64long();
    if (qos_.ownership == Ownership::exclusive && !admit(info)) continue;
    // What comes from our own publishers has been reported when they sent it.
    if (tap_ && !participant_.is_own(info.publisher)) tap_.pass(tapped_);
    incoming_->deliver(info);
  }
}

// Whether the sample comes from the topic's owner; reports those that do not, and a new owner.
bool Reader::admit(const MessageInfo& info) {
  const auto name_of = [this](const Gid& gid) {
    const std::string name = participant_.graph().node_of(gid);
    return name.empty() ? std::string("an unknown node") : name;
  };
  const bool ours =
      gate_.admit(info.publisher, info.received, [this](const Gid& gid) { return matches_.contains(gid); });
  std::string text;
  if (const std::optional<Gid> replaced = gate_.take_replaced()) {
    text = fmt::format("{} is now the publisher; {} is gone or silent", name_of(info.publisher), name_of(*replaced));
  } else if (const std::uint64_t count = ours ? 0 : ++refused_; std::has_single_bit(count)) {
    text = fmt::format("{} is ignored, as the topic is owned by {} ({} samples in total)", name_of(info.publisher),
                       name_of(*gate_.owner()), count);
  }
  if (!text.empty()) {
    participant_.report({Event::Kind::second_publisher, names_.topic, fmt::format("{}: {}", names_.topic, text)});
  }
  return ours;
}

// Told at the first, second, fourth, eighth ... so that a flood of them stays a trickle of words.
void Reader::drop(const char* failure, const Gid& gid) {
  const std::uint64_t count = ++malformed_;
  if (!std::has_single_bit(count)) return;
  std::string from = "an unknown node";
  for (const GraphEndpoint& writer : participant_.graph().remote_on(names_.dds_topic, true)) {
    if (writer.gid == gid && !writer.node.empty()) from = writer.node;
  }
  participant_.report({Event::Kind::malformed_sample, names_.topic,
                       fmt::format("{}: dropped a sample from {} that is not a valid {}: {} ({} in total)",
                                   names_.topic, from, names_.type, failure, count)});
}

void Reader::on_subscription_matched(dds::DataReader* reader, const dds::SubscriptionMatchedStatus& status) {
  matches_.take(reader, gid_from(rtps::iHandle2GUID(status.last_publication_handle)), status.current_count_change > 0);
  if (on_match_) on_match_();
}

void Reader::on_requested_incompatible_qos(dds::DataReader*, const dds::RequestedIncompatibleQosStatus&) {
  report_incompatible(participant_, names_, qos_, false);
}

}  // namespace tandem::ros2
