// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/ads_front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tandem/machines/generic/schema/checks.hpp"
#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::generic {
namespace {

constexpr Duration shortest_task_cycle = 1ms, longest_task_cycle = 100ms;

const std::string& symbol_of(const At& at, std::string_view name) {
  const auto* place = std::get_if<AdsPlace>(&at);
  if (place == nullptr)
    throw std::invalid_argument(fmt::format("{}: expected an ADS symbol, got a Modbus address", name));
  return place->symbol;
}

// The codes of the file are Modbus's; a PLC has words of its own for the same.
std::uint32_t ads_code(std::uint8_t exception) {
  switch (exception) {
    case 1:
      return ads::code::not_supported;
    case 2:
      return ads::code::symbol_not_found;
    case 3:
      return ads::code::invalid_data;
    case 6:
      return ads::code::busy;
    default:
      return ads::code::device;
  }
}

bool meet(const ads::Place& a, const ads::Place& b) {
  return a.area == b.area && a.offset < std::uint64_t{b.offset} + b.size && b.offset < std::uint64_t{a.offset} + a.size;
}

}  // namespace

AdsFront::AdsFront(std::shared_ptr<const Description> description, const machines::VirtualSetup& setup)
    : description_(std::move(description)), host_(setup.listen) {
  auto types = PlcTypeTable::declared(description_->types);
  if (!types) throw std::invalid_argument(types.error().text);
  types_ = std::move(*types);
  if (auto good = declare_types(description_->types, table_.types()); !good)
    throw std::invalid_argument(good.error().text);
  declare();
  table_.raise_version();
  written_.assign(signals_.numbers, 0);
  faults_.assign(signals_.signals.size(), {});
  cycle_ = std::clamp<Duration>(duration_of(description_->cycle), shortest_task_cycle, longest_task_cycle);
  listen(setup);
  server_->device().on_written = [this](const ads::Place& place) { note_written(place); };
}

std::unique_ptr<Front> make_ads_front(std::shared_ptr<const Description> description,
                                      const machines::VirtualSetup& setup) {
  return std::make_unique<AdsFront>(std::move(description), setup);
}

// Whole structures before what is inside of them.
void AdsFront::declare() {
  const auto& declarations = description_->signals;
  std::vector<std::size_t> order(declarations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return symbol_of(declarations[i].at, declarations[i].name).size(); });
  for (const std::size_t i : order) declare(i);
  if (description_->heartbeat) {
    const std::string& symbol = symbol_of(*description_->heartbeat, "heartbeat");
    if (!table_.find(symbol)) table_.add(symbol, "UDINT");
  }
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    const auto variable = table_.find(symbol_of(declarations[i].at, declarations[i].name));
    auto layout = layout_of(variable->type->name, types_, variable->place.size);
    if (!layout) throw std::invalid_argument(fmt::format("{}: {}", declarations[i].name, layout.error().text));
    if (const auto differs = misfit(declarations[i], *layout, types_))
      throw std::invalid_argument(fmt::format("{}: {}", declarations[i].name, *differs));
    if (auto added = add_signals(*description_, i, std::move(*layout), signals_); !added)
      throw std::invalid_argument(added.error().text);
    items_.push_back(variable->place);
  }
}

void AdsFront::declare(std::size_t declaration) {
  const Declaration& from = description_->signals[declaration];
  const std::string& symbol = symbol_of(from.at, from.name);
  if (table_.find(symbol)) return;  // a part of another, or the same once more
  for (const ads::PlcSymbol& other : table_.symbols()) {
    const std::string_view front = std::string_view(symbol).substr(0, other.name.size());
    if (front.size() == symbol.size() || !ads::same_name(front, other.name)) continue;
    if (symbol[front.size()] == '.' || symbol[front.size()] == '[')
      throw std::invalid_argument(fmt::format("{}: {} of type {} has no part {}", from.name, other.name,
                                              other.type->name, symbol.substr(front.size())));
  }
  if (const auto missing = missing_plc_type(*description_, from)) throw std::invalid_argument(*missing);
  const std::string type = type_of(declaration);
  try {
    table_.add(symbol, type, from.unit.empty() ? std::string() : '[' + from.unit + ']');
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", from.name, error.what()));
  }
}

// As the file says; where it leaves that to the PLC, what such a value usually is.
std::string AdsFront::type_of(std::size_t declaration) const {
  const Declaration* from = &description_->signals[declaration];
  if (!from->plc_type.empty()) return normal_plc_type(from->plc_type);
  if (from->type == Type::unknown && from->hidden) {
    for (const Declaration& output : description_->signals)
      if (output.write && confirm_name(output.name) == from->name) from = &output;
  }
  if (!from->plc_type.empty()) return normal_plc_type(from->plc_type);
  if (from->type != Type::unknown) return plc_name(from->type, from->text_length);
  if (from->write && from->write->level != Output::Level::number) return "BOOL";
  if (!from->bits.empty()) {
    const bool wide = std::ranges::any_of(from->bits, [](const auto& bit) { return bit.first > 15; });
    return wide ? "UDINT" : "UINT";
  }
  return from->names.empty() ? "LREAL" : "INT";
}

void AdsFront::listen(const machines::VirtualSetup& setup) {
  ads::ServerOptions options;
  options.host = setup.listen;
  options.cycle = cycle_;
  options.faults = this;
  options.plug = setup.plug;
  const bool standard = setup.port == 0 && setup.standard_ports;
  options.tcp_port = standard ? ads::tcp_port : static_cast<std::uint16_t>(setup.port);
  options.udp = standard;  // discovery has one port
  auto server = ads::Server::listen(table_, options);
  if (!server) throw std::runtime_error(server.error().text);
  server_ = std::move(*server);
}

std::string AdsFront::url() const { return fmt::format("ads://{}:{}", host_, server_->tcp_port()); }

std::string AdsFront::listening() const {
  return fmt::format("listens on {} (AMS port {}, {} symbols)", url(), ads::port::plc, table_.symbols().size());
}

void AdsFront::serve(Instant until) {
  if (next_cycle_ == Instant{}) next_cycle_ = now() + cycle_;
  server_->poll(std::min(until, next_cycle_));
  const Instant at = now();
  if (at < next_cycle_) return;
  server_->task_cycle(system_clock().utc());
  next_cycle_ = std::max(next_cycle_ + cycle_, at);
}

ads::Place AdsFront::place_of(std::size_t signal) const {
  const AdsField& field = signals_.fields[signal];
  ads::Place place = items_[field.item];
  place.offset += field.offset;
  const std::size_t count = std::max<std::size_t>(signals_.signals[signal].count, 1);
  place.size = static_cast<std::uint32_t>(field.stride * count);
  return place;
}

std::uint8_t* AdsFront::bytes_of_element(std::size_t signal, std::size_t element) {
  return table_.bytes(place_of(signal)).data() + element * signals_.fields[signal].stride;
}

const std::uint8_t* AdsFront::bytes_of_element(std::size_t signal, std::size_t element) const {
  return table_.bytes(place_of(signal)).data() + element * signals_.fields[signal].stride;
}

std::optional<double> AdsFront::take_written(std::size_t signal, std::size_t element) {
  const Signal& of = signals_.signals[signal];
  if (of.kind == Kind::text || std::exchange(written_[of.first + element], std::uint8_t{0}) == 0) return std::nullopt;
  return value(signal, element);
}

void AdsFront::put(std::size_t signal, std::size_t element, double value) {
  const Signal& of = signals_.signals[signal];
  if (of.kind == Kind::text) return;
  std::uint8_t* const at = bytes_of_element(signal, element);
  double raw = (value - of.offset) / of.scale;
  if (std::isnan(raw)) {
    const std::vector<double>& invalid = invalid_values(of, description_->signals[of.declaration]);
    const std::uint64_t bits64 = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
    const std::uint32_t bits32 = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
    if (of.type == Type::float64) return void(put_little(at, bits64));
    if (of.type == Type::float32) return void(put_little(at, bits32));
    raw = invalid.empty() ? 0 : invalid.front();
  }
  static_cast<void>(put_raw(of.type, saturated(of.type, raw), at));
}

void AdsFront::put_text(std::size_t signal, std::string_view text) {
  const AdsField& field = signals_.fields[signal];
  if (signals_.signals[signal].kind != Kind::text) return;
  std::size_t size = std::min(text.size(), field.text_length);
  // No letter is cut in two.
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  const auto to = table_.bytes(place_of(signal));
  std::ranges::fill(to, std::uint8_t{0});
  std::copy_n(text.begin(), size, to.begin());
}

double AdsFront::value(std::size_t signal, std::size_t element) const {
  const Signal& of = signals_.signals[signal];
  if (of.kind == Kind::text) return std::numeric_limits<double>::quiet_NaN();
  return raw_number(of.type, bytes_of_element(signal, element)).value * of.scale + of.offset;
}

void AdsFront::note_written(const ads::Place& place) {
  for (std::size_t i = 0; i < signals_.signals.size(); ++i) {
    const Signal& signal = signals_.signals[i];
    ads::Place element = place_of(i);
    if (signal.kind == Kind::text || !meet(element, place)) continue;
    element.size = signals_.fields[i].stride;
    for (std::size_t e = 0; e < signal.count; ++e, element.offset += element.size)
      if (meet(element, place)) written_[signal.first + e] = 1;
  }
}

void AdsFront::fault(std::size_t signal, const FrontFaults& faults) {
  faults_[signal] = faults;
  const auto silent = [](const FrontFaults& each) { return each.silent; };
  const auto any = [](const FrontFaults& each) { return each.silent || each.exception != 0; };
  silent_ = std::ranges::any_of(faults_, silent);
  if (std::ranges::any_of(faults_, any))
    server_->device().on_access = [this](const ads::Place& place) { return access(place); };
  else
    server_->device().on_access = nullptr;
}

std::uint32_t AdsFront::access(const ads::Place& place) {
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if ((!faults_[i].silent && faults_[i].exception == 0) || !meet(place_of(i), place)) continue;
    touched_ |= faults_[i].silent;
    if (faults_[i].exception != 0) return ads_code(faults_[i].exception);
  }
  return ads::code::ok;
}

ads::ServerFaults::Welcome AdsFront::accepted() { return wire_ != nullptr ? wire_->accepted() : Welcome::serve; }

void AdsFront::request(const ads::AmsHeader& header, Bytes payload) {
  touched_ = false;
  if (wire_ != nullptr) wire_->request(header, payload);
}

ads::ServerFaults::Verdict AdsFront::answer(const ads::AmsHeader& request, std::vector<std::uint8_t>& packet) {
  if (touched_) return {Fate::drop, {}};
  return wire_ != nullptr ? wire_->answer(request, packet) : Verdict{};
}

ads::ServerFaults::Verdict AdsFront::notification(std::vector<std::uint8_t>& packet) {
  if (silent_) return {Fate::drop, {}};
  return wire_ != nullptr ? wire_->notification(packet) : Verdict{};
}

}  // namespace tandem::generic
