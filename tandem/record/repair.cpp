// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/repair.hpp"

#include <unistd.h>

#include <map>
#include <optional>

#include "tandem/record/mcap_contents.hpp"
#include "tandem/record/mcap_writer.hpp"

namespace tandem::record {

namespace {

// Writes what it is given into another file.
class CopyScan final : public ScanVisitor {
 public:
  CopyScan(std::string to, const std::function<void(double)>& progress, const ReadLimits& limits, Repaired& report)
      : to_(std::move(to)), progress_(progress), limits_(limits), report_(report) {}

  void header(const mcap::Header& header) override {
    if (!writer_) begin(header);
  }
  void schema(const mcap::Schema& schema) override { schemas_.try_emplace(schema.id, schema); }
  void channel(const mcap::Channel& channel) override {
    if (!writer_) begin({});
    if (failure_ || ids_.contains(channel.id)) return;
    ChannelInfo info{.topic = channel.topic,
                     .encoding = channel.encoding,
                     .schema_name = {},
                     .schema_encoding = {},
                     .schema = {},
                     .metadata = channel.metadata};
    if (const auto schema = schemas_.find(channel.schema); channel.schema != 0 && schema != schemas_.end()) {
      info.schema_name = schema->second.name;
      info.schema_encoding = schema->second.encoding;
      info.schema = schema->second.data;
    }
    const auto id = writer_->channel(info);
    if (!id) return static_cast<void>(failure_ = id.error());
    ids_[channel.id] = *id;
  }
  void message(const mcap::Message& message) override {
    const auto id = ids_.find(message.channel);
    if (id == ids_.end()) return static_cast<void>(++report_.nameless);
    mcap::Message copy = message;
    copy.channel = id->second;
    ++report_.messages;
    done([&] { return writer_->message(copy); });
  }
  void attachment(const mcap::Attachment& attachment, std::uint64_t, std::uint64_t) override {
    if (!writer_) begin({});
    ++report_.attachments;
    done([&] { return writer_->attachment(attachment); });
  }
  void metadata(const mcap::Metadata& metadata, std::uint64_t, std::uint64_t) override {
    if (!writer_) begin({});
    ++report_.metadata;
    done([&] { return writer_->metadata(metadata); });
  }
  void problem(const Problem& problem) override {
    last_problem_ = problem.offset;
    if (report_.problems.size() < limits_.problems) report_.problems.push_back(problem);
  }
  void progress(double fraction) override {
    if (progress_) progress_(fraction);
  }

  // The end, and whether all went well.
  Result<void> finish() {
    if (!writer_) begin({});
    done([&] { return writer_->finish(); });
    if (failure_) return *failure_;
    return {};
  }
  bool begun() const { return writer_.has_value(); }
  std::uint64_t last_problem() const { return last_problem_; }

 private:
  void begin(const mcap::Header& header) {
    if (failure_) return;
    auto made = McapWriter::create(
        to_, {.profile = header.profile, .library = header.library.empty() ? "tandem" : header.library});
    if (!made) return static_cast<void>(failure_ = made.error());
    writer_ = std::move(*made);
  }
  template <typename Write>
  void done(Write write) {
    if (failure_ || !writer_) return;
    if (auto written = write(); !written) failure_ = written.error();
  }

  std::string to_;
  const std::function<void(double)>& progress_;
  const ReadLimits& limits_;
  Repaired& report_;
  std::optional<McapWriter> writer_;
  std::optional<Error> failure_;
  std::map<std::uint16_t, mcap::Schema> schemas_;
  std::map<std::uint16_t, std::uint16_t> ids_;  // there, here
  std::uint64_t last_problem_ = 0;
};

// Whether there is nothing to repair; what copying alone did not find is reported.
bool is_whole(Source& source, const ReadLimits& limits, Repaired& report) {
  if (!report.problems.empty() || report.nameless > 0) return false;
  const auto contents = contents_by_scan(source, {.limits = limits});
  if (contents) report.problems = contents->problems;
  return contents && contents->whole;
}

}  // namespace

std::string repaired_name(const std::string& from) {
  const std::string ending = ".mcap";
  return (from.ends_with(ending) ? from.substr(0, from.size() - ending.size()) : from) + "_repaired" + ending;
}

Result<Repaired> repair(const std::string& from, const std::string& to, const std::function<void(double)>& progress,
                        const ReadLimits& limits) {
  auto source = Source::open(from);
  if (!source) return std::move(source).error();
  Repaired report;
  CopyScan copy(to, progress, limits, report);
  const auto end = scan(*source, limits, copy);
  const auto finished = end ? copy.finish() : Result<void>(end.error());
  if (!finished) {
    if (copy.begun()) ::unlink(to.c_str());
    return finished.error();
  }
  if (!report.problems.empty() && copy.last_problem() == *end) report.unread = source->size() - *end;
  report.whole = is_whole(*source, limits, report);
  if (report.whole) ::unlink(to.c_str());
  return report;
}

}  // namespace tandem::record
