// SPDX-License-Identifier: Apache-2.0
// The page of a running tandem, and Foxglove's view of it, on one socket: what it looks like, its state, what
// happens, and the commands that come back. One thread, which no machine ever waits for.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "tandem/ros2/sample_tap.hpp"
#include "tandem/runtime/config/web.hpp"
#include "tandem/runtime/page/incident_reports.hpp"
#include "tandem/runtime/page/live_channels.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::ros2 {
class Context;
}

namespace tandem::runtime {

class RosChannels;

// The answer to what Prometheus or a watchdog asks: /metrics, /health, /ready and /status.json.
web::Response http_answer(const web::Request& request, const Controlled& controlled);
web::ServerOptions server_options(const WebConfig& config);
// As web::Server throws, and std::invalid_argument with all of web_problems(); where any port will do, another one is
// taken when this one is not free. Troubles are kept for those who ask for them.
std::unique_ptr<web::Server> open_server(const WebConfig& config, web::Hub& hub,
                                         std::function<void(std::string_view text)> on_trouble = {});

class Page {
 public:
  // Throws std::invalid_argument and std::runtime_error as web::Server does. `watched` is asked by run() only; `ros`
  // may be null. `on_event` receives what goes wrong here. `reports` may be null: no incidents are explained.
  Page(const WebConfig& config, Watched& watched, Clock& clock, const std::string& version, ros2::Context* ros,
       const OnEvent& on_event = {}, IncidentReports* reports = nullptr);
  ~Page();

  ros2::SampleTap* topics();  // null: without ROS
  std::string address() const { return server_->address(); }
  std::string control_address() const { return server_->control_address(); }
  std::string printed_address() const { return server_->printed_address(); }
  web::ServerCounts counts() const { return server_->counts(); }

  void tell(const Event& event);  // any thread
  void run(const std::stop_token& stop);

 private:
  void tick();
  void publish(Live what);
  void publish_scene();  // if it has changed
  std::uint64_t stamp() const;
  void call(web::ClientId client, std::string_view encoding, Bytes request, const web::ServiceAnswer& answer);

  std::vector<std::uint8_t> clock_answer() const;

  struct Feed {
    web::ChannelId id = 0;
    Instant next{};
  };

  Watched& watched_;
  std::string scene_;  // as it was published last
  Clock& clock_;
  std::unique_ptr<RosChannels> ros_;
  std::unique_ptr<web::Hub> hub_;
  std::unique_ptr<web::Server> server_;
  std::array<Feed, 5> feeds_{};
  std::uint32_t clock_id_ = 0;  // of its service
  std::string message_;

  std::mutex events_mutex_;
  std::deque<std::pair<double, Event>> events_;  // guarded
};

}  // namespace tandem::runtime
