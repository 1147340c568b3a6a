// Which readers elsewhere have acknowledged a heartbeat of a writer here, as the transport sees it go by. Matching says
// that we know of them; only this says that they hear us.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "tandem/ros2/graph.hpp"

namespace tandem::ros2 {

// Any thread.
class Acknowledgements {
 public:
  // `listener` runs after each reader that is new to the writer, until the writer is dismissed; it calls nothing of
  // this.
  void enroll(const Gid& writer, std::function<void()> listener);
  void dismiss(const Gid& writer);

  void add(const Gid& writer, const Gid& reader);
  void forget(const Gid& writer, const Gid& reader);
  bool contains(const Gid& writer, const Gid& reader) const;

 private:
  void make_room();

  mutable std::mutex mutex_;
  std::map<Gid, std::function<void()>> listeners_;  // by writer
  std::set<std::pair<Gid, Gid>> pairs_;             // writer, reader; also of a writer that is enrolled only later
};

}  // namespace tandem::ros2
