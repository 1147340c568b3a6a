// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/acknowledgements.hpp"

#include <iterator>
#include <utility>

namespace tandem::ros2 {
namespace {

// Anyone can send acknowledgements; they take no more memory than this.
constexpr std::size_t most_readers = 500;  // of one writer
constexpr std::size_t most_early = 1'000;  // of writers that are not enrolled

}  // namespace

void Acknowledgements::enroll(const Gid& writer, std::function<void()> listener) {
  const std::lock_guard lock(mutex_);
  Enrolled& enrolled = enrolled_[writer];
  enrolled.listener = std::move(listener);
  if (auto early = early_.extract(writer)) {
    early_count_ -= early.mapped().size();
    enrolled.readers = std::move(early.mapped());
  }
}

void Acknowledgements::dismiss(const Gid& writer) {
  const std::lock_guard lock(mutex_);
  enrolled_.erase(writer);
}

void Acknowledgements::add(const Gid& writer, const Gid& reader) {
  const std::lock_guard lock(mutex_);
  const auto found = enrolled_.find(writer);
  if (found == enrolled_.end()) {
    if (early_count_ >= most_early) {
      early_.clear();
      early_count_ = 0;
    }
    early_count_ += early_[writer].insert(reader).second ? 1 : 0;
    return;
  }
  std::set<Gid>& readers = found->second.readers;
  const auto [added, is_new] = readers.insert(reader);
  if (!is_new) return;
  if (readers.size() > most_readers) readers.erase(added == readers.begin() ? std::next(added) : readers.begin());
  if (found->second.listener) found->second.listener();
}

void Acknowledgements::forget(const Gid& writer, const Gid& reader) {
  const std::lock_guard lock(mutex_);
  if (const auto found = enrolled_.find(writer); found != enrolled_.end()) found->second.readers.erase(reader);
}

bool Acknowledgements::contains(const Gid& writer, const Gid& reader) const {
  const std::lock_guard lock(mutex_);
  const auto found = enrolled_.find(writer);
  return found != enrolled_.end() && found->second.readers.contains(reader);
}

}  // namespace tandem::ros2
