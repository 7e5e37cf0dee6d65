#pragma once

#include <sys/types.h>

#include <mutex>

namespace agon {

/// Ends the process groups of programs that play when the arena is gone without having ended them,
/// as after kill -9: a program need not read its input, and may have children. A process of its own
/// (`agon-worker watch`) knows the groups, and hears of the arena's end by the end of a socket.
class GroupWatch {
 public:
  /// What that process reads.
  struct Message {
    pid_t group;
    bool begins;
  };

  static GroupWatch& get();
  GroupWatch(const GroupWatch&) = delete;
  GroupWatch& operator=(const GroupWatch&) = delete;

  /// From any thread. Where the process cannot be started, nothing is watched.
  void add(pid_t group) { tell({group, true}); }
  /// It has ended, and its number may be given to others.
  void remove(pid_t group) { tell({group, false}); }

 private:
  GroupWatch() = default;
  ~GroupWatch() = default;
  void start();
  void tell(const Message& message);

  std::mutex mutex_;
  bool started_ = false;
  int socket_ = -1;
};

}  // namespace agon
