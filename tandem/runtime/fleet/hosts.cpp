// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/fleet/hosts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/net/url.hpp"
#include "tandem/web/http/access.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::runtime {

namespace {

constexpr std::size_t longest_host_name = 63, longest_token = 1024, longest_hosts_file = 256 * 1024;
constexpr std::array<std::string_view, 1> root_keys = {"hosts"};
constexpr std::array<std::string_view, 4> host_keys = {"page", "token_file", "authority", "plain"};

using yaml::Node;

class HostsReader {
 public:
  explicit HostsReader(const std::string& file) : file_(file) {}

  std::vector<FleetHost> read(const Node& root) {
    if (is_map(root, "the file")) {
      each_entry(root, "the file", root_keys, [&](const Node&, const Node& value) { hosts(value); });
    }
    if (hosts_.empty() && problems_.empty())
      problem(root, "missing key 'hosts': { NAME: { page: \"http://127.0.0.1:8088\", token_file: FILE } }");
    if (!problems_.empty()) throw yaml::FileError(std::move(problems_));
    return std::move(hosts_);
  }

 private:
  void problem(const Node& at, std::string text) {
    problems_.push_back({{file_, at.line, at.column}, std::move(text)});
  }

  bool is_map(const Node& node, std::string_view what) {
    if (node.kind == Node::Kind::map) return true;
    problem(node, fmt::format("{}: expected a map, got {}", what, yaml::seen(node)));
    return false;
  }

  // Each key once, and only the known ones; none known: any.
  template <typename Each>
  void each_entry(const Node& map, std::string_view what, std::span<const std::string_view> known, Each each) {
    std::map<std::string, int> lines;
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const Node& key = map.keys[i];
      const auto [first, fresh] = lines.emplace(key.scalar, key.line);
      if (!fresh) {
        problem(key, fmt::format("{}: key '{}' twice; first in line {}", what, printable(key.scalar), first->second));
      } else if (!known.empty() && std::ranges::find(known, key.scalar) == known.end()) {
        problem(key,
                fmt::format("unknown key '{}' of {}{}", printable(key.scalar), what, suggestion(key.scalar, known)));
      } else {
        each(key, map.items[i]);
      }
    }
  }

  void hosts(const Node& value) {
    if (!is_map(value, "hosts")) return;
    if (value.keys.size() > most_hosts)
      return problem(value, fmt::format("hosts: expected at most {}, got {}", most_hosts, value.keys.size()));
    each_entry(value, "hosts", {}, [&](const Node& key, const Node& item) { host(key, item); });
  }

  void host(const Node& key, const Node& value) {
    const std::string& name = key.scalar;
    const bool word = !name.empty() && name.size() <= longest_host_name &&
                      std::isalpha(static_cast<unsigned char>(name[0])) != 0 && std::ranges::all_of(name, [](char c) {
                        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
                      });
    if (!word)
      return problem(key,
                     fmt::format("host name '{}': expected letters, digits, _ and -, a letter first", printable(name)));
    if (!is_map(value, name)) return;
    FleetHost read;
    read.name = name;
    const Node* page = nullptr;
    each_entry(value, name, host_keys, [&](const Node& item_key, const Node& item) {
      if (item_key.scalar == "page" && text(item, name + ".page", page_text_)) page = &item;
      if (item_key.scalar == "token_file") text(item, name + ".token_file", read.token_file);
      if (item_key.scalar == "authority") text(item, name + ".authority", read.place.authority);
      if (item_key.scalar == "plain") flag(item, name + ".plain", read.plain);
    });
    if (page == nullptr) {
      if (std::ranges::none_of(value.keys, [](const Node& each) { return each.scalar == "page"; }))
        problem(key, fmt::format("{}: missing key 'page': \"http://HOST[:PORT]\" or \"https://HOST[:PORT]\"", name));
      return;
    }
    if (!place(*page, name, read.place)) return;
    check(*page, read);
    hosts_.push_back(std::move(read));
  }

  bool text(const Node& node, const std::string& what, std::string& into) {
    if (node.kind == Node::Kind::scalar && !node.scalar.empty()) return into = node.scalar, true;
    problem(node, fmt::format("{}: expected text, got {}", what, yaml::seen(node)));
    return false;
  }
  void flag(const Node& node, const std::string& what, bool& into) {
    if (node.kind == Node::Kind::scalar && !node.quoted && (node.scalar == "true" || node.scalar == "false"))
      return static_cast<void>(into = node.scalar == "true");
    problem(node, fmt::format("{}: expected true or false, got {}", what, yaml::seen(node)));
  }

  bool place(const Node& node, const std::string& name, web::ServerPlace& into) {
    // What follows may be a token, which no error text may quote.
    const auto mark = page_text_.find_first_of("?#");
    std::string_view address = std::string_view(page_text_).substr(0, mark);
    const std::string shown = printable(address);
    if (address.ends_with('/') && !address.ends_with("://")) address.remove_suffix(1);
    const auto wrong = [&](const std::string& why) {
      problem(node, fmt::format("{}.page: expected http://HOST[:PORT] or https://HOST[:PORT], got '{}': {}", name,
                                shown, why));
      return false;
    };
    if (mark != std::string::npos) return wrong("a token belongs in a file of its own, `token_file`");
    const auto url = net::parse_url(address);
    if (!url) return wrong(url.error().text);
    if (url->scheme != "http" && url->scheme != "https") return wrong(fmt::format("scheme '{}'", url->scheme));
    into.host = url->host;
    into.tls = url->scheme == "https";
    into.port = url->port.value_or(into.tls ? 443 : 80);
    return true;
  }

  // What the parts say together.
  void check(const Node& page, const FleetHost& read) {
    const std::string where = read.place.text();
    if (!read.place.authority.empty() && !read.place.tls)
      problem(page, fmt::format("{}.authority: expected a page with https://, got {}", read.name, where));
    if (!read.token_file.empty() && !read.place.tls && !read.plain && !web::names_loopback(read.place.host))
      problem(page, fmt::format("{}.page: {} is beyond loopback and without TLS, so its token can be read on the "
                                "network; use https://, or, on a trusted network, `plain: true`",
                                read.name, where));
    for (const FleetHost& other : hosts_) {
      if (other.place.host == read.place.host && other.place.port == read.place.port)
        problem(page, fmt::format("{}.page: {} is the page of {} as well", read.name, where, other.name));
    }
  }

  const std::string& file_;
  std::string page_text_;
  std::vector<FleetHost> hosts_;
  std::vector<yaml::FileError::Problem> problems_;
};

// At most one byte more than `longest`, so that what is longer shows. `about`: of the very file that is read.
Result<std::string> text_of_file(const std::string& file, std::size_t longest, struct stat& about) {
  const net::Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!opened || ::fstat(opened.get(), &about) != 0)
    return Error{Fault::not_found, fmt::format("{}: cannot be read: {}", file, std::strerror(errno))};
  if (!S_ISREG(about.st_mode)) return Error{Fault::invalid, fmt::format("{}: expected a regular file", file)};
  std::string text(longest + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(opened.get(), text.data() + size, text.size() - size);
    if (count < 0) return Error{Fault::invalid, fmt::format("{}: cannot be read: {}", file, std::strerror(errno))};
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return text;
}

Result<std::string> token_of_file(const std::string& file) {
  struct stat about {};
  const auto text = text_of_file(file, longest_token, about);
  if (!text) return text;
  if ((about.st_mode & S_IROTH) != 0)
    return Error{Fault::refused,
                 fmt::format("{0}: contains a token that every user of this computer can read; chmod o-r {0}", file)};
  const auto token = token_from(*text);
  return token ? token : Result<std::string>(within(file, token.error()));
}

std::string beside(const std::string& hosts_file, const std::string& file) {
  return file.empty() ? file : (std::filesystem::path(hosts_file).parent_path() / file).string();
}

}  // namespace

Result<std::string> token_from(std::string_view text) {
  std::string_view token = trimmed(text);
  if (const auto mark = token.find("?token="); mark != std::string_view::npos) token.remove_prefix(mark + 7);
  const bool good = std::ranges::all_of(token, [](char c) { return c > ' ' && c < '\x7f'; });
  if (good && !token.empty() && token.size() < longest_token) return std::string(token);
  return Error{Fault::invalid, "expected a token in one line, or the address that `tandem page` prints"};
}

std::vector<FleetHost> parse_hosts(std::string_view text, const std::string& file) {
  return HostsReader(file).read(yaml::parse(text, file));
}

std::vector<FleetHost> load_hosts(const std::string& file) {
  struct stat about {};
  const auto text = text_of_file(file, longest_hosts_file, about);
  if (!text) throw yaml::FileError({{{file, 0, 0}, text.error().text.substr(file.size() + 2)}});
  std::vector<FleetHost> hosts = parse_hosts(*text, file);
  std::vector<yaml::FileError::Problem> problems;
  for (FleetHost& host : hosts) {
    host.token_file = beside(file, host.token_file);
    host.place.authority = beside(file, host.place.authority);
    std::error_code ignored;
    if (!host.place.authority.empty() && !std::filesystem::is_regular_file(host.place.authority, ignored))
      problems.push_back(
          {{file, 0, 0}, fmt::format("{}.authority: {}: no such file", host.name, host.place.authority)});
    if (host.token_file.empty()) continue;
    auto token = token_of_file(host.token_file);
    if (token) {
      host.token = std::move(*token);
    } else {
      problems.push_back({{file, 0, 0}, fmt::format("{}.token_file: {}", host.name, token.error().text)});
    }
  }
  if (!problems.empty()) throw yaml::FileError(std::move(problems));
  return hosts;
}

}  // namespace tandem::runtime
