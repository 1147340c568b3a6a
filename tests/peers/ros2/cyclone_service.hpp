// SPDX-License-Identifier: Apache-2.0
// Services on Cyclone DDS as rmw_cyclonedds has them: both ends of one, with the checks that it makes.
#pragma once

#include <optional>

#include "services.h"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/peers/ros2/cyclone_peer.hpp"

namespace tandem::ros2 {

// What Cyclone's compiler made of a service, under one name.
#define CYCLONE_SERVICE(name, start)                                                 \
  struct name {                                                                      \
    using Request = start##_Request_;                                                \
    using Response = start##_Response_;                                              \
    static const dds_topic_descriptor_t& request() { return start##_Request__desc; } \
    static const dds_topic_descriptor_t& reply() { return start##_Response__desc; }  \
  }

namespace cyclone {
CYCLONE_SERVICE(SetBool, std_srvs_srv_dds__SetBool);
CYCLONE_SERVICE(DescribeParameters, rcl_interfaces_srv_dds__DescribeParameters);
CYCLONE_SERVICE(GetParameters, rcl_interfaces_srv_dds__GetParameters);
CYCLONE_SERVICE(GetParameterTypes, rcl_interfaces_srv_dds__GetParameterTypes);
CYCLONE_SERVICE(ListParameters, rcl_interfaces_srv_dds__ListParameters);
CYCLONE_SERVICE(SetParameters, rcl_interfaces_srv_dds__SetParameters);
CYCLONE_SERVICE(SetParametersAtomically, rcl_interfaces_srv_dds__SetParametersAtomically);
CYCLONE_SERVICE(CancelGoal, action_msgs_srv_dds__CancelGoal);
CYCLONE_SERVICE(SendGoal, control_msgs_action_dds__GripperCommand_SendGoal);
CYCLONE_SERVICE(GetResult, control_msgs_action_dds__GripperCommand_GetResult);
}  // namespace cyclone
#undef CYCLONE_SERVICE

// What our services of the tests answer.
inline std_srvs::SetBool::Response mirror(const std_srvs::SetBool::Request& request) {
  std_srvs::SetBool::Response response;
  response.success = request.data;
  response.message = request.data ? "on" : "off";
  return response;
}

enum class Marks { none, given };  // clientid or serviceid in the USER_DATA

// "a=1;key=2;" and "key": "key=2". Empty without it.
inline std::string marked_with(const std::string& user_data, const std::string& key) {
  const std::size_t start = user_data.find(key + "=");
  return start == std::string::npos ? "" : user_data.substr(start, user_data.find(';', start) - start);
}

template <typename S>
class CycloneClient {
 public:
  using Request = typename S::Request;
  using Response = typename S::Response;

  CycloneClient(Cyclone& peer, const std::string& name, Marks marks = Marks::given, const Qos& qos = Qos::services())
      : peer_(peer) {
    const std::string mark = marks == Marks::given ? peer.mark("clientid") : "";
    reader_ = peer.reader(S::reply(), "rr" + name + "Reply", qos, mark);
    writer_ = peer.writer(S::request(), "rq" + name + "Request", qos, mark);
    dds_instance_handle_t handle = 0;
    REQUIRE(dds_get_instance_handle(writer_, &handle) == DDS_RETCODE_OK);
    guid_ = handle;
  }
  ~CycloneClient() {
    peer_.remove(writer_);
    peer_.remove(reader_);
  }
  CycloneClient(const CycloneClient&) = delete;
  CycloneClient& operator=(const CycloneClient&) = delete;

  // As rmw_service_server_is_available: a reader and a writer with the same serviceid are matched.
  bool ready() const {
    const auto takers = matched_user_data(writer_, false);
    for (const std::string& giver : matched_user_data(reader_, true)) {
      const std::string id = marked_with(giver, "serviceid");
      if (!id.empty() &&
          std::ranges::any_of(takers, [&](const auto& data) { return marked_with(data, "serviceid") == id; })) {
        return true;
      }
    }
    return false;
  }

  // The number of the call.
  std::int64_t send(Request request) {
    request.guid = guid_;
    request.seq = ++last_;
    CHECK(dds_write(writer_, &request) == DDS_RETCODE_OK);
    return last_;
  }
  // One reply that is ours; those for others are passed over, as rmw does.
  template <typename Look>
  bool take(Look look) {
    bool ours = false;
    while (!ours && ros2::take<Response>(reader_, [&](const Response& response) {
      ours = response.guid == guid_;
      if (ours) look(response);
    })) {
    }
    return ours;
  }
  // Sends once and waits.
  template <typename Look>
  bool call(const Request& request, Look look) {
    const std::int64_t number = send(request);
    const auto end = std::chrono::steady_clock::now() + 20s;
    for (bool done = false; std::chrono::steady_clock::now() < end;) {
      const bool taken = take([&](const Response& response) {
        done = response.seq == number;
        if (done) look(response);
      });
      if (done) return true;
      if (!taken) std::this_thread::sleep_for(100us);
    }
    return false;
  }

  std::uint64_t guid() const { return guid_; }
  dds_entity_t reader() const { return reader_; }
  dds_entity_t writer() const { return writer_; }

 private:
  Cyclone& peer_;
  dds_entity_t reader_ = 0, writer_ = 0;
  std::uint64_t guid_ = 0;
  std::int64_t last_ = 0;
};

template <typename S>
class CycloneServer {
 public:
  using Request = typename S::Request;  // ones without pointers: they are copied
  using Response = typename S::Response;
  struct Asked {
    Request request;
    dds_instance_handle_t writer = 0;
  };

  CycloneServer(Cyclone& peer, const std::string& name, Marks marks = Marks::given, const Qos& qos = Qos::services())
      : peer_(peer) {
    const std::string mark = marks == Marks::given ? peer.mark("serviceid") : "";
    writer_ = peer.writer(S::reply(), "rr" + name + "Reply", qos, mark);
    reader_ = peer.reader(S::request(), "rq" + name + "Request", qos, mark);
  }
  ~CycloneServer() {
    peer_.remove(reader_);
    peer_.remove(writer_);
  }
  CycloneServer(const CycloneServer&) = delete;
  CycloneServer& operator=(const CycloneServer&) = delete;

  // Matching is not symmetric across vendors: a client may see this server well before it is seen by it.
  bool sees_client() const {
    dds_subscription_matched_status_t requests{};
    dds_publication_matched_status_t replies{};
    return dds_get_subscription_matched_status(reader_, &requests) == DDS_RETCODE_OK && requests.current_count > 0 &&
           dds_get_publication_matched_status(writer_, &replies) == DDS_RETCODE_OK && replies.current_count > 0;
  }

  // Gives it to `look` while what its pointers point to is there; afterwards it may still be answered.
  template <typename Look>
  bool take(Look look) {
    void* sample = nullptr;
    dds_sample_info_t info;
    if (dds_take(reader_, &sample, &info, 1, 1) != 1) return false;
    if (info.valid_data) look(Asked{*static_cast<const Request*>(sample), info.publication_handle});
    dds_return_loan(reader_, &sample, 1);
    return info.valid_data;
  }
  std::optional<Asked> take() {
    std::optional<Asked> asked;
    take([&](const Asked& one) { asked = one; });
    return asked;
  }
  std::optional<Asked> wait(Duration deadline = 20s) {
    std::optional<Asked> asked;
    eventually([&] { return (asked = take()).has_value(); }, deadline);
    return asked;
  }
  // As rmw_send_response: a client that gives its id must have a reply reader of that id within 100 ms.
  bool answer(const Asked& asked, Response response) {
    if (!eventually([&] { return client_hears(asked.writer); }, 100ms)) return false;
    response.guid = asked.request.guid;
    response.seq = asked.request.seq;
    return dds_write(writer_, &response) == DDS_RETCODE_OK;
  }
  // Until stopped: `fill` makes the response of a request.
  template <typename Fill>
  std::jthread serve(Fill fill) {
    return std::jthread([this, fill](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const auto asked = take();
        if (!asked) {
          std::this_thread::sleep_for(100us);
          continue;
        }
        Response response{};
        fill(asked->request, response);
        answer(*asked, response);
      }
    });
  }

 private:
  bool client_hears(dds_instance_handle_t request_writer) const {
    dds_builtintopic_endpoint_t* client = dds_get_matched_publication_data(reader_, request_writer);
    if (client == nullptr) return false;
    void* data = nullptr;
    std::size_t size = 0;
    const bool found = dds_qget_userdata(client->qos, &data, &size);
    const std::string id = marked_with(found ? std::string(static_cast<const char*>(data), size) : "", "clientid");
    dds_free(data);
    dds_builtintopic_free_endpoint(client);
    return id.empty() || std::ranges::any_of(matched_user_data(writer_, false), [&](const std::string& other) {
             return marked_with(other, "clientid") == id;
           });
  }

  Cyclone& peer_;
  dds_entity_t reader_ = 0, writer_ = 0;
};

}  // namespace tandem::ros2
