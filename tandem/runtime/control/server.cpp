// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/control/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "tandem/runtime/control/trust.hpp"

namespace tandem::runtime {

namespace {

constexpr std::size_t most_clients = 32;
constexpr int poll_ms = 100;

Error failed(const std::string& what, const std::string& path) {
  return {Fault::busy, fmt::format("control socket {}: {}: {}", path, what, std::strerror(errno))};
}

// The kernel's limit, and names that are those of a folder.
Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Error{Fault::invalid, fmt::format("control socket {}: expected a path of at most {} bytes, got {}", path,
                                             sizeof address.sun_path - 1, path.size())};
  }
  if (path.ends_with('/'))
    return Error{Fault::invalid, fmt::format("control socket {}: expected the path of a file, got a folder", path)};
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

// Nothing is there, or a socket that can be replaced.
Result<void> check_free(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || S_ISSOCK(about.st_mode)) return {};
  return Error{Fault::busy,
               fmt::format("control socket {}: expected nothing or a socket there, got another file", path)};
}

Result<void> check_writable(const std::string& folder, const std::string& path) {
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return failed("write to " + folder, path);
  return {};
}

Result<void> make_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return {};
  auto checked = check_control_folder(folder.string());
  if (!checked && checked.error().fault == Fault::not_found) {
    std::error_code error;
    std::filesystem::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failed("create its folder", path);
    checked = check_control_folder(folder.string());  // another user may have been faster
  }
  if (!checked) return Error{Fault::busy, fmt::format("control socket {}", checked.error().text)};
  return check_writable(folder.string(), path);
}

// Whether make_folder() would succeed: what is missing is made in the nearest folder that exists.
Result<void> check_folder(const std::string& path) {
  std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const auto checked = check_control_folder(folder.string());
  if (!checked && checked.error().fault != Fault::not_found)
    return Error{Fault::busy, fmt::format("control socket {}", checked.error().text)};
  std::error_code error;
  while (!std::filesystem::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  if (!std::filesystem::is_directory(folder, error))
    return Error{Fault::busy, fmt::format("control socket {}: {}: expected a folder", path, folder.string())};
  return check_writable(folder.string(), path);
}

// In a folder that all may write to, another user could make the lock first and hold it for ever.
Result<net::Descriptor> open_lock(const std::string& path) {
  net::Descriptor lock(::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  struct stat about {};
  if (!lock || ::fstat(lock.get(), &about) != 0) return failed("open its lock", path);
  if (S_ISREG(about.st_mode) && is_trusted(about.st_uid)) return lock;
  return Error{Fault::busy, fmt::format("control socket {0}: expected a lock of user {1} or root, got {0}.lock of user "
                                        "{2}; choose another with --control PATH",
                                        path, ::geteuid(), about.st_uid)};
}

void turn_away(const net::Descriptor& socket, const std::string& why) {
  const std::string refusal = fmt::format("{{\"ok\":false,\"error\":\"{}\"}}\n", why);
  (void)::send(socket.get(), refusal.data(), refusal.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::listen(const std::string& path, Controlled& controlled) {
  const auto address = address_of(path);
  if (!address) return address.error();
  if (const auto made = make_folder(path); !made) return made.error();
  auto lock = open_lock(path);
  if (!lock) return lock.error();
  if (::flock(lock->get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{
        Fault::busy,
        fmt::format(
            "control socket {}: another tandem is running there; stop it, or choose another with --control PATH",
            path)};
  }
  if (const auto free = check_free(path); !free) return free.error();
  ::unlink(path.c_str());  // its process is dead, or it would hold the lock
  net::Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!listener) return failed("socket", path);
  ::fchmod(listener.get(), 0600);  // bind takes this mode over: other users never see it open
  if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0)
    return failed("bind", path);
  ::chmod(path.c_str(), 0600);
  if (::listen(listener.get(), 16) != 0) return failed("listen", path);
  return std::unique_ptr<ControlServer>(new ControlServer(path, std::move(*lock), std::move(listener), controlled));
}

Result<void> ControlServer::check(const std::string& path) {
  if (const auto address = address_of(path); !address) return address.error();
  if (auto folder = check_folder(path); !folder) return folder;
  return check_free(path);
}

ControlServer::ControlServer(std::string path, net::Descriptor lock, net::Descriptor listener, Controlled& controlled)
    : path_(std::move(path)), lock_(std::move(lock)), listener_(std::move(listener)), controlled_(controlled) {}

ControlServer::~ControlServer() { ::unlink(path_.c_str()); }

void ControlServer::run(const std::stop_token& stop) {
  std::vector<pollfd> watched;
  while (!stop.stop_requested()) {
    watched.assign(1, {listener_.get(), POLLIN, 0});
    for (const auto& [fd, client] : clients_) {
      watched.push_back({fd, static_cast<short>(client.session.unsent().empty() ? POLLIN : POLLIN | POLLOUT), 0});
    }
    if (::poll(watched.data(), watched.size(), poll_ms) <= 0) continue;
    for (std::size_t i = 1; i < watched.size(); ++i) {
      if (watched[i].revents == 0) continue;
      Client& client = clients_.at(watched[i].fd);
      const bool keep = (watched[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0 || read_from(client);
      if (!write_to(client) || !keep) clients_.erase(watched[i].fd);
    }
    if (watched[0].revents != 0) accept_one();
  }
}

void ControlServer::accept_one() {
  net::Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket) {
    // Out of descriptors: the connection stays pending, so do not spin on it.
    if (errno == EMFILE || errno == ENFILE) ::poll(nullptr, 0, poll_ms);
    return;
  }
  if (clients_.size() >= most_clients)
    return turn_away(socket, fmt::format("too many clients: {} are connected", most_clients));
  const auto peer = peer_of(socket.get());
  if (!peer || !is_trusted(peer->user)) {
    return turn_away(socket,
                     fmt::format("this tandem belongs to user {}; {}", ::geteuid(),
                                 peer ? fmt::format("user {} may not control it", peer->user) : peer.error().text));
  }
  const int fd = socket.get();
  clients_.emplace(
      fd, Client{std::move(socket), ControlSession(fmt::format("user {}, process {}", peer->user, peer->process))});
}

bool ControlServer::read_from(Client& client) {
  std::array<char, 2048> bytes;
  const ssize_t count = ::recv(client.socket.get(), bytes.data(), bytes.size(), 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  return client.session.receive({bytes.data(), static_cast<std::size_t>(count)}, controlled_);
}

bool ControlServer::write_to(Client& client) {
  const std::string_view unsent = client.session.unsent();
  if (unsent.empty()) return true;
  const ssize_t count = ::send(client.socket.get(), unsent.data(), unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  client.session.sent(static_cast<std::size_t>(count));
  return true;
}

}  // namespace tandem::runtime
