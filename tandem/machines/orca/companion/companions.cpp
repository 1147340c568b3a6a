// SPDX-License-Identifier: Apache-2.0
// What runs beside the Orca's bridge on ROS.
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tandem/machines/orca/companion/path_picture.hpp"
#include "tandem/machines/orca/companion/path_recorder.hpp"
#include "tandem/machines/orca/companion/sight.hpp"

namespace tandem::orca {
namespace {

class Companions final : public machines::Companion {
 public:
  explicit Companions(std::vector<std::unique_ptr<machines::Companion>> all) : all_(std::move(all)) {}

  // The first in this thread, so that its failure is reported; the others end with it.
  void run(std::stop_token stop) override {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < all_.size(); ++i)
      threads.emplace_back([other = all_[i].get()](std::stop_token ending) { other->run(std::move(ending)); });
    all_.front()->run(std::move(stop));
  }

  std::vector<machines::Value> values() const override {
    std::vector<machines::Value> values;
    for (const auto& each : all_) {
      for (auto& value : each->values()) values.push_back(std::move(value));
    }
    return values;
  }

  machines::Picture truth_picture() const override {
    for (const auto& each : all_)
      if (machines::Picture picture = each->truth_picture(); picture.seen) return picture;
    return {};
  }

 private:
  std::vector<std::unique_ptr<machines::Companion>> all_;
};

}  // namespace

std::unique_ptr<machines::Companion> make_companions(const machines::Setup& setup) {
  const std::string& file = setup.options.text("paths");
  if (!file.empty()) {
    if (auto good = check_path_file(file); !good) throw std::invalid_argument(good.error().text);
  }
  if (setup.ros == nullptr) return nullptr;
  std::vector<std::unique_ptr<machines::Companion>> all;
  if (auto slam = make_slam(setup)) all.push_back(std::move(slam));
  if (setup.options.flag("truth") || !file.empty()) {
    RecorderOptions options;
    options.name_space = setup.options.text("namespace");
    options.file = file;
    Clock& clock = setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock());
    all.push_back(std::make_unique<PathRecorder>(*setup.ros, options, clock));
  }
  if (all.empty()) return nullptr;
  if (all.size() == 1) return std::move(all.front());
  return std::make_unique<Companions>(std::move(all));
}

}  // namespace tandem::orca
