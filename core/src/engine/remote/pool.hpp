#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "process/starting_thread.hpp"
#include "remote/channel.hpp"

namespace agon::remote {

/// The processes of one plugin: started when they are wanted, used again and again, each by one
/// thread at a time.
class Pool {
 public:
  explicit Pool(Launch launch) : launch_(std::move(launch)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// A process for one thing to do. It goes back where it can do more, else it is ended.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Channel> channel)
        : pool_(pool), channel_(std::move(channel)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { pool_.give_back(std::move(channel_)); }
    Channel* operator->() const { return channel_.get(); }
    Channel& operator*() const { return *channel_; }

   private:
    Pool& pool_;
    std::unique_ptr<Channel> channel_;
  };

  /// Throws RemoteFault where a process can be started no more, says another hello than the first
  /// one did, or has spoken when it had nothing to do: that is known after the match that it
  /// belongs to, and so no further one is played.
  [[nodiscard]] Lease take();
  /// A process that is nobody's but the caller's; `more`: words after those of the launch.
  [[nodiscard]] std::unique_ptr<Process> start(const std::vector<std::string>& more = {});
  /// The hello of the first process. take() before this.
  [[nodiscard]] const std::string& hello() const { return hello_; }
  [[nodiscard]] const Launch& launch() const { return launch_; }

 private:
  void give_back(std::unique_ptr<Channel> channel) noexcept;
  /// Whether the process can do more; notes why nothing more is to be played.
  bool is_fit(Channel& channel);

  Launch launch_;
  StartingThread starting_;
  std::mutex mutex_;
  std::string hello_;
  std::string broken_;  ///< why nothing more is played; empty: it is
  std::vector<std::unique_ptr<Channel>> idle_;
};

}  // namespace agon::remote
