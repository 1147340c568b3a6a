// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/modbus_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tandem/protocols/modbus/types.hpp"

namespace tandem::generic {
namespace {

using modbus::ExceptionCode;

constexpr std::ptrdiff_t most_apart = 16;  // pieces that are read alone as the device fails with them
constexpr int most_refused_holes = 3;      // then no more are tried
constexpr Duration revisit_period = 5s;    // between two attempts to read what is absent

std::size_t row_of(ModbusTable table) { return static_cast<std::size_t>(table); }

}  // namespace

ModbusPlan::ModbusPlan(const Description& description, const ModbusLayout& layout)
    : layout_(layout), pieces_(read_pieces(layout)), rules_(description.limits, pieces_.size()) {
  regroup();
}

void ModbusPlan::begin_connection() {
  expect_absent();
  regroup();
  for (Request& request : requests_) request.due = Instant{};
}

void ModbusPlan::expect_absent() {
  std::ranges::replace(rules_.pieces, ReadRules::Piece::absent, ReadRules::Piece::apart);
  absent_ = 0;
}

void ModbusPlan::revisit(Instant now) {
  if (absent_ == 0 || now < revisit_at_) return;
  if (revisit_at_ != Instant{}) {
    do {
      revisited_ = (revisited_ + 1) % pieces_.size();
    } while (rules_.pieces[revisited_] != ReadRules::Piece::absent);
    rules_.pieces[revisited_] = ReadRules::Piece::apart;
    --absent_;
    regroup_ = true;
  }
  revisit_at_ = now + revisit_period;
}

void ModbusPlan::answered(std::size_t index) {
  Request& request = requests_[index];
  request.silences = 0;
  const ReadBlock& block = request.block;
  auto& too_many = too_many_[row_of(block.table)];
  if (too_many != 0 && block.count > 1) {
    note(fmt::format("words {}", name(block.table)),
         fmt::format("device reads at most {} {} words in one request, not {}: `limits: {{words: {}}}` avoids the "
                     "attempt",
                     rules_.words[row_of(block.table)], name(block.table), too_many, rules_.words[row_of(block.table)]),
         false);
    too_many = 0;
  }
  for (std::size_t i = block.first; i < block.first + block.count; ++i) {
    if (rules_.pieces[i] != ReadRules::Piece::apart) continue;
    rules_.pieces[i] = ReadRules::Piece::together;
    regroup_ = true;
    if (i == revisited_ && absent_ > 0) expect_absent();
  }
  if (request.probe >= 0) close(std::exchange(request.probe, -1), false);
}

ModbusPlan::Verdict ModbusPlan::refused(std::size_t index, unsigned code) {
  Request& request = requests_[index];
  request.silences = 0;
  const ReadBlock& block = request.block;
  if (request.probe >= 0) close(std::exchange(request.probe, -1), true);
  const auto is = [code](ExceptionCode other) { return code == static_cast<unsigned>(other); };
  if (is(ExceptionCode::illegal_value)) {
    if (block.count == 1) return Verdict::failed;
    auto& most = rules_.words[row_of(block.table)];
    too_many_[row_of(block.table)] = std::max(too_many_[row_of(block.table)], block.words);
    most = std::max<std::uint16_t>(1, std::min<std::uint16_t>(most, block.words / 2));
    request.due = Instant{};
    regroup_ = true;
    return Verdict::searching;
  }
  const bool missing = is(ExceptionCode::illegal_address);
  const std::size_t boundary = boundary_of(block);
  if (boundary != block.first) {
    const auto apart = std::ranges::count(rules_.pieces, ReadRules::Piece::apart);
    if (!missing && apart + static_cast<std::ptrdiff_t>(open_probes_ + splits_.size()) >= most_apart)
      return Verdict::failed;
    splits_.push_back({index, boundary, code});
    return Verdict::searching;
  }
  for (std::size_t i = block.first; i < block.first + block.count; ++i) {
    absent_ += missing && rules_.pieces[i] != ReadRules::Piece::absent;
    rules_.pieces[i] = missing ? ReadRules::Piece::absent : ReadRules::Piece::apart;
    const Signal& signal = layout_.signals[pieces_[i].signal];
    if (missing)
      note(fmt::format("{} {}", signal.name, block.address),
           fmt::format("{}: device has no {}{}", signal.name,
                       places_text(block.table, block.address, block.words, layout_.base),
                       signal.optional ? ", which is optional" : ""),
           !signal.optional);
  }
  regroup_ = true;
  return missing ? Verdict::absent : Verdict::failed;
}

std::size_t ModbusPlan::boundary_of(const ReadBlock& block) const {
  std::size_t best = block.first, best_hole = block.first;
  std::uint32_t end = pieces_[block.first].end();
  const auto middle = static_cast<std::ptrdiff_t>(block.first + block.count / 2);
  const auto distance = [middle](std::size_t i) { return std::abs(static_cast<std::ptrdiff_t>(i) - middle); };
  for (std::size_t i = block.first + 1; i < block.first + block.count; ++i) {
    if (pieces_[i].address >= end && (best == block.first || distance(i) < distance(best))) best = i;
    if (pieces_[i].address > end && (best_hole == block.first || distance(i) < distance(best_hole))) best_hole = i;
    end = std::max(end, pieces_[i].end());
  }
  return best_hole != block.first ? best_hole : best;
}

void ModbusPlan::close(int index, bool failed) {
  Probe& probe = probes_[static_cast<std::size_t>(index)];
  probe.failed = probe.failed || failed;
  if (--probe.open > 0) return;
  if (!probe.failed && probe.code == static_cast<unsigned>(ExceptionCode::illegal_address)) learn_hole(probe);
  if (--open_probes_ == 0) regroup_ = true;
}

// Both halves can be read, and not what lies between them.
void ModbusPlan::learn_hole(const Probe& probe) {
  rules_.cut[probe.boundary] = true;
  const ReadPiece& after = pieces_[probe.boundary];
  const ReadPiece& before = pieces_[probe.boundary - 1];
  const bool hole = after.address > before.end();
  note("hole",
       fmt::format("device refuses {} between {} and {} in one request: they are read apart; `limits: {{holes: 0}}` "
                   "avoids the attempt",
                   hole ? places_text(after.table, before.end(), after.address - before.end(), layout_.base)
                        : name(after.table),
                   signal_at(probe.boundary - 1), signal_at(probe.boundary)),
       false);
  if (hole && ++refused_holes_ >= most_refused_holes) rules_.holes = 0;
}

bool ModbusPlan::settle(Instant now) {
  if (splits_.empty() && (!regroup_ || open_probes_ > 0)) return false;
  // From the back, as each puts two requests in the place of one.
  std::ranges::sort(splits_, std::ranges::greater(), &Split::request);
  for (const Split& split : splits_) {
    Request first = requests_[split.request];
    const ReadBlock whole = first.block;
    first.probe = static_cast<int>(probes_.size());
    first.due = now;
    probes_.push_back({split.code, split.boundary});
    ++open_probes_;
    Request second = first;
    const std::size_t count = split.boundary - whole.first;
    first.block = block_of(pieces_, whole.first, count);
    second.block = block_of(pieces_, split.boundary, whole.count - count);
    requests_[split.request] = first;
    requests_.insert(requests_.begin() + static_cast<std::ptrdiff_t>(split.request) + 1, second);
  }
  splits_.clear();
  // Halves are put together again only when all of them have been heard.
  if (regroup_ && open_probes_ == 0) regroup();
  return true;
}

void ModbusPlan::regroup() {
  regroup_ = false;
  probes_.clear();
  std::vector<Instant> due(pieces_.size(), Instant{});
  for (const Request& request : requests_)
    for (std::size_t i = 0; i < request.block.count; ++i) due[request.block.first + i] = request.due;
  requests_.clear();
  for (const ReadBlock& block : read_blocks(pieces_, rules_)) {
    Instant first = Instant::max();
    for (std::size_t i = 0; i < block.count; ++i) first = std::min(first, due[block.first + i]);
    requests_.push_back({block, first});
  }
}

std::string ModbusPlan::signal_at(std::size_t piece) const { return layout_.signals[pieces_[piece].signal].name; }

void ModbusPlan::note(std::string about, std::string text, bool warning) {
  if (std::ranges::find(noted_, about) != noted_.end()) return;
  noted_.push_back(std::move(about));
  notes_.push_back({std::move(text), warning});
}

}  // namespace tandem::generic
