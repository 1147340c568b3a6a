// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/control/trust.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tandem::runtime {

namespace {

Error unreadable(const std::string& path) {
  const Fault fault = errno == ENOENT || errno == ENOTDIR ? Fault::not_found : Fault::refused;
  return {fault, fmt::format("{}: {}", path, std::strerror(errno))};
}

// Another user could put something else in the place of a file in it. Those of a sticky folder, as /tmp is, can only
// be replaced by their owner. A group counts as other users, our own as well: it may have more members.
bool others_may_replace(const struct stat& folder) {
  return (folder.st_mode & S_ISVTX) == 0 && (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

}  // namespace

bool is_trusted(uid_t user, uid_t self) { return user == self || user == 0; }

Result<void> check_control_folder(const std::string& folder, uid_t self) {
  struct stat about {};
  if (::lstat(folder.c_str(), &about) != 0) return unreadable(folder);
  if (S_ISLNK(about.st_mode) && about.st_uid == 0 && ::stat(folder.c_str(), &about) != 0) return unreadable(folder);
  if (S_ISLNK(about.st_mode))
    return Error{Fault::refused,
                 fmt::format("{}: expected a folder, got a symbolic link of user {}", folder, about.st_uid)};
  if (!S_ISDIR(about.st_mode)) return Error{Fault::refused, fmt::format("{}: expected a folder", folder)};
  if (!is_trusted(about.st_uid, self)) {
    return Error{Fault::refused, fmt::format("{}: expected a folder of user {} or root, got one of user {}", folder,
                                             self, about.st_uid)};
  }
  if (others_may_replace(about)) {
    return Error{Fault::refused,
                 fmt::format("{}: other users can write to this folder; chmod go-w {}", folder, folder)};
  }
  return {};
}

Result<void> check_control_socket(const std::string& path, uid_t self) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return unreadable(path);
  if (!S_ISSOCK(about.st_mode)) return Error{Fault::refused, fmt::format("{}: expected a socket", path)};
  if (is_trusted(about.st_uid, self)) return {};
  return Error{Fault::refused,
               fmt::format("{}: expected a socket of user {} or root, got one of user {}", path, self, about.st_uid)};
}

Result<Peer> peer_of(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return Error{Fault::refused, fmt::format("credentials of the peer: {}", std::strerror(errno))};
  return Peer{peer.uid, peer.pid};
}

}  // namespace tandem::runtime
