// SPDX-License-Identifier: Apache-2.0
// Where every frame was, and when: a bounded store of transforms, asked for the pose of one frame in another.
#pragma once

#include <array>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/ros2/graph/graph.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/tf/history.hpp"

namespace tandem::ros2 {

// Whatever is sent, no more than this is held.
struct TfLimits {
  Duration history = 10s;                  // behind the newest stamp of each frame
  std::size_t samples_per_frame = 10'000;  // 10 s at 1 kHz
  std::size_t samples = 500'000;           // of all frames, some 40 MB
  std::size_t frames = 1024;               // names, parents included
  std::size_t senders = 256;               // then the one silent for longest is forgotten
};

enum class TfRefusal : std::uint8_t {
  none,
  name,        // of child or parent: empty, over 255 bytes, or not printable
  self,        // the child is its own parent
  not_finite,  // NaN or infinity
  not_unit,    // |norm^2 - 1| of the quaternion is 0.01 or more, which is where tf2 draws the line
  old,         // beyond the history, or before all of the samples that there is room for
  full,        // a new name, and all frames are taken
};
constexpr std::size_t tf_refusals = 7;
const char* text_of(TfRefusal refusal);

// How a transform came here. All zero: put in by this process.
struct TfReception {
  Gid sender{};
  Instant received{};
  UtcTime utc{};  // then, in the time of the stamps; zero when that is not known
};

// Codes of tf2_msgs/TF2Error, in Error::code of a failed lookup.
enum class TfErrorCode : unsigned int { lookup = 1, connectivity = 2, extrapolation = 3, cycle = 6 };

struct TfFrameSender {
  Gid sender{};
  std::uint64_t count = 0;
  Instant heard{};
};

// One frame as it is now.
struct TfFrame {
  std::string name;
  std::string parent;           // empty: no one says where it is, a root
  std::string previous_parent;  // before the last change of parent; empty: never changed
  std::uint64_t parent_changes = 0;
  bool is_static = false;
  bool both_topics = false;          // sent as moving and as static
  std::optional<Instant> contested;  // when two senders last took turns, or said different things of a static frame
  UtcTime oldest{};                  // stamps of what is held
  UtcTime newest{};
  std::size_t samples = 0;
  std::uint64_t count = 0;                  // transforms taken so far
  Duration period{};                        // mean of the last 20 receptions; zero before the second
  Duration delay{};                         // stamp to reception, mean of the last 20
  Duration least_delay = Duration::max();   // of all; negative: the stamp was in the future. max: none was measured
  Instant heard{};                          // the last reception
  std::vector<TfFrameSender> senders = {};  // the last one first, at most four
};

struct TfSender {
  Gid gid{};
  std::uint64_t taken = 0;
  std::array<std::uint64_t, tf_refusals> refused{};  // by TfRefusal
  std::string last_refused;                          // "camera in base", cut
  TfRefusal last_refusal{};
  Instant heard{};
};

struct TfSnapshot {
  std::vector<TfFrame> frames;    // by name
  std::vector<TfSender> senders;  // by gid
};

// From any thread. A leading slash in a name is ignored, as tf2 does.
class TfBuffer {
 public:
  explicit TfBuffer(const TfLimits& limits = {});

  // Whether the frame moves is settled by its first transform; the rotation is normalised. A refused transform
  // changes nothing but the counter of its sender.
  TfRefusal insert(const geometry_msgs::TransformStamped& transform, bool is_static, const TfReception& reception = {});

  // X_target_source at the time, interpolated between samples and never beyond them; without a time, at the newest
  // that the whole chain knows (stamp zero when nothing in the chain moves).
  Result<geometry_msgs::TransformStamped> lookup(std::string_view target, std::string_view source,
                                                 std::optional<UtcTime> time = std::nullopt) const;
  // The same without the names; does not allocate once warm, as long as it succeeds.
  Result<Pose> pose(std::string_view target, std::string_view source, std::optional<UtcTime> time = std::nullopt) const;
  bool can(std::string_view target, std::string_view source, std::optional<UtcTime> time = std::nullopt) const;
  // Waits (real time) until the answer is there.
  Result<geometry_msgs::TransformStamped> wait(std::string_view target, std::string_view source,
                                               std::optional<UtcTime> time, Duration timeout) const;

  TfSnapshot snapshot() const;
  // Forgets where moving frames were, as after a jump back of simulated time. Static ones stay.
  void clear();

 private:
  using FrameId = std::uint32_t;
  struct Frame {
    std::string name;
    TfHistory history;
    TfFrame facts;  // without names, stamps and period; filled in by snapshot()
    FrameId previous_parent = 0;
    double period = 0.0;  // s
    double delay = 0.0;   // s
    std::uint64_t delays = 0;
  };
  struct Link {
    FrameId child = 0;
    TfBracket bracket;
  };
  // From a frame upwards, to where it ended and why.
  struct Walk {
    enum class End : std::uint8_t { root, gap, cycle };
    std::vector<Link> links;
    FrameId top = 0;
    End end = End::root;
  };
  // In which lookup a frame was last met on the way up from the source, and after how many links.
  struct Met {
    std::uint64_t visit = 0;
    std::size_t links = 0;
  };
  // The links up to the nearest common ancestor.
  struct Join {
    std::size_t source_links = 0;
    std::size_t target_links = 0;
  };
  struct Answer {
    UtcTime stamp{};
    TfPose X_target_source;
  };

  const FrameId* find(std::string_view name) const;
  std::optional<FrameId> add(std::string_view name);
  TfRefusal take(const geometry_msgs::TransformStamped& transform, bool is_static, const TfReception& reception);
  TfSender& sender(const TfReception& reception);
  static void note_times(Frame& frame, UtcTime stamp, const TfReception& reception);
  static void note_sender(Frame& frame, bool same_value, const TfReception& reception);

  Result<Answer> answer(std::string_view target, std::string_view source, std::optional<UtcTime> time) const;
  Result<geometry_msgs::TransformStamped> stamped(std::string_view target, std::string_view source,
                                                  const Result<Answer>& answer) const;
  void walk(FrameId from, std::optional<UtcTime> time, Walk& out) const;
  std::optional<Join> join(FrameId source, FrameId target, std::optional<UtcTime> time) const;
  UtcTime newest_common(const Join& join) const;
  TfPose compose(const Join& join, UtcTime time) const;
  Error unknown(std::string_view name) const;
  // Why the walks of the last join() did not meet.
  Error apart(FrameId target, FrameId source) const;
  Error beyond(FrameId child, UtcTime time) const;

  const TfLimits limits_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, FrameId, std::less<>> ids_;
  std::vector<Frame> frames_;
  std::map<Gid, TfSender> senders_;
  std::size_t samples_ = 0;
  // Of one lookup at a time; kept so that the next does not allocate.
  mutable Walk source_walk_;
  mutable Walk target_walk_;
  mutable std::vector<Met> met_;  // by frame
  mutable std::uint64_t visit_ = 0;
};

}  // namespace tandem::ros2
