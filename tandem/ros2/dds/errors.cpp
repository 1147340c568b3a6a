// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/dds/errors.hpp"

#include <fastdds/dds/log/Log.hpp>
#include <mutex>

namespace tandem::ros2 {

namespace dds = eprosima::fastdds::dds;

struct DdsErrors::Collected {
  std::mutex mutex;
  std::string text;
};

namespace {

std::mutex one_at_a_time;  // the log is the process's

template <typename Collected>
struct Collector final : dds::LogConsumer {
  explicit Collector(std::shared_ptr<Collected> into) : collected(std::move(into)) {}
  void Consume(const dds::Log::Entry& entry) override {
    if (entry.kind != dds::Log::Kind::Error) return;
    const std::lock_guard lock(collected->mutex);
    if (!collected->text.empty()) collected->text += "; ";
    collected->text += entry.message;
  }
  std::shared_ptr<Collected> collected;
};

}  // namespace

DdsErrors::DdsErrors() : collected_(std::make_shared<Collected>()) {
  one_at_a_time.lock();
  dds::Log::RegisterConsumer(std::make_unique<Collector<Collected>>(collected_));
}

DdsErrors::~DdsErrors() {
  dds::Log::ClearConsumers();
  one_at_a_time.unlock();
}

std::string DdsErrors::text() const {
  dds::Log::Flush();
  const std::lock_guard lock(collected_->mutex);
  return collected_->text;
}

}  // namespace tandem::ros2
