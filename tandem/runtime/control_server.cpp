#include "tandem/runtime/control_server.hpp"

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

namespace tandem::runtime {

namespace {

constexpr std::size_t most_clients = 32;
constexpr std::size_t most_unread = 1024 * 1024;  // bytes of answers that a client may leave unread
constexpr int poll_ms = 100;

Error failed(const std::string& what, const std::string& path) {
  return {Fault::busy, fmt::format("control socket {}: {}: {}", path, what, std::strerror(errno))};
}

Result<void> make_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  if (std::filesystem::exists(folder, error)) {
    struct stat about {};
    // A folder in /tmp that someone else made for us could be used to listen in our place.
    const bool ours = ::stat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
                      (about.st_uid == ::geteuid() || about.st_uid == 0) && ::access(folder.c_str(), W_OK) == 0;
    const bool shared = (about.st_mode & S_IWOTH) != 0 && (about.st_mode & S_ISVTX) == 0;
    if (ours && !shared) return {};
    return Error{Fault::busy, fmt::format("control socket {}: the folder is not ours alone to write", path)};
  }
  std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return failed("make its folder", path);
  return {};
}

std::string peer_of(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return "control";
  return fmt::format("user {}, process {}", peer.uid, peer.pid);
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::listen(const std::string& path, Controlled& controlled) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Error{Fault::invalid, fmt::format("control socket {}: a path of {} bytes; the system takes {}", path,
                                             path.size(), sizeof address.sun_path - 1)};
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  if (const auto made = make_folder(path); !made) return made.error();
  net::Descriptor lock(::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) return failed("open its lock", path);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{
        Fault::busy,
        fmt::format(
            "control socket {}: another tandem is running there; stop it, or choose another with --control PATH",
            path)};
  }
  struct stat about {};
  if (::lstat(path.c_str(), &about) == 0) {
    if (!S_ISSOCK(about.st_mode))
      return Error{Fault::busy, fmt::format("control socket {}: something else is there, not a socket", path)};
    ::unlink(path.c_str());  // its process is dead, or it would hold the lock
  }
  net::Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!listener) return failed("socket", path);
  if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return failed("bind", path);
  ::chmod(path.c_str(), 0600);
  if (::listen(listener.get(), 16) != 0) return failed("listen", path);
  return std::unique_ptr<ControlServer>(new ControlServer(path, std::move(lock), std::move(listener), controlled));
}

ControlServer::ControlServer(std::string path, net::Descriptor lock, net::Descriptor listener, Controlled& controlled)
    : path_(std::move(path)), lock_(std::move(lock)), listener_(std::move(listener)), controlled_(controlled) {}

ControlServer::~ControlServer() { ::unlink(path_.c_str()); }

void ControlServer::run(const std::stop_token& stop) {
  std::vector<pollfd> watched;
  while (!stop.stop_requested()) {
    watched.assign(1, {listener_.get(), POLLIN, 0});
    for (const auto& [fd, client] : clients_) {
      watched.push_back({fd, static_cast<short>(client.out.empty() ? POLLIN : POLLIN | POLLOUT), 0});
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
  if (clients_.size() >= most_clients) {
    const std::string refusal =
        fmt::format("{{\"ok\":false,\"error\":\"{} clients are connected, no more are taken\"}}\n", most_clients);
    (void)::send(socket.get(), refusal.data(), refusal.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return;
  }
  const int fd = socket.get();
  clients_.emplace(fd, Client{std::move(socket), peer_of(fd), "", ""});
}

bool ControlServer::read_from(Client& client) {
  std::array<char, 2048> bytes;
  const ssize_t count = ::recv(client.socket.get(), bytes.data(), bytes.size(), 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  client.in.append(bytes.data(), static_cast<std::size_t>(count));
  for (auto end = client.in.find('\n'); end != std::string::npos; end = client.in.find('\n')) {
    client.out += answer_to(std::string_view(client.in).substr(0, end), client.by, controlled_);
    client.in.erase(0, end + 1);
    if (client.out.size() > most_unread) return false;
  }
  if (client.in.size() <= longest_request) return true;
  client.out += answer_to(client.in, client.by, controlled_);  // says that it is too long
  return false;
}

bool ControlServer::write_to(Client& client) {
  if (client.out.empty()) return true;
  const ssize_t count = ::send(client.socket.get(), client.out.data(), client.out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  client.out.erase(0, static_cast<std::size_t>(count));
  return true;
}

}  // namespace tandem::runtime
