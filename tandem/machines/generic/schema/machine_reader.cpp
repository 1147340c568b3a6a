// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/schema/machine_reader.hpp"

#include <fmt/format.h>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/schema/checks.hpp"
#include "tandem/machines/generic/schema/entries.hpp"
#include "tandem/machines/generic/schema/places.hpp"
#include "tandem/machines/generic/schema/robot_entry.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

constexpr std::size_t most_declarations = 2000;

class DescriptionReader {
 public:
  DescriptionReader(const Node& map, const std::string& file, const std::string& machine)
      : map_(map), problems_(file), keys_(map, machine, problems_), description_(std::make_shared<Description>()) {
    description_->name = machine;
    description_->file = file;
  }

  DescriptionRead read() {
    read_device();
    read_cycle();
    read_types();
    read_arm_times();
    Context context{problems_, description_->protocol, description_->base,
                    order_,    description_->cycle,    description_->watchdog};
    read_signals(context);
    read_arm(context);
    read_robot_part();
    keys_.take_text("namespace", description_->name_space);
    keys_.take_text("tf_prefix", description_->tf_prefix);
    keys_.finish();
    check();
    DescriptionRead result;
    result.problems = problems_.take();
    if (result.problems.empty()) result.description = std::move(description_);
    return result;
  }

 private:
  // `type`, `device`, `twin` and `chaos` are the configuration's, which checks them; here they only give the protocol.
  void read_device() {
    for (const char* key : {"type", "twin", "chaos"}) keys_.take(key);
    if (const Node* other = keys_.take("file"))
      keys_.wrong(*other, "file", "expected the keys of the machine, got another file");
    const Node* device = keys_.take("device");
    const std::string url = device != nullptr && device->kind == Node::Kind::scalar ? device->scalar : "";
    const auto protocol = keys_.take_choice("protocol", {"modbus", "ads"});
    is_virtual_ = url == "virtual";
    std::optional<Protocol> of_url;
    if (url.starts_with("modbus://")) of_url = Protocol::modbus;
    if (url.starts_with("ads://")) of_url = Protocol::ads;
    if (protocol && of_url && static_cast<Protocol>(*protocol) != *of_url)
      keys_.wrong(
          *item_of(map_, "protocol"), "protocol",
          fmt::format("expected that of the device {}, got {}", printable(url), *protocol == 0 ? "modbus" : "ads"));
    description_->protocol = protocol ? static_cast<Protocol>(*protocol) : of_url.value_or(protocol_of_places());
    if (const auto base = keys_.take_choice("base", {"0", "1", "40001"}))
      description_->base = *base == 0 ? 0 : *base == 1 ? 1 : 40001;
    if (const Node* node = keys_.take("order")) {
      const auto order = node->kind == Node::Kind::scalar ? modbus::word_order(node->scalar) : std::nullopt;
      if (order) order_ = *order;
      if (!order) keys_.expected(*node, "order", "one of abcd, cdab, badc, dcba");
    }
    only_for(Protocol::modbus, {"base", "order"}, "Modbus");
  }

  // Of a virtual device: the first place decides; the others have to be like it.
  Protocol protocol_of_places() const {
    const Node* signals = item_of(map_, "signals");
    if (signals == nullptr) return Protocol::modbus;
    for (const Node& signal : signals->items) {
      const Node* at = item_of(signal, "at");
      if (at != nullptr && at->kind == Node::Kind::scalar)
        return looks_like_modbus(at->scalar) ? Protocol::modbus : Protocol::ads;
    }
    return Protocol::modbus;
  }

  void only_for(Protocol protocol, std::initializer_list<const char*> keys, std::string_view name) {
    if (description_->protocol == protocol) return;
    for (const char* key : keys) {
      if (const Node* node = item_of(map_, key)) keys_.wrong(*node, key, fmt::format("only for {}", name));
    }
  }

  void read_cycle() {
    keys_.take_duration("cycle", description_->cycle, 0.001, 60);
    keys_.take_flag("notify", description_->notify);
    keys_.take_flag("sim_shared", description_->sim_shared);
    only_for(Protocol::ads, {"notify"}, "ADS");
    only_for(Protocol::modbus, {"sim_shared"}, "Modbus");
    const Node* node = keys_.take("limits");
    if (node == nullptr) return;
    Keys limits(*node, keys_.owner() + ".limits", problems_);
    limits.take_whole("holes", description_->limits.holes, 0, 125);
    limits.take_duration("pause", description_->limits.pause, 0, 10);
    limits.take_whole("requests", description_->limits.requests, 1, 16);
    limits.take_whole("words", description_->limits.words, 1, 125);
    limits.finish();
  }

  void read_types() {
    const Node* node = keys_.take("types");
    if (node == nullptr) return;
    only_for(Protocol::ads, {"types"}, "ADS");
    types_ = problems_.place(*node);
    Keys types(*node, keys_.owner() + ".types", problems_);
    for (const Node& name : node->keys) {
      const Node* members = types.take(name.scalar);
      if (members == nullptr) continue;
      PlcStructure structure{name.scalar, {}};
      Keys keys(*members, fmt::format("{}.types.{}", keys_.owner(), printable(name.scalar)), problems_);
      for (const Node& member : members->keys) {
        const Node* type = keys.take(member.scalar);
        if (type == nullptr) continue;
        if (type->kind != Node::Kind::scalar || type->scalar.empty() || type->scalar.size() > 255) {
          keys.expected(*type, printable(member.scalar), "a PLC type such as REAL");
        } else {
          structure.members.emplace_back(member.scalar, trimmed(type->scalar));
        }
      }
      description_->types.push_back(std::move(structure));
    }
  }

  void read_signals(const Context& context) {
    const Node* node = keys_.take("signals");
    if (node == nullptr) {
      if (map_.kind == Node::Kind::map) problems_.add(map_, fmt::format("{}: missing key 'signals'", keys_.owner()));
      return;
    }
    if (node->keys.size() > most_declarations)
      return keys_.wrong(*node, "signals",
                         fmt::format("expected at most {}, got {}", most_declarations, node->keys.size()));
    if (node->kind == Node::Kind::map && node->keys.empty())
      keys_.wrong(*node, "signals", "expected at least one signal, got none");
    Keys names(*node, keys_.owner() + ".signals", problems_);
    for (const Node& name : node->keys) {
      const Node* signal = names.take(name.scalar);
      if (signal != nullptr) description_->signals.push_back(read_signal(name, *signal, context));
    }
    add_confirmations();
  }

  // What an output is read back from is read like a signal, and not shown.
  void add_confirmations() {
    const std::size_t count = description_->signals.size();
    for (std::size_t i = 0; i < count; ++i) {
      Declaration& output = description_->signals[i];
      if (!output.write || !output.write->confirm) continue;
      if (*output.write->confirm == output.at) {
        output.write->confirm.reset();
        continue;
      }
      check_confirm(output);
      Declaration hidden = output;
      hidden.name = confirm_name(output.name);
      hidden.at = *output.write->confirm;
      hidden.write.reset(), hidden.sim.reset(), hidden.expect.reset();
      hidden.faults.clear();
      hidden.hidden = hidden.alias = true;
      hidden.critical = false;
      // The PLC knows the type of that variable; it may be another than the output's.
      if (description_->protocol == Protocol::ads) hidden.type = Type::unknown, hidden.plc_type.clear();
      description_->signals.push_back(std::move(hidden));
    }
  }

  // On Modbus it has the output's type, and a bit is no register.
  void check_confirm(const Declaration& output) {
    const auto* place = std::get_if<ModbusPlace>(&*output.write->confirm);
    if (place == nullptr) return;
    const bool bit = place->table == ModbusTable::coil || place->table == ModbusTable::discrete || place->bit >= 0;
    if (bit == (output.type == Type::bit)) return;
    problems_.add(output.place, fmt::format("{}.write.confirm: expected {}, got {}", output.name,
                                            bit ? "a register" : "a bit such as 'discrete 9' or 'holding 5.3'",
                                            place_text(*place, 1, description_->base)));
  }

  // Needed by outputs, which are read first.
  void read_arm_times() {
    arm_ = keys_.take("arm");
    if (arm_ == nullptr) return;
    arm_keys_.emplace(*arm_, keys_.owner() + ".arm", problems_);
    arm_keys_->take_duration("watchdog", description_->watchdog, 0.01, 3600);
  }

  void read_arm(const Context& context) {
    if (!arm_keys_) return;
    if (auto at = take_place(*arm_keys_, "heartbeat", context)) {
      const auto* place = std::get_if<ModbusPlace>(&*at);
      if (place != nullptr && (place->table != ModbusTable::holding || place->bit >= 0)) {
        arm_keys_->expected(*item_of(*arm_, "heartbeat"), "heartbeat", "a holding register");
      } else {
        description_->heartbeat = std::move(*at);
      }
    }
    if (arm_keys_->take_text("enable", description_->enable)) {
      const auto parsed = Expression::parse(description_->enable);
      enable_ = problems_.place(*item_of(*arm_, "enable"));
      if (!parsed) arm_keys_->wrong(*item_of(*arm_, "enable"), "enable", parsed.error().text);
      if (parsed && parsed->has_noise())
        arm_keys_->wrong(*item_of(*arm_, "enable"), "enable", "noise() is only for the virtual device");
    }
    if (const Node* stop = arm_keys_->take("on_stop")) {
      Keys keys(*stop, arm_keys_->owner() + ".on_stop", problems_);
      for (const Node& name : stop->keys) {
        const Node* value = keys.take(name.scalar);
        if (value == nullptr) continue;
        const auto flag = flag_in(*value);
        const auto number = flag ? std::optional(*flag ? 1.0 : 0.0) : number_in(*value);
        if (!number) keys.expected(*value, printable(name.scalar), "a number");
        if (number) description_->on_stop.emplace_back(name.scalar, *number);
      }
    }
    arm_keys_->finish();
  }

  void read_robot_part() {
    robot_ = keys_.take("robot");
    if (robot_ != nullptr) description_->robot = read_robot(*robot_, "robot", problems_);
  }

  // What all parts say together; only once each of them is good, since what follows from a mistake is no help.
  void check() {
    if (problems_.count() > 0) return;
    check_places(*description_, problems_);
    check_names(*description_, enable_.line > 0 || arm_ == nullptr ? enable_ : problems_.place(*arm_), problems_);
    check_cycles(*description_, problems_);
    check_plc_types(*description_, types_, problems_);
    if (is_virtual_) check_virtual_plc(*description_, problems_);
    if (robot_ != nullptr) check_robot(*description_, *robot_, problems_);
    check_signals(*description_, problems_);
  }

  const Node& map_;
  Problems problems_;
  Keys keys_;
  std::optional<Keys> arm_keys_;
  const Node* arm_ = nullptr;
  const Node* robot_ = nullptr;
  bool is_virtual_ = false;
  yaml::Place enable_, types_;
  modbus::WordOrder order_ = modbus::WordOrder::abcd;
  std::shared_ptr<Description> description_;
};

}  // namespace

DescriptionRead read_keys(const Node& map, const std::string& file, const std::string& machine) {
  return DescriptionReader(map, file, machine).read();
}

}  // namespace tandem::generic
