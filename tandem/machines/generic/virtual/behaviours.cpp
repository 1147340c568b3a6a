// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/behaviours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "tandem/machines/generic/virtual/order.hpp"

namespace tandem::generic {
namespace {

constexpr double longest_step = 0.001;  // s
constexpr std::size_t no_node = static_cast<std::size_t>(-1);

double bit_of(double value, int bit) {
  if (!std::isfinite(value)) return value;
  return static_cast<double>((static_cast<std::int64_t>(value) >> bit) & 1);
}

}  // namespace

// Makes the nodes and puts them in order; collects what is wrong.
class Behaviours::Builder {
 public:
  Builder(Behaviours& all, const Description& description) : all_(all), description_(description) {}

  void build() {
    const auto sims = behaviours_of(description_, *all_.signals_);
    for (std::size_t i = 0; i < sims.size(); ++i) {
      if ((*all_.signals_)[i].kind != Kind::text) add(i, sims[i]);
    }
    sort();
    add_drives();
    if (!problems_.empty()) throw std::invalid_argument(problems_);
  }

 private:
  void problem(const std::string& text) { problems_ += (problems_.empty() ? "" : "; ") + text; }

  BehaviourSetup setup_of(const Signal& signal) const {
    return {.dt = all_.dt_,
            .type = signal.type,
            .scale = signal.scale,
            .si_scale = signal.si_scale,
            .si_offset = signal.si_offset,
            .name = signal.name,
            .node = description_.name_space.empty() ? '/' + description_.name : description_.name_space,
            .folder = std::filesystem::path(description_.file).parent_path().string(),
            .joints = all_.joints_};
  }

  void add(std::size_t index, const Sim& sim) {
    const Signal& signal = (*all_.signals_)[index];
    for (std::size_t element = 0; element < std::max<std::size_t>(1, signal.count); ++element) {
      Node node;
      node.slot = signal.first + element;
      try {
        node.behaviour = make_behaviour(sim, setup_of(signal));
      } catch (const std::invalid_argument& error) {
        return problem(fmt::format("{}: sim: {}", signal.name, error.what()));
      }
      const std::string name = element == 0 ? signal.name : fmt::format("{}[{}]", signal.name, element);
      node.noise = Noise(sim.noise, sim.seed, name);
      for (const std::string& read : node.behaviour->names()) {
        const auto found = find_signal(*all_.signals_, read);
        if (!found) return problem(fmt::format("{}: sim: expected a signal, got '{}'", signal.name, read));
        node.inputs.push_back({(*all_.signals_)[found->signal].first + found->element, found->bit, false});
      }
      node.now.resize(node.inputs.size());
      node.earlier.resize(node.inputs.size());
      all_.node_of_[node.slot] = all_.nodes_.size();
      all_.nodes_.push_back(std::move(node));
      names_.push_back(name);
      sims_.push_back({sim, index});
    }
  }

  void sort() {
    std::vector<OrderNode> order_nodes;
    std::vector<std::vector<std::size_t>> which;  // of a node's inputs each of its reads is
    for (std::size_t i = 0; i < all_.nodes_.size(); ++i) {
      const Node& node = all_.nodes_[i];
      OrderNode each{names_[i], {}, node.behaviour->breaks_loops()};
      which.emplace_back();
      for (std::size_t input = 0; input < node.inputs.size(); ++input) {
        const std::size_t read = all_.node_of_[node.inputs[input].slot];
        if (read == no_node || !node.behaviour->reads_now(input)) continue;
        each.reads.push_back(read);
        which.back().push_back(input);
      }
      order_nodes.push_back(std::move(each));
    }
    const auto order = evaluation_order(order_nodes);
    if (!order) return problem("sim: " + order.error().text);
    std::vector<Node> sorted;
    for (const std::size_t i : order->sorted) {
      Node& node = all_.nodes_[i];
      for (std::size_t read = 0; read < which[i].size(); ++read)
        node.inputs[which[i][read]].late = order->late[i][read];
      if (!node.inputs.empty() && node.inputs.front().late) {  // a delay is one step shorter then
        BehaviourSetup setup = setup_of((*all_.signals_)[sims_[i].second]);
        setup.input_late = true;
        node.behaviour = make_behaviour(sims_[i].first, setup);
      }
      sorted.push_back(std::move(node));
    }
    all_.nodes_ = std::move(sorted);
    for (std::size_t i = 0; i < all_.nodes_.size(); ++i) all_.node_of_[all_.nodes_[i].slot] = i;
  }

  void add_drives() {
    if (all_.joints_ == nullptr || !description_.robot) return;
    for (const Joint& joint : description_.robot->joints) {
      if (joint.command.empty()) continue;
      const auto found = find_signal(*all_.signals_, joint.command);
      if (!found) {
        problem(fmt::format("robot.joints.{}.command: expected a signal, got '{}'", joint.name, joint.command));
        continue;
      }
      const Signal& signal = (*all_.signals_)[found->signal];
      all_.drives_.push_back({joint.name, signal.first + found->element, signal.si_scale, signal.si_offset, 0});
    }
  }

  Behaviours& all_;
  const Description& description_;
  std::vector<std::string> names_;                 // of the nodes as they were added
  std::vector<std::pair<Sim, std::size_t>> sims_;  // and their signals
  std::string problems_;
};

Behaviours::Behaviours(const Description& description, const std::vector<Signal>& signals, JointSource* joints)
    : signals_(&signals), joints_(joints), dt_(std::min(longest_step, description.cycle)) {
  std::size_t slots = 0;
  for (const Signal& signal : signals) {
    if (signal.kind != Kind::text) slots = std::max(slots, signal.first + std::max<std::size_t>(1, signal.count));
  }
  values_.resize(slots);
  node_of_.assign(slots, no_node);
  Builder(*this, description).build();
  // A command stands where its joint is, so that nothing moves before a client asks for it.
  for (Drive& drive : drives_) {
    const double position = joints_->value(drive.joint, Sim::JointValue::position);
    drive.sent = (position - drive.si_offset) / drive.si_scale;
    if (node_of_[drive.slot] != no_node) nodes_[node_of_[drive.slot]].behaviour->write(drive.sent);
  }
  for (Node& node : nodes_) evaluate(node, true);
  before_ = values_;
}

double Behaviours::gather(const Input& input, const std::vector<double>& from) const {
  return input.bit < 0 ? from[input.slot] : bit_of(from[input.slot], input.bit);
}

void Behaviours::evaluate(Node& node, bool first) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Input& input = node.inputs[i];
    node.now[i] = gather(input, first || !input.late ? values_ : before_);
    node.earlier[i] = first ? node.now[i] : gather(input, before_);
  }
  const Moment moment{time(), dt_, node.now, node.earlier};
  values_[node.slot] = (first ? node.behaviour->start(moment) : node.behaviour->next(moment)) + node.noise.next();
}

void Behaviours::write(std::size_t signal, std::size_t element, double value) {
  const std::size_t slot = (*signals_)[signal].first + element;
  if (slot < node_of_.size() && node_of_[slot] != no_node) nodes_[node_of_[slot]].behaviour->write(value);
}

void Behaviours::command_joints() {
  for (Drive& drive : drives_) {
    const double wanted = values_[drive.slot];
    if (wanted == drive.sent || !std::isfinite(wanted)) continue;
    drive.sent = wanted;
    joints_->target(drive.joint, wanted * drive.si_scale + drive.si_offset);
  }
}

void Behaviours::advance() {
  before_ = values_;
  ++steps_;
  if (joints_ != nullptr) {
    command_joints();
    joints_->step(dt_);
  }
  for (Node& node : nodes_) evaluate(node, false);
}

}  // namespace tandem::generic
