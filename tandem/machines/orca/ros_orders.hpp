// Topics and services through which ROS users tell the bridge what the SLAM sees and what they want. What cannot be
// carried out is refused, and why is kept for /diagnostics.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/orca/orders.hpp"
#include "tandem/machines/orca/ros_messages.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/mavros_msgs_services.hpp"
#include "tandem/ros2/service.hpp"

namespace tandem::orca {

// Questions on their way to the machine's thread, and back. Of each kind one is asked at a time, since orders are
// newest-wins: an older one is answered with a refusal.
enum class QuestionKind : std::uint8_t { mode, mission, arming, command, parameter };

class Questions {
 public:
  using Answered = std::function<void(const OrderAnswer&)>;
  std::uint64_t ask(QuestionKind kind, Answered answered);
  // From the machine's thread.
  void answer(const OrderAnswer& answer);

 private:
  struct Waiting {
    std::uint64_t number = 0;  // 0: nobody waits
    Answered answered;
  };
  std::mutex mutex_;
  std::array<Waiting, 5> waiting_;  // by kind; guarded, as is next_
  std::uint64_t next_ = 1;
};

// What was refused last, for people.
class Refusals {
 public:
  void add(std::string_view topic, std::string_view why);
  std::string last() const;
  std::uint64_t count() const;

 private:
  mutable std::mutex mutex_;
  std::string last_;  // guarded, as is count_
  std::uint64_t count_ = 0;
};

// Best effort hears everybody, and the newest is all that counts. Of several publishers one steers.
ros2::Qos stick_qos(Duration silence);

// Names of one profile.
struct OrderNames {
  std::string twist, goal;                // topics: Twist, PoseStamped
  std::string mode;                       // services of mavros' types
  std::string push, pull, clear, choose;  // of missions
  bool twist_in_map = false;              // as mavros has it; else of the body
};
OrderNames own_order_names();
OrderNames mavros_order_names();

class RosOrders {
 public:
  // `pulled` is told what a download brought; may be null.
  using Pulled = std::function<void(const std::vector<mavlink::MissionItemInt>&)>;
  RosOrders(ros2::FullNode& node, const OrderNames& names, Duration twist_timeout, Orders& orders, Questions& questions,
            Refusals& refusals, Pulled pulled = nullptr);

 private:
  void hear_sticks(ros2::FullNode& node, const OrderNames& names, Duration twist_timeout);
  void offer_missions(ros2::FullNode& node, const OrderNames& names);
  void order(MissionOrder order, Questions::Answered answered);

  Orders& orders_;
  Questions& questions_;
  Refusals& refusals_;
  Pulled pulled_;
  std::vector<ros2::Subscription> subscriptions_;
  std::optional<ros2::Service<ros2::mavros_msgs::SetMode>> mode_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointPush>> push_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointPull>> pull_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointClear>> clear_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointSetCurrent>> choose_;
};

}  // namespace tandem::orca
