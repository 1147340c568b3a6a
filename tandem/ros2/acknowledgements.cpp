#include "tandem/ros2/acknowledgements.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t most_pairs = 10'000;  // strangers can take no more memory than this

}  // namespace

void Acknowledgements::enroll(const Gid& writer, std::function<void()> listener) {
  const std::lock_guard lock(mutex_);
  listeners_[writer] = std::move(listener);
}

void Acknowledgements::dismiss(const Gid& writer) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(writer);
  std::erase_if(pairs_, [&](const auto& pair) { return pair.first == writer; });
}

void Acknowledgements::add(const Gid& writer, const Gid& reader) {
  const std::lock_guard lock(mutex_);
  if (pairs_.contains({writer, reader})) return;
  if (pairs_.size() >= most_pairs) make_room();
  if (pairs_.size() >= most_pairs) return;
  pairs_.emplace(writer, reader);
  if (const auto found = listeners_.find(writer); found != listeners_.end() && found->second) found->second();
}

// Acknowledgements of writers that do not exist come from unknown peers.
void Acknowledgements::make_room() {
  std::erase_if(pairs_, [this](const auto& pair) { return !listeners_.contains(pair.first); });
}

void Acknowledgements::forget(const Gid& writer, const Gid& reader) {
  const std::lock_guard lock(mutex_);
  pairs_.erase({writer, reader});
}

bool Acknowledgements::contains(const Gid& writer, const Gid& reader) const {
  const std::lock_guard lock(mutex_);
  return pairs_.contains({writer, reader});
}

}  // namespace tandem::ros2
