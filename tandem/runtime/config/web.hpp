// SPDX-License-Identifier: Apache-2.0
// The `web:` and `record:` sections of a configuration: who may see a running tandem, and what is kept of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/options.hpp"

namespace tandem::runtime {

struct WebConfig {
  std::string listen;  // "127.0.0.1:8088"; empty: no page
  // Where the port is not the user's own choice, a taken one is no reason to fail: a free one is.
  bool any_port = false;
  // What chooses another address, for the message that this one is taken.
  std::string chosen_with = "--web ADDRESS:PORT or `listen` under `web`";
  std::string view_token, control_token;
  std::vector<std::string> origins;
  std::string certificate, key;          // PEM files
  bool plain = false;                    // beyond loopback without TLS, where tokens can be read on the way
  std::vector<std::string> token_files;  // configuration files with a token in them
  bool by_script = false;                // the script that serves the page controls; no viewer does
  bool tell_time = false;                // to viewers, since /clock is published too; not of this section
};

struct RecordConfig {
  std::string file;        // empty: nothing is recorded
  double megabytes = 0;    // of one file, then the next begins; 0: one file
  double picture_hz = 20;  // how often the scene is kept
  bool frames = true;      // the raw bytes of the field protocols, both directions
};

std::span<const machines::Option> web_options();
std::span<const machines::Option> record_options();

// Why the page cannot be served, or should not be: invalid addresses and tokens, tokens that are short, that every user
// of this computer can read, or that travel in plain text. Each with what to do. Empty: nothing.
std::vector<std::string> web_problems(const WebConfig& config);
// Why nothing can be recorded there.
std::vector<std::string> record_problems(const RecordConfig& config);

// Serve the page, at the usual address unless another is known already: the section alone asks for it.
void open_page(WebConfig& config);
// Takes one value, already checked against its row; `path` is "web.listen" or "record.file".
void apply_web(WebConfig& config, const std::string& path, const machines::Options& options);
void apply_record(RecordConfig& config, const std::string& path, const machines::Options& options);

// Tokens that are not in a file: TANDEM_VIEW_TOKEN and TANDEM_CONTROL_TOKEN, where the configuration has none.
void tokens_from(WebConfig& config, const std::function<const char*(const char*)>& environment);

}  // namespace tandem::runtime
