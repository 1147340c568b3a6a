// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace tandem::runtime {

namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

}  // namespace

void start_log(const std::string& level) {
  auto logger = std::make_shared<spdlog::logger>("tandem", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("time=%Y-%m-%dT%H:%M:%S.%e%z level=%^%l%$ %v");
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

std::string event_line(const Event& event) {
  const std::string machine = event.machine.empty() ? "" : fmt::format("machine={} ", event.machine);
  return fmt::format("{}event={} text={}", machine, event.kind, in_quotes(event.text));
}

void log_event(const Event& event) {
  spdlog::log(event.bad ? spdlog::level::warn : spdlog::level::info, "{}", event_line(event));
}

}  // namespace tandem::runtime
